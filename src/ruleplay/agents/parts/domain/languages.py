"""Which language a message is in: told by its small words, else as the reader has learnt it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from ruleplay.agents.parts.domain.frozen import Frozen
from ruleplay.agents.parts.domain.tables import read_table
from ruleplay.agents.parts.domain.tokens import read_words
from ruleplay.hearing.classifier import load

SURE = 0.9
"""How sure the reader has to be where small words leave it open."""
FEW = 8
"""Words of a message that stays in the language spoken so far where one of its small words does."""
_SPACED = re.compile(r"\w\s+[?!;:](?!\w)")
"""A space before such a mark is how French is written."""
FEWEST = 3
"""Words without numbers that tell a language."""


class _Languages(Frozen):
    """The contents of `languages.toml`."""

    en: tuple[str, ...]
    fr: tuple[str, ...]
    es: tuple[str, ...]


@cache
def _table() -> dict[str, frozenset[str]]:
    words = read_table("languages.toml", _Languages)
    return {name: frozenset(getattr(words, name)) for name in _Languages.model_fields}


def language_of(message: str, current: str = "en") -> str:
    """Return the language of a message; the one spoken so far where too little of it tells."""
    words = [word.text.strip("'’") for word in read_words(message)]
    counts = {name: sum(word in known for word in words) for name, known in _table().items()}
    counts["fr"] += any(map(str.isalpha, words)) and bool(_SPACED.search(message))
    best = max(counts.values())
    leading = [name for name, count in counts.items() if count == best]
    if best and current in leading:
        return current
    # One small word more than the language spoken so far has is no telling difference.
    far = best - counts[current] > 1 if counts.get(current) else True
    if len(leading) == 1 and far:
        return leading[0]
    own = counts.get(current, 0) and len(words) <= FEW
    return current if own else _learnt(message, words, current)


def _learnt(message: str, words: Sequence[str], current: str) -> str:
    if sum(word.isalpha() for word in words) < FEWEST:
        return current
    tongue = load("ruleplay.agents.parts", "reader.bin").read(message)["tongue"][0]
    return tongue.label if tongue.sure >= SURE else current
