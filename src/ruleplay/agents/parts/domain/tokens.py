"""Splits a message into words with spans and phrase numbers, folded for comparison."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

READ_WORDS = 20_000
"""Words of a message that are read, about forty pages. The limit bounds the time that reading
takes."""

_WORD_AT_MOST = 50
"""An upper estimate of the characters of a word and the gap after it."""

_WORD = re.compile(
    # French elision: "l'eau", "n'est" and "qu'elle" are two words each, "don't" is one.
    r"\b(?:[cdjlmnst]|(?:jus|lors|puis)?qu)['’‘`´](?=[aeiouyhàâéèêîôû])"
    r"|[^\W_]+(?:['’‘`´][^\W_]+)*",
    re.IGNORECASE,
)
_APOSTROPHES = re.compile(r"['’‘`´]")
_CUT_MARKS = re.compile(r"[;!?\n():…,\"“”]|\.(?=\s|\.|$)|\s[-–—+]+\s|--|—")
# Like punctuation, these conjunctions begin a new phrase, and most patterns match within one.
_CUT_WORDS = frozenset(
    (
        *("although", "because", "but", "cause", "causing", "during", "however"),
        *("if", "since", "so", "then", "though", "until", "when"),
        *("whenever", "where", "which", "while", "yet"),
        *("mais", "parce", "car", "donc", "quand", "lorsque", "pero", "porque", "cuando"),
    )
)


class Word(NamedTuple):
    """A word: its folded form, its span in the message, and the number of its phrase."""

    text: str
    start: int
    end: int
    phrase: int


class Mention(NamedTuple):
    """A place where a concept is mentioned: words `first` to `last`, both inclusive."""

    first: int
    last: int


def fold(word: str) -> str:
    """Fold a word for comparison: case, apostrophes and accents do not count.

    "Won’t" becomes "wont", and "gelé" becomes "gele".
    """
    # Apostrophes are dropped, since many people do not type them: "wont leak".
    low = _APOSTROPHES.sub("", word.casefold())
    if low.isascii():
        return low
    # NFD separates accents from their letters, but keeps the ligature "œ".
    bare = unicodedata.normalize("NFD", low)
    return "".join(char for char in bare if not unicodedata.combining(char)).replace("œ", "oe")


@lru_cache(64)
def read_words(message: str, most: int = READ_WORDS) -> tuple[Word, ...]:
    """Split a message into words, at most so many.

    A comma, a full stop or a conjunction such as "but" begins a new phrase. The latest messages'
    words are kept, since everything that reads a message needs them.
    """
    words: list[Word] = []
    phrase, before = 0, 0
    for match in _WORD.finditer(message):
        text = fold(match[0])
        cut = text in _CUT_WORDS or _CUT_MARKS.search(message, before, match.start())
        phrase += bool(cut)
        words.append(Word(text, match.start(), match.end(), phrase))
        before = match.end()
        if len(words) == most:
            break
    return tuple(words)


def words_before(message: str, end: int, most: int) -> list[str]:
    """Return up to `most` folded words that stand before position `end`.

    Only the end of a long message is scanned, so the cost does not depend on its length.
    """
    begin = max(0, end - most * _WORD_AT_MOST)
    words = [fold(match[0]) for match in _WORD.finditer(message[begin:end])]
    # The first word may have been cut in half by `begin`.
    return words[1:][-most:] if begin else words[-most:]
