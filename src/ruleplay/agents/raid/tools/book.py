"""A report opened for one tool call: runs queries and records them for the outcome."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ruleplay.agents.raid.adapters.reports import WHOLE, Excerpt
from ruleplay.agents.raid.domain.columns import DAMAGE_EVENTS, HEAL_EVENTS
from ruleplay.agents.raid.domain.overview import fold
from ruleplay.agents.raid.domain.reference.tables import encounters, spell_names
from ruleplay.agents.raid.domain.tool_result import NO_BLOWS, RANGES_SHOWN, Row, ToolOutcome
from ruleplay.agents.raid.tools.callings import read_callings
from ruleplay.agents.raid.tools.names import find_name
from ruleplay.agents.raid.tools.pulls import (
    PullRow,
    find_pull,
    find_pulls,
    find_stretch,
    read_pulls,
)

if TYPE_CHECKING:
    from ruleplay.agents.raid.adapters.reports import Report
    from ruleplay.agents.raid.domain.classes import Calling

Parameters = Mapping[str, object]

SHORT = 100_000
"""Lines of pulls that are scanned nearly as quickly as those of a single one."""
LISTED = "2."
"""Client versions whose consumables and cooldowns the tables cover begin with this."""
NO_LIST = "No list of {} of this log's expansion is at hand: what was lacking is not judged."
FROM_BLOWS = frozenset(
    (
        *("damage", "pet_damage", "total_damage", "dps", "overkill", "friendly_fire"),
        *("healing", "pet_healing", "total_healing", "hps", "overheal", "overheal_percent"),
        *("absorbs", "heal_absorbed", "damage_taken", "absorbed", "biggest_hit", "hits", "casts"),
        "biggest_at",
        *("active_seconds", "active_percent", "longest_gap_seconds", "longest_gap_at", "pauses"),
        "heals",
        *("interrupts", "dispels", "heal_gap_seconds", "uses", "possible_uses", "unused"),
        *("window_seconds", "efficiency_percent", "score", "potions", "lowest_health_percent"),
    )
)
"""Columns computed from casts, damage or healing."""
DAMAGE = "('" + "', '".join(DAMAGE_EVENTS) + "')"
HEALS = "('" + "', '".join(HEAL_EVENTS) + "')"
HARM = DAMAGE[:-1] + ", 'ENVIRONMENTAL_DAMAGE')"
DIED = "(event = 'UNIT_DIED' AND counts)"
"""A real death: Feign Death and falling unconscious are logged with the same event."""
IN_PULL = "line BETWEEN $first AND $last AND fight = $fight"
"""Restricts a scan to a pull; `line` lets DuckDB skip most of the file."""
IN_PULLS = (
    "line BETWEEN $first AND $last AND fight BETWEEN $low AND $high"
    " AND list_contains($fights, fight)"
)
"""Restricts a scan to several pulls; `span` provides the parameters."""
ACTING = f"""
SELECT DISTINCT e.fight, e.source FROM events e JOIN actors a ON a.id = e.source
WHERE {IN_PULLS} AND a.kind = 'player' AND NOT starts_with(e.event, 'SPELL_AURA')
    AND (a.friendly OR e.fight IN (SELECT fight FROM encounters WHERE kind <> 'boss'))
"""

BLOWS = HARM[:-1] + ", " + HEALS[1:]
PRESENT = "SELECT DISTINCT line FROM combatants WHERE fight = $fight"
HABITS = f"""
SELECT coalesce(list(DISTINCT spell_id) FILTER (event = 'SPELL_CAST_START'), []),
    coalesce(list(DISTINCT spell_id) FILTER (event = 'SPELL_CAST_SUCCESS'), []),
    coalesce(list(DISTINCT spell_id) FILTER (event = 'SPELL_EMPOWER_START'), []),
    coalesce(bool_or(event = 'PARTY_KILL'), false),
    coalesce(bool_or(event = 'SPELL_INTERRUPT' OR event IN {BLOWS}), false)
FROM events WHERE event IN ('SPELL_CAST_START', 'SPELL_CAST_SUCCESS', 'SPELL_EMPOWER_START',
    'PARTY_KILL', 'SPELL_INTERRUPT') OR event IN {BLOWS}
"""
"""What this client logs: spells begun and done, empowered spells, killing blows."""
KNOWN_BY = """
SELECT unnest([class_evidence, spec_evidence]) FROM actors
WHERE kind = 'player' AND list_contains($names, name)
"""


@dataclass(frozen=True)
class Player:
    """A player of the report."""

    id: int
    name: str
    class_: str
    spec: str
    role: str

    @property
    def told(self) -> Row:
        """The player's columns in result rows."""
        return {
            "player": self.name,
            "class": self.class_,
            "spec": self.spec,
            "role": self.role,
        }


@dataclass
class Book:
    """A report's tables. Values reach SQL only as parameters; query texts are constant."""

    report: Report
    asked: list[str] = field(default_factory=list)
    _parts: dict[int, tuple[Player, ...]] = field(default_factory=dict)
    _pulls: tuple[PullRow, ...] | None = None
    _players: dict[int, Player] | None = None
    _habits: Parameters | None = None

    @property
    def code(self) -> str:
        """The report's code."""
        return self.report.code

    def ask(self, sql: str, given: Parameters | None = None) -> list[tuple[Any, ...]]:
        """Run a query and return its rows."""
        return self._run(sql, given or {})[1]

    def rows(self, sql: str, given: Parameters | None = None) -> list[Row]:
        """Run a query and return its rows as dictionaries by column name."""
        names, found = self._run(sql, given or {})
        return [dict(zip(names, row, strict=True)) for row in found]

    def _run(self, sql: str, given: Parameters) -> tuple[list[str], list[tuple[Any, ...]]]:
        if "$channels" in sql:
            given = {**given, **{kind: [*spell_names()[kind]] for kind in ("channels", "holds")}}
        if "$begun" in sql or "$logs_kills" in sql:
            given = {**given, **self.habits}
        used = {name: value for name, value in given.items() if f"${name}" in sql}
        self.asked.append(shown(sql, used))
        names: list[str]
        found: list[tuple[Any, ...]]
        names, found = self.report.query(sql, used, within=_excerpt(used))
        return names, found

    def has_lists(self, pull: PullRow) -> bool:
        """Whether the tables of consumables and cooldowns apply to this log's client.

        They cover Burning Crusade; for other expansions, nearly everything would count as missing.
        """
        build = self.report.manifest.build
        if build:
            return build.startswith(LISTED)
        known = encounters().get(pull.encounter_id or 0)
        return (
            "3.3.5a" not in self.report.manifest.dialect
            and known is not None
            and (known.expansion == "TBC")
        )

    @property
    def habits(self) -> Parameters:
        """What the log's client writes, as query parameters."""
        if self._habits is None:
            begun, done, empowered, kills, blows = self.report.query(HABITS)[1][0]
            started = set(_numbers(begun))
            unended = started - set(_numbers(done))
            # 3.3.5a has no end of what takes time to cast; elsewhere such a spell never ended.
            self._habits = {
                "begun": sorted(unended) if 2 * len(unended) > len(started) else [],
                "empowered": sorted(_numbers(empowered)),
                "logs_kills": bool(kills),
                "logs_blows": bool(blows or begun or done),
            }
        return self._habits

    @property
    def logs_blows(self) -> bool:
        """Whether the log has casts, damage or healing; some have pulls and deaths only."""
        return bool(self.habits["logs_blows"])

    @property
    def pulls(self) -> tuple[PullRow, ...]:
        """The pulls in order."""
        if self._pulls is None:
            self._pulls = read_pulls(self)
        return self._pulls

    @property
    def players(self) -> dict[int, Player]:
        """The players by actor id."""
        if self._players is None:
            found = self.ask(
                "SELECT id, name, coalesce(class, ''), coalesce(spec, ''), coalesce(role, '')"
                " FROM actors WHERE kind = 'player'"
            )
            self._players = {row[0]: Player(*row) for row in found}
        return self._players

    def pull(self, wanted: str) -> PullRow:
        """Find the pull or stretch meant by a text; NotFound lists the existing ones."""
        return find_stretch(self, wanted) or find_pull(self.pulls, wanted, self.code)

    def some(self, wanted: str) -> list[PullRow]:
        """Find the pulls or the stretch meant by a text, all pulls if none; raises NotFound."""
        stretch = find_stretch(self, wanted)
        return [stretch] if stretch else find_pulls(self.pulls, wanted, self.code)

    def inside(self, one: PullRow) -> Sequence[PullRow]:
        """List the pulls that a pull or stretch consists of: itself, those of a run, none."""
        if not one.is_stretch:
            return [one]
        whole = one.fight == WHOLE
        return [pull for pull in self.pulls if whole and one.first <= pull.first <= one.last]

    def player(self, wanted: str, among: Iterable[int] | None = None) -> Player:
        """Find the player meant by a text; NotFound suggests the nearest names."""
        ids = self.players if among is None else [i for i in among if i in self.players]
        by_name = {self.players[i].name: self.players[i] for i in ids}
        return by_name[find_name(wanted, by_name, "player")]

    def taking_part(self, pull: PullRow) -> tuple[Player, ...]:
        """List the players of a pull with their class, spec and role in it; see `prepare`."""
        if pull.fight not in self._parts:
            self.prepare([pull])
        return self._parts[pull.fight]

    def prepare(self, pulls: Sequence[PullRow]) -> None:
        """Look up who took part in these pulls, unless known; one query for all is cheap.

        Participants are those with COMBATANT_INFO in a pull, or else those who act in it. In a
        short report all pulls are looked up: tools side by side then ask the same, which runs once.
        """
        for stretch in pulls:
            if stretch.is_stretch and stretch.fight not in self._parts:
                self._look_up([stretch])
        pulls = [pull for pull in pulls if not pull.is_stretch]
        if pulls and sum(pull.last - pull.first for pull in self.pulls) <= SHORT:
            pulls = self.pulls
        unknown = [pull for pull in pulls if pull.fight not in self._parts]
        if unknown:
            self._look_up(unknown)

    def _look_up(self, unknown: Sequence[PullRow]) -> None:
        listed: dict[int, set[int]] = {}
        for fight, actor in self.ask("SELECT DISTINCT fight, actor FROM combatants"):
            listed.setdefault(fight, set()).add(actor)
        acting: dict[int, set[int]] = {}
        bare = [pull for pull in unknown if pull.fight not in listed]
        for fight, actor in self.ask(ACTING, span(bare)) if bare else []:
            acting.setdefault(fight, set()).add(actor)
        told = read_callings(self.ask, span(unknown))
        for pull in unknown:
            there = listed.get(pull.fight) or acting.get(pull.fight) or set()
            players = (
                self._as(self.players[actor], told.get((pull.fight, actor)))
                for actor in there
                if actor in self.players
            )
            self._parts[pull.fight] = tuple(sorted(players, key=lambda player: player.name))

    def played(self, actor: int, pull: PullRow | None) -> Player:
        """Get a player with the role of a pull; outside of pulls, that of the night."""
        there = self.taking_part(pull) if pull else ()
        return next((one for one in there if one.id == actor), self.players[actor])

    @staticmethod
    def _as(player: Player, calling: Calling | None) -> Player:
        """Return a player as what it was in a pull; what the pull does not tell, the night does."""
        if calling is None:
            return player
        same = calling.class_ in (None, player.class_)
        spec = calling.spec or (player.spec if same else "")
        return replace(player, class_=calling.class_ or player.class_, spec=spec, role=calling.role)

    def together(self, pulls: Sequence[PullRow]) -> Sequence[PullRow]:
        """Return the pulls to ask about for these: one alone, else all of the report.

        A scan over several pulls costs little less than one over all, whose answer is kept and
        serves the questions about other pulls too.
        """
        return pulls if len(pulls) < 2 else self.pulls

    def _frame(self, pull: PullRow) -> list[tuple[int, int]]:
        """Return the lines that say when a pull began and ended, and who took part in it."""
        found = self.ask(PRESENT, pull.scope)
        return spread((pull.first, *(row[0] for row in found), pull.last))

    def known_by(self, rows: Iterable[Row]) -> list[tuple[int, int]]:
        """Return the lines that tell the names, classes and specs of players in rows."""
        names = sorted({str(row["player"]) for row in rows if row.get("player")})
        return spread(row[0] for row in self.ask(KNOWN_BY, {"names": names}) if row[0])

    def clock(self, ms: float) -> str:
        """Format a time of the report as wall clock HH:MM:SS."""
        return self.report.clock(ms)

    def tell(
        self,
        rows: Sequence[Row],
        *,
        pull: PullRow | None = None,
        lines: Iterable[tuple[int, int]] | None = None,
        elsewhere: Mapping[str, Iterable[tuple[int, int]]] | None = None,
        notes: Sequence[str] = (),
        unknown: bool = False,
    ) -> ToolOutcome:
        """Build an outcome; without `lines`, it cites the pull's lines, or the whole report's.

        `elsewhere` are lines of other reports by code. `unknown`: no rows say nothing.
        """
        if lines is None:
            lines = [(pull.first, pull.last)] if pull else [(1, self.report.lines)]
        elif pull:
            lines = [*lines, *self._frame(pull), *self.known_by(rows)]
        if pull and pull.is_stretch:
            # Its number means nothing outside of the queries.
            rows = [{n: cell for n, cell in row.items() if n != "fight"} for row in rows]
        if not self.logs_blows:
            rows, notes = [_without_blows(row) for row in rows], (NO_BLOWS, *notes)
        ranges, cut = merge(lines)
        said = [*([pull.said] if pull else []), *notes, *([cut] if cut else [])]
        return ToolOutcome(
            rows=tuple(rows),
            query=";\n".join(self.asked),
            lines=ranges,
            elsewhere=tuple((code, merge(told)[0]) for code, told in (elsewhere or {}).items()),
            notes=tuple(said),
            unknown=unknown and not rows,
            report=self.code,
            fight=pull.fight if pull and not pull.is_stretch else None,
            pull=pull.label if pull else "",
            seconds=pull.seconds if pull else None,
        )


def _without_blows(row: Row) -> Row:
    """Blank the numbers of a row that its log cannot support."""
    return {name: None if name in FROM_BLOWS else value for name, value in row.items()}


def _numbers(found: object) -> list[int]:
    return [one for one in found if isinstance(one, int)] if isinstance(found, list) else []


def _excerpt(given: Parameters) -> Excerpt | None:
    """Find the single pull that a query is restricted to, if there is one."""
    fights = given.get("fights", (given.get("fight"),))
    match fights, given.get("first"), given.get("last"):
        case [int(fight)], int(first), int(last):
            return Excerpt(fight, first, last)
    return None


def shown(sql: str, given: Parameters) -> str:
    """Format a query for display: its text, followed by its parameter values."""
    values = ", ".join(f"${name} = {value!r}" for name, value in given.items())
    return " ".join(sql.split()) + (f"  -- {values[:400]}" if values else "")


def merge(lines: Iterable[tuple[int, int]]) -> tuple[tuple[tuple[int, int], ...], str]:
    """Merge ranges that touch or overlap; also returns a note if too many remain.

    In that case the smallest gaps are closed, so that no line of the result is lost.
    """
    joined: list[tuple[int, int]] = []
    for first, last in sorted(lines):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    if len(joined) <= RANGES_SHOWN:
        return tuple(joined), ""
    gaps = sorted(range(1, len(joined)), key=lambda i: joined[i][0] - joined[i - 1][1])
    closed = set(gaps[: len(joined) - RANGES_SHOWN])
    bounded: list[tuple[int, int]] = []
    for place, one in enumerate(joined):
        if place in closed:
            bounded[-1] = (bounded[-1][0], one[1])
        else:
            bounded.append(one)
    note = f"{len(joined)} line ranges are shown as {RANGES_SHOWN}, with lines between them"
    return tuple(bounded), note


def span(pulls: Sequence[PullRow]) -> dict[str, object]:
    """Build the parameters that restrict a query to several pulls (at least one)."""
    fights = [pull.fight for pull in pulls]
    return {
        "first": min(pull.first for pull in pulls),
        "last": max(pull.last for pull in pulls),
        "fights": fights,
        "low": min(fights),
        "high": max(fights),
    }


def names_in(text: str) -> set[str]:
    """Fold the names of an argument, which semicolons part."""
    return {fold(one.strip()) for one in text.split(";") if one.strip()}


def people_in(text: str, book: Book) -> set[str]:
    """Complete the players of an argument to their folded names with realm; others stay."""
    known = {fold(player.name) for player in book.players.values()}
    found: set[str] = set()
    for said in names_in(text):
        found |= {full for full in known if said in (full, full.partition("-")[0])} or {said}
    return found


def spread(lines: Iterable[int]) -> list[tuple[int, int]]:
    """Convert single lines to ranges."""
    return [(line, line) for line in lines]
