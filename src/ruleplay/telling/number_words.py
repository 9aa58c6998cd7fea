"""Reads numbers written in words, in English and French: "twenty-three", "une douzaine", "half"."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple


def _table(text: str) -> dict[str, int]:
    pairs = (entry.split("=") for entry in text.split())
    return {word: int(value) for names, value in pairs for word in names.split("|")}


SMALL = _table(
    """zero|zéro=0 one|un|une=1 two|deux=2 three|trois=3 four|quatre=4 five|cinq=5 six=6
    seven|sept=7 eight|huit=8 nine=9 ten|dix=10 eleven|onze=11 twelve|douze=12
    thirteen|treize=13 fourteen|quatorze=14 fifteen|quinze=15 sixteen|seize=16 seventeen=17
    eighteen=18 nineteen=19"""
)
TENS = _table(
    """twenty|vingt|vingts=20 thirty|trente=30 forty|quarante=40 fifty|cinquante=50
    sixty|soixante=60 seventy|septante=70 eighty|huitante|octante=80 ninety|nonante=90"""
)
SCALES = _table(
    """dozen|douzaine=12 hundred|cent|cents=100 thousand|mille|k=1000 million|millions|m=1000000
    billion|milliard|milliards=1000000000 dizaine=10 quinzaine=15 vingtaine=20
    trentaine=30 centaine=100 millier=1000"""
)
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
_ABBREVIATED = frozenset(("k", "m", "cents"))


class Read(NamedTuple):
    """A number found in a list of words: its value, and how many words it spans."""

    value: Fraction
    size: int


def spelled(words: list[str], at: int) -> Read | None:
    """Read a number in words that starts at `words[at]`; hyphens are items of their own.

    A lone "one" or "a" is not a number, since only the caller knows whether a unit follows.
    """
    if words[at] in SPOKEN:
        return Read(SPOKEN[words[at]], 1)
    total, size = Fraction(0), 0
    current, last = 0, 1_000_000
    for index in range(at, len(words)):
        if words[index] in ("-", "and", "et") and size:
            if not _goes_on(words, index, last):
                break
        elif (step := _add(words[index], current, last, size)) is None:
            break
        else:
            done, current, last = step
            total, size = total + done, index + 1 - at
    if {*words[at : at + size]} <= ONE:
        return None  # "il a une avance" has two of them and no number
    return _with_fraction(words, at, total + current, size)


def _goes_on(words: list[str], index: int, last: int) -> bool:
    joiner, after = words[index : index + 2] if index + 1 < len(words) else ("", "")
    if joiner == "-":
        return after in SMALL or after in TENS or after in SCALES
    if joiner == "et":
        return last >= 20 and after in ("un", "une", "onze")
    return last >= 100 and (after in SMALL or after in TENS)


def _add(word: str, current: int, last: int, size: int) -> tuple[int, int, int] | None:
    """Add one number word: (finished thousands, current group, size of the last word)."""
    # French counts 80 as "quatre-vingts", that is, four twenties.
    if word in ("vingt", "vingts") and current % 100 == 4 and last == 4:
        return 0, current - 4 + 80, 20
    if word in TENS:
        return (0, current + TENS[word], 20) if last >= 100 else None
    if word in SMALL:
        value = SMALL[word]
        after_ten = last == 10 and 7 <= value <= 9  # dix-sept
        # In French "soixante-dix-sept" is 60 + 10 + 7.
        fits = last >= 100 or (last == 20 and 0 < value < 20) or after_ten
        return (0, current + value, value) if fits else None
    if word in SCALES and (size or word not in _ABBREVIATED) and last != 12:
        if word == "cents" and current >= 10:
            return None  # "ten cents" is money, "deux cents" is 200
        scale = SCALES[word]
        # "Million" alone is no number, while "hundred" and "thousand" are said for 100 and 1000.
        if not size and scale in (1_000_000, 1_000_000_000):
            return None
        value = (current or 1) * scale
        return (value, 0, scale) if scale >= 1000 else (0, value, scale)
    if word in ("a", "an") and not size:
        return 0, 0, last
    return None


def _with_fraction(words: list[str], at: int, value: Fraction, size: int) -> Read | None:
    """Add "and a half" or "et demi", or turn "two thirds" into a fraction."""
    rest = words[at + size : at + size + 3]
    if rest[:3] == ["and", "a", "half"]:
        return Read(value + Fraction(1, 2), size + 3)
    if rest[:2] in (["et", "demi"], ["et", "demie"]):
        return Read(value + Fraction(1, 2), size + 2)
    hyphen = rest[:1] == ["-"]
    fraction = "".join(rest[hyphen : hyphen + 1])
    if SPOKEN.get(fraction, 1) < 1 and (hyphen or fraction not in ("half", "demi")):
        return Read(value * SPOKEN[fraction], size + hyphen + 1)
    if value == 0 and words[at] in ("a", "an"):
        return None
    return Read(value, size)
