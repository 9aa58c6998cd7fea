"""What play has made of a story beyond its written spine: canon, attitudes, limits, time, style."""

from __future__ import annotations

import operator

from pydantic import Field

from ruleplay.story.acts import Act
from ruleplay.story.bounds import ATTITUDE, MARK_ROUNDS, Ledger
from ruleplay.story.canon import Canon
from ruleplay.story.style import Style
from ruleplay.story.texts import Frozen

MARKS, COMPANY, MEMORY, READIED, LEFT = 8, 4, 160, 2, 24
COINS = "coins"
"""What coins are called that lie somewhere."""
Entry = tuple[str, str, str]


class Mark(Frozen):
    """Something about a place for a while: cover, noise, a light, a snare."""

    place: str
    what: str = ""
    text: str = ""
    rounds: int = MARK_ROUNDS


class Left(Frozen):
    """Something the hero has put down: an item, coins, or a keepsake by its name."""

    place: str
    item: str = ""
    coin: int = 0
    keepsake: str = ""

    @property
    def name(self) -> str:
        """Return what it is called when it is picked up again."""
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

    def attitude(self, who: str, authored: int = 0) -> int:
        """Return what somebody thinks of the hero, from -2 to 2."""
        return max(-ATTITUDE, min(ATTITUDE, authored + self.attitudes.get(who, 0)))


PLAIN = Story()
"""A story nobody has improvised in: states of earlier releases have this one, unsaid."""
