"""What a turn's tables know: their names and words, and what the asker said of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import NamedTuple

from ruleplay.telling.names import Names, realmless, within
from ruleplay.telling.numbers import Number, fits, read
from ruleplay.telling.table import Table, named_in, shown
from ruleplay.telling.tags import Cited, Formula, Tag, TagError, parse

SHORTEST_STEM = 3
"""Letters of a stem; "up" would be found in "up to"."""
NEAR = 32
"""Numbers cited near by that are reckoned with."""
LEANING = 12
"""The largest number in words that may lean on the rows cited just before it."""
COUNTED = re.compile(r"\w+ (\d{1,3})\Z")
"""A name that counts: "pull 2"."""
_WORD = re.compile(r"\w+")


class _Value(NamedTuple):
    """A number of the record, its unit, and the cell that it stands in."""

    value: float
    unit: str
    cited: Cited


def _alike(one: Cited, two: Cited) -> bool:
    """Whether two cells measure the same, so that they can be added: a time and a duration do."""
    if not one.row or not two.row:
        cell = one if one.row else two
        timed = cell.column is not None and cell.table.columns[cell.column].unit == "s"
        return one.table.id == two.table.id and timed
    return one.table.columns[one.column or 0].name == two.table.columns[two.column or 0].name


def _values(table: Table) -> Iterator[_Value]:
    """Yield the numbers of a table's rows, those of its texts among them."""
    for row, cells in enumerate(table.rows, start=1):
        for place, (cell, column) in enumerate(zip(cells, table.columns, strict=True)):
            cited = Cited(table, row, place)
            if isinstance(cell, int | float):
                yield _Value(float(cell), column.unit, cited)
            elif isinstance(cell, str):
                for number in read(cell):
                    yield from (_Value(value, number.unit, cited) for value, _ in number.readings)


class Record:
    """The tables of a turn, and the asker's words (`said`, in lower case) and `amounts`."""

    def __init__(
        self,
        tables: Sequence[Table],
        names: Iterable[str],
        vocabulary: Iterable[str],
        about: str,
        amounts: Collection[float],
    ) -> None:
        self.tables = {table.id: table for table in tables}
        known = [*names, *named_in(tables)]
        self.names = Names(known, realmless(known))
        self.vocabulary = {word.casefold() for term in vocabulary for word in _WORD.findall(term)}
        self.said, self.amounts = about.casefold(), frozenset(amounts)
        self._valued: dict[str, list[_Value]] = {}
        self._owners = {table.whose(row + 1) for table in tables for row in range(len(table.rows))}

    def parsed(self, tags: Iterable[str]) -> list[Tag]:
        """Return the tags that can be read."""
        found: list[Tag] = []
        for written in tags:
            with suppress(TagError):
                found.append(parse(written, self.tables, self.figures))
        return found

    def asked(self, name: str) -> bool:
        """Whether an id is the asker's own word, and none that a row is about."""
        return name not in self._owners and within(name, self.said)

    def numbered(self, number: Number) -> bool:
        """Whether a number is one that the asker spoke of."""
        said = number.text.strip().casefold()
        exact = bool(re.search(rf"(?<![\d.,]){re.escape(said)}(?![\d.,]*\d)", self.said))
        return exact or (number.word and number.value in self.counts)

    @cached_property
    def counts(self) -> frozenset[float]:
        """The plain numbers that the asker spoke of, in figures or words."""
        plain = (one.value for one in self._spoken if not one.unit)
        return frozenset(value for value in plain if 0 < value < LEANING) | self.amounts

    @cached_property
    def figures(self) -> frozenset[float]:
        """The numbers that the asker spoke of, of whatever size: formulas may reckon with them."""
        return frozenset(one.value for one in self._spoken) | self.amounts

    @cached_property
    def _spoken(self) -> tuple[Number, ...]:
        return tuple(one for one in read(self.said) if not one.odd)

    def traced(self, number: Number, near: Sequence[Cited]) -> str:
        """Return the record's line that a number can be taken from, though no tag of it says so.

        That is a cell of the rows and tables cited `near` by, what two of their cells come to, or
        how many rows they have; or a cell of any other row, where the number tells which.
        """
        if number.odd or not number.value:
            return ""
        tables = {one.table.id: one.table for one in near}
        named = [
            cell for one in near if one.row or one.column is not None for cell in self._in(one)
        ]
        ends = [_Value(t.seconds, "s", Cited(t)) for t in tables.values() if t.seconds]
        own = [*dict.fromkeys(named[:NEAR]), *ends]
        line = self._found(number, [*named, *ends], nearly=True) or self.derived(
            number, own, nearly=True
        )
        if line:
            return line
        beside = [cell for t in tables.values() for cell in self._table_cells(t)]
        if line := self._found(number, beside):
            return line
        for table in tables.values():
            rows = len(table.rows)
            whole = number.unit in ("", "th", "x") and number.agrees(rows)
            if whole or (
                number.word and not number.unit and 1 < number.value <= min(rows, LEANING)
            ):
                return f"{table.name}: {rows} rows"
        every = [cell for t in self.tables.values() for cell in self._table_cells(t)]
        return self._found(number, every) if number.telling else ""

    def told_of(self, name: str, number: Number) -> str:
        """Return the line of a row with a name that holds a number, in whatever table."""
        every = (
            (cell for t in self.tables.values() for cell in self._table_cells(t)) if name else ()
        )
        own = (one for one in every if within(name, one.cited.table.words_of(one.cited.row)))
        return self._found(number, own, exact=True)

    def stated(self, cells: Iterable[tuple[Table, int, int]]) -> list[_Value]:
        """Return the numbers of cells, each by its table, row and column."""
        wanted = [Cited(*one) for one in cells]
        return [value for one in dict.fromkeys(wanted) for value in self._in(one)]

    def _in(self, cited: Cited) -> list[_Value]:
        """Return the numbers of a row, a column or a cell."""
        return [
            value
            for value in self._table_cells(cited.table)
            if cited.row in (0, value.cited.row) and cited.column in (None, value.cited.column)
        ]

    def _table_cells(self, table: Table) -> list[_Value]:
        if table.id not in self._valued:
            self._valued[table.id] = list(_values(table))
        return self._valued[table.id]

    def _found(
        self,
        number: Number,
        cells: Iterable[_Value],
        *,
        nearly: bool = False,
        exact: bool = False,
    ) -> str:
        for value, unit, cited in cells:
            said = fits(number.unit, unit) if exact else number.unit in ("", "th", "x", unit)
            if said and (number.agrees(value) or (nearly and number.nears(value))):
                table = cited.table
                if not cited.row:
                    return f"{table.name}: {shown(value, unit)}"
                return table.line(cited.row, [cited.column or 0])
        return ""

    def derived(self, number: Number, cells: Sequence[_Value], *, nearly: bool = False) -> str:
        """Return the line of a difference, sum or quotient of two cells that gives a number."""
        for at, (a, unit, one) in enumerate(cells):
            for b, other, two in cells[:at]:
                alike, same_row = (
                    _alike(one, two),
                    (one.table.id, one.row) == (two.table.id, two.row),
                )
                if not a or not b or not (alike or (same_row and unit == other)):
                    continue
                more, less = ((a, one), (b, two)) if a >= b else ((b, two), (a, one))
                made = [("-", more, less, more[0] - less[0], unit), ("+", more, less, a + b, unit)]
                made = made if alike else []
                if (unit, number.unit) != ("%", "%"):
                    made += [("/", more, less, more[0] / less[0], "")]
                    made += [("/", less, more, less[0] / more[0], "")]
                for sign, (_, left), (_, right), value, kept in made:
                    kind = "quotient" if sign == "/" else "value"
                    written = f"{left.tag}{sign}{right.tag}"
                    formula = Formula(written, value, kind, kept, (left, right))
                    near = nearly and number.unit in ("", kept) and number.nears(value)
                    if near or formula.gives(number):
                        return formula.line()
        return ""

    def stands_with(self, name: str, texts: Sequence[str], *, code: bool) -> bool:
        """Whether a name is of what texts give: the boss of "pull 2", a part's other codes."""
        return any(
            within(owner, text) and within(name, table.text_of(row))
            for table, row, owner in self._owned
            if owner and (code or COUNTED.fullmatch(owner))
            for text in texts
        )

    @cached_property
    def _owned(self) -> list[tuple[Table, int, str]]:
        """Each row that can be cited, with whom it is about."""
        rows = ((t, row) for t in self.tables.values() for row in range(1, len(t.rows) + 1))
        return [(table, row, table.whose(row)) for table, row in rows]

    def knows(self, word: str) -> bool:
        """Whether a capitalised word belongs to the record or to the field."""
        low = word.casefold().removesuffix("'s").removesuffix("’s")
        parts, known = _WORD.findall(low), self.vocabulary | self._record_words
        if " " in low:
            return self.stands(low)
        return all({part, part.rstrip("s")} & known for part in parts)

    def stands(self, words: str) -> bool:
        """Whether words stand together in the record."""
        return any(within(words, text) for text in self._texts)

    @cached_property
    def _texts(self) -> list[str]:
        """The rows of the record in words, and its columns and notes."""
        tables = self.tables.values()
        texts = [t.text_of(row) for t in tables for row in range(len(t.rows) + 1)]
        return texts + [
            w.casefold() for t in tables for w in (*(c.said for c in t.columns), *t.notes)
        ]

    @cached_property
    def _record_words(self) -> set[str]:
        return {word for text in self._texts for word in _WORD.findall(text)}

    def stems(self, text: str) -> set[str]:
        """Return the measure stems that a text speaks in."""
        return {found[0].casefold() for found in self._stems.finditer(text)}

    @cached_property
    def _stems(self) -> re.Pattern[str]:
        tables = self.tables.values()
        stems = {stem for t in tables for c in t.columns for stem in c.stems}
        stems |= {stem for table in tables for stem in table.stems}
        stems = {stem for stem in stems if len(stem) >= SHORTEST_STEM}
        longest = sorted(stems, key=lambda stem: (-len(stem), stem))
        return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest)) or '(?!)'})", re.IGNORECASE)
