"""The result of a tool: typed rows, with the log lines that support them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pydantic import BaseModel, ConfigDict

Scalar: TypeAlias = str | int | float | bool | None
Cell: TypeAlias = Scalar | list[Scalar]
Row: TypeAlias = dict[str, Cell]

Ranges = tuple[tuple[int, int], ...]
"""Inclusive ranges of 1-based log lines."""
RANGES_SHOWN = 50
"""Maximum number of line ranges that an outcome cites."""


NO_ABSORBS = "This log does not tell what shields absorbed."
NO_BLOWS = "This log holds pulls and deaths only: casts, damage and healing are not in it."


@dataclass(frozen=True)
class Metric:
    """Meaning of a numeric column, in the words that a claim about it may use.

    `subject` names the column saying whose value it is ("" for the pull's or report's own);
    `aspect` a column that narrows it further, such as the ability; `per` is the denominator in
    words.
    """

    column: str
    name: str
    unit: str = ""
    subject: str = "player"
    aspect: str = ""
    per: str = ""


class ToolOutcome(BaseModel):
    """Rows of one tool call with their provenance; `problem` is an error that helps the caller.

    `absent` says that the problem is a finding: what was asked for is not in the log. Else the call
    could not be made as it was. `unknown` says of no rows that the log, or the tables of this
    program, cannot tell: they are no zero.

    `lines` are inclusive ranges of 1-based log lines of `report`, merged; `elsewhere` are those of
    other reports that it rests on, by their code. The cited lines alone give the same rows again.
    `fight` is the pull that every row is about; where rows of several pulls stand together, each
    has a `fight` of its own, and where they come from several reports, a `report`. `seconds` is the
    duration of that pull, the denominator of its rates.
    """

    model_config = ConfigDict(frozen=True)

    rows: tuple[Row, ...] = ()
    query: str = ""
    lines: Ranges = ()
    elsewhere: tuple[tuple[str, Ranges], ...] = ()
    notes: tuple[str, ...] = ()
    problem: str = ""
    absent: bool = False
    unknown: bool = False
    report: str = ""
    fight: int | None = None
    pull: str = ""
    seconds: float | None = None
