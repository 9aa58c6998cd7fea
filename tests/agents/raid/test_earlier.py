"""Conversations that an earlier edition held, with and without a model, replay and go on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.agents.raid.demo_home import settings

from ruleplay.agents.raid.agent import AGENT
from ruleplay.errors import ModelError
from ruleplay.kernel.host import Host
from ruleplay.kernel.replay import replay
from ruleplay.kernel.session import Session
from ruleplay.models.scripted import ScriptedModel
from ruleplay.storage.backup import restore

STORED = Path(__file__).parents[2] / "earlier" / "raid.backup"


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[Host]:
    url = f"sqlite+aiosqlite:///{tmp_path / 'earlier.db'}"
    await restore(url, STORED)
    opened = await Host.open(settings(tmp_path).model_copy(update={"db": url}), lambda _: AGENT)
    opened.models.stand_ins["scripted"] = ScriptedModel([ModelError("down"), ModelError("down")])
    yield opened
    await opened.close()


async def test_they_replay_to_the_same_states(host: Host) -> None:
    heads = await host.store.recent()
    assert len(heads) == 2
    for head in heads:
        found = await replay(host, head.id)
        assert found.identical, found.first_difference
        assert found.turns == found.earlier == 2


async def test_they_go_on_in_this_edition(host: Host) -> None:
    for head in await host.store.recent():
        session = Session(host, head.id)
        turn = await session.turn("Who died first on pull 3?")
        assert "Fenador" in turn.reply
        found = await replay(host, head.id)
        assert found.identical, found.first_difference
        assert (found.turns, found.earlier) == (3, 2)


async def test_what_they_spoke_of_is_still_known(host: Host) -> None:
    states = [await host.state(head, head.head) for head in await host.store.recent()]
    assert {(state.fight, state.topics) for state, _ in states} == {
        (3, ("consumables",)),
        (2, ("help",)),
    }
