"""A connection to a database by its URL, with the schema that this release stores in.

SQLite and PostgreSQL are opened by the same call; what SQLite needs done first is done here.
"""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from time import monotonic, sleep

from sqlalchemy import event, text
from sqlalchemy.exc import ArgumentError, DBAPIError, InvalidRequestError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from ruleplay.foundation.errors import Unavailable, UserError

SCHEMA = "0001"
BUSY_SECONDS = 30
"""Seconds that SQLite waits for another writer."""
_LOCK_MIGRATION = "SELECT pg_advisory_xact_lock(7274511)"


async def connect(url: str) -> AsyncEngine:
    """Connect, and bring the schema up to date.

    UserError when `url` is no database URL, Unavailable when the database cannot be used.
    """
    # In a thread: a new file may have to wait for another process that makes it too.
    engine = await asyncio.to_thread(_engine, url)
    try:
        await _migrate(engine)
    except BaseException as error:
        await engine.dispose()
        if isinstance(error, (OSError, DBAPIError)):
            raise Unavailable(f"cannot open the database: {error}") from error
        raise
    return engine


def _engine(url: str) -> AsyncEngine:
    options = {} if url.startswith("sqlite") else {"pool_pre_ping": True, "pool_size": 10}
    try:
        engine = create_async_engine(url, **options)
    except ModuleNotFoundError as error:
        raise Unavailable(
            f"no driver {error.name!r}; install it with: pip install 'ruleplay[postgres]'"
        ) from error
    except (ArgumentError, InvalidRequestError) as error:
        # The URL is not quoted: it may hold a password.
        raise UserError(
            "the database URL cannot be used; write sqlite+aiosqlite:///PATH or "
            f"postgresql+asyncpg://USER:PASSWORD@HOST/NAME ({type(error).__name__})"
        ) from error
    if url.startswith("sqlite"):
        _check_file(engine.url.database)
        event.listen(engine.sync_engine, "connect", _prepare_sqlite)
    return engine


def _check_file(file: str | None) -> None:
    """Open a SQLite file once before aiosqlite does, and switch it to a write-ahead log for good.

    The thread of aiosqlite outlives a connection that fails, and then writes to an event loop that
    is gone (aiosqlite 0.22: `_connect` does not await `stop`).
    """
    if not file or file == ":memory:" or file.startswith("file:"):
        return
    try:
        with closing(sqlite3.connect(file)) as connection:
            _use_write_ahead_log(connection)
    except sqlite3.Error as error:
        raise Unavailable(f"cannot open the database {file!r}: {error}") from error


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    # Of two that switch a new file at once SQLite refuses one, whatever its busy timeout.
    give_up = monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > give_up:
                raise
            sleep(0.01)
        else:
            return


def _prepare_sqlite(connection: object, _entry: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()  # type: ignore[attr-defined]  # DBAPI connection, untyped
    for pragma in (f"busy_timeout={BUSY_SECONDS * 1000}", "journal_mode=WAL", "synchronous=FULL"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


async def _migrate(engine: AsyncEngine) -> None:
    """Run Alembic unless the schema is current; loading it costs more than the check."""
    if await _schema(engine) == SCHEMA:
        return
    from alembic.util import CommandError

    from ruleplay.foundation.migrations.upgrade import upgrade

    # One process at a time. SQLite's driver would otherwise commit each table by itself.
    alone = "BEGIN IMMEDIATE" if engine.dialect.name == "sqlite" else _LOCK_MIGRATION
    async with engine.begin() as connection:
        await connection.exec_driver_sql(alone)
        try:
            await connection.run_sync(upgrade)
        except CommandError as error:
            raise Unavailable(
                f"the database was made by a newer release; upgrade ruleplay ({error})"
            ) from error


async def _schema(engine: AsyncEngine) -> str | None:
    async with engine.connect() as connection:
        try:
            found = await connection.execute(text("SELECT version_num FROM alembic_version"))
        except DBAPIError:
            return None
        return found.scalar()
