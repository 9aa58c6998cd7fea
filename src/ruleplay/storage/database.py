"""A database by its URL, with the schema that this release stores in.

Work on it is a plain function of a connection. On PostgreSQL it runs over asyncpg; on SQLite in a
thread, as a whole: a thread for each statement would cost more than the statements.
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
from typing import TypeVar

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
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection, StaticPool

from ruleplay.errors import Away, Unavailable, UserError

SCHEMA = "0006"
BUSY_SECONDS = 30
"""Seconds that SQLite waits for another process that writes."""
CONNECTIONS = 10
"""Connections to PostgreSQL that a process opens; more bring it nothing but more to switch."""
WAIT = 30.0
"""Seconds that work waits for one of them."""
LAST_WORD = 5.0
"""Seconds that what still runs gets when a database is closed."""
READERS = 3
"""Threads in which SQLite reads; a single one writes, since it takes one writer at a time."""
PRIVATE, OTHERS = 0o600, 0o077
"""Permissions of a database's file: its owner's alone, and those that nobody else gets."""
_LOCK_MIGRATION = "SELECT pg_advisory_xact_lock(7274511)"
_PASSING = ("08", "40", "53", "57")
"""Classes of PostgreSQL errors that are over once the server is back or has room again."""
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

Result = TypeVar("Result")
Work = Callable[[Connection], Result]


class Database(ABC):
    """An opened database. What is passed to its methods is a function of a connection.

    Raises Away, which names what is wrong, while the database does not answer.
    """

    dialect: str
    loses_answers = False
    """Whether a commit may hold although its answer never came."""

    @abstractmethod
    async def run(self, work: Work[Result], *, writes: bool = False) -> Result:
        """Run statements that each hold by themselves: reading, and what a crash may lose.

        `writes` tells that there are some of the latter.
        """

    @abstractmethod
    async def keep(self, work: Work[Result], *, at_once: bool = False) -> Result:
        """Run statements in one transaction that outlives a crash once this returns.

        `at_once` tells that PostgreSQL gets a single one, which is a transaction by itself.
        """

    @abstractmethod
    async def close(self) -> None:
        """Close all connections."""


class Sqlite(Database):
    """A SQLite file: one thread writes, some read."""

    dialect = "sqlite"

    def __init__(self, url: URL) -> None:
        in_memory = url.database in (None, "", ":memory:")
        self._file = None if in_memory or _is_uri(url.database) else File.of(str(url.database))
        self.engine = _sqlite_engine(url, "FULL")
        # What may be lost in a crash need not wait for the disk; its order is kept all the same.
        self._light = self.engine if in_memory else _sqlite_engine(url, "NORMAL", autocommit=True)
        self._writer = _started(1, "ruleplay-writer")
        self._readers = self._writer if in_memory else _started(READERS, "ruleplay-store")

    async def run(self, work: Work[Result], *, writes: bool = False) -> Result:
        """Run statements that each hold by themselves."""
        threads = self._writer if writes else self._readers
        return await self._in_thread(threads, lambda: _connected(self._light, work))

    async def keep(self, work: Work[Result], *, at_once: bool = False) -> Result:
        """Run statements in one transaction."""
        return await self._in_thread(self._writer, lambda: _transacted(self.engine, work))

    async def _in_thread(self, threads: ThreadPoolExecutor, work: Callable[[], Result]) -> Result:
        with passing_errors():
            return await asyncio.get_running_loop().run_in_executor(threads, self._seen, work)

    def _seen(self, work: Callable[[], Result]) -> Result:
        """Run work on the file that was opened; what went elsewhere is never told as kept.

        SQLite goes on with a file that was deleted, and makes a new one for its next connection.
        """
        if self._file is None:
            return work()
        self._file.check()
        result = work()
        self._file.check()
        return result

    async def close(self) -> None:
        """Close all connections, after what still runs."""
        await asyncio.to_thread(self._end)

    def _end(self) -> None:
        for threads in (self._readers, self._writer):
            threads.shutdown()
        for engine in (self._light, self.engine):
            engine.dispose()


def _started(count: int, name: str) -> ThreadPoolExecutor:
    """Return threads that run: one begun when memory is short may wait for itself for ever."""
    threads, all_there = ThreadPoolExecutor(count, name), Barrier(count)
    for running in [threads.submit(all_there.wait, BUSY_SECONDS) for _ in range(count)]:
        running.result()
    return threads


@dataclass(frozen=True)
class File:
    """A database's file as it was when it was opened."""

    path: str
    device: int
    number: int

    @classmethod
    def of(cls, path: str) -> File:
        """Return a file as it stands."""
        found = os.stat(path)
        return cls(path, found.st_dev, found.st_ino)

    def check(self) -> None:
        """Raise Away when the file was removed or another one took its place."""
        with suppress(FileNotFoundError):
            if File.of(self.path) == self:
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
        # Parameters hold what people wrote: they stay out of errors, and so out of logs.
        self._light = create_async_engine(
            url,
            pool_size=CONNECTIONS,
            max_overflow=CONNECTIONS,  # for those who take one besides: who listens, and DBOS
            isolation_level="AUTOCOMMIT",
            skip_autocommit_rollback=True,
            hide_parameters=True,
        )
        event.listen(self._light.sync_engine, "checkout", _refuse_closed)
        self.engine: AsyncEngine = self._light.execution_options(isolation_level="READ COMMITTED")
        self._places = asyncio.Semaphore(CONNECTIONS)
        self._running, self._idle = 0, asyncio.Event()
        self._idle.set()

    async def run(self, work: Work[Result], *, writes: bool = False) -> Result:
        """Run statements that each hold by themselves."""
        async with self._place(), self._light.connect() as connection:
            return await connection.run_sync(work)

    async def keep(self, work: Work[Result], *, at_once: bool = False) -> Result:
        """Run statements in one transaction; a single statement needs none around it."""
        if at_once:
            return await self.run(work)
        async with self._place(), self.engine.begin() as connection:
            return await connection.run_sync(work)

    @asynccontextmanager
    async def _place(self) -> AsyncIterator[None]:
        """Wait for a place, in the order of coming: the pool would let latecomers overtake."""
        self._running += 1
        self._idle.clear()
        try:
            try:
                async with asyncio.timeout(WAIT if self._places.locked() else None):
                    await self._places.acquire()
            except TimeoutError as error:
                raise Away("the database does not answer: all places at it are taken") from error
            try:
                with passing_errors():
                    yield
            finally:
                self._places.release()
        finally:
            self._running -= 1
            if not self._running:
                self._idle.set()

    async def close(self) -> None:
        """Close all connections, after what still runs: it would leave its own open for good."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORD):
                await self._idle.wait()
        await self.engine.dispose()


async def connect(url: str) -> Database:
    """Connect, and bring the schema up to date.

    UserError when `url` is no database URL, Unavailable when the database cannot be used.
    """
    async with opened(url) as database:
        await _migrate(database)
    return database


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    """Connect without looking at the schema; what the block raises closes the database again."""
    # In a thread: a new file may have to wait for another process that makes it too.
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
        return Postgres(url)
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


@contextmanager
def passing_errors() -> Iterator[None]:
    """Turn errors that are over once the database is back into Away; others pass as they are."""
    try:
        yield
    except DBAPIError as error:
        if _passes(error):
            raise Away(f"the database does not answer: {_first_line(error.orig)}") from error
        raise
    except PoolTimeout as error:
        raise Away("the database does not answer: all connections to it are in use") from error
    except (OSError, MemoryError) as error:
        raise Away(f"the database does not answer: {_first_line(error)}") from error
    except Exception as error:
        # While it connects, SQLAlchemy (2.1) lets the driver's own errors through.
        if type(error).__module__.startswith("asyncpg"):
            raise Away(f"the database does not answer: {_first_line(error)}") from error
        raise


def _passes(error: DBAPIError) -> bool:
    # SQLite calls a file damaged, too, that the disk would not read just now.
    if getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in _DAMAGED:
        return True
    code = str(getattr(error.orig, "sqlstate", None) or "")
    away = isinstance(error, (OperationalError, InterfaceError)) or error.connection_invalidated
    return away or code.startswith(_PASSING)


def _first_line(error: BaseException | None) -> str:
    return str(error).partition("\n")[0] or type(error).__name__


def _connected(engine: Engine, work: Work[Result]) -> Result:
    with engine.connect() as connection:
        return work(connection)


def _transacted(engine: Engine, work: Work[Result]) -> Result:
    with engine.begin() as connection:
        return work(connection)


def _sqlite_engine(url: URL, synchronous: str, *, autocommit: bool = False) -> Engine:
    in_memory = {"poolclass": StaticPool} if url.database in (None, "", ":memory:") else {}
    engine = create_engine(
        url,
        hide_parameters=True,
        isolation_level="AUTOCOMMIT" if autocommit else "SERIALIZABLE",
        connect_args={"check_same_thread": False},
        pool_reset_on_return=None if autocommit else "rollback",
        **in_memory,
    )

    def prepare(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
        busy = f"busy_timeout={BUSY_SECONDS * 1000}"
        for pragma in (busy, "journal_mode=WAL", f"synchronous={synchronous}"):
            connection.execute(f"PRAGMA {pragma}").close()

    event.listen(engine, "connect", prepare)
    event.listen(engine, "handle_error", _leave_unwritable)
    return engine


def _leave_unwritable(context: ExceptionContext) -> None:
    """Open anew after SQLite could open its file for reading only, say for want of open files.

    It would never try again on that connection, which its pool hands out for good.
    """
    code = getattr(context.original_exception, "sqlite_errorcode", 0)
    if code & 0xFF == sqlite3.SQLITE_READONLY:
        context.is_disconnect = True


def _refuse_closed(
    connection: object, _entry: ConnectionPoolEntry, _proxy: PoolProxiedConnection
) -> None:
    """Take another connection instead of one that the server has closed meanwhile."""
    if connection.driver_connection.is_closed():  # type: ignore[attr-defined]  # asyncpg, untyped
        raise DisconnectionError("the server has closed this connection")


def _check_file(file: str | None) -> None:
    """Open a SQLite file once, and switch it to a write-ahead log for good."""
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
    """Make a new file the owner's alone, and an old one of this user's too, its logs with it.

    SQLite gives its logs the permissions of the file.
    """
    if not os.path.exists(file):
        _make_private(file)
    for path in (file, f"{file}-wal", f"{file}-shm"):
        with suppress(FileNotFoundError, PermissionError):
            if os.stat(path).st_mode & OTHERS:
                os.chmod(path, PRIVATE)


def _make_private(file: str) -> None:
    """Make an empty file under another name, and give it this one if no other process has by now.

    A file that SQLite may have open is never opened by other means: closing it would release all
    locks of this process, and another one take the write-ahead log away.
    """
    new = f"{file}.{secrets.token_hex(6)}.new"
    os.close(os.open(new, os.O_CREAT | os.O_EXCL, PRIVATE))
    try:
        with suppress(FileExistsError):
            os.link(new, file)
    except OSError:  # a file system without links
        with suppress(FileExistsError):
            os.close(os.open(file, os.O_CREAT | os.O_EXCL, PRIVATE))
    finally:
        os.unlink(new)


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


async def _migrate(database: Database) -> None:
    """Run Alembic unless the schema is current; loading it costs more than the check."""
    if await schema_of(database) == SCHEMA:
        return
    from alembic.util import CommandError

    from ruleplay.storage.migrations.upgrade import upgrade

    def work(connection: Connection) -> None:
        begin_alone(connection)
        try:
            upgrade(connection)
        except CommandError as error:
            raise Unavailable(
                f"the database was made by a newer release; upgrade ruleplay ({error})"
            ) from error

    await database.keep(work)


def begin_alone(connection: Connection) -> None:
    """Keep other processes from changing tables; SQLite's driver would commit each by itself."""
    sqlite = connection.dialect.name == "sqlite"
    connection.exec_driver_sql("BEGIN IMMEDIATE" if sqlite else _LOCK_MIGRATION)


async def schema_of(database: Database) -> str | None:
    """Return the revision of a database's schema; None when it has none."""

    def work(connection: Connection) -> str | None:
        try:
            return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        except DBAPIError:
            return None

    return await database.run(work)
