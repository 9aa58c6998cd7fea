"""Safety tools, opt-in and visible to all: lines, veils and the X card.

A line is never played, a veil is passed over without detail, and the card stops the scene until
the table says that it goes on. The one who plays it owes nobody a reason.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ruleplay.agents.party.domain.texts import Frozen, Lang, Text, words_of

ENTRIES, LONG = 12, 80
PASSED_OVER = Text(en="(The table passes over this.)", fr="(La table passe là-dessus.)")
_BETWEEN = re.compile(r"(?<=[.!?…])([»”\"’]*\s+)")


class Safety(Frozen):
    """What the table agreed on; `on` once somebody opted in."""

    on: bool = False
    lines: tuple[str, ...] = ()
    veils: tuple[str, ...] = ()


def crossed(text: str, safety: Safety) -> tuple[str, ...]:
    """Return the lines that a text crosses: all words of the line occur in it, in any form."""
    if not safety.on:
        return ()
    said = words_of(text)
    return tuple(line for line in safety.lines if _occurs(words_of(line), said))


def veiled(text: str, safety: Safety) -> bool:
    """Tell whether a text touches what is to be passed over without detail."""
    return safety.on and any(_occurs(words_of(veil), words_of(text)) for veil in safety.veils)


def touched(text: str, safety: Safety) -> bool:
    """Tell whether a text crosses a line or touches a veil."""
    return bool(crossed(text, safety)) or veiled(text, safety)


def spared(text: str, safety: Safety, lang: Lang) -> str:
    """Return a text as this table may hear it.

    Sentences that cross a line are left out, and what touches a veil is passed over in a word; so
    is a text of which nothing else would be left.
    """
    if not text or not touched(text, safety):
        return text
    kept: list[str] = []
    passed = PASSED_OVER.of(lang)
    parts = _BETWEEN.split(text)
    for said, gap in zip(parts[::2], [*parts[1::2], ""], strict=True):
        if crossed(said, safety):
            continue
        if veiled(said, safety):
            if not kept or not kept[-1].startswith(passed):
                kept.append(passed + (re.sub(r"\S", "", gap) or " "))
            continue
        kept.append(said + gap)
    return "".join(kept).strip() or passed


def _occurs(words: Sequence[str], said: Sequence[str]) -> bool:
    # "spider" is meant to find "spiders", "araignée" also "araignées".
    return bool(words) and all(any(s.startswith(w) for s in said) for w in words)
