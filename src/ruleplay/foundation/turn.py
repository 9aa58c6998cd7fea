"""`run_turn`, the main path: check, load, run, commit, publish."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from time import perf_counter, time_ns
from typing import TYPE_CHECKING, Generic, TypeVar

from ruleplay.foundation.agent import Agent, Config, Draft, Given, State
from ruleplay.foundation.context import Context
from ruleplay.foundation.errors import Conflict, RuleplayError
from ruleplay.foundation.events import EVERYONE, Event, Json
from ruleplay.foundation.stream import Bus, Item, Name
from ruleplay.foundation.tape import ms_since
from ruleplay.foundation.tracing import node_span, turn_span
from ruleplay.foundation.turns import Head, Turn

if TYPE_CHECKING:
    from typing import Any

    from ruleplay.foundation.agent import Graph
    from ruleplay.foundation.host import Host
    from ruleplay.foundation.store import Store

ConfigT = TypeVar("ConfigT", bound=Config)
StateT = TypeVar("StateT", bound=State)
World = TypeVar("World")
HEAD = "head"
"""The default parent of a new turn: the session's head when the turn's time has come."""


async def run_turn(
    host: Host,
    session: str,
    given: Given,
    *,
    seat: str = "",
    key: str | None = None,
    after: str | None = HEAD,
    turn: str = "",
) -> Turn:
    """Handle one input, completely and once, and return the committed turn.

    The same `key` gives the same turn; turns of one session never interleave. `after` names another
    parent than the head, which makes a sibling branch (regenerate, edit); `turn` is the id it gets.
    Raises UserError, NotFound or Conflict before anything happened; whatever is raised, nothing of
    the turn is stored and readers are told.
    """
    async with host.lock(session):
        head, earlier = await host.store.read(session, key)
        if earlier:
            return same_input(earlier, given, seat)
        async with host.running(head, given, seat=seat, key=key, after=after, turn=turn) as run:
            await run.play()
            return await run.commit(host.store)


async def to_the_end(commit: Coroutine[None, None, Turn]) -> Turn:
    """Await a commit that has begun: it holds or it fails, but a cancellation comes too late."""
    task = asyncio.create_task(commit)
    while not task.done():
        with suppress(asyncio.CancelledError):
            await asyncio.shield(task)
    return task.result()


def same_input(turn: Turn, given: Given, seat: str) -> Turn:
    """Return the turn that a key stands for, unless the key came with another input (Conflict).

    An empty `seat` stands for the one that the turn was played from.
    """
    if turn.given != given or seat not in ("", turn.seat):
        raise Conflict(f"the key {turn.key!r} was used for another message or seat; take a new key")
    return turn


def outcome(turn: Turn) -> Json:
    """Return what `turn.committed` tells of a turn."""
    return {
        "turn": turn.id,
        "number": turn.number,
        "parent": turn.parent,
        "reply": turn.reply,
        "ms": round(turn.ms),  # as stored
    }


def reason(error: BaseException) -> str:
    """Return what `turn.failed` tells of an error; of unexpected ones only that there was one."""
    if isinstance(error, asyncio.CancelledError):
        return "cancelled"
    return str(error) if isinstance(error, RuleplayError) else "internal error"


def state_hash(state: State) -> str:
    """Return the fingerprint of a state that replays must reproduce."""
    return sha256(state.model_dump_json().encode()).hexdigest()


@dataclass
class Run(Generic[ConfigT, StateT, World]):
    """One turn while it runs: its draft, its context, and its voice on the bus."""

    agent: Agent[ConfigT, StateT, World]
    config: ConfigT
    graph: Graph
    context: Context[World]
    draft: Draft[StateT]
    head: Head
    bus: Bus
    key: str | None = None
    parent: str | None = None
    started: float = field(default_factory=perf_counter)
    _seq: int = 0
    _published: int = 0
    _nodes: dict[str, tuple[float, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.context.publish = self.publish

    async def play(self) -> None:
        """Run the graph over the draft; nodes and events are published as they come."""
        self.agent.admit(self.draft.before, self.draft.seat, self.draft.given)
        self.publish(
            "turn.started",
            {
                "number": self.context.number,
                "seat": self.draft.seat,
                **self.draft.given.model_dump(),
            },
        )
        with turn_span(self.agent.name, self.head.id, self.context.turn):
            self.draft = await self._through_graph()

    async def _through_graph(self) -> Draft[StateT]:
        values: dict[str, Any] = {}
        stream: AsyncIterator[Any] = self.graph.astream(
            self.draft, context=self.context, stream_mode=["tasks", "values"]
        )
        async for mode, item in stream:
            if mode == "values":
                values = item
                self._publish_events(item["events"])
            else:
                self._publish_node(item)
        return type(self.draft)(**values)

    def _publish_events(self, events: list[Event]) -> None:
        # After each superstep the branches have joined, so the order is the stored one.
        for happened in events[self._published :]:
            body = self.agent.codec.dump(happened)
            self.publish("event", body, happened.audience)
        self._published = len(events)

    def _publish_node(self, task: Mapping[str, object]) -> None:
        name, ident = str(task["name"]), str(task["id"])
        if "result" not in task:
            self._nodes[ident] = (perf_counter(), time_ns())
            self.publish("node", {"node": name, "state": "running"})
        elif ident in self._nodes:
            began, began_ns = self._nodes.pop(ident)
            ms = ms_since(began)
            self.publish("node", {"node": name, "state": "done", "ms": ms})
            node_span(name, began_ns)

    def publish(self, name: Name, body: Json, audience: tuple[str, ...] = (EVERYONE,)) -> None:
        """Say something to the session's readers."""
        self._seq += 1
        item = Item(name=name, turn=self.context.turn, seq=self._seq, body=body, audience=audience)
        self.bus.publish(self.head.id, item)

    def sealed(self) -> tuple[Turn, str, int, dict[str, str]]:
        """Return what is committed: the turn, the new state and its version, static prompts."""
        state = self.draft.now
        turn = Turn(
            id=self.context.turn,
            session=self.head.id,
            parent=self.parent,
            number=self.context.number,
            seat=self.draft.seat,
            key=self.key,
            at=self.context.at,
            given=self.draft.given,
            events=tuple(self.agent.codec.dump(happened) for happened in self.draft.events),
            reply=self.draft.reply,
            cites=tuple(dict.fromkeys(self.context.cites)),
            messages=self.agent.messages(self.draft),
            calls=tuple(self.context.calls),
            outside=dict(self.context.tape.outside),
            state_hash=state_hash(state),
            ms=(perf_counter() - self.started) * 1000,
        )
        return turn, state.model_dump_json(), state.version, self.context.prompts

    async def commit(self, store: Store) -> Turn:
        """Store the turn and tell readers that it holds: its reply replaces the streamed text.

        The turn that holds is another one when another process has answered the same key first.
        """
        stored = await to_the_end(store.commit(self.head, *self.sealed()))
        turn = same_input(stored, self.draft.given, self.draft.seat)
        self.publish("turn.committed", outcome(turn))
        return turn

    def failed(self, error: BaseException) -> None:
        """Tell readers to discard what they saw of this turn."""
        if self._seq:
            self.publish("turn.failed", {"reason": reason(error)})


def now() -> datetime:
    """Return the wall clock, in UTC; a turn reads it once and records it."""
    return datetime.now(UTC)
