"""Report what a message asked for and was not done, with the reason."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from ruleplay.story.texts import Lang, Text, texts_in

Undone = Literal[
    "",
    "hangs",
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
    "stunned",
    "gone",
    "unknown",
]
"""Reasons, in this order: unknown; the answer that it hangs on is still open, which `what` says
in sentences; what it depended on was in vain; a fight broke out; a fight is over; the story has
ended; the turn has ended; the turn has no minor action left; it is somebody else's turn; the way
is too far for one turn; foes bar the way; the moment that it was readied for has not come; it is
readied; whoever wanted it is stunned; whom it was meant for has gone; it names something that is
not here."""
QUOTED = Text(en="“{0}”", fr="«\u00a0{0}\u00a0»")
WITHIN = Text(en="‘\\1’", fr="“\\1”")
"""Quotation marks of each language, and those within a quotation, around the first group."""
ENDS = tuple(".!?…»”")
# Bounded, so that a thousand opening marks are not each searched for their end.
SPOKEN = re.compile(r"(?:\"|“|«\s?)([^\"”»]{0,300}?)(?:\"|”|\s?»)")
IN_VAIN = texts_in("ruleplay.story", "vain.json")
"""Why an act is in vain, by the reasons that all stories word alike."""


def told(texts: Sequence[str], why: Undone, lang: Lang) -> str:
    """Say what is left undone, in the words of whoever wanted it, with the reason."""
    if why == "hangs":
        return " ".join(sentence(one) for one in texts if one.strip())
    text = texts_in("ruleplay.story", "undone.json")[why or "open"]
    return text.of(lang).format(what=quoted(texts, lang))


def sentence(text: str) -> str:
    """Write a text as a sentence: a capital first, and an end."""
    bare = text.strip()
    return f"{bare[:1].upper()}{bare[1:]}{'' if bare[-1:] in ENDS else '.'}"


def quoted(texts: Sequence[str], lang: Lang) -> str:
    """Quote several texts, separated by commas."""
    return ", ".join(QUOTED.of(lang).format(SPOKEN.sub(WITHIN.of(lang), one)) for one in texts)
