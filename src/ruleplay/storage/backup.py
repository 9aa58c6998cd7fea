"""Backups: a whole database in one file, in the same format for SQLite and PostgreSQL.

The file is gzipped JSON lines: a header with the schema's revision, the rows of all tables from one
snapshot, and a trailer with row counts and a checksum. A restore creates the schema of that
revision, inserts the rows and then migrates, so a backup opens in every later release and on either
database.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import IO, TYPE_CHECKING

from pydantic import BaseModel
from sqlalchemy import Connection, MetaData, Table, func, insert, inspect, select, text

from ruleplay.errors import Conflict, Unavailable, UserError
from ruleplay.storage.database import Database, begin_exclusive, opened, schema_of
from ruleplay.storage.migrations.upgrade import upgrade

if TYPE_CHECKING:
    from typing import Any

FORMAT = "ruleplay-backup"
TABLES = ("prompts", "rule_data", "sessions", "turns", "histories")
"""Tables in the order of their restore; leases are left out, as their holders are gone by then."""
BATCH = 500
"""Rows that are read or inserted at a time."""
_BEGIN_SNAPSHOT = {
    "sqlite": "BEGIN",
    "postgresql": "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
}


class Backup(BaseModel, frozen=True):
    """The contents of a backup file: its schema's revision, and row counts by table."""

    file: str
    schema_version: str
    taken: str
    rows: dict[str, int]


async def backup(database: Database, file: Path) -> Backup:
    """Write a backup from one consistent snapshot, while turns go on.

    The file appears only when it is complete, with mode 600, because it holds all conversations.
    Raises Conflict if it exists already.
    """
    if await asyncio.to_thread(file.exists):
        raise Conflict(f"{str(file)!r} exists already; name another file")
    schema = await schema_of(database)
    if schema is None:
        raise Unavailable("the database is empty: there is nothing to back up yet")
    part = file.with_name(f"{file.name}.part")

    def work(connection: Connection) -> Backup:
        connection.exec_driver_sql(_BEGIN_SNAPSHOT[connection.dialect.name])
        with _new_file(part) as out:
            return _write(connection, out, schema, str(file))

    try:
        archived = await database.keep(work)
        await asyncio.to_thread(os.replace, part, file)
    finally:
        await asyncio.to_thread(part.unlink, missing_ok=True)
    return archived


def _write(connection: Connection, out: _ChecksummedLines, schema: str, file: str) -> Backup:
    taken = datetime.now(UTC).isoformat(timespec="seconds")
    out.line({"format": FORMAT, "schema": schema, "taken": taken})
    known, rows = MetaData(), {}
    for name in _existing_tables(connection):
        table = Table(name, known, autoload_with=connection)
        rows[name] = 0
        found = connection.execution_options(yield_per=BATCH).execute(select(table)).mappings()
        for row in found:
            out.line({"table": name, "row": dict(row)})
            rows[name] += 1
    out.line({"end": rows, "sha256": out.sum})
    return Backup(file=file, schema_version=schema, taken=taken, rows=rows)


def _existing_tables(connection: Connection) -> list[str]:
    """List the tables that exist in the connected schema, which may be an older one."""
    return [name for name in TABLES if inspect(connection).has_table(name)]


async def restore(url: str, file: Path, *, force: bool = False) -> Backup:
    """Replace a database's contents with a backup, in one transaction.

    Raises Conflict if there are sessions already, unless `force` discards them; UserError if the
    file is damaged or no backup.
    """
    head = check(file)
    async with opened(url) as database:

        def work(connection: Connection) -> None:
            begin_exclusive(connection)
            _make_empty(connection, force=force)
            upgrade(connection, head.schema_version)
            known = MetaData()
            for name in _existing_tables(connection):
                table = Table(name, known, autoload_with=connection)
                for batch in _batches(file, name):
                    connection.execute(insert(table), batch)
            upgrade(connection)

        await database.keep(work)
    await database.close()
    return head


def check(file: Path) -> Backup:
    """Read a whole backup file, verify its counts and checksum, and return what it holds.

    Raises UserError if it is damaged or no backup.
    """
    rows, end, summed, head = dict.fromkeys(TABLES, 0), None, sha256(), None
    for line in _lines(file):
        record = json.loads(line)
        if head is None:
            head = record
            if record.get("format") != FORMAT:
                break
        if "end" in record:
            # An older release had fewer tables and left the others out of its counts.
            rows, end = {**record["end"], **{n: c for n, c in rows.items() if c}}, record
            break
        summed.update(line)
        if "table" in record:
            rows[record["table"]] += 1
    if head is None or head.get("format") != FORMAT:
        raise UserError(f"{str(file)!r} is not a backup made by ruleplay")
    if end is None or end != {"end": rows, "sha256": summed.hexdigest()}:
        raise UserError(f"{str(file)!r} is damaged or cut off; nothing was restored")
    return Backup(file=str(file), schema_version=head["schema"], taken=head["taken"], rows=rows)


def _make_empty(connection: Connection, *, force: bool) -> None:
    """Drop our tables; Conflict if there are sessions in them and `force` is not set."""
    known = MetaData()
    known.reflect(connection)
    found, count = known.tables.get("sessions"), 0
    if found is not None:
        count = connection.execute(select(func.count()).select_from(found)).scalar() or 0
    if count and not force:
        raise Conflict(
            f"the database holds {count:,} sessions; restore into an empty one, or discard them "
            "with --force"
        )
    for name in (*TABLES, "leases", "alembic_version"):
        if name in known.tables:
            connection.execute(text(f"DROP TABLE {name}"))


def _batches(file: Path, name: str) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    for line in _lines(file):
        record = json.loads(line)
        if record.get("table") == name:
            batch.append(record["row"])
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _lines(file: Path) -> Iterator[bytes]:
    try:
        with gzip.open(file) as unpacked:
            yield from unpacked
    except FileNotFoundError as error:
        raise UserError(f"there is no file {str(file)!r}") from error
    except (OSError, EOFError) as error:
        raise UserError(f"{str(file)!r} is damaged or cut off; nothing was restored") from error


class _ChecksummedLines:
    """Writes JSON lines to a file and keeps their checksum."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out, self._sum = out, sha256()

    @property
    def sum(self) -> str:
        """SHA-256 of all lines so far, in hex."""
        return self._sum.hexdigest()

    def line(self, record: dict[str, object]) -> None:
        """Write an object as one line of JSON."""
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        self._sum.update(line)
        self._out.write(line)


@contextmanager
def _new_file(file: Path) -> Iterator[_ChecksummedLines]:
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as raw:
            with gzip.GzipFile(fileobj=raw, mode="wb", filename="", compresslevel=6) as out:
                yield _ChecksummedLines(out)  # type: ignore[arg-type]  # GzipFile is a binary file
            raw.flush()
            # On disk before the rename: else a power cut could leave an empty file in its place.
            os.fsync(raw.fileno())
    except OSError as error:
        raise Unavailable(f"the backup cannot be written: {error}") from error
