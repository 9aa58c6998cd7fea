"""Battles that an earlier edition played, and told in another way, replay to the same states."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from ruleplay.catalog import find_agent
from ruleplay.kernel.host import Host
from ruleplay.kernel.replay import replay
from ruleplay.kernel.session import Session
from ruleplay.settings import Settings
from ruleplay.storage.backup import restore

STORED = Path(__file__).parents[1] / "earlier" / "battle.backup"


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[Host]:
    url = f"sqlite+aiosqlite:///{tmp_path / 'earlier.db'}"
    await restore(url, STORED)
    opened = await Host.open(Settings(home=tmp_path, db=url, model="rules"), find_agent)
    yield opened
    await opened.close()


async def test_they_replay_to_the_same_states(host: Host) -> None:
    heads = await host.store.recent()
    assert len(heads) == 2
    for head in heads:
        found = await replay(host, head.id)
        assert found.identical, found.first_difference
        assert found.turns == found.earlier == 7


async def test_they_go_on_in_this_edition(host: Host) -> None:
    for head in await host.store.recent():
        turn = await Session(host, head.id).turn("Why that move?")
        assert turn.reply
        found = await replay(host, head.id)
        assert found.identical, found.first_difference
        assert (found.turns, found.earlier) == (8, 7)
