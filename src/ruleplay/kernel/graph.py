"""A turn's graph of nodes, edges and routers, and the loop that runs it.

A turn is a single run: the context records what comes from outside, and the turn is committed once,
so there are no checkpoints, interrupts or retries. In each superstep the next nodes run
concurrently, each on its own draft. Their updates are merged in the order of the nodes' names, so
that the result does not depend on which node finishes first. Edges, joins and routers determine the
nodes that follow.

Methods and results are those of LangGraph's `StateGraph`; tests run the same graphs with both
(docs/decisions/0027).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from inspect import Parameter, isawaitable, signature
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    Literal,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

if TYPE_CHECKING:
    from ruleplay.kernel.context import Context

START, END = "__start__", "__end__"
STEPS = 100
"""Most supersteps of a turn, unless its graph is compiled with another limit."""

Values = dict[str, Any]
"""The fields of a draft by name."""
Reach = TypeVar("Reach")


@dataclass(frozen=True)
class Runtime(Generic[Reach]):
    """The second parameter that a node or router may take."""

    context: Reach


Call = Callable[[Any, "Runtime[Any]"], Any]
"""A node or router, called with a draft and the runtime."""


@dataclass(frozen=True)
class Router:
    """Chooses the nodes that follow a node; `ends` maps its results to nodes."""

    call: Call
    ends: Mapping[Hashable, str] | None


@dataclass(frozen=True)
class Edge:
    """A possible transition between nodes; `label` is the router's result if not the name."""

    start: str
    end: str
    conditional: bool = False
    label: str = ""


class Graph:
    """A graph whose state is a dataclass, the draft.

    A field annotated with a function (`Annotated[list, operator.add]`) is combined with updates by
    that function; all other fields are replaced.
    """

    def __init__(self, draft: type) -> None:
        self.draft = draft
        hints = get_type_hints(draft, include_extras=True)
        self._reducers = {field.name: _reducer(hints[field.name]) for field in fields(draft)}
        self.nodes: dict[str, Call] = {}
        self.edges: dict[str, list[str]] = {START: []}
        self.joins: list[tuple[frozenset[str], str]] = []
        self.routers: dict[str, list[Router]] = {}
        self.limit = STEPS

    def add_node(self, name: str, node: Callable[..., Any]) -> None:
        """Add a node: a coroutine function of the draft, optionally `runtime`, for an update."""
        if name in self.nodes or name in (START, END):
            raise ValueError(f"there is a node {name} already")
        self.nodes[name] = _call(f"node {name}", node)
        self.edges[name] = []

    def add_edge(self, start: str | Sequence[str], end: str) -> None:
        """Let `end` follow `start`; with several starts it waits for all of them (a join)."""
        if isinstance(start, str):
            self.edges.setdefault(start, []).append(end)
        else:
            self.joins.append((frozenset(start), end))

    def add_conditional_edges(
        self,
        start: str,
        router: Callable[..., Any],
        ends: Mapping[Any, str] | Sequence[str] | None = None,
    ) -> None:
        """Let a router, a function of the draft, choose what follows `start`.

        It returns one or several names of nodes, or keys of `ends`. Without `ends` its return
        annotation, a `Literal`, lists what may follow; without that any node may.
        """
        if ends is None:
            said = get_type_hints(router).get("return")
            ends = get_args(said) if get_origin(said) is Literal else None
        if isinstance(ends, Sequence):
            ends = {end: end for end in ends}
        chooser = Router(_call(f"the router after {start}", router), ends)
        self.routers.setdefault(start, []).append(chooser)

    def compile(self, update: type | None = None, *, steps: int = STEPS) -> Graph:
        """Check the graph and return it.

        ValueError if an edge names an unknown node, TypeError if `update` has a key that is no
        field of the draft.
        """
        named = {START, *self.edges, *self.routers, *(edge.end for edge in self.ways())}
        named |= {start for starts, _ in self.joins for start in starts}
        if unknown := named - {START, END, *self.nodes}:
            raise ValueError(f"{sorted(unknown)} are no nodes of the graph")
        if update and (stray := update.__annotations__.keys() - self._reducers.keys()):
            raise TypeError(f"{sorted(stray)} in {update.__name__} are no fields of the draft")
        self.limit = steps
        return self

    def ways(self) -> tuple[Edge, ...]:
        """List all possible transitions; a node without any leads to the end."""
        found = [Edge(start, end) for start, ends in self.edges.items() for end in ends]
        found += [Edge(start, end) for starts, end in self.joins for start in sorted(starts)]
        for start, routers in self.routers.items():
            for router in routers:
                ends = router.ends if router.ends is not None else self._anywhere()
                found += [
                    Edge(start, end, True, "" if key == end else str(key))
                    for key, end in ends.items()
                ]
        leading = {edge.start for edge in found}
        return (*found, *(Edge(name, END) for name in self.nodes if name not in leading))

    def mermaid(self) -> str:
        """Draw the graph as Mermaid."""
        drawn = ["graph TD;", f"\t{START}([{START}])"]
        drawn += [f"\t{name}({name})" for name in self.nodes]
        drawn.append(f"\t{END}([{END}])")
        for edge in self.ways():
            label = f"-. {edge.label} .->" if edge.label else "-.->"
            drawn.append(f"\t{edge.start} {label if edge.conditional else '-->'} {edge.end};")
        return "\n".join(drawn) + "\n"

    async def steps(self, draft: object, context: Context[Any]) -> AsyncIterator[Values]:
        """Run the graph, and yield the draft's fields after each superstep.

        Raises what a node raises, after stopping the nodes beside it; RuntimeError if the graph has
        not ended within its limit of supersteps.
        """
        runtime = Runtime(context)
        values = {name: getattr(draft, name) for name in self._reducers}
        arrived: list[set[str]] = [set() for _ in self.joins]
        here = await self._following({START: {}}, values, runtime, arrived)
        for _ in range(self.limit):
            # Nodes that only compute never yield to the event loop. This lets readers be served,
            # and cancellation arrive, between them.
            await asyncio.sleep(0)
            done = await self._together(here, values, runtime)
            before, values = values, self._merged(values, done.values())
            yield values
            here = await self._following(done, before, runtime, arrived)
            if not here:
                return
        raise RuntimeError(f"the turn's graph has not ended after {self.limit} supersteps")

    async def _together(
        self, here: list[str], values: Values, runtime: Runtime[Any]
    ) -> dict[str, Values]:
        """Run nodes concurrently; return their updates in the order of their names."""
        if len(here) == 1:
            return {here[0]: await self._run(here[0], values, runtime)}
        try:
            async with asyncio.TaskGroup() as group:
                tasks = {name: group.create_task(self._run(name, values, runtime)) for name in here}
        except BaseExceptionGroup as failed:
            # Callers handle single errors; the first one cancelled the other nodes.
            raise failed.exceptions[0] from None
        return {name: task.result() for name, task in tasks.items()}

    async def _run(self, name: str, values: Values, runtime: Runtime[Any]) -> Values:
        with runtime.context.node(name):
            update = await self.nodes[name](self.draft(**values), runtime)
        if update is None:
            return {}
        if isinstance(update, dict) and update.keys() <= self._reducers.keys():
            return update
        raise TypeError(f"node {name} returned {update!r:.200}, which is no update of the draft")

    def _merged(self, values: Values, updates: Iterable[Values]) -> Values:
        """Return the fields after one superstep's updates (ValueError if two set the same one)."""
        merged, written = {**values}, set[str]()
        for update in updates:
            for key, value in update.items():
                if reduce := self._reducers[key]:
                    merged[key] = reduce(merged[key], value)
                elif key in written:
                    raise ValueError(
                        f"two nodes of one superstep set {key!r}; let one of them do it or annotate"
                        " the field with a function that joins two values"
                    )
                else:
                    merged[key] = value
                    written.add(key)
        return merged

    async def _following(
        self,
        done: Mapping[str, Values],
        before: Values,
        runtime: Runtime[Any],
        arrived: Sequence[set[str]],
    ) -> list[str]:
        """Return the names of the nodes that follow.

        `arrived` has the starts that each join has seen so far; it persists between supersteps. As
        in LangGraph, a router sees its own node's update, but not those of concurrent nodes.
        """
        found: set[str] = set()
        for name, update in done.items():
            found |= {*self.edges.get(name, ())}
            for router in self.routers.get(name, ()):
                chosen = router.call(self.draft(**self._merged(before, [update])), runtime)
                chosen = await chosen if isawaitable(chosen) else chosen
                for one in chosen if isinstance(chosen, list | tuple) else [chosen]:
                    found.add(self._end(name, router, one))
        for (starts, end), seen in zip(self.joins, arrived, strict=True):
            seen |= starts & done.keys()
            if seen == starts:
                found.add(end)
                seen.clear()
        return sorted(found - {END})

    def _end(self, name: str, router: Router, chosen: object) -> str:
        ends = router.ends if router.ends is not None else self._anywhere()
        if isinstance(chosen, Hashable) and chosen in ends:
            return ends[chosen]
        raise ValueError(f"the router after {name} chose {chosen!r}, which is none of its nodes")

    def _anywhere(self) -> dict[Hashable, str]:
        return {name: name for name in (*self.nodes, END)}


def _reducer(hint: object) -> Callable[[Any, Any], Any] | None:
    """Return the function that combines a field's value with an update; None to replace it."""
    return next((one for one in getattr(hint, "__metadata__", ()) if callable(one)), None)


def _call(what: str, function: Callable[..., Any]) -> Call:
    """Wrap a function of the draft, optionally `runtime`, so that it takes both (TypeError)."""
    if not callable(function):
        raise TypeError(f"{what} is no function; write one that calls what is meant")
    _, *others = signature(function).parameters.values()
    if any(one.name == "runtime" for one in others):
        return lambda draft, runtime: function(draft, runtime=runtime)
    # Kinds below 4 are all parameters but **kwargs.
    asked = [one.name for one in others if one.default is Parameter.empty and one.kind < 4]
    if asked:
        raise TypeError(f"{what} takes {', '.join(asked)}; there is `state` and `runtime`")
    return lambda draft, runtime: function(draft)
