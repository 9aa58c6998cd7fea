"""Which rows and columns of a result an answer shows, and in which order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ruleplay.agents.raid.domain.outcomes import Row
from ruleplay.agents.raid.domain.questions import Question
from ruleplay.agents.raid.policy.tables import Sheet


@dataclass(frozen=True)
class Layout:
    """The rows and columns to show."""

    rows: tuple[Row, ...]
    columns: list[str]


COLUMNS: dict[str, tuple[str, ...]] = {}
"""Columns of tools whose rows hold more than an answer shows."""


def number(row: Row, column: str) -> float:
    """Return a numeric cell, 0 where there is none."""
    value = row.get(column)
    return float(value) if isinstance(value, int | float) else 0.0


def layout(sheet: Sheet, question: Question) -> Layout:
    """Return what of a result answers the question."""
    tool = sheet.returned.tool
    rows = sheet.rows
    columns = COLUMNS.get(tool, ())
    if tool == "get_fight_details":
        rows, columns = _details(sheet, question)
    elif sort := ORDER.get(tool):
        rows = tuple(sorted(rows, key=sort))
    return Layout(rows, sheet.columns(columns))


ORDER: dict[str, Callable[[Row], float]] = {}
"""How the rows of a tool are sorted, where the tool's own order is not that of an answer."""


def _details(sheet: Sheet, question: Question) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    """Sort everyone in a pull by what was asked: damage, healing or deaths."""
    healing = "healing" in question.topics
    first = "healing" if healing else "damage"
    rows = sorted(sheet.rows, key=lambda row: -number(row, first))
    if question.players:
        named = [row for row in rows if sheet.who(row) in question.players]
        rows = named + [row for row in rows if row not in named]
    about = ("healing", "overheal") if healing else ("damage", "pet_damage", "overkill")
    return tuple(rows), ("player", "class", "spec", *about, "deaths", "active_seconds")
