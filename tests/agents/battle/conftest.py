"""Fixtures of the battle agent's tests: recorded questions, a real server where there is one."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from threading import Thread

import pytest

from ruleplay.agents.battle.adapters.records import recorded_positions
from ruleplay.agents.battle.adapters.server import LocalServer
from ruleplay.agents.battle.adapters.showdown_package import find_package
from ruleplay.catalog import find_agent, open_session
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import Session
from ruleplay.records.events import Json
from ruleplay.settings import Settings

INSTALLED = Settings().home
"""Where `ruleplay setup battle` has put the server and its sets, if it was run."""


@pytest.fixture(scope="session")
def showdown() -> Path:
    """Return the installed Showdown package."""
    found = find_package(INSTALLED)
    if found is None:
        if "showdown" in os.environ.get("RULEPLAY_REQUIRE", "").split(","):
            pytest.fail("showdown: run `ruleplay setup battle`")
        pytest.skip("showdown: run `ruleplay setup battle`")
    return found


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home of the test's own that borrows what is installed."""
    made = tmp_path / "home"
    for name in ("showdown", "battle/sets"):
        if (INSTALLED / name).exists():
            (made / name).parent.mkdir(parents=True, exist_ok=True)
            (made / name).symlink_to(INSTALLED / name)
    return made


@pytest.fixture
def settings(home: Path) -> Settings:
    return Settings(home=home, db="", model="rules", models={})


@pytest.fixture(scope="session")
def server(showdown: Path) -> Iterator[LocalServer]:
    """Run one server for all tests, on a loop of its own; players' names are never the same."""
    loop, running = asyncio.new_event_loop(), LocalServer(showdown)
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(running.start(), loop).result()
    yield running
    asyncio.run_coroutine_threadsafe(running.stop(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.fixture
async def host(settings: Settings) -> AsyncIterator[Host]:
    opened = await Host.open(settings, find_agent)
    yield opened
    await opened.close()


@pytest.fixture
async def session(settings: Settings) -> AsyncIterator[Session]:
    config: Json = {"search_ms": 0}
    async with await open_session("battle", settings=settings, config=config) as session:
        yield session


@pytest.fixture
def positions() -> tuple[Json, ...]:
    return recorded_positions()


@pytest.fixture
def question(positions: tuple[Json, ...]) -> Json:
    """Return a recorded question with something to choose."""
    return max(positions, key=lambda position: len(str(position["legal"])))
