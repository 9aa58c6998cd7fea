"""Run a turn's graph: superstep by superstep, in the turn's own task.

LangGraph builds the graph, checks it and draws it. Its way of running one keeps books for
checkpoints, interrupts, retries and callbacks, which no turn has and which cost more than the rest
of a small turn. What is left of a superstep is here, with the same results: the nodes that are next
run side by side, each on a draft of its own; what they return is merged in the order of their
names; edges, joins and routers tell which nodes follow.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass
from inspect import Parameter, isawaitable, signature
from typing import TYPE_CHECKING, Any

from langgraph.channels import BinaryOperatorAggregate, LastValue
from langgraph.errors import GraphRecursionError, InvalidUpdateError
from langgraph.graph import END, START
from langgraph.runtime import Runtime

if TYPE_CHECKING:
    from ruleplay.kernel.agent import Graph
    from ruleplay.kernel.context import Context

STEPS = 100
"""Supersteps of a turn at most, unless its graph was given a `recursion_limit` of its own."""

Values = dict[str, Any]
"""The fields of a draft by name."""
Call = Callable[[Any, "Runtime[Any]"], Any]
"""A node or router, called with a draft and the runtime."""


@dataclass(frozen=True)
class _Reader:
    """A node or router, and the class and fields of the draft that it reads."""

    call: Call
    draft: type
    fields: Iterable[str]

    def __call__(self, values: Values, runtime: Runtime[Any]) -> Any:
        return self.call(self.draft(**{name: values[name] for name in self.fields}), runtime)


class Walk:
    """How a compiled graph runs. TypeError when it asks for what turns do not have."""

    def __init__(self, graph: Graph) -> None:
        builder = graph.builder
        self.graph = graph
        self._limit: int = (graph.config or {}).get("recursion_limit", STEPS)
        self._reducers = {name: _reducer(name, one) for name, one in builder.channels.items()}
        if unknown := self._reducers.keys() - builder.schemas[builder.state_schema].keys():
            raise TypeError(f"nodes read {sorted(unknown)}, which are no fields of the draft")
        self._nodes: dict[str, _Reader] = {}
        for name, spec in builder.nodes.items():
            _check(name, spec)
            call = _call(f"node {name}", getattr(spec.runnable, "afunc", None))
            draft = spec.input_schema
            self._nodes[name] = _Reader(call, draft, builder.schemas[draft])
        self._edges: dict[str, set[str]] = {name: set() for name in (START, *self._nodes)}
        for start, end in builder.edges:
            self._edges[start].add(end)
        self._joins = [(frozenset(starts), end) for starts, end in builder.waiting_edges]
        self._routers: dict[str, list[tuple[_Reader, Mapping[Any, str]]]] = {}
        anywhere = {END: END} | {name: name for name in self._nodes}
        for start, branches in builder.branches.items():
            for name, branch in branches.items():
                # LangGraph would run a router that is no coroutine in a thread.
                function = getattr(branch.path, "func", None) or getattr(branch.path, "afunc", None)
                draft = branch.input_schema or builder.state_schema
                router = _Reader(_call(f"router {name}", function), draft, builder.schemas[draft])
                self._routers.setdefault(start, []).append((router, branch.ends or anywhere))

    async def steps(self, draft: object, context: Context[Any]) -> AsyncIterator[Values]:
        """Run the graph over `draft` and yield the draft's fields after each superstep.

        Raises what a node raises, once those beside it have been stopped; GraphRecursionError when
        the graph has not come to its end within its limit of supersteps.
        """
        runtime = Runtime(context=context)
        values = {name: getattr(draft, name) for name in self._reducers}
        arrived: list[set[str]] = [set() for _ in self._joins]
        here = await self._following({START: {}}, values, runtime, arrived)
        for _ in range(self._limit):
            # Between nodes that only compute, readers are served and cancelling works.
            await asyncio.sleep(0)
            done = await self._together(here, values, runtime)
            before, values = values, self._merged(values, done.values())
            yield values
            here = await self._following(done, before, runtime, arrived)
            if not here:
                return
        raise GraphRecursionError(f"the turn's graph has not ended after {self._limit} supersteps")

    async def _together(
        self, here: list[str], values: Values, runtime: Runtime[Any]
    ) -> dict[str, Values]:
        """Run nodes side by side; return what each changes, in the order of their names."""
        if len(here) == 1:
            return {here[0]: await self._run(here[0], values, runtime)}
        try:
            async with asyncio.TaskGroup() as group:
                tasks = {name: group.create_task(self._run(name, values, runtime)) for name in here}
        except BaseExceptionGroup as failed:
            raise failed.exceptions[0] from None
        return {name: task.result() for name, task in tasks.items()}

    async def _run(self, name: str, values: Values, runtime: Runtime[Any]) -> Values:
        with runtime.context.node(name):
            update = await self._nodes[name](values, runtime)
        if update is None:
            return {}
        if isinstance(update, dict) and update.keys() <= self._reducers.keys():
            return update
        raise TypeError(f"node {name} returned {update!r:.200}, which is no update of the draft")

    def _merged(self, values: Values, updates: Iterable[Values]) -> Values:
        """Return the fields after the updates of one superstep."""
        merged, written = {**values}, set[str]()
        for update in updates:
            for key, value in update.items():
                if reduce := self._reducers[key]:
                    merged[key] = reduce(merged[key], value)
                elif key in written:
                    raise InvalidUpdateError(
                        f"two nodes of one superstep set {key!r}; let one of them do it or annotate"
                        " the field with a function that joins two values"
                    )
                else:
                    merged[key] = value
                    written.add(key)
        return merged

    async def _following(
        self,
        done: dict[str, Values],
        before: Values,
        runtime: Runtime[Any],
        arrived: list[set[str]],
    ) -> list[str]:
        """Return the nodes that follow, by name; `arrived` holds what each join has seen so far.

        A router reads the fields as its own node left them, without what ran beside it.
        """
        found: set[str] = set()
        for name, update in done.items():
            found |= self._edges[name]
            for router, ends in self._routers.get(name, ()):
                chosen = router(self._merged(before, [update]), runtime)
                chosen = await chosen if isawaitable(chosen) else chosen
                for one in chosen if isinstance(chosen, list | tuple) else [chosen]:
                    try:
                        found.add(ends[one])
                    except (KeyError, TypeError):  # TypeError: no name at all
                        raise ValueError(
                            f"the router after {name} chose {one!r}, which is none of its nodes"
                        ) from None
        for (starts, end), seen in zip(self._joins, arrived, strict=True):
            seen |= starts & done.keys()
            if seen == starts:
                found.add(end)
                seen.clear()
        return sorted(found - {END})


def _reducer(name: str, channel: object) -> Callable[[Any, Any], Any] | None:
    """Return what joins a field's value and an update; None where the update replaces it."""
    if isinstance(channel, BinaryOperatorAggregate):
        return channel.operator
    if type(channel) is LastValue:
        return None
    kind = type(channel).__name__
    raise TypeError(f"the draft's field {name} is a {kind}; turns have plain and joined fields")


def _check(name: str, node: Any) -> None:
    """Refuse a node that asks for more than to be run (TypeError)."""
    more = ("retry_policy", "cache_policy", "timeout", "error_handler_node", "defer", "ends")
    if asked := [one for one in more if getattr(node, one, None)]:
        raise TypeError(
            f"node {name} asks for {', '.join(asked)}; a turn's graph has nodes, edges and"
            " conditional edges"
        )


def _call(what: str, function: Callable[..., Any] | None) -> Call:
    """Return a function of a draft, and perhaps the runtime, as one of both (TypeError)."""
    if function is None:
        raise TypeError(f"{what} is no function; write one that calls what is meant")
    _, *others = signature(function).parameters.values()
    if any(one.name == "runtime" for one in others):
        return lambda draft, runtime: function(draft, runtime=runtime)
    asked = [one.name for one in others if one.default is Parameter.empty and one.kind < 4]
    if asked:
        raise TypeError(f"{what} takes {', '.join(asked)}; there is `state` and `runtime`")
    return lambda draft, runtime: function(draft)
