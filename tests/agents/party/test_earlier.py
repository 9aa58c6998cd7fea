"""Tables that an earlier release stored, and told in another way, fold to the same states."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from ruleplay.catalog import find_agent
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import Session
from ruleplay.kernel.turn import state_hash
from ruleplay.settings import Settings
from ruleplay.storage.backup import restore

STORED = Path(__file__).parents[1] / "earlier" / "party.backup"


@pytest.fixture
async def stored(tmp_path: Path) -> str:
    url = f"sqlite+aiosqlite:///{tmp_path / 'earlier.db'}"
    await restore(url, STORED)
    return url


async def test_their_events_give_the_states_that_were_stored(stored: str, tmp_path: Path) -> None:
    host = await Host.open(Settings(home=tmp_path, db=stored, model="rules"), find_agent)
    turns = 0
    try:
        for head in await host.store.recent():
            agent = host.find_agent(head.agent)
            config = agent.config_type.model_validate(head.config)
            state = agent.new(config, Random(f"{head.seed}/new"))
            for turn in await host.store.lineage(head.head):
                for body in turn.events:
                    state = state.apply(agent.codec.load(body))
                assert state_hash(state) == turn.state_hash
                turns += 1
    finally:
        await host.close()
    assert turns


async def test_they_go_on_in_this_release(stored: str, tmp_path: Path) -> None:
    host = await Host.open(Settings(home=tmp_path, db=stored, model="rules"), find_agent)
    try:
        for head in await host.store.recent():
            turn = await Session(host, head.id).turn("/recap", seat="dm")
            assert turn.asides
    finally:
        await host.close()
