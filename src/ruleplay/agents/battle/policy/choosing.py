"""The model's choice among the orders that are legal, by number."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.battle.domain.frozen import Frozen
from ruleplay.agents.battle.domain.orders import Order


class Choice(Frozen):
    """Which of the listed orders to give, by its number in the list, counted from one."""

    choice: int


def choice_problems(choice: Choice, legal: Sequence[Order]) -> list[str]:
    """List why a choice cannot be made."""
    if 1 <= choice.choice <= len(legal):
        return []
    return [f"order {choice.choice} is not among 1 to {len(legal)}"]


def chosen(choice: Choice, legal: Sequence[Order]) -> Order:
    """Return the order that a legal choice names."""
    return legal[choice.choice - 1]


def choice_of(order: Order, legal: Sequence[Order]) -> Choice:
    """Return the choice that names an order; the first one when it is not among the legal."""
    return Choice(choice=legal.index(order) + 1 if order in legal else 1)
