"""The interface of agents: `Agent`, with the base classes of configuration, state and draft.

An agent must define a name, a title, events, its three classes and the abstract methods; the rest
has defaults. Commands, routes and a page are found by their place in the agent's package.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name
from random import Random
from typing import TYPE_CHECKING, Annotated, ClassVar, Generic, Self, TypedDict, TypeVar

from pydantic import BaseModel, Field
from pydantic.json_schema import SkipJsonSchema

from ruleplay.errors import Conflict, UserError
from ruleplay.records.events import EVERYONE, Aside, Codec, Event, Json, Upcaster
from ruleplay.records.given import Given, Message
from ruleplay.records.rules import RuleData
from ruleplay.telling.citing import Span

if TYPE_CHECKING:
    from typing import Any

    from fastapi import APIRouter
    from typer import Typer

    from ruleplay.kernel.graph import Graph
    from ruleplay.kernel.offers import Benchmark, JobOffer
    from ruleplay.kernel.sharing import Sharing
    from ruleplay.kernel.toolbox import Toolbox
    from ruleplay.settings import Settings
    from ruleplay.system.finding import Finding


class Config(BaseModel, frozen=True, extra="forbid"):
    """What a session is created with; agents add their fields.

    `rules` names the rules' data that it is played with; the host fills it in, whatever was sent.
    """

    rules: SkipJsonSchema[str] = Field(default="", max_length=200, exclude_if=operator.not_)


class State(BaseModel, frozen=True, defer_build=True):
    """What an agent knows between turns: frozen, bounded, changed by events alone.

    `version` counts up when fields change; a state stored by an older release is then folded anew
    from its events. `rules` is the session's, not the state's: hosts fill it in, it is not stored.
    """

    version: ClassVar[int] = 1
    rules: str = Field(default="", exclude=True)

    def apply(self, event: Event) -> Self:
        """Return the state after an event. It must be pure, and accept every event of the agent."""
        raise NotImplementedError


ConfigT = TypeVar("ConfigT", bound=Config)
StateT = TypeVar("StateT", bound=State)
World = TypeVar("World")


@dataclass(kw_only=True)
class Draft(Generic[StateT]):
    """An unfinished turn, on which the graph works; agents add fields that last for the turn.

    `reply` is for every seat, `asides` are additional parts for some seats only. `spans` say who
    vouches for each piece of the reply; joined they give the reply, or there are none. Annotated
    fields are appended to by updates, all others replaced (see `graph.py`).
    """

    before: StateT
    given: Given
    seat: str
    events: Annotated[list[Event], operator.add] = field(default_factory=list)
    reply: str = ""
    asides: Annotated[list[Aside], operator.add] = field(default_factory=list)
    spans: tuple[Span, ...] = ()

    @cached_property
    def now(self) -> StateT:
        """The state after the events of this turn so far.

        It may be cached, since every node gets a new draft (`Graph.steps`).
        """
        return reduce(lambda state, event: state.apply(event), self.events, self.before)

    def since(self, told: int) -> Self:
        """Return what happened after the first `told` events, as a turn of its own."""
        before = replace(self, events=self.events[:told]).now
        return replace(self, before=before, events=self.events[told:])


class Update(TypedDict, total=False):
    """What a node may return; agents add keys for their own fields."""

    events: list[Event]
    reply: str
    asides: list[Aside]
    spans: tuple[Span, ...]


class Move(BaseModel, frozen=True):
    """Whose move it is, and the input that plays it when nobody else does.

    A seat that a person holds is waited for (`waits`): `given` is then what is recorded when their
    time is over, a pass and nothing in their name. `round` counts the rounds of the game.
    """

    seat: str
    given: Given
    waits: bool = False
    round: int = 0


class Difference(BaseModel, frozen=True):
    """Something that differs between two branches: what, whose or which, and how on either side.

    `what` is a key of the agent's own; the rest is in the words of the session's language.
    """

    what: str
    name: str = ""
    one: str = ""
    other: str = ""


class Agent(ABC, Generic[ConfigT, StateT, World]):
    """One agent: its rules' entry points, its views and its graph.

    `World` is what it accesses outside the session, such as a catalog or a game server; it is
    opened once per process.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    seats: ClassVar[tuple[str, ...]] = ("user",)
    public_seat: ClassVar[str] = ""
    """The seat of spectators, which never acts; naming one means that all seats are guarded by
    tokens. If empty, everybody who can reach the server may use every seat."""
    hears: ClassVar[bool] = False
    """Whether it reads messages with `ruleplay.hearing`: servers load the encoder with its first
    session, so that no message waits for it."""
    edition: ClassVar[int] = 1
    """Increase it when the same input and model replies no longer give the same turn, because
    reading, rules, their data or telling have changed. Turns of earlier editions are then replayed
    from their events (see `ruleplay.kernel.replay`)."""
    rules: ClassVar[RuleData | None] = None
    """The rule data that ships with the agent; a session keeps the data that it began with."""
    rehearsal: ClassVar[int] = 25
    """Turns of each session in a fuzz run; a lower number reaches more beginnings."""
    log: ClassVar[tuple[str, str]] = ("", "")
    """The channel that logs everything said, with its speaker, and the seat that may read it;
    empty if there is none."""
    events: ClassVar[tuple[type[Event], ...]]
    upcasters: ClassVar[Mapping[tuple[str, int], Upcaster]] = {}
    uploads: ClassVar[Mapping[str, int]] = {}
    """Paths of routes whose body is a file, with its largest size in bytes."""
    config_type: type[ConfigT]
    state_type: type[StateT]
    draft_type: type[Draft[StateT]]

    @cached_property
    def codec(self) -> Codec:
        """Converts this agent's events to and from their stored form."""
        return Codec(self.events, self.upcasters)

    @abstractmethod
    def new(self, config: ConfigT, rng: Random) -> StateT:
        """Return the state a session starts with. All randomness must come from `rng`."""

    @abstractmethod
    def build_graph(self, config: ConfigT) -> Graph:
        """Build the turn's graph; called once per process and `graph_key`."""

    @abstractmethod
    def view(self, state: StateT, seat: str) -> Json:
        """Return what a seat may see of the state, as JSON; user interfaces read nothing else."""

    def title_of(self, state: StateT) -> str:
        """Return the default title of a session."""
        return self.title

    def seat_title(self, state: StateT, seat: str) -> str:
        """Return the name of whoever plays a seat, for exports."""
        return seat

    @abstractmethod
    def open_world(self, settings: Settings) -> World:
        """Open the agent's world; called once per process, in a thread, so it may block."""

    def demo(self) -> ConfigT:
        """Return a configuration that works without any further setup."""
        return self.config_type()

    def graph_key(self, config: ConfigT) -> str:
        """Return a key for the graph that a configuration needs; equal keys share a graph."""
        return ""

    def admit(self, state: StateT, seat: str, given: Given) -> None:
        """Refuse an input before the turn starts, by raising UserError or Conflict."""
        seats = self.seats_of(state)
        if seat not in seats:
            raise Conflict(f"no seat {seat!r} here; the seats are {', '.join(seats)}")
        if given.action is not None and not given.message:
            raise UserError(f"{self.name} takes messages only; override admit() for actions")
        if not given.message.strip():
            raise UserError("the message is empty; write what you want to say")

    def seats_of(self, state: StateT) -> tuple[str, ...]:
        """Return the seats of a session, in order; by default the same in all sessions."""
        return self.seats

    def reading_seat(self, state: StateT) -> str:
        """Return the default seat for reading a session."""
        return self.public_seat or self.seats_of(state)[0]

    def acting_seat(self, state: StateT) -> str:
        """Return the default seat for a turn: the one whose move it is, or the first."""
        move = self.next_move(state)
        return move.seat if move else self.seats_of(state)[0]

    def next_move(self, state: StateT) -> Move | None:
        """Return the move that the rules expect next, None if there is no such move."""
        return None

    @property
    def names_moves(self) -> bool:
        """Whether this agent has moves at all, so that its sessions can play on by themselves."""
        return type(self).next_move is not Agent.next_move

    def audience(self, state: StateT, seat: str, given: Given) -> tuple[str, ...]:
        """Return the seats that may read an input; asked before the turn begins."""
        return (EVERYONE,)

    def seat_guard(self, state: StateT, seat: str) -> str:
        """Return the SHA-256 (hexadecimal) of the token that a seat requires; empty if it is free.

        Only agents with a `public_seat` are asked. Without the token nobody may read or act from
        the seat.
        """
        return ""

    def sit(self, state: StateT, seat: str, guard: str, name: str) -> Given:
        """Return the input that gives a seat to a person called `name`.

        `guard` is the hash of their token. Raises UserError or Conflict; the turn that plays the
        input may still refuse it.
        """
        raise Conflict(f"the seats of {self.name} are free to use; nobody sits down or leaves")

    def leave(self, state: StateT, seat: str) -> Given:
        """Return the input by which the person on a seat leaves it; raises as `sit` does."""
        raise Conflict(f"the seats of {self.name} are free to use; nobody sits down or leaves")

    def messages(self, draft: Draft[StateT]) -> tuple[Message, ...]:
        """Return the lines that a turn adds to histories: by default its message and reply."""
        said = Message(role="user", text=draft.given.message)
        return (said, Message(role="assistant", text=draft.reply))

    def undo_problem(self, state: StateT) -> str:
        """Return why the last turn may not be undone; empty if it may."""
        return ""

    def may_be_taken_back(self, given: Given, events: Sequence[Event]) -> bool:
        """Whether a turn counts as a move that its seat can take back; taking a seat does not."""
        return True

    def takes_back(self, events: Sequence[Event]) -> bool:
        """Whether a turn with these events undoes its seat's last move and everything after it."""
        return False

    def instead(self, events: Sequence[Event]) -> Given | None:
        """Return the seat's input to play in place of what a turn with these events undoes."""
        return None

    def problems(self, before: StateT, events: list[Event], after: StateT) -> tuple[str, ...]:
        """List the rules that a turn broke; fuzzing and tests ask for this after every turn."""
        return ()

    def problems_told(
        self, before: StateT, given: Given, events: list[Event], reply: str, after: StateT
    ) -> tuple[str, ...]:
        """List what `problems` lists, and problems that only input and reply can show."""
        return self.problems(before, events, after)

    def differences(self, one: StateT, other: StateT, seat: str) -> tuple[Difference, ...]:
        """List the differences between two branches' states that a seat may know."""
        return ()

    def tools(self) -> Toolbox:
        """Return the tools and prompts that other programs may use, over MCP."""
        from ruleplay.kernel.toolbox import Toolbox

        return Toolbox()

    @property
    def package(self) -> str:
        """The package that contains `agent.py`; empty for an agent in a single module."""
        package, _, module = type(self).__module__.rpartition(".")
        return package if module == "agent" else ""

    def commands(self) -> Typer | None:
        """Return the commands of `ruleplay NAME`: `app` in `commands/app.py`, if it exists."""
        found: Typer | None = self._brought("commands.app", "app")
        return found

    def routes(self) -> APIRouter | None:
        """Return the agent's HTTP routes: `routes` in `routes/router.py`, if it exists.

        The router's lifespan starts after the host's and ends before it.
        """
        found: APIRouter | None = self._brought("routes.router", "routes")
        return found

    def sharing(self) -> Sharing[Any] | None:
        """Return what links may show besides sessions: `SHARING` in `tools/sharing.py`."""
        found: Sharing[Any] | None = self._brought("tools.sharing", "SHARING")
        return found

    def jobs(self) -> tuple[JobOffer, ...]:
        """List the kinds of jobs that workers can do for this agent."""
        return ()

    def benchmarks(self) -> tuple[Benchmark, ...]:
        """List the benchmarks that `ruleplay bench` offers for this agent."""
        return ()

    def findings(self, home: Path) -> Iterable[Finding]:
        """Check what the agent needs beyond its packages, for `ruleplay doctor`."""
        return ()

    @property
    def page(self) -> Path | None:
        """The folder of the agent's ES modules: `NAME.js`, and `NAME/` with what it imports."""
        if not self.package:
            return None
        folder = Path(str(resolve_name(self.package).__file__)).parent / "page"
        return folder if (folder / f"{self.name}.js").is_file() else None

    def _brought(self, module: str, name: str) -> Any:
        """Load an object from its place in the agent's package, None if there is no such module."""
        # `find_spec` imports the parent package, so that is looked for first.
        outer = f"{self.package}.{module.partition('.')[0]}"
        if not self.package or not find_spec(outer) or not find_spec(f"{self.package}.{module}"):
            return None
        return resolve_name(f"{self.package}.{module}:{name}")

    def rehearse(self, state: StateT, rng: Random) -> Given:
        """Return a plausible next input of the acting seat, for fuzzing and benchmarks."""
        raise NotImplementedError(f"{self.name} has no rehearsal inputs")

    def rehearse_seat(self, state: StateT, rng: Random) -> tuple[str, Given]:
        """Return a seat and a plausible input of it; override it if other seats may act, too."""
        return self.acting_seat(state), self.rehearse(state, rng)


if TYPE_CHECKING:
    # For code that handles all agents, such as the catalog and the host.
    AnyAgent = Agent[Any, Any, Any]
