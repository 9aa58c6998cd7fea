"""The use of Bloodlust or Heroism, with the boss's health at the time."""

from __future__ import annotations

from ruleplay.agents.raid.adapters.reports import Reports
from ruleplay.agents.raid.domain.arguments import OfAnyPulls
from ruleplay.agents.raid.domain.reference import tables
from ruleplay.agents.raid.domain.tool_result import Row, ToolOutcome
from ruleplay.agents.raid.tools.book import IN_PULL, Book, spread
from ruleplay.agents.raid.tools.library import open_book
from ruleplay.agents.raid.tools.pulls import PullRow

LUST_WINDOW_MS = 3000
"""Milliseconds after the cast within which its buffs are applied."""

LUST = f"""
SELECT e.line, e.ms, e.spell_id, e.spell, s.name FROM events e JOIN actors s ON s.id = e.source
WHERE {IN_PULL} AND e.event = 'SPELL_CAST_SUCCESS' AND list_contains($spells, e.spell_id)
ORDER BY e.line
"""
AFFECTED = f"""
SELECT count(DISTINCT target), list(line) FROM events
WHERE {IN_PULL} AND event IN ('SPELL_AURA_APPLIED', 'SPELL_AURA_REFRESH')
    AND spell_id = $spell AND ms BETWEEN $at - 500 AND $at + {LUST_WINDOW_MS}
    AND target IN (SELECT id FROM actors WHERE kind = 'player')
"""
BOSS_HP = f"""
SELECT 100.0 * arg_max(hp, line) / nullif(arg_max(hp_max, line), 0), max(line) FROM events
WHERE {IN_PULL} AND list_contains($bosses, info) AND hp_max > 0 AND line <= $until
GROUP BY info
"""


def boss_health(book: Book, pull: PullRow, line: int) -> tuple[float | None, list[int]]:
    """Find the health in percent of the healthiest boss as of a line, and the lines that show it.

    These are the last lines up to there that state each boss's health.
    """
    found = book.ask(BOSS_HP, pull.scope | {"until": line})
    told = [row[0] for row in found if row[0] is not None]
    return (round(max(told), 1) if told else None), [row[1] for row in found]


def get_bloodlust_timing(reports: Reports, args: OfAnyPulls) -> ToolOutcome:
    """List each Bloodlust or Heroism of one pull, several, or the whole report."""
    book = open_book(reports, args.report_code)
    one = book.pull(args.fight_id) if args.fight_id else None
    pulls = [one] if one else book.some(args.fights)
    rows: list[Row] = []
    lines: list[int] = []
    idle: list[str] = []
    for pull in pulls:
        own, told = bloodlust(book, pull)
        place: Row = {} if one else {"fight": pull.fight, "boss": pull.name}
        rows += [place | row for row in own]
        lines += told
        idle += [] if own else [f"pull {pull.fight} ({pull.name})"]
    notes = [f"Neither Bloodlust nor Heroism was cast in {', '.join(idle)}."] if idle else []
    return book.tell(rows, pull=one, lines=spread(lines) or None, notes=notes)


def bloodlust(book: Book, pull: PullRow) -> tuple[list[Row], list[int]]:
    """Find the casts of Bloodlust or Heroism in a pull, and the lines that show them."""
    rows: list[Row] = []
    lines: list[int] = []
    for line, ms, spell_id, spell, name in book.ask(
        LUST, pull.scope | {"spells": sorted(tables.bloodlust())}
    ):
        affected, auras = book.ask(AFFECTED, pull.scope | {"spell": spell_id, "at": ms})[0]
        health, told = boss_health(book, pull, line)
        lines += [line, *(auras or ()), *told]
        rows.append(
            {
                "player": name,
                "ability": spell,
                "spell_id": spell_id,
                "at": pull.at(ms),
                "clock": book.clock(ms),
                "affected": affected or None,
                "boss_hp_percent": health,
                "line": line,
            }
        )
    return rows, lines
