"""Reads the numbers in a text, and decides whether a number agrees with a value of the record.

A number agrees if it is the value rounded to the digits shown: 116,225 may be written as 116,200,
116k or 0.12 M. What is rounded by more than a unit is never more than 5 % off.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from ruleplay.telling.number_words import SPOKEN, spelled

MOST_OFF = 0.05
"""Largest relative difference between a rounded number and the value."""
COUNTABLE = 100
"""Below this, people count exactly, and the same small number occurs in many places."""
_GAP = "[ \u00a0\u202f]"
_NUMBER = re.compile(
    rf"""(?P<sign>(?<![\w.,)])[-−–](?=[$€£]?\d))?
    (?:(?P<money>[$€£]){_GAP}?)?
    (?P<digits>\d{{1,3}}(?:[.,’'\u00a0\u202f\ ]\d{{3}})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)?)
    (?:(?P<tail>:\d\d(?::\d\d)?(?:\.\d+)?)(?!\d))?""",
    re.VERBOSE,
)
_UNIT = re.compile(
    rf"""(?:{_GAP}(?:derni|premi)[èe]\w+\b)?(?:{_GAP}|-(?=second|minute))?(?:
    (?P<percent>%|per\ ?cent\b|pour\ cent\b|prozent\b)
    |(?P<s>s\b|secs?\b|seconds?\b|secondes?\b|sekunden?\b)
    |(?P<min>mins?\b|minutes?\b|minuten?\b|m(?=\d|{_GAP}\d+{_GAP}?s\b))
    |(?P<h>h\b|hrs?\b|hours?\b|heures?\b|stunden?\b)
    |(?P<k>k\b)|(?P<M>m\b|millions?\b|mio\b)
    |(?P<money>[$€£]|dollars?\b|euros?\b|usd\b)
    |(?P<x>x\b|×|-?fold\b|times\b|fois\b|mal\b)
    |(?P<th>st\b|nd\b|rd\b|th\b|er\b|re\b|e\b|ème\b))""",
    re.VERBOSE | re.IGNORECASE,
)
_GROUPED = re.compile(r"\d{1,3}([.,’'\u00a0\u202f ])\d{3}(?:\1\d{3})*(?:[.,]\d+)?\Z")
_HIDDEN = re.compile(r"(?<=\d)[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]+")
_ROMAN = re.compile(
    r"\b(?=[IVXLCDM]{2,}\b)(?=\w*[IVX])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})(?<=\w)\b"
    r"|\b[IVX]{2,}\b"
)
"""Roman numerals, but not "CD", "DM" or "LCD"."""
_DISGUISED = (
    (_HIDDEN, "write numbers without a gap"),
    (_ROMAN, "write Roman numerals in digits"),
)
_VERSION = re.compile(r"(?<![\w.,])\d{1,2}(?:\.\d{1,2}){2,}[a-z]?\b")
"""A version or a date in figures, such as "3.3.5a", which is not a measure."""
_TO = re.compile(r"\s*(?:to|à|bis|-|–|—)\s*", re.IGNORECASE)
_AND = re.compile(r"\s*(?:and|et|und)\s*", re.IGNORECASE)
BETWEEN = re.compile(r"\b(?:between|entre|zwischen)\s+$", re.IGNORECASE)
"""The word before the lower end of a range, or before "two" in "between two pulls"."""
_RESET = re.compile(r"\brem\w+ à $", re.IGNORECASE)
"""What comes before the zero of "une remise à zéro", which is no amount."""
_WORDS = re.compile(r"[^\W\d_]+")
_SECONDS = {"s": 1.0, "min": 60.0, "h": 3600.0}
_SCALES = {"k": 1e3, "M": 1e6}

Unit = Literal["", "%", "s", "$", "x", "th"]
_UNITS: Mapping[str, Unit] = {"percent": "%", "money": "$", "x": "x", "th": "th"}
Readings = tuple[tuple[float, float], ...]
"""The possible meanings of a number: values, each with the width of the interval that rounds to it.
"""


@dataclass(frozen=True)
class Number:
    """A number in a text: its possible readings and its unit.

    `odd` says why numbers may not be written like this. `word` marks numbers in words, and `spoken`
    fractions and multiples ("half", "twice").
    """

    start: int
    end: int
    text: str
    readings: Readings
    unit: Unit = ""
    odd: str = ""
    word: bool = False
    spoken: bool = False

    def agrees(self, value: float) -> bool:
        """Whether one reading is this value, rounded to the digits shown."""
        return any(_rounds(value, shown, width) for shown, width in self.readings)

    def nears(self, value: float) -> bool:
        """Whether it may be a round number for this value: "over twenty" is said of 21.75.

        A number of one significant digit may be a tenth off, one of two digits `MOST_OFF`. Small
        counts have to be exact.
        """
        if value == int(value) and abs(value) < COUNTABLE:
            return False
        digits = len(f"{self.value:g}".replace(".", "").strip("0-")) if self.value < 1e6 else 1
        off = {1: 2 * MOST_OFF, 2: MOST_OFF}.get(digits, 0.0)
        return any(0 < abs(value - shown) <= off * abs(value) for shown, _ in self.readings)

    @property
    def value(self) -> float:
        """The first reading."""
        return self.readings[0][0] if self.readings else 0.0


def _rounds(value: float, shown: float, width: float) -> bool:
    """Whether `value` rounds to `shown`, which has the given width."""
    if shown == 0 or value == 0:
        return shown == value
    most = width / 2 if width <= 1 else min(width / 2, MOST_OFF * abs(value))
    return abs(value - shown) <= most + 1e-9 * abs(value) + 1e-9


def fits(number: Unit, column: str) -> bool:
    """Whether a number with this unit can refer to a column's values."""
    if number in ("", "th"):
        return column in ("", "s", "$", "text", "name")
    if number == "x":
        # "Two times" can be a count like "two".
        return column in ("", "text")
    return number == column or (column == "text")


@lru_cache(4096)
def read(text: str) -> tuple[Number, ...]:
    """Read the numbers of a text in order; names have to be blanked before.

    The result is cached, since the same sentences and cells are read many times.
    """
    text = _VERSION.sub(lambda found: " " * len(found[0]), text)
    figures = [*_odd(text), *_digits(text)]
    # Number words that overlap figures have been read with them.
    taken = [(number.start, number.end) for number in figures]
    words = [w for w in _spelled(text) if not any(a < w.end and w.start < b for a, b in taken)]
    found = sorted([*figures, *words], key=lambda number: number.start)
    return tuple(_ranged(text, found))


def _ranged(text: str, numbers: list[Number]) -> list[Number]:
    """Give the lower end of a range the unit of the upper: "23.5 to 27.7 %", "entre 77 et 91 %"."""
    for at, (low, high) in enumerate(pairwise(numbers)):
        joint = text[low.end : high.start]
        ranges = _TO.fullmatch(joint) or (
            _AND.fullmatch(joint) and BETWEEN.search(text[: low.start])
        )
        if low.unit or not high.unit or not ranges:
            continue
        # A width of a minute or more means that the upper end is in minutes; so is the lower, then.
        factor = 60 if high.unit == "s" and high.readings[0][1] >= 60 else 1
        if low.value * factor > high.value:
            # "7,000 à 90 secondes" is not a range, since ranges ascend.
            continue
        spread = tuple((value * factor, width * factor) for value, width in low.readings)
        numbers[at] = replace(low, unit=high.unit, readings=spread)
    return numbers


def _odd(text: str) -> Iterator[Number]:
    """Find digits in disguise, which would evade the check: hidden, Roman or of other scripts."""
    for at, char in enumerate(text):
        if not char.isascii() and unicodedata.category(char) in ("Nd", "No", "Nl"):
            why = f"write {char!r} in ordinary digits"
            yield Number(at, at + 1, char, (), odd=why)
    for pattern, why in _DISGUISED:
        for match in pattern.finditer(text):
            yield Number(match.start(), match.end(), match[0], (), odd=why)


def _digits(text: str) -> Iterator[Number]:
    at = 0
    while match := _NUMBER.search(text, at):
        number = _compound(text, _one(text, match))
        if not _inside_word(text, number):
            yield number
        at = max(number.end, match.end())


def _inside_word(text: str, number: Number) -> bool:
    """Whether the digits belong to a word such as `T7`, so that they are not a measure."""
    return number.start > 0 and text[number.start - 1].isalpha() and number.value < 100


def _one(text: str, match: re.Match[str]) -> Number:
    """Read a match of digits with its sign, currency, clock part and unit."""
    readings, end = _readings(match["digits"]), match.end()
    unit: Unit = "$" if match["money"] else ""
    if match["tail"]:
        readings, unit = ((_clock(match["digits"] + match["tail"]), 1.0),), "s"
    elif found := _UNIT.match(text, end):
        kind = found.lastgroup or ""
        joined = found.start() == end and not text[end].isspace()
        # An ordinal suffix must directly follow its number.
        if kind != "th" or (joined and text[end - 1] != " "):
            end = found.end()
            readings, unit = _scaled(readings, kind, unit)
    if match["sign"]:
        readings = tuple((-value, width) for value, width in readings)
    return Number(match.start(), end, text[match.start() : end], readings, unit)


def _scaled(readings: Readings, kind: str, unit: Unit) -> tuple[Readings, Unit]:
    factor = _SECONDS.get(kind) or _SCALES.get(kind) or 1.0
    scaled = tuple((value * factor, width * factor) for value, width in readings)
    if kind in _SCALES:
        return scaled, unit
    return scaled, "s" if kind in _SECONDS else _UNITS[kind]


def _compound(text: str, first: Number) -> Number:
    """Join "5 min 23 s", "2m31s" and "1 h 30" into one duration."""
    if first.unit != "s" or ":" in first.text or first.text.rstrip().endswith("s"):
        return first
    rest = re.compile(rf"(?:{_GAP}|{_GAP}?(?:and|et|und){_GAP})?(\d{{1,2}})(?!\d)").match(
        text, first.end
    )
    if rest is None:
        return first
    unit = _UNIT.match(text, rest.end())
    lower = _SECONDS.get(unit.lastgroup or "", 0.0) if unit else 1.0 if "m" in first.text else 60.0
    if not lower or lower * 60 > max(first.readings[0][1], 60.0):
        return first
    value = first.readings[0][0] + int(rest[1]) * lower
    end = unit.end() if unit else rest.end()
    return Number(first.start, end, text[first.start : end], ((value, lower),), "s")


def _clock(text: str) -> float:
    total = 0.0
    for part in text.split(":"):
        total = total * 60 + float(part)
    return total


def _readings(digits: str) -> Readings:
    """List what digits with separators can mean: "1,523" is 1523 or 1.523."""
    readings: list[tuple[float, float]] = []
    if grouped := _GROUPED.match(digits):
        whole, _, decimals = digits.partition("," if grouped[1] != "," else ".")
        if grouped[1] not in ".," and "." in digits:
            whole, _, decimals = digits.partition(".")
        # One group could also be three decimals; the grouped reading comes first.
        if grouped[1] in ".," and digits.count(grouped[1]) == 1 and not decimals:
            readings.append(_decimal(digits.replace(",", ".")))
        whole = re.sub(r"\D", "", whole)
        readings.insert(0, _decimal(f"{whole}.{decimals}" if decimals else whole))
        if not digits.startswith("0"):
            return tuple(readings)
    plain = digits.replace(",", ".")
    return (_decimal(plain),) if plain.count(".") <= 1 else tuple(readings)


def _decimal(text: str) -> tuple[float, float]:
    """Parse a number, and compute the width of the interval that rounds to it."""
    if "." in text:
        return float(text), 10.0 ** -len(text.partition(".")[2])
    # Trailing zeros may be rounding: 116,200 stands for anything that rounds to hundreds.
    zeros = len(text) - len(text.rstrip("0"))
    rounded = zeros and len(text) - zeros >= 2
    return float(text), 10.0**zeros if rounded else 1.0 if len(text) > 1 or text != "0" else 0.0


def _spelled(text: str) -> Iterator[Number]:
    """Find numbers in words, with the unit that follows."""
    tokens = list(_WORDS.finditer(text))
    words = [token[0].casefold() for token in tokens]
    at = 0
    while at < len(words):
        if (heard := spelled(words, at)) is None:
            at += 1
            continue
        start, end = tokens[at].start(), tokens[at + heard.size - 1].end()
        if not heard.value and _RESET.search(text[:start]):
            at += heard.size
            continue
        value = float(heard.value)
        spoken = words[at] in SPOKEN
        found = _UNIT.match(text, end)
        kind = found.lastgroup or "" if found else ""
        if found and (kind in _SECONDS or kind == "percent"):
            end = found.end()
        scale = _SECONDS.get(kind, 1.0)
        unit: Unit = "s" if kind in _SECONDS else "%" if kind == "percent" else ""
        # "Half" and "a third" are said of roughly that share.
        width = 0.05 if spoken and value < 1 else scale
        readings = ((value * scale, width),)
        yield Number(start, end, text[start:end], readings, unit, word=True, spoken=spoken)
        at += heard.size


def agrees_with(number: Number, cell: object, unit: str) -> bool:
    """Whether a number is the value of a cell in a unit that fits, or is written in its text."""
    if isinstance(cell, str):
        # Digits inside an id or a longer number do not count.
        units = ("", "th", "x")
        return any(
            number.unit in (*units, other.unit) and any(number.agrees(v) for v, _ in other.readings)
            for other in read(cell)
        )
    if not isinstance(cell, int | float):
        return False
    # Zero needs no unit.
    return (fits(number.unit, unit) or not cell) and number.agrees(cell)
