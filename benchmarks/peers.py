"""The yardstick's turns on LangGraph with a checkpointer of its own, to hold Ruleplay's against."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Literal

from benchmarks.yardstick import TEXT
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, MessagesState, StateGraph

Durability = Literal["async", "exit"]
Turn = Callable[[], Awaitable[object]]
Player = Callable[[], Turn]
"""Opens a new session and returns what plays its next turn."""


async def _node(state: MessagesState) -> dict[str, list[str]]:
    return {}


async def _reply(state: MessagesState) -> dict[str, list[tuple[str, str]]]:
    return {"messages": [("assistant", TEXT)]}


def _graph() -> StateGraph[Any, Any, Any, Any]:
    builder = StateGraph(MessagesState)
    for name in ("read", "look", "think", "weigh", "resolve"):
        builder.add_node(name, _node)
    builder.add_node("tell", _reply)
    builder.add_edge(START, "read")
    for middle in ("look", "think", "weigh"):
        builder.add_edge("read", middle)
    builder.add_edge(["look", "think", "weigh"], "resolve")
    builder.add_edge("resolve", "tell")
    builder.add_edge("tell", END)
    return builder


@asynccontextmanager
async def _saver(url: str) -> AsyncIterator[Any]:
    if url.startswith("sqlite"):
        from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

        async with AsyncSqliteSaver.from_conn_string(url.partition(":///")[2]) as saver:
            yield saver
        return
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
    from psycopg.rows import dict_row
    from psycopg_pool import AsyncConnectionPool

    name, _, folder = url.partition("@/")[2].partition("?host=")
    # A pool, as it is meant for many requests, with what the saver asks of connections.
    options = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    async with AsyncConnectionPool(
        f"dbname={name} user=postgres host={folder}", min_size=10, max_size=20, kwargs=options
    ) as pool:
        saver = AsyncPostgresSaver(pool)  # type: ignore[arg-type]  # the rows are dicts by option
        await saver.setup()
        yield saver


@asynccontextmanager
async def peer(url: str, durability: Durability) -> AsyncIterator[Player]:
    """Open the peer on an empty database."""
    async with _saver(url) as saver:
        graph = _graph().compile(checkpointer=saver)
        opened = 0

        def new() -> Turn:
            nonlocal opened
            opened += 1
            thread: RunnableConfig = {"configurable": {"thread_id": str(opened)}}
            given = {"messages": [("user", TEXT)]}
            return lambda: graph.ainvoke(given, thread, durability=durability)

        yield new
