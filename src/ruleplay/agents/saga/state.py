"""Saga's state, the events that change it, and the draft that nodes work on.

Domain happenings know nothing of Ruleplay's records; `event_of` gives each class an event class of
the same name and fields.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Literal, Self

from pydantic import BaseModel, Field

from ruleplay.agents.saga.domain import happenings
from ruleplay.agents.saga.domain.creation import DEFAULT
from ruleplay.agents.saga.domain.fight import Fight, Outcome
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.happenings import Happening
from ruleplay.agents.saga.domain.intents import Intent, Plan
from ruleplay.agents.saga.domain.rulebook import Stat
from ruleplay.kernel.agent import Config as FoundationConfig
from ruleplay.kernel.agent import Draft as FoundationDraft
from ruleplay.kernel.agent import State as FoundationState
from ruleplay.kernel.agent import Update as FoundationUpdate
from ruleplay.records.events import Event, event_class
from ruleplay.records.given import Message
from ruleplay.story.acts import Act, Reading
from ruleplay.story.beats import Line
from ruleplay.story.style import Style
from ruleplay.story.texts import Frozen, Lang

NARRATIVE = "narrative"
"""Channel of the story's history; that of a fight is `combat:<id>`."""
SOURCE_LIMIT = 60_000
"""Most characters of a user's own scenario, which is stored in the session's configuration."""


class Config(FoundationConfig):
    """Which story, which hero, which language; `source` is the text of a scenario of one's own."""

    scenario: str = Field(default="greenway-lamp", max_length=64)
    name: str = Field(default="Halla", max_length=64)
    race: str = Field(default="human", max_length=64)
    culture: str = Field(default="bree", max_length=64)
    stats: dict[Stat, int] = Field(default_factory=lambda: dict(DEFAULT))
    skills: dict[str, int] = Field(default_factory=dict)
    lang: Lang = "en"
    source: str = Field(default="", max_length=SOURCE_LIMIT)
    style: Style = Style()


class Heard(Reading):
    """What the parser makes of an input: intents that the written rules know, besides acts.

    Beside a question there are only acts that ask as well.
    """

    intents: tuple[Intent, ...] = ()
    question: str = Field(default="", max_length=800)
    choices: tuple[str, ...] = Field(default=(), max_length=4)
    rest: str = ""
    """What was said after going somewhere: it is heard there."""


class Plans(Frozen):
    """What everybody but the hero wants to do in a fight."""

    plans: tuple[Plan, ...] = Field(default=(), max_length=10)


class NarrativeResponsePayload(Frozen):
    """The story goes on."""

    narration: str
    hints: tuple[str, ...] = ()


class NarrativeTriggerCombatPayload(Frozen):
    """The story turns into a fight; the seed is made by code."""

    narration: str
    combat_seed: Fight


class CombatTurnContinuePayload(Frozen):
    """The fight goes on; the snapshot is in the state, never here."""

    narration: str


class Rewards(Frozen):
    """What a fight brought, as code worked it out."""

    xp_gained: int = 0
    gold_gained: int = 0
    loot: tuple[str, ...] = ()
    summary: str = ""


class CombatTurnEndPayload(Frozen):
    """The fight is over."""

    narration: str
    outcome: Outcome
    rewards: Rewards


Payload = (
    NarrativeResponsePayload
    | NarrativeTriggerCombatPayload
    | CombatTurnContinuePayload
    | CombatTurnEndPayload
)
PayloadName = Literal[
    "NarrativeResponsePayload",
    "NarrativeTriggerCombatPayload",
    "CombatTurnContinuePayload",
    "CombatTurnEndPayload",
]


BEGAN: PayloadName = "NarrativeTriggerCombatPayload"
"""Payload of a turn in which a fight began; such a turn's lines stand in both histories."""


class TurnConcluded(Event):
    """A turn was told: as what, in which channel, with which suggestions for the next one."""

    payload: PayloadName
    channel: str
    hints: tuple[str, ...] = ()
    lines: tuple[Line, ...] = Field(default=(), exclude_if=operator.not_)
    rolled: tuple[str, ...] = Field(default=(), exclude_if=operator.not_)
    began: bool = Field(default=False, exclude_if=operator.not_)
    """Whether its lines stand in the history of the fight as well that began in it."""
    played: bool = Field(default=False, exclude_if=operator.not_)
    """Whether the player did something in it, said something at least: words take that back."""


HAPPENINGS: tuple[type[Happening], ...] = tuple(
    kind
    for kind in vars(happenings).values()
    if isinstance(kind, type) and issubclass(kind, Happening) and kind is not Happening
)
_EVENT_OF = {kind: event_class(kind, __name__) for kind in HAPPENINGS}
EVENTS: tuple[type[Event], ...] = (*_EVENT_OF.values(), TurnConcluded)


def event_of(happening: Happening) -> Event:
    """Convert a happening to its event."""
    kind = _EVENT_OF[type(happening)]
    # The happening has been validated already, so its fields are taken over as they are.
    return kind.model_construct(**dict(happening))


class State(FoundationState):
    """A saga: the game, which book it is played with, and how the last turn was told.

    `was` is the game before the last turn in which something was done, `base` the one at the start
    of the turn that is being played: both are there for taking a turn back in words.
    `rolled` are the lines of that last turn that have dice, with these.
    """

    game: Game
    was: Game | None = Field(default=None, exclude_if=operator.not_)
    base: Game | None = Field(default=None, exclude_if=operator.not_)
    scenario: str
    source: str = ""
    style: Style | None = Field(default=None, exclude_if=operator.not_)
    payload: PayloadName = "NarrativeResponsePayload"
    channel: str = NARRATIVE
    hints: tuple[str, ...] = ()
    rolled: tuple[str, ...] = Field(default=(), exclude_if=operator.not_)
    began: bool = Field(default=False, exclude_if=operator.not_)
    """Whether a fight began in the last turn, so that its history has that turn's lines."""
    turns: int = 0
    story_lines: int = 0
    fight_lines: int = 0

    def apply(self, event: Event) -> Self:
        """Return the state after an event (TypeError for an unknown one)."""
        if isinstance(event, happenings.TakenBack):
            return self.model_copy(update={"game": self.was, "was": None, "base": None})
        if isinstance(event, Happening):
            # Undoing the first turn keeps the story's beginning: the base is the first game that
            # has visited a place.
            base = self.base if self.base and self.base.visited else self.game
            return self.model_copy(update={"game": self.game.apply(event), "base": base})
        if isinstance(event, TurnConcluded):
            return self._told(event)
        raise TypeError(f"a saga has no event {type(event).__name__!r}")

    def _told(self, event: TurnConcluded) -> Self:
        lines = {"story_lines": self.story_lines + 2}  # the player's message and the reply
        if event.channel != NARRATIVE:
            lines = {"fight_lines": self.lines_in(event.channel) + 2}
        elif event.began:
            lines |= {"fight_lines": 2}
        told: dict[str, object] = {"payload": event.payload, "channel": event.channel}
        told |= {"hints": event.hints, "began": event.began}
        was = {"was": self.base if event.played else self.was, "base": None}
        told["rolled"] = event.rolled if event.played else self.rolled
        return self.model_copy(update={**told, **lines, **was, "turns": self.turns + 1})

    def lines_in(self, channel: str) -> int:
        """Return the length of a channel's history, so that an empty one need not be queried."""
        if channel == NARRATIVE:
            return self.story_lines
        return self.fight_lines if channel == self.channel or self.began else 0


def channel_of(game: Game) -> str:
    """Return the channel that the next turn's lines go to."""
    return f"combat:{game.fight.combat_id}" if game.fight else NARRATIVE


class History(BaseModel):
    """What the dispatcher loaded: the newest lines of the active channel alone."""

    kind: Literal["narrative", "combat"]
    channel: str
    lines: tuple[Message, ...] = ()


@dataclass(kw_only=True)
class Draft(FoundationDraft[State]):
    """The draft of a turn: the history of the active mode, and what the input means.

    `confirmed` says that the player answered a question with yes. `rest` are words that are still
    to be read at the place the hero has reached, and `legs` counts these readings. `unheard` are
    words whose acts named something that is not here, `later` the acts from a way on that is not
    open yet: what comes before it may open it.

    `hanging` is what hangs on an answer, and is read once more when that has been told; then the
    turn is `answered`. `at` events have been told by then, with these `lines` and `rolled` dice;
    `closing` is still to be said at the reply's end.
    """

    history: History | None = None
    reading: Reading | None = None
    confirmed: bool = False
    rest: tuple[str, ...] = ()
    legs: int = 0
    unheard: tuple[str, ...] = ()
    later: tuple[Act, ...] = ()
    hanging: tuple[Act, ...] = ()
    answered: bool = False
    at: int = 0
    closing: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()
    rolled: tuple[str, ...] = ()


class Update(FoundationUpdate, total=False):
    """What the nodes may change."""

    history: History
    reading: Reading
    confirmed: bool
    rest: tuple[str, ...]
    legs: int
    unheard: tuple[str, ...]
    later: tuple[Act, ...]
    hanging: tuple[Act, ...]
    answered: bool
    at: int
    closing: tuple[str, ...]
    lines: tuple[Line, ...]
    rolled: tuple[str, ...]
