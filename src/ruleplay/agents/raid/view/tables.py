"""Formats result rows for people: units, times, Markdown tables, and typed findings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ruleplay.agents.raid.domain.tool_result import Cell, Metric, Row
from ruleplay.agents.raid.domain.toolbox import BY_NAME
from ruleplay.agents.raid.state import Finding, ToolReturned

WIDEST = 9
"""Maximum number of columns per table."""
_NOTHING: tuple[Cell, ...] = (None, "", [], 0, False)
"""Values without information; a column that has no others is left out."""
_PLACE = frozenset(("fight", "report", "pull"))
"""Columns that locate a row."""
_WHO = ("player", "add", "encounter", "spec", "debuff", "ability", "aura", "report", "boss", "name")
"""Columns that identify the subject of a row whose metric declares none."""


@dataclass(frozen=True)
class ResultTable:
    """A result with the meaning of its columns."""

    returned: ToolReturned

    @property
    def metrics(self) -> dict[str, Metric]:
        """The described numeric columns."""
        spec = BY_NAME.get(self.returned.tool)
        return {metric.column: metric for metric in spec.metrics} if spec else {}

    @property
    def cite(self) -> str:
        """The citation of this result in a reply."""
        return f"[{self.returned.result}]"

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows that were kept."""
        return self.returned.rows

    def arg(self, name: str) -> str:
        """Get an argument of the tool call as text; "" if it was omitted."""
        return str(self.returned.args.get(name) or "")

    def who(self, row: Row, metric: Metric | None = None) -> str:
        """Find whom a row, or one of its columns, is about; "" for the pull itself."""
        if metric is not None:
            return str(row.get(metric.subject) or "") if metric.subject else ""
        return next((str(row[name]) for name in _WHO if row.get(name)), "")

    def fight(self, row: Row) -> int | None:
        """Find the number of the pull that a row is about."""
        own = row.get("fight")
        return own if isinstance(own, int) else self.returned.fight

    def columns(self, chosen: Sequence[str] = ()) -> list[str]:
        """List a table's columns: the chosen ones, else all that contain information."""
        present = list(dict.fromkeys(name for row in self.rows for name in row))
        if chosen:
            held = [name for name in chosen if name in present]
            told = [n for n in held if any(row.get(n) not in _NOTHING for row in self.rows)]
            return told or held
        several = len({self.fight(row) for row in self.rows}) > 1
        kept = [n for n in present if n not in _PLACE or (n == "fight" and several)]
        told = [n for n in kept if any(row.get(n) not in _NOTHING for row in self.rows)]
        return told[:WIDEST]

    def table(self, rows: Sequence[Row], columns: Sequence[str]) -> list[str]:
        """Build a Markdown table; every line with values ends with its citation."""
        heads = [self.label(name) for name in columns]
        lines = [_line([*heads, ""]), _line([*(["---"] * len(columns)), "---"])]
        for row in rows:
            cells = [self.show(name, row.get(name)) for name in columns]
            lines.append(_line([*cells, self.cite]))
        return lines

    def label(self, column: str) -> str:
        """Get a column's heading."""
        metric = self.metrics.get(column)
        if metric is None:
            return _LABELS.get(column, column.replace("_", " "))
        return metric.name

    def show(self, column: str, value: Cell) -> str:
        """Format a value with its unit."""
        metric = self.metrics.get(column)
        return shown(value, metric.unit if metric else _UNITS.get(column, ""))

    def findings(self, rows: Iterable[Row], columns: Sequence[str]) -> tuple[Finding, ...]:
        """Convert the values of these rows and columns to findings, each with its subject."""
        return tuple(
            finding
            for row in rows
            for column in columns
            for finding in self._findings_of(row, column)
        )

    def _findings_of(self, row: Row, column: str) -> Iterable[Finding]:
        metric, value = self.metrics.get(column), row.get(column)
        values = value if isinstance(value, list) else [value]
        about = self.who(row, metric) or self.who(row)
        aspect = str(row.get(metric.aspect) or "") if metric and metric.aspect else ""
        for one in values:
            if one is None or one == "" or column in _PLACE or str(one) == about:
                continue
            yield Finding(
                metric=column,
                value=("yes" if one else "no") if isinstance(one, bool) else one,
                unit=metric.unit if metric else "",
                player=about,
                aspect=aspect if aspect != about else "",
                pull=self.fight(row),
                report=str(row.get("report") or self.returned.report),
                result=self.returned.result,
            )


_LABELS = {
    "fight": "pull", "player": "player", "class": "class", "spec": "spec", "role": "role",
    "encounter": "boss", "kill": "kill", "ability": "ability", "clock": "clock",
}  # fmt: skip
_UNITS = {"time": "s", "first_at": "s"}


def value_of(row: Row, column: str) -> float:
    """Get a numeric cell, 0 if there is none."""
    value = row.get(column)
    return float(value) if isinstance(value, int | float) else 0.0


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "/").replace("\n", " ") for cell in cells) + " |"


def shown(value: Cell, unit: str = "") -> str:
    """Format a value: `512,000`, `83.2 %`, `1:23 (83.2 s)`, `yes`."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(shown(one) for one in value) or "–"
    if isinstance(value, str):
        return value or "–"
    return measured(value, unit)


def measured(value: int | float, unit: str) -> str:
    """Format a number with its unit."""
    if unit == "s":
        return seconds(value)
    number = f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"
    return f"{number} %" if unit.startswith("%") else number


def seconds(value: int | float) -> str:
    """Format a duration: `23.4 s`, from a minute on `1:23 (83.2 s)`."""
    exact = f"{value:g} s" if isinstance(value, int) else f"{value:.1f} s"
    return exact if abs(value) < 60 else f"{clock(value)} ({exact})"


def clock(value: int | float) -> str:
    """Format seconds as `1:23`, rounded."""
    minutes, rest = divmod(int(value + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
