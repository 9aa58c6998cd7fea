"""Reads numbers written in words, in English and French: "twenty-three", "une douzaine", "half"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

_UNITS = """zero|zéro one|un two|deux three|trois four|quatre five|cinq six|six seven|sept
    eight|huit nine|neuf ten|dix eleven|onze twelve|douze thirteen|treize fourteen|quatorze
    fifteen|quinze sixteen|seize seventeen|dix-sept eighteen|dix-huit nineteen|dix-neuf"""
_TENS = {
    "twenty vingt": 20, "thirty trente": 30, "forty quarante": 40, "fifty cinquante": 50,
    "sixty soixante": 60, "seventy septante": 70, "eighty huitante octante": 80,
    "quatre-vingt quatre-vingts": 80, "ninety nonante": 90,
}  # fmt: skip
_SCALES = {
    "dizaine": 10, "dozen": 12, "douzaine": 12, "quinzaine": 15, "vingtaine": 20, "trentaine": 30,
    "hundred": 100, "cent": 100, "cents": 100, "centaine": 100, "thousand": 1000, "mille": 1000,
    "millier": 1000, "million": 10**6, "millions": 10**6, "billion": 10**9, "milliard": 10**9,
    "milliards": 10**9,
}  # fmt: skip
SPOKEN = {
    **dict.fromkeys(("half", "halves", "moitié", "demi", "demie"), Fraction(1, 2)),
    **dict.fromkeys(("quarter", "quarters", "quart", "quarts"), Fraction(1, 4)),
    **dict.fromkeys(("thirds", "tiers"), Fraction(1, 3)),
    **dict.fromkeys(("twice", "double", "doubled", "doubles"), Fraction(2)),
    **dict.fromkeys(("thrice", "triple", "tripled"), Fraction(3)),
    "fifths": Fraction(1, 5),
    "quadruple": Fraction(4),
}
"""Fractions and multiples."""
ONE = frozenset(("one", "un", "une", "a", "an"))
_HALVES = (["and", "a", "half"], ["et", "demi"], ["et", "demie"])


def _below_100() -> Iterator[tuple[str, int]]:
    """Yield what the numbers below 100 are called."""
    units = [name for pair in _UNITS.split() for name in pair.split("|")]
    yield "une", 1
    yield from ((name, at // 2) for at, name in enumerate(units))
    for tens, value in ((word, value) for words, value in _TENS.items() for word in words.split()):
        yield tens, value
        # In French, 60 and 80 go on to 79 and 99: "soixante et onze", "quatre-vingt-dix-sept".
        for at, unit in enumerate(units[2:], 2):
            yield from ((f"{tens} {said}", value + at // 2) for said in (unit, f"et {unit}"))
        yield f"{tens} et une", value + 1


_SMALL = {tuple(name.replace("-", " ").split()): value for name, value in _below_100()}
_LONGEST = max(map(len, _SMALL))


class Read(NamedTuple):
    """A number found in a list of words: its value, and how many words it spans."""

    value: Fraction
    size: int


def spelled(words: Sequence[str], at: int) -> Read | None:
    """Read a number in words that starts at `words[at]`.

    A lone "one" or "a" is not a number, since only the caller knows whether a unit follows.
    """
    if words[at] in SPOKEN:
        return Read(SPOKEN[words[at]], 1)
    total, group, opens = Fraction(0), Fraction(0), True
    place = at + (words[at] in ("a", "an"))
    while place < len(words):
        # "Two hundred and five": after a hundred or a thousand, a smaller number may follow.
        start = place + (opens and place > at and words[place] == "and")
        if opens and (small := _small(words, start)):
            group, place, opens = group + small.value, start + small.size, False
            continue
        scale = _SCALES.get(words[place], 0)
        # "Million" alone is no number, and "ten cents" are money.
        alone = place == at and (scale >= 10**6 or words[place] == "cents")
        if not scale or alone or (words[place] == "cents" and group > 9):
            break
        group = (group or Fraction(1)) * scale
        if scale >= 1000:
            total, group = total + group, Fraction(0)
        place, opens = place + 1, scale >= 100
    if {*words[at:place]} <= ONE:
        return None
    return _with_fraction(words, at, Read(total + group, place - at))


def _small(words: Sequence[str], at: int) -> Read | None:
    """Read the longest number below 100 that starts at `words[at]`."""
    for size in range(_LONGEST, 0, -1):
        value = _SMALL.get(tuple(words[at : at + size]))
        if value is not None and at + size <= len(words):
            return Read(Fraction(value), size)
    return None


def _with_fraction(words: Sequence[str], at: int, read: Read) -> Read:
    """Add "and a half" or "et demi", or turn "two thirds" into a fraction."""
    rest = words[at + read.size : at + read.size + 3]
    for half in _HALVES:
        if rest[: len(half)] == half:
            return Read(read.value + Fraction(1, 2), read.size + len(half))
    share = SPOKEN.get("".join(rest[:1]), 1)
    if share < Fraction(1, 2):
        return Read(read.value * share, read.size + 1)
    return read
