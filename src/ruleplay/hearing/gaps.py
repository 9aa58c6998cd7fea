"""Guesses what an unknown word in a sentence names: a player, a boss, an ability.

A question about an unknown "Bobo" must not be answered as one about everybody. A word that no
training example has, in a position where examples have a name, is taken for an unknown name. The
positions are learned from the marks in `training/`, each with three words on either side.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz, process

from ruleplay.hearing.classifier import Classifier, fold

GAP = "<gap>"
MORE = "<more>"
"""Stands for words beyond the window, so that its edge is not mistaken for the sentence's."""
NEAR = 3
"""Words of the window on either side of a gap."""
SHORTEST = 4
"""Fewest letters of a word that may be a name; shorter unknown words are mostly typos."""
LIKE = 84
"""Least similarity, out of 100, at which a word counts as a known one misspelt."""
WORD = "word"
"""The label of a gap that contained an ordinary word."""
_TOKEN = re.compile(r"<\w+>|[^\W_]+|[?!]")


@dataclass(frozen=True)
class Unknown:
    """A name that is not known here: the kind it seems to name, and its words."""

    kind: str
    text: str
    sure: float


def tokens(text: str) -> list[str]:
    """Split a folded text into words, marks, question marks and exclamation marks."""
    return _TOKEN.findall(fold(text))


def window(said: Sequence[str], start: int, end: int) -> str:
    """Return the words around a gap, with a mark for the gap."""
    before, after = said[max(0, start - NEAR) : start], said[end : end + NEAR]
    cut = [MORE] if start > NEAR else []
    return " ".join([*cut, *before, GAP, *after, *([MORE] if end + NEAR < len(said) else [])])


def unknown_names(
    said: Sequence[str],
    known: Collection[str],
    places: Classifier,
    sure: float,
    partly: Collection[str] = (),
    kinds: Collection[str] = (),
) -> Iterator[Unknown]:
    """Yield runs of unknown words in positions of names; in `said`, known names are marks.

    `known` are words that are no names. `partly` are words of known names: one of them alone is not
    an unknown name, but two of different names are ("expose armor"). `kinds` restricts what a name
    may be of, unless empty.
    """
    at = 0
    while at < len(said):
        end = at
        while end < len(said) and _is_strange(said[end], known):
            end += 1
        # A single word of a known name is an abbreviation of it, not a new name.
        if end - at > 1 or any(word not in partly for word in said[at:end]):
            guesses = places.read(window(said, at, end))["name"]
            # Even with `kinds`, the most likely label decides whether it is a name at all.
            able = (one for one in guesses if not kinds or one.label in kinds)
            guess = next(able, guesses[0])
            if guesses[0].label != WORD and guess.label != WORD and guess.sure >= sure:
                yield Unknown(guess.label, " ".join(said[at:end]), guess.sure)
        at = max(end, at + 1)


def strange_words(said: Sequence[str], known: Collection[str]) -> tuple[str, ...]:
    """List the longer words that are not in `known`."""
    return tuple(word for word in said if _is_strange(word, known))


def _is_strange(word: str, known: Collection[str]) -> bool:
    return len(word) >= SHORTEST and word.isalpha() and not _spelt(word, frozenset(known))


@lru_cache(4096)
def _spelt(word: str, known: frozenset[str]) -> bool:
    """Whether a word is known, possibly misspelt."""
    if word in known:
        return True
    # Typos seldom affect the first letter, and "sunder" is not "under".
    alike = [one for one in known if one[:1] == word[:1]]
    return process.extractOne(word, alike, scorer=fuzz.ratio, score_cutoff=LIKE) is not None
