"""What was played on our own way of running a graph is replayed by LangGraph's: nothing differs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, cast

import pytest
from tests.agents.test_upgrades import play

from ruleplay.catalog import agent_names, find_agent
from ruleplay.kernel.host import Host
from ruleplay.kernel.replay import replay
from ruleplay.kernel.run import Walk
from ruleplay.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from ruleplay.kernel.agent import AnyAgent, Config, Draft
    from ruleplay.kernel.context import Context

TURNS = 20


class ByLangGraph(Walk):
    """A graph that LangGraph runs."""

    async def steps(self, draft: object, context: Context[Any]) -> AsyncIterator[dict[str, Any]]:
        run = self.graph.astream(cast("Draft[Any]", draft), context=context, stream_mode="values")
        async for values in run:
            yield values


class OtherHost(Host):
    """A host whose graphs LangGraph runs."""

    ran = 0

    def walk(self, agent: AnyAgent, config: Config) -> Walk:
        self.ran += 1
        return ByLangGraph(super().walk(agent, config).graph)


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
