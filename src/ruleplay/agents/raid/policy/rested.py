"""Keeps what an answer rested on: findings from the cells it cites, and what the next may use."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ruleplay.agents.raid.domain.overview import fold, short_name
from ruleplay.agents.raid.domain.toolbox import BY_NAME
from ruleplay.agents.raid.policy.rows import SPOKEN, in_seconds, result_of
from ruleplay.agents.raid.policy.standing import BEFORE, CITED, MEMBERS, OVERVIEW, VISITS
from ruleplay.agents.raid.state import RESULT_ROWS, Finding, Kept, ToolReturned
from ruleplay.telling.citing import Span
from ruleplay.telling.numbers import Number, fits, read
from ruleplay.telling.table import Cell, Column, Table, Unit, clean
from ruleplay.telling.tags import Cited, Formula, Tag, TagError, parse

ROWS, FEW, ROOM = 16, 8, 1_800
"""Maximum number of rows of an answer that the next one reads, also of a table of which it cites a
column, and of a table cited as a whole; and characters of them all."""
_BESIDE = frozenset(("biggest_by", "biggest_on", "biggest_from", "best_fight", "absorbed_by"))
"""Texts beside a sum that are kept if the answer spoke of them."""
_NARROWING = (
    *("ability", "killed_by_ability", "killed_by", "buff", "aura", "source", "target", "boss"),
    *("difficulty", "side"),
)
"""Columns that say what a value is of, besides its owner."""
_LIFTED = re.compile(r"(?:^|, |only |rows: )(?:player|ability|source|target) ([^,;]+)")
"""Constants of a table that move from its rows to its heading, and what it was limited to."""


def told_tables(cited: Sequence[Kept], findings: Sequence[Finding]) -> tuple[Table, ...]:
    """Build the tables of what the last answer rested on: the rows cited, and what it computed."""
    tables = [
        Table(
            id=ident,
            title=f"told before: {one.title}",
            heading=one.heading,
            columns=tuple(Column(name=name, unit=unit) for name, unit in one.columns),
            rows=one.rows,
            notes=one.notes,
            owner=one.owner,
            total=one.total,
        )
        for ident, one in zip(CITED, cited, strict=False)
    ]
    computed = told_table(findings)
    return (*tables, computed) if computed else tuple(tables)


def told_table(findings: Sequence[Finding]) -> Table | None:
    """Build table r99 of what the last answer computed; None if that was nothing."""
    found = [one for one in findings if one.value not in (None, "")]
    if not found:
        return None
    units = {one.metric: one.unit for one in found if not isinstance(one.value, str)}
    known: Mapping[str, Unit] = {"%": "%", "s": "s", "": ""}
    metrics = dict.fromkeys(one.metric for one in found)
    numbers = (Column(name=one, unit=known.get(units.get(one, "text"), "text")) for one in metrics)
    columns = (
        Column(name="player", unit="name"),
        Column(name="of", unit="text"),
        Column(name="pull", unit="name"),
        *numbers,
    )
    made = tuple(
        (
            *(one.player or None, one.aspect or None),
            f"pull {one.pull}" if one.pull else None,
            *(one.value if name == one.metric else None for name in metrics),
        )
        for one in found
    )
    return Table(id=BEFORE, title="told before", columns=columns, rows=made, owner="player")


def kept_rows(spans: Iterable[Span], tables: Sequence[Table]) -> tuple[Kept, ...]:
    """Collect the rows and notes that an answer cites, with their headings, in its order.

    Of a table that is cited as a whole, or of which a column is, all rows, if they are few. What
    every prompt has is left out, and so are numbers that the answer did not speak of.
    """
    spans = [*spans]
    known = {table.id: table for table in tables}
    text = " ".join(span.text for span in spans)
    said = _Said(fold(text), read(text), _columns_named(spans, known))
    rows: dict[str, dict[int, None]] = {}
    notes: dict[str, dict[int, None]] = {}
    for cited in _named_by(spans, known):
        size = len(cited.table.rows)
        if cited.table.id in (OVERVIEW, MEMBERS, VISITS, BEFORE):
            continue
        own = rows.setdefault(cited.table.id, {})
        if cited.note:
            notes.setdefault(cited.table.id, {})[cited.note] = None
        elif cited.row or size <= (FEW if cited.column is None else ROWS):
            own |= dict.fromkeys([cited.row] if cited.row else range(1, size + 1))
    kept, left, room = list[Kept](), ROWS, ROOM
    for ident, own in rows.items():
        chosen = [*own][:left]
        one = _kept(known[ident], chosen, sorted(notes.get(ident, ())), said)
        while chosen and len(one.model_dump_json()) > room:
            chosen.pop()
            one = _kept(known[ident], chosen, (), said)
        if len(kept) < len(CITED) and (one.rows or one.notes):
            kept.append(one)
            left -= len(chosen)
            room -= len(one.model_dump_json())
    return tuple(kept)


@dataclass(frozen=True)
class _Said:
    """What an answer spoke of: its text, folded, the numbers in it, columns that its tags name."""

    text: str
    numbers: Sequence[Number]
    columns: Collection[tuple[str, int]]

    def tells(self, column: Column, cell: Cell) -> bool:
        """Whether the answer has a cell of a column, texts by the name before a colon too."""
        if isinstance(cell, int | float):
            return any(fits(one.unit, column.unit) and one.agrees(cell) for one in self.numbers)
        name = fold(short_name(str(cell or "").partition(": ")[0]))
        return bool(name) and name in self.text


def _columns_named(spans: Iterable[Span], known: Mapping[str, Table]) -> set[tuple[str, int]]:
    """Collect the columns that tags and formulas name, by table."""
    tags = [*_tags(spans, known)]
    cells = (one for tag in tags for one in tag.cited)
    parts = (one for tag in tags for formula in tag.formulas for one in formula.cells)
    return {(o.table.id, o.column) for o in (*cells, *parts) if o.column is not None}


def _kept(table: Table, rows: Sequence[int], notes: Sequence[int], said: _Said) -> Kept:
    """Keep rows with their texts, and of the numbers those columns that the answer spoke of.

    The first number of a table is what it is about, and may be said in words ("once", "nobody").
    """
    rows = sorted(rows)
    sums = (place for place, one in enumerate(table.columns) if one.numeric and one.unit != "s")
    first = next(sums, None)
    places = [
        place
        for place, column in enumerate(table.columns)
        if place == first
        or (table.id, place) in said.columns
        or (not column.numeric and column.name not in _BESIDE)
        or any(said.tells(column, table.rows[row - 1][place]) for row in rows)
    ]
    return Kept(
        title=table.title.removeprefix("told before: "),
        heading=table.heading,
        columns=tuple((table.columns[at].name, table.columns[at].unit) for at in places),
        rows=tuple(tuple(table.rows[row - 1][at] for at in places) for row in rows),
        notes=tuple(table.notes[note - 1] for note in notes),
        owner=table.owner,
        total=max(len(table.rows), table.total),
    )


def _named_by(spans: Iterable[Span], known: Mapping[str, Table]) -> Iterator[Cited]:
    """Yield what the tags of an answer name, and the cells of their formulas."""
    for tag in _tags(spans, known):
        yield from tag.cited
        yield from (cell for formula in tag.formulas for cell in formula.cells if cell.row)


def _tags(spans: Iterable[Span], known: Mapping[str, Table]) -> Iterator[Tag]:
    for written in (written for span in spans for written in span.cites):
        try:
            yield parse(written, known)
        except TagError:
            continue


def findings_of(
    spans: Iterable[Span], tables: Sequence[Table], results: Iterable[ToolReturned]
) -> tuple[Finding, ...]:
    """Convert the cells cited by the shown text to findings, each once, in order."""
    returned = {one.result: one for one in results}
    found: list[Finding] = []
    for cell in _cited_cells(spans, tables):
        one = returned.get(result_of(cell.table.id))
        if one and _is_kept(cell, one) and (finding := _finding(cell, one)):
            found.append(finding)
    return tuple(dict.fromkeys(found))


def computed(
    spans: Iterable[Span], tables: Iterable[Table], results: Iterable[ToolReturned]
) -> tuple[Finding, ...]:
    """Collect the results of an answer's formulas."""
    returned = {one.result: one for one in results}
    tags = _tags(spans, {table.id: table for table in tables})
    formulas = (one for tag in tags for one in tag.formulas if one.cells)
    return tuple(dict.fromkeys(_computed(one, returned) for one in formulas))


def _computed(formula: Formula, returned: Mapping[str, ToolReturned]) -> Finding:
    """Convert the result of a formula to a finding; `aspect` is the formula in words."""
    whole = formula.value == int(formula.value)
    one = returned.get(result_of(formula.cells[0].table.id))
    return Finding(
        metric="computed",
        value=int(formula.value) if whole else round(formula.value, 4),
        unit=formula.unit,
        aspect=clean(formula.line()).partition(" — ")[0],
        pull=one.fight if one else None,
        report=one.report if one else "",
        result=one.result if one else "",
    )


def _cited_cells(spans: Iterable[Span], tables: Iterable[Table]) -> Iterator[Cited]:
    known = {table.id: table for table in tables}
    for span in spans:
        for written in span.cites:
            yield from _cells(written, span.text, known)


def _is_kept(cell: Cited, returned: ToolReturned) -> bool:
    """Whether a turn's event holds a cell: of long results it keeps no row, of lists the whole."""
    pieces = cell.table.place("seconds_before_death") is not None
    column = cell.table.columns[cell.column or 0]
    return returned.total <= RESULT_ROWS and not pieces and column.name != "evidence"


def _cells(written: str, text: str, tables: Mapping[str, Table]) -> Iterator[Cited]:
    """Yield the cells named by a tag; for a whole row, those whose values the text contains."""
    try:
        tag = parse(written, tables)
    except TagError:
        return
    formulas = (cell for formula in tag.formulas for cell in formula.cells)
    numbers = read(text)
    for cited in (*tag.cited, *formulas):
        if cited.one:
            yield cited
        for place, column in enumerate(cited.table.columns if cited.row else ()):
            cell = cited.table.rows[cited.row - 1][place]
            told = isinstance(cell, int | float) and any(
                fits(number.unit, column.unit) and number.agrees(cell) for number in numbers
            )
            clock = isinstance(cell, str) and re.fullmatch(r"\d\d:\d\d:\d\d", cell)
            told |= bool(clock) and str(cell) in text
            if told and place != cited.column:
                yield Cited(cited.table, cited.row, place)


def _finding(cell: Cited, returned: ToolReturned) -> Finding | None:
    """Convert a cell to a finding; None for a pull's number, which alone proves nothing."""
    if cell.column is None or cell.cell in (None, ""):
        return None
    column, table = cell.table.columns[cell.column], cell.table
    if column.name == "pull":
        return None
    row = dict(zip((c.name for c in table.columns), table.rows[cell.row - 1], strict=True))
    fight = re.match(r"pull (\d+)", str(row.get("pull") or ""))
    about = table.whose(cell.row) or str(returned.args.get("player_name") or "")
    return Finding(
        metric=_metric_of(returned.tool, column.name),
        value=cell.cell or 0,
        unit=column.unit if column.unit in ("%", "s") else "",
        player="" if about.startswith("pull ") else about,
        aspect=_scope(row, returned, about, cell),
        pull=int(fight[1]) if fight else returned.fight,
        report=returned.report,
        result=returned.result,
    )


def _scope(row: Mapping[str, Cell], returned: ToolReturned, about: str, cell: Cited) -> str:
    """Describe what else a value depends on, such as its ability or target."""
    parts = [str(row[name]) for name in _NARROWING if row.get(name)]
    if returned.tool == "get_damage_timeline":
        parts.append(f"from {row.get('at')} s")
    lifted = _LIFTED.findall(cell.table.heading)
    parts += [one for one in lifted if one not in parts and fold(one) != fold(about)]
    for name in ("player_name", "ability", "target_name", "part", "without"):
        asked = str(returned.args.get(name) or "")
        mine = asked and fold(short_name(asked)) != fold(about)
        mine = mine and not {short_name(asked), *asked.split("; ")} & {*parts}
        parts += [f"without {asked}" if name == "without" else in_seconds(asked)] if mine else []
    return ", ".join(parts)


def _metric_of(tool: str, name: str) -> str:
    spoken = SPOKEN | dict(BY_NAME[tool].calls)
    return next((old for old, new in spoken.items() if new == name), name)


def shared_fight(results: Iterable[ToolReturned]) -> int | None:
    """Find the pull that most of these results are about, the later one if tied; None if none."""
    fights = Counter(one.fight for one in results if one.fight is not None)
    return max(fights, key=lambda fight: (fights[fight], fight)) if fights else None
