"""Tells single deeds: who interrupted, dispelled or killed whom, of what and when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ruleplay.agents.raid.domain.overview import ENEMY, fold
from ruleplay.agents.raid.domain.persons import was_done_to
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.policy.teller import Teller
from ruleplay.agents.raid.view.tables import value_of

FEW = 5
"""Up to this many deeds are each told."""


def deeds(teller: Teller) -> list[Row]:
    """Collect the deeds of the measure asked for one by one, in order, without failed ones."""
    sheets = [one for one in teller.others if one.arg("by") == "cast"]
    sheets = [one for one in sheets if one.arg("measure") == teller.plan.measure]
    rows = {
        str((r["clock"], r["name"], r["target"], r["ability"])): r for s in sheets for r in s.rows
    }
    found = [row for row in rows.values() if not row.get("when")]
    return sorted(found, key=lambda row: (str(row["clock"]), str(row["name"])))


def one_by_one(teller: Teller, rows: Sequence[Row]) -> str:
    """Tell every deed if there are few: who, to whom, of what, when."""
    if not 0 < len(rows) <= FEW:
        return ""
    return teller.say("singly", list="; ".join(_deed(teller, row) for row in rows))


def _deed(teller: Teller, row: Row) -> str:
    what = ", ".join(str(one) for one in (row.get("ability"), row.get("with")) if one)
    of = f" ({what})" if what else ""
    at = teller.tongue.time(value_of(row, "at")) if row.get("at") is not None else ""
    clock = str(row.get("clock"))
    several = at and len(teller.pulls) > 1 and row.get("boss")
    when = f"{row['boss']} {at}, {clock}" if several else f"{at}, {clock}" if at else clock
    names = " → ".join(teller.short(row[one]) for one in ("name", "target") if row.get(one))
    return f"{names}{of} {when}"


def suffered(teller: Teller) -> str:
    """Tell to whom a deed was done, if that is asked and anybody was; else ""."""
    rows = deeds(teller)
    asked = was_done_to(fold(teller.plan.question.text))
    if teller.players:
        rows = [row for row in rows if row["target"] in teller.players]
        did = any(row["name"] in teller.players for row in deeds(teller))
        asked = asked or not did
    else:
        foes = {one.name for one in teller.night.members if one.foe}
        people = foes if teller.side == ENEMY else {*teller.plan.people} - foes
        rows = [row for row in rows if row["target"] in people]
    if not asked or not rows:
        return ""
    counts = Counter(teller.short(row["target"]) for row in rows).most_common()
    listed = teller.tongue.listed((f"{name} {n}" for name, n in counts), 2 * FEW)
    what = teller.tongue.measure(teller.plan.measure)
    told = teller.say("suffered", what=what, list=listed, where=teller.where)
    by = Counter(f"{teller.short(row['name'])} ({row.get('ability')})" for row in rows)
    few = one_by_one(teller, rows)
    more = ", ".join(f"{name} {n}" for name, n in by.most_common(FEW))
    return f"{told} {few or teller.say('suffered_by', list=more)}"
