"""The shape every agent has, and the draft its graph works on."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
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


class State(BaseModel, frozen=True):
    """What an agent knows between turns: frozen, bounded, changed by events alone.

    `version` counts up when fields change; a state stored by an older release is then folded anew
    from its events. `rules` is the session's, not the state's: hosts fill it in, it is not stored.
    """

    version: ClassVar[int] = 1
    rules: str = Field(default="", exclude=True)

    def apply(self, event: Event) -> Self:
        """Return the state after `event`; pure, and total over the agent's events."""
        raise NotImplementedError


ConfigT = TypeVar("ConfigT", bound=Config)
StateT = TypeVar("StateT", bound=State)
World = TypeVar("World")


@dataclass(kw_only=True)
class Draft(Generic[StateT]):
    """A turn in the making: the graph's state. Agents add working fields that end with the turn.

    `reply` is what every seat hears; `asides` are the parts that only some seats hear besides it.
    `spans` say who stands behind each piece of the reply; joined they are the reply, or there are
    none.
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
        """The state as the events of this turn have made it so far."""
        return reduce(lambda state, event: state.apply(event), self.events, self.before)


class Update(TypedDict, total=False):
    """What a node may change; agents add the keys of their working fields."""

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
    """One agent: its words, its rules' entry points and its graph.

    `World` is what it reaches outside (a catalog, a game server), opened once per process.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    seats: ClassVar[tuple[str, ...]] = ("user",)
    public_seat: ClassVar[str] = ""
    """Where seats are guarded: the one from which strangers look, and which never acts. Empty where
    whoever reaches the server may take every seat."""
    edition: ClassVar[int] = 1
    """Counts up when the same input and the same replies of models no longer give the same turn:
    when reading, rules, their data or telling change. Turns of an earlier edition are replayed from
    their events; see `ruleplay.kernel.replay`."""
    rules: ClassVar[RuleData | None] = None
    """The rules' data that ships with it; sessions are played with what they began with."""
    rehearsal: ClassVar[int] = 25
    """Turns of one session in a fuzz run before the next begins; short ones reach more openings."""
    log: ClassVar[tuple[str, str]] = ("", "")
    """The channel in which everything that was told stands with who told it, and the seat that may
    read it; empty where there is none."""
    events: ClassVar[tuple[type[Event], ...]]
    upcasters: ClassVar[Mapping[tuple[str, int], Upcaster]] = {}
    uploads: ClassVar[Mapping[str, int]] = {}
    """Paths of routes that take a file as their whole body, and how many bytes it may have."""
    config_type: type[ConfigT]
    state_type: type[StateT]
    draft_type: type[Draft[StateT]]

    @cached_property
    def codec(self) -> Codec:
        """How this agent's events are stored."""
        return Codec(self.events, self.upcasters)

    @abstractmethod
    def new(self, config: ConfigT, rng: Random) -> StateT:
        """Return the state a session starts with; draws only from `rng`."""

    @abstractmethod
    def build_graph(self, config: ConfigT) -> Graph:
        """Compile the turn's graph; called once per process and `graph_key`."""

    @abstractmethod
    def view(self, state: StateT, seat: str) -> Json:
        """Return what a seat may see of the state, as JSON; the only thing user interfaces read."""

    def title_of(self, state: StateT) -> str:
        """Return the title of a session that was given none."""
        return self.title

    def seat_title(self, state: StateT, seat: str) -> str:
        """Return who sits on a seat, as readers of an export know them."""
        return seat

    @abstractmethod
    def open_world(self, settings: Settings) -> World:
        """Open what the agent reaches outside; called once per process, in a thread."""

    def demo(self) -> ConfigT:
        """Return the configuration of a session that works on a fresh machine."""
        return self.config_type()

    def graph_key(self, config: ConfigT) -> str:
        """Name the graph a configuration needs; sessions with equal keys share one graph."""
        return ""

    def admit(self, state: StateT, seat: str, given: Given) -> None:
        """Refuse an input before the turn starts (UserError, Conflict); nothing changes then."""
        seats = self.seats_of(state)
        if seat not in seats:
            raise Conflict(f"no seat {seat!r} here; the seats are {', '.join(seats)}")
        if not given.message.strip():
            raise UserError("the message is empty; write what you want to say")

    def seats_of(self, state: StateT) -> tuple[str, ...]:
        """Return the seats of a session, in order; most agents have the same in all."""
        return self.seats

    def reading_seat(self, state: StateT) -> str:
        """Return the seat from which a session is looked at when none is named."""
        return self.public_seat or self.seats_of(state)[0]

    def acting_seat(self, state: StateT) -> str:
        """Return the seat that plays a turn when none is named: whose move it is, or the first."""
        move = self.next_move(state)
        return move.seat if move else self.seats_of(state)[0]

    def next_move(self, state: StateT) -> Move | None:
        """Return the move that the rules expect next; None when nothing goes on by itself."""
        return None

    @property
    def names_moves(self) -> bool:
        """Whether the rules of this agent's games ever name the next move."""
        return type(self).next_move is not Agent.next_move

    def audience(self, state: StateT, seat: str, given: Given) -> tuple[str, ...]:
        """Return the seats that may read an input; asked before the turn begins."""
        return (EVERYONE,)

    def seat_guard(self, state: StateT, seat: str) -> str:
        """Return the SHA-256 (hexadecimal) of the token of who sits there; empty when nobody does.

        Asked only where there is a `public_seat`; nobody but the holder may then look or act.
        """
        return ""

    def sit(self, state: StateT, seat: str, guard: str, name: str) -> Given:
        """Return the input that seats a person called `name`, who shows the token of `guard`.

        Raises UserError or Conflict; the turn itself may still refuse it.
        """
        raise Conflict(f"the seats of {self.name} are free to use; nobody sits down or leaves")

    def leave(self, state: StateT, seat: str) -> Given:
        """Return the input by which the person on a seat leaves it; raises as `sit` does."""
        raise Conflict(f"the seats of {self.name} are free to use; nobody sits down or leaves")

    def messages(self, draft: Draft[StateT]) -> tuple[Message, ...]:
        """Return what this turn adds to the channels' histories."""
        said = Message(role="user", text=draft.given.message)
        return (said, Message(role="assistant", text=draft.reply))

    def undo_problem(self, state: StateT) -> str:
        """Say why the last turn may not be undone; empty when it may."""
        return ""

    def may_be_taken_back(self, given: Given, events: Sequence[Event]) -> bool:
        """Whether a turn is a move that its seat would take back; sitting down is none."""
        return True

    def takes_back(self, events: Sequence[Event]) -> bool:
        """Whether a turn of these events takes its seat's last one back, and what has followed."""
        return False

    def problems(self, before: StateT, events: list[Event], after: StateT) -> tuple[str, ...]:
        """List the rules that a turn broke; `fuzz` and tests call it after every turn."""
        return ()

    def problems_told(
        self, before: StateT, given: Given, events: list[Event], reply: str, after: StateT
    ) -> tuple[str, ...]:
        """List what `problems` does, and what only shows beside the input and the reply."""
        return self.problems(before, events, after)

    def differences(self, one: StateT, other: StateT, seat: str) -> tuple[Difference, ...]:
        """Return what differs between two branches of a session, as a seat may know it."""
        return ()

    def tools(self) -> Toolbox:
        """Return what other programs' models may use of this agent besides its turns."""
        from ruleplay.kernel.toolbox import Toolbox

        return Toolbox()

    @property
    def package(self) -> str:
        """The package that `agent.py` stands in; empty for an agent that is one module."""
        package, _, module = type(self).__module__.rpartition(".")
        return package if module == "agent" else ""

    def commands(self) -> Typer | None:
        """Return the commands below `ruleplay NAME`: `app` in `commands/app.py`, where it is."""
        found: Typer | None = self._brought("commands.app", "app")
        return found

    def routes(self) -> APIRouter | None:
        """Return what the server answers for this agent: `routes` in `routes/router.py`.

        The router's lifespan opens after the host and closes before it.
        """
        found: APIRouter | None = self._brought("routes.router", "routes")
        return found

    def sharing(self) -> Sharing[Any] | None:
        """Return what a link may show besides sessions: `SHARING` in `tools/sharing.py`."""
        found: Sharing[Any] | None = self._brought("tools.sharing", "SHARING")
        return found

    def jobs(self) -> tuple[JobOffer, ...]:
        """Return the kinds of long work that workers can do for this agent."""
        return ()

    def benchmarks(self) -> tuple[Benchmark, ...]:
        """Return what `ruleplay bench` can measure of this agent."""
        return ()

    def findings(self, home: Path) -> Iterable[Finding]:
        """Look at what the agent needs beyond its packages, for `ruleplay doctor`."""
        return ()

    @property
    def page(self) -> Path | None:
        """The folder of its ES modules: `NAME.js`, and what that imports from `NAME/`."""
        if not self.package:
            return None
        folder = Path(str(resolve_name(self.package).__file__)).parent / "page"
        return folder if (folder / f"{self.name}.js").is_file() else None

    def _brought(self, module: str, name: str) -> Any:
        """Return what the floor plan has a place for, or None where the place is empty."""
        outer = f"{self.package}.{module.partition('.')[0]}"
        if not self.package or not find_spec(outer) or not find_spec(f"{self.package}.{module}"):
            return None
        return resolve_name(f"{self.package}.{module}:{name}")

    def rehearse(self, state: StateT, rng: Random) -> Given:
        """Return a plausible next input of the seat that is to move, for fuzz and benchmarks."""
        raise NotImplementedError(f"{self.name} has no rehearsal inputs")

    def rehearse_seat(self, state: StateT, rng: Random) -> tuple[str, Given]:
        """Return a seat and a plausible input of it, where others than who is to move may act."""
        return self.acting_seat(state), self.rehearse(state, rng)


if TYPE_CHECKING:
    # Where agents of all kinds meet (the catalog, the host), their types are not told apart.
    AnyAgent = Agent[Any, Any, Any]
