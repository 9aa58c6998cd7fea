"""The record of a turn: its tables with their names and words, and what the asker said."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from ruleplay.telling.names import Names, realmless, within
from ruleplay.telling.numbers import COUNTABLE, Number, agrees_with, read
from ruleplay.telling.table import Table, named_in, shown
from ruleplay.telling.tags import Cited, Formula

SHORTEST_STEM = 3
"""Fewest letters of a stem; "up" would match in "up to"."""
NEAR = 32
"""Numbers cited nearby from which others may be computed; pairs grow quadratically."""
LEANING = 12
"""Largest number in words that may depend on rows cited just before."""
COUNTED = re.compile(r"\w+ (\d{1,3})\Z")
"""A name that ends in a number: "pull 2"."""
_WORD = re.compile(r"\w+")


class _Value(NamedTuple):
    """A number of the record, its unit, and its cell."""

    value: float
    unit: str
    cited: Cited


def _combined(one: _Value, two: _Value, *, percent: bool) -> Iterator[Formula]:
    """Yield the sum, difference and quotients of two cells of a column, or of one row and unit.

    Quotients of percentages do not count as percentages, since nearly any number could be one.
    """
    more, less = (one, two) if one.value >= two.value else (two, one)
    a, b = one.cited, two.cited
    alike = a.table.columns[a.column or 0].name == b.table.columns[b.column or 0].name
    # Within one row, unlike cells of one unit only make sense as a quotient ("2 of its 8 s").
    beside = (a.table.id, a.row, one.unit) == (b.table.id, b.row, two.unit)
    if not less.value or not (alike or beside):
        return
    made = [("-", more, less, more.value - less.value), ("+", more, less, more.value + less.value)]
    made = made if alike else []
    if one.unit != "%" or not percent:
        made.append(("/", more, less, more.value / less.value))
        made.append(("/", less, more, less.value / more.value))
    for sign, left, right, value in made:
        kind, unit = ("quotient", "") if sign == "/" else ("value", one.unit)
        written = f"{left.cited.tag}{sign}{right.cited.tag}"
        yield Formula(written, value, kind, unit, (left.cited, right.cited))


def _values(table: Table) -> Iterator[_Value]:
    """Yield the numbers in a table's rows, including those inside texts."""
    for row, cells in enumerate(table.rows, start=1):
        for place, (cell, column) in enumerate(zip(cells, table.columns, strict=True)):
            cited = Cited(table, row, place)
            if isinstance(cell, int | float):
                yield _Value(float(cell), column.unit, cited)
            elif isinstance(cell, str):
                for number in read(cell):
                    yield from (_Value(value, number.unit, cited) for value, _ in number.readings)


def _found(number: Number, cells: Iterable[_Value], *, nearly: bool = False) -> str:
    """Find a cell that a number agrees with, or `nearly`, and return its line."""
    for value, unit, cited in cells:
        fits = number.unit in ("", "th", "x", unit)
        if fits and (number.agrees(value) or (nearly and number.nears(value))):
            if not cited.row:
                return f"{cited.table.name}: {shown(value, unit)}"
            return cited.table.line(cited.row, [cited.column or 0])
    return ""


def _derived(number: Number, cells: Sequence[_Value]) -> str:
    """Find two cells whose difference, sum or quotient is a number; returns the formula's line."""
    for at, one in enumerate(cells):
        for two in cells[:at]:
            for formula in _combined(one, two, percent=number.unit == "%"):
                near = number.unit in ("", formula.unit) and number.nears(formula.value)
                if near or formula.gives(number):
                    return formula.line()
    return ""


def _sized(number: Number, tables: Iterable[Table]) -> str:
    """Find a table whose rows a number may count, all or some, and return its size."""
    for table in tables:
        rows = len(table.rows)
        # "Two of them" may refer to any part of a short list.
        some = number.word and not number.unit and 1 < number.value <= min(rows, LEANING)
        if some or (number.unit in ("", "th", "x") and number.agrees(rows)):
            return f"{table.name}: {rows} rows"
    return ""


class Record:
    """The tables of a turn, with the asker's words (`said`, in lower case) and `amounts`."""

    def __init__(
        self,
        tables: Sequence[Table],
        names: Iterable[str],
        vocabulary: Iterable[str],
        about: str,
        amounts: Collection[float],
    ) -> None:
        self.tables = {table.id: table for table in tables}
        known, terms = [*names, *named_in(tables)], [*vocabulary]
        self.names = Names(known, realmless(known))
        self.vocabulary = {word.casefold() for term in terms for word in _WORD.findall(term)}
        self.unbroken = (*self.names.unbroken, *(term for term in terms if "." in term))
        """Names and terms with stops inside, where no sentence ends."""
        self.said, self.amounts = about.casefold(), frozenset(amounts)
        self._valued: dict[str, list[_Value]] = {}
        self._owners = {table.whose(row + 1) for table in tables for row in range(len(table.rows))}

    def asked(self, name: str) -> bool:
        """Whether an id is the asker's own word and no row is about it."""
        return name not in self._owners and within(name, self.said)

    def numbered(self, number: Number) -> bool:
        """Whether the asker mentioned a number."""
        return agrees_with(number, self.said, "text") or self.wants(number)

    def wants(self, number: Number) -> bool:
        """Whether a number is a quantity that the asker wants."""
        return number.value in self.amounts and number.unit in ("", "x")

    @cached_property
    def figures(self) -> frozenset[float]:
        """All numbers that the asker mentioned, which formulas may use."""
        return self.amounts.union(one.value for one in read(self.said) if not one.odd)

    def traced(self, number: Number, near: Sequence[Cited]) -> str:
        """Find a line from which an untagged number may have been taken; empty if there is none.

        The candidates are, in order: cells of the rows and columns cited `near` by and the duration
        of their tables, what two of these yield, any cell of the record, and the sizes of tables.
        """
        if number.odd or not number.value:
            return ""
        tables = {one.table.id: one.table for one in near}
        named = [
            cell for one in near if one.row or one.column is not None for cell in self._in(one)
        ]
        ends = [_Value(t.seconds, "s", Cited(t)) for t in tables.values() if t.seconds]
        telling = number.unit in ("%", "s", "$") or abs(number.value) >= COUNTABLE
        wider = tables | self.tables if telling else tables  # small counts are everywhere
        every = (cell for t in wider.values() for cell in self._in(Cited(t)))
        return (
            _found(number, [*named, *ends], nearly=True)
            or _derived(number, [*dict.fromkeys(named[:NEAR])])
            or _found(number, every)
            or _sized(number, tables.values())
        )

    def borne_out(self, number: Number, rows: Sequence[Cited], cells: Sequence[Cited]) -> str:
        """Find a number in `rows`, or compute it from two of `cells`, and return the line."""
        given = [value for one in dict.fromkeys(cells) for value in self._in(one)]
        beside = [value for one in rows for value in self._in(one)]
        # Without a unit, some pair of cells yields nearly any number.
        return _found(number, beside) or (_derived(number, given) if number.unit else "")

    def _in(self, cited: Cited) -> list[_Value]:
        """List the numbers of a row, a column, a cell or a whole table."""
        table = cited.table
        if table.id not in self._valued:
            self._valued[table.id] = list(_values(table))
        return [
            value
            for value in self._valued[table.id]
            if cited.row in (0, value.cited.row) and cited.column in (None, value.cited.column)
        ]

    def stands_with(self, name: str, texts: Sequence[str], *, code: bool) -> bool:
        """Whether a name belongs to what texts name: the boss of "pull 2", a part's other codes."""
        return any(
            within(owner, text) and within(name, table.text_of(row))
            for table, row, owner in self._owned
            if owner and (code or COUNTED.fullmatch(owner))
            for text in texts
        )

    @cached_property
    def _owned(self) -> list[tuple[Table, int, str]]:
        """All rows with what each is about."""
        rows = ((t, row) for t in self.tables.values() for row in range(1, len(t.rows) + 1))
        return [(table, row, table.whose(row)) for table, row in rows]

    def knows(self, word: str) -> bool:
        """Whether a capitalised word belongs to the record or the domain's vocabulary."""
        low = word.casefold().removesuffix("'s").removesuffix("’s")
        known = self.vocabulary | self._record_words
        return all({part, part.rstrip("s")} & known for part in _WORD.findall(low))

    @cached_property
    def _record_words(self) -> set[str]:
        """All words of rows, columns and notes."""
        tables = self.tables.values()
        texts = [t.text_of(row) for t in tables for row in range(len(t.rows) + 1)]
        texts += [
            text.casefold() for t in tables for text in (*(c.said for c in t.columns), *t.notes)
        ]
        return {word for text in texts for word in _WORD.findall(text)}

    def measures(self, text: str) -> bool:
        """Whether a text mentions a measure, by the stem of a column or table."""
        low = text.casefold()
        return any(low.startswith(self._stems, word.start()) for word in _WORD.finditer(low))

    @cached_property
    def _stems(self) -> tuple[str, ...]:
        tables = self.tables.values()
        stems = {stem for t in tables for c in t.columns for stem in c.stems}
        stems |= {stem for table in tables for stem in table.stems}
        return tuple(stem.casefold() for stem in stems if len(stem) >= SHORTEST_STEM)
