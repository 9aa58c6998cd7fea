"""Tables of facts: what a model reads, what its tags name, and the record's own lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Literal

from pydantic import BaseModel, Field

Cell = int | float | str | None
"""A value; `None` is printed as `-` and means "does not apply", which is different from 0."""
Unit = Literal["", "%", "s", "$", "text", "name"]
"""Counts have the unit "". Columns with unit "name" hold names, which may only be used where they
are cited."""

NAME_LIMIT = 60
"""Most characters of an external name in a prompt."""
TEXT_LIMIT = 240
"""Most characters of a text cell in a prompt."""
SHORT_TEXT = 40
"""Most characters of a text that a line repeats to say what its numbers are about."""
NOTE_LIMIT = 480
"""Most characters of a note in a prompt."""
_QUESTION = re.compile(r"[^.!?\n]*\?")
_ACTIVE = re.compile(r"[\[\]|`\s]+")
"""Characters that could form a tag, a table or code, and white space."""


def clean(text: str, limit: int = TEXT_LIMIT) -> str:
    """Make an external text safe for a table: one line, without anything active."""
    return _ACTIVE.sub(" ", text).strip()[:limit]


class Column(BaseModel, frozen=True):
    """A column: `name` is used in tags, `label` in lines, and `stems` are how people refer to it.

    `ranked` is off where ranks mean nothing (times of day, ids).
    """

    name: str
    unit: Unit = ""
    label: str = ""
    stems: tuple[str, ...] = ()
    ranked: bool = True

    @property
    def said(self) -> str:
        """The column in words."""
        return self.label or self.name.replace("_", " ")

    @property
    def numeric(self) -> bool:
        """Whether its values are numbers."""
        return self.unit not in ("text", "name")


class Must(BaseModel, frozen=True):
    """A row that a reply must not omit, and the line that code adds if it does.

    `row` counts from 1; 0 means that any row of the table will do. With `always` the line opens or
    closes the reply whatever is cited. A closing line is omitted if the model's text contains one
    of `unless`, if `beside` is given and it contains none of those, or if it lacks `naming`. A word
    of `unless` or `beside` that ends in a question mark has to be in a question. With `denies` a
    clause that cites the row counts only if it says no (`True`) or does not (`False`), as the row
    does.
    """

    row: int
    line: str
    always: Literal["", "first", "last"] = ""
    unless: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    naming: str = ""
    denies: bool | None = None

    def closes(self, told: str) -> bool:
        """Whether the line belongs at the end of a model's text."""
        said = any(_has(told, words) for words in self.unless)
        due = not self.beside or any(_has(told, words) for words in self.beside)
        return self.always == "last" and due and self.naming in told and not said


def _has(told: str, words: str) -> bool:
    asked = words.removesuffix("?")
    return words in told if asked == words else any(asked in one for one in _QUESTION.findall(told))


class Table(BaseModel, frozen=True):
    """A table of results: a heading that applies to all rows, columns, rows and notes.

    `id` is used in tags: `r` and up to three digits, or "" for a table that nobody cites.
    `heading` names what all rows are about (boss, pull, outcome), and `seconds` is its duration, if
    any. `owner` is the column that says what or whom a row is about; fuzzing lies about owners.
    Only the first `shown` rows reach the model; sums, counts and extremes are over all of them. If
    the rows are a selection, `total` is how many there are, so that nobody takes them for all;
    `choice` says that there are others beside what the heading names.
    `stems` are beginnings of words that refer to the table's subject ("die", "death", "mort").
    """

    id: str = Field(pattern=r"^(r\d{1,3})?$")
    title: str
    heading: str = ""
    seconds: float | None = None
    columns: tuple[Column, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    notes: tuple[str, ...] = ()
    owner: str = ""
    shown: int = 40
    total: int = 0
    choice: bool = False
    musts: tuple[Must, ...] = ()
    stems: tuple[str, ...] = ()

    @cached_property
    def _places(self) -> dict[str, int]:
        return {column.name.casefold(): place for place, column in enumerate(self.columns)}

    def place(self, name: str) -> int | None:
        """Find the index of a column; `None` if there is none of that name."""
        # Models write "stated problems fixed" or "stated-problems-fixed" for the column's name.
        return self._places.get(re.sub(r"[\s-]+", "_", name.strip()).casefold())

    def cells(self, place: int) -> tuple[Cell, ...]:
        """List the cells of the column at an index, in all rows."""
        return tuple(row[place] for row in self.rows)

    def column(self, name: str) -> tuple[Cell, ...]:
        """List a column's cells in all rows; KeyError if there is none of that name."""
        return self.cells(self._places[name.casefold()])

    def cells_of(self, row: int) -> Iterator[tuple[Cell, Column]]:
        """Pair the cells of a row with their columns; empty for row 0."""
        return zip(self.rows[row - 1] if row else (), self.columns, strict=False)

    @property
    def cut(self) -> bool:
        """Whether the rows are only some of those there are."""
        return self.choice or self.total > len(self.rows)

    @property
    def name(self) -> str:
        """The title and heading, as in lines."""
        return f"{self.title} — {self.heading}" if self.heading else self.title

    def whose(self, row: int) -> str:
        """Name what a row is about (rows count from 1); empty if no column says so."""
        place = self.place(self.owner) if self.owner else None
        cell = self.rows[row - 1][place] if place is not None else None
        return "" if cell is None else str(cell)

    @cached_property
    def _words(self) -> tuple[str, ...]:
        texts = ((cell for cell in row if isinstance(cell, str)) for row in ((), *self.rows))
        return tuple(" | ".join(text).casefold() for text in texts)

    def words_of(self, row: int) -> str:
        """Join the text cells of a row in lower case, for finding names; empty for row 0."""
        return self._words[row]

    @cached_property
    def _head(self) -> str:
        return f" | {self.title} | {self.heading}".casefold()

    def text_of(self, row: int) -> str:
        """Join the words of a row with those of title and heading, in lower case."""
        return self.words_of(row) + self._head

    def prompt(self, first: int = 1, count: int | None = None) -> str:
        """Format the table for the model: its rows from `first` on, at most `count`."""
        count = self.shown if count is None else count
        last = min(len(self.rows), first - 1 + count)
        lines = [f"[{self.id}] {clean(self.name)}" + self._size()]
        if last >= first:
            lines.append("  | " + " | ".join(_head(column) for column in self.columns))
        for number in range(first, last + 1):
            cells = zip(self.rows[number - 1], self.columns, strict=True)
            lines.append(f"{number} | " + " | ".join(_printed(cell, c.unit) for cell, c in cells))
        if len(self.rows) > last:
            lines.append(f"{len(self.rows) - last} more rows")
        if first == 1:
            lines += [f"n{at}: {clean(note, NOTE_LIMIT)}" for at, note in enumerate(self.notes, 1)]
        return "\n".join(lines)

    def _size(self) -> str:
        lasted = f"; {shown(self.seconds, 's')}" if self.seconds else ""
        of = f" of {self.total}, not all there are" if self.total > len(self.rows) else ""
        return f" ({len(self.rows)} rows{of}{lasted})"

    def line(self, row: int, columns: Sequence[int] = (), also: Sequence[int] = ()) -> str:
        """Write the record's line of a row: what it is about, cells with ranks, the heading.

        Without `columns` it has the first ones, and those of `also`.
        """
        first = [p for p, c in enumerate(self.columns) if c.name != self.owner][:4]
        places = columns or [*dict.fromkeys((*also, *first))]
        cells = ", ".join(self._said(row, place) for place in places)
        whose = ", ".join(self._named(row, places))
        return f"{whose}: {cells} — {self.name}" if whose else f"{cells} — {self.name}"

    def _named(self, row: int, places: Sequence[int]) -> Iterator[str]:
        """Yield what a row is about, and other names that its cells need to make sense."""
        if whose := self.whose(row):
            yield clean(whose, NAME_LIMIT)
        for place, column in enumerate(self.columns):
            cell = self.rows[row - 1][place]
            if column.numeric or column.name == self.owner or place in places or not cell:
                continue
            said = clean(str(cell), NAME_LIMIT)
            if column.unit == "name":
                yield said
            elif len(said) <= SHORT_TEXT:
                yield f"{column.said} {said}"

    def summary(self, place: int) -> str:
        """Write the record's line of a whole column: its extremes, or that it is all 0."""
        column, cells = self.columns[place], self.cells(place)
        numbers = self._numbers(place)
        if not any(cells):
            nothing = shown(0 if numbers else None, column.unit)
            return f"{column.said} {nothing} in all {len(cells)} rows — {self.name}"
        if not numbers:
            said = ", ".join(dict.fromkeys(shown(cell) for cell in cells))
            return f"{column.said}: {clean(said)} — {self.name}"
        low, high = shown(min(numbers), column.unit), shown(max(numbers), column.unit)
        return f"{column.said} {low} to {high}, {len(numbers)} rows — {self.name}"

    def _said(self, row: int, place: int) -> str:
        """Word a cell with its column and, where ranks mean something, its rank."""
        column = self.columns[place]
        said = f"{column.said} {shown(self.rows[row - 1][place], column.unit)}"
        rank = self.rank(row, place) if column.numeric and column.ranked else 0
        if rank and len(self.rows) > 1:
            said += f" ({rank} of {len(self._numbers(place))})"
        return said

    def _numbers(self, place: int) -> list[int | float]:
        return [cell for cell in self.cells(place) if isinstance(cell, int | float)]

    def rank(self, row: int, place: int) -> int:
        """Determine the rank of a row's value in its column, the largest first; 0 for a text."""
        value = self.rows[row - 1][place]
        if not isinstance(value, int | float):
            return 0
        return 1 + sum(other > value for other in self._numbers(place))


def _printed(value: Cell, unit: Unit) -> str:
    """Format a cell for a prompt, where the unit is in the column's heading."""
    exact = f"{value:.2f}" if unit == "$" and isinstance(value, float) else value
    return shown(exact, unit if unit in ("name", "text") else "")


def _head(column: Column) -> str:
    unit = column.unit if column.unit in ("%", "s", "$") else ""
    return f"{column.name} ({unit})" if unit else column.name


def shown(value: Cell, unit: str = "") -> str:
    """Format a cell for lines and prompts: `1,234`, `12.5 %`, `31.3 s`, `$42.10`, `-`."""
    if value is None:
        return "-"
    if isinstance(value, str):
        return clean(value, NAME_LIMIT if unit == "name" else TEXT_LIMIT) or "-"
    if unit == "$":
        return f"${value:,.2f}"
    number = f"{value:,}" if isinstance(value, int) else _decimal(value)
    return f"{number} {unit}" if unit in ("%", "s") else number


def _decimal(value: float) -> str:
    digits = 1 if abs(value) >= 100 else 2
    return f"{value:,.{digits}f}".rstrip("0").rstrip(".")


def named_in(tables: Iterable[Table]) -> Iterator[str]:
    """Yield the names in the cells of tables."""
    for table in tables:
        for place, column in enumerate(table.columns):
            if column.unit == "name":
                yield from (str(row[place]) for row in table.rows if row[place])
