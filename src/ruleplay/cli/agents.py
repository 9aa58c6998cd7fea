"""Agents' own commands: below `ruleplay NAME`, and their set-up below `ruleplay setup`.

They are found by convention, in `commands/app.py`, without importing the agent. So help is quick,
and `setup` works before the packages that the agent needs are installed. An agent with its commands
elsewhere works, but is not listed in the help.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
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


@cache
def built(app: Typer) -> Command:
    """Return an application's commands; who runs several in one process needs them made once."""
    return get_command(app)


def commands_in_place(name: str) -> Typer | None:
    """Import an agent's commands from `commands/app.py`, without importing the agent."""
    package = package_of(name)
    with suppress(ModuleNotFoundError):
        if package and find_spec(f"{package}.commands"):
            found: Typer = resolve_name(f"{package}.commands.app:app")
            return found
    return None


class AgentGroups(TyperGroup):
    """A group with the agents' commands in addition to its own, which take precedence."""

    def list_commands(self, ctx: Context) -> list[str]:
        """List the group's own commands, then the agents that have some."""
        own = super().list_commands(ctx)
        return [*own, *(name for name in agent_names() if name not in own and self.lists(name))]

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        """Return a command of its own, or an agent's."""
        return super().get_command(ctx, cmd_name) or self.brought(cmd_name)

    def lists(self, name: str) -> bool:
        """Whether an agent is listed in the help."""
        return commands_in_place(name) is not None

    def brought(self, name: str) -> Command | None:
        """Return the group of an agent's commands."""
        app = commands_in_place(name)
        if app is None and name in other_names():
            app = find_agent(name).commands()
        return built(app) if app else None


class Setups(AgentGroups):
    """A group with the `setup` command of every agent that has one."""

    def brought(self, name: str) -> Command | None:
        """Return an agent's own command `setup`."""
        found = super().brought(name)
        return found.commands.get(SETUP) if isinstance(found, TyperGroup) else None

    def lists(self, name: str) -> bool:
        """Whether an agent has a set-up."""
        return super().lists(name) and self.brought(name) is not None
