"""The battle agent's state, and the events that change it."""

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
"""Pairs that the state keeps; two teams of six make 36."""
SCORES_KEPT = 24
"""Scores in a trace."""
WISHES_KEPT = 12
"""Wishes that can be active at the same time; older ones are dropped."""
CURVE_KEPT = 200
"""Points of our chances' curve in the state; all of them are in the events."""


def lean(position: Position) -> Json:
    """Serialise a position without default values, which are most of it."""
    told = position.model_dump(mode="json", exclude_defaults=True)
    return told | {"legal": [order.model_dump(mode="json") for order in position.legal]}


Lean = Annotated[Position, PlainSerializer(lean)]
Source = Literal["model", "policy"]
Chooser = Literal["model", "policy", "person"]
Result = Literal["win", "loss", "tie"]


class Lap(Frozen):
    """The time a node took."""

    node: str
    ms: float


class BattleBegan(Event):
    """A battle began."""

    battle: str
    format: str
    us: str
    opponent: str


class TeamAnalysed(Event):
    """Our team was analysed at the first request."""

    analysis: TeamAnalysis


class StrategyMade(Event):
    """The plan for the battle was made; `text` is what prompts quote."""

    text: str
    source: Source


class Past(Frozen):
    """The previous decision: what was chosen, by whom, the search's values, what we expected.

    `moves` are what ours could do then, `faced` the idents and health of the two on the field.
    """

    turn: int
    chosen: Order
    source: Chooser
    verdict: SearchVerdict | None = None
    # Choices that were stored before have no expectation, nor do their fingerprints.
    expected: Expected | None = Field(default=None, exclude_if=operator.not_)
    moves: MoveOptions | None = Field(default=None, exclude_if=operator.not_)
    faced: tuple[tuple[str, float], ...] = Field(default=(), exclude_if=operator.not_)


class PositionRead(Event):
    """The server requested a choice in this position; `past` is the decision before it."""

    position: Lean
    past: Past | None = Field(default=None, exclude_if=operator.not_)


class SetsInferred(Event):
    """The sets that opposing Pokémon may have were guessed, the likeliest first."""

    inference: Inference


class MatchupsComputed(Event):
    """Outdated pairs were recomputed; `gone` are those that can no longer meet."""

    pairs: tuple[Matchup, ...]
    gone: tuple[tuple[str, str], ...] = ()
    summary: str = ""


class DecisionTrace(Event):
    """The reasons for a decision: options and scores, prediction, search, model, times.

    `best` is the policy's choice, `wanted` the model's (None if it proposed nothing legal), and
    `refused` says why other proposals of the model were rejected.
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
    """The order to send, and its message to the server.

    `followed` are the person's wishes that it fulfils, `unmet` those that could not be. A `held`
    order waits for the person, may change until then, and is sent by `OrderSent`.
    """

    request_id: int
    order: Order
    wire: str
    source: Chooser
    value: float | None = None
    # Left out of the JSON if empty, so that older orders keep their fingerprints.
    followed: tuple[Wish, ...] = Field(default=(), exclude_if=operator.not_)
    unmet: tuple[Wish, ...] = Field(default=(), exclude_if=operator.not_)
    held: bool = Field(default=False, exclude_if=operator.not_)


class OrderChanged(Event):
    """A person changed the held order."""

    chosen: OrderChosen


class OrderSent(Event):
    """The held order was sent to the server."""

    request_id: int
    wire: str


class WishMade(Event):
    """A person made a wish."""

    wish: Wish


class WishesDropped(Event):
    """Wishes were taken back, or have ended."""

    wishes: tuple[Wish, ...]


class WishesOffered(Event):
    """A person's words may mean any of these wishes, so they were asked which."""

    wishes: tuple[Wish, ...] = Field(max_length=6)


class Spoken(Event):
    """What a person's message was about and its language, to which the next message may refer."""

    language: str
    topic: str = ""
    ours: str = ""
    theirs: str = ""
    move: str = ""
    turn: int = Field(default=0, exclude_if=operator.not_)


class Remembered(Event):
    """The memory was updated: revealed sets, deductions and their evidence.

    `told` are new lines of the log. Only these events have the whole log; the state keeps its end.
    """

    memory: Memory
    told: tuple[str, ...] = ()


class AnalysisUpdated(Event):
    """The battle was assessed in words."""

    text: str
    source: Source


class BattleEnded(Event):
    """The battle is over; `position` is the last one with what happened after it, if known."""

    result: Result
    turns: int
    timed_out: bool = False
    position: Lean | None = Field(default=None, exclude_if=operator.not_)


class State(FoundationState):
    """A battle: the last position, what was deduced, the last decision, and the memory.

    `chances` is the curve of our chances, as (turn, value of the chosen order) for searched
    decisions.
    """

    battle: str = ""
    format: str = "gen9randombattle"
    us: str = ""
    opponent: str = ""
    search_ms: int = 100
    engine: str = "auto"
    # A default is left out of the JSON, so that older states keep their fingerprints.
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
        """The language of replies: that of the person's last message, else the session's."""
        return self.spoken.language if self.spoken else self.lang

    def apply(self, event: Event) -> Self:  # noqa: C901  # one case an event
        """Apply one event."""
        match event:
            case BattleBegan():
                return self.but(**event.model_dump(include={"battle", "format", "us", "opponent"}))
            case TeamAnalysed(analysis=analysis):
                return self.but(analysis=analysis)
            case StrategyMade(text=text):
                return self.but(strategy=text)
            case PositionRead(position=position, past=past):
                # The old decision does not belong to the new position.
                return self.but(position=position, past=past, trace=None, order=None)
            case SetsInferred(inference=inference):
                return self.but(inference=inference)
            case MatchupsComputed(pairs=pairs, gone=gone):
                return self.but(pairs=merged(self.pairs, pairs, gone))
            case DecisionTrace(refused=refused):
                return self.but(trace=event, refusals=self.refusals + len(refused))
            case OrderChosen(source=source, value=value):
                # Orders for one turn end with its decision, waiting ones after they had their turn.
                left = tuple(wish for wish in self.standing if not _spent(wish, event))
                chosen = self.but(order=event, decisions=self.decisions + 1, wishes=left)
                chosen = chosen.but(by_model=self.by_model + (source == "model"))
                return chosen._with_chance(value)
            case OrderChanged(chosen=chosen):
                # The trace keeps the original scores but has to name the order that will be sent.
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
                # Events of earlier releases contain the whole log.
                log = memory.log or (*self.memory.log, *told)[-LOG_KEPT:]
                return self.but(memory=memory.model_copy(update={"log": log}))
            case AnalysisUpdated(text=text):
                return self.but(assessment=text)
            case BattleEnded(result=result, timed_out=timed_out, position=position):
                ended = self.but(result=result, timed_out=timed_out)
                return ended.but(position=position) if position else ended
        raise TypeError(f"the battle agent has no event {type(event).__name__!r}")

    def but(self, **changes: object) -> Self:
        """Copy this state with some fields changed."""
        return self.model_copy(update=changes)

    def _with_chance(self, value: float | None) -> Self:
        if value is None or self.position is None:
            return self
        point = (self.position.turn, round(value, 4))
        return self.but(chances=(*self.chances, point)[-CURVE_KEPT:])

    @property
    def standing(self) -> tuple[Wish, ...]:
        """The wishes that apply for more than one turn."""
        return tuple(wish for wish in self.wishes if wish.stands)

    def wants(self, do: str) -> bool:
        """Whether the person has a wish of this kind, such as giving up the battle."""
        return any(wish.do == do for wish in self.wishes)

    @property
    def matchups(self) -> Matchups:
        """The pairs computed so far, from which the next computation reuses what is still valid."""
        return Matchups(pairs=self.pairs)


def _spent(wish: Wish, order: OrderChosen) -> bool:
    """Check whether a wish that waited for something has had its turn."""
    return wish.waits and wish.span != "on" and wish in (*order.followed, *order.unmet)


def merged(
    old: tuple[Matchup, ...], new: tuple[Matchup, ...], gone: tuple[tuple[str, str], ...]
) -> tuple[Matchup, ...]:
    """Replace outdated pairs by new ones, and drop those that can no longer meet."""
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
    """An unfinished turn, with the results of the nodes so far."""

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
    # Nodes that run concurrently each add their laps.
    laps: Annotated[list[Lap], operator.add] = field(default_factory=list)
    narrowed: Narrowed | None = None
    heard: Heard | None = None
    said: tuple[str, ...] = ()

    @property
    def position(self) -> Position:
        """This turn's position, for nodes after `format_state`."""
        if self.now.position is None:
            raise AssertionError("no position was read; the router sees to it")
        return self.now.position


class Update(FoundationUpdate, total=False):
    """The fields of the draft that a node may change."""

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
