"""The words that need no model: why an order was chosen, how the battle stands, how it ended."""

from __future__ import annotations

from ruleplay.agents.battle.domain.naming import order_words
from ruleplay.agents.battle.domain.orders import MoveOrder, Order, SwitchOrder
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.results import (
    Decision,
    MoveOption,
    SearchVerdict,
    SwitchOption,
)
from ruleplay.agents.battle.state import BattleEnded, DecisionTrace, State

RESULTS = {"win": "We won", "loss": "We lost", "tie": "The battle ended in a tie"}


def value_of(order: Order, verdict: SearchVerdict | None) -> float | None:
    """Return the chance of winning that the search gives an order; None without a search."""
    lines = verdict.lines if verdict else ()
    return next((line.value for line in lines if line.order == order), None)


def decision(position: Position, trace: DecisionTrace, by_rule: Decision) -> str:
    """Return one or two sentences: what is done, and why."""
    said = order_words(trace.chosen, position)
    why = reason(trace, by_rule)
    lead = f"{said[:1].upper()}{said[1:]}"
    text = f"{lead}: {why}" if why else f"{lead}."
    return text if text.endswith(".") else f"{text}."


def reason(trace: DecisionTrace, by_rule: Decision | None = None) -> str:
    """Return why the chosen order is good, as the options have it."""
    option = option_of(trace, trace.chosen)
    words = option.reasoning if option else ""
    if not words and by_rule and by_rule.order == trace.chosen:
        words = by_rule.summary
    if trace.verdict and trace.verdict.lines and trace.verdict.lines[0].order == trace.chosen:
        searched = "The search prefers it."
        words = f"{words.rstrip('.')}. {searched}" if words else searched
    return words


def option_of(trace: DecisionTrace, order: Order) -> MoveOption | SwitchOption | None:
    """Return the ranked option that an order stands for; a move with tera is ranked as the move."""
    if isinstance(order, MoveOrder):
        return next((one for one in trace.moves.moves if one.move == order.move), None)
    if isinstance(order, SwitchOrder):
        return next((one for one in trace.switches.switches if one.ident == order.ident), None)
    return None


def nothing_yet() -> str:
    """Return what is said before the first position."""
    return "Nothing has happened yet; `ruleplay battle arena` plays battles."


def ending(state: State, ended: BattleEnded) -> str:
    """Return how the battle ended."""
    against = f" against {state.opponent}" if state.opponent else ""
    clock = " on time" if ended.timed_out else ""
    turns = f" after {ended.turns} turns" if ended.turns else ""
    return f"{RESULTS[ended.result]}{clock}{against}{turns}."
