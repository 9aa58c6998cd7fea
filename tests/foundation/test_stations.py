"""Nodes run as one step: same results, same errors, none of LangChain's callbacks."""

from __future__ import annotations

import operator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated, Any

import pytest
from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.runnables.config import var_child_runnable_config
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import get_runtime

from ruleplay.foundation.stations import run_in_one_step


@dataclass
class Tally:
    seen: Annotated[list[str], operator.add] = field(default_factory=list)


async def first(state: Tally) -> dict[str, list[str]]:
    return {"seen": [f"first in {get_runtime().context}"]}


async def second(state: Tally) -> dict[str, list[str]]:
    return {"seen": [f"second after {len(state.seen)}"]}


async def broken(state: Tally) -> dict[str, list[str]]:
    raise LookupError("nothing here")


def builder(last: Any = second) -> Any:
    graph = StateGraph(Tally)
    graph.add_node("first", first)
    graph.add_node("last", last)
    graph.add_edge(START, "first")
    graph.add_conditional_edges("first", lambda state: "last" if state.seen else END)
    graph.add_edge("last", END)
    return graph


class Listener(AsyncCallbackHandler):
    def __init__(self) -> None:
        self.heard: list[str] = []

    async def on_chain_start(self, *args: Any, **kwargs: Any) -> None:
        self.heard.append(kwargs["name"])


async def test_the_result_is_that_of_the_graph_as_langgraph_runs_it() -> None:
    as_it_was, ours = builder().compile(), run_in_one_step(builder().compile())
    expected = {"seen": ["first in town", "second after 1"]}
    assert await as_it_was.ainvoke(Tally(), context="town") == expected
    assert await ours.ainvoke(Tally(), context="town") == expected
    assert ours.get_graph().draw_mermaid() == as_it_was.get_graph().draw_mermaid()


async def test_nodes_call_no_callbacks() -> None:
    listener = Listener()
    await builder().compile().ainvoke(Tally(), {"callbacks": [listener]})
    assert {"first", "last"} <= {*listener.heard}
    listener.heard.clear()
    await run_in_one_step(builder().compile()).ainvoke(Tally(), {"callbacks": [listener]})
    assert "last" not in listener.heard


async def test_a_nodes_error_comes_through() -> None:
    with pytest.raises(LookupError, match="nothing here"):
        await run_in_one_step(builder(broken).compile()).ainvoke(Tally())


async def test_a_run_leaves_nothing_to_the_next_one_in_its_task() -> None:
    for last in (second, broken):
        with suppress(LookupError):
            await run_in_one_step(builder(last).compile()).ainvoke(Tally(), context="town")
        assert var_child_runnable_config.get() is None


def test_it_cannot_be_run_without_an_event_loop() -> None:
    with pytest.raises(TypeError, match="ainvoke"):
        run_in_one_step(builder().compile()).invoke(Tally())
