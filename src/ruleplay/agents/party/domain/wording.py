"""Whether words are alike: endings left open, one slip of the pen forgiven."""

from __future__ import annotations

from functools import lru_cache

from ruleplay.story.texts import words_of

SLIP_FROM = 5
"""Words of this many letters on may have one letter wrong, missing, added or swapped."""
MEANT = frozenset(("passe", "pause", "sneak", "sneaks", "speak", "staff", "stuff"))
"""Words that are one letter apart and meant as they are written."""
SMALL = frozenset((
    "a", "an", "the", "of", "to", "with", "at", "on", "in", "into", "my", "his", "her",
    "their", "its", "and", "or", "un", "une", "le", "la", "les", "l", "de", "des", "du", "d",
    "au", "aux", "avec", "sur", "dans", "en", "mon", "ma", "mes", "son", "sa", "ses", "et",
    "ou", "i", "je", "j", "me", "m", "se", "s", "it", "that", "this",
))  # fmt: skip
"""Words that say nothing about what is meant."""


def content(text: str) -> tuple[str, ...]:
    """Return the folded words of a text that mean something."""
    return tuple(word for word in words_of(text) if word not in SMALL)


@lru_cache(maxsize=65536)
def alike(word: str, pattern: str) -> bool:
    """Tell whether a word is the pattern, perhaps with a slip; `*` leaves the ending open."""
    stem = pattern.removesuffix("*")
    slips = len(stem) >= SLIP_FROM and word not in MEANT
    if pattern.endswith("*"):
        return (
            word.startswith(stem)
            or (
                slips
                and len(stem) > SLIP_FROM  # shorter beginnings are too much like other words
                and any(_slip(word[:n], stem) for n in range(len(stem) - 1, len(stem) + 2))
            )
        )
    if word == stem or (len(stem) > 3 and word in (f"{stem}s", f"{stem}x", f"{stem}es")):
        return True
    return slips and _slip(word, stem)


def _slip(word: str, stem: str) -> bool:
    """Tell whether one letter other, more, less or two swapped turn one into the other."""
    if abs(len(word) - len(stem)) > 1 or word[:1] != stem[:1]:
        return False
    at = next((n for n, (a, b) in enumerate(zip(word, stem, strict=False)) if a != b), None)
    if at is None:
        return True
    if len(word) == len(stem):
        swapped = word[at : at + 2] == stem[at : at + 2][::-1]
        return word[at + 1 :] == stem[at + 1 :] or (swapped and word[at + 2 :] == stem[at + 2 :])
    longer, shorter = (word, stem) if len(word) > len(stem) else (stem, word)
    return longer[at + 1 :] == shorter[at:]


def place_of(words: tuple[str, ...], phrase: tuple[str, ...]) -> int | None:
    """Return where a phrase stands in words, slips allowed; None when it does not."""
    size = len(phrase)
    for at in range(len(words) - size + 1):
        if all(alike(w, p) for w, p in zip(words[at : at + size], phrase, strict=True)):
            return at
    return None


def share(words: tuple[str, ...], phrase: tuple[str, ...]) -> float:
    """Return how much of a phrase was said, in any order: 0 to 1."""
    if not phrase:
        return 0.0
    return sum(any(alike(w, p) for w in words) for p in phrase) / len(phrase)
