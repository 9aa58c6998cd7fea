"""How an encounter fits itself to the party that meets it: from one character to six, any level.

The numbers in an adventure are for four characters of level 1. A party's strength is the sum of
its members' weights over that of such a party; the counts of foes are multiplied by it, and a
leader's hit points are, who stays one alone.

A smaller party is weaker than its share: it has fewer blows in a round and nobody to lift up who
falls, as the SRD's multipliers for few characters say. And a leader strikes one character as hard
as four, which the followers make up for.
"""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.party.domain.adventure import BASE_LEVEL, BASE_SIZE, Foe
from ruleplay.story.texts import Frozen

WEIGHTS = (1.0, 1.08, 1.22, 1.6, 2.6)
"""What a character of level 1, 2, … 5 is worth, in characters of level 1."""
FEW, FEW_AND_LED, FEW_LEADING = 1.5, 2.6, 1.5
"""Powers of a strength below 1.0: for foes of a crowd, for a leader's followers, for a leader."""
LEADER_LEAST, LEADER_MOST = 0.2, 3.0
"""A leader's hit points are never multiplied by less or more than this."""
CROWD = 12
"""Foes in one fight at most; those that the rule would add beyond are left out."""


class Group(Frozen):
    """A kind of foe as it stands in a fight: how many, and their share of hit points."""

    foe: Foe
    count: int
    hit_points: float = 1.0


def strength(levels: Sequence[int]) -> float:
    """Return the strength of a party, 1.0 for the one that adventures are written for."""
    weighed = sum(WEIGHTS[min(max(level, 1), len(WEIGHTS)) - 1] for level in levels)
    return weighed / (BASE_SIZE * WEIGHTS[BASE_LEVEL - 1])


def scaled(foes: Sequence[Foe], levels: Sequence[int]) -> tuple[Group, ...]:
    """Return the foes for a party of these levels; at least one foe is always there.

    >>> rats = Foe(kind="giant-rat", count=4)
    >>> [group.count for n in range(1, 7) for group in scaled([rats], [1] * n)]
    [1, 1, 3, 4, 5, 6]
    """
    by, led = strength(levels), any(foe.leader for foe in foes)
    crowd, leader = _lowered(by, FEW_AND_LED if led else FEW), _lowered(by, FEW_LEADING)
    groups: list[Group] = []
    room = CROWD
    for foe in foes:
        count = min(
            room, 1 if foe.leader else int(foe.count * crowd + 0.49)
        )  # a half is left to the party
        share = min(max(leader, LEADER_LEAST), LEADER_MOST) if foe.leader else 1.0
        if count:
            room -= count
            groups.append(Group(foe=foe, count=count, hit_points=share))
    return tuple(groups) or (Group(foe=foes[0], count=1),)


def _lowered(by: float, power: float) -> float:
    """Return a party's strength, lowered where it is less than that of the base party."""
    return by if by >= 1.0 else float(by**power)
