"""Converts a search's values to winning chances.

A search rates how much better or worse things get: 0.5 means "as now", even for a side that is far
ahead. The winning chance therefore also depends on the difference in Pokémon. Both weights were
first fitted to who won 1,661 decisions of 45 recorded battles (1.48 and 0.70: Brier score 0.14,
against 0.22 for bare values). When learnt position values came, they were changed in the ratio in
which the same fit changed on battles inside the engine, 62,000 positions before and 12,000 after
(0.83 to 0.77, 0.85 to 0.97); see docs/decisions/0031-what-a-position-is-worth-is-learnt.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from ruleplay.agents.battle.domain.orders import Order
from ruleplay.agents.battle.domain.position import Position, Side
from ruleplay.agents.battle.domain.results import Line, SearchVerdict

STANDING, FORESEEN = 1.37, 0.80
"""Weights of the difference in Pokémon and of the search's value, in log odds."""
ALIVE = 0.3
"""What a Pokémon that can still fight counts in addition to its health (0 to 1)."""
EDGE = 0.02
"""Values are kept this far from 0 and 1, where log odds would be infinite."""
TURN = 0.1
"""Changes of our chance in one turn below this are no turning point."""
SEARCHED_WELL = 0.1
"""Share of visits from which an option's value counts; with fewer it is too rough."""


def win_chance(value: float, position: Position) -> float:
    """Convert a search's value in a position to a winning chance."""
    inner = min(1 - EDGE, max(EDGE, value))
    ahead = _material(position.ours) - _material(position.theirs)
    odds = STANDING * ahead + FORESEEN * math.log(inner / (1 - inner))
    return 1 / (1 + math.exp(-odds))


def as_chances(verdict: SearchVerdict, position: Position) -> SearchVerdict:
    """Convert all values of a verdict to winning chances."""
    lines = tuple(
        line.model_copy(update={"value": win_chance(line.value, position)})
        for line in verdict.lines
    )
    return verdict.model_copy(update={"lines": lines})


def turning(curve: Sequence[tuple[int, float]]) -> dict[str, tuple[int, float, float]]:
    """Find the turns in which our chance fell and rose most, with the chance before and after.

    `curve` holds turns with our chance at each decision, so what a turn changed shows at the next
    one.
    """
    steps = [(before[0], before[1], after[1]) for before, after in pairwise(curve)]
    found = {
        "recap_fall": min(steps, key=lambda step: step[2] - step[1], default=None),
        "recap_rise": max(steps, key=lambda step: step[2] - step[1], default=None),
    }
    return {key: one for key, one in found.items() if one and abs(one[2] - one[1]) >= TURN}


def most_promising(verdict: SearchVerdict | None) -> Line | None:
    """Find the order of the highest value among those that were searched well."""
    lines = verdict.lines if verdict else ()
    searched = (line for line in lines if line.share >= SEARCHED_WELL)
    return max(searched, key=lambda line: line.value, default=None)


def given_away(verdict: SearchVerdict | None, best: Order, played: Order) -> float | None:
    """Compute what an order gave away against the best; None if the search had not both."""
    values = {line.order: line.value for line in (verdict.lines if verdict else ())}
    if best not in values or played not in values:
        return None
    # A choice that was hardly searched may have the higher value by chance.
    return round(max(0.0, values[best] - values[played]), 4)


def beyond(
    told: Sequence[tuple[float | None, float | None]], ended: float | None
) -> tuple[float | None, ...]:
    """Compute the luck of each choice: the next winning chance less what the choice had left.

    `told` holds the winning chance before each choice and what it gave away, `ended` the chance
    that the result stands for. Luck includes the opponent's choices.
    """
    after = [*(chance for chance, _ in told[1:]), ended][: len(told)]
    return tuple(
        None if None in (chance, lost, then) else round(then - (chance - lost), 4)  # type: ignore[operator]
        for (chance, lost), then in zip(told, after, strict=True)
    )


def _material(side: Side) -> float:
    standing = sum(mon.hp + ALIVE for mon in side.team if not mon.fainted)
    return standing + (1 + ALIVE) * side.unseen
