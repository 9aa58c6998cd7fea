"""Finds numbers that are read out in words: "W ten two nine five", "six double five K two"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from ruleplay.agents.parts.domain.ids import LONGEST, MAX_CANDIDATES, MAX_SCANNED, Candidate
from ruleplay.agents.parts.domain.numbers import normal
from ruleplay.telling.number_words import ONE, SPOKEN, spelled

_ATOM = re.compile(r"[^\W_]+")
_DICTATED = re.compile(r"[ .,-]{1,2}")
_PIECES_SAID, _SIGNS_SAID = 4, 6
"""Fewest pieces and signs of a number that is read out with numbers in words."""
_LETTERS = 3
"""Most capital letters that are read out as one: "EDR one"."""


def read_out(message: str) -> tuple[Candidate, ...]:
    """Propose the numbers that a message reads out, at most `MAX_CANDIDATES`."""
    return tuple(islice(_runs(message[:MAX_SCANNED]), MAX_CANDIDATES))


def _runs(message: str) -> Iterator[Candidate]:
    atoms = [*_ATOM.finditer(message)]
    words = [atom[0].casefold() for atom in atoms]
    at = 0
    while at < len(atoms):
        first, signs, in_words = at, list[str](), False
        while at < len(atoms) and not (at > first and _parted(message, atoms[at - 1], atoms[at])):
            if at == first and atoms[at][0] in ("a", "i"):
                break  # an article
            value, size = _piece(words, at, atoms[at][0])
            if not value:
                break
            in_words = in_words or (len(words[at]) > 1 and words[at].isalpha() and value.isdigit())
            signs.append(value)
            at += size
        folded = normal("".join(signs))
        if in_words and len(signs) >= _PIECES_SAID and _SIGNS_SAID <= len(folded) <= LONGEST:
            start, end = atoms[first].start(), atoms[at - 1].end()
            yield Candidate(text=message[start:end], start=start, end=end, normal=folded)
        at = max(at, first + 1)


def _parted(message: str, before: re.Match[str], after: re.Match[str]) -> bool:
    return not _DICTATED.fullmatch(message, before.end(), after.start())


def _piece(words: Sequence[str], at: int, typed: str) -> tuple[str, int]:
    """Read one piece of a number that is read out, and how many words it takes; "" if none is."""
    times = int(SPOKEN.get(words[at], 1))
    if times > 1 and at + 1 < len(words) and words[at + 1] not in SPOKEN:
        value, size = _piece(words, at + 1, words[at + 1])
        return value * times, size + 1
    if len(typed) == 1 or typed.isdigit() or (typed.isupper() and len(typed) <= _LETTERS):
        return typed, 1
    if read := spelled(words, at):
        return (str(read.value), read.size) if read.value.denominator == 1 else ("", 0)
    return ("1", 1) if words[at] in ONE else ("0", 1) if words[at] == "oh" else ("", 0)
