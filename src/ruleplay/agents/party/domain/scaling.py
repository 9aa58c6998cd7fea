"""How an encounter is scaled to the party that meets it: one to six characters of any level.

The numbers in an adventure are for four characters of level 1. A party's strength is the sum of
its members' weights divided by that of such a party. The counts of foes are multiplied by the
strength. A leader stays a single foe, and its hit points are multiplied instead.

A smaller party is weaker than its share suggests: it makes fewer attacks in a round and has nobody
to help up those who fall, as the SRD's multipliers for few characters show. A leader also hits one
character as hard as it hits four, so its followers are reduced further to make up for that.
"""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.party.domain.adventure import BASE_LEVEL, BASE_SIZE, Foe
from ruleplay.story.texts import Frozen

WEIGHTS = (1.0, 1.08, 1.22, 1.6, 2.6)
"""The weight of a character of level 1, 2, … 5; a character of level 1 weighs 1."""
FEW, FEW_AND_LED, FEW_LEADING = 1.5, 2.6, 1.5
"""The exponents for a strength below 1.0: for foes without a leader, followers and leaders."""
LEADER_LEAST, LEADER_MOST = 0.2, 3.0
"""The least and the most that a leader's hit points are multiplied by."""
CROWD = 12
"""The most foes in one fight; any more that the scaling would add are left out."""


class Group(Frozen):
    """A kind of foe as it stands in a fight: how many, and their share of hit points."""

    foe: Foe
    count: int
    hit_points: float = 1.0


def strength(levels: Sequence[int]) -> float:
    """Return a party's strength; the party that adventures are written for has 1.0."""
    weighed = sum(WEIGHTS[min(max(level, 1), len(WEIGHTS)) - 1] for level in levels)
    return weighed / (BASE_SIZE * WEIGHTS[BASE_LEVEL - 1])


def scaled(foes: Sequence[Foe], levels: Sequence[int]) -> tuple[Group, ...]:
    """Return the foes for a party of these levels; there is always at least one.

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
        )  # a half is rounded down, in the party's favour
        share = min(max(leader, LEADER_LEAST), LEADER_MOST) if foe.leader else 1.0
        if count:
            room -= count
            groups.append(Group(foe=foe, count=count, hit_points=share))
    return tuple(groups) or (Group(foe=foes[0], count=1),)


def _lowered(by: float, power: float) -> float:
    """Return the strength, raised to a power when it is below that of the base party."""
    return by if by >= 1.0 else float(by**power)
