"""State of improvised play: canon, attitudes, limits, marks, time, company, style."""

from __future__ import annotations

import operator

from pydantic import Field

from ruleplay.story.acts import Act
from ruleplay.story.bounds import ATTITUDE, MARK_ROUNDS, Ledger
from ruleplay.story.canon import Canon
from ruleplay.story.style import Style
from ruleplay.story.texts import Frozen

MARKS, COMPANY, MEMORY, READIED, LEFT = 8, 4, 160, 2, 24
"""Most entries of each kind in the state; the oldest are dropped."""
COINS = "coins"
"""Name by which coins on the ground are picked up."""
Entry = tuple[str, str, str]


class Mark(Frozen):
    """Something about a place for a while: cover, noise, a light, a snare.

    A condition won before a fight has `who` bears it there, by their id in the fight.
    """

    place: str
    what: str = ""
    text: str = ""
    rounds: int = MARK_ROUNDS
    who: str = Field(default="", exclude_if=operator.not_)


class Left(Frozen):
    """Something the hero has put down: an item, coins, or a keepsake by its name."""

    place: str
    item: str = ""
    coin: int = 0
    keepsake: str = ""

    @property
    def name(self) -> str:
        """The name by which it can be picked up."""
        return self.item or self.keepsake or COINS


class Asked(Frozen):
    """A question that waits: what the choices are, and the acts that the first one stands for."""

    question: str
    choices: tuple[str, ...]
    acts: tuple[Act, ...] = ()


class Story(Frozen):
    """What play has established; all of it is worth nothing to the written rules by itself."""

    canon: Canon = ()
    attitudes: dict[str, int] = Field(default_factory=dict)
    ledger: Ledger = Ledger()
    marks: tuple[Mark, ...] = ()
    minutes: int = 0
    edges: dict[str, int] = Field(default_factory=dict)
    company: tuple[str, ...] = ()
    asked: Asked | None = None
    style: Style = Style()
    memory: tuple[Entry, ...] = ()
    left: tuple[Left, ...] = Field(default=(), exclude_if=operator.not_)
    readied: tuple[Act, ...] = Field(default=(), exclude_if=operator.not_)
    waiting: dict[str, str] = Field(default_factory=dict, exclude_if=operator.not_)
    """The place of each companion who was told to wait there."""

    def attitude(self, who: str, authored: int = 0) -> int:
        """Return somebody's attitude to the hero, from -2 to 2; play adds to the authored one."""
        return max(-ATTITUDE, min(ATTITUDE, authored + self.attitudes.get(who, 0)))


PLAIN = Story()
"""A story without improvisation. States leave it out, as those of older releases did."""
