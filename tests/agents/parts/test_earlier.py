"""Conversations that an earlier edition held, with and without a model, replay and go on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from ruleplay.agents.parts.agent import AGENT
from ruleplay.errors import ModelError
from ruleplay.kernel.host import Host
from ruleplay.kernel.replay import replay
from ruleplay.kernel.session import Session
from ruleplay.models.scripted import ScriptedModel
from ruleplay.settings import Settings
from ruleplay.storage.backup import restore

STORED = Path(__file__).parents[1] / "earlier" / "parts.backup"
TURNS = 24


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[Host]:
    url = f"sqlite+aiosqlite:///{tmp_path / 'earlier.db'}"
    await restore(url, STORED)
    opened = await Host.open(Settings(home=tmp_path, db=url, model="rules"), lambda _: AGENT)
    opened.models.stand_ins["scripted"] = ScriptedModel([ModelError("down")] * 4)
    yield opened
    await opened.close()


async def test_they_replay_to_the_same_states(host: Host) -> None:
    turns = 0
    for head in await host.store.recent():
        found = await replay(host, head.id)
        assert found.identical, found.first_difference
        assert found.turns == found.earlier > 0
        turns += found.turns
    assert turns == TURNS


async def test_they_go_on_in_this_edition(host: Host) -> None:
    for head in await host.store.recent():
        turn = await Session(host, head.id).turn("How much is PS3406971?")
        assert "$12.13 as of" in turn.reply
        found = await replay(host, head.id)
        assert found.identical, found.first_difference
        assert found.earlier == found.turns - 1
