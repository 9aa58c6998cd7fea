"""The battle turn by turn, read from the session's stored events: choices, and what happened.

The state only keeps the last choice. Whatever is asked about an earlier turn is looked up here, so
an answer is about the turn that was named, or says that nothing was kept of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from pydantic import ConfigDict

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.chances import beyond, given_away, most_promising
from ruleplay.agents.battle.domain.frozen import Frozen
from ruleplay.agents.battle.domain.happenings import Happening, happenings
from ruleplay.agents.battle.domain.orders import Order
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.results import Candidate, Expected, SearchVerdict
from ruleplay.agents.battle.state import Result
from ruleplay.records.events import Json

ENDED: Mapping[Result, float] = {"win": 1.0, "tie": 0.5, "loss": 0.0}
"""The winning chance that a result stands for."""
BARELY = 0.012
"""Health up to which one has barely survived: their health is only shown in whole percent."""
RARE = 0.5
"""Chance of a move's side effect below which it counts as luck."""


class _Made(Frozen):
    """What is read of a stored decision."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    order: Order
    source: str
    verdict: SearchVerdict | None = None
    expected: Expected | None = None


@dataclass(frozen=True)
class Choice:
    """One choice: the position it was made in, what the search held of it, and who chose."""

    position: Position
    order: Order
    source: str
    verdict: SearchVerdict | None = None
    expected: tuple[Candidate, ...] = ()

    @property
    def turn(self) -> int:
        """The battle's turn."""
        return self.position.turn

    @property
    def value(self) -> float | None:
        """The winning chance that the search gave the order."""
        return self.value_of(self.order)

    def value_of(self, order: Order) -> float | None:
        """Look up the winning chance that the search gave any order."""
        lines = self.verdict.lines if self.verdict else ()
        return next((line.value for line in lines if line.order == order), None)

    @property
    def lost(self) -> float | None:
        """The winning chance that the order gave away, by the search of then."""
        best = most_promising(self.verdict)
        return given_away(self.verdict, best.order, self.order) if best else None


@dataclass(frozen=True)
class Course:
    """A battle's choices and happenings, oldest first; empty if nothing was stored.

    `final` says that its end was stored, too.
    """

    choices: tuple[Choice, ...] = ()
    steps: Mapping[int, tuple[Happening, ...]] = field(default_factory=dict)
    result: Result | None = None
    final: bool = False

    def at(self, turn: int) -> tuple[Choice, ...]:
        """List a turn's choices; replacements for the fallen come last."""
        return tuple(one for one in self.choices if one.turn == turn)

    def happened(self, turn: int) -> tuple[Happening, ...]:
        """List what happened in a turn."""
        return self.steps.get(turn, ())

    @cached_property
    def every(self) -> tuple[Happening, ...]:
        """All happenings."""
        return tuple(step for turn in sorted(self.steps) for step in self.steps[turn])

    @cached_property
    def luck(self) -> Mapping[int, float]:
        """Each turn's luck: by how much our chance changed beyond what the choice explains."""
        told = [(_best(one), one.lost) for one in self.choices]
        found = beyond(told, ENDED[self.result] if self.result else None)
        shares = dict[int, float]()
        for one, share in zip(self.choices, found, strict=True):
            if share is not None:
                shares[one.turn] = shares.get(one.turn, 0.0) + share
        return shares


def _best(choice: Choice) -> float | None:
    """Give the winning chance of the most promising order."""
    best = most_promising(choice.verdict)
    return best.value if best and choice.lost is not None else None


def course(events: Sequence[Json]) -> Course:
    """Read a course from stored events."""
    made = _Reader()
    for event in events:
        made.read(event)
    return Course(tuple(made.choices), made.steps, made.result, made.final)


@dataclass
class _Reader:
    """Reads events in order; a request that is asked again replaces the choice made before."""

    position: Position | None = None
    trace: Json = field(default_factory=dict)
    choices: list[Choice] = field(default_factory=list)
    steps: dict[int, tuple[Happening, ...]] = field(default_factory=dict)
    result: Result | None = None
    final: bool = False

    def read(self, event: Json) -> None:
        """Take in one event."""
        match event["type"]:
            case "PositionRead":
                self.position = Position.model_validate(event["position"])
                self._log(self.position)
            case "DecisionTrace":
                self.trace = event
            case "OrderChosen":
                self._chosen(event)
            case "OrderChanged":
                self._chosen(event["chosen"])  # type: ignore[arg-type]
            case "BattleEnded":
                self.result = event["result"]  # type: ignore[assignment]
                if event.get("position"):
                    self._log(Position.model_validate(event["position"]))
                    self.final = True

    def _chosen(self, event: Json) -> None:
        if self.position is None:
            return
        told = {**self.trace, "order": event["order"], "source": event["source"]}
        made = _Made.model_validate(told)
        expected = made.expected.predictions if made.expected else ()
        choice = Choice(self.position, made.order, made.source, made.verdict, expected)
        asked = self.position.request_id
        if self.choices and self.choices[-1].position.request_id == asked:
            del self.choices[-1]
        self.choices.append(choice)

    def _log(self, position: Position) -> None:
        """Take over the turns that a position's log has from their beginning."""
        told = happenings(position)
        begun = {one.turn for one in told if f"turn|{one.turn}" in position.log}
        for turn in {one.turn for one in told}:
            found = tuple(one for one in told if one.turn == turn)
            # A later log may have lost its beginning, and with it how healthy anybody was before.
            if turn in begun or turn not in self.steps:
                self.steps[turn] = max(self.steps.get(turn, ()), found, key=_fullness)


def _fullness(steps: Sequence[Happening]) -> tuple[int, int]:
    """Rank accounts of one turn by how many happenings and how many figures they have."""
    return len(steps), sum(one.share is not None for one in steps)


def chances(steps: Sequence[Happening]) -> Iterator[tuple[str, Happening]]:
    """Yield the steps that luck decided, each with its kind."""
    for at, one in enumerate(steps):
        if one.kind == "used":
            yield from ((note, one) for note in ("crit", "miss") if note in one.notes)
            if one.left is not None and 0 < one.left <= BARELY:
                yield "survived", replace(one, ours=not one.ours)  # who was hit survived
        elif one.kind == "cant" and one.what in ("par", "flinch"):
            yield one.what, one
        elif one.kind == "status" and (cause := _caused(steps[:at], one)):
            yield "effect", replace(one, on=cause)


def _caused(before: Sequence[Happening], one: Happening) -> str:
    """Find the move whose unlikely side effect this status is; "" if there is none."""
    last = next((step for step in reversed(before) if step.kind == "used"), None)
    if last is None or last.on != one.mon or last.turn != one.turn:
        return ""
    move = dex.to_id(last.what)
    page = dex.move(move) if dex.knows_move(move) else None
    return last.what if page and page.side_status and page.side_chance < RARE else ""
