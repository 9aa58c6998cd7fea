"""Two searches heard together."""

from __future__ import annotations

import pytest

from ruleplay.agents.battle.domain.orders import MoveOrder
from ruleplay.agents.battle.domain.results import Line, SearchVerdict
from ruleplay.agents.battle.domain.verdicts import combine

A, B, C = (MoveOrder(move=name) for name in ("earthquake", "roar", "rest"))


def verdict(**shares: float) -> SearchVerdict:
    orders = {"a": A, "b": B, "c": C}
    return SearchVerdict(
        engine="x",
        lines=tuple(Line(order=orders[n], share=s, value=0.5) for n, s in shares.items()),
        visits=10,
    )


def test_shares_are_averaged_and_sum_to_one() -> None:
    both = combine(verdict(a=0.5, b=0.5), verdict(b=0.8, c=0.2))
    assert [line.order for line in both.lines] == [B, A, C]
    assert sum(line.share for line in both.lines) == pytest.approx(1)
    assert both.lines[0].share == pytest.approx(0.6 * 0.5 + 0.4 * 0.8)
    assert both.visits == 20


def test_one_that_found_nothing_leaves_it_to_the_other() -> None:
    assert combine(verdict(), verdict(a=1.0)).lines[0].order == A
    assert combine(verdict(c=1.0), verdict()).lines[0].order == C
    assert combine(verdict(), verdict()).lines == ()
