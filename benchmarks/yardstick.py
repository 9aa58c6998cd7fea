"""The turns that benchmarks play: one small agent, the same without a graph, and a peer.

The agent has six nodes that do next to nothing in four supersteps, a message and a reply of 500
characters, and reads its newest twenty lines each turn.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar, cast

from langchain_core.runnables import RunnableConfig
from langgraph.graph import MessagesState, StateGraph

from ruleplay.kernel.agent import Agent, Config, Draft, State, Update
from ruleplay.kernel.context import Context
from ruleplay.kernel.graph import END, START, Graph, Runtime
from ruleplay.kernel.host import Host
from ruleplay.records.events import Event, Json
from ruleplay.settings import Settings

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

    from ruleplay.kernel.agent import AnyAgent

TEXT = "The quick brown fox jumps over the lazy dog. " * 11 + "Done."
"""A message or reply of 500 characters."""


class Counted(Event):
    """A message was counted."""

    words: int


class YardstickConfig(Config):
    """`plain` turns go without a graph, see `YardstickHost`."""

    plain: bool = False


class YardstickState(State):
    """Two numbers."""

    turns: int = 0
    words: int = 0

    def apply(self, event: Event) -> YardstickState:
        """Count."""
        words = event.words if isinstance(event, Counted) else 0
        return YardstickState(turns=self.turns + 1, words=self.words + words)


class YardstickDraft(Draft[YardstickState]):
    """The draft of one turn."""


async def read(state: YardstickDraft, runtime: Runtime[Context[None]]) -> Update:
    """Read the newest lines, as an agent with a memory does."""
    await runtime.context.history()
    return {}


async def look(state: YardstickDraft) -> Update:
    """Do nothing, beside `think` and `weigh`."""
    return {}


async def think(state: YardstickDraft) -> Update:
    """Do nothing, beside `look` and `weigh`."""
    return {}


async def weigh(state: YardstickDraft) -> Update:
    """Do nothing, beside `look` and `think`."""
    return {}


async def resolve(state: YardstickDraft) -> Update:
    """Make the turn's event."""
    return {"events": [Counted(words=len(state.given.message.split()))]}


async def tell(state: YardstickDraft, runtime: Runtime[Context[None]]) -> Update:
    """Reply with 500 characters."""
    runtime.context.say(TEXT)
    return {"reply": TEXT}


def build_graph() -> Graph:
    """Compile read, then look, think and weigh side by side, then resolve, then tell."""
    builder = Graph(YardstickDraft)
    builder.add_node("read", read)
    builder.add_node("look", look)
    builder.add_node("think", think)
    builder.add_node("weigh", weigh)
    builder.add_node("resolve", resolve)
    builder.add_node("tell", tell)
    return _connected(builder).compile(Update)


Builder = TypeVar("Builder", bound="_Edges")


class _Edges(Protocol):
    def add_edge(self, start: str | list[str], end: str, /) -> object: ...


def _connected(builder: Builder) -> Builder:
    builder.add_edge(START, "read")
    for middle in ("look", "think", "weigh"):
        builder.add_edge("read", middle)
    builder.add_edge(["look", "think", "weigh"], "resolve")
    builder.add_edge("resolve", "tell")
    builder.add_edge("tell", END)
    return builder


class Plain:
    """The same nodes without a graph: the floor that a turn is held against."""

    async def steps(
        self, draft: YardstickDraft, context: Context[None]
    ) -> AsyncIterator[dict[str, object]]:
        """Run the nodes and yield the draft's fields once."""
        runtime = Runtime(context=context)
        await read(draft, runtime)
        await asyncio.gather(look(draft), think(draft), weigh(draft))
        resolved, told = await resolve(draft), await tell(draft, runtime)
        fields = {"before": draft.before, "given": draft.given, "seat": draft.seat}
        yield {**fields, **resolved, **told}


class YardstickHost(Host):
    """A host of the yardstick, whose sessions may be played plainly."""

    async def graph(self, agent: AnyAgent, config: Config) -> Graph:
        """Return how turns run, `plain` ones without a graph."""
        plain = cast("YardstickConfig", config).plain
        return cast("Graph", Plain()) if plain else await super().graph(agent, config)


class Yardstick(Agent[YardstickConfig, YardstickState, None]):
    """The agent whose turns are measured."""

    name: ClassVar[str] = "yardstick"
    title: ClassVar[str] = "Six nodes in four supersteps"
    events: ClassVar[tuple[type[Event], ...]] = (Counted,)
    config_type = YardstickConfig
    state_type = YardstickState
    draft_type = YardstickDraft

    def new(self, config: YardstickConfig, rng: Random) -> YardstickState:
        """Return a state that counts from 0."""
        return YardstickState()

    def build_graph(self, config: YardstickConfig) -> Graph:
        """Compile the graph."""
        return build_graph()

    def view(self, state: YardstickState, seat: str) -> Json:
        """Return the counts."""
        return {"turns": state.turns, "words": state.words}

    def open_world(self, settings: Settings) -> None:
        """Open nothing."""


async def _peer_node(state: MessagesState) -> dict[str, list[str]]:
    return {}


async def _peer_reply(state: MessagesState) -> dict[str, list[tuple[str, str]]]:
    return {"messages": [("assistant", TEXT)]}


async def play_peer(
    path: Path, turns: int, played: Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]
) -> None:
    """Hand each of `turns` peer turns to `played`: six nodes, LangGraph's SQLite saver, defaults.

    ImportError when the saver is not installed.
    """
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    builder = StateGraph(MessagesState)
    for name in ("read", "look", "think", "weigh", "resolve"):
        builder.add_node(name, _peer_node)
    builder.add_node("tell", _peer_reply)
    async with AsyncSqliteSaver.from_conn_string(str(path)) as saver:
        compiled = _connected(builder).compile(checkpointer=saver)
        graph = cast("CompiledStateGraph[Any, Any, Any, Any]", compiled)
        thread: RunnableConfig = {"configurable": {"thread_id": "one"}}
        for _ in range(turns):
            await played(lambda: graph.ainvoke({"messages": [("user", TEXT)]}, thread))
