"""Casting: used and unused cooldowns, cancelled casts, damage over time."""

from __future__ import annotations

from ruleplay.agents.raid.adapters.reports import Reports
from ruleplay.agents.raid.domain.arguments import OfFightPlayer
from ruleplay.agents.raid.domain.reference import tables
from ruleplay.agents.raid.domain.reference.tables import Cooldown
from ruleplay.agents.raid.domain.tool_result import Row, ToolOutcome
from ruleplay.agents.raid.tools.auras import UPTIME_RULE, read_stretches, share, union_seconds
from ruleplay.agents.raid.tools.book import IN_PULL, NO_LIST, Book, Player, spread
from ruleplay.agents.raid.tools.cells import whole
from ruleplay.agents.raid.tools.deeds import casts
from ruleplay.agents.raid.tools.library import open_pull
from ruleplay.agents.raid.tools.pulls import PullRow

USES = f"""
SELECT source, spell_id, list(ms ORDER BY line), list(line ORDER BY line) FROM events
WHERE {IN_PULL} AND event = 'SPELL_CAST_SUCCESS' AND list_contains($spells, spell_id)
GROUP BY source, spell_id
"""
EVER = """
SELECT source, spell_id, min(line) FROM events
WHERE event = 'SPELL_CAST_SUCCESS' AND list_contains($spells, spell_id) GROUP BY source, spell_id
"""


def get_cooldown_efficiency(reports: Reports, args: OfFightPlayer) -> ToolOutcome:
    """Compare each player's cooldown uses with the possible number of uses in the pull."""
    book, pull, who = open_pull(reports, args)
    rows, lines = cooldown_rows(book, pull, who)
    if not book.has_lists(pull):
        return book.tell((), pull=pull, notes=(NO_LIST.format("cooldowns"),), unknown=True)
    notes = (
        "Possible uses: one at once, one more for each full length of the cooldown in the pull;"
        " lengths are without talents. A cooldown may be ready later than the pull's start: when"
        " it was last used before the pull is not looked at.",
        "Cooldowns of the class, of the spec where the log tells it, and any other that the player"
        " used in this report; defensive ones need not be used.",
    )
    return book.tell(rows, pull=pull, lines=spread(lines) or None, notes=notes)


def cooldown_rows(book: Book, pull: PullRow, who: int = 0) -> tuple[list[Row], list[int]]:
    """List everyone's (or one player's) cooldowns in a pull, and the lines of their uses."""
    known = tables.cooldowns() if book.has_lists(pull) else {}
    scope = pull.scope | {"spells": sorted(known)}
    uses = {(row[0], row[1]): (row[2], row[3]) for row in book.ask(USES, scope)}
    ever = {(row[0], row[1]): row[2] for row in book.ask(EVER, scope)}
    rows: list[Row] = []
    lines: list[int] = []
    for player in book.taking_part(pull):
        if who and player.id != who:
            continue
        for cooldown in known.values():
            if not _has(player, cooldown) and (player.id, cooldown.spell_id) not in ever:
                continue
            times, at = uses.get((player.id, cooldown.spell_id), ([], []))
            rows.append(_use(pull, player, cooldown, times))
            used = ever.get((player.id, cooldown.spell_id))
            lines += [*at, *([used] if used else [])]
    rows.sort(key=lambda row: (str(row["player"]), -int(str(row["unused"]))))
    return rows, lines


def _has(player: Player, cooldown: Cooldown) -> bool:
    return (
        bool(cooldown.class_)
        and cooldown.class_ == player.class_
        and cooldown.spec in ("", player.spec)
    )


def _use(pull: PullRow, player: Player, cooldown: Cooldown, times: list[int]) -> Row:
    possible = 1 + int(max(pull.seconds - 1, 0) // cooldown.seconds)
    possible = max(possible, len(times))
    return {
        "player": player.name,
        "class": player.class_,
        "spec": player.spec,
        "cooldown": cooldown.name,
        "spell_id": cooldown.spell_id,
        "kind": cooldown.kind,
        "cooldown_seconds": cooldown.seconds,
        "uses": len(times),
        "possible_uses": possible,
        "unused": possible - len(times),
        "efficiency_percent": round(100 * len(times) / possible, 1),
        "first_use": pull.at(times[0]) if times else None,
        "at": [pull.at(ms) for ms in times],
    }


STARTED = f"""
WITH done AS (
    SELECT source, spell, count(*) AS finished FROM ({casts(IN_PULL)}) GROUP BY ALL
)
SELECT a.name AS player, e.spell AS ability, max(e.spell_id) AS spell_id, count(*) AS started,
    coalesce(any_value(d.finished), 0) AS succeeded
FROM events e JOIN actors a ON a.id = e.source
    LEFT JOIN done d ON d.source = e.source AND d.spell = e.spell
WHERE {IN_PULL} AND event = 'SPELL_CAST_START' AND a.kind = 'player'
    AND ($player = 0 OR e.source = $player)
GROUP BY a.name, e.spell
"""


def get_cancelled_casts(reports: Reports, args: OfFightPlayer) -> ToolOutcome:
    """List casts that were started but not finished, by player and spell."""
    book, pull, player = open_pull(reports, args)
    rows: list[Row] = []
    for row in book.rows(STARTED, pull.scope | {"player": player}):
        started, succeeded = whole(row["started"]), whole(row.pop("succeeded"))
        finished = min(started, succeeded)
        rows.append(
            row
            | {
                "finished": finished,
                "cancelled": started - finished,
                "cancelled_percent": round(100 * (started - finished) / started, 1),
            }
        )
    rows.sort(key=lambda row: (-whole(row["cancelled"]), str(row["player"])))
    notes = (
        "Cancelled: started and without a success; whether the player stopped it, moved or was"
        " interrupted is not in these lines. A cast under way when the pull ends counts as"
        " cancelled. Where a log has no ends of casts (3.3.5a), one is finished unless an"
        " interruption follows.",
    )
    return book.tell(rows, pull=pull, notes=notes)


TICKS = f"""
SELECT e.source, e.target, e.spell_id, any_value(e.spell), count(*),
    sum(e.amount), any_value(s.name), any_value(t.name)
FROM events e JOIN actors s ON s.id = e.source JOIN actors t ON t.id = e.target
WHERE {IN_PULL} AND e.event = 'SPELL_PERIODIC_DAMAGE' AND s.kind = 'player'
    AND t.kind <> 'player' AND ($player = 0 OR e.source = $player)
GROUP BY e.source, e.target, e.spell_id
"""


def get_dot_management(reports: Reports, args: OfFightPlayer) -> ToolOutcome:
    """Compute the uptime of each player's damage over time on each target."""
    book, pull, player = open_pull(reports, args)
    rows = dot_rows(book, pull, player)
    notes = (
        UPTIME_RULE,
        "Refreshes: applied again while still up. Targets that lived shorter than the pull have a"
        " lower uptime for that; the bosses' rows come first.",
    )
    return book.tell(rows, pull=pull, notes=notes)


def dot_rows(book: Book, pull: PullRow, player: int = 0) -> list[Row]:
    """List damage over time by player, target and spell, bosses first."""
    ticks = book.ask(TICKS, pull.scope | {"player": player})
    spells = sorted({row[2] for row in ticks})
    stretches = read_stretches(book, pull, spells, kind="DEBUFF") if spells else []
    rows: list[Row] = []
    bosses = {row[1] for row in ticks} & set(pull.bosses)
    for _, target, spell_id, spell, count, damage, name, on in ticks:
        mine = [
            one
            for one in stretches
            if (one.caster, one.target, one.spell_id) == (name, on, spell_id)
        ]
        seconds = union_seconds(mine)
        rows.append(
            {
                "player": name,
                "ability": spell,
                "spell_id": spell_id,
                "target": on,
                "boss": target in bosses,
                "uptime_seconds": round(seconds, 1),
                "uptime_percent": share(seconds, pull),
                "applications": sum(one.applied for one in mine),
                "refreshes": sum(one.refreshes for one in mine),
                "ticks": count,
                "damage": damage,
            }
        )
    rows.sort(key=lambda row: (not row["boss"], str(row["player"]), -whole(row["damage"])))
    return rows
