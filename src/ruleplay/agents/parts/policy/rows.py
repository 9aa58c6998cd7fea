"""What a reply may tell, as rows: whom it is about, its cells, and the line that says it.

A model phrases rows; fit verdicts, prices and warnings keep their lines (`must`).
"""

from __future__ import annotations

from ruleplay.agents.parts.domain.slots import Frozen
from ruleplay.foundation.claims import Claim, Fact


class Cell(Frozen):
    """A value in its column; `of` is whom or what else it concerns, such as the model of a fit."""

    column: str
    value: str
    of: str = ""
    subject: str = ""


class Row(Frozen):
    """One thing to tell. `heading` is what it is about: a part, a model, a question."""

    id: str
    heading: str
    line: str
    cells: tuple[Cell, ...] = ()
    must: bool = True
    block: bool = False


def fact(row: Row) -> Fact:
    """Return a row as the gate reads it."""
    claims = tuple(
        Claim(kind=c.column, subject=c.subject or row.heading, value=c.value, object=c.of)
        for c in row.cells
        if c.value
    )
    return Fact(id=row.id, says=row.line, claims=claims, must=row.must, block=row.block)
