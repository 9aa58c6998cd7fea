"""What tables hold, as an adversary looks at them: cells with their owners, tags, wordings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import final

from pydantic import BaseModel

from ruleplay.adversary.numerals import Language, Numeral
from ruleplay.telling.table import Cell, Table, clean


class Phrases(BaseModel, frozen=True):
    """How one language speaks: predicates, sentences about zero, frames by family."""

    did: dict[str, tuple[str, ...]]
    zero: dict[str, tuple[str, ...]]
    nobody: dict[str, tuple[str, ...]]
    frames: dict[str, tuple[str, ...]]
    table: tuple[str, str]
    numbers: tuple[str, ...]


class Wordings(BaseModel, frozen=True):
    """The adversary's words: how measures are recognised, invented names, and each language."""

    measures: tuple[tuple[str, str], ...]
    strangers: tuple[str, ...]
    powers: tuple[str, ...]
    en: Phrases
    fr: Phrases
    de: Phrases

    def of(self, language: Language) -> Phrases:
        """Return how a language speaks."""
        return {"en": self.en, "fr": self.fr, "de": self.de}[language]


@cache
def wordings() -> Wordings:
    """Return the words, read once."""
    path = Path(__file__).with_name("wordings.json")
    return Wordings.model_validate_json(path.read_text(encoding="utf-8"))


@cache
def kind_of(column: str) -> str:
    """Return what a column measures, as `wordings.json` calls it; `generic` when unknown."""
    known = (kind for kind, pattern in wordings().measures if re.search(pattern, column))
    return next(known, "generic")


@dataclass(frozen=True)
class Where:
    """A cell's address; rows count from 1, row 0 is the table's heading."""

    table: str
    row: int = 0
    column: str = ""


@final
@dataclass(frozen=True)
class Pick:
    """A number in a table, and whose it is."""

    table: Table
    row: int
    column: str
    unit: str
    owner: str
    value: float

    @property
    def where(self) -> Where:
        """Return the cell's address."""
        return Where(self.table.id, self.row, self.column)

    @property
    def row_tag(self) -> str:
        """Return the tag of its row."""
        return f"[{self.table.id}.{self.row}]"

    @property
    def cell_tag(self) -> str:
        """Return the tag of its cell."""
        return f"[{self.table.id}.{self.row}.{self.column}]"


class Ledger:
    """All tables of a question, and what can be looked up in them."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self.tables = tuple(tables)
        self.by_id = {table.id: table for table in self.tables}

    @cached_property
    def cells(self) -> tuple[Pick, ...]:
        """Return every number that has an owner, of the rows a model sees."""
        return tuple(
            Pick(table, row, column.name, column.unit, clean(table.whose(row), 60), float(cell))
            for table in self.tables
            for row, values in enumerate(table.rows[: table.shown], 1)
            for column, cell in zip(table.columns, values, strict=True)
            if column.numeric and isinstance(cell, int | float) and clean(table.whose(row))
        )

    @cached_property
    def pairs(self) -> tuple[tuple[Pick, Pick], ...]:
        """Return pairs of different owners with different numbers in one ranked column."""
        columns: dict[tuple[str, str], list[Pick]] = {}
        for pick in self.cells:
            if self.ranked(pick):
                columns.setdefault((pick.table.id, pick.column), []).append(pick)
        return tuple(
            (one, other)
            for picks in columns.values()
            for one in picks
            for other in picks
            if one.value > other.value and one.owner != other.owner
        )

    def ranked(self, pick: Pick) -> bool:
        """Whether ranks in this column say something."""
        return next(c.ranked for c in pick.table.columns if c.name == pick.column)

    def column(self, pick: Pick) -> tuple[float, ...]:
        """Return all numbers of a cell's column."""
        return numbers(pick.table, pick.column)

    def extreme(self, pick: Pick, largest: bool = True) -> bool:
        """Whether a cell alone holds the extreme of its column."""
        values = self.column(pick)
        bound = max(values) if largest else min(values)
        return pick.value == bound and values.count(bound) == 1 and len(values) > 2

    def rows_of(self, owner: str) -> list[tuple[Cell, ...]]:
        """Return the rows that mention somebody, in any table."""
        found = []
        for table in self.tables:
            found += [row for row in table.rows if any(_names(owner, cell) for cell in row)]
        return found

    def could_be(self, owner: str, numeral: Numeral) -> bool:
        """Whether a number stands anywhere in what the record has of somebody."""
        cells = [cell for row in self.rows_of(owner) for cell in row]
        cells += [table.seconds for table in self.tables]
        for cell in cells:
            if isinstance(cell, str):
                said = re.findall(r"\d[\d,]*(?:\.\d+)?", cell)
                packed = (float(n.replace(",", "")) for n in said)
                if any(numeral.honest(value) for value in packed):
                    return True
            elif cell is not None and numeral.honest(float(cell)):
                return True
        return False

    def mentions(self, name: str) -> bool:
        """Whether a name stands anywhere in the tables."""
        return any(
            name.casefold() in table.text_of(row)
            for table in self.tables
            for row in range(len(table.rows) + 1)
        )


def _names(owner: str, cell: Cell) -> bool:
    return isinstance(cell, str) and owner.casefold() in clean(cell).casefold()


def numbers(table: Table, column: str) -> tuple[float, ...]:
    """Return the numbers of a column, of all rows."""
    return tuple(float(cell) for cell in table.column(column) if isinstance(cell, int | float))
