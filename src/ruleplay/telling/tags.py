"""Tags: how a clause names the rows that it is based on, and formulas between their cells.

    [r2.5]  [r2.5.healing]  [r2.healing]  [r2]  [r2.n1]  [r2.5, r3.1]
    [r2.5/r2.6.healing]  [sum(r2.damage)]  [max(r2.damage)]  [count(r6.active_percent<25)]

Formulas are parsed with `ast` and may contain only cells, a few constants, the four operations and
five functions; nothing is ever evaluated as code.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ruleplay.telling.numbers import Number
from ruleplay.telling.table import Cell, Table, shown

TAG = re.compile(r"\[(?=[^\[\]\n]{0,160}\br\d)[^\[\]\n]{1,160}\]", re.IGNORECASE)
"""What looks like a tag; the text of a Markdown link does not name a row."""
# Enough for averages of two or three, minutes and percentages; arbitrary constants could make any
# number out of any cell.
CONSTANTS = frozenset((2, 3, 60, 100))
_REF = re.compile(r"\br(\d{1,3})(?:\.(?:n(\d{1,3})|(\d{1,6})))?(?:\.([a-z_][\w]*))?", re.IGNORECASE)
_COUNT = re.compile(
    r"count\( {0,3}(r\d{1,3}\.[a-z_]\w{0,39}) {0,3}(<=|>=|==|!=|<|>|=)([^()]{1,60})\)",
    re.IGNORECASE,
)
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


_CLOCK = re.compile(r"(\d\d):(\d\d):(\d\d)")
_WRITTEN = re.compile(r"\d{1,3}(?:,\d{3})*(?:\.\d+)?|\d+(?:\.\d+)?")
"""A number as text cells write it."""


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

    `kind` is "quotient" for a division at the top level, "count" for a count (of hits among rows,
    with the threshold among `values`), else "value". `said` are constants of the formula that the
    text may repeat.
    """

    written: str
    value: float
    kind: str
    unit: str
    cells: tuple[Cited, ...] = ()
    values: tuple[float, ...] = ()
    said: tuple[float, ...] = ()
    against: str = ""
    """What a count compares with: "Gulag" in `count(r1.player=Gulag)`."""

    def gives(self, number: Number) -> bool:
        """Whether a number is the result; a quotient may be in percent, or its distance from 1."""
        if self.kind == "count":
            counts = (self.value, *self.values) if number.unit in ("", "th", "x") else ()
            # The threshold of a count may be repeated in the text: "under 25 %".
            bound = self.values[1:] if number.unit in ("%", "s") else ()
            return any(map(number.agrees, (*counts, *bound)))
        if self.kind == "quotient":
            if number.unit == "%":
                return any(
                    number.agrees(value) or number.rounds(value)
                    for value in (self.value * 100, abs(self.value - 1) * 100)
                )
            return number.unit in ("", "x") and number.agrees(self.value)
        if number.unit in ("s", "$") and self.unit not in (number.unit, ""):
            return False
        return number.agrees(self.value) or (number.value >= 0 and number.agrees(abs(self.value)))

    def line(self) -> str:
        """Write the record's line: the operands and the result."""
        if self.against:
            return self._count_line()
        operands = (cell.described() for cell in self.cells)
        said = _REF.sub(lambda found: next(operands, found[0]), self.written)
        headings = dict.fromkeys(cell.table.name for cell in self.cells)
        value = int(self.value) if self.value == int(self.value) else round(self.value, 4)
        return f"{said} = {shown(value, self.unit)} — {'; '.join(headings)}"

    def _count_line(self) -> str:
        cell = self.cells[0]
        column = cell.table.columns[cell.column or 0]
        sign = self.written.partition(".")[2].removeprefix(column.name)
        sign = sign.removesuffix(")").partition(self.against)[0].strip()
        compared = f"{column.said} {sign} {self.against}"
        return f"{compared}: {int(self.value)} / {len(cell.table.rows)} — {cell.table.name}"


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
    if counted := _COUNT.fullmatch(part):
        return _counted(part, counted, tables)
    reading = _Arithmetic(part, tables, said)
    value = reading.value()
    unit = "" if reading.kind == "quotient" else reading.unit
    plain = tuple(reading.plain)
    return Formula(part, value, reading.kind, unit, tuple(reading.cells), said=plain)


def _counted(part: str, found: re.Match[str], tables: Mapping[str, Table]) -> Formula:
    named, sign, against = found.groups()
    column = next(_cited(one, tables) for one in _REF.finditer(named))
    wanted, text = _plain(against), against.strip("\"' ")
    cells = column.table.cells(column.column or 0)
    hits = sum(_holds(cell, sign, text, wanted) for cell in cells)
    values = (float(len(cells)), *((wanted,) if wanted is not None else ()))
    return Formula(part, hits, "count", "", (column,), values, against=text)


def _holds(cell: Cell, sign: str, text: str, number: float | None) -> bool:
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

    def __init__(
        self, part: str, tables: Mapping[str, Table], said: Collection[float] = ()
    ) -> None:
        self._part, self.cells = part, list[Cited]()
        self._said, self.plain = said, list[float]()
        counts = {f"_c{at}": found for at, found in enumerate(_COUNT.finditer(part))}
        self._counts = {name: _counted(one[0], one, tables) for name, one in counts.items()}
        name = iter(counts)
        part = _COUNT.sub(lambda _: next(name), part)
        refs = {f"_{at}": found for at, found in enumerate(_REF.finditer(part))}
        self._refs = {name: _cited(one, tables) for name, one in refs.items()}
        # [r2.5/r2.6.healing] names the column once for both operands.
        named = self._refs.values()
        names = {ref.table.columns[ref.column].name for ref in named if ref.column is not None}
        self._only = next(iter(names)) if len(names) == 1 else None
        name = iter(refs)
        self._text = _REF.sub(lambda _: next(name), part.replace("×", "*").replace("÷", "/"))
        # A sum of counts counts too: it is no duration and no share.
        self.kind, self.unit = "count" if counts and not refs else "value", ""

    def value(self) -> float:
        """Compute the formula; TagError if it is not one."""
        try:
            # References were replaced by names (`_0`), because "r2.5" is not valid Python.
            tree = ast.parse(self._text.strip().casefold(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise TagError(f"[{self._part}] is neither a row nor a formula") from None
        if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Div):
            self.kind = "quotient"
        if isinstance(tree, ast.Call) and _name(tree) == "count":
            self.kind = "count"
        result = self._read(tree, 0)
        units = {one.table.columns[one.column or 0].unit for one in self.cells}
        if units == {"%"} and _takes_part(tree):
            self.kind = "value"
        if self.kind != "value":
            self.unit = ""
        elif not self.unit and len(units) == 1:  # the difference of two clocks is a duration
            self.unit = next(iter(units))
        return result

    def _read(self, node: ast.expr, depth: int) -> float:
        # Models write formulas of any depth; recursion must stay bounded.
        """Evaluate a node of the syntax tree; anything but the allowed kinds is a TagError."""
        if depth > 12:
            raise TagError(f"[{self._part}] is nested too deeply")
        match node:
            case ast.Constant(value=int() | float() as number) if (
                number in CONSTANTS or number in self._said
            ):
                # 60 and 100 convert units; other constants may be repeated in the text: "two of
                # them …"
                said = number in self._said or number < 60
                self.plain += [float(number)] if said else []
                return float(number)
            case ast.Name(id=name) if name in self._counts:
                self.cells += self._counts[name].cells
                return self._counts[name].value
            case ast.Name(id=name) if name in self._refs:
                return self._cell(self._refs[name])
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                a, b = self._read(left, depth + 1), self._read(right, depth + 1)
                if isinstance(op, ast.Div) and not b:
                    raise TagError(f"[{self._part}] divides by 0")
                return _OPERATORS[type(op)](a, b)
            case ast.Call(args=args, keywords=[]) if _name(node) in _FUNCTIONS:
                return self._call(_name(node), args)
        raise TagError(
            f"[{self._part}] may hold cells, 2, 3, 60, 100, the asker's numbers, + - * / and sum, "
            "max, min, avg, count"
        )

    def _cell(self, ref: Cited) -> float:
        """Read a number from a cell, including clocks and numbers in text columns."""
        place = self._placed(ref)
        if not ref.row:
            raise TagError(f"[{self._part}] needs rows, or sum, max or min around the column")
        value = ref.table.rows[ref.row - 1][place]
        if isinstance(value, str) and (clock := _CLOCK.fullmatch(value)):
            hours, minutes, seconds = map(int, clock.groups())
            value, self.unit = (hours * 60 + minutes) * 60 + seconds, "s"
        if isinstance(value, str) and _WRITTEN.fullmatch(value):
            value = float(value.replace(",", ""))  # text columns whose rows differ in unit
        if not isinstance(value, int | float):
            raise TagError(f"{ref.table.id}.{ref.row}.{ref.table.columns[place].name} is no number")
        self.cells.append(Cited(ref.table, ref.row, place))
        return float(value)

    def _placed(self, ref: Cited) -> int:
        if ref.column is not None:
            return ref.column
        if self._only is not None:
            return _column(ref.table, self._only)
        raise TagError(f"[{self._part}] does not say which column it means")

    def _call(self, name: str, args: Sequence[ast.expr]) -> float:
        """Apply one of the functions to columns or operands."""
        values: list[float] = []
        for arg in args:
            values += self._values(arg, name)
        if name == "count":
            return float(len(values))
        if not values:
            raise TagError(f"[{self._part}] has no numbers to take the {name} of")
        return _FUNCTIONS[name](values)

    def _values(self, arg: ast.expr, name: str) -> list[float]:
        """List a whole column if one is named, else the operand's value."""
        if isinstance(arg, ast.Name) and arg.id in self._refs:
            ref = self._refs[arg.id]
            if not ref.row:
                if name == "count" and ref.column is None:
                    return [1.0] * len(ref.table.rows)
                place = self._placed(ref)
                self.cells.append(Cited(ref.table, 0, place))
                # All rows, including those beyond `Table.shown` that the model did not see.
                cells = (row[place] for row in ref.table.rows)
                return [float(cell) for cell in cells if isinstance(cell, int | float)]
        return [self._read(arg, 1)]


def _takes_part(tree: ast.expr) -> bool:
    """Whether a formula only divides what it has by 2 or 3: of percentages that is one, too."""
    match tree:
        case ast.BinOp(op=ast.Div(), right=ast.Constant(value=2 | 3)):
            return True
    return False


def _name(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


_FUNCTIONS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "sum": sum,
    "max": max,
    "min": min,
    "avg": lambda values: sum(values) / len(values),
    "count": lambda values: float(len(values)),
}
