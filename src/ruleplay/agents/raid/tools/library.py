"""Opens reports for the tools: by code, the newest, or all of them."""

from __future__ import annotations

from collections.abc import Iterator

from ruleplay.agents.raid.adapters.reports import Reports
from ruleplay.agents.raid.domain.arguments import OfFight, OfFightPlayer
from ruleplay.agents.raid.domain.reference.tables import encounters
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.tools.book import Book
from ruleplay.agents.raid.tools.names import find_name
from ruleplay.agents.raid.tools.pulls import PullRow, of_boss
from ruleplay.errors import NotFound

SEARCHED = 60
"""Maximum number of reports that a search of the history opens, newest first."""
NONE_IMPORTED = "no report is imported; import one with: ruleplay raid import WoWCombatLog.txt"


def open_book(reports: Reports, code: str = "") -> Book:
    """Open a report by code, or the newest; NotFound lists the existing ones."""
    codes = reports.codes()
    if not codes:
        raise NotFound(NONE_IMPORTED)
    if not code or code.casefold() in ("last", "newest", "latest", "tonight"):
        return Book(reports.open(codes[0]))
    return Book(reports.open(find_name(code, codes, "report")))


def open_pull(reports: Reports, args: OfFight) -> tuple[Book, PullRow, int]:
    """Open the report and pull of a tool's arguments; also the player's actor, 0 for everyone."""
    book = open_book(reports, args.report_code)
    pull = book.pull(args.fight_id)
    name = args.player_name if isinstance(args, OfFightPlayer) else ""
    there = [player.id for player in book.taking_part(pull)] if name else ()
    return book, pull, book.player(name, there).id if name else 0


def open_two(reports: Reports, older: str, newer: str) -> tuple[Book, Book]:
    """Open two reports, by default the newest and the one before it."""
    codes = reports.codes()
    if len(codes) < 2 and not (older and newer):
        raise NotFound(f"two reports are needed and {len(codes)} is imported; import the other one")
    second = open_book(reports, newer)
    if older:
        return open_book(reports, older), second
    if not newer:
        # Import order need not be chronological: of the two newest imports, the later night is
        # newer.
        pair = [second, Book(reports.open(codes[1]))]
        pair.sort(key=lambda book: book.report.manifest.started_at or "")
        return pair[0], pair[1]
    before = codes[codes.index(second.code) + 1 :]
    if not before:
        raise NotFound(f"no report is older than {second.code!r}; name the one to compare with")
    return Book(reports.open(before[0])), second


def history(reports: Reports) -> Iterator[Book]:
    """Open the reports one by one, newest first."""
    codes = reports.codes()
    if not codes:
        raise NotFound(NONE_IMPORTED)
    for code in codes[:SEARCHED]:
        yield Book(reports.open(code))


def fights_of(reports: Reports, boss: str) -> list[tuple[Book, list[PullRow]]]:
    """List a boss's pulls in every report, newest report first; NotFound names the bosses.

    Without a name, all bosses are included; NotFound, if there are none.
    """
    books = list(history(reports))
    if not boss:
        found = [(book, [*book.pulls]) for book in books if book.pulls]
        if not found:
            raise NotFound("the imported reports hold no pull of a boss")
        return found
    names = dict.fromkeys(pull.name for book in books for pull in book.pulls)
    name = find_name(boss, names, "boss")
    return [(book, of_boss(book.pulls, name)) for book in books if _has(book, name)]


def _has(book: Book, name: str) -> bool:
    return any(pull.name == name for pull in book.pulls)


def pull_row(book: Book, pull: PullRow) -> Row:
    """Build a list row for a pull, with day and difficulty if known."""
    day = book.report.day(pull.start_ms)
    told: Row = {"day": f"{day.month}/{day.day}"} if day else {}
    told |= {"difficulty": pull.difficulty} if pull.difficulty else {}
    known = encounters().get(pull.encounter_id or 0)
    told |= {"zone": known.instance} if known and known.instance else {}
    return told | {
        "report": book.code,
        "fight": pull.fight,
        "encounter": pull.name,
        "outcome": pull.ended,
        "start": book.clock(pull.start_ms),
        "seconds": pull.seconds,
        "boss_hp_percent": pull.boss_hp_percent,
        "players": pull.players,
    }
