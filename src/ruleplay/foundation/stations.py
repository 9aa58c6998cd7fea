"""Run a graph's nodes without LangChain's callbacks, to which nothing in Ruleplay listens.

LangGraph runs a node and the writing of its result as a sequence of traced steps, each in a task of
its own: about a fifth of what a graph of small nodes costs. Here both are one step, which tells
readers and OpenTelemetry that the node runs, see `Context.node`.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.runnables.config import var_child_runnable_config
from langgraph.runtime import get_runtime

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ruleplay.foundation.agent import Graph

    AnyRunnable = Runnable[Any, Any]


class Station(Runnable["Any", "Any"]):
    """A node and the writers of its result, run as one step."""

    def __init__(self, name: str, node: AnyRunnable, writers: Sequence[AnyRunnable]) -> None:
        self._name, self._node, self._writers = name, node, tuple(writers)

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002
        """Refuse: turns are asynchronous (TypeError)."""
        raise TypeError("nodes run asynchronously; use ainvoke or astream")

    async def ainvoke(
        self,
        input: Any,  # noqa: A002
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> Any:
        """Run the node, then write what it returned."""
        # What `get_runtime` and the like look into; left standing, it is the next run's parent.
        standing = var_child_runnable_config.set(config)
        try:
            told = getattr(get_runtime().context, "node", None)  # a graph may run by itself
            with told(self._name) if told else nullcontext():
                found = await self._node.ainvoke(input, config, **kwargs)
            for writer in self._writers:
                found = await writer.ainvoke(found, config)
            return found
        finally:
            var_child_runnable_config.reset(standing)


def run_in_one_step(graph: Graph) -> Graph:
    """Make each node of a graph, that was just compiled, run as one step; return the graph."""
    for name, node in graph.nodes.items():
        if name in graph.builder.nodes:
            node.node = Station(name, node.bound, node.flat_writers)
    return graph
