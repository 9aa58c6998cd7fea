"""Sessions that an earlier release played, and told in another way, replay to the same states."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleplay.catalog import find_agent
from ruleplay.kernel.host import Host
from ruleplay.kernel.replay import replay
from ruleplay.kernel.session import Session
from ruleplay.settings import Settings
from ruleplay.storage.backup import restore

STORED = Path(__file__).parents[1] / "earlier" / "saga.backup"


@pytest.fixture
async def stored(tmp_path: Path) -> str:
    url = f"sqlite+aiosqlite:///{tmp_path / 'earlier.db'}"
    await restore(url, STORED)
    return url


async def test_they_replay_identically_but_for_the_words(stored: str, tmp_path: Path) -> None:
    host = await Host.open(Settings(home=tmp_path, db=stored, model="rules"), find_agent)
    try:
        for head in await host.store.recent():
            found = await replay(host, head.id)
            assert found.first_difference is None, head.id
            assert found.identical
            assert found.earlier == found.turns > 0
    finally:
        await host.close()


async def test_they_go_on_in_this_release(stored: str, tmp_path: Path) -> None:
    host = await Host.open(Settings(home=tmp_path, db=stored, model="rules"), find_agent)
    try:
        for head in await host.store.recent():
            await Session(host, head.id).turn("/recap")
            found = await replay(host, head.id)
            assert found.identical, found.first_difference
            assert found.earlier == found.turns - 1
    finally:
        await host.close()
