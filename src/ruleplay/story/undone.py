"""What a message wanted besides and there was no room for: why, and how it is said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ruleplay.story.texts import Lang, Text, texts_in

Undone = Literal[
    "",
    "vain",
    "fight",
    "over",
    "ended",
    "turn",
    "minor",
    "later",
    "far",
    "barred",
    "moment",
    "ready",
]
"""Why something is left undone: what it followed was in vain, a fight broke out or is over, the
story or the turn has ended, what is left of the turn is not enough for it, it is somebody else's
turn, the way led too far for one turn, foes stand in it, the moment it was readied for has not
come, or it is held ready for one."""
QUOTED = Text(en="“{0}”", fr="«\u00a0{0}\u00a0»")


def told(texts: Sequence[str], why: Undone, lang: Lang) -> str:
    """Return what is said of it: all of it, in the words of whoever wanted it, with the reason."""
    text = texts_in("ruleplay.story", "undone.json")[why or "open"]
    return text.of(lang).format(what=quoted(texts, lang))


def quoted(texts: Sequence[str], lang: Lang) -> str:
    """Return several words of somebody's, each in quotation marks."""
    return ", ".join(QUOTED.of(lang).format(one) for one in texts)
