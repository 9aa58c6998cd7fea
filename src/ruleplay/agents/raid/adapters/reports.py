"""Opens stored reports: lists them, queries their tables through DuckDB, reads raw lines."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from ruleplay.agents.raid.adapters.report_files import (
    RAW_LINES,
    Manifest,
    RawFile,
    delete_report,
    manifests,
    read_manifest,
    read_raw,
    remove_stale,
    reports_folder,
)
from ruleplay.agents.raid.domain.columns import TABLES, Kind
from ruleplay.agents.raid.domain.overview import MORNING
from ruleplay.errors import NotFound, Unavailable, UserError

if TYPE_CHECKING:
    import duckdb

Value: TypeAlias = str | int | float | bool | list["Value"] | None
Answer: TypeAlias = tuple[list[str], list[tuple[Value, ...]]]
"""Column names and rows."""

MOST_LINES = 2000
"""Maximum number of raw lines read at once."""
KEPT_ROWS = 40_000
"""Rows of query results cached per open report; a single result may use a quarter of them."""
_MEMORY = "512MB"
TRASH, WHOLE = 0, -1
"""The numbers, in place of a pull's, of what lies between pulls and of everything in a range."""
KEPT_PULLS = 8
"""Number of pulls whose events an open report keeps in memory."""
PULL_COLUMNS = (
    *("line", "ms", "fight", "event", "source", "target", "spell_id", "spell", "amount", "over"),
    *("absorbed", "critical", "aura_type", "stacks", "extra_spell_id", "extra_spell"),
    *("power_type", "info", "hp", "hp_max", "power", "power_max", "owner", "counts"),
    *("apart", "miss_type", "absorber", "note", "base_amount"),
)
"""The event columns that are copied for a pull."""
_SQL_TYPES: Mapping[Kind, str] = {
    "u8": "UTINYINT",
    "u16": "USMALLINT",
    "u32": "UINTEGER",
    "u64": "UBIGINT",
    "i64": "BIGINT",
    "f32": "FLOAT",
    "bool": "BOOLEAN",
    "str": "VARCHAR",
    "list[u32]": "UINTEGER[]",
}


@dataclass(frozen=True)
class Excerpt:
    """The range of a pull's events: its number, first and last line.

    TRASH and WHOLE are the numbers of stretches that are no pull.
    """

    fight: int
    first: int
    last: int

    @property
    def schema(self) -> str:
        """Name of the database schema that holds the in-memory copy, or the view of a stretch."""
        if self.fight > 0:
            return f"pull_{self.fight}"
        return f"stretch{-self.fight}_{self.first}_{self.last}"


def _copy(pull: Excerpt) -> str:
    """Build the statement that copies a pull's events."""
    return (
        f"CREATE TABLE {pull.schema}.events AS SELECT {', '.join(PULL_COLUMNS)} FROM main.events"
        f" WHERE line BETWEEN {pull.first} AND {pull.last} AND fight = {pull.fight}"
    )


def _stretch(stretch: Excerpt) -> str:
    """Build the statement for a view of a stretch's events, numbered as if it were a pull."""
    outside = " AND fight IS NULL" if stretch.fight == TRASH else ""
    number = f"{stretch.fight} AS fight"
    columns = ", ".join(number if one == "fight" else one for one in PULL_COLUMNS)
    return (
        f"CREATE VIEW {stretch.schema}.events AS SELECT {columns} FROM main.events"
        f" WHERE line BETWEEN {stretch.first} AND {stretch.last}{outside}"
    )


class Report:
    """An open report: its manifest and tables. Safe to use from several threads."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self._folder, self.manifest = folder, manifest
        self._lock = threading.Lock()
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._answers: OrderedDict[tuple[str, str], Answer] = OrderedDict()
        self._kept_rows = 0
        self._running: dict[tuple[str, str], Future[Answer]] = {}
        self._excerpts: OrderedDict[Excerpt, None] = OrderedDict()

    @property
    def code(self) -> str:
        """The report's code."""
        return self.manifest.code

    @property
    def lines(self) -> int:
        """Number of lines of the log."""
        return self.manifest.lines

    @property
    def start_clock_ms(self) -> int:
        """Milliseconds of the first line since midnight."""
        return self.manifest.start_clock_ms

    def clock(self, ms: float) -> str:
        """Format a time of the report as wall clock HH:MM:SS."""
        seconds = int(self.start_clock_ms + ms) % 86_400_000 // 1000
        return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"

    def day(self, ms: int) -> date | None:
        """Find the date of the evening of a time in report ms; None if the log has no date."""
        told = self.manifest.first_date, (self.manifest.started_at or "")[:4]
        parts = [int(part) for part in told[0].split("/") if part.isdigit()]
        # Without any year the date only needs to be valid; 2024 is a leap year, so 2/29 is.
        year = int(told[1]) if told[1].isdigit() else 2024
        try:
            first = date(parts[2] if len(parts) > 2 else year, parts[0], parts[1])
        except (ValueError, IndexError):
            return None
        return first + timedelta(days=(self.start_clock_ms + ms - 1000 * MORNING) // 86_400_000)

    def query(
        self,
        sql: str,
        parameters: Mapping[str, object] | None = None,
        *,
        within: Excerpt | None = None,
    ) -> Answer:
        """Run one SELECT over the report's tables; values go into `$name` parameters.

        `within`: the statement only needs PULL_COLUMNS of this pull's events. They are copied into
        memory at first use, which makes later queries several times faster. The database cannot
        reach files or settings. UserError if the statement fails or is not a single SELECT. Results
        of moderate size are cached: an open report's files never change. Tools that run side by
        side often ask the same; who comes second waits for the first one's result.
        """
        question = (sql, repr(sorted((parameters or {}).items())))
        with self._lock:
            kept = self._answers.get(question)
            if kept is not None:
                self._answers.move_to_end(question)
                return kept
            running = self._running.get(question)
            if running is None:
                mine = self._running[question] = Future[Answer]()
        if running is not None:
            return running.result()
        try:
            answer = self._run(sql, parameters, within)
        except BaseException as error:
            mine.set_exception(error)
            raise
        else:
            mine.set_result(answer)
            with self._lock:
                self._keep(question, answer)
            return answer
        finally:
            with self._lock:
                del self._running[question]

    def _keep(self, question: tuple[str, str], answer: Answer) -> None:
        """Cache a result, evicting the least recently used; each counts one row extra."""
        rows = len(answer[1]) + 1
        if rows > KEPT_ROWS // 4 or question in self._answers:
            return
        self._answers[question] = answer
        self._kept_rows += rows
        while self._kept_rows > KEPT_ROWS:
            _, oldest = self._answers.popitem(last=False)
            self._kept_rows -= len(oldest[1]) + 1

    def _run(
        self, sql: str, parameters: Mapping[str, object] | None, within: Excerpt | None
    ) -> Answer:
        import duckdb

        # A cursor per query: DuckDB connections must not be shared between threads.
        cursor = self._cursor()
        try:
            if within:
                self._look_within(cursor, within)
            kinds = [one.type for one in cursor.extract_statements(sql)]
            if kinds != [duckdb.StatementType.SELECT]:
                raise UserError("A report is only read: ask with one SELECT.")
            found = cursor.execute(sql, dict(parameters) if parameters else None)
            names = [column[0] for column in found.description or ()]
            return names, found.fetchall()
        except duckdb.Error as err:
            raise UserError(f"The query failed: {err}") from err
        finally:
            cursor.close()

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        """Open a connection to the report's tables; the caller closes it."""
        with self._lock:
            if self._connection is None:
                self._connection = _connect(self._folder, self.manifest)
            return self._connection.cursor()

    def _look_within(self, cursor: duckdb.DuckDBPyConnection, pull: Excerpt) -> None:
        """Make the cursor see the copy of a pull's events, which shadows the view of all events.

        Another thread may evict the copy later. The cursor then sees the view again, which gives
        the same answer for a statement about that pull alone.
        """
        with self._lock:
            if pull not in self._excerpts:
                self._make_room(cursor)
                cursor.execute(f"CREATE SCHEMA {pull.schema}")
                cursor.execute(_stretch(pull) if pull.fight <= 0 else _copy(pull))
            self._excerpts[pull] = None
            self._excerpts.move_to_end(pull)
            cursor.execute(f"SET search_path = '{pull.schema},main'")

    def _make_room(self, cursor: duckdb.DuckDBPyConnection) -> None:
        # Views of stretches hold no rows, and no other table gives their answers.
        copies = [one for one in self._excerpts if one.fight > 0]
        for oldest in copies[: 1 + len(copies) - KEPT_PULLS]:
            del self._excerpts[oldest]
            cursor.execute(f"DROP SCHEMA {oldest.schema} CASCADE")

    def raw_lines(self, first: int, last: int) -> list[str]:
        """Get raw lines of the log without line ends; invalid UTF-8 is escaped.

        UserError if there are no such lines, or if more than MOST_LINES are requested.
        """
        if not 1 <= first <= last <= self.manifest.lines:
            raise UserError(
                f"report {self.code!r} has lines 1 to {self.manifest.lines}, not {first} to {last}"
            )
        if last - first >= MOST_LINES:
            raise UserError(f"ask for at most {MOST_LINES} lines at once, not {last - first + 1}")
        found: list[str] = []
        for raw in self.manifest.raw:
            if raw.first_line <= last and raw.first_line + raw.lines > first:
                found += _read_raw(self._folder, raw, first, last)
        return found

    def close(self) -> None:
        """Close the database; the next query reopens it."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
                self._excerpts.clear()


def _read_raw(folder: Path, raw: RawFile, first: int, last: int) -> list[str]:
    """Read the blocks of a raw file that contain the lines, and extract these."""
    begin = max(first - raw.first_line, 0)
    end = min(last - raw.first_line, raw.lines - 1)
    block = begin // RAW_LINES
    lines = read_raw(folder, raw, block, end // RAW_LINES).split(b"\n")
    skip = begin - block * RAW_LINES
    wanted = lines[skip : skip + end - begin + 1]
    return [line.removesuffix(b"\r").decode(errors="backslashreplace") for line in wanted]


def _connect(folder: Path, manifest: Manifest) -> duckdb.DuckDBPyConnection:
    """Open an in-memory database with a view over each table's files, then lock it down."""
    try:
        import duckdb
    except ModuleNotFoundError as err:
        raise Unavailable("Reading reports needs: pip install 'ruleplay[raid]'") from err
    paths = [str(folder / name) for names in manifest.files.values() for name in names]
    connection = duckdb.connect(":memory:", config={"memory_limit": _MEMORY, "threads": 2})
    try:
        # The order matters: once external access is off and the configuration locked, queries
        # written by a model can read nothing but the report's own files.
        connection.execute("SET temp_directory = ''")
        for table in TABLES:
            files = [str(folder / name) for name in manifest.files.get(table.name, ())]
            names = ", ".join(
                f"{_quoted(c.name)}::{_SQL_TYPES[c.kind]} AS {_quoted(c.name)}"
                for c in table.columns
            )
            source = f"read_parquet([{', '.join(map(_literal, files))}])"
            connection.execute(f"CREATE VIEW {table.name} AS SELECT {names} FROM {source}")
        allowed = ", ".join(map(_literal, paths))
        connection.execute(f"SET allowed_paths = [{allowed}]")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
    except duckdb.Error as err:
        connection.close()
        raise UserError(f"report {manifest.code!r} cannot be opened: {err}") from err
    return connection


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _quoted(name: str) -> str:
    return f'"{name}"'


class Reports:
    """The reports of a home folder; opened ones are cached. Safe to use from several threads."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._lock = threading.Lock()
        self._open: dict[str, Report] = {}

    @property
    def home(self) -> Path:
        """The folder that contains the reports and rankings."""
        return self._home

    def all(self) -> list[Manifest]:
        """List all manifests, the newest import first."""
        return manifests(self._home)

    def codes(self) -> list[str]:
        """List all report codes, the newest import first."""
        return [one.code for one in self.all()]

    def newest(self) -> Report:
        """Open the newest report; NotFound if there is none."""
        codes = self.codes()
        if not codes:
            raise NotFound("no report is imported; run: ruleplay raid import WoWCombatLog.txt")
        return self.open(codes[0])

    def open(self, code: str) -> Report:
        """Open a report, anew if it has grown. NotFound lists the existing reports."""
        folder = reports_folder(self._home) / Path(code).name
        manifest = read_manifest(folder) if code else None
        if manifest is None:
            known = ", ".join(self.codes()[:10]) or "none"
            raise NotFound(f"there is no report {code!r}; imported: {known}")
        with self._lock:
            kept = self._open.get(code)
            if kept is None or kept.manifest != manifest:
                kept = self._open[code] = Report(folder, manifest)
            return kept

    def delete(self, code: str) -> Manifest:
        """Delete a report and return its manifest; NotFound lists the existing reports."""
        report = self.open(code)
        with self._lock:
            self._open.pop(code, None)
        report.close()
        try:
            delete_report(self._home, code)
        except OSError as err:
            raise UserError(f"report {code!r} cannot be removed: {err}") from err
        return report.manifest

    def close(self) -> None:
        """Close all open reports."""
        with self._lock:
            opened, self._open = [*self._open.values()], {}
        for report in opened:
            report.close()


def open_reports(home: Path) -> Reports:
    """Open the report store of a home folder; it may be empty."""
    folder = reports_folder(home)
    if folder.is_dir():
        remove_stale(folder)
    return Reports(home)
