"""When a raid used Bloodlust or Heroism, and how far its boss was by then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleplay.agents.raid.domain.arguments import OfFight
from ruleplay.agents.raid.domain.outcomes import Row, ToolOutcome
from ruleplay.agents.raid.domain.reference import tables
from ruleplay.agents.raid.tools.book import IN_PULL, Book
from ruleplay.agents.raid.tools.cells import whole
from ruleplay.agents.raid.tools.library import open_book
from ruleplay.agents.raid.tools.pulls import Pull

if TYPE_CHECKING:
    from ruleplay.agents.raid.adapters.reports import Reports

LUST_WINDOW_MS = 3000
"""Buffs of one Bloodlust are applied within this time of its cast."""

LUST = f"""
SELECT e.line, e.ms, e.spell_id, e.spell, s.name FROM events e JOIN actors s ON s.id = e.source
WHERE {IN_PULL} AND e.event = 'SPELL_CAST_SUCCESS' AND list_contains($spells, e.spell_id)
ORDER BY e.line
"""
AFFECTED = f"""
SELECT count(DISTINCT target) FROM events
WHERE {IN_PULL} AND event IN ('SPELL_AURA_APPLIED', 'SPELL_AURA_REFRESH')
    AND spell_id = $spell AND ms BETWEEN $at - 500 AND $at + {LUST_WINDOW_MS}
    AND target IN (SELECT id FROM actors WHERE kind = 'player')
"""
BOSS_HP = f"""
SELECT 100.0 * arg_max(hp, line) / nullif(arg_max(hp_max, line), 0) FROM events
WHERE {IN_PULL} AND list_contains($bosses, info) AND hp_max > 0 AND line <= $until
GROUP BY info
"""


def boss_health(book: Book, pull: Pull, line: int) -> float | None:
    """Return the health in percent of the healthiest boss, as last logged up to a line."""
    found = [row[0] for row in book.ask(BOSS_HP, pull.scope | {"until": line})]
    return round(max(found), 1) if found else None


def get_bloodlust_timing(reports: Reports, args: OfFight) -> ToolOutcome:
    """Return each Bloodlust or Heroism of a pull."""
    book = open_book(reports, args.report_code)
    pull = book.pull(args.fight_id)
    rows = bloodlust(book, pull)
    lines = [(whole(row["line"]), whole(row["line"])) for row in rows]
    notes = [] if rows else ["Neither Bloodlust nor Heroism was cast in this pull."]
    return book.tell(rows, pull=pull, lines=lines or None, notes=notes)


def bloodlust(book: Book, pull: Pull) -> list[Row]:
    """Return when Bloodlust or Heroism was cast in a pull."""
    rows: list[Row] = []
    for line, ms, spell_id, spell, name in book.ask(
        LUST, pull.scope | {"spells": sorted(tables.bloodlust())}
    ):
        affected = book.ask(AFFECTED, pull.scope | {"spell": spell_id, "at": ms})[0][0]
        rows.append(
            {
                "player": name,
                "ability": spell,
                "spell_id": spell_id,
                "at": pull.at(ms),
                "clock": book.clock(ms),
                "affected": affected,
                "boss_hp_percent": boss_health(book, pull, line),
                "line": line,
            }
        )
    return rows
