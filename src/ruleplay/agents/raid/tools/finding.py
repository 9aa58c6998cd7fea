"""Finds reports, pulls and players, and the time between pulls."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.raid.adapters.reports import Reports
from ruleplay.agents.raid.domain.arguments import (
    NoArguments,
    OfEncounter,
    OfPulls,
    OfReport,
    ResolvedFights,
)
from ruleplay.agents.raid.domain.tool_result import Row, ToolOutcome
from ruleplay.agents.raid.tools.book import DIED, HARM, Book
from ruleplay.agents.raid.tools.cells import number
from ruleplay.agents.raid.tools.library import (
    NONE_IMPORTED,
    SEARCHED,
    fights_of,
    history,
    open_book,
    pull_row,
)
from ruleplay.agents.raid.tools.pulls import PullRow
from ruleplay.errors import NotFound


def list_reports(reports: Reports, args: NoArguments) -> ToolOutcome:
    """List the imported reports, newest first."""
    codes = reports.codes()
    if not codes:
        return ToolOutcome(notes=(NONE_IMPORTED[0].upper() + NONE_IMPORTED[1:],))
    rows: list[Row] = []
    for book in history(reports):
        pulls = book.pulls
        rows.append(
            {
                "report": book.code,
                "file": book.report.manifest.file,
                "started": book.report.manifest.started_at or book.report.manifest.first_date,
                "zone": book.report.manifest.zone,
                "pulls": len(pulls),
                "kills": sum(pull.kill for pull in pulls),
                "wipes": sum(pull.ended == "wipe" for pull in pulls),
                "players": max((pull.players for pull in pulls), default=0),
                "seconds": round(book.report.manifest.last_ms / 1000, 1),
                "bosses": list(dict.fromkeys(pull.name for pull in pulls)),
            }
        )
    notes = (f"The newest {SEARCHED} of {len(codes)} reports.",) if len(codes) > SEARCHED else ()
    return ToolOutcome(rows=tuple(rows), query="the reports' own records", notes=notes)


DEATHS = f"""
SELECT fight, count(*) FROM events e JOIN actors a ON a.id = e.target
WHERE {DIED} AND a.kind = 'player' AND a.friendly AND fight IS NOT NULL
GROUP BY fight
"""


def list_pulls(reports: Reports, args: OfPulls) -> ToolOutcome:
    """List the pulls of a report in order, all or some."""
    book = open_book(reports, args.report_code)
    died = dict(book.ask(DEATHS))
    asked = book.some(args.fights) if args.fights else book.pulls
    pulls = [pull for one in asked for pull in book.inside(one)]
    rows = [pull_row(book, pull) | {"deaths": died.get(pull.fight, 0)} for pull in pulls]
    notes = () if rows else ("The report holds no pull of a boss.",)
    return book.tell(rows, lines=[(pull.first, pull.last) for pull in pulls] or None, notes=notes)


ROSTER = f"""
WITH there AS (
    SELECT DISTINCT fight, source AS id FROM events
    WHERE fight IS NOT NULL AND event = 'SPELL_CAST_SUCCESS'
    UNION SELECT DISTINCT fight, actor FROM combatants
), died AS (
    SELECT target AS id, count(*) AS deaths FROM events
    WHERE {DIED} AND fight IS NOT NULL GROUP BY target
)
SELECT a.name AS player, coalesce(a.class, '') AS class, coalesce(a.spec, '') AS spec,
    coalesce(a.role, '') AS role, count(*) AS pulls, coalesce(any_value(d.deaths), 0) AS deaths,
    any_value(coalesce(a.spec_evidence, a.class_evidence)) AS line
FROM there JOIN actors a USING (id) LEFT JOIN died d USING (id)
WHERE a.kind = 'player' AND a.friendly GROUP BY a.name, a.class, a.spec, a.role ORDER BY a.name
"""


def get_roster(reports: Reports, args: OfPulls) -> ToolOutcome:
    """List the players who took part in pulls; of some pulls, without the night's counts."""
    book = open_book(reports, args.report_code)
    rows = book.rows(ROSTER)
    if args.fights:
        parts = (book.taking_part(pull) for pull in book.some(args.fights))
        there = {player.name for part in parts for player in part}
        rows = [
            {name: cell for name, cell in row.items() if name not in ("pulls", "deaths")}
            for row in rows
            if row["player"] in there
        ]
    notes = (
        "Classes are inferred from spells, specs from talents or spells, roles from specs; `line`"
        " is the line that told it.",
    )
    return book.tell(rows, notes=notes)


def search_fights(reports: Reports, args: OfEncounter) -> ToolOutcome:
    """List a boss's pulls in all reports, newest report first."""
    found = fights_of(reports, args.encounter_name)
    return across([(book, pull) for book, pulls in found for pull in pulls])


def across(found: list[tuple[Book, PullRow]], notes: tuple[str, ...] = ()) -> ToolOutcome:
    """Build rows of pulls from several reports, citing each report's lines."""
    books = {book.code: book for book, _ in found}
    died = {code: dict(book.ask(DEATHS)) for code, book in books.items()}
    rows = [
        pull_row(book, pull) | {"deaths": died[book.code].get(pull.fight, 0)}
        for book, pull in found
    ]
    if not found:
        return ToolOutcome(notes=("No pull was found.",))
    return of_pulls(rows, found, notes)


def of_pulls(
    rows: Sequence[Row], found: Sequence[tuple[Book, PullRow]], notes: Sequence[str] = ()
) -> ToolOutcome:
    """Build an outcome that cites these pulls (at least one); the first one's report leads."""
    first = found[0][0]
    spans: dict[str, list[tuple[int, int]]] = {}
    for book, pull in found:
        spans.setdefault(book.code, []).append((pull.first, pull.last))
    return first.tell(rows, lines=spans.pop(first.code), elsewhere=spans, notes=notes)


def resolve_my_fights(reports: Reports, args: ResolvedFights) -> ToolOutcome:
    """List the newest pulls, of one boss or of all."""
    if args.encounter_name:
        found = [
            (b, p) for b, pulls in fights_of(reports, args.encounter_name) for p in pulls[::-1]
        ]
        return across(found[: args.count])
    newest: list[tuple[Book, PullRow]] = []
    for book in history(reports):
        newest += [(book, pull) for pull in book.pulls[::-1]]
        if len(newest) >= args.count:
            break
    if not newest:
        raise NotFound("the imported reports hold no pull of a boss")
    return across(newest[: args.count])


TRASH = f"""
WITH gaps AS (
    SELECT unnest($numbers) AS number, unnest($starts) AS from_ms, unnest($ends) AS to_ms
), e AS (
    SELECT ms, event, target, source, counts FROM events
    WHERE fight IS NULL AND (event IN {HARM} OR {DIED})
), steps AS (
    SELECT g.number, e.ms, e.event, e.counts, a.kind = 'player' AS player,
        least(greatest(lead(e.ms) OVER (PARTITION BY g.number ORDER BY e.ms) - e.ms, 0), 5000)
            AS step
    FROM e JOIN gaps g ON e.ms >= g.from_ms AND e.ms < g.to_ms
        LEFT JOIN actors a ON a.id = e.target
)
SELECT number, coalesce(sum(step), 0),
    count(*) FILTER ({DIED} AND player) FROM steps GROUP BY number
"""


def get_trash_time(reports: Reports, args: OfReport) -> ToolOutcome:
    """Compute the time before each pull and after the last, in combat and idle."""
    book = open_book(reports, args.report_code)
    rows = trash_rows(book)
    total = sum(number(row["seconds"]) for row in rows)
    rows.append(
        {
            "before": "(all)",
            "seconds": round(total, 1),
            "combat_seconds": round(sum(number(row["combat_seconds"]) for row in rows), 1),
            "idle_seconds": round(sum(number(row["idle_seconds"]) for row in rows), 1),
            "deaths": sum(int(number(row["deaths"])) for row in rows),
        }
    )
    notes = (
        "Time outside pulls, from the report's first line to its last. In combat: between hits that"
        " are at most 5 s apart; the rest is idle (running, buffing, waiting).",
    )
    return book.tell(rows, notes=notes)


def trash_rows(book: Book) -> list[Row]:
    """List the gaps before each pull and after the last one."""
    span = book.ask("SELECT min(ms), max(ms) FROM events")[0]
    begin, end = span[0] or 0, span[1] or 0
    pulls = book.pulls
    starts = [begin, *(pull.end_ms for pull in pulls)]
    ends = [*(pull.start_ms for pull in pulls), end]
    scope: dict[str, object] = {
        "numbers": list(range(len(starts))),
        "starts": starts,
        "ends": ends,
    }
    fought = {row[0]: (row[1], row[2]) for row in book.ask(TRASH, scope)}
    rows: list[Row] = []
    for place, (start, until) in enumerate(zip(starts, ends, strict=True)):
        seconds = max(until - start, 0) / 1000
        busy, deaths = fought.get(place, (0, 0))
        combat = min(busy / 1000, seconds)
        after = place == len(pulls)
        rows.append(
            {
                "before": "the end" if after else f"pull {pulls[place].fight}",
                "before_fight": None if after else pulls[place].fight,
                "encounter": None if after else pulls[place].name,
                "start": book.clock(start),
                "seconds": round(seconds, 1),
                "combat_seconds": round(combat, 1),
                "idle_seconds": round(seconds - combat, 1),
                "deaths": deaths,
            }
        )
    return rows
