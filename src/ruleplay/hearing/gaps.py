"""What an unknown word of a sentence is likely to name: a player, a boss, an ability.

Whoever is asked about "Bobo" must not answer about everybody. A word that no wording has, in a
place where wordings have a name, is a name that is not known here. The places are learnt from the
marks in `training/`: each is shown with three words at either side.
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
"""Stands for the words that are not shown, so that a cut is not taken for the sentence's end."""
NEAR = 3
"""Words shown at either side of a gap."""
SHORTEST = 4
"""Letters of a word that may be a name: shorter ones are mostly slips."""
LIKE = 84
"""How like a known word a misspelt one is, of 100."""
WORD = "word"
"""The label of a gap that held an ordinary word."""
_TOKEN = re.compile(r"<\w+>|[^\W_]+|[?!]")


@dataclass(frozen=True)
class Unknown:
    """A name that is nobody's and nothing's here: what it seems to name, and its words."""

    kind: str
    text: str
    sure: float


def tokens(text: str) -> list[str]:
    """Return the words, marks, question and exclamation marks of a text, folded."""
    return _TOKEN.findall(fold(text))


def window(said: Sequence[str], start: int, end: int) -> str:
    """Return the words around a gap, the gap as a mark."""
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
    """Yield runs of unknown words that stand where names do; `said` has known names as marks.

    `partly` are words of known names: one of them alone is no unknown name, two of different names
    are ("expose armor"). `kinds` are those that a name may be of, where not all.
    """
    at = 0
    while at < len(said):
        end = at
        while end < len(said) and _is_strange(said[end], known):
            end += 1
        if end - at > 1 or any(word not in partly for word in said[at:end]):
            guesses = places.read(window(said, at, end))["name"]
            able = (one for one in guesses if not kinds or one.label in kinds)
            guess = next(able, guesses[0])
            if guesses[0].label != WORD and guess.label != WORD and guess.sure >= sure:
                yield Unknown(guess.label, " ".join(said[at:end]), guess.sure)
        at = max(end, at + 1)


def strange_words(said: Sequence[str], known: Collection[str]) -> tuple[str, ...]:
    """Return the longer words that are none of `known`."""
    return tuple(word for word in said if _is_strange(word, known))


def _is_strange(word: str, known: Collection[str]) -> bool:
    return len(word) >= SHORTEST and word.isalpha() and not _spelt(word, frozenset(known))


@lru_cache(4096)
def _spelt(word: str, known: frozenset[str]) -> bool:
    """Whether a word is known, or a known one with a slip."""
    if word in known:
        return True
    # A slip seldom takes the first letter: "sunder" is no "under".
    alike = [one for one in known if one[:1] == word[:1]]
    return process.extractOne(word, alike, scorer=fuzz.ratio, score_cutoff=LIKE) is not None
