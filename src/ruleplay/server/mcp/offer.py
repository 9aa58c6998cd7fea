"""The tools on offer, in groups: those of the core, and those of each agent that has some."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from ruleplay.catalog import agent_names, find_agent, package_of, shipped_names
from ruleplay.errors import RuleplayError, UserError
from ruleplay.kernel.toolbox import Starter

if TYPE_CHECKING:
    from ruleplay.kernel.toolbox import Tool

CORE, ALL = "core", "all"
DEFAULT = "default"
SEAT = Field(default="", max_length=128, description="who acts, where a session has several seats")
TOKEN = Field(default="", max_length=200, description="opens the seat, where seats are guarded")
SESSION = Field(max_length=64, description="the session's id, as an earlier result told it")


class PlayArguments(BaseModel):
    """Arguments of `play_turn`."""

    agent: str = Field(default="", max_length=64, description="needed for a new session only")
    message: str = Field(max_length=8_000, description="what to say, or the number of a choice")
    session: str = Field(default="", max_length=64, description="empty begins a new session")
    seat: str = SEAT
    seat_token: str = TOKEN
    key: str = Field(default="", max_length=200, description="the same key is the same turn")


class ShowArguments(BaseModel):
    """Arguments of `show_session`."""

    session: str = SESSION
    seat: str = SEAT
    seat_token: str = TOKEN


class UndoArguments(BaseModel):
    """Arguments of `undo_turn`."""

    session: str = SESSION
    seat_token: str = TOKEN


@dataclass(frozen=True)
class CoreTool:
    """A tool for sessions of any agent."""

    name: str
    description: str
    arguments: type[BaseModel]
    reads: bool


CORE_TOOLS = (
    CoreTool(
        "play_turn",
        "Play one turn with a Ruleplay agent: say something, get its reply. A new session begins "
        "without `session`; pass the one in the result to go on. Agents: {agents}.",
        PlayArguments,
        reads=False,
    ),
    CoreTool(
        "show_session",
        "What a session looks like from a seat, and its last turns.",
        ShowArguments,
        reads=True,
    ),
    CoreTool(
        "undo_turn",
        "Take a session's last turn back. It is kept in the session's tree.",
        UndoArguments,
        reads=False,
    ),
)

PLAY = Starter(
    "play",
    "Play with one of the agents",
    "Let me play with the Ruleplay agent {agent} through play_turn, on the seat {seat} if that is"
    " one. Send what I write as it is, show me each reply whole with its choices, and add nothing"
    " of your own.",
    (("agent", "the agent's name"), ("seat", "the seat to act on; a dash for none")),
)


@dataclass(frozen=True)
class Offer:
    """The tools and prompts of a connection; with `core`, also those for sessions."""

    core: bool
    tools: dict[str, tuple[str, Tool]]
    starters: dict[str, Starter]

    @classmethod
    def of(cls, groups: Iterable[str]) -> Offer:
        """Collect the tools of some groups: `core`, `all`, agents' names; UserError for others.

        Without `all`, only agents' common tools are offered: long lists fill a model's context.
        """
        wanted = [group for group in groups if group] or [DEFAULT]
        if unknown := set(wanted) - {CORE, ALL, DEFAULT, *agent_names()}:
            names = ", ".join((CORE, ALL, *agent_names()))
            raise UserError(f"no tools {', '.join(sorted(unknown))}; there are {names}")
        every = bool({ALL, DEFAULT} & set(wanted))
        tools: dict[str, tuple[str, Tool]] = {}
        core = every or CORE in wanted
        starters = {PLAY.name: PLAY} if core else {}
        for name in (name for name in _with_tools() if every or name in wanted):
            try:
                box = find_agent(name).tools()
            except RuleplayError:
                continue  # an extra is missing
            shown = [tool for tool in box.tools if tool.common or ALL in wanted]
            tools |= {tool.name: (name, tool) for tool in shown}
            starters |= {starter.name: starter for starter in box.starters}
        return cls(core, tools, starters)


def _with_tools() -> Iterator[str]:
    """Yield the agents that may have tools, without importing shipped agents that have none."""
    for name in agent_names():
        if name not in shipped_names() or find_spec(f"{package_of(name)}.tools"):
            yield name
