"""What was played on our own way of running a graph is replayed by LangGraph's: nothing differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.agents.test_upgrades import play
from tests.by_langgraph import ByLangGraph

from ruleplay.catalog import agent_names, find_agent
from ruleplay.kernel.host import Host
from ruleplay.kernel.replay import replay
from ruleplay.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from ruleplay.kernel.agent import AnyAgent, Config
    from ruleplay.kernel.graph import Graph

TURNS = 20


class OtherHost(Host):
    """A host whose graphs LangGraph runs."""

    ran = 0

    async def graph(self, agent: AnyAgent, config: Config) -> Graph:
        self.ran += 1
        return ByLangGraph(await super().graph(agent, config))


@pytest.mark.parametrize("name", agent_names())
async def test_langgraph_replays_what_every_agent_played(name: str, tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, db="", model="rules")
    host = await Host.open(settings, find_agent)
    other = await OtherHost.open(settings, find_agent)
    try:
        session = (await host.create(name, seed="both ways")).id
        await play(host, session, TURNS, name)
        assert (await replay(other, session)).first_difference is None
        assert other.ran == TURNS
    finally:
        await other.close()
        await host.close()
