"""The hero's sheet: characteristics, skills, hit points, belongings, experience."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ruleplay.agents.saga.domain.dice import modifier
from ruleplay.agents.saga.domain.rulebook import Stat
from ruleplay.story.texts import Frozen

RANK = 5
"""Bonus to a check for each rank of the skill."""
LEVEL_XP, LEVEL_HP, LEVEL_MAX = 100, 5, 10
"""Experience for the next level (times the level), hit points of a level, the highest level."""


class Carried(Frozen):
    """Things of one kind."""

    item: str
    count: Annotated[int, Field(ge=1)]


class Sheet(Frozen):
    """The hero between fights."""

    name: str
    race: str
    culture: str
    stats: dict[Stat, int]
    skills: dict[str, int] = Field(default_factory=dict)
    hp: Annotated[int, Field(ge=0)]
    max_hp: Annotated[int, Field(ge=1)]
    xp: int = 0
    level: int = 1
    points: int = 0
    coin: Annotated[int, Field(ge=0)] = 0
    carried: tuple[Carried, ...] = ()
    weapon: str = ""
    armour: str = ""

    def count(self, item: str) -> int:
        """Return how many of an item are carried."""
        return next((one.count for one in self.carried if one.item == item), 0)

    def bonus(self, skill: str, stat: Stat) -> int:
        """Return the bonus to a skill check: the characteristic's modifier and 5 for each rank."""
        return modifier(self.stats[stat]) + RANK * self.skills.get(skill, 0)

    def with_items(self, item: str, delta: int) -> Sheet:
        """Return a copy with `delta` more of an item (ValueError if that leaves less than none).

        A weapon or armour whose last one is lost is no longer wielded or worn.
        """
        left = self.count(item) + delta
        if left < 0:
            raise ValueError(f"no {item!r} to lose")
        others = [one for one in self.carried if one.item != item]
        kept = [*others, Carried(item=item, count=left)] if left else others
        gone = {
            slot: "" for slot in ("weapon", "armour") if not left and getattr(self, slot) == item
        }
        carried = tuple(sorted(kept, key=lambda one: one.item))
        return self.model_copy(update={"carried": carried, **gone})


def next_level_at(level: int) -> int:
    """Return the total experience that ends a level: 100, 300, 600 and so on."""
    return LEVEL_XP * level * (level + 1) // 2
