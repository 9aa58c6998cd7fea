"""Judges matches by who fought whom in each, where the log has no line with the result.

A player who is an opponent in one match may be a partner in the next, so that no side can be told
from the whole log.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from ruleplay.agents.raid.adapters.reports import Report
from ruleplay.agents.raid.domain.pulls import Side, judge_sides

STRUCK = """
SELECT e.fight, s.name, t.name FROM events e JOIN actors s ON e.source = s.id
JOIN actors t ON e.target = t.id JOIN encounters USING (fight)
WHERE encounters.kind = 'arena' AND s.kind = 'player' AND t.kind = 'player' AND s.id <> t.id
    AND e.event LIKE '%DAMAGE' AND NOT EXISTS (SELECT 1 FROM combatants WHERE faction IS NOT NULL)
GROUP BY ALL
"""
"""Who struck whom in each arena match of a log that does not tell the teams."""
FELL = """
SELECT fight, a.name FROM events e JOIN actors a ON e.target = a.id
WHERE e.event = 'UNIT_DIED' AND e.counts AND a.kind = 'player' AND fight IS NOT NULL
"""


def judged(report: Report) -> dict[int, str]:
    """Return the outcome of each match for the logging player, where it can be told so."""
    fought: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for fight, source, target in report.query(STRUCK)[1]:
        fought[int(str(fight))].append((str(source), str(target)))
    fell: dict[int, set[str]] = defaultdict(set)
    for fight, name in report.query(FELL)[1] if fought else ():
        fell[int(str(fight))].add(str(name))
    found = {}
    for fight, blows in fought.items():
        sides = sides_of(blows, report.manifest.owner)
        ours, theirs = ({name for name in sides if sides[name] is own} for own in (True, False))
        if ours and theirs:
            died = fell[fight]
            counts = (Side(len(one), len(one & died)) for one in (ours, theirs))
            found[fight] = judge_sides(*counts)
    return found


def sides_of(blows: Iterable[tuple[str, str]], owner: str) -> Mapping[str, bool]:
    """Tell who was on a player's side: those struck by the same people, and who strikes these."""
    against: dict[str, set[str]] = defaultdict(set)
    for source, target in blows:
        against[source].add(target)
        against[target].add(source)
    sides, left = ({owner: True}, [owner]) if owner in against else ({}, [])
    while left:
        name = left.pop()
        for other in against[name] - sides.keys():
            sides[other] = not sides[name]
            left.append(other)
    return sides
