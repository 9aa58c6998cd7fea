"""The adds of a pull: when they appeared and died."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.raid.adapters.reports import Reports
from ruleplay.agents.raid.domain.arguments import OfFight
from ruleplay.agents.raid.domain.reference import tables
from ruleplay.agents.raid.domain.tool_result import Row, ToolOutcome
from ruleplay.agents.raid.tools.book import HARM, IN_PULL, spread
from ruleplay.agents.raid.tools.library import open_pull

ADDS = f"""
WITH seen AS (
    SELECT target AS id, line, ms, event FROM events
    WHERE {IN_PULL} AND target IS NOT NULL
    UNION ALL SELECT source, line, ms, '' FROM events WHERE {IN_PULL} AND source IS NOT NULL
)
SELECT a.name, a.npc_id, s.id, min(s.ms), max(s.ms) FILTER (s.event = 'UNIT_DIED'),
    max(s.line) FILTER (s.event = 'UNIT_DIED'), min(s.line)
FROM seen s JOIN actors a ON a.id = s.id
WHERE a.kind = 'npc' AND NOT a.friendly AND NOT list_contains($bosses, a.id)
    AND (a.npc_id IS NULL OR NOT list_contains($npcs, a.npc_id))
GROUP BY a.name, a.npc_id, s.id
HAVING count(*) FILTER (s.event = 'UNIT_DIED') > 0 OR count(*) >= 3
ORDER BY min(s.ms), s.id
"""
KILLERS = f"""
SELECT target, arg_max(coalesce(o.name, s.name), line), max(line) FROM events e
JOIN actors s ON s.id = e.source LEFT JOIN actors o ON o.id = e.owner
WHERE {IN_PULL} AND counts AND event IN {HARM} AND list_contains($adds, target)
GROUP BY target
"""


def get_add_deaths(reports: Reports, args: OfFight) -> ToolOutcome:
    """List the adds of a pull in order of appearance, with the time of each death."""
    book, pull, _ = open_pull(reports, args)
    npcs = [one.npc_id for one in tables.creatures().values() if one.role == "boss"]
    found = book.ask(ADDS, pull.scope | {"npcs": npcs})
    scope = pull.scope | {"adds": [row[2] for row in found]}
    killers = {row[0]: row[1:] for row in book.ask(KILLERS, scope)} if found else {}
    numbers: dict[str, int] = {}
    rows: list[Row] = []
    for name, npc_id, actor, first, died, _, _ in found:
        numbers[name] = numbers.get(name, 0) + 1
        rows.append(
            {
                "add": f"{name} {numbers[name]}",
                "name": name,
                "npc_id": npc_id,
                "start": pull.at(first),
                "at": None if died is None else pull.at(died),
                "clock": None if died is None else book.clock(died),
                "lifetime_seconds": None if died is None else round((died - first) / 1000, 1),
                "last_hit_by": killers.get(actor, (None,))[0] if died is not None else None,
            }
        )
    rows += _kinds(rows)
    told = [line for row in found for line in (row[6], row[5]) if line is not None]
    lines = spread([*told, *(line for _, line in killers.values())])
    notes = (
        "Start: the first line that names the add. An add without `at` did not die in this pull.",
        "By creature: how many appeared, and how many of them died in the pull.",
        "Adds are hostile creatures of the pull that are not its bosses; last hit: inferred.",
    )
    return book.tell(rows, pull=pull, lines=lines or None, notes=notes)


def _kinds(rows: Sequence[Row]) -> list[Row]:
    """Count the adds of each kind that has several."""
    kinds: dict[str, list[Row]] = {}
    for row in rows:
        kinds.setdefault(str(row["name"]), []).append(row)
    return [
        {"creature": name, "count": len(own), "deaths": sum(row["at"] is not None for row in own)}
        for name, own in kinds.items()
        if len(own) > 1
    ]
