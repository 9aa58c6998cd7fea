"""Fixtures of the battle agent's tests: recorded questions, a real server where there is one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.showdown import INSTALLED, patient_search, server, showdown

from ruleplay.agents.battle.adapters.records import recorded_positions
from ruleplay.catalog import find_agent, open_session
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import Session
from ruleplay.records.events import Json
from ruleplay.settings import Settings

__all__ = ["patient_search", "server", "showdown"]  # fixtures of all that fight battles


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
