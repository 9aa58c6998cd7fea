"""Tags: how a clause names the rows that it is based on, and formulas between their cells.

    [r2.5]  [r2.5.healing]  [r2.healing]  [r2]  [r2.n1]  [r2.5, r3.1]
    [r2.5/r2.6.healing]  [sum(r2.damage)]  [max(r2.damage)]  [count(r6.active_percent<25)]
    [count(r6.side=enemy, r6.deaths>0)]  [sum(r6.deaths, r6.side=enemy)]

Formulas are parsed with `ast` and may contain only cells, a few constants, the four operations and
five functions; nothing is ever evaluated as code.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ruleplay.telling.numbers import Number, read
from ruleplay.telling.table import Cell, Table, shown

TAG = re.compile(r"\[(?=[^\[\]\n]{0,160}\br\d)[^\[\]\n]{1,160}\]", re.IGNORECASE)
"""What looks like a tag; the text of a Markdown link does not name a row."""
# Enough for averages of two or three, minutes and percentages; arbitrary constants could make any
# number out of any cell.
CONSTANTS = frozenset((2, 3, 60, 100))
_REF = re.compile(r"\br(\d{1,3})(?:\.(?:n(\d{1,3})|(\d{1,6})))?(?:\.([a-z_][\w]*))?", re.IGNORECASE)
_SIGN = r" {0,3}(<=|>=|==|!=|<|>|=)"
_PICKED = re.compile(
    r"(count|sum|max|min|avg)\( {0,3}(?:(r\d{1,3}\.[a-z_]\w{0,39}) {0,3}[,;] {0,3})?"
    rf"((?:r\d{{1,3}}\.)?[a-z_]\w{{0,39}}{_SIGN}[^()]{{1,140}})\)",
    re.IGNORECASE,
)
"""A function of the rows that meet all its conditions: of a column or, for a count, of none."""
_CONDITION = re.compile(
    rf"(?:(?:[,;&]|\band\b) {{0,3}})?((?:r\d{{1,3}}\.)?[a-z_]\w{{0,39}}){_SIGN}", re.IGNORECASE
)
_FURTHER = re.compile(rf"((?:[,;&]|\band\b) {{0,3}})r\d{{1,3}}\.(?=[a-z_]\w{{0,39}}{_SIGN})", re.I)
"""Which table a further condition is of, which is that of the first."""
_OPERATORS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
    "=": operator.eq, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


class TagError(ValueError):
    """A tag that names nothing; the message says what is available instead."""


@dataclass(frozen=True)
class Cited:
    """What one part of a tag names; `row` is 0 for the table, `column` None for the whole row."""

    table: Table
    row: int = 0
    column: int | None = None
    note: int = 0

    @property
    def cell(self) -> Cell:
        """The cell that is named; None if it is a row, column or note."""
        if not self.row or self.column is None:
            return None
        return self.table.rows[self.row - 1][self.column]

    def described(self) -> str:
        """Describe in words what is named: of whom, which column, the value."""
        if self.column is None:
            return self.table.name
        column = self.table.columns[self.column]
        if not self.row:
            return f"{column.said} of all {len(self.table.rows)}"
        whose = self.table.whose(self.row)
        return f"{whose} {column.said} {shown(self.cell, column.unit)}".strip()

    def __hash__(self) -> int:
        return hash((self.table.id, self.row, self.column, self.note))

    @property
    def words(self) -> str:
        """The words of the row with its heading, or of the note, in lower case."""
        note = f" | {self.table.notes[self.note - 1]}".casefold() if self.note else ""
        return self.table.text_of(self.row) + note

    def texts(self) -> Iterator[str]:
        """Yield the words of what is named, or of all rows if no row is."""
        yield self.words
        if not self.row:
            yield from (self.table.text_of(row) for row in range(1, len(self.table.rows) + 1))

    @property
    def tag(self) -> str:
        """How a tag would name it."""
        column = "" if self.column is None else f".{self.table.columns[self.column].name}"
        return f"{self.table.id}.{self.row}{column}" if self.row else f"{self.table.id}{column}"

    @property
    def one(self) -> bool:
        """Whether exactly one cell is named."""
        return bool(self.row) and self.column is not None


@dataclass(frozen=True)
class Formula:
    """An arithmetic tag: its result, and its cells in order.

    `kind` is "quotient" for a division at the top level, "count" for a count, else "value".
    `against` are the conditions that rows of it meet: `player = Gulag` in
    `count(r1.player=Gulag)`. `said` are further numbers that the text may repeat: constants of the
    formula, the threshold of a condition.
    """

    written: str
    value: float
    kind: str
    unit: str
    cells: tuple[Cited, ...] = ()
    said: tuple[float, ...] = ()
    against: str = ""

    def gives(self, number: Number) -> bool:
        """Whether a number is the result; a quotient may be in percent, or its distance from 1."""
        if self.kind == "count":
            # "3 of 10", and "under 25 %" for the threshold.
            counts = (self.value, *(float(len(one.table.rows)) for one in self.cells))
            counts = counts if number.unit in ("", "th", "x") else ()
            return number.unit != "$" and any(map(number.agrees, (*counts, *self.said)))
        if self.kind == "quotient" and number.unit == "%":
            shares = (self.value * 100, abs(self.value - 1) * 100)
            return any(map(number.agrees, shares))
        if self.kind == "quotient":
            return number.unit in ("", "x") and number.agrees(self.value)
        fits = number.unit not in ("s", "$") or self.unit in (number.unit, "")
        values = (self.value, abs(self.value)) if number.value >= 0 else (self.value,)
        return fits and any(map(number.agrees, values))

    def line(self) -> str:
        """Write the record's line: the operands and the result."""
        headings = "; ".join(dict.fromkeys(cell.table.name for cell in self.cells))
        if self.against and self.kind == "count":
            counted = self.cells[0].table
            return f"{self.against}: {int(self.value)} / {len(counted.rows)} — {headings}"
        operands = (cell.described() for cell in self.cells)
        said = _REF.sub(lambda found: next(operands, found[0]), _FURTHER.sub(r"\1", self.written))
        value = int(self.value) if self.value == int(self.value) else round(self.value, 4)
        return f"{said} = {shown(value, self.unit)} — {headings}"


@dataclass
class Tag:
    """A parsed tag: the rows, cells, columns and notes that it names, and its formulas."""

    written: str
    cited: list[Cited] = field(default_factory=list)
    formulas: list[Formula] = field(default_factory=list)


def parse(written: str, tables: Mapping[str, Table], said: Collection[float] = ()) -> Tag:
    """Parse a tag with its brackets; its formulas may use the numbers in `said`.

    Raises TagError if it names nothing.
    """
    tag = Tag(written)
    for part in _parts(written.strip("[] \t")):
        if part in ("", "and", "et"):
            continue
        whole = _REF.fullmatch(part)
        if whole:
            tag.cited.append(_cited(whole, tables))
        else:
            tag.formulas.append(_formula(part, tables, said))
    if not tag.cited and not tag.formulas:
        raise TagError(f"{written} names no row")
    return tag


def _parts(inside: str) -> list[str]:
    """Split at commas and semicolons outside parentheses."""
    parts, depth, last = [], 0, 0
    for at, char in enumerate(inside):
        depth += (char == "(") - (char == ")")
        if char in ",;" and depth <= 0:
            parts.append(inside[last:at].strip())
            last = at + 1
    return [*parts, inside[last:].strip()]


def _cited(found: re.Match[str], tables: Mapping[str, Table]) -> Cited:
    """Resolve a reference to a table's row, cell, column or note."""
    result, note, row, column = found.groups()
    table = tables.get(f"r{int(result)}")
    if table is None:
        raise TagError(f"there is no result r{result}; there are {', '.join(tables) or 'none'}")
    if note:
        if not 0 < int(note) <= len(table.notes):
            raise TagError(f"{table.id} has no note {note}")
        return Cited(table, note=int(note))
    number = int(row) if row else 0
    if row and not 0 < number <= len(table.rows):
        raise TagError(f"{table.id} has rows 1 to {len(table.rows)}, no {row}")
    return Cited(table, number, _column(table, column) if column else None)


def _column(table: Table, name: str) -> int:
    place = table.place(name)
    if place is None:
        columns = ", ".join(column.name for column in table.columns)
        raise TagError(f"{table.id} has no column {name}; it has {columns}")
    return place


def _formula(part: str, tables: Mapping[str, Table], said: Collection[float]) -> Formula:
    if picked := _PICKED.fullmatch(part):
        return _picked(picked, tables)
    return _Arithmetic(part, tables, said).formula()


def _picked(found: re.Match[str], tables: Mapping[str, Table]) -> Formula:
    """Compute a function over the rows of one table that meet all its conditions."""
    name, of, told = found[1].casefold(), found[2], found[3]
    starts = [*_CONDITION.finditer(told)]
    ends = [*(one.start() for one in starts[1:]), len(told)]
    ident = (of or told).partition(".")[0]
    conditions = [
        (_whole(one[1] if "." in one[1] else f"{ident}.{one[1]}", tables), one[2], text)
        for one, end in zip(starts, ends, strict=True)
        for text in [told[one.end() : end].strip("\"' ")]
    ]
    column = _whole(of, tables) if of else conditions[0][0]
    table = column.table
    if {one.table.id for one, _, _ in conditions} != {table.id} or (name != "count" and not of):
        raise TagError(f"[{found[0]}] needs a column, and conditions on columns of its own table")
    _check_whole(table, found[0])
    rows = [
        row
        for row in table.rows
        if all(_holds(row[one.column or 0], sign, text) for one, sign, text in conditions)
    ]
    said = tuple(number for *_, text in conditions if (number := _plain(text)) is not None)
    against = ", ".join(
        f"{table.columns[one.column or 0].said} {sign} {text}" for one, sign, text in conditions
    )
    if name == "count":
        return Formula(found[0], len(rows), "count", "", (column,), said, against)
    place = column.column or 0
    values = [float(cell) for row in rows if isinstance(cell := row[place], int | float)]
    if not values:
        raise TagError(f"[{found[0]}]: no row with a number meets that")
    unit = table.columns[place].unit
    return Formula(found[0], _FUNCTIONS[name](values), "value", unit, (column,), said, against)


def _check_whole(table: Table, part: str) -> None:
    """Refuse a function of a table that is only a selection: its sums and counts mean nothing."""
    if table.total > len(table.rows):
        raise TagError(
            f"[{part}]: {table.id} has only {len(table.rows)} of {table.total} rows; cite them one"
            " by one, or look up all"
        )


def _whole(written: str, tables: Mapping[str, Table]) -> Cited:
    """Resolve a whole column."""
    found = _REF.fullmatch(written)
    if found is None:
        raise TagError(f"[{written}] is no column of a table")
    return _cited(found, tables)


def _holds(cell: Cell, sign: str, text: str) -> bool:
    number = _plain(text)
    if isinstance(cell, int | float):
        return number is not None and _COMPARISONS[sign](cell, number)
    same = str(cell or "-").casefold() == text.casefold()
    return same if sign in ("=", "==") else not same if sign == "!=" else False


def _plain(text: str) -> float | None:
    try:
        return float(text.strip(" %$s").replace(",", ""))
    except ValueError:
        return None


class _Arithmetic:
    """Evaluates one formula; a column that is named only once applies to all operands."""

    def __init__(self, part: str, tables: Mapping[str, Table], asked: Collection[float]) -> None:
        self._part, self._asked = part, asked
        self._cells, self._said, self._unit = list[Cited](), list[float](), ""
        # References become names (`_0`), because "r2.5" is no Python.
        self._operands = dict[str, Cited | Formula]()
        text = part.replace("×", "*").replace("÷", "/")
        text = _PICKED.sub(lambda found: self._name(_picked(found, tables)), text)
        self._text = _REF.sub(lambda found: self._name(_cited(found, tables)), text)
        self._refs = [one for one in self._operands.values() if isinstance(one, Cited)]
        # [r2.5/r2.6.healing] names the column once for both operands.
        columns = {
            one.table.columns[one.column].name for one in self._refs if one.column is not None
        }
        self._only = columns.pop() if len(columns) == 1 else None

    def _name(self, operand: Cited | Formula) -> str:
        name = f"_{len(self._operands)}"
        self._operands[name] = operand
        return name

    def formula(self) -> Formula:
        """Compute the formula; TagError if it is not one."""
        try:
            tree = ast.parse(self._text.strip().casefold(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise TagError(f"[{self._part}] is neither a row nor a formula") from None
        value = self._read(tree, 0)
        units = {one.table.columns[one.column or 0].unit for one in self._cells}
        kind = self._kind(tree)
        # The difference of two clocks is a duration.
        unit = self._unit or (units.pop() if len(units) == 1 else "")
        unit = unit if kind == "value" else ""
        return Formula(self._part, value, kind, unit, tuple(self._cells), tuple(self._said))

    def _kind(self, tree: ast.expr) -> str:
        match tree:
            case ast.BinOp(op=ast.Div(), right=right) if _shares(right):
                return "value"  # half of a percentage is one too, and a mean time a time
            case ast.BinOp(op=ast.Div()):
                return "quotient"
            case ast.Call(func=ast.Name(id="count")):
                return "count"
        # A sum of counts counts too: it is no duration and no share.
        counts = (isinstance(o, Formula) and o.kind == "count" for o in self._operands.values())
        return "count" if self._operands and all(counts) else "value"

    def _read(self, node: ast.expr, depth: int) -> float:
        """Evaluate a node of the syntax tree; anything but the allowed kinds is a TagError."""
        if depth > 12:  # models write formulas of any depth; recursion must stay bounded
            raise TagError(f"[{self._part}] is nested too deeply")
        match node:
            case ast.Constant(value=int() | float() as number) if (
                number in CONSTANTS or number in self._asked
            ):
                # 60 and 100 convert units; the text may repeat others: "two of them …"
                self._said += [number] if number in self._asked or number < 60 else []
                return float(number)
            case ast.Name(id=name) if name in self._operands:
                return self._operand(self._operands[name])
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                a, b = self._read(left, depth + 1), self._read(right, depth + 1)
                if isinstance(op, ast.Div) and not b:
                    raise TagError(f"[{self._part}] divides by 0")
                return _OPERATORS[type(op)](a, b)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
                values = [value for arg in args for value in self._values(arg, name)]
                if not values and name != "count":
                    raise TagError(f"[{self._part}] has no numbers to take the {name} of")
                return _FUNCTIONS[name](values)
        raise TagError(
            f"[{self._part}] may hold cells, 2, 3, 60, 100, the asker's numbers, + - * / and sum, "
            "max, min, avg, count"
        )

    def _operand(self, operand: Cited | Formula) -> float:
        """Read a number from a cell or a count, including clocks and numbers in text columns."""
        if isinstance(operand, Formula):
            self._cells += operand.cells
            return operand.value
        table, place = operand.table, self._placed(operand)
        if not operand.row:
            raise TagError(f"[{self._part}] needs rows, or sum, max or min around the column")
        value = table.rows[operand.row - 1][place]
        if isinstance(value, str):
            found = read(value)
            if len(found) == 1 and found[0].text == value:
                value, self._unit = found[0].value, found[0].unit
        if not isinstance(value, int | float):
            raise TagError(f"{table.id}.{operand.row}.{table.columns[place].name} is no number")
        self._cells.append(Cited(table, operand.row, place))
        return float(value)

    def _placed(self, ref: Cited) -> int:
        if ref.column is not None:
            return ref.column
        if self._only is not None:
            return _column(ref.table, self._only)
        raise TagError(f"[{self._part}] does not say which column it means")

    def _values(self, arg: ast.expr, name: str) -> list[float]:
        """List a whole column if one is named, else the operand's value."""
        ref = self._operands.get(arg.id) if isinstance(arg, ast.Name) else None
        if not isinstance(ref, Cited) or ref.row:
            return [self._read(arg, 1)]
        if name == "count" and ref.column is None:
            return [1.0] * len(ref.table.rows)
        place = self._placed(ref)
        _check_whole(ref.table, self._part)
        self._cells.append(Cited(ref.table, 0, place))
        # All rows, including those beyond `Table.shown` that the model did not see.
        cells = [cell for cell in ref.table.cells(place) if cell not in (None, "")]
        if name == "count":
            return [1.0] * len(cells)
        return [float(cell) for cell in cells if isinstance(cell, int | float)]


def _shares(divisor: ast.expr) -> bool:
    """Whether a divisor only splits something in parts: 2, 3, 2 + 3; 60 and 100 convert units."""
    constants = [one for one in ast.walk(divisor) if isinstance(one, ast.Constant)]
    parts = bool(constants) and all(one.value in (2, 3) for one in constants)
    return parts and not any(isinstance(one, ast.Name) for one in ast.walk(divisor))


_FUNCTIONS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "sum": sum,
    "max": max,
    "min": min,
    "avg": lambda values: sum(values) / len(values),
    "count": len,
}
