"""Which rows and columns of a result an answer shows, and what it adds up."""

from __future__ import annotations

from collections.abc import Iterator

from ruleplay.agents.raid.domain.outcomes import Row
from ruleplay.agents.raid.domain.overview import fold, words
from ruleplay.agents.raid.policy.headlines import number, totals
from ruleplay.agents.raid.policy.plan import Plan
from ruleplay.agents.raid.state import Finding
from ruleplay.agents.raid.view.tables import Sheet

COLUMNS: dict[str, tuple[str, ...]] = {
    "get_death_analysis": (
        *("player", "at", "clock", "ability", "killer", "amount", "overkill"),
        *("damage_taken", "healing", "heal_gap_seconds"),
    ),
    "get_tank_death_anatomy": (
        *("player", "at", "verdict", "killer", "damage_taken", "biggest_hit", "biggest_ability"),
        *("healing", "heal_gap_seconds"),
    ),
    "get_avoidable_damage": (
        "player",
        "ability",
        "damage_taken",
        "hits",
        "deaths",
        "first_at",
        "advice",
    ),
    "get_consumable_check": ("player", "flask", "elixirs", "food", "oil", "potions", "missing"),
    "get_enchant_gem_check": ("player", "slot", "missing", "count", "gems", "item_level"),
    "get_cooldown_efficiency": ("player", "cooldown", "uses", "possible_uses", "unused", "at"),
    "get_ability_breakdown": (
        *("player", "ability", "damage", "healing", "hits", "casts", "crit_percent"),
        *("damage_percent", "healing_percent"),
    ),
    "get_wipe_cause": ("what", "at", "player", "ability", "killer", "amount"),
    "compare_two_raids": (
        *("encounter", "pulls_a", "pulls_b", "kills_a", "kills_b", "wipes_a", "wipes_b"),
        *("deaths_a", "deaths_b", "fastest_kill_seconds_a", "fastest_kill_seconds_b"),
        *("dps_a", "dps_b"),
    ),
    "get_debuff_uptimes": ("debuff", "target", "uptime_percent", "uptime_seconds", "players"),
    "get_wipe_causes": (
        *("fight", "encounter", "seconds", "boss_hp_percent", "deaths", "cause", "at"),
        *("first_death", "first_death_at"),
    ),
    "get_keystone_runs": ("name", "level", "completed", "seconds", "start", "wipes"),
    "get_add_deaths": ("add", "start", "at", "clock", "lifetime_seconds", "last_hit_by"),
}
"""Columns of tools whose rows hold more than an answer shows."""
EXTRA: dict[str, tuple[str, ...]] = {
    "get_wipe_cause": ("boss_hp_percent", "kind", "says"),
    "get_next_pull_fixes": ("rank", "fix", "evidence", "measure", "value", "player", "ability"),
}
"""Columns that the headline tells though the table does not."""
ONE_TABLE = frozenset(("get_wipe_cause", "get_avoidable_damage"))
"""Tools whose rows differ in columns and still read best as one table."""
TABLELESS = frozenset(("get_next_pull_fixes",))
"""Tools whose headline says it all."""
NAMED = ("ability", "buff", "debuff", "aura", "cooldown", "name", "encounter")
"""Columns of things that a question may name; their rows come first."""
IN_ORDER = frozenset(("get_death_analysis", "get_wipe_cause", "get_tank_death_anatomy"))
"""Tools whose rows are told in their own order."""
SUMMED = {"get_avoidable_damage": "damage_taken"}
"""What an answer adds up over a result's rows."""
_TELLING = 6
"""Letters of a word that stands for the whole name of a thing: sunder, furnace."""


def chosen_rows(sheet: Sheet, plan: Plan) -> tuple[Row, ...]:
    """Return the rows that answer the question, in the order in which they are shown."""
    tool, rows = sheet.returned.tool, sheet.rows
    if tool == "get_cooldown_efficiency":
        rows = tuple(sorted(rows, key=lambda row: (number(row, "uses"), str(row.get("player")))))
    if tool == "get_consumable_check":
        rows = tuple(row for row in rows if row.get("missing")) or rows
    if tool not in IN_ORDER:
        asked = fold(plan.question.text)
        rows = tuple(sorted(rows, key=lambda row: not _is_named(row, asked)))
    return rows


def _is_named(row: Row, asked: str) -> bool:
    """Whether a question names a row's ability, buff, debuff, aura, cooldown or add."""
    names = (fold(str(row[column])) for column in NAMED if row.get(column))
    said = {word for word in words(asked) if len(word) >= _TELLING}
    return any(name in asked or said & {*words(name)} for name in names)


def derived(sheet: Sheet) -> Iterator[Finding]:
    """Yield what an answer adds up from a result's rows, per player or for all."""
    column = SUMMED.get(sheet.returned.tool)
    if column is None:
        return
    rows = tuple(row for row in sheet.rows if row.get("player"))
    sums = totals(Sheet(sheet.returned.model_copy(update={"rows": rows})), column)
    for who, total in sums:
        yield Finding(
            metric=f"{column}_total",
            value=total,
            player=who,
            pull=sheet.returned.fight,
            report=sheet.returned.report,
            result=sheet.returned.result,
        )
