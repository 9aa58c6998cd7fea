"""Numbers as people write them in three languages, and whether one is written honestly."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from random import Random
from typing import Literal

Language = Literal["en", "fr", "de"]
THIN = "\u202f"
SECONDS = {"en": "seconds", "fr": "secondes", "de": "Sekunden"}
MINUTES = "min"
HARMLESS = 0.05
"""More than this share off is no rounding any more."""


@dataclass(frozen=True)
class Numeral:
    """A number as written, what it says, and how finely it says so."""

    text: str
    value: float
    step: float

    def honest(self, value: float) -> bool:
        """Tell whether this is a fair way to write `value`."""
        off = abs(self.value - value)
        return off <= self.step / 2 * 1.0000001 and off <= HARMLESS * abs(value)


class Scribe:
    """Writes numbers in one language."""

    def __init__(self, rng: Random, language: Language) -> None:
        self._rng, self._language = rng, language

    def number(self, value: float, digits: int) -> str:
        """Return a plain number with so many decimals, grouped as the language does."""
        text = f"{abs(value):,.{digits}f}"
        if abs(value) < 10_000 and self._rng.random() < 0.3:
            text = text.replace(",", "")
        if self._language == "fr":
            text = text.replace(",", self._rng.choice((" ", THIN, "\u00a0"))).replace(".", ",")
        if self._language == "de":
            text = text.translate({ord(","): ".", ord("."): ","})
        return f"-{text}" if value < 0 else text

    def exact(self, value: float, unit: str) -> Numeral:
        """Return the value as the record has it."""
        digits = decimals(value) if unit != "$" else 2
        return Numeral(
            self.with_unit(self.number(value, digits), unit), value, _step(value, digits)
        )

    def with_unit(self, text: str, unit: str) -> str:
        """Return a number's text with its unit where the language puts it."""
        if unit == "%":
            gap = self._rng.choice(("", " ")) if self._language == "en" else " "
            return f"{text}{gap}%"
        if unit == "s":
            return f"{text} {self._rng.choice(('s', 's', SECONDS[self._language]))}"
        if unit == "$":
            return f"${text}" if self._language == "en" else f"{text} $"
        return text

    def rounded(self, value: float, unit: str) -> Numeral | None:
        """Return the value rounded as people round; None where nobody would."""
        made = [form for form in self._roundings(value, unit) if form and form.honest(value)]
        return self._rng.choice(made) if made else None

    def _roundings(self, value: float, unit: str) -> list[Numeral | None]:
        if unit == "":
            return [self._scaled(value, 1_000, "k"), self._scaled(value, 1_000_000, "M")]
        if unit == "s" and value >= 60:
            return [self._clock(value), self._minutes(value)]
        if value >= 10 and decimals(value) and unit in ("%", "s", "$"):
            return [self._whole(value, unit)]
        return []

    def _scaled(self, value: float, scale: int, letter: str) -> Numeral | None:
        share = value / scale
        if not 1 <= share < 1000:
            return None
        digits = 0 if share >= 20 else 1
        kept = _half_up(share, digits)
        if kept is None:
            return None
        text = f"{self.number(kept, digits)}{letter}"
        return Numeral(text, kept * scale, scale / 10.0**digits)

    def _clock(self, value: float) -> Numeral | None:
        kept = _half_up(value, 0)
        if kept is None:
            return None
        return Numeral(f"{int(kept) // 60}:{int(kept) % 60:02d}", kept, 1)

    def _minutes(self, value: float) -> Numeral | None:
        kept = _half_up(value / 60, 1)
        return None if kept is None else Numeral(f"{self.number(kept, 1)} min", kept * 60, 6)

    def _whole(self, value: float, unit: str) -> Numeral | None:
        kept = _half_up(value, 0)
        if kept is None:
            return None
        text, about = self.with_unit(self.number(kept, 0), unit), ""
        if self._rng.random() < 0.5:
            about = {"en": "about ", "fr": "environ ", "de": "etwa "}[self._language]
        return Numeral(about + text, kept, 1)

    def any(self, value: float, unit: str) -> Numeral:
        """Return the value exactly or, at times, rounded."""
        rounded = self.rounded(value, unit) if self._rng.random() < 0.3 else None
        return rounded or self.exact(value, unit)

    def misrounded(self, value: float, unit: str) -> Numeral | None:
        """Return a rounding that went to the wrong side."""
        fair = self.rounded(value, unit)
        if fair is None:
            return None
        wrong = fair.value + self._rng.choice((-1, 1)) * fair.step
        if ":" in fair.text:
            return self._clock(wrong)
        if fair.text.endswith(MINUTES):
            return self._minutes(wrong)
        for letter, scale in (("k", 1_000), ("M", 1_000_000)):
            if fair.text.endswith(letter):
                return self._scaled(wrong, scale, letter)
        return self._whole(wrong, unit)


def decimals(value: float) -> int:
    """Return how many decimals a record shows of a value: at most two."""
    for digits in (0, 1, 2):
        if math.isclose(value, round(value, digits), rel_tol=1e-12, abs_tol=1e-9):
            return digits if abs(value) < 100 else min(digits, 1)
    return 1 if abs(value) >= 100 else 2


def _half_up(value: float, digits: int) -> float | None:
    """Round; None for what lies too near the middle for people to agree."""
    scaled = value * 10.0**digits
    if abs(scaled - math.floor(scaled) - 0.5) < 0.02:
        return None
    return round(scaled) / float(10.0**digits)


def _step(value: float, digits: int) -> float:
    """Return how finely a number is written; zeros at the end may be rounding."""
    if digits:
        return float(10.0**-digits)
    whole = f"{abs(value):.0f}"
    zeros = len(whole) - len(whole.rstrip("0"))
    return float(10 ** min(zeros, max(0, len(whole) - 2)))


def amounts(text: str) -> list[float]:
    """Return the numbers of a record's line, which is printed in English."""
    return [float(n.replace(",", "")) for n in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]
