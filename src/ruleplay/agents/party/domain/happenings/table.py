"""What can happen at the table itself: seats, turns, words, knowledge, safety; no rules.

Events hold keys, ids and the words that people wrote, but no phrases of the program's.
"""

from __future__ import annotations

import operator
from typing import Annotated, Literal

from pydantic import Field

from ruleplay.agents.party.domain.happenings.creatures import Happening
from ruleplay.agents.party.domain.safety import Safety
from ruleplay.agents.party.domain.seats import Audience, Holder, Key
from ruleplay.story.texts import Lang

WORDS = 1_000
"""The most characters that are kept of what somebody says."""
Words = Annotated[str, Field(max_length=WORDS)]
How = Literal["acts", "passes", "timeout", "fallen"]


class Proceeding(Happening):
    """Something that happened at the table."""


class SeatHeld(Proceeding):
    """Somebody took a seat, or it was left to a model or the policy."""

    seat: str
    by: Holder


class SeatKeyed(Proceeding):
    """The key of a seat changed: the SHA-256 of a token, known to no seat at all."""

    seat: str
    key: Key


class Acted(Proceeding):
    """A seat's turn was used: it acted, passed, slept through it, or could not act."""

    seat: str
    how: How = "acts"


class TurnPassed(Proceeding):
    """Another seat is to move; `round` counts up when the round is complete."""

    seat: str
    round: int


class Spoke(Proceeding):
    """Somebody at the table spoke in character, `to` somebody or to all; the DM narrates.

    `also` are further companions whom the words are for.
    """

    seat: str
    text: Words
    to: str = Field(default="", exclude_if=lambda to: not to)
    also: tuple[str, ...] = Field(default=(), exclude_if=operator.not_)


class Whispered(Proceeding):
    """Words for some ears only, or a `sign` that only they understand."""

    seat: str
    to: Audience
    text: Words
    sign: bool = Field(default=False, exclude_if=operator.not_)


class Learned(Proceeding):
    """A fact came to be known to some seats: a secret dealt, a clue found, a secret revealed.

    One that somebody has `told` in their own words, which stand in the story, needs no others.
    """

    key: str
    to: Audience
    how: Literal["dealt", "found", "revealed", "told"] = "found"
    by: str = ""


class Paused(Proceeding):
    """The table paused; `card` when somebody played the X card."""

    why: Literal["asked", "card"]
    by: str


class Resumed(Proceeding):
    """The table goes on."""

    by: str


class SafetyAgreed(Proceeding):
    """The table agreed on lines and veils, or gave them up."""

    safety: Safety


class LanguageChosen(Proceeding):
    """From now on the table plays in another language."""

    lang: Lang


class Refused(Proceeding):
    """What a seat wanted, in its own `words`, is impossible, or was not understood."""

    seat: str
    reason: str
    about: str = ""
    other: str = ""
    words: str = Field(default="", exclude_if=operator.not_)


class TakenBack(Proceeding):
    """A seat takes back its last turn, in its own `words`, and all that has followed it.

    `instead`, in its own words too, is what it does in place of that.
    """

    seat: str
    words: Words = ""
    instead: Words = Field(default="", exclude_if=operator.not_)


class Consulted(Proceeding):
    """Somebody looked something up; nothing changed."""

    seat: str
    topic: Literal[
        "recap", "sheet", "scene", "fight", "party", "journal", "callbacks", "help", "rules",
        "memory", "settings",
    ]  # fmt: skip
    about: Words = Field(default="", exclude_if=operator.not_)
    asked: bool = Field(default=False, exclude_if=operator.not_)
    """Whether it was asked in words, and is answered in words: else the list itself is wanted."""
