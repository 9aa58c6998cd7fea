"""What holds for every test: chance is the same in each run, and no machine is too slow."""

from __future__ import annotations

import asyncio
import gc
import ssl
from collections.abc import Callable, Iterator
from functools import cache

import httpcore2
import pytest
from hypothesis import HealthCheck, settings
from sqlalchemy import URL, Connection, Engine
from tests.samples import sample

from ruleplay.kernel.host import Host
from ruleplay.records.turns import Head
from ruleplay.storage import database
from ruleplay.storage.migrations import upgrade

SEED = "0001000100010001"
settings.register_profile(
    "ruleplay",
    deadline=None,
    max_examples=sample(40, 100),
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ruleplay")


def pytest_collection() -> None:
    """Look for no garbage while modules are loaded: nearly all that they make stays."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Take what stays for the whole run, modules and tests, from the garbage collector.

    What little garbage there is among it may stay as well: to look for it takes most of a second.
    """
    gc.freeze()
    gc.set_threshold(50_000)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def closed_loops() -> Iterator[None]:
    """Fail the run when an event loop is left that neither runs nor was closed.

    Python would warn of it when the process ends, where no test can fail any more. What is left
    then are caches, which nobody has to look through again before the process is gone.
    """
    yield
    if left_loops():  # or it is garbage already: to look for that takes seconds
        gc.collect()
        assert left_loops() == []
    gc.freeze()


def left_loops() -> list[asyncio.AbstractEventLoop]:
    """Return the event loops that neither run nor were closed."""
    every = gc.get_objects()
    kinds = {kind for kind in set(map(type, every)) if issubclass(kind, asyncio.AbstractEventLoop)}
    loops = [one for one in every if type(one) in kinds]
    return [one for one in loops if not one.is_running() and not one.is_closed()]


@pytest.fixture(scope="session", autouse=True)
def certified() -> Iterator[None]:
    """Read the authorities' certificates once: every client of HTTP reads them, for 20 ms."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", cache(ssl.create_default_context))
        patch.setattr(httpcore2, "default_ssl_context", cache(httpcore2.default_ssl_context))
        yield


@pytest.fixture(scope="session", autouse=True)
def seeded() -> Iterator[None]:
    """Give sessions that are created without a seed the same dice in every run."""
    create = Host.create

    async def with_a_seed(host: Host, *given: object, **named: object) -> Head:
        named["seed"] = named.get("seed") or SEED
        return await create(host, *given, **named)  # type: ignore[arg-type]  # handed on as given

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Host, "create", with_a_seed)
        yield


@pytest.fixture(scope="session", autouse=True)
def unsynced() -> Iterator[Callable[..., Engine]]:
    """Let SQLite not wait for the disk: what the system holds outlives a process that is killed.

    Gives what makes its connections otherwise.
    """
    make = database._sqlite_engine

    def quick(url: URL, _synchronous: str, *, autocommit: bool = False) -> Engine:
        return make(url, "OFF", autocommit=autocommit)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "_sqlite_engine", quick)
        yield make


@pytest.fixture(scope="session", autouse=True)
def migrated() -> Iterator[None]:
    """Let the migrations make the first new SQLite database of a run; others get what it got."""
    migrate, made = upgrade.upgrade, []

    def quickly(connection: Connection, revision: str = "head") -> None:
        run = connection.exec_driver_sql
        new = connection.dialect.name == "sqlite" and not run("SELECT 1 FROM sqlite_master").first()
        if not (new and made and revision == "head"):
            migrate(connection, revision)
        else:
            for statement in made:
                run(statement)
        if new and not made and revision == "head":
            found = run("SELECT sql FROM sqlite_master WHERE sql <> '' ORDER BY rowid")
            at = run("SELECT version_num FROM alembic_version").scalar()
            made.extend(sql for (sql,) in found)
            made.append(f"INSERT INTO alembic_version VALUES ('{at}')")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(upgrade, "upgrade", quickly)
        yield
