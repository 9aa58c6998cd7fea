"""Dice addressed by seed and index, so that every roll can be replayed.

A formula is a sum of terms such as `1d20+5`, `2d20kh1+1d4+3` (advantage with Bless) or `2d6r2+3`
(faces up to 2 are rolled once more). This small parser keeps every face, which replay and display
need.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Annotated, Literal

from pydantic import Field

from ruleplay.story.texts import Frozen

Edge = Literal[-1, 0, 1]
"""Disadvantage, neither, advantage."""
DICE_AT_MOST = 60
_SUMMAND = r"(\d{1,2}d\d{1,3}(r\d)?(k[hl]1)?|\d{1,3})"
FORMULA = rf"^[+-]?{_SUMMAND}([+-]{_SUMMAND})*$"
_TERM = re.compile(r"([+-]?)(?:(\d{1,2})d(\d{1,3})(?:r(\d))?(k[hl]1)?|(\d{1,3}))")


@dataclass(frozen=True, slots=True)
class Term:
    """One summand: `count` dice with `sides` faces; with no dice, `sides` is the constant."""

    sign: int
    count: int
    sides: int
    again: int = 0
    keep: str = ""


class Roll(Frozen):
    """Dice that were thrown: every face in the order it fell, those that counted, the sum."""

    index: Annotated[int, Field(ge=0)]
    formula: str
    faces: tuple[int, ...]
    kept: tuple[int, ...]
    modifier: int = 0
    total: int

    @property
    def natural(self) -> int:
        """Return the first face that counted: what a d20 shows."""
        return self.kept[0]


@lru_cache(maxsize=4096)
def terms(formula: str) -> tuple[Term, ...]:
    """Return the summands of a formula (ValueError when it is none)."""
    if not re.fullmatch(FORMULA, formula):
        raise ValueError(f"{formula!r} is no dice formula; write it like 2d6+3")
    found = tuple(
        Term(
            sign=-1 if sign == "-" else 1,
            count=int(count or 0),
            sides=int(sides or constant),
            again=int(again or 0),
            keep=keep or "",
        )
        for sign, count, sides, again, keep, constant in _TERM.findall(formula)
    )
    if sum(one.count for one in found) > DICE_AT_MOST:
        raise ValueError(f"{formula!r} throws more than {DICE_AT_MOST} dice")
    return found


def roll(seed: str, index: int, formula: str) -> Roll:
    """Return draw `index` of a seed: the only place where randomness enters the rules."""
    chance = Random(f"{seed}/dice/{index}")
    faces: list[int] = []
    kept: list[int] = []
    modifier, total = 0, 0
    for term in terms(formula):
        if not term.count:
            modifier += term.sign * term.sides
            total += term.sign * term.sides
            continue
        counted = []
        for _ in range(term.count):
            face = chance.randint(1, term.sides)
            faces.append(face)
            if face <= term.again:
                face = chance.randint(1, term.sides)
                faces.append(face)
            counted.append(face)
        if term.keep:
            counted = [max(counted) if term.keep == "kh1" else min(counted)]
        kept.extend(counted)
        total += term.sign * sum(counted)
    return Roll(
        index=index,
        formula=formula,
        faces=tuple(faces),
        kept=tuple(kept),
        modifier=modifier,
        total=total,
    )


@dataclass(slots=True)
class Dice:
    """Where a seed stands: each roll takes the next index."""

    seed: str
    index: int = 0

    def roll(self, formula: str) -> Roll:
        """Make the next roll of the seed."""
        thrown = roll(self.seed, self.index, formula)
        self.index += 1
        return thrown


def d20(bonus: int, edge: int = 0, extra: str = "", lucky: bool = False) -> str:
    """Return the formula of a d20 roll; `extra` is signed dice (`+1d4`), `lucky` rerolls a 1."""
    # Halfling luck rerolls a natural 1 once. `edge` indexes the tuple: 0 normal, 1 advantage, -1
    # (the last entry) disadvantage.
    again = "r1" if lucky else ""
    base = (f"1d20{again}", f"2d20{again}kh1", f"2d20{again}kl1")[edge]
    return f"{base}{extra}{bonus:+d}" if bonus else f"{base}{extra}"


def edge_of(advantages: int, disadvantages: int) -> Edge:
    """Return the resulting edge: reasons don't add up, and one of each cancels all of them."""
    if bool(advantages) == bool(disadvantages):
        return 0
    return 1 if advantages else -1


def average(formula: str) -> int:
    """Return a formula's average, rounded down as printed in stat blocks."""
    twice = sum(
        t.sign * (t.count * (t.sides + 1) if t.count else 2 * t.sides) for t in terms(formula)
    )
    return twice // 2


def doubled(formula: str) -> str:
    """Return a damage formula with its dice, but not its constants, doubled for a critical hit."""
    return "".join(_written(term, 2) for term in terms(formula)).removeprefix("+")


def _written(term: Term, times: int) -> str:
    sign = "-" if term.sign < 0 else "+"
    if not term.count:
        return f"{sign}{term.sides}"
    again = f"r{term.again}" if term.again else ""
    return f"{sign}{term.count * times}d{term.sides}{again}{term.keep}"
