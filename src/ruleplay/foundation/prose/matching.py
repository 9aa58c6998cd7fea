"""Which claims of the record carry a stated value: numbers in their unit, outcomes, negations."""

from __future__ import annotations

import re
from fractions import Fraction

from ruleplay.foundation.prose.lexicon import Outcome
from ruleplay.foundation.prose.mentions import Mention, scan
from ruleplay.foundation.prose.numbers import Interval
from ruleplay.foundation.prose.record import Record, Recorded, Vocabulary, rounds_figures, rounds_to
from ruleplay.foundation.prose.spelling import fold, normalise

_SCALED = re.compile(r"\d ?(?:k|m|mio|million|millions|thousand)\b")
_OPEN = ("over", "least", "under", "most", "nearly")


def read_value(
    text: str, vocabulary: Vocabulary, record: Record
) -> tuple[Interval, str, str] | None:
    """Read a claim's value as a number, its dimension and its bound; None for a word ("listed")."""
    if not any(char.isdigit() for char in text):
        return None
    found = scan(normalise(text), vocabulary, record)
    quantities = [item for item in found if item.sort == "quantity"]
    rest = [item for item in found if item.sort not in ("quantity", "cue")]
    if len(quantities) != 1 or rest or quantities[0].interval is None:
        return None
    bounded = quantities[0].bounded
    return quantities[0].interval, quantities[0].dimension, bounded if bounded in _OPEN else ""


def in_base(
    read: tuple[Interval, str, str], kind: str, vocabulary: Vocabulary
) -> tuple[Interval, str, str]:
    """Return a number in its dimension's base unit ("30" of a kind in minutes: 1800 of time)."""
    base = vocabulary.bases.get(kind)
    if read[1] or base is None or not base.dimension:
        return read
    return read[0].times(base.factor), base.dimension, read[2]


def carries_number(claim: Recorded, stated: Mention, vocabulary: Vocabulary) -> bool:
    """Whether a claim's number is the stated one, in a unit that can mean this kind."""
    interval, dimension = claim.interval, claim.dimension
    if interval is None or stated.interval is None:
        return False
    if stated.kinds and claim.kind not in stated.kinds:
        return False
    if not _same_dimension(claim, dimension, stated, vocabulary):
        return False
    wanted = stated.interval
    base = vocabulary.bases.get(claim.kind)
    if not stated.dimension and base is not None:
        wanted = wanted.times(base.factor)
    if stated.dimension == "share":
        wanted = wanted.times(Fraction(100))
    step = vocabulary.rounding.get(claim.kind)
    if claim.kind in vocabulary.rounded and _says_rounded(stated):
        return rounds_figures(wanted, interval)
    # A bare number may be a longer one that was cut; a rounded one says its unit.
    rounded = step is not None and (bool(stated.dimension) or not dimension)
    return _agrees(claim, interval, stated.bounded, wanted) or (
        rounded and step is not None and rounds_to(wanted, interval, step)
    )


def _says_rounded(stated: Mention) -> bool:
    """Whether a number is told as a rounded one: "about 510", "512k", "1.2 million"."""
    scaled = not stated.bounded and bool(_SCALED.search(stated.text))
    return stated.bounded == "about" or scaled


def _agrees(claim: Recorded, interval: Interval, bounded: str, wanted: Interval) -> bool:
    """Whether a stated number is the recorded one.

    A comparing word ("more than 40") may be entailed by a recorded exact number; a recorded bound
    or range supports only itself, or a range's own end ("up to 30" of 15-30).
    """
    if bounded not in _OPEN:
        return not claim.bounded and wanted == interval
    if claim.bounded:
        return claim.bounded == bounded and wanted == interval
    if interval.low == interval.high:
        return wanted.holds(interval)
    return (bounded == "most" and wanted.high == interval.high) or (
        bounded == "least" and wanted.low == interval.low
    )


def could_mean(claim: Recorded, stated: Mention, vocabulary: Vocabulary) -> bool:
    """Whether a stated number's unit can be the one of a claim, whatever the number."""
    if stated.kinds:
        return claim.kind in stated.kinds
    return _same_dimension(claim, claim.dimension, stated, vocabulary)


def _same_dimension(
    claim: Recorded, dimension: str, stated: Mention, vocabulary: Vocabulary
) -> bool:
    if not stated.dimension:
        return bool(stated.kinds) or dimension in ("", "usd", "eur", "gbp", "time")
    if stated.dimension == "share":
        return dimension == "%"
    if stated.dimension == "times":
        return dimension in ("", "times")
    return dimension == stated.dimension or (not dimension and claim.kind not in vocabulary.bases)


def carries_outcome(
    claim: Recorded, outcome: Outcome, negated: bool, counted: bool = False
) -> bool:
    """Whether a claim states the outcome, or, negated, its declared opposite.

    "Died" of a recorded number of deaths: none is not dying, unless it is `counted` ("0 times").
    """
    if claim.kind != outcome.kind:
        return False
    if not outcome.value and claim.interval is not None and not counted:
        return (claim.interval.high == 0) == negated
    if not negated:
        value = fold(outcome.value)
        return claim.symbol == value if value else not claim.symbol.startswith("not ")
    if outcome.negated:
        return claim.symbol == fold(outcome.negated)
    return claim.symbol in (f"not {fold(outcome.value)}", f"no {fold(outcome.value)}")
