"""Safety tools, opt-in and visible to all: lines, veils and the X card.

A line is never played, a veil is skipped without detail, and the card stops the scene until the
table resumes. Whoever plays it owes no explanation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import JsonValue

from ruleplay.story.texts import Frozen, Lang, Text, fold, words_of

ENTRIES, LONG = 12, 80
PASSED_OVER = Text(en="(The table passes over this.)", fr="(La table passe là-dessus.)")
LEFT_UNTOLD = Text(en="(something left untold)", fr="(quelque chose de passé sous silence)")
NAMES = frozenset({"concentration", "label", "message", "name", "title", "what"})
TEXTS = frozenset({"bonds", "goals", "payoff", "personality", "recap", "text", "voice"})
"""The shown fields that hold names, and those that hold sentences; the others hold ids."""
SMALL = frozenset((
    "a", "an", "the", "of", "to", "with", "at", "on", "in", "into", "my", "his", "her",
    "their", "its", "and", "or", "un", "une", "le", "la", "les", "l", "de", "des", "du", "d",
    "au", "aux", "avec", "sur", "dans", "en", "mon", "ma", "mes", "son", "sa", "ses", "et",
    "ou", "i", "je", "j", "me", "m", "se", "s", "it", "that", "this",
))  # fmt: skip
"""Words that carry no meaning for the comparison."""
PREFIX = 3
"""The length from which an entry also matches longer words that start with it."""
_WORD = re.compile(r"[^\W_]+")
_BETWEEN = re.compile(r"(?<=[.!?…])([»”\"’]*\s+)")


class Safety(Frozen):
    """What the table agreed on; `on` once somebody opted in."""

    on: bool = False
    lines: tuple[str, ...] = ()
    veils: tuple[str, ...] = ()


def crossed(text: str, safety: Safety) -> tuple[str, ...]:
    """Return the lines that a text crosses: all of a line's words occur in it, inflected or not."""
    if not safety.on:
        return ()
    said = words_of(text)
    return tuple(line for line in safety.lines if _occurs(words_of(line), said))


def veiled(text: str, safety: Safety) -> bool:
    """Whether a text touches a veil."""
    return safety.on and any(_occurs(words_of(veil), words_of(text)) for veil in safety.veils)


def touched(text: str, safety: Safety) -> bool:
    """Whether a text crosses a line or touches a veil."""
    return bool(crossed(text, safety)) or veiled(text, safety)


def spared(text: str, safety: Safety, lang: Lang) -> str:
    """Return a text with what the table has agreed not to hear removed.

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


def unnamed(name: str, safety: Safety, lang: Lang) -> str:
    """Return a name or label in which the words that the table excluded are replaced.

    The result still tells things apart, and what it stands for stays the same.
    """
    if not touched(name, safety):
        return name
    instead, said = LEFT_UNTOLD.of(lang), words_of(name)
    agreed = [words_of(entry) for entry in (*safety.lines, *safety.veils)]
    hushed = {word for entry in agreed if _occurs(entry, said) for word in entry} - SMALL
    text = _WORD.sub(lambda found: instead if _is_one(fold(found[0]), hushed) else found[0], name)
    mark = re.escape(instead)
    text = re.sub(rf"{mark}(?:\W{{1,3}}{mark})+", instead, text)
    return instead if touched(text.replace(instead, " "), safety) else text


def sieved(shown: JsonValue, safety: Safety, lang: Lang, field: str = "") -> JsonValue:
    """Return what a seat is shown without what the table agreed not to hear; ids stay as they are.

    The agreed lines and veils themselves stay visible to everybody.
    """
    if not safety.on or field == "safety":
        return shown
    if isinstance(shown, dict):
        return {key: sieved(value, safety, lang, key) for key, value in shown.items()}
    if isinstance(shown, list):
        return [sieved(one, safety, lang, field) for one in shown]
    if not isinstance(shown, str):
        return shown
    if field in NAMES:
        return unnamed(shown, safety, lang)
    return spared(shown, safety, lang) if field in TEXTS else shown


def _is_one(word: str, hushed: set[str]) -> bool:
    return any(word == one or (len(one) >= PREFIX and word.startswith(one)) for one in hushed)


def _occurs(words: Sequence[str], said: Sequence[str]) -> bool:
    # "spider" is meant to find "spiders", "araignée" also "araignées".
    return bool(words) and all(any(s.startswith(w) for s in said) for w in words)
