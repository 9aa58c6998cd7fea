"""Analyses deaths: the killing blow, the seconds before, and burst versus a gap in healing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ruleplay.agents.raid.adapters.reports import Reports
from ruleplay.agents.raid.domain.arguments import OfFightPlayer, OfPullsPlayer
from ruleplay.agents.raid.domain.columns import SAVES
from ruleplay.agents.raid.domain.tool_result import Cell, Row, ToolOutcome
from ruleplay.agents.raid.tools.book import DIED, HARM, HEALS, IN_PULLS, Book, Player, span
from ruleplay.agents.raid.tools.deeds import casts
from ruleplay.agents.raid.tools.library import open_book, open_pull
from ruleplay.agents.raid.tools.pulls import PullRow
from ruleplay.agents.raid.tools.sides import Sides

WINDOW = 5.0
"""Seconds before a death that are examined."""
HEAL_GAP = 2.5
"""Seconds without healing from which a tank's death counts as a gap in healing."""
BURST_SHARE = 0.8
"""Share of the window's damage that, taken within two seconds, counts as burst."""
SHOWN_HITS = 8

_DYING = f"""
dying AS (
    SELECT line, ms, fight, target,
        coalesce(lag(line) OVER (PARTITION BY fight, target ORDER BY line), 0) AS since
    FROM events WHERE {IN_PULLS} AND {DIED}
        AND target IN (SELECT id FROM actors WHERE kind = 'player' AND (friendly
            OR fight IN (SELECT fight FROM encounters WHERE kind <> 'boss')))
)
"""
DEATHS = f"""
WITH {_DYING}, blows AS (
    SELECT fight, line, ms, target FROM events
    WHERE {IN_PULLS} AND event IN {HEALS} AND amount > over
)
SELECT d.line, d.ms, d.fight, d.target, max(b.ms), max(b.line)
FROM dying d LEFT JOIN blows b ON b.fight = d.fight AND b.target = d.target
    AND b.line < d.line AND b.line > d.since
GROUP BY ALL ORDER BY d.line
"""
BEFORE = f"""
WITH {_DYING}, blows AS (
    SELECT fight, line, ms, source, target, event IN {HEALS} AS heal, spell, spell_id, amount, over,
        absorbed, info, hp, hp_max
    FROM events WHERE {IN_PULLS} AND counts AND (event IN {HARM} OR event IN {HEALS})
)
SELECT d.line, e.line, e.ms, e.heal, coalesce(e.spell, 'Melee'), e.spell_id,
    coalesce(s.name, 'Environment'), e.amount, e.over, coalesce(e.absorbed, 0),
    CASE WHEN e.info = e.target AND e.hp_max > 0 THEN e.hp END,
    CASE WHEN e.info = e.target AND e.hp_max > 0 THEN e.hp_max END
FROM dying d JOIN blows e ON e.fight = d.fight AND e.target = d.target
    AND e.line < d.line AND e.line > d.since AND e.ms >= d.ms - {int(1000 * WINDOW)}
    LEFT JOIN actors s ON s.id = e.source
ORDER BY e.line
"""

LATE_CAST = 1.5
"""Seconds after a death within which a cast on the dead came too late."""
CASTS_SHOWN, CASTS_WINDOW = 6, 10.0
"""Number of casts on the dying that are listed, and within how many seconds before the death."""
CASTS_ON = f"""
WITH {_DYING}
SELECT d.line, s.name, c.spell, c.ms, t.name FROM dying d
    JOIN ({casts(IN_PULLS)}) c ON c.fight = d.fight AND c.target = d.target
        AND c.ms BETWEEN d.ms - {int(1000 * CASTS_WINDOW)} AND d.ms + {int(1000 * LATE_CAST)}
    JOIN actors s ON s.id = c.source JOIN actors t ON t.id = d.target
WHERE s.kind = 'player' AND s.id <> t.id ORDER BY c.line
"""
CREDITED = """
SELECT e.target, e.ms, s.name FROM events e JOIN actors s ON s.id = e.source
    JOIN actors t ON t.id = e.target
WHERE e.event = 'PARTY_KILL' AND t.kind = 'player'
"""
CREDITED_WITHIN = 2_000
"""Milliseconds between a death and the line that credits somebody with it."""
UNNAMED_RULE = (
    "The killing blow is inferred: the log names no killer; it is the last hit with overkill,"
    " else the last hit, in the 5 s before."
)
BLOW_RULE = UNNAMED_RULE.replace(" the log names no killer;", "")
CREDITED_RULE = "credited_to: whom the log itself names as the killer; that is not inferred."

LOWEST = f"""
SELECT e.fight, t.id, t.name, round(100.0 * e.hp / e.hp_max, 1), e.ms, e.line,
    coalesce(e.spell, 'Melee'), coalesce(s.name, 'Environment'), e.amount
FROM events e JOIN actors t ON t.id = e.target LEFT JOIN actors s ON s.id = e.source
WHERE {IN_PULLS} AND e.event IN {HARM} AND e.info = e.target
    AND e.hp > 0 AND e.hp_max > 0 AND t.kind = 'player'
QUALIFY row_number() OVER (PARTITION BY e.fight, t.id ORDER BY e.hp / e.hp_max, e.line) = 1
ORDER BY 4, 3, 1
"""


SAVED = f"""
SELECT e.fight, t.id, t.name, e.extra_spell, e.ms, e.line, coalesce(e.spell, 'Melee'),
    coalesce(s.name, 'Environment'), e.amount
FROM events e JOIN actors t ON t.id = e.target LEFT JOIN actors s ON s.id = e.source
WHERE {IN_PULLS} AND e.event = 'SPELL_ABSORBED' AND e.extra_spell_id IN {SAVES}
    AND t.kind = 'player' ORDER BY e.line
"""
"""Blows that would have killed, had a talent or cooldown not taken them."""


@dataclass(frozen=True)
class Blow:
    """A hit or heal on a player who then died."""

    line: int
    ms: int
    heal: bool
    ability: str
    spell_id: int | None
    source: str
    amount: int
    over: int
    absorbed: int
    health: int | None
    """Health after it, if its line describes the player hit."""
    full: int | None


@dataclass(frozen=True)
class Death:
    """A player's death, with the preceding blows and the last effective heal."""

    line: int
    ms: int
    player: Player
    hits: tuple[Blow, ...]
    heals: tuple[Blow, ...]
    killing: Blow | None
    healed_ms: int | None
    healed_line: int | None

    @property
    def biggest(self) -> Blow | None:
        """The biggest hit in the window."""
        return max(self.hits, key=lambda hit: hit.amount, default=None)

    @property
    def burst(self) -> int:
        """Damage in the window."""
        return sum(hit.amount for hit in self.hits)

    @property
    def healing(self) -> int:
        """Effective healing in the window."""
        return sum(heal.amount - heal.over for heal in self.heals)

    @property
    def health_percent(self) -> float | None:
        """Health in percent before the killing blow; None if unknown.

        A blow's amount minus its overkill is the health that was left. Without overkill, or if the
        log states health as a percentage, it is the health after the preceding blow or heal, if
        that line has it.
        """
        seen = sorted((*self.hits, *self.heals), key=lambda blow: blow.line)
        full = next((blow.full for blow in reversed(seen) if blow.full), None)
        if self.killing is None or full is None:
            return None
        left: int | None = self.killing.amount - self.killing.over
        if self.killing.over <= 0 or full == 100:
            before = [blow for blow in seen if blow.line < self.killing.line]
            left = before[-1].health if before else None
        return None if left is None else round(100.0 * left / full, 1)

    @property
    def heal_gap(self) -> float | None:
        """Seconds since the last effective heal; None if there was none in the pull."""
        return None if self.healed_ms is None else round((self.ms - self.healed_ms) / 1000, 1)


def read_deaths(book: Book, pull: PullRow) -> list[Death]:
    """List the deaths of a pull in order."""
    return deaths_of(book, [pull])[pull.fight]


def deaths_of(book: Book, pulls: Sequence[PullRow]) -> dict[int, list[Death]]:
    """List the deaths of each of these pulls in order, by pull."""
    found: dict[int, list[Death]] = {pull.fight: [] for pull in pulls}
    if not pulls:
        return found
    scope = span(book.together(pulls))
    book.prepare(pulls)
    asked = {pull.fight: pull for pull in pulls}
    died = [row for row in book.ask(DEATHS, scope) if row[2] in found]
    blows: dict[int, list[Blow]] = {}
    for death, *blow in book.ask(BEFORE, scope) if died else []:
        blows.setdefault(death, []).append(Blow(*blow))
    for line, ms, fight, who, *healed in died:
        if who in book.players:
            player = book.played(who, asked[fight])
            death = _death(line, ms, player, blows.get(line, []), *healed)
            found[fight].append(death)
    return found


def _death(
    line: int, ms: int, player: Player, blows: list[Blow], healed: int | None, by: int | None
) -> Death:
    hits = tuple(blow for blow in blows if not blow.heal)
    fatal = [hit for hit in hits if hit.over > 0] or list(hits)
    return Death(
        line=line,
        ms=ms,
        player=player,
        hits=hits,
        heals=tuple(blow for blow in blows if blow.heal),
        killing=fatal[-1] if fatal else None,
        healed_ms=healed,
        healed_line=by,
    )


def first_of(pull: PullRow, deaths: Sequence[Death]) -> Row:
    """Describe how many died in a pull, and who first, when and of what."""
    first = deaths[0] if deaths else None
    return {
        "deaths": len(deaths),
        "first_death": first.player.name if first else None,
        "first_death_at": pull.at(first.ms) if first else None,
        "first_death_by": first.killing.ability if first and first.killing else None,
    }


def get_death_analysis(reports: Reports, args: OfFightPlayer) -> ToolOutcome:
    """List the deaths of a pull in order, each with what led to it."""
    book, pull, who = open_pull(reports, args)
    deaths = [d for d in read_deaths(book, pull) if not who or d.player.id == who]
    rows = [_row(book, pull, death) for death in deaths]
    credited = Credits.read(book)
    helped = _casts_on(book, pull) if deaths else {}
    for row, death in zip(rows, deaths, strict=True):
        row |= credited.of(death.player.id, death.ms)
        row["casts_on_them"] = [
            f"{spell} by {who} {abs(ms - death.ms) / 1000:.1f} s {'after' if late else 'before'}"
            for who, spell, ms in helped.get(death.line, ())[-CASTS_SHOWN:]
            for late in [ms > death.ms]
        ]
    named = any("credited_to" in row for row in rows)
    notes = [
        BLOW_RULE if named else UNNAMED_RULE,
        "Health in percent is what was left before the killing blow.",
        "Damage and healing are of those 5 s; the heal gap is the time since the last heal that"
        " did anything.",
        f"casts_on_them: casts of their own side on the dying, {CASTS_WINDOW:g} s before to"
        f" {LATE_CAST:g} s after the death, whether they did anything or not.",
        *([CREDITED_RULE] if named else []),
    ]
    if not rows:
        notes.append("No death of a player in this pull." if not who else "No such death here.")
    return book.tell(rows, pull=pull, lines=_lines(deaths, pull), notes=notes)


@dataclass(frozen=True)
class Credits:
    """Whom the log itself names as killers of players: of each, the victim and the time."""

    known: Sequence[tuple[int, int, str]]

    @classmethod
    def read(cls, book: Book) -> Credits:
        """Read them of a whole report."""
        return cls([(who, ms, by) for who, ms, by in book.ask(CREDITED)])

    def of(self, who: int, ms: int) -> Row:
        """Return the cell of a death; empty in a log that credits nobody."""
        near = (by for one, at, by in self.known if one == who and abs(at - ms) <= CREDITED_WITHIN)
        return {"credited_to": next(near, None)} if self.known else {}


def _casts_on(book: Book, pull: PullRow) -> dict[int, list[tuple[str, str, int]]]:
    """List what their own side cast on the dying before and just after, by the death's line."""
    sides = Sides.read(book, [pull])
    found: dict[int, list[tuple[str, str, int]]] = {}
    for death, who, spell, ms, whom in book.ask(CASTS_ON, span(book.together([pull]))):
        if sides.of(pull.fight, who) == sides.of(pull.fight, whom):
            found.setdefault(death, []).append((who, spell, ms))
    return found


def _lines(deaths: list[Death], pull: PullRow) -> list[tuple[int, int]]:
    ranges = []
    for death in deaths:
        seen = [blow.line for blow in (*death.hits, *death.heals)]
        ranges.append((min(seen, default=death.line), death.line))
        ranges += [(death.healed_line, death.healed_line)] if death.healed_line else []
    return ranges or [(pull.first, pull.last)]


def _row(book: Book, pull: PullRow, death: Death) -> Row:
    blow, biggest = death.killing, death.biggest
    return {
        "player": death.player.name,
        "class": death.player.class_,
        "role": death.player.role,
        "at": pull.at(death.ms),
        "clock": book.clock(death.ms),
        "killer": blow.source if blow else None,
        "ability": blow.ability if blow else None,
        "biggest_hit": biggest.amount if biggest else None,
        "biggest_ability": biggest.ability if biggest else None,
        "biggest_from": biggest.source if biggest else None,
        "biggest_at": pull.at(biggest.ms) if biggest else None,
        "spell_id": blow.spell_id if blow else None,
        "amount": blow.amount if blow else None,
        "overkill": max(blow.over, 0) if blow else None,
        "damage_taken": death.burst,
        "healing": death.healing,
        "heal_gap_seconds": death.heal_gap,
        "health_percent": death.health_percent,
        "window_seconds": WINDOW,
        "inferred": True,
        "last_hits": _told(death),
        "line": death.line,
    }


def _told(death: Death) -> Cell:
    told = sorted((*death.hits, *death.heals), key=lambda blow: blow.line)[-SHOWN_HITS:]
    return [
        f"{(blow.ms - death.ms) / 1000:+.1f} s {blow.source}: {blow.ability}"
        f" {'+' if blow.heal else '-'}{blow.amount - (blow.over if blow.heal else 0)}"
        for blow in told
    ]


def get_lowest_health(reports: Reports, args: OfPullsPlayer) -> ToolOutcome:
    """Find the lowest health of each player in each pull, lowest first, and who was saved."""
    book = open_book(reports, args.report_code)
    pulls = {pull.fight: pull for pull in book.some(args.fights)}
    who = book.player(args.player_name).id if args.player_name else 0
    died = deaths_of(book, [*pulls.values()])
    rows: list[Row] = [
        {
            "player": name,
            "fight": fight,
            "lowest_health_percent": percent,
            "at": pulls[fight].at(ms),
            "clock": book.clock(ms),
            "ability": ability,
            "source": source,
            "amount": amount,
            "died": any(death.player.id == player for death in died[fight]),
            "line": line,
        }
        for fight, player, name, percent, ms, line, ability, source, amount in book.ask(
            LOWEST, span([*pulls.values()])
        )
        if player in book.players and who in (0, player)
    ]
    rows += [
        {
            "player": name,
            "fight": fight,
            "saved_by": by,
            "at": pulls[fight].at(ms),
            "clock": book.clock(ms),
            "ability": ability,
            "source": source,
            "absorbed": amount,
            "line": line,
        }
        for fight, player, name, by, ms, line, ability, source, amount in book.ask(
            SAVED, span([*pulls.values()])
        )
        if who in (0, player)
    ]
    notes = ["Health is what was left right after a hit; between hits it may have been lower."]
    if any("saved_by" in row for row in rows):
        notes.append(SAVED_RULE)
    if not rows:
        notes = [NO_HEALTH]
    only = next(iter(pulls.values())) if len(pulls) == 1 else None
    return book.tell(rows, pull=only, notes=notes, unknown=True)


SAVED_RULE = (
    "saved_by: the blow would have killed; absorbed is what was taken of it, not how big it was."
)
NO_HEALTH = "Nobody's health is in these lines: they are of no advanced log, or nobody was hit."


def get_tank_death_anatomy(reports: Reports, args: OfFightPlayer) -> ToolOutcome:
    """Classify the deaths of tanks: burst, gap in healing, or worn down."""
    book, pull, who = open_pull(reports, args)
    died = read_deaths(book, pull)
    deaths = [d for d in died if (d.player.id == who if who else d.player.role == "tank")]
    rows = [_anatomy(book, pull, death) for death in deaths]
    notes = [
        f"Window: the {WINDOW:g} s before the death. 'gap in heals': no heal that did anything for"
        f" {HEAL_GAP:g} s or more. 'burst': {BURST_SHARE:.0%} of the window's damage within 2 s."
        " Otherwise 'worn down'. The verdict is inferred.",
        "Roles come from talents or spells; threat is not in a log.",
    ]
    if not rows:
        notes.append("No tank died in this pull." if not who else "No such death in this pull.")
    return book.tell(rows, pull=pull, lines=_lines(deaths, pull), notes=notes)


def verdict(death: Death) -> str:
    """Classify a death by its window."""
    gap = death.heal_gap
    if gap is None and not death.hits:
        return "of what is not in the log"
    last_two = sum(hit.amount for hit in death.hits if hit.ms >= death.ms - 2000)
    if gap is None or gap >= HEAL_GAP:
        return "gap in heals"
    return "burst" if death.burst and last_two / death.burst >= BURST_SHARE else "worn down"


def _anatomy(book: Book, pull: PullRow, death: Death) -> Row:
    biggest = death.biggest
    return {
        "player": death.player.name,
        "class": death.player.class_,
        "role": death.player.role,
        "at": pull.at(death.ms),
        "clock": book.clock(death.ms),
        "verdict": verdict(death),
        "killer": death.killing.source if death.killing else None,
        "ability": death.killing.ability if death.killing else None,
        "damage_taken": death.burst,
        "hits": len(death.hits),
        "biggest_hit": biggest.amount if biggest else 0,
        "biggest_ability": biggest.ability if biggest else None,
        "healing": death.healing,
        "heals": len(death.heals),
        "heal_gap_seconds": death.heal_gap,
        "window_seconds": WINDOW,
        "inferred": True,
        "line": death.line,
    }
