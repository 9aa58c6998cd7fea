"""Tells how long auras were up, and who took part: measures of a tally that are no sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ruleplay.agents.raid.domain.arguments import Tallied
from ruleplay.agents.raid.domain.overview import fold
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.tools.auras import Stretch, lasting, read_stretches, union_seconds
from ruleplay.agents.raid.tools.book import Book, names_in, people_in
from ruleplay.agents.raid.tools.cells import whole
from ruleplay.agents.raid.tools.moments import part_of
from ruleplay.agents.raid.tools.pulls import PullRow

LISTED = 400
"""Maximum number of rows."""


def uptimes(book: Book, pulls: Sequence[PullRow], args: Tallied) -> list[Row]:
    """Compute how long the named auras were up, by who had them."""
    wanted, rows = names_in(args.ability), []
    by, on = (people_in(one, book) for one in (args.player_name, args.target_name))
    spans = part_of(book, pulls, args.part) if args.part else {}
    for pull in pulls:
        since, until = spans.get(pull.fight, (pull.start_ms, pull.end_ms))
        seen = read_stretches(book, pull)
        kept = lasting(book, pull, {(one.target, one.spell_id) for one in seen})
        stretches = [
            one
            for one in (*seen, *kept)
            if one.start_ms <= until
            and one.end_ms >= since
            and (not wanted or fold(one.spell) in wanted)
            and (not on or fold(one.target) in on)
            and (not by or {fold(one.caster), fold(one.target)} & by)
        ]
        groups: dict[tuple[str, str], list[Stretch]] = {}
        for one in stretches:
            groups.setdefault((one.spell, one.target), []).append(one)
        for (spell, target), own in groups.items():
            within = (
                replace(one, start_ms=max(one.start_ms, since), end_ms=min(one.end_ms, until))
                for one in own
            )
            seconds, whole = union_seconds(within), max((until - since) / 1000, 0.1)
            row: Row = {
                "name": target,
                "ability": spell,
                "uptime_seconds": round(seconds, 1),
                "uptime_percent": round(min(100.0, 100 * seconds / whole), 1),
                "applications": sum(one.refreshes + one.applied for one in own),
                "at": pull.at(own[0].start_ms),
                "fight": pull.fight,
                "boss": pull.name,
                "casters": ", ".join(dict.fromkeys(one.caster for one in own if one.caster)),
            }
            rows.append(row)
    rows += _without(book, pulls, rows) if wanted and not spans else []
    return sorted(rows, key=lambda row: (-float(str(row["uptime_seconds"])), str(row)))[:LISTED]


def _without(book: Book, pulls: Sequence[PullRow], rows: Sequence[Row]) -> list[Row]:
    """List the pulls on which players lacked an aura that they had on others of these.

    A form put on late in the night would else look as if it had always been up.
    """
    had = {(row["name"], row["ability"]): row for row in rows}
    seen = {(row["name"], row["ability"], row["fight"]) for row in rows}
    there = {pull.fight: {one.name for one in book.taking_part(pull)} for pull in pulls}
    return [
        row
        | {"uptime_seconds": 0.0, "uptime_percent": 0.0, "applications": 0, "at": None}
        | {"fight": pull.fight, "boss": pull.name}
        for (name, ability), row in had.items()
        for pull in pulls
        if (name, ability, pull.fight) not in seen and name in there[pull.fight]
    ]


def attendance(book: Book, pulls: Sequence[PullRow], args: Tallied) -> list[Row]:
    """List who took part in which of the pulls."""
    book.prepare(pulls)
    seen: dict[str, Row] = {}
    for pull in pulls:
        for player in book.taking_part(pull):
            row = seen.setdefault(
                player.name,
                {
                    "name": player.name,
                    "class": player.class_,
                    "spec": player.spec,
                    "role": player.role,
                    "pulls": 0,
                    "fights": [],
                    "roles": [],
                },
            )
            fights, roles = row["fights"], row["roles"]
            row |= {"pulls": whole(row["pulls"]) + 1}
            row["roles"] = [*(roles if isinstance(roles, list) else []), player.role]
            row["fights"] = [*(fights if isinstance(fights, list) else []), pull.fight]
    return sorted(seen.values(), key=lambda row: str(row["name"]))
