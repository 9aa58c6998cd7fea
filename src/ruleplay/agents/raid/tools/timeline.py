"""The timeline and map of a pull for the page: casts and positions, with their log lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ruleplay.agents.raid.domain.reference import tables
from ruleplay.agents.raid.tools.book import IN_PULL, Book
from ruleplay.agents.raid.tools.deaths import read_deaths
from ruleplay.agents.raid.tools.library import open_book

if TYPE_CHECKING:
    from ruleplay.agents.raid.adapters.reports import Reports
    from ruleplay.agents.raid.tools.pulls import PullRow

MARKS = 1_500
"""Maximum number of marks per lane."""
STEPS = 600
"""Maximum number of time steps with positions per pull."""
_CAST = """(event = 'SPELL_CAST_SUCCESS'
    OR event = 'SPELL_CAST_START' AND list_contains($begun, spell_id))"""


def _lane(which: str) -> str:
    """Build the query for one lane's marks."""
    return f"""
SELECT e.ms, e.line, e.spell AS ability, a.name AS source, t.name AS target FROM events e
JOIN actors a ON a.id = e.source LEFT JOIN actors t ON t.id = e.target
WHERE {IN_PULL} AND {which} ORDER BY e.line LIMIT {MARKS}
"""


CASTS = _lane(f"{_CAST} AND e.source = $player")
COOLDOWNS = _lane(
    "event = 'SPELL_CAST_SUCCESS' AND list_contains($spells, spell_id)"
    " AND a.kind = 'player' AND ($player = 0 OR e.source = $player)"
)
BOSS = _lane(
    f"{_CAST} AND a.kind = 'npc' AND NOT a.friendly"
    " AND (len($bosses) = 0 OR list_contains($bosses, e.source))"
)
PLACES = f"""
SELECT e.info, ((e.ms - $start) // ($step * 1000))::INT AS step, arg_max(e.x, e.line) AS x,
    arg_max(e.y, e.line) AS y FROM main.events e JOIN actors a ON a.id = e.info
WHERE {IN_PULL} AND e.x IS NOT NULL AND e.y IS NOT NULL AND (e.x <> 0 OR e.y <> 0)
    AND (a.kind = 'player' OR list_contains($bosses, e.info))
GROUP BY e.info, step ORDER BY step
"""
"""Reads the view of all events, because the in-memory copy of a pull has no positions."""
NAMES = "SELECT id, name FROM actors WHERE list_contains($ids, id)"


@dataclass(frozen=True)
class Mark:
    """A cast, in seconds of the pull, with its log line."""

    at: float
    line: int
    ability: str
    source: str
    target: str


@dataclass(frozen=True)
class Timeline:
    """The lanes of a pull: a player's casts; cooldowns (the player's, else all); boss casts."""

    casts: tuple[Mark, ...]
    cooldowns: tuple[Mark, ...]
    boss: tuple[Mark, ...]


@dataclass(frozen=True)
class Mover:
    """A moving unit: `path` holds step, x and y in yards, where the log states them."""

    name: str
    class_: str
    boss: bool
    died_at: float | None
    path: list[tuple[int, float, float]] = field(default_factory=list)


@dataclass(frozen=True)
class Places:
    """Everyone's positions every `step` seconds; no movers if the log has no coordinates."""

    step: int
    seconds: float
    movers: tuple[Mover, ...]


def read_timeline(reports: Reports, report: str, fight: int, player: str = "") -> Timeline:
    """Build a pull's lanes; NotFound if the report, pull or player does not exist."""
    book = open_book(reports, report)
    pull = book.pull(str(fight))
    who = book.player(player).id if player else 0
    known = sorted(tables.cooldowns()) if book.has_lists(pull) else []
    scope = pull.scope | {"player": who, "spells": known}
    return Timeline(
        casts=_marks(book, pull, CASTS, scope) if who else (),
        cooldowns=_marks(book, pull, COOLDOWNS, scope),
        boss=_marks(book, pull, BOSS, scope),
    )


def _marks(book: Book, pull: PullRow, sql: str, scope: dict[str, object]) -> tuple[Mark, ...]:
    return tuple(
        Mark(pull.at(ms), line, ability or "", source, target or "")
        for ms, line, ability, source, target in book.ask(sql, scope)
    )


def read_places(reports: Reports, report: str, fight: int) -> Places:
    """Collect everyone's positions in a pull; NotFound if the report or pull does not exist."""
    book = open_book(reports, report)
    pull = book.pull(str(fight))
    step = max(1, -(-int(pull.seconds) // STEPS))
    paths: dict[int, list[tuple[int, float, float]]] = {}
    for actor, at, x, y in book.ask(PLACES, pull.scope | {"step": step}):
        paths.setdefault(actor, []).append((at, round(float(x), 1), round(float(y), 1)))
    died = {death.player.id: pull.at(death.ms) for death in reversed(read_deaths(book, pull))}
    names = dict(book.ask(NAMES, {"ids": [*paths]}))
    classes = {player.id: player.class_ for player in book.taking_part(pull)}
    movers = (
        Mover(names[actor], classes.get(actor, ""), actor in pull.bosses, died.get(actor), path)
        for actor, path in paths.items()
    )
    return Places(step, pull.seconds, tuple(sorted(movers, key=lambda one: (one.boss, one.name))))
