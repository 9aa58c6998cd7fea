"""The words of a message: folded so that spellings compare, with spans, cut into phrases."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

READ_WORDS = 20_000
"""Forty pages; what a message says beyond them is not read, so that reading always ends soon."""

_WORD_AT_MOST = 50
"""Characters of a word and what follows it, as a rule."""

_WORD = re.compile(
    # French elision: "l'eau", "n'est" and "qu'elle" are two words each, "don't" is one.
    r"\b(?:[cdjlmnst]|(?:jus|lors|puis)?qu)['’‘`´](?=[aeiouyhàâéèêîôû])"
    r"|[^\W_]+(?:['’‘`´][^\W_]+)*",
    re.IGNORECASE,
)
_APOSTROPHES = re.compile(r"['’‘`´]")
_CUT_MARKS = re.compile(r"[;!?\n():…,\"“”]|\.(?=\s|\.|$)|\s[-–—+]+\s|--|—")
_CUT_WORDS = frozenset(
    (
        *("although", "because", "but", "cause", "causing", "during", "however"),
        *("if", "since", "so", "then", "though", "until", "when"),
        *("whenever", "where", "which", "while", "yet"),
        *("mais", "parce", "car", "donc", "quand", "lorsque", "pero", "porque", "cuando"),
    )
)


class Word(NamedTuple):
    """One word: its folded form, its span in the message, and which phrase it is in."""

    text: str
    start: int
    end: int
    phrase: int


class Mention(NamedTuple):
    """Words `first` to `last` (inclusive indexes) stand for a concept."""

    first: int
    last: int


def fold(word: str) -> str:
    """Bring a word into the form that is compared: "Won’t" is "WONT", and "gelé" is "gele"."""
    low = _APOSTROPHES.sub("", word.casefold())
    if low.isascii():
        return low
    bare = unicodedata.normalize("NFD", low)
    return "".join(char for char in bare if not unicodedata.combining(char)).replace("œ", "oe")


def read_words(message: str) -> tuple[Word, ...]:
    """Read the first `READ_WORDS` words; a comma, a full stop or "but" begins a new phrase."""
    words: list[Word] = []
    phrase, before = 0, 0
    for match in _WORD.finditer(message):
        text = fold(match[0])
        cut = text in _CUT_WORDS or _CUT_MARKS.search(message, before, match.start())
        phrase += bool(cut)
        words.append(Word(text, match.start(), match.end(), phrase))
        before = match.end()
        if len(words) == READ_WORDS:
            break
    return tuple(words)


def words_before(message: str, end: int, most: int) -> list[str]:
    """Return the last words before a place, folded; of a long message only its end is read."""
    begin = max(0, end - most * _WORD_AT_MOST)
    words = [fold(match[0]) for match in _WORD.finditer(message[begin:end])]
    return words[1:][-most:] if begin else words[-most:]
