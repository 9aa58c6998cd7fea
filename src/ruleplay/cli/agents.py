"""Agents' own commands: below `ruleplay NAME`, and their set-up below `ruleplay setup`.

They are found by their place, so that help and the commands work, and are quick, before an agent is
loaded or its packages are even installed. An agent that has its commands elsewhere is not listed.
"""

from __future__ import annotations

from contextlib import suppress
from importlib.util import find_spec
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from typer.core import TyperGroup
from typer.main import get_command

from ruleplay.catalog import agent_names, find_agent, other_names, package_of

if TYPE_CHECKING:
    from typer import Typer
    from typer._click import Command, Context

SETUP = "setup"


def commands_in_place(name: str) -> Typer | None:
    """Return an agent's commands where its package has them, without loading the agent."""
    package = package_of(name)
    with suppress(ModuleNotFoundError):
        if package and find_spec(f"{package}.commands"):
            found: Typer = resolve_name(f"{package}.commands.app:app")
            return found
    return None


class AgentGroups(TyperGroup):
    """A group that has every agent's commands beside its own, which win."""

    def list_commands(self, ctx: Context) -> list[str]:
        """List what is here, then the agents that bring commands."""
        own = super().list_commands(ctx)
        return [*own, *(name for name in agent_names() if name not in own and self.lists(name))]

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        """Return a command of its own, or an agent's."""
        return super().get_command(ctx, cmd_name) or self.brought(cmd_name)

    def lists(self, name: str) -> bool:
        """Tell whether an agent is listed: its commands are where they belong."""
        return commands_in_place(name) is not None

    def brought(self, name: str) -> Command | None:
        """Return the group of an agent's commands."""
        app = commands_in_place(name)
        if app is None and name in other_names():
            app = find_agent(name).commands()
        return get_command(app) if app else None


class Setups(AgentGroups):
    """A group that has the `setup` command of every agent that brings one."""

    def brought(self, name: str) -> Command | None:
        """Return an agent's own command `setup`."""
        found = super().brought(name)
        return found.commands.get(SETUP) if isinstance(found, TyperGroup) else None

    def lists(self, name: str) -> bool:
        """Tell whether an agent brings a set-up."""
        return super().lists(name) and self.brought(name) is not None
