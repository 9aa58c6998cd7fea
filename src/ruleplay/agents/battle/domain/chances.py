"""A search's values as chances of winning.

A search says how much better or worse than now things get, not how they stand: 0.5 is "as now" for
whoever is far ahead too. What stands is the difference in Pokémon. Both were fitted to who won, on
1,661 decisions of 45 recorded battles (1.48 and 0.70: Brier score 0.14, the bare values' 0.22), and
changed for the learnt values as the same fit changed on battles inside the engine, 62,000 positions
before and 12,000 after (0.83 to 0.77, 0.85 to 0.97).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from ruleplay.agents.battle.domain.position import Position, Side
from ruleplay.agents.battle.domain.results import SearchVerdict

STANDING, FORESEEN = 1.37, 0.80
ALIVE = 0.3
"""What being alive is worth beside health, of which a whole Pokémon has 1."""
EDGE = 0.02
TURN = 0.1
"""The least change of our chance in a turn that is told as a turning point."""


def win_chance(value: float, position: Position) -> float:
    """Return the chance of winning that a search's value means in a position."""
    inner = min(1 - EDGE, max(EDGE, value))
    ahead = _material(position.ours) - _material(position.theirs)
    odds = STANDING * ahead + FORESEEN * math.log(inner / (1 - inner))
    return 1 / (1 + math.exp(-odds))


def as_chances(verdict: SearchVerdict, position: Position) -> SearchVerdict:
    """Return a verdict whose lines say how likely we win."""
    lines = tuple(
        line.model_copy(update={"value": win_chance(line.value, position)})
        for line in verdict.lines
    )
    return verdict.model_copy(update={"lines": lines})


def turning(curve: Sequence[tuple[int, float]]) -> dict[str, tuple[int, float, float]]:
    """Return where our chance fell and rose most: the turn, the chance before it and after.

    `curve` has turns with our chance at their choice, so that what a turn changed shows at the
    choice after it; nothing is told of less than a tenth.
    """
    steps = [(before[0], before[1], after[1]) for before, after in pairwise(curve)]
    found = {
        "recap_fall": min(steps, key=lambda step: step[2] - step[1], default=None),
        "recap_rise": max(steps, key=lambda step: step[2] - step[1], default=None),
    }
    return {key: one for key, one in found.items() if one and abs(one[2] - one[1]) >= TURN}


def _material(side: Side) -> float:
    standing = sum(mon.hp + ALIVE for mon in side.team if not mon.fainted)
    return standing + (1 + ALIVE) * side.unseen
