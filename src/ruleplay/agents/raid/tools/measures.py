"""What a tally adds up: its measures and their queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ruleplay.agents.raid.tools.book import HARM, IN_PULLS
from ruleplay.agents.raid.tools.deeds import (
    DAMAGE_RULE,
    HEALING_RULE,
    HELPS,
    UNOWNED,
    casts,
    deeds,
)
from ruleplay.agents.raid.tools.fallen import UNNAMED, UNNAMED_RULE
from ruleplay.agents.raid.tools.suffered import EACH_HIT, MISSES, SUFFERED, TAKEN_RULE

_WHOSE = f"""
SELECT d.fight, coalesce(a.name, '?') || CASE WHEN {UNOWNED} THEN $nobodys
        WHEN {HELPS} THEN $helper ELSE '' END,
    coalesce(t.name, '?'), CASE WHEN d.by_pet OR {UNOWNED} OR {HELPS}
        THEN coalesce(p.name || ': ', '') || d.spell ELSE d.spell END,
"""
_DONE_BY = f"""
FROM ({deeds(IN_PULLS)}) d JOIN actors a ON a.id = d.who LEFT JOIN actors t ON t.id = d.target
    LEFT JOIN actors p ON p.id = d.source
WHERE (a.kind = 'player' OR {UNOWNED} OR {HELPS}
    OR ($theirs AND a.kind = 'npc' AND NOT a.friendly)) AND list_contains($whats, d.what)
"""
DEEDS = f"""
{_WHOSE} sum(d.amount), sum(d.over), count(*), 0, max(d.amount + d.over),
    arg_max(d.ms, (d.amount + d.over, -d.line::BIGINT)), min(d.line),
    count(*) FILTER (d.critical), sum(d.shielded), min(d.ms), max(d.ms)
{_DONE_BY} GROUP BY ALL
"""
EACH_DEED = f"""
{_WHOSE} d.amount, d.over, 1, 0, d.amount + d.over, d.ms, d.line, coalesce(d.critical, false)::INT,
    d.shielded
{_DONE_BY}
"""
_STRUCK_COLUMNS = """
    e.fight, coalesce(s.name, '?'), coalesce(t.name, '?'), coalesce(e.extra_spell, e.spell),
    1, 0, 1, 0, 0, e.ms, e.line"""
_STRUCK_FROM = f"""
FROM events e JOIN actors s ON s.id = coalesce(e.owner, e.source)
    LEFT JOIN actors t ON t.id = e.target
WHERE {IN_PULLS} AND list_contains($events, e.event)
    AND (s.kind = 'player' OR ($theirs AND s.kind = 'npc' AND NOT s.friendly))
"""
DONE = f"SELECT {_STRUCK_COLUMNS}, 0, 0, 0, 0, e.spell {_STRUCK_FROM}"
# A spell that dispels and does no harm can only have missed what it was to dispel.
FAILED = f"""
SELECT {_STRUCK_COLUMNS}, 0, 0, 0, 0, e.spell, 0,
    CASE WHEN e.event = 'SPELL_MISSED' THEN lower(e.miss_type) ELSE 'failed' END
FROM events e JOIN actors s ON s.id = coalesce(e.owner, e.source)
    LEFT JOIN actors t ON t.id = e.target
WHERE {IN_PULLS} AND s.kind = 'player' AND (e.event = 'SPELL_DISPEL_FAILED'
    OR e.event = 'SPELL_MISSED' AND e.spell IN (SELECT spell FROM events
        WHERE event IN ('SPELL_DISPEL', 'SPELL_DISPEL_FAILED', 'SPELL_STOLEN'))
    AND e.spell NOT IN (SELECT spell FROM events WHERE event = 'SPELL_DAMAGE'))
ORDER BY e.line
"""
ENDED = f"(SELECT {_STRUCK_COLUMNS} {_STRUCK_FROM}) UNION ALL ({UNNAMED})"
CASTS = f"""
SELECT c.fight, s.name, coalesce(t.name, ''), c.spell, 1, 0, 1, 0, 0, c.ms, c.line, 0, 0, 0, 0,
    o.name
FROM ({casts(IN_PULLS)}) c JOIN actors s ON s.id = c.source LEFT JOIN actors t ON t.id = c.target
    LEFT JOIN actors o ON o.id = s.owner AND o.id <> s.id
ORDER BY c.line
"""
SWUNG = f"""
SELECT e.fight, s.name, t.name, 'Melee', coalesce(sum(e.amount) FILTER (e.event IN {HARM}), 0), 0,
    count(*) FILTER (e.event IN {HARM}), count(*) FILTER (e.event IN {MISSES}),
    max(e.amount) FILTER (e.event IN {HARM}), min(e.ms), min(e.line)
FROM events e JOIN actors s ON s.id = e.source JOIN actors t ON t.id = e.target
WHERE {IN_PULLS} AND e.source IN (SELECT unnest(bosses) FROM encounters)
    AND e.counts AND e.event IN ('SWING_DAMAGE', 'SWING_DAMAGE_LANDED', 'SWING_MISSED')
    AND t.friendly GROUP BY ALL
"""
OPENING = f"""
SELECT e.fight, s.name, coalesce(t.name, '?'), coalesce(e.spell, 'Melee'), coalesce(e.amount, 0), 0,
    1, 0, 0, e.ms, e.line
FROM events e JOIN actors s ON s.id = coalesce(e.owner, e.source)
    JOIN actors t ON t.id = e.target
WHERE {IN_PULLS} AND (e.event IN {HARM} OR e.event IN {MISSES} OR e.event = 'SPELL_CAST_SUCCESS')
    AND (t.kind = 'npc' AND s.kind = 'player' OR s.kind = 'npc' AND t.kind = 'player')
QUALIFY row_number() OVER (PARTITION BY e.fight ORDER BY e.line) <= 40
ORDER BY e.line
"""


@dataclass(frozen=True)
class Measure:
    """How to read a measure: query, parameters, column of its sums, default grouping."""

    sql: str
    column: str
    by: str = "player"
    whose: str = "source"
    given: Mapping[str, object] | None = None
    note: str = ""


CASTS_RULE = (
    "A cast stands at its end, or at its beginning where the log has only that: what takes time to"
    " cast was chosen before."
)
CRITS_RULE = (
    "Crits are of all hits and heals, ticks and pets' among them; not all of these can crit."
)
OVERHEAL_RULE = (
    "What pets healed is in their owners' sums and percent here; overheal_analysis is without it."
)
SHIELDED = {"total_damage": "absorbed", "healing": "absorbs", "damage_taken": "absorbed"}
"""Sums -> the column of the part of them that shields absorbed."""
SHIELDS = ("absorbed", "absorbed_hits", "absorbed_by", "biggest_absorbed_hit")
_INTERRUPTS = {"events": ["SPELL_INTERRUPT"]}
_DISPELS = {"events": ["SPELL_DISPEL", "SPELL_STOLEN"]}
_KILLS = {"events": ["PARTY_KILL"]}
MEASURES: Mapping[str, Measure] = {
    "damage": Measure(DEEDS, "total_damage", given={"whats": ["damage"]}, note=DAMAGE_RULE),
    "healing": Measure(DEEDS, "healing", given={"whats": ["heal", "absorb"]}, note=HEALING_RULE),
    "overheal": Measure(DEEDS, "overheal", given={"whats": ["heal", "absorb"]}, note=OVERHEAL_RULE),
    "crits": Measure(DEEDS, "crits", given={"whats": ["damage", "heal"]}, note=CRITS_RULE),
    "absorbs": Measure(DEEDS, "absorbs", given={"whats": ["absorb"]}, note=HEALING_RULE),
    "taken": Measure(SUFFERED, "damage_taken", whose="target", note=TAKEN_RULE),
    "interrupts": Measure(DONE, "interrupts", given=_INTERRUPTS),
    "dispels": Measure(DONE, "dispels", given=_DISPELS),
    "kills": Measure(ENDED, "killing_blows", given=_KILLS, note=UNNAMED_RULE),
    "casts": Measure(CASTS, "casts"),
    "tanking": Measure(SWUNG, "damage_taken", whose="target"),
    "opening": Measure(OPENING, "hits", by="cast"),
}
AMOUNTS = (EACH_DEED, EACH_HIT)
"""Queries of single hits and heals."""
