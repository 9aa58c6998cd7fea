"""Numbers as people write them in three languages, and whether one is written honestly."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Literal

Language = Literal["en", "fr", "de"]
THIN = "\u202f"
SECONDS = {"en": "seconds", "fr": "secondes", "de": "Sekunden"}
HARMLESS = 0.05
"""More than this share off is no rounding any more."""


@dataclass(frozen=True)
class Numeral:
    """A number as written, what it says, and how finely it says so."""

    text: str
    value: float
    step: float

    def honest(self, value: float) -> bool:
        """Whether this is a fair way to write `value`."""
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
        made = [form for form in self._roundings(value, unit) if form.honest(value)]
        return self._rng.choice(made) if made else None

    def misrounded(self, value: float, unit: str) -> Numeral | None:
        """Return a rounding that went to the wrong side."""
        made = list(self._roundings(value, unit, self._rng.choice((-1, 1))))
        return self._rng.choice(made) if made else None

    def any(self, value: float, unit: str) -> Numeral:
        """Return the value exactly or, at times, rounded."""
        rounded = self.rounded(value, unit) if self._rng.random() < 0.3 else None
        return rounded or self.exact(value, unit)

    def _roundings(self, value: float, unit: str, off: int = 0) -> Iterator[Numeral]:
        """Yield roundings, so many steps `off`; none of what lies too near the middle to agree."""
        for step, write in self._ways(value, unit):
            share = value / step
            if abs(share - math.floor(share) - 0.5) >= 0.02:
                kept = (round(share) + off) * step
                yield Numeral(write(kept), kept, step)

    def _ways(self, value: float, unit: str) -> Iterator[tuple[float, Callable[[float], str]]]:
        """Yield to what people round a value, and how they write that."""
        for scale, letter in ((1_000, "k"), (1_000_000, "M")) if unit == "" else ():
            if 1 <= value / scale < 1000:
                digits = 0 if value / scale >= 20 else 1
                yield scale / 10.0**digits, partial(self._scaled, scale, digits, letter)
        if unit == "s" and value >= 60:
            yield 1, lambda kept: f"{int(kept) // 60}:{int(kept) % 60:02d}"
            yield 6, partial(self._scaled, 60, 1, " min")
        elif unit and value >= 10 and decimals(value):
            yield 1, lambda kept: self._about() + self.with_unit(self.number(kept, 0), unit)

    def _scaled(self, scale: float, digits: int, letter: str, kept: float) -> str:
        return self.number(kept / scale, digits) + letter

    def _about(self) -> str:
        words = {"en": "about ", "fr": "environ ", "de": "etwa "}
        return words[self._language] if self._rng.random() < 0.5 else ""


def decimals(value: float) -> int:
    """Return how many decimals a record shows of a value: at most two."""
    for digits in (0, 1, 2):
        if math.isclose(value, round(value, digits), rel_tol=1e-12, abs_tol=1e-9):
            return digits if abs(value) < 100 else min(digits, 1)
    return 1 if abs(value) >= 100 else 2


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
