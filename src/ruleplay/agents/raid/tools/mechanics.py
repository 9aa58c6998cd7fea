"""Handling of boss mechanics: avoidable damage, interrupts, dispels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ruleplay.agents.raid.adapters.reports import Reports
from ruleplay.agents.raid.domain.arguments import OfFightPlayer
from ruleplay.agents.raid.domain.reference import tables
from ruleplay.agents.raid.domain.reference.tables import BossSpell
from ruleplay.agents.raid.domain.tool_result import Cell, Row, ToolOutcome
from ruleplay.agents.raid.tools.auras import Stretch, read_stretches
from ruleplay.agents.raid.tools.book import HARM, IN_PULL, Book, spread
from ruleplay.agents.raid.tools.cells import whole
from ruleplay.agents.raid.tools.deaths import read_deaths
from ruleplay.agents.raid.tools.library import open_pull
from ruleplay.agents.raid.tools.pulls import PullRow

ALL = "(all)"
INFERRED = (
    "No avoidable ability of this boss is in the reference tables; told is what hit few of those"
    " who are no tanks, so that it could perhaps be avoided (inferred)."
    " Whether what hit more of them can be avoided is unknown: no source says."
)
HAZARDS = (
    "The environment is in it: lava, slime, fire; falls where few fell, for many fall when a boss"
    " throws them."
)


def spells_of(pull: PullRow, *kinds: str) -> dict[int, BossSpell]:
    """Select the encounter's spells of some kinds, by id."""
    return {
        spell.spell_id: spell
        for spell in tables.boss_spells()
        if spell.encounter_id == pull.encounter_id and spell.kind in kinds
    }


def coverage(pull: PullRow, known: dict[int, BossSpell], what: str) -> str:
    """State which spells a tool considered, or that it knows none of this boss."""
    if not known:
        return f"No {what} of {pull.name} is in the reference tables: nothing can be said of them."
    names = ", ".join(sorted({spell.name for spell in known.values()}))
    return f"Looked at: {names}. Others of {pull.name} are not in the reference tables."


AVOIDABLE = f"""
SELECT t.name AS player, e.spell_id, any_value(e.spell) AS ability, sum(e.amount) AS damage_taken,
    count(*) AS hits, CAST(round((min(e.ms) - $start) / 1000.0, 1) AS DOUBLE) AS first_at
FROM events e JOIN actors t ON t.id = e.target LEFT JOIN actors s ON s.id = e.source
WHERE {IN_PULL} AND e.counts AND e.event IN {HARM} AND t.kind = 'player'
    AND (list_contains($spells, e.spell_id) OR e.event = 'ENVIRONMENTAL_DAMAGE'
        AND ($falls OR lower(e.spell) <> 'falling'))
    AND ($player = 0 OR e.target = $player)
GROUP BY t.name, e.spell_id, e.spell
ORDER BY sum(sum(e.amount)) OVER (PARTITION BY t.name) DESC, player, damage_taken DESC, ability
"""


FEW = 3
"""Of the players who are no tanks, at most one in this many is hit by avoidable damage."""
# What lies on the ground has no source in newer logs; what players cast on themselves has one.
STRUCK = f"""
SELECT e.spell_id, any_value(e.spell), count(DISTINCT e.target) FROM events e
LEFT JOIN actors s ON s.id = e.source JOIN actors t ON t.id = e.target
WHERE {IN_PULL} AND e.counts AND e.event IN {HARM} AND e.spell_id > 0 AND e.amount > 0
    AND (s.kind <> 'player' AND NOT s.friendly OR s.id IS NULL AND e.spell NOT IN (
        SELECT c.spell FROM events c JOIN actors p ON p.id = c.source
        WHERE (p.friendly OR p.kind = 'player') AND c.spell IS NOT NULL))
    AND NOT list_contains($tanks, e.target) AND t.kind = 'player' GROUP BY e.spell_id
"""


FELL = f"""
SELECT count(DISTINCT e.target) FROM events e JOIN actors t ON t.id = e.target
WHERE {IN_PULL} AND e.counts AND e.event = 'ENVIRONMENTAL_DAMAGE' AND t.kind = 'player'
    AND lower(e.spell) = 'falling'
"""


def get_avoidable_damage(reports: Reports, args: OfFightPlayer) -> ToolOutcome:
    """List who took avoidable damage, from what, and who died of it.

    If the tables do not know the boss, spells that hit few players are listed, marked as inferred.
    """
    book, pull, player = open_pull(reports, args)
    known = spells_of(pull, "avoidable")
    advice = {spell_id: spell.detail for spell_id, spell in known.items()}
    about = coverage(pull, known, "avoidable ability")
    if not known:
        advice = dict.fromkeys(_rarely_hit(book, pull), "")
        about = INFERRED if advice else about
    found = _taken_of(book, pull, advice, player)
    rows = with_sums(found, "ability", "damage_taken", "hits", "deaths")
    absorbed = "What was absorbed is not in it. Deaths: the inferred killing blow was that ability."
    hazards = (HAZARDS,) if any(not row["spell_id"] for row in found) else ()
    return book.tell(rows, pull=pull, notes=(about, absorbed, *hazards), unknown=not advice)


def _rarely_hit(book: Book, pull: PullRow) -> list[int]:
    """Find enemy spells that hit players other than tanks, but only few of them."""
    present = book.taking_part(pull)
    tanks = [player.id for player in present if player.role == "tank"]
    most = (len(present) - len(tanks)) // FEW
    struck = book.ask(STRUCK, pull.scope | {"tanks": tanks})
    # A player chosen by the boss for a hold could not have moved away.
    holds = tables.spell_names()["holds"]
    return [one for one, spell, players in struck if players <= most and spell not in holds]


def _few_fell(book: Book, pull: PullRow) -> bool:
    fell = book.ask(FELL, pull.scope)[0][0]
    return bool(fell <= len(book.taking_part(pull)) // FEW)


def avoidable(book: Book, pull: PullRow) -> list[Row]:
    """List avoidable damage by player and ability, the most per player first."""
    known = spells_of(pull, "avoidable")
    return _taken_of(book, pull, {spell_id: spell.detail for spell_id, spell in known.items()})


def _taken_of(book: Book, pull: PullRow, advice: Mapping[int, str], player: int = 0) -> list[Row]:
    """List the damage of these spells and of the environment; `advice` gives the remedies."""
    given = {"spells": sorted(advice), "player": player, "falls": _few_fell(book, pull)}
    rows = book.rows(AVOIDABLE, pull.scope | given)
    killed = [(d.player.name, d.killing.ability) for d in read_deaths(book, pull) if d.killing]
    for row in rows:
        row["deaths"] = killed.count((str(row["player"]), str(row["ability"])))
        row["advice"] = advice.get(whole(row["spell_id"]), "")
    return rows


def with_sums(rows: list[Row], aspect: str, *columns: str) -> list[Row]:
    """Insert a row of totals before each player's rows, with aspect '(all)'."""
    sums: dict[str, Row] = {}
    for row in rows:
        total = sums.setdefault(str(row["player"]), {"player": row["player"], aspect: ALL})
        for column in columns:
            total[column] = whole(total.get(column)) + whole(row[column])
    told: list[Row] = []
    for name, total in sums.items():
        told += [total, *(row for row in rows if row["player"] == name)]
    return told


@dataclass
class EnemyCast:
    """An enemy's interruptible cast, and how it ended; `cut_ms` is when it was interrupted."""

    spell_id: int
    spell: str
    caster: int
    name: str
    ms: int
    line: int
    outcome: str = "went through"
    by: str = ""
    with_: str = ""
    cut_ms: int = 0
    lines: list[int] = field(default_factory=list)


ENEMY_CASTS = f"""
SELECT e.event, e.line, e.ms, e.source, e.target, e.spell_id, e.spell, e.extra_spell_id,
    e.extra_spell, coalesce(CASE WHEN e.event = 'SPELL_INTERRUPT' THEN o.name END, s.name, ''),
    coalesce(t.name, ''), coalesce(o.kind, s.kind) = 'player' AS by_player
FROM events e LEFT JOIN actors s ON s.id = e.source LEFT JOIN actors t ON t.id = e.target
    LEFT JOIN actors o ON o.id = e.owner
WHERE {IN_PULL} AND (
    (e.event IN ('SPELL_CAST_START', 'SPELL_CAST_SUCCESS')
        AND (s.kind <> 'player' OR NOT s.friendly) AND list_contains($spells, e.spell_id))
    OR e.event = 'SPELL_INTERRUPT'
    OR (e.event = 'UNIT_DIED' AND (t.kind <> 'player' OR NOT t.friendly)))
ORDER BY e.line
"""
CUT = """
SELECT DISTINCT e.extra_spell_id, e.extra_spell FROM events e JOIN actors t ON t.id = e.target
WHERE e.event = 'SPELL_INTERRUPT' AND e.extra_spell_id > 0 AND NOT t.friendly
"""
BEGUN = f"""
SELECT e.spell AS ability, e.spell_id, s.name AS caster, count(*) AS casts, list(e.line) AS lines
FROM events e JOIN actors s ON s.id = e.source
WHERE {IN_PULL} AND e.event = 'SPELL_CAST_START' AND s.kind <> 'player' AND NOT s.friendly
    AND NOT list_contains($spells, e.spell_id)
GROUP BY ALL ORDER BY casts DESC, ability
"""


def interruptible(book: Book, pull: PullRow) -> dict[int, BossSpell]:
    """Select interruptible spells: known ones, and ones interrupted in this report."""
    encounter = pull.encounter_id or 0
    cut = {
        spell_id: BossSpell(
            encounter_id=encounter,
            spell_id=spell_id,
            name=name or "",
            kind="interruptible",
            source="logs",
        )
        for spell_id, name in book.ask(CUT)
    }
    return cut | spells_of(pull, "interruptible")


def read_casts(book: Book, pull: PullRow, spells: dict[int, BossSpell]) -> list[EnemyCast]:
    """List the started casts of these and of all interrupted spells, with their outcomes.

    Casters are creatures and, in a match, the players of the other side.
    A cast ends with an interrupt, its success, its caster's death, or its caster's next cast.
    """
    casting = _Casting()
    for row in book.ask(ENEMY_CASTS, pull.scope | {"spells": sorted(spells)}):
        event, line, ms, source, target, spell_id, spell, extra_id, extra, by, name, by_player = row
        if event == "SPELL_CAST_START":
            casting.begin(EnemyCast(spell_id, spell, source, by, ms, line, lines=[line]))
        elif event == "SPELL_CAST_SUCCESS":
            casting.succeed(EnemyCast(spell_id, spell, source, by, ms, line, lines=[line]))
        elif event == "UNIT_DIED":
            casting.stop(target)
        elif by_player is not False:
            cut = EnemyCast(extra_id, extra, target, name, ms, line, "interrupted", by, spell)
            casting.interrupt(cut)
    for caster in tuple(casting.open):
        casting.stop(caster)
    return casting.found


@dataclass
class _Casting:
    """The casts so far, and which of them each enemy has in progress.

    The success of a channelled spell is logged when it begins; it may be interrupted afterwards.
    """

    found: list[EnemyCast] = field(default_factory=list)
    open: dict[int, EnemyCast] = field(default_factory=dict)
    channels: dict[int, EnemyCast] = field(default_factory=dict)

    def begin(self, cast: EnemyCast) -> None:
        self.stop(cast.caster)
        self.channels.pop(cast.caster, None)
        self.open[cast.caster] = cast
        self.found.append(cast)

    def succeed(self, cast: EnemyCast) -> None:
        begun = self.open.pop(cast.caster, None)
        if begun is not None and begun.spell_id != cast.spell_id:
            begun.outcome = "stopped"
            return
        if begun is None:
            self.found.append(cast)
        else:
            begun.lines += cast.lines
        self.channels[cast.caster] = begun or cast

    def stop(self, caster: int) -> None:
        if (begun := self.open.pop(caster, None)) is not None:
            begun.outcome = "stopped"

    def interrupt(self, cut: EnemyCast) -> None:
        begun = self.open.pop(cut.caster, None) or self.channels.pop(cut.caster, None)
        cut.cut_ms = cut.ms
        if begun is None or begun.spell_id != cut.spell_id:
            cut.lines.append(cut.line)
            self.found.append(cut)
            return
        begun.outcome, begun.by, begun.with_ = cut.outcome, cut.by, cut.with_
        begun.cut_ms = cut.ms
        begun.lines.append(cut.line)


def get_missed_interrupts(reports: Reports, args: OfFightPlayer) -> ToolOutcome:
    """List interruptible casts by spell, then each player's interrupts."""
    book, pull, _ = open_pull(reports, args)
    who = args.player_name and book.player(args.player_name).name
    known = interruptible(book, pull)
    casts = read_casts(book, pull, known)
    rows = [] if who else by_spell(pull, casts, known)
    rows += _by_player(pull, casts, str(who))
    begun = [] if who else book.ask(BEGUN, pull.scope | {"spells": sorted(known)})
    lines = spread(
        [*(line for one in casts for line in one.lines), *(n for *_, own in begun for n in own)]
    )
    kind = "not known to be interruptible"
    rows += [
        {"ability": spell, "spell_id": id_, "caster": by, "casts": count, "kind": kind}
        for spell, id_, by, count, _ in begun
    ]
    notes = (
        _covered(pull, known),
        "A cast that begins and neither is interrupted nor ends with its caster's death or next"
        " cast went through; that is a missed interrupt. What is cast at once, without a cast time,"
        " is not counted here.",
        "An interrupted cast may have acted before, as channels do: on whom, tally of taken or of"
        " uptime by cast says of the ability.",
    )
    return book.tell(rows, pull=pull, lines=lines or None, notes=notes, unknown=not known)


def _covered(pull: PullRow, known: Mapping[int, BossSpell]) -> str:
    """State which spells count as interruptible."""
    listed = dict(spells_of(pull, "interruptible"))
    if not listed:
        seen = "those that were interrupted in this report" if known else "none is known"
        return (
            f"No interruptible spell of {pull.name} is in the reference tables; counted as such:"
            f" {seen}. Whether other casts can be interrupted, the log does not tell."
        )
    return coverage(pull, listed, "interruptible spell")


def by_spell(pull: PullRow, casts: list[EnemyCast], known: dict[int, BossSpell]) -> list[Row]:
    """Group casts by spell, most missed first."""
    grouped: dict[tuple[int, str], list[EnemyCast]] = {}
    for cast in casts:
        grouped.setdefault((cast.spell_id, cast.name), []).append(cast)
    rows: list[Row] = []
    for (spell_id, caster), group in grouped.items():
        missed = [cast for cast in group if cast.outcome == "went through"]
        stopped = [cast for cast in group if cast.outcome == "interrupted"]
        rows.append(
            {
                "ability": group[0].spell,
                "spell_id": spell_id,
                "caster": caster,
                "casts": len(group),
                "interrupted": len(stopped),
                "missed": len(missed) if spell_id in known else 0,
                "missed_at": [pull.at(c.ms) for c in missed] if spell_id in known else [],
                "interrupted_by": [*sorted({c.by for c in stopped})],
            }
        )
    return sorted(rows, key=lambda row: (-whole(row["missed"]), str(row["ability"])))


def _by_player(pull: PullRow, casts: list[EnemyCast], who: str) -> list[Row]:
    made: dict[tuple[str, int], list[EnemyCast]] = {}
    for cast in casts:
        if cast.outcome == "interrupted" and (not who or cast.by == who):
            made.setdefault((cast.by, cast.spell_id), []).append(cast)
    return [
        {
            "player": player,
            "ability": group[0].spell,
            "spell_id": spell_id,
            "interrupts": len(group),
            "with": group[0].with_,
            "at": [pull.at(cast.cut_ms) for cast in group],
        }
        for (player, spell_id), group in sorted(made.items(), key=lambda one: -len(one[1]))
    ]


DISPELS = f"""
WITH kinds AS (
    SELECT spell_id, min(aura_type) AS kind FROM events
    WHERE {IN_PULL} AND event = 'SPELL_AURA_APPLIED' GROUP BY spell_id
    HAVING count(DISTINCT aura_type) = 1
)
SELECT s.name AS player, e.extra_spell AS aura, e.extra_spell_id AS spell_id,
    coalesce(k.kind, e.aura_type) AS aura_type,
    count(*) AS dispels, any_value(e.spell) AS with_spell,
    list(DISTINCT t.name ORDER BY t.name) AS targets,
    list(CAST(round((e.ms - $start) / 1000.0, 1) AS DOUBLE) ORDER BY e.line) AS "at",
    list(e.line ORDER BY e.line) AS lines
FROM events e JOIN actors s ON s.id = coalesce(e.owner, e.source)
    LEFT JOIN actors t ON t.id = e.target LEFT JOIN kinds k ON k.spell_id = e.extra_spell_id
WHERE {IN_PULL} AND e.event IN ('SPELL_DISPEL', 'SPELL_STOLEN') AND s.kind = 'player'
    AND ($player = 0 OR coalesce(e.owner, e.source) = $player)
GROUP BY s.name, e.extra_spell, e.extra_spell_id, 4
ORDER BY sum(count(*)) OVER (PARTITION BY s.name) DESC, player, dispels DESC, aura, spell_id, 4
"""


DISPELLED_AFTER = 15_000
"""Milliseconds after a pull within which the dispel of one of its auras is told with it."""
# What was still dispelled as the pull ended, and what could not be: the copy of a pull's events
# ends with it. A boss's last volley may leave its debuff only after its death.
BESIDE_DISPELS = f"""
SELECT s.name AS player, e.extra_spell AS aura, e.extra_spell_id AS spell_id,
    e.spell AS "with", t.name AS targets, e.event = 'SPELL_DISPEL_FAILED' AS failed,
    CAST(round((e.ms - $start) / 1000.0, 1) AS DOUBLE) AS tried_at, e.line
FROM main.events e JOIN actors s ON s.id = coalesce(e.owner, e.source)
    LEFT JOIN actors t ON t.id = e.target
WHERE s.kind = 'player' AND ($player = 0 OR s.id = $player)
    AND ((line BETWEEN $first AND $last AND fight = $fight AND e.event = 'SPELL_DISPEL_FAILED')
        OR (e.fight IS NULL AND e.line > $last AND e.ms <= $end + {DISPELLED_AFTER}
            AND e.event IN ('SPELL_DISPEL', 'SPELL_STOLEN') AND e.extra_spell_id IN (
                SELECT spell_id FROM main.events WHERE {IN_PULL})))
ORDER BY e.line
"""
AFTER_RULE = (
    "What was dispelled just after the pull's end, of spells that it had, is marked so and in no"
    " other sum."
)


def _beside(book: Book, pull: PullRow, player: int) -> list[Row]:
    """List dispels that failed, and those of the pull's auras just after its end."""
    rows = book.rows(BESIDE_DISPELS, pull.scope | {"player": player})
    return [
        {name: cell for name, cell in row.items() if name != "failed"}
        | {"outcome": "failed" if row["failed"] else "just after the end"}
        for row in rows
    ]


def get_dispel_report(reports: Reports, args: OfFightPlayer) -> ToolOutcome:
    """List dispels by player and aura, then how long each dispellable debuff lasted."""
    book, pull, player = open_pull(reports, args)
    rows = book.rows(DISPELS, pull.scope | {"player": player})
    lines = [line for row in rows for line in _lines(row)]
    for row in rows:
        row["with"] = row.pop("with_spell")
        del row["lines"]
    beside = _beside(book, pull, player)
    lines += [whole(row["line"]) for row in beside]
    known = spells_of(pull, "dispellable")
    dispelled = {whole(row["spell_id"]) for row in rows if row["aura_type"] == "DEBUFF"}
    dispelled |= {whole(row["spell_id"]) for row in beside}
    spells = sorted(set(known) | dispelled)
    stayed = read_stretches(book, pull, spells, on_players=True) if spells else []
    told = with_sums(rows, "aura", "dispels")
    late = [row | {"dispels": 1} for row in beside if row["outcome"] != "failed"]
    rows = told + ([] if player else _stayed(stayed, [*rows, *late])) + beside
    lines += [line for one in stayed for line in one.lines]
    notes = (
        coverage(pull, known, "dispellable debuff"),
        "How long a debuff stayed: from its application to its end, by whatever ended it.",
        *([AFTER_RULE] if late else []),
    )
    return book.tell(rows, pull=pull, lines=spread(lines) or None, notes=notes)


def _lines(row: Row) -> list[int]:
    cell = row["lines"]
    return [line for line in cell if isinstance(line, int)] if isinstance(cell, list) else []


def _stayed(stretches: list[Stretch], dispels: list[Row]) -> list[Row]:
    taken: dict[Cell, int] = {}
    for row in dispels:
        taken[row["spell_id"]] = taken.get(row["spell_id"], 0) + whole(row["dispels"])
    grouped: dict[int, list[Stretch]] = {}
    for one in stretches:
        grouped.setdefault(one.spell_id, []).append(one)
    return [
        {
            "aura": group[0].spell,
            "spell_id": spell_id,
            "applied": len(group),
            "removed": taken.get(spell_id, 0),
            "average_seconds": round(sum(one.seconds for one in group) / len(group), 1),
            "longest_seconds": round(max(one.seconds for one in group), 1),
            "longest_on": max(group, key=lambda one: one.seconds).target,
        }
        for spell_id, group in sorted(grouped.items())
    ]
