"""Wording that needs no model: the search's value of an order, and how the battle ended."""

from __future__ import annotations

from ruleplay.agents.battle.domain.naming import player_name
from ruleplay.agents.battle.domain.orders import Order
from ruleplay.agents.battle.domain.phrases import say
from ruleplay.agents.battle.domain.results import SearchVerdict
from ruleplay.agents.battle.state import BattleEnded, State


def value_of(order: Order, verdict: SearchVerdict | None) -> float | None:
    """Look up the winning chance the search gave an order; None if it did not search that order."""
    lines = verdict.lines if verdict else ()
    return next((line.value for line in lines if line.order == order), None)


def ending(state: State, ended: BattleEnded) -> str:
    """Say how the battle ended, addressed to a person who may have played against us."""
    told = [say(state.language, f"ended_{ended.result}")]
    if ended.timed_out:
        told.append(say(state.language, "ended_clock"))
    if them := player_name(state.opponent):
        told.append(say(state.language, "ended_against", them=them))
    if ended.turns:
        told.append(say(state.language, "ended_after", turns=ended.turns))
    return f"{' '.join(told)}."
