"""Saga's only die, a d100, derived from a seed and an index so that every roll can be replayed.

A dice library would parse expressions; these rules have a single one, and need the natural face,
the modifier and the edge separately.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Annotated

from pydantic import Field

from ruleplay.story.texts import Frozen

EDGE = 20
"""Added to a roll by an advantage, subtracted by a disadvantage."""
CRITICAL, FUMBLE = 95, 5
"""A natural roll from 95 up always succeeds, one down from 5 always fails."""


class Roll(Frozen):
    """A d100 that was thrown: its draw index, natural face, modifier and edge (-20, 0 or 20)."""

    index: Annotated[int, Field(ge=0)]
    natural: Annotated[int, Field(ge=1, le=100)]
    modifier: int = 0
    edge: int = 0

    @property
    def total(self) -> int:
        """The result: natural face, modifier and edge."""
        return self.natural + self.modifier + self.edge

    @property
    def formula(self) -> str:
        """The roll in dice notation: `1d100+2-20`."""
        parts = (f"{part:+d}" for part in (self.modifier, self.edge) if part)
        return "1d100" + "".join(parts)

    @property
    def critical(self) -> bool:
        """Whether the natural face is so high that the roll always succeeds."""
        return self.natural >= CRITICAL

    @property
    def fumble(self) -> bool:
        """Whether the natural face is so low that the roll always fails."""
        return self.natural <= FUMBLE


def d100(seed: str, index: int) -> int:
    """Return the natural face of draw `index` of a seed."""
    return Random(f"{seed}/d100/{index}").randint(1, 100)


def edge(advantages: Iterable[bool], disadvantages: Iterable[bool]) -> int:
    """Return a roll's edge: several advantages count once, advantage and disadvantage cancel."""
    return EDGE * (any(advantages) - any(disadvantages))


def chance(bonus: int, number: int) -> int:
    """Return in how many of a hundred rolls a die with a bonus reaches a number."""
    return max(101 - CRITICAL, min(100 - FUMBLE, 101 - number + bonus))


def modifier(score: int) -> int:
    """Return the modifier of a characteristic's score, rounded down: 12 gives +1, 9 gives -1."""
    return (score - 10) // 2
