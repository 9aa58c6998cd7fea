"""The first sentences of answers about several pulls, and about what hit whom.

Every line that holds a number ends in its result's citation.
"""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.raid.domain.outcomes import Row
from ruleplay.agents.raid.policy.plan import Plan
from ruleplay.agents.raid.view.tables import Sheet

NAMED = 6


def over(plan: Plan, sheet: Sheet) -> str:
    """Say which pulls a result is about."""
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


def deaths(sheet: Sheet, plan: Plan) -> str:
    """Tell who died where and of what, then what only looks like deaths."""
    died = [row for row in sheet.rows if row.get("where")]
    false = [row for row in sheet.rows if row.get("feigned_by")]
    creatures = [row for row in sheet.rows if row.get("creature")]
    asked = str(sheet.returned.args.get("player_name") or "")
    lines: list[str] = []
    if plan.over:
        lines = _counted(sheet, plan, died) if died else []
        if not died:
            told = f"{asked} did not die" if asked else "no player died"
            lines = [f"**{over(plan, sheet)}, {told}.** {sheet.cite}"]
    lines += [
        f"{row['feigned_by']} did not die at {', '.join(map(str, _cells(row.get('clocks'))))}: the"
        f" log has {row['count']} death lines there, but they are feigned. {sheet.cite}"
        for row in false
    ]
    if creatures and not asked and (plan.over or not died):
        told = ", ".join(f"{row['creature']} {row['count']}" for row in creatures)
        lines.append(f"Pets and guardians that died, which are no players: {told}. {sheet.cite}")
    return "\n".join(lines)


def _cells(cell: object) -> Sequence[object]:
    return cell if isinstance(cell, list) else []


def _counted(sheet: Sheet, plan: Plan, died: Sequence[Row]) -> list[str]:
    where, players = over(plan, sheet), plan.question.players
    if len(died) <= NAMED:
        return [f"**{where}, {_death(row)}.** {sheet.cite}" for row in died]
    counts: dict[str, int] = {}
    first: dict[str, int] = {}
    for row in died:
        name = str(row["player"])
        counts[name] = counts.get(name, 0) + 1
        first[name] = first.get(name, 0) + bool(row.get("first_of_pull"))
    if players:
        name, count = next(iter(counts.items()))
        return [
            f"**{where}, {name} died {count} times, {first[name]} times as the first of the"
            f" pull.** {sheet.cite}"
        ]
    ranked = sorted(counts.items(), key=lambda one: -one[1])[:NAMED]
    told = ", ".join(f"{name} {count}" for name, count in ranked)
    lines = [f"**{where}, {len(died)} deaths; the most: {told}.** {sheet.cite}"]
    early = sorted(((n, c) for n, c in first.items() if c), key=lambda one: -one[1])[:NAMED]
    if early:
        told = ", ".join(f"{name} {count}" for name, count in early)
        lines.append(f"**First to die in a pull, and how often: {told}.** {sheet.cite}")
    return lines


def _death(row: Row) -> str:
    by = f", killed by {row['ability']} of {row['killer']} (inferred)" if row.get("ability") else ""
    unknown = "" if by else ", the log does not tell of what"
    back = f", resurrected by {row['revived_by']} at {row['revived_at']}"
    told = f"{row['player']} died at {row['clock']} ({row['where']}){by}{unknown}"
    return told + (back if row.get("revived_by") else "")


def causes(sheet: Sheet, plan: Plan) -> str:
    """Tell what each wipe is put down to, in brief."""
    if not sheet.rows:
        return f"**{over(plan, sheet)}, there was no wipe.** {sheet.cite}"
    kinds: dict[str, int] = {}
    for row in sheet.rows:
        kind = str(row.get("kind") or "no cause in the log")
        kinds[kind] = kinds.get(kind, 0) + 1
    told = ", ".join(f"{kind} {n}" for kind, n in sorted(kinds.items(), key=lambda one: -one[1]))
    many = f"{len(sheet.rows)} wipes"
    return f"**{over(plan, sheet)}, {many}, by cause (inferred): {told}.** {sheet.cite}"


def runs(sheet: Sheet, plan: Plan) -> str:
    """Tell how long keystone runs took; the one that is spoken of, or all."""
    if not sheet.rows:
        return f"The log holds no keystone run. {sheet.cite}"
    meant = [r for r in sheet.rows if {*_cells(r.get("pulls"))} & {*plan.fights}]
    subject = plan.question.subject
    asked = (plan.question.bosses, subject.difficulty, subject.instance, plan.question.left_pulls)
    named = any(asked)
    rows = meant if named and meant else list(sheet.rows)
    if plan.heard.shape == "most":
        rows.sort(key=lambda row: _level(row), reverse=True)
        rows = rows[:1]
    return "\n".join(
        f"**{row['name']} {row['level']} was {'completed' if row['completed'] else 'left'}"
        f" after {sheet.show('seconds', row.get('seconds'))}, with {row['wipes']} wipes."
        f"** {sheet.cite}"
        for row in list(rows)[:NAMED]
    )


def _level(row: Row) -> int:
    """Return a keystone's level; the log writes +16."""
    return int(str(row["level"]).lstrip("+") or 0)
