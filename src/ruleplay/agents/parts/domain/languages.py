"""Recognises a message's language by its function words, else by the trained classifier."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from ruleplay.agents.parts.domain.frozen import Frozen
from ruleplay.agents.parts.domain.tables import read_table
from ruleplay.agents.parts.domain.tokens import read_words
from ruleplay.hearing.classifier import load

SURE = 0.9
"""Least probability of the classifier's answer, where function words are not decisive."""
FEW = 8
"""A message of at most this many words stays in the current language if it has a function word of
it."""
_SPACED = re.compile(r"\w\s+[?!;:](?!\w)")
"""French typography puts a space before these marks."""
FEWEST = 3
"""Fewest words without digits from which a language is recognised."""


class _Languages(Frozen):
    """The schema of `languages.toml`."""

    en: tuple[str, ...]
    fr: tuple[str, ...]
    es: tuple[str, ...]


@cache
def _table() -> dict[str, frozenset[str]]:
    words = read_table("languages.toml", _Languages)
    return {name: frozenset(getattr(words, name)) for name in _Languages.model_fields}


def language_of(message: str, current: str = "en") -> str:
    """Recognise the language of a message; `current` if too little of it is decisive."""
    words = [word.text.strip("'’") for word in read_words(message)]
    counts = {name: sum(word in known for word in words) for name, known in _table().items()}
    counts["fr"] += any(map(str.isalpha, words)) and bool(_SPACED.search(message))
    best = max(counts.values())
    leading = [name for name, count in counts.items() if count == best]
    if best and current in leading:
        return current
    # A lead of one function word over the current language proves nothing.
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
