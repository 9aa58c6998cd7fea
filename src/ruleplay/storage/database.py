"""Connections to SQLite or PostgreSQL, opened by URL and migrated to this release's schema.

Callers pass a plain function of a SQLAlchemy connection. On PostgreSQL it runs over asyncpg. On
SQLite the whole function runs in a thread: a thread switch per statement, as aiosqlite has it,
costs more than the statements (docs/decisions/0021).
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass
from threading import Barrier
from time import monotonic, sleep
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    ExceptionContext,
    create_engine,
    event,
    make_url,
    text,
)
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    DisconnectionError,
    InterfaceError,
    InvalidRequestError,
    OperationalError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection, QueuePool, StaticPool

from ruleplay.errors import Away, Unavailable, UserError

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine

SCHEMA = "0006"
BUSY_SECONDS = 30
"""Seconds that SQLite waits while another process writes (its busy timeout)."""
CONNECTIONS = 10
"""PostgreSQL connections of a process: one event loop cannot keep more of them busy."""
SLOT_SECONDS = 30.0
"""Seconds that work waits for a free connection before it raises Away."""
CLOSE_SECONDS = 5.0
"""Seconds that running work gets to finish when the database is closed."""
RETURNED_SECONDS = 0.01
"""Seconds between two looks whether all connections were given back."""
READ_THREADS = 3
"""SQLite reader threads. There is one writer thread, as SQLite allows one writer at a time."""
OWNER_ONLY, GROUP_AND_OTHERS = 0o600, 0o077
"""Mode of a database file, and the mode bits that are removed from an existing one."""
# The number is arbitrary, but all releases must use the same one to exclude each other.
_LOCK_MIGRATION = "SELECT pg_advisory_xact_lock(7274511)"
_TRANSIENT = ("08", "40", "53", "57")
"""SQLSTATE classes worth a retry: connection, rollback, resources, operator intervention."""
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

Result = TypeVar("Result")
Work = Callable[[Connection], Result]


class Database(ABC):
    """An open database; its methods take a function of a connection and return its result.

    Every method raises Away, with the reason, while the database does not answer.
    """

    dialect: str
    loses_answers = False
    """Whether a commit can succeed and its acknowledgement be lost, as over a network."""

    @abstractmethod
    async def run(self, work: Work[Result], *, writes: bool = False) -> Result:
        """Run statements in autocommit mode: reads, and writes that a crash may lose.

        Pass `writes=True` if there are any of the latter, so that SQLite uses its writer thread.
        """

    @abstractmethod
    async def keep(self, work: Work[Result], *, one_statement: bool = False) -> Result:
        """Run statements in one transaction, which is durable once this returns.

        `one_statement` says that the work sends PostgreSQL a single statement: that is atomic
        by itself, so the round trips of BEGIN and COMMIT are saved.
        """

    @abstractmethod
    async def close(self) -> None:
        """Close all connections."""


class Sqlite(Database):
    """A SQLite file with one writer thread and several reader threads."""

    dialect = "sqlite"

    def __init__(self, url: URL) -> None:
        in_memory = url.database in (None, "", ":memory:")
        self._file = (
            None if in_memory or _is_uri(url.database) else FileIdentity.of(str(url.database))
        )
        self.engine = _sqlite_engine(url, "FULL")
        # In WAL mode NORMAL saves the fsync at commits: a power cut loses the newest writes only.
        self._autocommit = (
            self.engine if in_memory else _sqlite_engine(url, "NORMAL", autocommit=True)
        )
        self._writer = _start_threads(1, "ruleplay-writer")
        self._readers = (
            self._writer if in_memory else _start_threads(READ_THREADS, "ruleplay-store")
        )

    async def run(self, work: Work[Result], *, writes: bool = False) -> Result:
        """Run statements in autocommit mode."""
        threads = self._writer if writes else self._readers
        return await self._in_thread(threads, lambda: _with_connection(self._autocommit, work))

    async def keep(self, work: Work[Result], *, one_statement: bool = False) -> Result:
        """Run statements in one transaction."""
        return await self._in_thread(self._writer, lambda: _in_transaction(self.engine, work))

    async def _in_thread(self, threads: ThreadPoolExecutor, work: Callable[[], Result]) -> Result:
        with transient_errors():
            return await asyncio.get_running_loop().run_in_executor(
                threads, self._run_on_same_file, work
            )

    def _run_on_same_file(self, work: Callable[[], Result]) -> Result:
        """Run work, and raise Away if the file was deleted or replaced before or meanwhile.

        SQLite would not notice: an open connection goes on writing to the deleted file, and a new
        connection creates another. Such a write must not be reported as stored.
        """
        if self._file is None:
            return work()
        self._file.check()
        result = work()
        self._file.check()
        return result

    async def close(self) -> None:
        """Wait for running work, then close all connections."""
        await asyncio.to_thread(self._end)

    def _end(self) -> None:
        for threads in (self._readers, self._writer):
            threads.shutdown()
        for engine in (self._autocommit, self.engine):
            engine.dispose()


def _start_threads(count: int, name: str) -> ThreadPoolExecutor:
    """Start all threads of a pool now instead of on first use.

    `ThreadPoolExecutor` starts threads lazily; when memory is short then, `Thread.start` can wait
    for ever for a thread that never came up. The barrier keeps each thread busy until all run.
    """
    threads, all_running = ThreadPoolExecutor(count, name), Barrier(count)
    for running in [threads.submit(all_running.wait, BUSY_SECONDS) for _ in range(count)]:
        running.result()
    return threads


@dataclass(frozen=True)
class FileIdentity:
    """A file's path with the device and inode it had when the database was opened."""

    path: str
    device: int
    inode: int

    @classmethod
    def of(cls, path: str) -> FileIdentity:
        """Read a file's identity now; FileNotFoundError if there is none."""
        found = os.stat(path)
        return cls(path, found.st_dev, found.st_ino)

    def check(self) -> None:
        """Raise Away if the file was removed or replaced."""
        with suppress(FileNotFoundError):
            if FileIdentity.of(self.path) == self:
                return
        raise Away(
            "the database's file was removed or replaced while it was open; put it back, or stop"
            " all processes that use it and start them again"
        )


class Postgres(Database):
    """A PostgreSQL database over asyncpg."""

    dialect = "postgresql"
    loses_answers = True

    def __init__(self, url: URL) -> None:
        # Brings all of SQLAlchemy's ORM: a sixth of what a process on SQLite would import.
        from sqlalchemy.ext.asyncio import create_async_engine

        self._autocommit = create_async_engine(
            url,
            pool_size=CONNECTIONS,
            max_overflow=CONNECTIONS,  # for the relay's LISTEN and for DBOS, which take no slot
            isolation_level="AUTOCOMMIT",
            skip_autocommit_rollback=True,
            hide_parameters=True,  # they hold what people wrote, which must not reach the logs
        )
        event.listen(self._autocommit.sync_engine, "checkout", _check_open)
        self.engine: AsyncEngine = self._autocommit.execution_options(
            isolation_level="READ COMMITTED"
        )
        self._slots = asyncio.Semaphore(CONNECTIONS)
        self._running, self._idle = 0, asyncio.Event()
        self._idle.set()

    async def run(self, work: Work[Result], *, writes: bool = False) -> Result:
        """Run statements in autocommit mode."""
        async with self._slot(), self._autocommit.connect() as connection:
            return await connection.run_sync(work)

    async def keep(self, work: Work[Result], *, one_statement: bool = False) -> Result:
        """Run statements in one transaction; a single statement runs in autocommit mode."""
        if one_statement:
            return await self.run(work)
        async with self._slot(), self.engine.begin() as connection:
            return await connection.run_sync(work)

    @asynccontextmanager
    async def _slot(self) -> AsyncIterator[None]:
        """Wait for a free connection, first come first served, which SQLAlchemy's pool is not."""
        self._running += 1
        self._idle.clear()
        try:
            try:
                async with asyncio.timeout(SLOT_SECONDS if self._slots.locked() else None):
                    await self._slots.acquire()
            except TimeoutError as error:
                raise Away("the database does not answer: all connections are in use") from error
            try:
                with transient_errors():
                    yield
            finally:
                self._slots.release()
        finally:
            self._running -= 1
            if not self._running:
                self._idle.set()

    async def close(self) -> None:
        """Wait for connections in use first, since `dispose` does not close them."""
        pool = self.engine.pool
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._idle.wait()
                # Those of the relay and DBOS, which take no slot; no event tells their return.
                while isinstance(pool, QueuePool) and pool.checkedout():  # noqa: ASYNC110
                    await asyncio.sleep(RETURNED_SECONDS)
        await self.engine.dispose()


async def connect(url: str) -> Database:
    """Connect and migrate the schema; UserError for a bad URL, Unavailable if that fails."""
    async with opened(url) as database:
        await _migrate(database)
    return database


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    """Connect without checking the schema; an exception in the block closes the database."""
    # In a thread: it may have to wait for another process that creates the same file.
    database = await asyncio.to_thread(_open, url)
    try:
        yield database
    except BaseException as error:
        await database.close()
        if isinstance(error, (OSError, DBAPIError, Away)):
            raise Unavailable(f"cannot open the database: {error}") from error
        raise


def _open(text_url: str) -> Database:
    try:
        url = make_url(text_url)
        if url.get_backend_name() == "sqlite":
            if url.get_driver_name() not in ("aiosqlite", "pysqlite"):
                raise InvalidRequestError("no such driver")
            _check_file(url.database)
            return Sqlite(url.set(drivername="sqlite"))
        if url.get_backend_name() != "postgresql":
            raise InvalidRequestError("no such database")
        if url.drivername == "postgresql":  # as hosting services write it
            url = url.set(drivername="postgresql+asyncpg")
        return Postgres(url)
    except ModuleNotFoundError as error:
        raise Unavailable(
            f"no driver {error.name!r}; install it with: pip install 'ruleplay[postgres]'"
        ) from error
    except (ArgumentError, InvalidRequestError, ValueError) as error:
        # The URL is not quoted: it may hold a password.
        raise UserError(
            "the database URL cannot be used; write sqlite+aiosqlite:///PATH or "
            f"postgresql+asyncpg://USER:PASSWORD@HOST/NAME ({type(error).__name__})"
        ) from error


@contextmanager
def transient_errors() -> Iterator[None]:
    """Raise Away in place of errors that a retry may cure; let all others through."""
    try:
        yield
    except DBAPIError as error:
        if _is_transient(error):
            raise Away(f"the database does not answer: {_first_line(error.orig)}") from error
        raise
    except PoolTimeout as error:
        raise Away("the database does not answer: all connections to it are in use") from error
    except (OSError, MemoryError) as error:
        raise Away(f"the database does not answer: {_first_line(error)}") from error
    except Exception as error:
        # While connecting, SQLAlchemy 2.1 does not wrap asyncpg's own exceptions in DBAPIError.
        if type(error).__module__.startswith("asyncpg"):
            raise Away(f"the database does not answer: {_first_line(error)}") from error
        raise


def _is_transient(error: DBAPIError) -> bool:
    # SQLite reports CORRUPT or NOTADB also for a read error of the disk, which may be temporary.
    # The low byte of an extended result code is the primary one (sqlite.org/rescode.html).
    if getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in _DAMAGED:
        return True
    code = str(getattr(error.orig, "sqlstate", None) or "")
    away = isinstance(error, (OperationalError, InterfaceError)) or error.connection_invalidated
    return away or code.startswith(_TRANSIENT)


def _first_line(error: BaseException | None) -> str:
    return str(error).partition("\n")[0] or type(error).__name__


def _with_connection(engine: Engine, work: Work[Result]) -> Result:
    with engine.connect() as connection:
        return work(connection)


def _in_transaction(engine: Engine, work: Work[Result]) -> Result:
    with engine.begin() as connection:
        return work(connection)


def _sqlite_engine(url: URL, synchronous: str, *, autocommit: bool = False) -> Engine:
    in_memory = {"poolclass": StaticPool} if url.database in (None, "", ":memory:") else {}
    engine = create_engine(
        url,
        hide_parameters=True,
        isolation_level="AUTOCOMMIT" if autocommit else "SERIALIZABLE",
        connect_args={"check_same_thread": False},  # the pool hands connections between threads
        pool_reset_on_return=None if autocommit else "rollback",
        **in_memory,
    )

    def prepare(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
        # The timeout comes first: switching the journal mode already needs a lock.
        busy = f"busy_timeout={BUSY_SECONDS * 1000}"
        for pragma in (busy, "journal_mode=WAL", f"synchronous={synchronous}"):
            connection.execute(f"PRAGMA {pragma}").close()

    event.listen(engine, "connect", prepare)
    event.listen(engine, "handle_error", _drop_read_only)
    return engine


def _drop_read_only(context: ExceptionContext) -> None:
    """Discard a connection on which SQLite could open its file only for reading.

    That happens when the process has run out of file descriptors, for example. The connection
    stays read-only for its lifetime, and the pool would keep handing it out.
    """
    code = getattr(context.original_exception, "sqlite_errorcode", 0)
    if code & 0xFF == sqlite3.SQLITE_READONLY:
        context.is_disconnect = True


def _check_open(
    connection: object, _entry: ConnectionPoolEntry, _proxy: PoolProxiedConnection
) -> None:
    """Make the pool replace a closed connection; `pool_pre_ping` would cost a round trip."""
    if connection.driver_connection.is_closed():  # type: ignore[attr-defined]  # asyncpg, untyped
        raise DisconnectionError("the server has closed this connection")


def _check_file(file: str | None) -> None:
    """Create a SQLite file if need be and switch it to WAL mode, which the file keeps."""
    if not file or file == ":memory:" or _is_uri(file):
        return
    try:
        _keep_private(file)
        with closing(sqlite3.connect(file)) as connection:
            _use_write_ahead_log(connection)
    except (sqlite3.Error, OSError) as error:
        raise Unavailable(f"cannot open the database {file!r}: {error}") from error


def _is_uri(file: str | None) -> bool:
    return bool(file) and str(file).startswith("file:")


def _keep_private(file: str) -> None:
    """Create a file, or restrict an existing one and its logs, so that only its owner has access.

    SQLite creates new logs with the mode of the file.
    """
    if not os.path.exists(file):
        _make_private(file)
    for path in (file, f"{file}-wal", f"{file}-shm"):
        with suppress(FileNotFoundError, PermissionError):
            if os.stat(path).st_mode & GROUP_AND_OTHERS:
                os.chmod(path, OWNER_ONLY)


def _make_private(file: str) -> None:
    """Create an empty file under a temporary name and link it, unless another process was faster.

    Never open a file here that SQLite may have open: closing any descriptor of it drops all POSIX
    locks of the process, and another process could then delete the write-ahead log
    (https://sqlite.org/howtocorrupt.html, 2.2).
    """
    new = f"{file}.{secrets.token_hex(6)}.new"
    os.close(os.open(new, os.O_CREAT | os.O_EXCL, OWNER_ONLY))
    try:
        with suppress(FileExistsError):
            os.link(new, file)
    except OSError:  # a file system without links
        with suppress(FileExistsError):
            os.close(os.open(file, os.O_CREAT | os.O_EXCL, OWNER_ONLY))
    finally:
        os.unlink(new)


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    # When two processes switch a new file at once, SQLite refuses one without waiting for the
    # busy timeout, so the waiting is done here.
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


async def _migrate(database: Database) -> None:
    """Migrate the schema; Alembic, which is slow to import, is loaded only when needed."""
    if await schema_of(database) == SCHEMA:
        return
    from alembic.util import CommandError

    from ruleplay.storage.migrations.upgrade import upgrade

    def work(connection: Connection) -> None:
        begin_exclusive(connection)
        try:
            upgrade(connection)
        except CommandError as error:
            raise Unavailable(
                f"the database was made by a newer release; upgrade ruleplay ({error})"
            ) from error

    await database.keep(work)


def begin_exclusive(connection: Connection) -> None:
    """Begin a transaction that excludes other migrations; SQLite's driver begins none for DDL."""
    sqlite = connection.dialect.name == "sqlite"
    connection.exec_driver_sql("BEGIN IMMEDIATE" if sqlite else _LOCK_MIGRATION)


async def schema_of(database: Database) -> str | None:
    """Return the Alembic revision of a database's schema, None for an empty database."""

    def work(connection: Connection) -> str | None:
        try:
            return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        except DBAPIError:
            return None

    return await database.run(work)
