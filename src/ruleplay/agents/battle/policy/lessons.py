"""A player's mistakes grouped into at most three lessons, each with the turns where it applied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ruleplay.agents.battle.domain.frozen import Frozen
from ruleplay.agents.battle.domain.orders import MoveOrder, Order, SwitchOrder

MOST = 3
"""Lessons in a review."""
TURNS_NAMED = 6
"""Turns listed for one lesson."""


@dataclass(frozen=True)
class Fault:
    """A choice worse than another one; `lost` is the difference in winning chance, from 0 to 1."""

    turn: int
    played: Order
    best: Order
    lost: float


class Lesson(Frozen):
    """What to do better; `turns` are those where it mattered, the costliest first."""

    text: str
    lost: float
    turns: tuple[int, ...]


def lessons(faults: Sequence[Fault]) -> tuple[Lesson, ...]:
    """Group mistakes by kind and keep the kinds that cost the most in total."""
    kinds: dict[str, list[Fault]] = {}
    for fault in faults:
        kinds.setdefault(_kind(fault.played, fault.best), []).append(fault)
    ranked = sorted(kinds.items(), key=lambda kind: -sum(each.lost for each in kind[1]))
    return tuple(_lesson(text, found) for text, found in ranked[:MOST])


def _lesson(text: str, found: Sequence[Fault]) -> Lesson:
    dearest = sorted(found, key=lambda each: (-each.lost, each.turn))
    turns = tuple(dict.fromkeys(each.turn for each in dearest))[:TURNS_NAMED]
    return Lesson(text=text, lost=round(sum(each.lost for each in found), 4), turns=turns)


def _kind(played: Order, best: Order) -> str:
    """Classify a mistake by what was played and what was best; the lesson's text is the kind."""
    match played, best:
        case MoveOrder(tera=True), MoveOrder(tera=False):
            return "Keep terastallizing for a better moment."
        case MoveOrder(tera=False), MoveOrder(tera=True):
            return "Terastallize when it decides the exchange."
        case MoveOrder(), SwitchOrder():
            return "Leave a bad matchup instead of staying in."
        case SwitchOrder(), MoveOrder():
            return "Stay in and act: switching gave a turn away."
        case SwitchOrder(), SwitchOrder():
            return "Choose more carefully who comes in."
    return "Choose the move that does more in this matchup."
