"""Agents' own commands: below `ruleplay NAME`, and their set-up below `ruleplay setup`.

Those of agents that ship here are found by their place, so that help and their commands work, and
are quick, before an agent's packages are loaded or even installed.
"""

from __future__ import annotations

from contextlib import suppress
from importlib.util import find_spec
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from typer.core import TyperGroup
from typer.main import get_command

from ruleplay.catalog import find_agent, other_names, shipped_names
from ruleplay.foundation.errors import NotFound, Unavailable, UserError

if TYPE_CHECKING:
    from typer import Typer
    from typer._click import Command, Context

SETUP = "setup"


def commands_of(name: str) -> Typer | None:
    """Return an agent's commands; None where there is no such agent or it brings none."""
    if name in shipped_names():
        place = f"ruleplay.agents.{name}.commands"
        found: Typer | None = resolve_name(f"{place}.app:app") if find_spec(place) else None
        return found
    if name not in other_names():
        return None
    return find_agent(name).commands()


class AgentGroups(TyperGroup):
    """A group that has every agent's commands beside its own, which win."""

    def list_commands(self, ctx: Context) -> list[str]:
        """List what is here, then the agents that bring commands."""
        agents = [name for name in (*shipped_names(), *other_names()) if self._usable(ctx, name)]
        return [*super().list_commands(ctx), *agents]

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        """Return a command of its own, or an agent's."""
        return super().get_command(ctx, cmd_name) or self.brought(cmd_name)

    def brought(self, name: str) -> Command | None:
        """Return the group of an agent's commands."""
        app = commands_of(name)
        return get_command(app) if app else None

    def _usable(self, ctx: Context, name: str) -> bool:
        if super().get_command(ctx, name):
            return False
        with suppress(NotFound, Unavailable, UserError):
            return self.brought(name) is not None
        return False


class Setups(AgentGroups):
    """A group that has the `setup` command of every agent that brings one."""

    def brought(self, name: str) -> Command | None:
        """Return an agent's own command `setup`."""
        found = super().brought(name)
        return found.commands.get(SETUP) if isinstance(found, TyperGroup) else None
