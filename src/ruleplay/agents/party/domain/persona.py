"""What makes up a character besides the numbers: manner, goals, bonds, voice and secrets."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field, StringConstraints

from ruleplay.story.texts import Frozen, Text

LONG = 400
"""The most characters of one trait in one language."""


def _in_both(value: object) -> object:
    """Use words that were written in one language for both."""
    return {"en": value, "fr": value} if isinstance(value, str) else value


class Trait(Text):
    """A few words about a character; words in one language alone stand for both."""

    en: Annotated[str, StringConstraints(max_length=LONG, strip_whitespace=True)]
    fr: Annotated[str, StringConstraints(max_length=LONG, strip_whitespace=True)]


Words = Annotated[Trait, BeforeValidator(_in_both)]
Colour = Annotated[str, Field(pattern=r"^(#[0-9a-fA-F]{6})?$")]
PALETTE = ("#b5651d", "#7a4fa3", "#2f8f6b", "#2f6fb5", "#b03a5b", "#8a7a1f")
"""The colours, by seat, of characters whose sheets name none."""
NOTHING = Trait(en="", fr="")


class Persona(Frozen):
    """A character's manner: `secrets` are for the character and the DM alone.

    `color` is what pages and terminals show their name in, as `#b5651d`.
    """

    personality: Words = NOTHING
    voice: Words = NOTHING
    goals: Annotated[tuple[Words, ...], Field(max_length=4)] = ()
    bonds: Annotated[tuple[Words, ...], Field(max_length=4)] = ()
    secrets: Annotated[tuple[Words, ...], Field(max_length=4)] = ()
    color: Colour = Field(default="", exclude_if=lambda color: not color)
