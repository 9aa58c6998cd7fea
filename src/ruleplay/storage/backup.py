"""Backups: a whole database as one file, the same for SQLite and PostgreSQL.

The file is gzip of JSON lines: a head with the schema it was taken from, the rows of each table as
one moment saw them, and an end with their number and a checksum. It is restored in the schema it
came from and then brought up to date, so that a backup opens in every later release and on either
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
from ruleplay.storage.database import Database, begin_alone, opened, schema_of
from ruleplay.storage.migrations.upgrade import upgrade

if TYPE_CHECKING:
    from typing import Any

FORMAT = "ruleplay-backup"
TABLES = ("prompts", "rule_data", "sessions", "turns", "histories")
"""What is backed up, in the order in which it is restored; leases are nobody's after a restore."""
BATCH = 500
"""Rows that are written at a time."""
_ONE_MOMENT = {
    "sqlite": "BEGIN",
    "postgresql": "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
}


class Archived(BaseModel, frozen=True):
    """What a backup holds or a restore brought: its schema, and rows by table."""

    file: str
    schema_version: str
    taken: str
    rows: dict[str, int]


async def backup(database: Database, file: Path) -> Archived:
    """Write a backup of one moment while turns go on; Conflict when the file exists.

    The file is whole or not there, and readable by its owner only: it holds everything.
    """
    if await asyncio.to_thread(file.exists):
        raise Conflict(f"{str(file)!r} exists already; name another file")
    schema = await schema_of(database)
    if schema is None:
        raise Unavailable("the database holds nothing of ruleplay yet")
    part = file.with_name(f"{file.name}.part")

    def work(connection: Connection) -> Archived:
        connection.exec_driver_sql(_ONE_MOMENT[connection.dialect.name])
        with _written(part) as out:
            return _write(connection, out, schema, str(file))

    try:
        archived = await database.keep(work)
        await asyncio.to_thread(os.replace, part, file)
    finally:
        await asyncio.to_thread(part.unlink, missing_ok=True)
    return archived


def _write(connection: Connection, out: _Summed, schema: str, file: str) -> Archived:
    taken = datetime.now(UTC).isoformat(timespec="seconds")
    out.line({"format": FORMAT, "schema": schema, "taken": taken})
    known, rows = MetaData(), {}
    for name in _there(connection):
        table = Table(name, known, autoload_with=connection)
        rows[name] = 0
        found = connection.execution_options(yield_per=BATCH).execute(select(table)).mappings()
        for row in found:
            out.line({"table": name, "row": dict(row)})
            rows[name] += 1
    out.line({"end": rows, "sha256": out.sum})
    return Archived(file=file, schema_version=schema, taken=taken, rows=rows)


def _there(connection: Connection) -> list[str]:
    """Return the tables that a schema has; later releases have more."""
    return [name for name in TABLES if inspect(connection).has_table(name)]


async def restore(url: str, file: Path, *, force: bool = False) -> Archived:
    """Bring a backup into a database, all of it or nothing.

    Conflict when there are sessions already, unless `force` lets them go; UserError when the file
    is no whole backup.
    """
    head = check(file)
    async with opened(url) as database:

        def work(connection: Connection) -> None:
            begin_alone(connection)
            _make_empty(connection, force=force)
            upgrade(connection, head.schema_version)
            known = MetaData()
            for name in _there(connection):
                table = Table(name, known, autoload_with=connection)
                for batch in _batches(file, name):
                    connection.execute(insert(table), batch)
            upgrade(connection)

        await database.keep(work)
    await database.close()
    return head


def check(file: Path) -> Archived:
    """Read a backup to its end and return what it holds; UserError when it is damaged."""
    rows, end, summed, head = dict.fromkeys(TABLES, 0), None, sha256(), None
    for line in _lines(file):
        told = json.loads(line)
        if head is None:
            head = told
            if told.get("format") != FORMAT:
                break
        if "end" in told:
            # A release with fewer tables does not count the others.
            rows, end = {**told["end"], **{n: c for n, c in rows.items() if c}}, told
            break
        summed.update(line)
        if "table" in told:
            rows[told["table"]] += 1
    if head is None or head.get("format") != FORMAT:
        raise UserError(f"{str(file)!r} is no backup of ruleplay")
    if end is None or end != {"end": rows, "sha256": summed.hexdigest()}:
        raise UserError(f"{str(file)!r} is damaged or cut off; nothing was restored")
    return Archived(file=str(file), schema_version=head["schema"], taken=head["taken"], rows=rows)


def _make_empty(connection: Connection, *, force: bool) -> None:
    """Drop all tables of ours; Conflict when there are sessions in them that may not go."""
    known = MetaData()
    known.reflect(connection)
    found, count = known.tables.get("sessions"), 0
    if found is not None:
        count = connection.execute(select(func.count()).select_from(found)).scalar() or 0
    if count and not force:
        raise Conflict(
            f"the database holds {count:,} sessions; restore into an empty one, or let them go "
            "with --force"
        )
    for name in (*TABLES, "leases", "alembic_version"):
        if name in known.tables:
            connection.execute(text(f"DROP TABLE {name}"))


def _batches(file: Path, name: str) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    for line in _lines(file):
        told = json.loads(line)
        if told.get("table") == name:
            batch.append(told["row"])
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


class _Summed:
    """Lines on their way into a file, and the checksum of them."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out, self._sum = out, sha256()

    @property
    def sum(self) -> str:
        """The checksum of what was written."""
        return self._sum.hexdigest()

    def line(self, told: dict[str, object]) -> None:
        """Write an object as a line."""
        line = json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        self._sum.update(line)
        self._out.write(line)


@contextmanager
def _written(file: Path) -> Iterator[_Summed]:
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as raw:
            with gzip.GzipFile(fileobj=raw, mode="wb", filename="", compresslevel=6) as out:
                yield _Summed(out)  # type: ignore[arg-type]  # GzipFile is a binary file
            raw.flush()
            os.fsync(raw.fileno())
    except OSError as error:
        raise Unavailable(f"the backup cannot be written: {error}") from error
