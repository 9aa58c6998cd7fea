"""The one die of the saga, a d100, drawn from a seed and an index so that every roll replays.

A dice library parses expressions; these rules have one expression and need the natural face, the
modifier and the edge apart, so the die is a line of code here.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Annotated

from pydantic import Field

from ruleplay.story.texts import Frozen

EDGE = 20
"""What advantage adds to a roll and disadvantage takes from it."""
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
        """Return what the roll counts for."""
        return self.natural + self.modifier + self.edge

    @property
    def formula(self) -> str:
        """Return the roll as it is written: `1d100+2-20`."""
        parts = (f"{part:+d}" for part in (self.modifier, self.edge) if part)
        return "1d100" + "".join(parts)

    @property
    def critical(self) -> bool:
        """Whether the natural face is high enough to succeed whatever it is held against."""
        return self.natural >= CRITICAL

    @property
    def fumble(self) -> bool:
        """Whether the natural face is too low to succeed at all."""
        return self.natural <= FUMBLE


def d100(seed: str, index: int) -> int:
    """Return the natural face of draw `index` of a seed."""
    return Random(f"{seed}/d100/{index}").randint(1, 100)


def edge(advantages: Iterable[bool], disadvantages: Iterable[bool]) -> int:
    """Return the edge of a roll: one side's reasons do not add up, both sides cancel out."""
    return EDGE * (any(advantages) - any(disadvantages))


def modifier(score: int) -> int:
    """Return what a characteristic adds to a roll: (score - 10) // 2, everywhere."""
    return (score - 10) // 2
