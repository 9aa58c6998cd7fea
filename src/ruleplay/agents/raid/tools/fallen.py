"""Counts deaths over several pulls, who fell first, and killing blows that no line names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ruleplay.agents.raid.domain.arguments import Tallied
from ruleplay.agents.raid.domain.overview import fold
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.tools.book import HARM, IN_PULLS, Book, Player
from ruleplay.agents.raid.tools.cells import whole
from ruleplay.agents.raid.tools.deaths import Death, deaths_of, first_of
from ruleplay.agents.raid.tools.moments import part_of
from ruleplay.agents.raid.tools.pulls import PullRow
from ruleplay.errors import UserError

BLOWS = f"""
SELECT e.fight, s.name, coalesce(t.name, '?'), coalesce(e.spell, 'Melee'), 1, 0, 1, 0, 0, e.ms,
    e.line
FROM events e JOIN actors s ON s.id = coalesce(e.owner, e.source)
    LEFT JOIN actors t ON t.id = e.target
WHERE {IN_PULLS} AND e.counts AND NOT e.apart AND e.event IN {HARM} AND e.over > 0
    AND s.kind = 'player'
"""
"""Hits with overkill, which count as killing blows in a pull's totals too."""
UNNAMED = f"""{BLOWS} AND NOT EXISTS (SELECT 1 FROM events k
    WHERE k.event = 'PARTY_KILL' AND k.target = e.target AND k.fight IS NOT DISTINCT FROM e.fight)
"""
"""Those on somebody whose killing blow the log does not name, such as most bosses of Classic."""
UNNAMED_RULE = "Where the log names no killing blow, it is inferred: the hit with overkill."
BLOWS_RULE = "This log names no killing blows: they are inferred, the hits with overkill."


def fallen(book: Book, pulls: Sequence[PullRow], args: Tallied) -> list[Row]:
    """Count deaths and first deaths by player, or list each pull's number and first death."""
    died = _within(book, pulls, args)
    if args.by == "pull":
        whose: list[Row] = [{"name": p.label, "fight": p.fight, "boss": p.name} for p in pulls]
        return [row | first_of(p, died[p.fight]) for row, p in zip(whose, pulls, strict=True)]
    if args.by not in ("", "player"):
        raise UserError(f"deaths are counted by player or by pull, not by {args.by!r}")
    book.prepare(pulls)
    rows: dict[str, Row] = {}
    for pull in pulls:
        for player in book.taking_part(pull):
            row = rows.setdefault(player.name, _nothing(player))
            row["pulls"] = whole(row["pulls"]) + 1
        for place, death in enumerate(died[pull.fight]):
            row = rows.setdefault(death.player.name, _nothing(death.player))
            row["deaths"] = whole(row["deaths"]) + 1
            if not place:
                row["first_deaths"] = whole(row["first_deaths"]) + 1
                before = f"{row['first_on']}, " if row["first_on"] else ""
                row["first_on"] = before + (pull.name if pull.is_stretch else f"pull {pull.fight}")
    wanted = {fold(one.strip()) for one in args.player_name.split(";") if one.strip()}
    kept = (row for row in rows.values() if not wanted or wanted & _names_of(str(row["name"])))
    return sorted(kept, key=lambda row: (-whole(row["deaths"]), str(row["name"])))


def _within(book: Book, pulls: Sequence[PullRow], args: Tallied) -> Mapping[int, list[Death]]:
    """List the deaths of each pull, or of the part of it that is asked for."""
    died = deaths_of(book, pulls)
    spans = part_of(book, pulls, args.part) if args.part else {}
    for fight, deaths in died.items() if spans else ():
        since, until = spans.get(fight, (0, -1))
        died[fight] = [death for death in deaths if since <= death.ms <= until]
    return died


def _nothing(player: Player) -> Row:
    counts: Row = {"deaths": 0, "first_deaths": 0, "first_on": None, "pulls": 0}
    return {"name": player.name, "role": player.role} | counts


def _names_of(name: str) -> set[str]:
    """Return a player's name as it may be asked for: with and without the realm."""
    return {fold(name), fold(name).partition("-")[0]}
