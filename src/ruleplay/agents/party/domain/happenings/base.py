"""The base of every happening: a frozen fact with the rolls that were thrown for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeVar

from ruleplay.agents.party.domain.dice import Roll
from ruleplay.story.texts import Frozen

Why = Literal[
    "hit", "spell", "power", "effect", "potion", "feature", "hit-die", "long-rest", "death-save",
    "hazard", "max-hp",
]  # fmt: skip
"""Why hit points changed."""


Change = TypeVar("Change")


def change_of(changes: Mapping[Any, Change], happening: Frozen) -> Change:
    """Find the change for a happening by its class or a base class (TypeError for an unknown)."""
    for kind in type(happening).__mro__:
        if kind in changes:
            return changes[kind]
    raise TypeError(f"nothing here changes by {type(happening).__name__!r}")


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
