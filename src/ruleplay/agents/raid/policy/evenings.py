"""Opening sentences of answers about several pulls, wipe causes and keystone runs.

Every line that contains a number ends with its result's citation.
"""

from __future__ import annotations

from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.policy.lookups import Plan
from ruleplay.agents.raid.view.tables import ResultTable

NAMED = 6


def over(plan: Plan, sheet: ResultTable) -> str:
    """Name the pulls that a result covers."""
    fights = str(sheet.returned.args.get("fights") or "")
    if not fights:
        return "Over the report"
    numbers = plan.fights
    named = plan.question.bosses
    boss = f" ({', '.join(named)})" if named else ""
    if len(numbers) == 1:
        return f"On pull {numbers[0]}{boss}"
    whole = bool(numbers) and numbers == tuple(range(numbers[0], numbers[-1] + 1))
    told = f"{numbers[0]} to {numbers[-1]}" if whole else ", ".join(map(str, numbers))
    return f"On the pulls {told}{boss}"


def causes(sheet: ResultTable, plan: Plan) -> str:
    """Summarise the inferred causes of the wipes."""
    if not sheet.rows:
        return f"**{over(plan, sheet)}, there was no wipe.** {sheet.cite}"
    kinds: dict[str, int] = {}
    for row in sheet.rows:
        kind = str(row.get("kind") or "no cause in the log")
        kinds[kind] = kinds.get(kind, 0) + 1
    told = ", ".join(f"{kind} {n}" for kind, n in sorted(kinds.items(), key=lambda one: -one[1]))
    many = f"{len(sheet.rows)} wipes"
    return f"**{over(plan, sheet)}, {many}, by cause (inferred): {told}.** {sheet.cite}"


def runs(sheet: ResultTable, plan: Plan) -> str:
    """State how long keystone runs took: the one in question, or all."""
    if not sheet.rows:
        return f"The log holds no keystone run. {sheet.cite}"
    rows = runs_meant(sheet, plan)
    return "\n".join(
        f"**{row['name']} {row['level']} was {'completed' if row['completed'] else 'left'}"
        f" after {sheet.show('seconds', row.get('seconds'))}: wipes {row['wipes']}, deaths"
        f" {row['deaths']} ({row['deaths_on_trash']} on trash)."
        f"** {sheet.cite}"
        for row in list(rows)[:NAMED]
    )


def runs_meant(sheet: ResultTable, plan: Plan) -> tuple[Row, ...]:
    """Choose the keystone runs that a question is about; all if it names none."""
    every = [row for row in sheet.rows if "completed" in row]  # others are of a boss each
    meant = [row for row in every if _is_of(row.get("pulls"), plan)]
    subject = plan.question.subject
    asked = (plan.question.bosses, subject.difficulty, subject.instance, plan.question.left_pulls)
    named = any(asked)
    rows = meant if named and meant else every
    if plan.heard.shape == "most":
        rows.sort(key=lambda row: _level(row), reverse=True)
        rows = rows[:1]
    return tuple(rows)


def _is_of(pulls: object, plan: Plan) -> bool:
    return isinstance(pulls, list) and bool({*pulls} & {*plan.fights})


def _level(row: Row) -> int:
    """Parse a keystone's level, such as +16."""
    return int(str(row["level"]).lstrip("+") or 0)
