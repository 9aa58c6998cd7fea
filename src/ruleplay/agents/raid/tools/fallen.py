"""Counts deaths over several pulls, who fell first, and killing blows that no line names."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from ruleplay.agents.raid.domain.arguments import Tallied
from ruleplay.agents.raid.domain.overview import ENEMY, fold, side_given
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.tools.book import DIED, HARM, IN_PULLS, Book, Player, names_in, span
from ruleplay.agents.raid.tools.cells import whole
from ruleplay.agents.raid.tools.deaths import Death, deaths_of, first_of
from ruleplay.agents.raid.tools.floors import read_floors
from ruleplay.agents.raid.tools.moments import part_of
from ruleplay.agents.raid.tools.pulls import PullRow
from ruleplay.agents.raid.tools.sides import Sides
from ruleplay.errors import UserError

DYING = 5_000
"""Milliseconds after a hit with overkill within which another on the same is of the same death."""
_BLOWS = f"""
SELECT e.fight, s.name, coalesce(t.name, '?'), coalesce(e.spell, 'Melee'), 1, 0, 1, 0, 0, e.ms,
    e.line
FROM events e JOIN actors s ON s.id = coalesce(e.owner, e.source)
    LEFT JOIN actors t ON t.id = e.target
WHERE {IN_PULLS} AND e.counts AND NOT e.apart AND e.event IN {HARM} AND e.over > 0
    AND s.kind = 'player'
"""
# What does not die at no health, such as a robot that is to be repaired, is hit on and on.
_ENDING = f"""
QUALIFY coalesce(lead(e.ms) OVER (PARTITION BY e.fight, e.target ORDER BY e.line) - e.ms, {DYING})
    >= {DYING}
"""
BLOWS = f"{_BLOWS}{_ENDING}"
"""Hits with overkill, of those on one in short order the last."""
UNNAMED = f"""{_BLOWS} AND NOT EXISTS (SELECT 1 FROM events k
    WHERE k.event = 'PARTY_KILL' AND k.target = e.target AND k.fight IS NOT DISTINCT FROM e.fight)
{_ENDING}"""
"""Those on somebody whose killing blow the log does not name, such as most bosses of Classic."""
UNNAMED_RULE = "Where the log names no killing blow, it is inferred: the last hit with overkill."
BLOWS_RULE = "This log names no killing blows: they are inferred, the last hits with overkill."


_CREATURES = f"""
SELECT a.name, e.fight, count(*) FROM events e JOIN actors a ON a.id = e.target
WHERE {IN_PULLS} AND {DIED} AND a.kind <> 'player' AND NOT a.friendly GROUP BY ALL
"""
_GROUPS = ("", "player", "target", "pull", "ability", "source")
"""How deaths may be counted: by who died, in which pull, of what, by whose hand."""


def fallen(book: Book, pulls: Sequence[PullRow], args: Tallied) -> list[Row]:
    """Count deaths and first deaths by player, by what or whom they fell to, or pull by pull.

    Enemies are the other side's players in matches, else creatures.
    """
    if args.by == "floor":
        return _by_floor(book, args)
    if args.by not in _GROUPS:
        groups = ", ".join(filter(None, (*_GROUPS, "floor")))
        raise UserError(f"deaths are counted by {groups}, not by {args.by!r}")
    sides, who = Sides.read(book, pulls), args.player_name or args.target_name
    if side_given(who) == ENEMY and not sides.players:
        return _creatures(book, pulls, by_pull=args.by == "pull")
    every = _within(book, pulls, args)
    died = {
        fight: [one for one in deaths if _is_meant(who, fight, one.player.name, sides)]
        for fight, deaths in every.items()
    }
    if args.by == "pull":
        whose: list[Row] = [{"name": p.label, "fight": p.fight, "boss": p.name} for p in pulls]
        # Who died first in a pull did so before everybody, not only those asked for.
        return [
            row | first_of(p, every[p.fight]) | {"deaths": len(died[p.fight])}
            for row, p in zip(whose, pulls, strict=True)
        ]
    if args.by in ("ability", "source"):
        return _by_blow([one for deaths in died.values() for one in deaths], args.by)
    firsts = {deaths[0].line for deaths in every.values() if deaths}
    present = _present(book, pulls, who, sides)
    return _by_player(pulls, died, firsts, present)


def _by_floor(book: Book, args: Tallied) -> list[Row]:
    """Count the deaths of players on each floor of a run through Torghast."""
    rows: list[Row] = []
    for floor in read_floors(book):
        label = f"floor {floor.number}"
        stretch = book.some(label)
        every = Sides.read(book, stretch)
        died = [
            one
            for own in deaths_of(book, stretch).values()
            for one in own
            if _is_meant(args.player_name or args.target_name, 0, one.player.name, every)
        ]
        victims = ", ".join(one.player.name for one in died)
        rows.append({"name": label, "deaths": len(died), "victims": victims})
    return rows


def _present(book: Book, pulls: Sequence[PullRow], who: str, sides: Sides) -> dict[str, Row]:
    """Make a row for each of the players meant, with no death yet, and count their pulls."""
    book.prepare(pulls)
    rows: dict[str, Row] = {}
    for pull in pulls:
        for player in book.taking_part(pull):
            if _is_meant(who, pull.fight, player.name, sides):
                row = rows.setdefault(player.name, _nothing(player))
                row["pulls"] = whole(row["pulls"]) + 1
    return rows


def _by_player(
    pulls: Sequence[PullRow],
    died: Mapping[int, Sequence[Death]],
    firsts: Container[int],
    rows: dict[str, Row],
) -> list[Row]:
    """Count each player's deaths; `firsts` are the lines of the first death of each pull."""
    for pull in pulls:
        for death in died[pull.fight]:
            row = rows.setdefault(death.player.name, _nothing(death.player))
            row["deaths"] = whole(row["deaths"]) + 1
            if death.line in firsts:
                row["first_deaths"] = whole(row["first_deaths"]) + 1
                before = f"{row['first_on']}, " if row["first_on"] else ""
                row["first_on"] = before + (pull.name if pull.is_stretch else f"pull {pull.fight}")
    return sorted(rows.values(), key=lambda row: (-whole(row["deaths"]), str(row["name"])))


def _is_meant(who: str, fight: int, name: str, sides: Sides) -> bool:
    """Whether a player is one of those named, or on the side that is; everybody without any."""
    if side := side_given(who):
        return sides.of(fight, name) == side
    return not who or bool(names_in(who) & _names_of(name))


def _by_blow(deaths: Sequence[Death], by: str) -> list[Row]:
    """Count deaths by the killing blow's ability, or by whose it was."""
    groups: dict[str, list[str]] = {}
    for one in deaths:
        blow = one.killing
        name = (blow.ability if by == "ability" else blow.source) if blow else "?"
        groups.setdefault(name, []).append(one.player.name)
    ranked = sorted(groups.items(), key=lambda one: (-len(one[1]), one[0]))
    return [{"name": n, "deaths": len(w), "victims": ", ".join(w)} for n, w in ranked]


def _creatures(book: Book, pulls: Sequence[PullRow], *, by_pull: bool) -> list[Row]:
    """Count the deaths of hostile creatures."""
    counts: dict[tuple[str, int | None], int] = {}
    for name, fight, count in book.ask(_CREATURES, span(pulls)):
        key = (name, fight if by_pull else None)
        counts[key] = counts.get(key, 0) + count
    ranked = sorted(counts.items(), key=lambda one: (-one[1], one[0][0]))
    labels = {pull.fight: pull.name for pull in pulls}
    rows: list[Row] = []
    for (name, fight), count in ranked:
        where: Row = {"fight": fight, "boss": labels.get(fight)} if fight is not None else {}
        rows.append({"name": name, "deaths": count, **where})
    return rows


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
