"""Keeps what an answer rested on: findings from the cells it cites, and what the next may use."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ruleplay.agents.raid.domain.overview import fold, short_name
from ruleplay.agents.raid.domain.toolbox import BY_NAME
from ruleplay.agents.raid.policy.rows import SPOKEN, in_seconds, result_of
from ruleplay.agents.raid.policy.standing import BEFORE
from ruleplay.agents.raid.state import RESULT_ROWS, Finding, ToolReturned
from ruleplay.telling.citing import Span
from ruleplay.telling.numbers import fits, read
from ruleplay.telling.table import Cell, Column, Table, Unit, clean
from ruleplay.telling.tags import Cited, Formula, TagError, parse

_NARROWING = (
    *("ability", "killed_by_ability", "killed_by", "buff", "aura", "source", "target", "boss"),
    *("difficulty", "side"),
)
"""Columns that say what a value is of, besides its owner."""
_LIFTED = re.compile(r"(?:^|, |only |rows: )(?:player|ability|source|target) ([^,;]+)")
"""Constants of a table that move from its rows to its heading, and what it was limited to."""


def told_table(findings: Sequence[Finding]) -> Table | None:
    """Build table r99 of the last answer's evidence; None if it had none."""
    found = [one for one in findings if one.value not in (None, "")]
    if not found:
        return None
    units = {one.metric: one.unit for one in found if not isinstance(one.value, str)}
    known: Mapping[str, Unit] = {"%": "%", "s": "s", "": ""}
    rows = _told_rows(findings)
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
            *(row[0].player or None, row[0].aspect or None),
            f"pull {row[0].pull}" if row[0].pull else None,
            *map({one.metric: one.value for one in row}.get, metrics),
        )
        for row in rows
    )
    return Table(id=BEFORE, title="told before", columns=columns, rows=made, owner="player")


def _told_rows(findings: Sequence[Finding]) -> list[list[Finding]]:
    """Group findings of the same whom, what and pull: the rows of table r99."""
    rows: list[list[Finding]] = []
    for one in findings:
        if one.value in (None, ""):
            continue
        alike = (row for row in rows if _whose(row[0]) == _whose(one))
        free = (row for row in alike if one.metric not in {other.metric for other in row})
        if row := next(free, None):
            row.append(one)
        else:
            rows.append([one])
    return rows


def _whose(one: Finding) -> tuple[str, str, int | None]:
    return one.player, one.aspect, one.pull


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


def recalled(
    spans: Sequence[Span],
    tables: Sequence[Table],
    results: Iterable[ToolReturned],
    before: Sequence[Finding],
) -> tuple[Finding, ...]:
    """Collect what an answer cites that no result of its turn keeps as a whole.

    That is rows of the answer `before`, results of formulas, and cells of long or unpacked results.
    """
    returned = {one.result: one for one in results}
    known, rows, found = {table.id: table for table in tables}, _told_rows(before), list[Finding]()
    for written in (written for span in spans for written in span.cites):
        try:
            tag = parse(written, known)
        except TagError:
            continue
        formulas = (one for one in tag.formulas if one.cells)
        found += (_computed(one, returned) for one in formulas)
        operands = (cell for formula in tag.formulas for cell in formula.cells)
        for cited in (*tag.cited, *operands):
            found += rows[cited.row - 1] if cited.row and cited.table.id == BEFORE else ()
    for cell in _cited_cells(spans, tables):
        one = returned.get(result_of(cell.table.id))
        if one and not _is_kept(cell, one) and (finding := _finding(cell, one)):
            found.append(finding)
    return tuple(dict.fromkeys(found))


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
