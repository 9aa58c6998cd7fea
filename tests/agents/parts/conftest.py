"""Fixtures of the parts assistant's tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import tests.shared

from ruleplay.catalog import open_session
from ruleplay.kernel.session import Session
from ruleplay.records.turns import Turn
from ruleplay.settings import Settings

Talk = Callable[..., Awaitable[list[Turn]]]


@pytest.fixture
def shared_data() -> Path:
    """Return the folder of real parts data, beside the project where there is one."""
    return tests.shared.shared_data("parts")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path, db="", model="rules")


@pytest.fixture
async def session(settings: Settings) -> AsyncIterator[Session]:
    async with await open_session("parts", settings=settings) as session:
        yield session


@pytest.fixture
def talk(settings: Settings) -> Talk:
    """Say messages in one session; everything in memory is rebuilt between any two of them."""

    async def say(*messages: str) -> list[Turn]:
        name, turns = "", []
        for message in messages:
            async with await open_session("parts", session=name, settings=settings) as session:
                turns.append(await session.turn(message))
                name = session.id
        return turns

    return say
