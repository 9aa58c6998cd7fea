"""What the battle agent knows between turns, and the events that alone change it."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from typing import Annotated, Literal, Self

from pydantic import Field, PlainSerializer

from ruleplay.agents.battle.domain.frozen import Frozen
from ruleplay.agents.battle.domain.meaning import Heard
from ruleplay.agents.battle.domain.memory import LOG_KEPT, Memory
from ruleplay.agents.battle.domain.orders import Order
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.results import (
    Decision,
    Expected,
    Inference,
    Matchup,
    Matchups,
    MoveOptions,
    Scored,
    SearchVerdict,
    SwitchOptions,
    TeamAnalysis,
    TeraAnalysis,
)
from ruleplay.agents.battle.domain.wishes import Narrowed, Wish, with_wish
from ruleplay.kernel.agent import Draft as FoundationDraft
from ruleplay.kernel.agent import State as FoundationState
from ruleplay.kernel.agent import Update as FoundationUpdate
from ruleplay.records.events import Event, Json

PAIRS_KEPT = 72
SCORES_KEPT = 24
WISHES_KEPT = 12
CURVE_KEPT = 200
"""Points of the curve of our chances that the state keeps; all of them stand in the events."""


def lean(position: Position) -> Json:
    """Return a position as JSON without what is as usual, which is most of it."""
    told = position.model_dump(mode="json", exclude_defaults=True)
    return told | {"legal": [order.model_dump(mode="json") for order in position.legal]}


Lean = Annotated[Position, PlainSerializer(lean)]
Source = Literal["model", "policy"]
Chooser = Literal["model", "policy", "person"]
Result = Literal["win", "loss", "tie"]


class Lap(Frozen):
    """How long a station of the turn took."""

    node: str
    ms: float


class BattleBegan(Event):
    """We sat down at a battle."""

    battle: str
    format: str
    us: str
    opponent: str


class TeamAnalysed(Event):
    """What our team can and cannot do, as it was built."""

    analysis: TeamAnalysis


class StrategyMade(Event):
    """The plan for the battle; `text` is what prompts quote."""

    text: str
    source: Source


class Past(Frozen):
    """The choice at the question before, by whom, and what the search gave each order.

    `expected` is what they were expected to do.
    """

    turn: int
    chosen: Order
    source: Chooser
    verdict: SearchVerdict | None = None
    # Choices that were stored before have no expectation, nor do their fingerprints.
    expected: Expected | None = Field(default=None, exclude_if=operator.not_)


class PositionRead(Event):
    """The server asked: this is what was known then, and `past` what had been chosen before."""

    position: Lean
    past: Past | None = Field(default=None, exclude_if=operator.not_)


class SetsInferred(Event):
    """What the opposing Pokémon may carry, likeliest first."""

    inference: Inference


class MatchupsComputed(Event):
    """Pairs whose outcome was computed anew, and those that can no longer meet."""

    pairs: tuple[Matchup, ...]
    gone: tuple[tuple[str, str], ...] = ()
    summary: str = ""


class DecisionTrace(Event):
    """Why a decision was taken: options with scores, prediction, the search, the model, times.

    `best` is the policy's choice, `wanted` the model's (None when it brought none that is legal),
    `refused` why other wishes of the model were not granted.
    """

    request_id: int
    turn: int
    expected: Expected
    predicted_by: Source
    moves: MoveOptions
    switches: SwitchOptions
    tera: TeraAnalysis
    verdict: SearchVerdict | None
    scores: tuple[Scored, ...] = Field(max_length=SCORES_KEPT)
    best: Order
    wanted: Order | None
    chosen: Order
    source: Chooser
    refused: tuple[str, ...] = ()
    laps: tuple[Lap, ...] = ()


class OrderChosen(Event):
    """What is sent, in words and as the server reads it.

    `followed` are a person's wishes that it honours, `unmet` those that could not be. One that is
    `held` waits for that person's word: it is sent by `OrderSent`, and may change until then.
    """

    request_id: int
    order: Order
    wire: str
    source: Chooser
    value: float | None = None
    # Orders that were stored before there were any wishes hold none, nor do their fingerprints.
    followed: tuple[Wish, ...] = Field(default=(), exclude_if=operator.not_)
    unmet: tuple[Wish, ...] = Field(default=(), exclude_if=operator.not_)
    held: bool = Field(default=False, exclude_if=operator.not_)


class OrderChanged(Event):
    """A person's word changed an order that had not been sent."""

    chosen: OrderChosen


class OrderSent(Event):
    """The order that was held goes to the server."""

    request_id: int
    wire: str


class WishMade(Event):
    """A person wants something of the battle."""

    wish: Wish


class WishesDropped(Event):
    """Wishes that were taken back, or that can no longer be met."""

    wishes: tuple[Wish, ...]


class WishesOffered(Event):
    """A person's words may mean one of these; they are asked which."""

    wishes: tuple[Wish, ...] = Field(max_length=6)


class Spoken(Event):
    """What a person spoke of, and in which language: what they say next may lean on it."""

    language: str
    topic: str = ""
    ours: str = ""
    theirs: str = ""
    move: str = ""


class Remembered(Event):
    """What the battle has taught us: revealed sets, deductions with their evidence.

    `told` are the log's new lines; the log as a whole is in these events alone, for the state keeps
    the last ones.
    """

    memory: Memory
    told: tuple[str, ...] = ()


class AnalysisUpdated(Event):
    """The course of the battle and what follows from it, in words."""

    text: str
    source: Source


class BattleEnded(Event):
    """The battle is over."""

    result: Result
    turns: int
    timed_out: bool = False


class State(FoundationState):
    """A battle: the last position, what is deduced from it, the last decision, what is remembered.

    `chances` is the curve of our chances: (turn, value of the chosen order) where a search told it.
    """

    battle: str = ""
    format: str = "gen9randombattle"
    us: str = ""
    opponent: str = ""
    search_ms: int = 100
    engine: str = "auto"
    # States that were stored before there were any hold none, and their fingerprints neither.
    workers: int = Field(default=0, exclude_if=operator.not_)
    analysis: TeamAnalysis | None = None
    strategy: str = ""
    position: Lean | None = None
    inference: Inference = Inference()
    pairs: tuple[Matchup, ...] = ()
    memory: Memory = Memory()
    assessment: str = ""
    past: Past | None = Field(default=None, exclude_if=operator.not_)
    trace: DecisionTrace | None = None
    order: OrderChosen | None = None
    decisions: int = 0
    by_model: int = 0
    refusals: int = 0
    chances: tuple[tuple[int, float], ...] = ()
    result: Result | None = None
    timed_out: bool = False
    wishes: tuple[Wish, ...] = Field(default=(), exclude_if=operator.not_)
    offered: tuple[Wish, ...] = Field(default=(), exclude_if=operator.not_)
    spoken: Spoken | None = Field(default=None, exclude_if=operator.not_)
    lang: str = Field(default="en", exclude_if=lambda lang: lang == "en")

    @property
    def language(self) -> str:
        """The language of what is said: a person's as they spoke last, else the session's own."""
        return self.spoken.language if self.spoken else self.lang

    def apply(self, event: Event) -> Self:  # noqa: C901  # one case an event
        """Return the state after one event."""
        match event:
            case BattleBegan():
                return self.but(**event.model_dump(include={"battle", "format", "us", "opponent"}))
            case TeamAnalysed(analysis=analysis):
                return self.but(analysis=analysis)
            case StrategyMade(text=text):
                return self.but(strategy=text)
            case PositionRead(position=position, past=past):
                return self.but(position=position, past=past, trace=None, order=None)
            case SetsInferred(inference=inference):
                return self.but(inference=inference)
            case MatchupsComputed(pairs=pairs, gone=gone):
                return self.but(pairs=merged(self.pairs, pairs, gone))
            case DecisionTrace(refused=refused):
                return self.but(trace=event, refusals=self.refusals + len(refused))
            case OrderChosen(source=source, value=value):
                left = tuple(wish for wish in self.standing if not _spent(wish, event))
                chosen = self.but(order=event, decisions=self.decisions + 1, wishes=left)
                chosen = chosen.but(by_model=self.by_model + (source == "model"))
                return chosen._with_chance(value)
            case OrderChanged(chosen=chosen):
                trace = self.trace and self.trace.model_copy(
                    update={"chosen": chosen.order, "source": chosen.source}
                )
                kept = tuple(w for w in self.wishes if w.stands or w.later)
                kept = tuple(wish for wish in kept if not _spent(wish, chosen))
                return self.but(order=chosen, trace=trace, wishes=kept)
            case OrderSent():
                return self.but(order=self.order and self.order.model_copy(update={"held": False}))
            case WishMade(wish=wish):
                return self.but(wishes=with_wish(self.wishes, wish)[-WISHES_KEPT:], offered=())
            case WishesDropped(wishes=wishes):
                left = tuple(each for each in self.wishes if each not in wishes)
                return self.but(wishes=left, offered=())
            case WishesOffered(wishes=wishes):
                return self.but(offered=wishes)
            case Spoken():
                return self.but(spoken=event)
            case Remembered(memory=memory, told=told):
                log = memory.log or (*self.memory.log, *told)[-LOG_KEPT:]
                return self.but(memory=memory.model_copy(update={"log": log}))
            case AnalysisUpdated(text=text):
                return self.but(assessment=text)
            case BattleEnded(result=result, timed_out=timed_out):
                return self.but(result=result, timed_out=timed_out)
        raise TypeError(f"the battle agent has no event {type(event).__name__!r}")

    def but(self, **changes: object) -> Self:
        """Return this state with some fields changed."""
        return self.model_copy(update=changes)

    def _with_chance(self, value: float | None) -> Self:
        if value is None or self.position is None:
            return self
        point = (self.position.turn, round(value, 4))
        return self.but(chances=(*self.chances, point)[-CURVE_KEPT:])

    @property
    def standing(self) -> tuple[Wish, ...]:
        """The wishes that hold for more than one turn."""
        return tuple(wish for wish in self.wishes if wish.stands)

    def wants(self, do: str) -> bool:
        """Whether the person has wished for something: to have the battle given up, say."""
        return any(wish.do == do for wish in self.wishes)

    @property
    def matchups(self) -> Matchups:
        """The pairs computed so far, as the cache of the next computation."""
        return Matchups(pairs=self.pairs)


def _spent(wish: Wish, order: OrderChosen) -> bool:
    """Tell whether a wish that waited for something has had its turn."""
    return wish.waits and wish.span != "on" and wish in (*order.followed, *order.unmet)


def merged(
    old: tuple[Matchup, ...], new: tuple[Matchup, ...], gone: tuple[tuple[str, str], ...]
) -> tuple[Matchup, ...]:
    """Return pairs with the new ones in place of their older selves, without those that left."""
    kept = {(pair.ours, pair.theirs): pair for pair in old}
    kept |= {(pair.ours, pair.theirs): pair for pair in new}
    left = set(gone)
    return tuple(pair for key, pair in kept.items() if key not in left)[-PAIRS_KEPT:]


EVENTS: tuple[type[Event], ...] = (
    BattleBegan,
    TeamAnalysed,
    StrategyMade,
    PositionRead,
    SetsInferred,
    MatchupsComputed,
    DecisionTrace,
    OrderChosen,
    OrderChanged,
    OrderSent,
    WishMade,
    WishesDropped,
    WishesOffered,
    Spoken,
    Remembered,
    AnalysisUpdated,
    BattleEnded,
)


@dataclass(kw_only=True)
class Draft(FoundationDraft[State]):
    """A turn of the battle agent: what the stations before the decision found out."""

    inference: Inference = field(default_factory=Inference)
    pairs: Matchups = field(default_factory=lambda: Matchups(pairs=()))
    prediction: Expected = field(default_factory=lambda: Expected(predictions=()))
    predicted_by: Source = "policy"
    options: MoveOptions = field(default_factory=MoveOptions)
    switch_options: SwitchOptions = field(default_factory=SwitchOptions)
    tera_analysis: TeraAnalysis = field(
        default_factory=lambda: TeraAnalysis(
            our_tera_available=False, opponent_tera_available=False
        )
    )
    verdict: SearchVerdict | None = None
    decision: Decision | None = None
    best: Order | None = None
    wanted: Order | None = None
    refused: tuple[str, ...] = ()
    laps: Annotated[list[Lap], operator.add] = field(default_factory=list)
    narrowed: Narrowed | None = None
    heard: Heard | None = None
    said: tuple[str, ...] = ()

    @property
    def position(self) -> Position:
        """The position of this turn; only nodes behind `format_state` may ask."""
        if self.now.position is None:
            raise AssertionError("no position was read; the router sees to it")
        return self.now.position


class Update(FoundationUpdate, total=False):
    """What a node may change."""

    inference: Inference
    pairs: Matchups
    prediction: Expected
    predicted_by: Source
    options: MoveOptions
    switch_options: SwitchOptions
    tera_analysis: TeraAnalysis
    verdict: SearchVerdict | None
    decision: Decision
    best: Order
    wanted: Order | None
    refused: tuple[str, ...]
    laps: list[Lap]
    narrowed: Narrowed
    heard: Heard
    said: tuple[str, ...]
