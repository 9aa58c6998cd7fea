"""Party's state, the events that change it, and the draft that nodes work on.

Domain happenings know nothing of Ruleplay's records; `event_of` gives each class an event class of
the same name and fields, and each event the audience that may know of it.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Annotated, Self

from pydantic import Field

from ruleplay.agents.party.domain.commands import passes
from ruleplay.agents.party.domain.happenings import creatures, exploration, table, tale
from ruleplay.agents.party.domain.happenings.creatures import Happening
from ruleplay.agents.party.domain.happenings.exploration import Explored
from ruleplay.agents.party.domain.intended import Intended
from ruleplay.agents.party.domain.performance import Performance
from ruleplay.agents.party.domain.seats import DM, EVERYONE, Audience, private
from ruleplay.agents.party.domain.table import Table
from ruleplay.kernel.agent import Config as FoundationConfig
from ruleplay.kernel.agent import Draft as FoundationDraft
from ruleplay.kernel.agent import State as FoundationState
from ruleplay.kernel.agent import Update as FoundationUpdate
from ruleplay.records.events import Event, event_class
from ruleplay.story.texts import Frozen, Lang

ROUND = 99
"""Most acts of a run that continues until the round is over or a person has to move."""
Sheet = Annotated[str, Field(max_length=20_000)]
Happened = Happening | Explored


class Config(FoundationConfig):
    """Which adventure, which characters, which language.

    `characters` are keys of ready characters or YAML sheets of one's own; `source` is the text of
    an adventure of one's own; `humans` names the seats that people hold from the start.
    """

    adventure: str = Field(default="", max_length=64)
    characters: tuple[Sheet, ...] = Field(default=(), max_length=6)
    level: int | None = Field(default=None, ge=1, le=5)
    lang: Lang = "en"
    humans: tuple[str, ...] = Field(default=(), max_length=7)
    source: str = Field(default="", max_length=60_000)


BASES = (Happening, Explored, tale.Improvised, tale.Private)
"""Base classes of happenings, which are no events themselves."""


def _kinds(*modules: ModuleType) -> Iterable[type[Frozen]]:
    for module in modules:
        for kind in vars(module).values():
            own = isinstance(kind, type) and kind.__module__ == module.__name__
            if own and issubclass(kind, Happening | Explored) and kind not in BASES:
                yield kind


_EVENT_OF = {
    kind: event_class(kind, __name__) for kind in _kinds(creatures, exploration, table, tale)
}
EVENTS: tuple[type[Event], ...] = tuple(_EVENT_OF.values())


def event_of(happening: Happened, alone: str = "") -> Event:
    """Convert a happening to its event, with the audience that may know of it.

    A public happening is private to the seat `alone` if it was done in secret.
    """
    # The happening has been validated already, so its fields are taken over as they are.
    known = ears(happening)
    hidden = bool(alone) and (EVERYONE in known or isinstance(happening, Explored))
    fields = {**dict(happening), "audience": private(alone) if hidden else known}
    return _EVENT_OF[type(happening)].model_construct(**fields)


def ears(happening: Happened) -> Audience:
    """Return the audience of a happening; hashes of seats' tokens are for nobody."""
    match happening:
        case tale.Improvised():
            return happening.ears
        case Explored(audience=audience):
            return audience if EVERYONE in audience else private(*audience)
        case table.Whispered(seat=seat, to=to):
            return private(seat, *to)
        case table.Learned(by=by, to=to):
            return (EVERYONE,) if EVERYONE in to else private(by, *to)
        case table.Refused(seat=seat) | table.Consulted(seat=seat):
            return private(seat)
        case table.SeatKeyed():
            return ()
        case _:
            return (EVERYONE,)


class State(FoundationState):
    """A session of the table: the game, and which adventure it is played with."""

    table: Table
    adventure: str
    source: str = ""
    turns: int = 0

    def apply(self, event: Event) -> Self:
        """Return the state after an event (TypeError for an unknown one)."""
        if not isinstance(event, Happening | Explored):
            raise TypeError(f"a table has no event {type(event).__name__!r}")
        return self.model_copy(update={"table": self.table.apply(event)})

    @property
    def current_turn(self) -> str:
        """The seat whose move it is."""
        return self.table.current_turn

    @property
    def turn_queue(self) -> tuple[str, ...]:
        """The seats in order, the DM's first."""
        return self.table.turn_queue

    @property
    def human_active(self) -> bool:
        """Whether a human holds a seat."""
        return self.table.human_active

    @property
    def controlled_character(self) -> str | None:
        """The seat that a human plays, if there is one."""
        return self.table.controlled_character


@dataclass(kw_only=True)
class Draft(FoundationDraft[State]):
    """The draft of a turn, which may have several acts.

    `acts` is how many it may have, `acted` are the seats that have acted. `intended` is what
    everybody answered at the beginning, `again` lists those who were asked a second time because
    their pick was no longer possible. `waits` is what a person wants and hangs on what is told
    first, `told` how many events were told before it went on. `ground_truth_log` is the DM's log of
    everything said, as `[DM]: …`, `[Thor]: …`.
    """

    acts: int = 0
    waits: Performance | None = None
    told: int = 0
    acted: Annotated[list[str], operator.add] = field(default_factory=list)
    again: Annotated[list[str], operator.add] = field(default_factory=list)
    intended: Intended | None = None
    ground_truth_log: Annotated[list[str], operator.add] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.acts:
            self.acts = ROUND if self.plays_on else 1

    @property
    def asked(self) -> Intended:
        """What everybody intends to do; empty if nobody was asked."""
        return self.intended or Intended()

    @property
    def spent(self) -> bool:
        """Whether the run is over: it has had its acts, the round is complete, or things changed.

        Once a fight begins or ends, everybody's answers are out of date.
        """
        table, before = self.now.table, self.before.table
        again = table.current_turn in self.acted and table.current_turn != DM
        around = again or table.round > before.round
        changed = table.mode != before.mode or table.paused is not None
        return len(self.acted) >= self.acts or around or changed

    @property
    def plays_on(self) -> bool:
        """Whether the input is a round; of persons who only look on, passing is one too."""
        action, table, seat = self.given.action, self.before.table, self.seat
        if action is None:
            return seat in table.onlookers and passes(self.given.message, table, seat)
        return action.get("do") in (("round", "pass") if seat in table.onlookers else ("round",))

    @property
    def by_hand(self) -> bool:
        """Whether the input is a person's; otherwise the acting seat plays by itself.

        After the words of somebody who lies dying the others play a round.
        """
        return not self.plays_on and (self.given.action or {}).get("do") != "play"


class Update(FoundationUpdate, total=False):
    """What the nodes may change."""

    acted: list[str]
    acts: int
    waits: Performance | None
    told: int
    again: list[str]
    intended: Intended
    ground_truth_log: list[str]
