"""Tells the sides of a match apart, and selects what one of them did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ruleplay.agents.raid.domain.guids import FRIENDLY
from ruleplay.agents.raid.domain.overview import ENEMY, OURS
from ruleplay.agents.raid.domain.tool_result import Cell, Row, ToolOutcome
from ruleplay.agents.raid.tools.book import IN_PULLS, Book, span
from ruleplay.agents.raid.tools.pulls import PullRow

# An ally that an opponent controls is hostile for a while, and in a shuffle's next round an enemy
# is a partner, so the first line of a match decides.
# The copy of a pull's events has no flags.
# Creatures of one name may be on both sides; then they are on none.
_SEEN = f"""
SELECT fight, a.name, arg_min((flags & {FRIENDLY}) > 0, line) FROM (
    SELECT fight, line, source AS id, source_flags AS flags FROM main.events WHERE {IN_PULLS}
    UNION ALL SELECT fight, line, target, target_flags FROM main.events WHERE {IN_PULLS}
) JOIN actors a USING (id)
GROUP BY fight, a.name
HAVING bool_or(a.kind = 'player') OR count(DISTINCT (flags & {FRIENDLY}) > 0) = 1
"""
_PEOPLE = ("player", "caster")
"""Columns of whoever a row is about, the first that it has."""
_MATCHES = "SELECT fight FROM encounters WHERE kind <> 'boss'"
_HOSTILE = "SELECT DISTINCT name FROM actors WHERE kind = 'npc' AND NOT friendly"

_OWNED = f"""
SELECT DISTINCT a.name, o.name FROM actors a JOIN actors o ON o.id = a.owner AND o.id <> a.id
WHERE a.kind <> 'player' AND a.id IN (SELECT source FROM events e WHERE {IN_PULLS}
    UNION SELECT target FROM events e WHERE {IN_PULLS})
ORDER BY ALL
"""


@dataclass(frozen=True)
class Sides:
    """Who is on which side: all of matches by pull, and creatures, which are hostile or not."""

    players: Mapping[tuple[int, str], str]
    hostile: frozenset[str]

    @classmethod
    def read(cls, book: Book, pulls: Sequence[PullRow]) -> Sides:
        """Read the sides from the flags of each match's own lines: a foe may be an ally later."""
        known = {row[0] for row in book.ask(_MATCHES)}
        matches = [pull for pull in pulls if pull.fight in known]
        found = book.ask(_SEEN, span(matches)) if matches else []
        creatures = frozenset(str(row[0]) for row in book.ask(_HOSTILE))
        return cls({(row[0], row[1]): OURS if row[2] else ENEMY for row in found}, creatures)

    def of(self, fight: int, name: str) -> str:
        """Return the side of somebody on a pull."""
        return self.players.get((fight, name)) or (ENEMY if name in self.hostile else OURS)

    def mark(self, row: Row, column: str, fight: Cell = None) -> Row:
        """Add to a row the side of whom it names; without `fight`, over all matches."""
        name = str(row.get(column) or "")
        if not self.players or not name:
            return row
        known = isinstance(fight, int) and (fight, name) in self.players
        side = self.of(fight, name) if isinstance(fight, int) and known else self.over(name)
        return row | {"side": side}

    def over(self, name: str) -> str | None:
        """Return a player's side in the matches; None if they were on both, or in none."""
        had = {side for (_, one), side in self.players.items() if one == name}
        return had.pop() if len(had) == 1 else None


def owned(book: Book, pulls: Sequence[PullRow], rows: Sequence[Row]) -> list[Row]:
    """Add to rows whose `name` is a pet's whose it is; a name may have several owners."""
    owners: dict[str, list[str]] = {}
    named = {str(row.get("name")) for row in rows}
    for pet, owner in book.ask(_OWNED, span(pulls)):
        if pet in named:
            owners.setdefault(pet, []).append(owner)
    if not owners:
        return [*rows]
    return [
        row | {"owner": ", ".join(owners.get(str(row.get("name")), ())) or None} for row in rows
    ]


def with_sides(book: Book, told: ToolOutcome) -> ToolOutcome:
    """Add the sides of the people in an outcome's rows, if it is about matches."""
    pulls = [pull for pull in book.pulls if told.fight in (None, pull.fight)]
    columns = [name for name in _PEOPLE if any(row.get(name) for row in told.rows)]
    sides = Sides.read(book, pulls) if columns else None
    if sides is None or not sides.players:
        return told
    rows = (
        sides.mark(row, column, row.get("fight", told.fight))
        for row in told.rows
        for column in [next((one for one in columns if row.get(one)), "")]
    )
    return told.model_copy(update={"rows": tuple(rows)})
