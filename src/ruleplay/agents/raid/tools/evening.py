"""Summaries of a night or some of its pulls: deaths, totals, causes of wipes, keystone runs."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from ruleplay.agents.raid.adapters.nights import look_at
from ruleplay.agents.raid.adapters.reports import Reports
from ruleplay.agents.raid.domain.arguments import OfDeaths, OfPulls
from ruleplay.agents.raid.domain.overview import ENEMY, side_given
from ruleplay.agents.raid.domain.tool_result import Cell, Row, ToolOutcome
from ruleplay.agents.raid.tools.book import DIED, HARM, Book, Player
from ruleplay.agents.raid.tools.cells import whole
from ruleplay.agents.raid.tools.deaths import (
    CREDITED_RULE,
    WINDOW,
    Credits,
    Death,
    deaths_of,
    first_of,
)
from ruleplay.agents.raid.tools.deeds import (
    DAMAGE_RULE,
    HEALING_RULE,
    UNOWNED_RULE,
    nobodys_pets,
    totals,
)
from ruleplay.agents.raid.tools.finding import trash_rows
from ruleplay.agents.raid.tools.library import open_book
from ruleplay.agents.raid.tools.moments import part_of
from ruleplay.agents.raid.tools.pulls import PullRow
from ruleplay.agents.raid.tools.sides import Sides
from ruleplay.agents.raid.tools.wipes import find_cause
from ruleplay.errors import UserError

ALL = "(all)"
FEIGNED = (
    "Feigned is inferred: a feign is logged, or the player acts again soon without a resurrection."
)
AFTER, OUTSIDE = "trash after the last pull", "outside of pulls"
"""Where a death was that no pull followed: the log has pulls, or none."""
RIGHT_AFTER = 5_000
"""Milliseconds after a pull's end within which a death is mentioned with it."""
REVIVED_WITHIN = 600_000
"""Milliseconds after a death within which a resurrection is related to it."""
CREATURES = 8
"""Maximum number of pets and guardians named as having died."""

DYING = f"""
WITH dying AS (
    SELECT line, ms, fight, target FROM events JOIN actors a ON a.id = target
    WHERE {DIED} AND a.kind = 'player'
        AND (a.friendly OR fight IN (SELECT fight FROM encounters WHERE kind <> 'boss'))
)
"""
DEATHS = (
    DYING
    + f"""
SELECT d.line, d.ms, d.fight, d.target, arg_max(coalesce(e.spell, 'Melee'),
    (e.over > 0, e.line)) FILTER (e.line IS NOT NULL),
    arg_max(coalesce(s.name, 'Environment'), (e.over > 0, e.line)) FILTER (e.line IS NOT NULL),
    arg_max(e.amount, (e.over > 0, e.line)), arg_max(greatest(e.over, 0), (e.over > 0, e.line)),
    coalesce(sum(e.amount), 0)
FROM dying d LEFT JOIN events e ON e.target = d.target AND e.line < d.line AND e.counts
    AND e.event IN {HARM} AND e.ms >= d.ms - {int(1000 * WINDOW)}
    LEFT JOIN actors s ON s.id = e.source
GROUP BY d.line, d.ms, d.fight, d.target ORDER BY d.line
"""
)
COUNTED, BOSSES = 150, 40
"""Number of deaths from which they are counted too; the most players and bosses counted."""
REVIVALS = """
SELECT e.ms, e.target, coalesce(s.name, '?'), e.spell FROM events e
    LEFT JOIN actors s ON s.id = e.source WHERE e.event = 'SPELL_RESURRECT' ORDER BY e.line
"""
FALSE_DEATHS = """
SELECT a.name, list(e.ms ORDER BY e.line), list(e.line ORDER BY e.line),
    list(e.fight ORDER BY e.line)
FROM events e JOIN actors a ON a.id = e.target
WHERE e.event = 'UNIT_DIED' AND NOT e.counts AND a.kind = 'player' GROUP BY a.name ORDER BY a.name
"""
CREATURE_DEATHS = """
SELECT a.name, e.fight, count(*) FROM events e JOIN actors a ON a.id = e.target
WHERE e.event = 'UNIT_DIED' AND a.friendly AND a.kind IN ('pet', 'guardian') GROUP BY ALL
"""
RUNS = """
SELECT run, name, level, start_ms, end_ms, completed, timer_ms, start_line, end_line
FROM runs ORDER BY run
"""


def get_night_deaths(reports: Reports, args: OfDeaths) -> ToolOutcome:
    """List the deaths of some pulls, or of the whole report including those between pulls.

    Those on trash are of the whole report too, of a keystone run or an evening asked about in
    full, and of the way to pulls with `trash`.
    """
    book = open_book(reports, args.report_code)
    asked = book.some(args.fights) if args.fights or book.pulls else []
    pulls = {pull.fight: pull for one in asked for pull in book.inside(one)}
    side = side_given(args.player_name)
    who = set() if side else _people(book, args.player_name)
    sides = Sides.read(book, [*pulls.values()]) if side else None
    if side == ENEMY and sides and not sides.players:
        raise UserError(
            "enemies of players are creatures here, and these are deaths of players: tally measure"
            " deaths with player enemies counts them, add_deaths says when"
        )
    spans = part_of(book, [*pulls.values()], args.part) if args.part else {}
    trash, died = _Trash.of(book, asked, args), _deaths(book)
    rows = [
        {name: cell for name, cell in row.items() if name != "ms"}
        for row in died
        if (row["fight"] in pulls or trash.has(row))
        and (not who or row["player"] in who)
        and (sides is None or sides.of(_fight(row), str(row["player"])) == side)
        and (not args.part or _is_within(row, pulls, spans))
    ]
    false = [] if side else _false_deaths(book, pulls, who, trash)
    creatures = [] if who or side else _creatures(book, pulls, whole=trash.whole)
    told = {int(str(row["line"])) for row in (*rows, *false)}
    lines = [
        (pull.first, pull.last)
        for pull in pulls.values()
        if args.fights or any(pull.first <= line <= pull.last for line in told)
    ]
    lines += [(n, n) for n in sorted(told) if not any(a <= n <= b for a, b in lines)]
    notes = [
        "Deaths of players; on trash too where the whole report, evening or run is meant. The"
        " killing blow is inferred: the last hit with overkill, else the last hit, in the"
        f" {WINDOW:g} s before.",
    ]
    if any("credited_to" in row for row in rows):
        notes.append(CREDITED_RULE)
    if not rows:
        names = ", ".join(sorted(who))
        notes.append(f"{names} did not die here." if who else "No player died here.")
    notes += _just_after(died, pulls.values(), who) if not (side or trash.whole) else ()
    if false:
        notes.append(FEIGNED)
    only = asked[0] if args.fights and len(asked) == 1 else None
    found = [*(_counted(rows) if len(rows) > COUNTED else ()), *rows, *false, *creatures]
    return book.tell(found, pull=only, lines=lines or None, notes=notes)


def _just_after(
    died: Iterable[Row], pulls: Iterable[PullRow], who: Container[str]
) -> Iterator[str]:
    """Say who died right after the end of pulls, whose deaths are no longer theirs."""
    found = [row for row in died if row["fight"] is None]
    late = [
        f"{row['player']} {(whole(row['ms']) - pull.end_ms) / 1000:.1f} s after pull {pull.fight}"
        for pull in pulls
        for row in found
        if 0 <= whole(row["ms"]) - pull.end_ms <= RIGHT_AFTER and (not who or row["player"] in who)
    ]
    if late:
        yield f"Died just after the end, so not counted for the pull: {', '.join(late)}."


def _fight(row: Row) -> int:
    """Return the number of the pull of a row; 0 for none."""
    return row["fight"] if isinstance(row["fight"], int) else 0


def _people(book: Book, text: str) -> set[str]:
    """Find the players that an argument names, which semicolons part."""
    return {book.player(name.strip()).name for name in text.split(";") if name.strip()}


@dataclass(frozen=True)
class _Trash:
    """What of the time between pulls is asked about with them: line ranges, and days."""

    lines: tuple[tuple[int, int], ...] = ()
    days: frozenset[date] = frozenset()
    whole: bool = False
    book: Book | None = None

    @classmethod
    def of(cls, book: Book, asked: Sequence[PullRow], args: OfDeaths) -> _Trash:
        """Find it: all for the report, or of the runs and evenings that are asked about in full."""
        if not args.fights:
            return cls(whole=True)
        if asked[0].is_stretch:
            return cls(((asked[0].first, asked[0].last),))
        fights = {pull.fight for pull in asked}
        runs = [(int(first), int(last)) for *_, first, last in book.ask(RUNS)]
        inside = [
            (first, last)
            for first, last in runs
            if (own := {pull.fight for pull in book.pulls if first <= pull.first <= last})
            and own <= fights
        ]
        evenings: dict[date, list[PullRow]] = {}
        for pull in book.pulls:
            if day := book.report.day(pull.start_ms):
                evenings.setdefault(day, []).append(pull)
        days = (
            day
            for day, own in evenings.items()
            if {one.fight for one in own} <= fights and len({one.name for one in own}) > 1
        )
        before = _before(book, [*fights]) if args.trash else []
        return cls((*inside, *before), frozenset(days), book=book)

    def has(self, row: Row) -> bool:
        """Whether a death outside of pulls belongs to it."""
        return row["fight"] is None and self.spans(int(str(row["line"])), row["ms"])

    def spans(self, line: int, ms: Cell) -> bool:
        """Whether a line at this time of the report belongs to it."""
        day = self.book.report.day(int(str(ms))) if self.book else None
        return (
            self.whole
            or day in self.days
            or any(first <= line <= last for first, last in self.lines)
        )


def _counted(rows: Sequence[Row]) -> list[Row]:
    """Count deaths per player and per boss, as a result does not keep all rows of very many."""
    found: list[Row] = []
    kinds = (("player", None, 1), ("encounter", "where", BOSSES), ("player", "player", COUNTED))
    for column, value, most in kinds:
        groups: dict[str, list[Row]] = {}
        for row in rows:
            name = str(row[value]).partition(", pull")[0] if value else ALL
            groups.setdefault(name, []).append(row)
        ranked = sorted(groups.items(), key=lambda one: -len(one[1]))[:most]
        found += [
            {
                column: name,
                "deaths": len(own),
                "first_deaths": sum(bool(one["first_of_pull"]) for one in own),
                "outside": sum(one["fight"] is None for one in own),
            }
            for name, own in ranked
        ]
    return found


def _before(book: Book, fights: Sequence[int]) -> list[tuple[int, int]]:
    """Lines before each of these pulls since the one before, and to the end of its keystone run.

    A run's lines begin and end with it.
    """
    runs = [(int(first), int(last)) for *_, first, last in book.ask(RUNS)]
    found, ended = [], 0
    for place, pull in enumerate(book.pulls):
        begun, over = next(((a, b) for a, b in runs if a <= pull.first <= b), (0, 0))
        after = book.pulls[place + 1].first if place + 1 < len(book.pulls) else over
        if pull.fight in fights:
            found += [(max(ended, begun), pull.first), (pull.last, min(after, over))]
        ended = pull.last
    return found


def _is_within(
    row: Row, pulls: Mapping[int, PullRow], spans: Mapping[int, tuple[int, int]]
) -> bool:
    fight, at = row["fight"], row.get("at")
    if not isinstance(fight, int) or fight not in spans or not isinstance(at, int | float):
        return False
    since, until = (round((one - pulls[fight].start_ms) / 1000, 1) for one in spans[fight])
    return since <= at <= until


def _deaths(book: Book) -> list[Row]:
    revived, credited = book.ask(REVIVALS), Credits.read(book)
    begun = [pull.start_ms for pull in book.pulls]
    seen: set[int | None] = {None}
    rows: list[Row] = []
    for line, ms, fight, target, ability, killer, amount, over, taken in book.ask(DEATHS):
        if target not in book.players:
            continue
        back = [one for one in revived if one[1] == target and 0 <= one[0] - ms < REVIVED_WITHIN]
        pull = next((one for one in book.pulls if one.fight == fight), None)
        player = book.played(target, pull)
        place = bisect_right(begun, ms)
        after = (
            f"trash before pull {place + 1} ({book.pulls[place].name})"
            if place < len(begun)
            else ""
        )
        rows.append(
            {
                "player": player.name,
                "class": player.class_,
                "role": player.role,
                "fight": fight,
                "where": pull.label if pull else after or (AFTER if book.pulls else OUTSIDE),
                "at": pull.at(ms) if pull else None,
                "clock": book.clock(ms),
                "ability": ability,
                "killer": killer,
                **credited.of(target, ms),
                "amount": amount,
                "overkill": over,
                "damage_taken": taken if ability else None,
                "first_of_pull": fight not in seen,
                "revived_by": f"{back[0][2]} ({back[0][3]})" if back else None,
                "revived_at": book.clock(back[0][0]) if back else None,
                "revived_after_seconds": round((back[0][0] - ms) / 1000, 1) if back else None,
                "inferred": True,
                "line": line,
                "ms": ms,
            }
        )
        seen.add(fight)
    return rows


def _false_deaths(
    book: Book, pulls: Container[int], who: Container[str], trash: _Trash
) -> list[Row]:
    """List lines that look like deaths but are not: Feign Death, falling unconscious."""
    rows: list[Row] = []
    for name, times, lines, fights in book.ask(FALSE_DEATHS):
        kept = [
            at
            for at, fight in enumerate(fights)
            if fight in pulls or (fight is None and trash.spans(lines[at], times[at]))
        ]
        if kept and (not who or name in who):
            rows.append(
                {
                    "feigned_by": name,
                    "count": len(kept),
                    "clocks": [book.clock(times[at]) for at in kept],
                    "on_trash": sum(fights[at] is None for at in kept),
                    "line": lines[kept[0]],
                }
            )
    return rows


def _creatures(book: Book, pulls: Iterable[int], *, whole: bool) -> list[Row]:
    counts: dict[str, int] = {}
    for name, fight, count in book.ask(CREATURE_DEATHS):
        if fight in pulls or (whole and fight is None):
            counts[name] = counts.get(name, 0) + count
    ranked = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    return [{"creature": name, "count": count} for name, count in ranked[:CREATURES]]


def get_night_totals(reports: Reports, args: OfPulls) -> ToolOutcome:
    """Sum pulls, kills, wipes, time and deaths by boss and difficulty, then overall."""
    book = open_book(reports, args.report_code)
    pulls = book.some(args.fights)
    died = deaths_of(book, pulls)
    levels = {pull.fight: pull.difficulty for pull in look_at(book.report).pulls}
    groups: dict[tuple[str, str], list[PullRow]] = {}
    for pull in pulls:
        groups.setdefault((pull.name, levels.get(pull.fight, "")), []).append(pull)
    rows = [_total(name, level, some, died) for (name, level), some in groups.items()]
    rows.sort(key=lambda row: -float(str(row["seconds"])))
    rows.append(_total(ALL, "", pulls, died))
    if not args.fights:
        gaps = trash_rows(book)
        outside = round(sum(float(str(row["seconds"])) for row in gaps), 1)
        rows.append({"encounter": "outside pulls", "difficulty": "", "seconds": outside})
    notes = (
        "Time is that of the pulls; the boss that took most of it comes first. A reset is a pull in"
        " which the raid neither won nor fell; it is no wipe.",
    )
    return book.tell(rows, lines=[(p.first, p.last) for p in pulls] or None, notes=notes)


def _total(name: str, level: str, pulls: Sequence[PullRow], died: dict[int, list[Death]]) -> Row:
    return {
        "encounter": name,
        "difficulty": level,
        "pulls": len(pulls),
        "kills": sum(pull.kill for pull in pulls),
        "wipes": sum(pull.ended == "wipe" for pull in pulls),
        "resets": sum(pull.ended not in ("wipe", "kill") for pull in pulls),
        "seconds": round(sum(pull.seconds for pull in pulls), 1),
        "wiped_seconds": round(sum(pull.seconds for pull in pulls if not pull.kill), 1),
        "longest_seconds": max((pull.seconds for pull in pulls), default=0),
        "fastest_kill_seconds": min((pull.seconds for pull in pulls if pull.kill), default=None),
        "deaths": sum(len(died[pull.fight]) for pull in pulls),
    }


SUMMED = (
    *("total_damage", "total_healing", "overheal", "damage_taken", "deaths", "interrupts"),
    *("dispels", "casts"),
)


def get_night_players(reports: Reports, args: OfPulls) -> ToolOutcome:
    """Sum what each player did over some or all pulls, sorted by damage."""
    book = open_book(reports, args.report_code)
    pulls = book.some(args.fights)
    sums = totals(book, pulls) if pulls else {}
    fights = {pull.fight for pull in pulls}
    seconds = {pull.fight: pull.seconds for pull in pulls}
    found: dict[int, Row] = {}
    roles = roles_in(book, pulls)
    # A log may tell who was there, but nothing of what they did.
    present = ((pull.fight, one.id) for pull in pulls for one in book.taking_part(pull))
    for fight, who in dict.fromkeys((*sums, *present)):
        if fight in fights and who in book.players:
            player = book.players[who]
            player = replace(player, role=roles.get(player.name, player.role))
            row = found.setdefault(who, _nothing(player))
            did = sums.get((fight, who), {})
            for column in SUMMED:
                row[column] = int(str(row[column])) + int(did.get(column, 0))
            row["pulls"] = int(str(row["pulls"])) + 1
            row["seconds"] = round(float(str(row["seconds"])) + seconds[fight], 1)
    rows = sorted(
        found.values(), key=lambda row: (-int(str(row["total_damage"])), str(row["player"]))
    )
    strays = nobodys_pets(book, pulls) if pulls else {}
    notes = (
        "Sums over the pulls; pets are in them. What was done outside pulls is not.",
        *([UNOWNED_RULE] if any(fight in fights for fight in strays) else []),
        DAMAGE_RULE,
        HEALING_RULE,
    )
    if len(pulls) == 1:
        return book.tell(rows, pull=pulls[0], notes=notes)
    return book.tell(rows, lines=[(p.first, p.last) for p in pulls] or None, notes=notes)


def roles_in(book: Book, pulls: Sequence[PullRow]) -> dict[str, str]:
    """Find each player's most frequent role over the pulls; the latest if tied."""
    book.prepare(pulls)
    had: dict[str, Counter[str]] = {}
    for pull in reversed(pulls):
        for player in book.taking_part(pull):
            had.setdefault(player.name, Counter())[player.role] += 1
    return {name: counts.most_common(1)[0][0] for name, counts in had.items()}


def _nothing(player: Player) -> Row:
    who: Row = {"player": player.name, "class": player.class_, "role": player.role, "pulls": 0}
    return who | dict.fromkeys((*SUMMED, "seconds"), 0)


def get_wipe_causes(reports: Reports, args: OfPulls) -> ToolOutcome:
    """Infer the cause of each wipe among some pulls."""
    book = open_book(reports, args.report_code)
    pulls = book.some(args.fights)
    wipes = [pull for pull in pulls if pull.ended == "wipe"]
    resets = [pull for pull in pulls if pull.ended == "reset"]
    died = deaths_of(book, wipes or resets)
    rows: list[Row] = []
    for pull in wipes:
        deaths = died[pull.fight]
        causes = find_cause(book, pull, deaths)
        first = first_of(pull, deaths)
        rows.append(
            {
                "fight": pull.fight,
                "encounter": pull.name,
                "seconds": pull.seconds,
                "boss_hp_percent": pull.boss_hp_percent,
                "deaths": first["deaths"],
                **{name: getattr(causes[0], part) if causes else None for name, part in _CAUSE},
                "first_death": first["first_death"],
                "first_death_at": first["first_death_at"],
            }
        )
    notes = ["The causes are inferred: what the deaths began with in which the raid collapsed."]
    if not rows:
        told = ", ".join(
            f"pull {pull.fight} (reset, {pull.seconds} s, deaths {len(died[pull.fight])})"
            for pull in resets
        )
        given_up = f"Not won, with few deaths in the log, so no cause is inferred: {told}."
        notes = ["There was no wipe among these pulls.", *([given_up] if resets else [])]
    return book.tell(rows, lines=[(p.first, p.last) for p in wipes] or None, notes=notes)


_CAUSE = (("cause", "says"), ("kind", "kind"), ("at", "at"))
"""Columns of a cause, with the corresponding attributes of Cause."""


def get_keystone_runs(reports: Reports, args: OfPulls) -> ToolOutcome:
    """List the keystone runs of a report, or those with some pulls, with their times and bosses."""
    book = open_book(reports, args.report_code)
    asked = book.some(args.fights) if args.fights else ()
    meant = {pull.fight for one in asked for pull in book.inside(one)}
    rows: list[Row] = []
    lines: list[tuple[int, int]] = []
    died, of_bosses = _deaths(book), list[Row]()
    for run, name, level, start, end, completed, timer, first, last in book.ask(RUNS):
        inside = [pull for pull in book.pulls if start <= pull.start_ms <= end]
        if args.fights and meant.isdisjoint(pull.fight for pull in inside):
            continue
        rows.append(
            {
                "run": run,
                "name": name,
                "level": f"+{level}",
                "completed": bool(completed),
                "seconds": round((timer or end - start) / 1000, 1),
                "start": book.clock(start),
                "pulls": [pull.fight for pull in inside],
                "wipes": sum(pull.ended == "wipe" for pull in inside),
                "deaths": len(
                    own := [row for row in died if first <= int(str(row["line"])) <= last]
                ),
                "deaths_on_trash": sum(row["fight"] is None for row in own),
            }
        )
        of_bosses += [
            {
                "name": name,
                "level": f"+{level}",
                "run": run,
                "boss": pull.name,
                "fight": pull.fight,
                "outcome": pull.ended,
                "seconds": pull.seconds,
                "deaths": sum(row["fight"] == pull.fight for row in own),
            }
            for pull in inside
        ]
        lines += [(first, first), (last, last)]
    notes = (
        "The time is the one that the log gives at the end of the run. How long the dungeon's timer"
        " is does not stand in the log. Deaths are all of the run, those on its trash among them.",
    )
    if not rows:
        notes = ("The log holds no keystone run.",)
    return book.tell([*rows, *of_bosses], lines=lines or None, notes=notes)
