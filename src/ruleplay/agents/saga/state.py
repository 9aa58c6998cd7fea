"""What a saga remembers between turns, the events that alone change it, and a turn's fields."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any, Literal, Self, cast

from pydantic import BaseModel, Field, create_model

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
from ruleplay.records.events import Event
from ruleplay.records.given import Message
from ruleplay.story.acts import Reading
from ruleplay.story.beats import Line
from ruleplay.story.style import Style
from ruleplay.story.texts import Frozen, Lang

NARRATIVE = "narrative"
"""The channel of the story's history; a fight's is `combat:<id>`."""
SOURCE_LIMIT = 60_000


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
"""How a turn is concluded in which a fight began: its lines stand in both histories."""


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


def _as_event(kind: type[Happening]) -> type[Event]:
    """Return a happening's class as an event: the same fields, and an audience."""
    bases: Any = (kind, Event)
    made = create_model(kind.__name__, __base__=bases, __module__=__name__, __doc__=kind.__doc__)
    return cast("type[Event]", made)


HAPPENINGS: tuple[type[Happening], ...] = tuple(
    kind
    for kind in vars(happenings).values()
    if isinstance(kind, type) and issubclass(kind, Happening) and kind is not Happening
)
_EVENT_OF = {kind: _as_event(kind) for kind in HAPPENINGS}
EVENTS: tuple[type[Event], ...] = (*_EVENT_OF.values(), TurnConcluded)


def event_of(happening: Happening) -> Event:
    """Return something that happened as an event."""
    kind = _EVENT_OF[type(happening)]
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
        """Return the state after `event`."""
        if isinstance(event, happenings.TakenBack):
            return self.model_copy(update={"game": self.was, "was": None, "base": None})
        if isinstance(event, Happening):
            # How the story begins is never taken back, what the same message does then is.
            base = self.base if self.base and self.base.visited else self.game
            return self.model_copy(update={"game": self.game.apply(event), "base": base})
        if isinstance(event, TurnConcluded):
            return self._told(event)
        raise TypeError(f"a saga has no event {type(event).__name__!r}")

    def _told(self, event: TurnConcluded) -> Self:
        lines = {"story_lines": self.story_lines + 2}
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
        """Return how many lines a channel's history has: none is looked for that is not there."""
        if channel == NARRATIVE:
            return self.story_lines
        return self.fight_lines if channel == self.channel or self.began else 0


def channel_of(game: Game) -> str:
    """Return the channel whose history the next turn belongs to."""
    return f"combat:{game.fight.combat_id}" if game.fight else NARRATIVE


class History(BaseModel):
    """What the dispatcher loaded: the newest lines of the active channel alone."""

    kind: Literal["narrative", "combat"]
    channel: str
    lines: tuple[Message, ...] = ()


@dataclass(kw_only=True)
class Draft(FoundationDraft[State]):
    """The draft of a turn: the history of the active mode, and what the input means.

    `confirmed`: the player has said yes to what was asked. `rest`: their words for the place that
    they have gone to, and `legs` how often such words were heard.
    `unheard`: their words for what was understood but cannot be done as it was read.
    """

    history: History | None = None
    reading: Reading | None = None
    confirmed: bool = False
    rest: tuple[str, ...] = ()
    legs: int = 0
    unheard: tuple[str, ...] = ()


class Update(FoundationUpdate, total=False):
    """What the nodes may change."""

    history: History
    reading: Reading
    confirmed: bool
    rest: tuple[str, ...]
    legs: int
    unheard: tuple[str, ...]
