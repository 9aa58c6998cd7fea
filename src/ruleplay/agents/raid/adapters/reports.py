"""The stored reports: which there are, their tables in DuckDB, their raw lines."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from ruleplay.agents.raid.adapters.report_files import (
    RAW_LINES,
    Manifest,
    RawFile,
    manifests,
    read_manifest,
    remove_stale,
    reports_folder,
)
from ruleplay.agents.raid.domain.columns import TABLES, Kind
from ruleplay.foundation.errors import NotFound, Unavailable, UserError

if TYPE_CHECKING:
    import duckdb

Value: TypeAlias = str | int | float | bool | list["Value"] | None
Answer: TypeAlias = tuple[list[str], list[tuple[Value, ...]]]
"""Column names and rows."""

MOST_LINES = 2000
"""Raw lines that are read at once."""
KEPT_ANSWERS = 256
KEPT_ROWS = 2000
"""Answers that an open report keeps, and how many rows they have at most."""
_MEMORY = "512MB"
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


class Report:
    """One report: what its manifest says, and its tables. Safe to use from several threads."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self._folder, self.manifest = folder, manifest
        self._lock = threading.Lock()
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._answers: OrderedDict[tuple[str, str], Answer] = OrderedDict()

    @property
    def code(self) -> str:
        """The report's code."""
        return self.manifest.code

    @property
    def lines(self) -> int:
        """How many lines the log has."""
        return self.manifest.lines

    @property
    def start_clock_ms(self) -> int:
        """Milliseconds of the first line since midnight."""
        return self.manifest.start_clock_ms

    def query(self, sql: str, parameters: Mapping[str, object] | None = None) -> Answer:
        """Run one statement over the report's tables; `$name` parameters carry the values.

        The database can reach no file and no setting; UserError when the statement fails. Answers
        of moderate size are kept: an open report's files never change.
        """
        question = (sql, repr(sorted((parameters or {}).items())))
        with self._lock:
            kept = self._answers.get(question)
            if kept is not None:
                self._answers.move_to_end(question)
                return kept
        names, rows = self._run(sql, parameters)
        if len(rows) <= KEPT_ROWS:
            with self._lock:
                self._answers[question] = (names, rows)
                while len(self._answers) > KEPT_ANSWERS:
                    self._answers.popitem(last=False)
        return names, rows

    def _run(self, sql: str, parameters: Mapping[str, object] | None) -> Answer:
        import duckdb

        cursor = self.cursor()
        try:
            found = cursor.execute(sql, dict(parameters) if parameters else None)
            names = [column[0] for column in found.description or ()]
            return names, found.fetchall()
        except duckdb.Error as err:
            raise UserError(f"The query failed: {err}") from err
        finally:
            cursor.close()

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Return a connection of the caller's own to the report's tables, to be closed by it."""
        with self._lock:
            if self._connection is None:
                self._connection = _connect(self._folder, self.manifest)
            return self._connection.cursor()

    def raw_lines(self, first: int, last: int) -> list[str]:
        """Return lines as they stand in the log, without line ends; odd bytes are escaped.

        UserError when there are no such lines, or more than MOST_LINES.
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
                found += _read_raw(self._folder / raw.name, raw, first, last)
        return found

    def close(self) -> None:
        """Close the database; a later query opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None


def _read_raw(path: Path, raw: RawFile, first: int, last: int) -> list[str]:
    """Read the blocks of a raw file that have the lines, and cut them out."""
    import polars as pl

    begin = max(first - raw.first_line, 0)
    end = min(last - raw.first_line, raw.lines - 1)
    block, blocks = begin // RAW_LINES, end // RAW_LINES - begin // RAW_LINES + 1
    texts = pl.scan_ipc(path).slice(block, blocks).collect()["text"].to_list()
    lines = b"".join(texts).split(b"\n")
    skip = begin - block * RAW_LINES
    wanted = lines[skip : skip + end - begin + 1]
    return [line.removesuffix(b"\r").decode(errors="backslashreplace") for line in wanted]


def _connect(folder: Path, manifest: Manifest) -> duckdb.DuckDBPyConnection:
    """Open an empty database in memory, put a view over each table's files, and lock it."""
    try:
        import duckdb
    except ModuleNotFoundError as err:
        raise Unavailable("Reading reports needs: pip install 'ruleplay[raid]'") from err
    paths = [str(folder / name) for names in manifest.files.values() for name in names]
    connection = duckdb.connect(":memory:", config={"memory_limit": _MEMORY, "threads": 2})
    try:
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
    """The reports of a home folder. Safe to use from several threads; open ones are kept."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._lock = threading.Lock()
        self._open: dict[str, Report] = {}

    @property
    def home(self) -> Path:
        """The folder under which reports, and rankings, are kept."""
        return self._home

    def all(self) -> list[Manifest]:
        """Return every report's manifest, the newest import first."""
        return manifests(self._home)

    def codes(self) -> list[str]:
        """Return the codes, the newest import first."""
        return [one.code for one in self.all()]

    def newest(self) -> Report:
        """Open the newest report; NotFound when there is none."""
        codes = self.codes()
        if not codes:
            raise NotFound("no report is imported; run: ruleplay raid import WoWCombatLog.txt")
        return self.open(codes[0])

    def open(self, code: str) -> Report:
        """Open a report; one that has grown since is opened anew. NotFound lists the others."""
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

    def close(self) -> None:
        """Close all open reports."""
        with self._lock:
            opened, self._open = [*self._open.values()], {}
        for report in opened:
            report.close()


def open_reports(home: Path) -> Reports:
    """Return the reports under a home folder; there may be none yet."""
    folder = reports_folder(home)
    if folder.is_dir():
        remove_stale(folder)
    return Reports(home)
