"""The words that need no model: what a search gave an order, how the battle ended."""

from __future__ import annotations

from ruleplay.agents.battle.domain.orders import Order
from ruleplay.agents.battle.domain.results import SearchVerdict
from ruleplay.agents.battle.state import BattleEnded, State

RESULTS = {"win": "We won", "loss": "We lost", "tie": "The battle ended in a tie"}


def value_of(order: Order, verdict: SearchVerdict | None) -> float | None:
    """Return the chance of winning that the search gives an order; None without a search."""
    lines = verdict.lines if verdict else ()
    return next((line.value for line in lines if line.order == order), None)


def nothing_yet() -> str:
    """Return what is said before the first position."""
    return "Nothing has happened yet; `ruleplay battle arena` plays battles."


def ending(state: State, ended: BattleEnded) -> str:
    """Return how the battle ended."""
    against = f" against {state.opponent}" if state.opponent else ""
    clock = " on time" if ended.timed_out else ""
    turns = f" after {ended.turns} turns" if ended.turns else ""
    return f"{RESULTS[ended.result]}{clock}{against}{turns}."
