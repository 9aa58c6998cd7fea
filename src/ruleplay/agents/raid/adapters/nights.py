"""The agent's access to the imported reports, each viewed as a night."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ruleplay.agents.raid.adapters.report_files import Manifest, outdated
from ruleplay.agents.raid.adapters.reports import Report, Reports, open_reports
from ruleplay.agents.raid.domain.classes import is_healing
from ruleplay.agents.raid.domain.encounters import level_of
from ruleplay.agents.raid.domain.floors import FLOOR_LINES, floors_of
from ruleplay.agents.raid.domain.guids import FRIENDLY
from ruleplay.agents.raid.domain.omissions import words_left_out
from ruleplay.agents.raid.domain.overview import (
    Member,
    Night,
    Overview,
    PullSummary,
    fold,
    words,
)
from ruleplay.agents.raid.domain.overview import Report as Listed
from ruleplay.agents.raid.domain.reference.tables import Specialization, encounters, specializations
from ruleplay.agents.raid.domain.spelling import named_abilities, named_creatures
from ruleplay.agents.raid.domain.subjects import find_bosses

LISTED = 60
"""Number of reports in an overview, newest first."""
PULLS = (
    "SELECT e.fight, e.name, e.kill, e.ended, e.start_ms, e.end_ms, e.boss_hp, e.players,"
    " e.encounter_id, e.difficulty, r.level FROM encounters e LEFT JOIN runs r USING (run)"
    " ORDER BY e.fight"
)
DEEDS = (
    "SELECT EXISTS(FROM events WHERE ends_with(event, '_DAMAGE') OR ends_with(event, '_HEAL')"
    " OR contains(event, '_CAST_'))"
)
"""Whether a log tells of any damage, healing or cast."""
_LISTED = "2."
"""Client versions whose consumables and cooldowns the tables cover begin with this."""
SPELLS = (
    "SELECT spell, count(*) FROM events WHERE spell IS NOT NULL GROUP BY spell"
    " UNION ALL SELECT extra_spell, count(*) FROM events WHERE extra_spell IS NOT NULL GROUP BY ALL"
)
UNTOLD = (
    "SELECT EXISTS(FROM encounters WHERE kind = 'arena')"
    " AND NOT EXISTS(FROM events WHERE event = 'ARENA_MATCH_END')"
)
"""Whether a log has arenas and no line of how one ended."""
ACTORS = "SELECT DISTINCT name FROM actors WHERE name IS NOT NULL"
MEMBERS = (
    "SELECT name, coalesce(class, ''), coalesce(spec, ''), coalesce(role, ''), friendly,"
    " (SELECT list(DISTINCT fight ORDER BY fight) FROM combatants WHERE actor = id),"
    " (SELECT CASE WHEN count(DISTINCT faction) = 1 THEN min(faction) END FROM combatants"
    " WHERE actor = id AND fight IN (SELECT fight FROM encounters WHERE kind = 'arena'))"
    " FROM actors"
    " WHERE kind = 'player' AND (friendly"
    " OR EXISTS (SELECT 1 FROM encounters WHERE kind <> 'boss')) ORDER BY name"
)
"""The participants; in matches between players, the opponents as well."""
FOUGHT = """
SELECT a.name, list(DISTINCT fight ORDER BY fight) FROM (
    SELECT DISTINCT fight, unnest([source, target]) AS id FROM events
    WHERE event LIKE '%DAMAGE' AND fight IN (SELECT fight FROM encounters WHERE kind <> 'boss')
) JOIN actors a USING (id) WHERE a.kind = 'player' GROUP BY ALL
"""
"""The matches in which each player hit somebody or was hit."""
SIDES = f"""
SELECT fight, a.name, arg_min((flags & {FRIENDLY}) > 0, line) FROM (
    SELECT fight, line, source AS id, source_flags AS flags FROM events
    UNION ALL SELECT fight, line, target, target_flags FROM events
) JOIN actors a USING (id)
WHERE a.kind = 'player' AND fight IN (SELECT fight FROM encounters WHERE kind <> 'boss')
GROUP BY fight, a.name ORDER BY fight, a.name
"""
"""The players of each match, and whether they were on the logger's side in it."""
FEW = 10
"""Maximum number of players of a match that are listed by side: those of an arena."""
PLAYED = """
WITH acts AS (SELECT fight, source, target, event, amount FROM events
    WHERE fight IS NOT NULL AND counts AND NOT coalesce(apart AND event NOT LIKE '%HEAL', false)),
done AS (SELECT source AS id, fight,
    coalesce(sum(amount) FILTER (event LIKE '%HEAL' AND target <> source), 0) AS healed,
    coalesce(sum(amount) FILTER (event LIKE '%HEAL'), 0) AS mended,
    coalesce(sum(amount) FILTER (event LIKE '%DAMAGE'), 0) AS harmed FROM acts GROUP BY ALL),
swung AS (SELECT target AS id, fight, count(*) AS swings FROM acts
    WHERE event IN ('SWING_DAMAGE', 'SWING_MISSED')
        AND source IN (SELECT id FROM actors WHERE kind = 'npc') GROUP BY ALL)
SELECT a.name, coalesce(a.class, ''), coalesce(a.spec, ''), fight, coalesce(healed, 0),
    coalesce(mended, 0), coalesce(harmed, 0), coalesce(swings, 0)
FROM actors a JOIN (SELECT * FROM done FULL JOIN swung USING (id, fight)) USING (id)
WHERE a.kind = 'player'
    AND (a.friendly OR EXISTS (SELECT 1 FROM encounters WHERE kind <> 'boss'))
    AND NOT EXISTS (SELECT 1 FROM combatants WHERE spec_id > 0)
ORDER BY fight, a.name
"""
"""Per player and pull: healing, damage, swings received; only for logs that name no specs."""
SPECS = """
SELECT a.name, c.fight, c.spec_id FROM combatants c JOIN actors a ON a.id = c.actor
WHERE c.spec_id > 0 ORDER BY c.line
"""
"""Each player's specialisation per pull, as far as the log states it."""
TANKED, TANKED_LEAST = 0.2, 8
"""Share of the swings at players that makes a tank, and the minimum number of swings."""


@dataclass(frozen=True)
class Nights:
    """The report store as a conversation sees it; safe to use from several threads."""

    reports: Reports

    def overview(self, message: str, code: str) -> Overview:
        """Collect the reports and the night meant: named in the message, in focus, or the newest.

        NotFound lists the existing reports if the one in focus no longer exists.
        """
        found = self.reports.all()[:LISTED]
        codes = [one.code for one in found]
        said = set(re.findall(r"[\w-]+", message.casefold()))
        named = next((one for one in codes if one.casefold() in said), "")
        chosen = named or code or next(iter(codes), "")
        night = look_at(self.reports.open(chosen)) if chosen else None
        if night and not named and not code:
            night = self._with_boss(message, night, found)
        if night:
            called = self._pets_named(message, night)
            abilities = tuple(dict.fromkeys((*self._abilities(message, night), *called)))
            here = _named_words(self.reports, night.code) & {*words(fold(message))}
            pets = _pets(self.reports, night.code) if words_left_out(message) else called
            foes = named_creatures(message, _creatures(self.reports, night.code))
            told = {"abilities": abilities, "names": here, "pets": pets, "creatures": foes}
            night = night.model_copy(update=told)
        return Overview(reports=tuple(map(_listed, found)), night=night)

    def _abilities(self, message: str, night: Night) -> tuple[str, ...]:
        """Find the abilities of a night's log that a message names, the longest names first."""
        return named_abilities(message, night, _spells(self.reports, night.code))

    def _pets_named(self, message: str, night: Night) -> tuple[str, ...]:
        """Find pets that a message names; they are treated like abilities."""
        said = f" {' '.join(words(fold(message)))} "
        pets = (name for name in _pets(self.reports, night.code) if len(name) > SHORTEST_PET)
        return tuple(name for name in pets if f" {' '.join(words(fold(name)))} " in said)

    def _with_boss(self, message: str, night: Night, others: Sequence[Manifest]) -> Night:
        """Switch to the newest night with the boss that the message names and this night lacks."""
        bosses, missing = find_bosses(message, night)
        if bosses or not missing:
            return night
        for one in others:
            if set(missing) & {*one.bosses}:
                return look_at(self.reports.open(one.code))
        return night

    def night(self, code: str) -> Night:
        """Get a report as a night; NotFound lists the existing ones."""
        return look_at(self.reports.open(code))

    def raw_lines(self, code: str, first: int, last: int) -> list[str]:
        """Get raw lines of a report's log; ranges beyond its end are truncated."""
        report = self.reports.open(code)
        return report.raw_lines(first, min(last, report.lines)) if first <= report.lines else []


@lru_cache(maxsize=8)
def _spells(reports: Reports, code: str) -> dict[str, int]:
    """Count all ability names in a report's log."""
    return {str(row[0]): _number(row[1]) for row in reports.open(code).query(SPELLS)[1]}


SHORTEST_PET = 3
"""Minimum length that a pet's name must exceed to be recognised in a message."""
_PETS = """
SELECT DISTINCT name FROM actors WHERE name IS NOT NULL
    AND (owner IS NOT NULL OR kind IN ('pet', 'guardian') AND friendly) ORDER BY 1
"""


@lru_cache(maxsize=8)
def _pets(reports: Reports, code: str) -> tuple[str, ...]:
    """List the names of all pets, guardians and totems in a report's log."""
    return tuple(str(row[0]) for row in reports.open(code).query(_PETS)[1])


_FOES = """
SELECT DISTINCT name FROM actors WHERE name IS NOT NULL AND kind = 'npc' AND NOT friendly
    AND id NOT IN (SELECT unnest(bosses) FROM encounters) ORDER BY 1
"""


@lru_cache(maxsize=8)
def _creatures(reports: Reports, code: str) -> tuple[str, ...]:
    """List the names of all hostile non-boss creatures in a report's log."""
    return tuple(str(row[0]) for row in reports.open(code).query(_FOES)[1])


@lru_cache(maxsize=8)
def _named_words(reports: Reports, code: str) -> frozenset[str]:
    """Collect the words of all names in a report's log: abilities, players, pets and creatures."""
    actors = [str(row[0]) for row in reports.open(code).query(ACTORS)[1]]
    return frozenset(
        word for name in (*_spells(reports, code), *actors) for word in words(fold(name))
    )


def open_nights(home: Path) -> Nights:
    """Open the reports under a home; if there are none, the demo reports are imported first.

    Reports of an older version are read again from their raw lines.
    """
    reports = open_reports(home)
    if outdated(home):
        from ruleplay.agents.raid.adapters.log_import import renew_reports  # loads slowly

        renew_reports(home)
    if not reports.all():
        from ruleplay.agents.raid.adapters.demo import ensure_demo  # imports logs as well

        ensure_demo(home)
    return Nights(reports)


def look_at(report: Report) -> Night:
    """Build the view of a report as a night: its pulls and players."""
    listed = _listed(report.manifest)
    played = _played([tuple(row) for row in report.query(PLAYED)[1]])
    stated = _stated([tuple(row) for row in report.query(SPECS)[1]])
    fought = {
        str(name): fights for name, fights in report.query(FOUGHT)[1] if isinstance(fights, list)
    }
    pulls = tuple(_pull(report, row) for row in report.query(PULLS)[1])
    seen = [row for row in report.query(SIDES)[1] if row[0] in fought.get(str(row[1]), ())]
    pulls = _with_sides(pulls, seen)
    return Night(
        code=listed.code,
        title=listed.title,
        started=listed.started,
        zone=listed.zone,
        verified=report.manifest.verified,
        owner=report.manifest.owner,
        blind=not report.query(DEEDS)[1][0][0],
        pulls=pulls,
        stretches=() if pulls else _stretches(report),
        judged=bool(report.query(UNTOLD)[1][0][0]),
        zones=_zones(report),
        members=tuple(_member(row, played, stated, fought) for row in report.query(MEMBERS)[1]),
        listed=report.manifest.build.startswith(_LISTED) or _is_of_lists(report),
    )


def _with_sides(
    pulls: tuple[PullSummary, ...], seen: Sequence[Sequence[object]]
) -> tuple[PullSummary, ...]:
    """Add to matches of few who was on which side, where that is known of all of them."""
    found: dict[int, dict[str, bool]] = {}
    for fight, name, ours in seen:
        found.setdefault(_number(fight), {})[str(name)] = bool(ours)
    return tuple(
        pull.model_copy(
            update={
                "ours": tuple(name for name, mine in found[pull.fight].items() if mine),
                "theirs": tuple(name for name, mine in found[pull.fight].items() if not mine),
            }
        )
        if 0 < len(found.get(pull.fight, ())) == pull.players <= FEW
        else pull
        for pull in pulls
    )


def _stretches(report: Report) -> tuple[PullSummary, ...]:
    """List what a log without pulls can be asked about: all of it, and its floors."""
    begin, end = report.query("SELECT min(ms), max(ms) FROM events")[1][0]
    whole = [("everything", "the whole log", _number(begin), _number(end), "")]
    floors = floors_of(report.query(FLOOR_LINES)[1])
    named = (
        (f"floor {o.number}", o.place, o.start_ms, o.end_ms, "run completed" if o.completed else "")
        for o in floors
    )
    return tuple(
        PullSummary(
            fight=0,
            name=name,
            instance=place,
            kill=False,
            ended=ended,
            seconds=round((until - since) / 1000, 1),
            clock=report.clock(since),
            end_clock=report.clock(until),
        )
        for name, place, since, until, ended in (*whole, *named)
    )


def _listed(manifest: Manifest) -> Listed:
    started = (manifest.started_at or manifest.first_date).partition("T")[0]
    # Without a year in the log, the one of `started` is the file's and no date to be shown.
    dated = started if manifest.first_date.count("/") != 1 else manifest.first_date
    title = " ".join(part for part in (manifest.zone or manifest.file, dated) if part)
    return Listed(
        code=manifest.code,
        title=title,
        started=started,
        zone=manifest.zone,
        bosses=manifest.bosses,
    )


def _pull(report: Report, row: Sequence[object]) -> PullSummary:
    fight, name, kill, ended, start, end, health, players, encounter, difficulty, level = row
    begin, stop = int(str(start)), int(str(end))
    day = report.day(begin)
    return PullSummary(
        fight=int(str(fight)),
        name=str(name),
        kill=bool(kill),
        ended=str(ended),
        seconds=round((stop - begin) / 1000, 1),
        clock=report.clock(begin),
        end_clock=report.clock(stop),
        boss_hp=float(health) if isinstance(health, int | float) else None,
        players=int(str(players or 0)),
        start_s=round(begin / 1000, 1),
        english=_english(encounter),
        instance=_instance(encounter),
        difficulty=level_of(difficulty, level),
        day=f"{day.month}/{day.day}" if day else "",
        weekday=day.weekday() if day and report.manifest.first_date.count("/") > 1 else -1,
    )


def _is_of_lists(report: Report) -> bool:
    """Whether a log that does not state its build is from the expansion of the reference tables."""
    if report.manifest.build or "3.3.5a" in report.manifest.dialect:
        return False
    known = (encounters().get(_number(row[8])) for row in report.query(PULLS)[1])
    return any(one and one.expansion == "TBC" for one in known)


def _zones(report: Report) -> tuple[str, ...]:
    known, named = encounters(), {one.name: one for one in encounters().values()}
    # Old clients do not log encounter ids, so the name has to do.
    found = (known.get(_number(row[8]), named.get(str(row[1]))) for row in report.query(PULLS)[1])
    zones = (one.instance for one in found if one and one.instance)
    return tuple(dict.fromkeys((*zones, report.manifest.zone)))


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _instance(encounter: object) -> str:
    known = encounters().get(_number(encounter))
    return (known.instance or "") if known else ""


def _english(encounter: object) -> str:
    known = encounters().get(_number(encounter))
    return known.name if known else ""


def _played(rows: Sequence[tuple[object, ...]]) -> dict[str, dict[int, str]]:
    """Determine each player's role per pull, and over all pulls under key 0."""
    whole: dict[tuple[str, int], list[int]] = {}
    plays: dict[str, tuple[str, str]] = {}
    for name, class_, spec, fight, *numbers in rows:
        plays[str(name)] = (str(class_), str(spec))
        for at in (_number(fight), 0):
            sums = whole.setdefault((str(name), at), [0, 0, 0, 0])
            sums[:] = [one + int(str(more)) for one, more in zip(sums, numbers, strict=True)]
    swings: dict[int, int] = {}
    for (_, fight), sums in whole.items():
        swings[fight] = swings.get(fight, 0) + sums[-1]
    found: dict[str, dict[int, str]] = {}
    for (name, fight), (*balance, swung) in whole.items():
        tanks = swung >= max(TANKED_LEAST, TANKED * swings[fight])
        role = "healer" if is_healing(*plays[name], *balance) else "tank" if tanks else ""
        found.setdefault(name, {})[fight] = role
    return found


def _stated(rows: Sequence[tuple[object, ...]]) -> dict[str, dict[int, Specialization]]:
    """Read what each player was on each pull, and on most of them under key 0."""
    found: dict[str, dict[int, Specialization]] = {}
    for name, fight, spec in rows:
        if known := specializations().get(_number(spec)):
            found.setdefault(str(name), {})[_number(fight)] = known
    most = {name: Counter(had.values()).most_common(1)[0][0] for name, had in found.items()}
    return {name: {**had, 0: most[name]} for name, had in found.items()}


def _member(
    row: Sequence[object],
    played: Mapping[str, Mapping[int, str]],
    stated: Mapping[str, Mapping[int, Specialization]],
    fought: Mapping[str, object],
) -> Member:
    name, class_name, spec, role = map(str, row[:4])
    known = stated.get(name, {})
    mine = {fight: one.role for fight, one in known.items()} or played.get(name, {})
    spec = known[0].spec if known else spec
    role = mine.get(0) or role
    others = {fight: one or "damage" for fight, one in mine.items() if fight}
    # A pull with few swings at the night's tank does not change that player's role.
    unlike = {
        fight: one for fight, one in others.items() if one != role and (known or role != "tank")
    }
    told = {"name": name, "class_name": class_name, "spec": spec, "role": role, "unlike": unlike}
    met = {"foe": not row[4], "pulls": row[5] or fought.get(name, ()), "team": row[6]}
    return Member.model_validate(told | met)
