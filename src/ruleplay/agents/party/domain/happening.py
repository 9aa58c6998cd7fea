"""What every happening is: a frozen fact, and the rolls that were thrown for it."""

from __future__ import annotations

from typing import Literal

from ruleplay.agents.party.domain.dice import Roll
from ruleplay.story.texts import Frozen

Why = Literal[
    "hit", "spell", "power", "effect", "potion", "feature", "hit-die", "long-rest", "death-save",
    "hazard", "max-hp",
]  # fmt: skip
"""Why hit points changed."""


class Happening(Frozen):
    """Something that happened; `dice` are the rolls it consumed, in draw order."""

    @property
    def dice(self) -> tuple[Roll, ...]:
        """Return the rolls that were thrown for it."""
        return ()


class Rolled(Happening):
    """Something that was decided by one roll."""

    roll: Roll

    @property
    def dice(self) -> tuple[Roll, ...]:
        """Return the roll."""
        return (self.roll,)


class Thrown(Happening):
    """Something that was decided by several rolls."""

    rolls: tuple[Roll, ...]

    @property
    def dice(self) -> tuple[Roll, ...]:
        """Return the rolls."""
        return self.rolls
