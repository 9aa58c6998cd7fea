"""Selects the rows and columns of a result that an answer shows, and what it totals."""

from __future__ import annotations

from collections.abc import Iterator

from ruleplay.agents.raid.domain.overview import fold, words
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.domain.toolbox import BY_NAME
from ruleplay.agents.raid.policy.evenings import runs_meant
from ruleplay.agents.raid.policy.headlines import totals
from ruleplay.agents.raid.policy.lookups import Plan
from ruleplay.agents.raid.state import Finding
from ruleplay.agents.raid.view.tables import ResultTable, value_of

NAMED = ("ability", "buff", "debuff", "aura", "cooldown", "name", "encounter")
"""Columns of things that a question may name; matching rows come first."""
SUMMED = {"get_avoidable_damage": "damage_taken"}
"""The column that an answer totals, by tool."""
_TELLING = 6
"""Minimum length of a word that stands for a whole name: "sunder", "furnace"."""


def chosen_rows(sheet: ResultTable, plan: Plan) -> tuple[Row, ...]:
    """Select the rows that answer the question, in display order."""
    tool, rows = sheet.returned.tool, sheet.rows
    if tool == "get_cooldown_efficiency":
        rows = tuple(sorted(rows, key=lambda row: (value_of(row, "uses"), str(row.get("player")))))
    if tool == "get_keystone_runs":
        rows = runs_meant(sheet, plan)
    if tool == "get_consumable_check":
        rows = tuple(row for row in rows if row.get("missing")) or rows
    if "order" not in BY_NAME[tool].marks:
        asked = fold(plan.question.text)
        said = {word for word in words(asked) if len(word) >= _TELLING}
        rows = tuple(sorted(rows, key=lambda row: not _is_named(row, asked, said)))
    return rows


def _is_named(row: Row, asked: str, said: set[str]) -> bool:
    """Whether a question, by its text or a telling word, names what a row is about."""
    names = (fold(str(row[column])) for column in NAMED if row.get(column))
    return any(name in asked or said & {*words(name)} for name in names)


def derived(sheet: ResultTable) -> Iterator[Finding]:
    """Yield totals computed from a result's rows, per player or for all."""
    column = SUMMED.get(sheet.returned.tool)
    if column is None:
        return
    rows = tuple(row for row in sheet.rows if row.get("player"))
    sums = totals(ResultTable(sheet.returned.model_copy(update={"rows": rows})), column)
    for who, total in sums:
        yield Finding(
            metric=f"{column}_total",
            value=total,
            player=who,
            pull=sheet.returned.fight,
            report=sheet.returned.report,
            result=sheet.returned.result,
        )
