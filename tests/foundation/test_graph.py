"""Graphs run as LangGraph runs them, and name what is wrong with one."""

from __future__ import annotations

import asyncio
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypedDict, cast

import pytest
from langgraph.errors import InvalidUpdateError
from tests.by_langgraph import built

from ruleplay.kernel.context import Context
from ruleplay.kernel.graph import END, START, STEPS, Graph, Runtime


@dataclass
class Trip:
    """Where somebody has been, and what they hold."""

    way: str = ""
    seen: Annotated[list[str], operator.add] = field(default_factory=list)
    held: str = ""
    rounds: Annotated[int, operator.add] = 0


@dataclass
class Reach:
    """The part of a turn's context that running a graph needs."""

    heard: list[str] = field(default_factory=list)

    @contextmanager
    def node(self, name: str) -> Iterator[None]:
        self.heard.append(name)
        yield


def stay(name: str, **more: Any) -> Callable[[Trip], Any]:
    """Return a node that notes what was seen before it."""

    async def stayed(state: Trip) -> dict[str, Any]:
        return {"seen": [f"{name} after {','.join(state.seen)}"], **more}

    return stayed


def graph(
    nodes: dict[str, Any], edges: list[tuple[Any, str]], steps: int = STEPS, **routers: Any
) -> Graph:
    """Build a graph of nodes and edges; `routers` are conditional edges by their start."""
    builder = Graph(Trip)
    for name, node in nodes.items():
        builder.add_node(name, node)
    for start, end in edges:
        builder.add_edge(start, end)
    for start, router in routers.items():
        builder.add_conditional_edges(START if start == "start" else start, router)
    return builder.compile(steps=steps)


async def walked(compiled: Graph, draft: Trip) -> dict[str, Any]:
    """Return the fields as our own way of running a graph leaves them."""
    values: dict[str, Any] = {}
    async for after in compiled.steps(draft, cast("Context[Any]", Reach())):
        values = after
    return values


def a(*names: str) -> dict[str, Any]:
    return {name: stay(name) for name in names}


async def remember(state: Trip) -> dict[str, Any]:
    return {"seen": ["hold"], "held": "lamp", "rounds": 1}


def by_held(state: Trip) -> str:
    return "lit" if state.held else "dark"


async def slowly(state: Trip) -> str:
    await asyncio.sleep(0)
    return by_held(state)


def both(state: Trip) -> list[str]:
    return ["lit", "dark"]


def until_three(state: Trip) -> str:
    return "turn" if state.rounds < 3 else END


async def turn(state: Trip) -> dict[str, Any]:
    return {"rounds": 1, "seen": [f"turn {state.rounds}"]}


async def nothing(state: Trip) -> None:
    return None


LINE = [(START, "a"), ("a", "b"), ("b", END)]
GRAPHS = {
    "one after the other": graph(a("b", "a"), LINE),
    "side by side, joined": graph(
        a("root", "z", "m", "c", "end"),
        [
            (START, "root"),
            *[("root", name) for name in "zmc"],
            (["z", "m", "c"], "end"),
            ("end", END),
        ],
    ),
    "side by side, not joined": graph(
        a("root", "near", "far", "farther"),
        [
            (START, "root"),
            ("root", "near"),
            ("root", "far"),
            ("far", "farther"),
            ("near", END),
            ("farther", "near"),
        ],
    ),
    "branches of two lengths, joined": graph(
        a("root", "near", "far", "farther", "end"),
        [
            (START, "root"),
            ("root", "near"),
            ("root", "far"),
            ("far", "farther"),
            (["near", "farther"], "end"),
        ],
    ),
    "two ways to one node": graph(
        a("root", "x", "y", "end"),
        [(START, "root"), ("root", "x"), ("root", "y"), ("x", "end"), ("y", "end")],
    ),
    "two starts": graph(a("x", "y"), [(START, "x"), (START, "y")]),
    "a router at the start": graph(a("lit", "dark"), [], start=by_held),
    "a router reads what its node wrote": graph(
        {**a("lit", "dark"), "hold": remember}, [(START, "hold")], hold=by_held
    ),
    "a router reads nothing of what ran beside its node": graph(
        {**a("lit", "dark", "beside"), "hold": remember},
        [(START, "hold"), (START, "beside")],
        beside=by_held,
    ),
    "a router that waits": graph(
        {**a("lit", "dark"), "hold": remember}, [(START, "hold")], hold=slowly
    ),
    "a router with two answers": graph(a("a", "lit", "dark"), [(START, "a")], a=both),
    "a router and an edge": graph(
        {**a("lit", "dark", "b"), "hold": remember}, [(START, "hold"), ("hold", "b")], hold=by_held
    ),
    "a loop": graph({"turn": turn}, [(START, "turn")], turn=until_three),
    "a join in a loop": graph(
        {**a("x", "y"), "turn": turn, "end": turn},
        [(START, "turn"), ("turn", "x"), ("turn", "y"), (["x", "y"], "end")],
        end=until_three,
    ),
    "a node that changes nothing": graph({"a": nothing, **a("b")}, LINE),
}
DRAFTS = [Trip(), Trip(way="home", seen=["before"], held="lamp", rounds=1)]


@pytest.mark.parametrize("draft", DRAFTS, ids=["empty", "begun"])
@pytest.mark.parametrize("name", GRAPHS)
async def test_the_result_is_the_one_that_langgraph_gives(name: str, draft: Trip) -> None:
    expected = await built(GRAPHS[name]).ainvoke(draft, context=Reach())
    assert expected["seen"]
    assert await walked(GRAPHS[name], draft) == expected


async def test_fields_are_told_after_each_superstep_and_nodes_as_they_run() -> None:
    reach = Reach()
    steps = GRAPHS["side by side, joined"].steps(Trip(), cast("Context[Any]", reach))
    assert [len(values["seen"]) async for values in steps] == [1, 4, 5]
    assert reach.heard == ["root", "c", "m", "z", "end"]


async def test_nodes_side_by_side_run_at_the_same_time_and_what_fails_stops_the_others() -> None:
    met, stopped = asyncio.Barrier(2), asyncio.Event()

    async def wait(state: Trip) -> dict[str, Any]:
        await met.wait()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return {}

    async def fail(state: Trip) -> dict[str, Any]:
        await met.wait()
        raise LookupError("nothing here")

    with pytest.raises(LookupError, match="nothing here"):
        await walked(graph({"x": wait, "y": fail}, [(START, "x"), (START, "y")]), Trip())
    assert stopped.is_set()


async def test_a_cancelled_run_stops_its_nodes() -> None:
    began, stopped = asyncio.Event(), asyncio.Event()

    async def wait(state: Trip) -> dict[str, Any]:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return {}

    nodes = {"x": wait, **a("y")}
    run = asyncio.create_task(walked(graph(nodes, [(START, "x"), (START, "y")]), Trip()))
    await began.wait()
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert stopped.is_set()


async def test_others_run_between_nodes_that_only_compute() -> None:
    ran: list[str] = []

    async def other() -> None:
        ran.append("other")

    async def first(state: Trip) -> dict[str, Any]:
        ran.append("first")
        others.append(asyncio.create_task(other()))
        return {}

    async def last(state: Trip) -> dict[str, Any]:
        ran.append("last")
        return {}

    others: list[asyncio.Task[None]] = []
    await walked(graph({"a": first, "b": last}, LINE), Trip())
    assert ran == ["first", "other", "last"]


async def test_two_nodes_of_one_superstep_may_not_set_the_same_field() -> None:
    made = graph(
        {"x": stay("x", way="north"), "y": stay("y", way="south")}, [(START, "x"), (START, "y")]
    )
    with pytest.raises(InvalidUpdateError):
        await built(made).ainvoke(Trip(), context=Reach())
    with pytest.raises(ValueError, match="two nodes of one superstep set 'way'"):
        await walked(made, Trip())


@pytest.mark.parametrize("update", [{"wya": "north"}, ["north"], Trip()])
async def test_what_a_node_may_not_return_is_named(update: object) -> None:
    async def stray(state: Trip) -> Any:
        return update

    with pytest.raises(TypeError, match=r"node stray returned .*no update of the draft"):
        await walked(graph({"stray": stray}, [(START, "stray")]), Trip())


@pytest.mark.parametrize("answer", ["nowhere", None, Trip()])
async def test_a_router_that_chooses_no_node_is_named(answer: object) -> None:
    made = graph({**a("a", "b"), "turn": turn}, LINE, a=lambda _: answer)
    with pytest.raises(ValueError, match=r"the router after a chose .*none of its nodes"):
        await walked(made, Trip())


async def test_a_graph_without_an_end_is_ended() -> None:
    endless = graph({"turn": turn}, [(START, "turn"), ("turn", "turn")])
    with pytest.raises(RuntimeError, match=f"after {STEPS} supersteps"):
        await walked(endless, Trip())
    loop = {"nodes": {"turn": turn}, "edges": [(START, "turn")], "turn": until_three}
    assert (await walked(graph(**loop, steps=3), Trip()))["rounds"] == 3
    with pytest.raises(RuntimeError, match="after 2 supersteps"):
        await walked(graph(**loop, steps=2), Trip())


async def test_a_node_takes_the_runtime_when_it_asks_for_it() -> None:
    async def look(state: Trip, runtime: Runtime[Reach]) -> dict[str, Any]:
        return {"seen": [*runtime.context.heard]}

    assert (await walked(graph({"look": look}, [(START, "look")]), Trip()))["seen"] == ["look"]


async def with_store(state: Trip, store: Any) -> dict[str, Any]:
    return {}


def with_node(node: Any) -> Graph:
    return graph({"only": node}, [(START, "only")])


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: with_node(with_store), "node only takes store"),
        (lambda: with_node("turn"), "node only is no function"),
        (lambda: graph(a("b"), LINE), r"\['a'\] are no nodes of the graph"),
        (lambda: graph(a("b"), [(START, "b"), (["b", "c"], END)]), r"\['c'\] are no nodes"),
        (lambda: Graph(Trip).compile(Strays), r"\['wya'\] in Strays are no fields of the draft"),
    ],
)
def test_what_cannot_be_run_is_named(make: Callable[[], Graph], why: str) -> None:
    with pytest.raises((TypeError, ValueError), match=why):
        make()


class Strays(TypedDict, total=False):
    """An update with a slip."""

    wya: str


async def to_c(state: Trip) -> Literal["c", "b"]:
    return "c"


def test_a_drawing_shows_what_may_follow() -> None:
    made = graph(a("a", "b", "c"), [(START, "a"), ("b", END)], a=to_c)
    made.add_conditional_edges("b", by_held, {"lit": "c", "dark": "b"})
    assert [(way.start, way.end, way.conditional, way.label) for way in made.ways()] == [
        (START, "a", False, ""),
        ("b", END, False, ""),
        ("a", "c", True, ""),
        ("a", "b", True, ""),
        ("b", "c", True, "lit"),
        ("b", "b", True, "dark"),
        ("c", END, False, ""),
    ]
    assert "\ta -.-> c;" in made.mermaid()
    assert "\tb -. lit .-> c;" in made.mermaid()
