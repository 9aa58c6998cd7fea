"""The same graph, built and run by LangGraph: what our own way of running one is held against."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from langgraph.graph import StateGraph
from langgraph.runtime import Runtime as LangGraphRuntime

from ruleplay.kernel.graph import Call, Graph, Runtime


def built(graph: Graph) -> Any:
    """Return LangGraph's compiled graph of the same nodes, edges, joins and routers."""
    builder: Any = StateGraph(graph.draft)
    for name, node in graph.nodes.items():
        builder.add_node(name, _node(node))
    for start, ends in graph.edges.items():
        for end in ends:
            builder.add_edge(start, end)
    for starts, end in graph.joins:
        builder.add_edge(sorted(starts), end)
    for start, routers in graph.routers.items():
        for number, router in enumerate(routers):
            ends = None if router.ends is None else {**router.ends}
            builder.add_conditional_edges(start, _router(router.call, number), ends)
    return builder.compile()


def _node(node: Call) -> Any:
    async def run(state: Any, runtime: LangGraphRuntime[Any]) -> Any:
        return await node(state, Runtime(runtime.context))

    return run


def _router(call: Call, number: int) -> Any:
    async def choose(state: Any) -> Any:
        chosen = call(state, Runtime(None))
        return await chosen if hasattr(chosen, "__await__") else chosen

    choose.__name__ = f"router_{number}"
    return choose


class ByLangGraph(Graph):
    """A graph that LangGraph runs."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph.draft)
        self._built = built(graph)

    async def steps(self, draft: object, context: Any) -> AsyncIterator[dict[str, Any]]:
        async for values in self._built.astream(draft, context=context, stream_mode="values"):
            yield values
