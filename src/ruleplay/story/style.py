"""How a story is told: tone, length, person, tense, rating, and topics that must not come up.

Lines and veils are safety tools of tabletop games: a line is never crossed, what is veiled happens
out of sight.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field

from ruleplay.story.acts import Frozen
from ruleplay.story.texts import plain, words_of

Tone = Literal["plain", "warm", "wry", "grim", "epic"]
Length = Literal["short", "medium", "long"]
LENGTHS: dict[Length, str] = {
    "short": "one or two paragraphs of two to four sentences",
    "medium": "two or three paragraphs, 120 to 200 words in all",
    "long": "three to five paragraphs, 300 to 500 words in all",
}
RATINGS = {
    "everyone": "nothing a child should not read",
    "teen": "violence without gore, no sex",
    "mature": "as the story needs it, never for its own sake",
}
FEWEST, TOPIC, TOPICS = 2, 60, 12
"""Fewest and most characters of a topic, and most topics that are kept."""
Topic = Annotated[str, Field(min_length=FEWEST, max_length=TOPIC)]


class Style(Frozen):
    """How it is told. `lines` never come up; `veils` may happen, out of sight."""

    tone: Tone = "plain"
    length: Length = "short"
    person: Literal["second", "third"] = "second"
    tense: Literal["present", "past"] = "present"
    rating: Literal["everyone", "teen", "mature"] = "teen"
    lines: tuple[Topic, ...] = Field(default=(), max_length=TOPICS)
    veils: tuple[Topic, ...] = Field(default=(), max_length=TOPICS)

    def without(self, topic: str, otherwise: str = "") -> Style:
        """Add a topic to the lines; `otherwise` is added if the topic is empty or too short."""
        named = " ".join(topic.split())[:TOPIC].strip()
        said = named if len(named) >= FEWEST else otherwise
        lines = tuple(filter(None, dict.fromkeys((*self.lines, said))))[-TOPICS:]
        return self.model_copy(update={"lines": lines})

    def with_(self, word: str) -> Style | None:
        """Change the setting that has a value such as `grim` or `long`; None if none has it."""
        named = ("tone", "length", "rating", "tense", "person")
        for name in named:
            if word in get_args(type(self).model_fields[name].annotation):
                return self.model_copy(update={name: word})
        return None


def instructions(style: Style, *, name: str) -> str:
    """Word the style for a prompt; `name` is the player's character."""
    address = f"as you, {name} being the player" if style.person == "second" else "by name"
    said = [
        f"Tone: {style.tone}. Length: {LENGTHS[style.length]}. Tense: {style.tense}.",
        f"The player's character is spoken of {address}. Rating: {RATINGS[style.rating]}.",
    ]
    if style.lines:
        said.append(f"Never mention: {', '.join(style.lines)}.")
    if style.veils:
        said.append(f"Keep out of sight, at most hint at: {', '.join(style.veils)}.")
    return "\n".join(said)


def crossed(text: str, style: Style) -> str:
    """Return the first line that a text crosses, empty if none.

    All long words of the line must occur, in singular or plural.
    """
    said = plain(text).replace("'", " ")
    for line in style.lines:
        words = [word for word in words_of(line) if len(word) > 2]
        if words and all(f" {word.rstrip('s')}" in said for word in words):
            return line
    return ""
