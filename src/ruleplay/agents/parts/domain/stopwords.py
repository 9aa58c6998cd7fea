"""Common words, which are neither part of a number nor useful for finding a part."""

from __future__ import annotations

import re

from ruleplay.agents.parts.domain.tables import read_words_of

_WORD = re.compile(r"[^\W_]+")

COMMON = read_words_of("common.txt")


def search_terms(description: str) -> tuple[str, ...]:
    """List the words of a description that are worth searching for, each once, at most 12."""
    words = (word.casefold() for word in _WORD.findall(description[:2000]))
    kept = dict.fromkeys(word for word in words if len(word) > 1 and word not in COMMON)
    return tuple(kept)[:12]
