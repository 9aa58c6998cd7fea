"""What can happen on the way through an adventure; `audience` says who may know it."""

from __future__ import annotations

import operator
from typing import Literal

from pydantic import Field

from ruleplay.story.texts import Frozen

ALL = ("*",)
"""The audience of what everyone at the table may know."""


class Explored(Frozen):
    """Something that happened on the way."""

    audience: tuple[str, ...] = ALL


class SceneEntered(Explored):
    """The party came to a scene; `who` led, `first` says that it had not been there before."""

    scene: str
    origin: str = ""
    who: str = ""
    first: bool = False


class DeedDone(Explored):
    """Something was done that the adventure had prepared."""

    deed: str
    who: str


class DeedFailed(Explored):
    """Somebody failed at it."""

    deed: str
    who: str


class TalkHeard(Explored):
    """A person said what they had to say about a topic; `unseen`, only `who` remembers that."""

    talk: str
    person: str
    who: str
    unseen: bool = Field(default=False, exclude_if=operator.not_)


class TalkFailed(Explored):
    """A person would not be drawn on a topic."""

    talk: str
    person: str
    who: str


class FlagSet(Explored):
    """Something that the adventure remembers."""

    flag: str


class ClueFound(Explored):
    """A clue came to light, for its audience."""

    clue: str
    who: str


class SecretDealt(Explored):
    """A secret of the adventure is one character's from the start."""

    secret: str
    who: str


class SecretRevealed(Explored):
    """A secret came out: everyone knows it now."""

    secret: str
    who: str


class DetailPlanted(Explored):
    """Something small was shown that is to come back."""

    detail: str
    scene: str


class DetailReturned(Explored):
    """Something small came back."""

    detail: str
    scene: str


class ExitOpened(Explored):
    """A way that was closed is open."""

    scene: str
    to: str


class EncounterMet(Explored):
    """Somebody hostile waits here, and there is still time to decide."""

    encounter: str


class EncounterAvoided(Explored):
    """The party got past without a fight."""

    encounter: str
    who: str
    how: Literal["sneak", "parley"]


class EncounterStarted(Explored):
    """A fight began; `foes` are the ids of those who are in it."""

    encounter: str
    foes: tuple[str, ...]


class EncounterOver(Explored):
    """A fight of the adventure ended; `left` are the foes whom the party has fled from."""

    encounter: str
    outcome: Literal["won", "fled", "lost"]
    left: tuple[str, ...] = Field(default=(), exclude_if=operator.not_)


class CoinChanged(Explored):
    """Coin came into the party's purse or left it, in copper pieces."""

    amount: int
    purse: int


class ShortRestTaken(Explored):
    """The party sat down for an hour."""


class DayBroke(Explored):
    """The party slept, and it is another day."""

    day: int


class HintGiven(Explored):
    """The DM pointed to something that can be done here, as `deed:key`, `talk:key` or a scene."""

    about: str


class EndingReached(Explored):
    """The adventure is over."""

    ending: str
