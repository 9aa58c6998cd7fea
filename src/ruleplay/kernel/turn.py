"""`run_turn`, the main path of every input: check, load, run, commit, publish.

`Run` is one turn while it runs. Nothing is stored before the commit, so a turn that fails or is
cancelled leaves no trace.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property, partial
from hashlib import sha256
from time import perf_counter
from typing import TYPE_CHECKING, Generic, TypeVar

from ruleplay.errors import Conflict, RuleplayError, UserError
from ruleplay.kernel.agent import Agent, Config, Draft, State
from ruleplay.kernel.context import Context
from ruleplay.kernel.endings import Ending
from ruleplay.kernel.tracing import turn_span
from ruleplay.records.events import EVERYONE, Event, Json, known_to
from ruleplay.records.given import Given
from ruleplay.records.stream import Bus, Item, Name, Tell
from ruleplay.records.turns import Head, Turn, heard_by

if TYPE_CHECKING:
    from typing import Any

    from ruleplay.kernel.graph import Graph
    from ruleplay.kernel.host import Host
    from ruleplay.kernel.journal import Journal
    from ruleplay.storage.commit import Landing
    from ruleplay.storage.store import Store

ConfigT = TypeVar("ConfigT", bound=Config)
StateT = TypeVar("StateT", bound=State)
World = TypeVar("World")
HEAD = "head"
"""The default parent of a new turn: the session's head at the time the turn begins."""

KEY_LIMIT = 200
"""Most characters of an idempotency key."""


async def run_turn(
    host: Host,
    session: str,
    given: Given,
    *,
    seat: str = "",
    key: str | None = None,
    after: str | None = HEAD,
    turn: str = "",
    version: int | None = None,
    journal: Journal | None = None,
) -> Turn:
    """Handle one input atomically and exactly once, and return the committed turn.

    The same `key` returns the same turn; turns of one session never overlap. `after` is a parent
    other than the head, for a sibling branch (regenerate, edit). `turn` is the new turn's id. With
    `version` the turn is refused (Conflict) if the session has moved on from that version. A
    `journal` records the steps, and supplies those of a run that crashed.

    Where a turn takes others back and its person says what they do instead, that is played next,
    and its turn is returned.

    UserError, NotFound and Conflict are raised before anything happens. Whatever is raised, nothing
    of the turn is stored, and readers are told that it failed.
    """
    async with host.alone(session, key) as (head, earlier):
        if earlier:
            return same_input(earlier, given, seat)
        if version not in (None, head.version):
            raise Conflict("the session moved on before this turn; look again")
        async with host.running(head, given, seat=seat, key=key, after=after, turn=turn) as run:
            if journal:
                journal.attach(run.context, head)
            await run.play()
            played = await run.commit(host.store)
    # What replaces a move is played once the head stands before it, as a turn of its own.
    instead = run.agent.instead(run.draft.events) if played.id == run.context.turn else None
    return await run_turn(host, session, instead, seat=seat) if instead else played


async def to_the_end(commit: Coroutine[None, None, Turn]) -> Turn:
    """Await a commit to its end, ignoring cancellations.

    The statement may already have reached the database, so a cancelled commit would leave it open
    whether the turn is stored.
    """
    task = asyncio.create_task(commit)
    while not task.done():
        with suppress(asyncio.CancelledError):
            await asyncio.shield(task)
    return task.result()


async def await_turn(task: asyncio.Task[Turn]) -> Turn:
    """Await a turn's task; cancelling the caller stops the turn.

    If the turn is already being committed it is stored, and the caller is cancelled nevertheless.
    """
    caller = asyncio.current_task()
    before = caller.cancelling() if caller else 0
    turn = await task
    # The cancellation was passed on to the task, whose commit ignored it, so it is raised here.
    if caller and caller.cancelling() > before:
        raise asyncio.CancelledError
    return turn


def check_key(key: str | None) -> None:
    """Refuse an idempotency key that could not be stored (UserError)."""
    if key is not None and not 0 < len(key) <= KEY_LIMIT:
        raise UserError(f"an idempotency key has 1 to {KEY_LIMIT} characters")


def same_input(turn: Turn, given: Given, seat: str) -> Turn:
    """Return the turn of an idempotency key (Conflict if it was used for another input).

    An empty `seat` matches any.
    """
    if turn.given != given or seat not in ("", turn.seat):
        raise Conflict(f"the key {turn.key!r} was used for another message or seat; take a new key")
    return turn


def told_input(given: Given, audience: tuple[str, ...], seat: str | None) -> Json:
    """Return an input as a seat may read it; a hidden one is empty and marked as such."""
    hidden = seat is not None and not known_to(seat, audience)
    return {**(Given() if hidden else given).model_dump(mode="json"), "hidden": hidden}


def told_asides(turn: Turn, seat: str | None) -> Json:
    """Return the additional parts of a turn's reply that a seat may read."""
    return {"asides": [aside.model_dump(mode="json") for aside in heard_by(seat, turn)]}


def outcome(turn: Turn) -> Json:
    """Return the body of `turn.committed` that is the same for all readers."""
    return {
        "turn": turn.id,
        "number": turn.number,
        "parent": turn.parent,
        "reply": turn.reply,
        "spans": [span.model_dump(mode="json") for span in turn.spans],
        "ms": round(turn.ms),  # as stored
    }


def reason(error: BaseException) -> str:
    """Return the reason that readers are given for a failure; unexpected errors have no details."""
    if isinstance(error, asyncio.CancelledError):
        return "cancelled"
    return str(error) if isinstance(error, RuleplayError) else "internal error"


def told_failure(why: str, audience: tuple[str, ...], seat: str | None) -> Json:
    """Return the body of `turn.failed`; the reason may quote the input, so it can be hidden."""
    return {"reason": why if seat is None or known_to(seat, audience) else "failed"}


def state_hash(state: State) -> str:
    """Return the hash of a state, which replays must reproduce."""
    return sha256(state.model_dump_json().encode()).hexdigest()


@dataclass
class Run(Generic[ConfigT, StateT, World]):
    """One turn while it runs: draft, context, and the bus on which it publishes."""

    agent: Agent[ConfigT, StateT, World]
    config: ConfigT
    graph: Graph
    context: Context[World]
    draft: Draft[StateT]
    head: Head
    bus: Bus
    key: str | None = None
    parent: str | None = None
    land: Callable[[], Awaitable[Landing]] | None = None
    """Computes where the head moves if this turn takes others back."""
    started: float = field(default_factory=perf_counter)
    _seq: int = 0
    _published: int = 0

    def __post_init__(self) -> None:
        self.context.publish = self.publish

    async def play(self) -> None:
        """Run the graph on the draft, publishing nodes and events as they happen."""
        self.agent.admit(self.draft.before, self.draft.seat, self.draft.given)
        self.publish(
            "turn.started",
            {"number": self.context.number, "seat": self.draft.seat},
            tell=partial(told_input, self.draft.given, self.audience),
        )
        with turn_span(self.agent.name, self.head.id, self.context.turn):
            self.draft = await self._through_graph()

    async def _through_graph(self) -> Draft[StateT]:
        values: dict[str, Any] = {}
        async for values in self.graph.steps(self.draft, self.context):
            self._publish_events(values["events"])
        return type(self.draft)(**values)

    def _publish_events(self, events: list[Event]) -> None:
        # Concurrent branches are merged after each superstep, so this is the order that is stored.
        for happened in events[self._published :]:
            body = self.agent.codec.dump(happened)
            self.publish("event", body, happened.audience)
        self._published = len(events)

    def publish(
        self,
        name: Name,
        body: Json,
        audience: tuple[str, ...] = (EVERYONE,),
        tell: Tell | None = None,
    ) -> None:
        """Publish an item to the session's readers, with the next sequence number."""
        self._seq += 1
        item = Item(name, self.context.turn, self._seq, body, audience, tell)
        self.bus.publish(self.head.id, item)

    @cached_property
    def audience(self) -> tuple[str, ...]:
        """The seats that may read the input."""
        return self.agent.audience(self.draft.before, self.draft.seat, self.draft.given)

    def sealed(self) -> tuple[Turn, str, int, dict[str, str]]:
        """Return what is committed: the turn, the new state as JSON, its version, new prompts."""
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
            audience=self.audience,
            asides=tuple(self.draft.asides),
            spans=self.draft.spans,
            edition=self.agent.edition,
            cites=tuple(dict.fromkeys(self.context.cites)),
            messages=self.agent.messages(self.draft),
            calls=tuple(self.context.calls),
            outside=dict(self.context.tape.outside),
            state_hash=state_hash(state),
            ms=(perf_counter() - self.started) * 1000,
        )
        return turn, state.model_dump_json(), state.version, self.context.prompts

    async def commit(self, store: Store) -> Turn:
        """Store the turn and publish it; its reply replaces the text streamed so far.

        A turn that takes others back is stored as a branch, and the head moves to its `landing`.
        If another process has committed a turn under the same key first, that turn is returned.
        """
        journal = self.context.journal
        within = journal.commit if journal else None
        back = self.land if self.agent.takes_back(self.draft.events) else None
        landing = await back() if back else None
        stored = await to_the_end(
            store.commit(self.head, *self.sealed(), within=within, landing=landing)
        )
        turn = same_input(stored, self.draft.given, self.draft.seat)
        if turn.id == self.context.turn:
            self.bus.moved(self.head.id, self.head.version + 1)
        self.publish("turn.committed", outcome(turn), tell=partial(told_asides, turn))
        if landing:
            self.bus.move_head(self.head.id, landing.turn, landing.number)
        return turn

    def ending(self, error: BaseException | None = None) -> Ending:
        """Describe how the turn ended, for logs and metrics."""
        return Ending(
            session=self.head.id,
            turn=self.context.turn,
            agent=self.agent.name,
            number=self.context.number,
            seconds=perf_counter() - self.started,
            calls=tuple(self.context.calls),
            error=error,
        )

    def failed(self, error: BaseException) -> None:
        """Publish the failure, so that readers discard what they have seen of this turn."""
        if self._seq:
            why = reason(error)
            self.publish("turn.failed", {}, tell=partial(told_failure, why, self.audience))


def now() -> datetime:
    """Return the current time in UTC; a turn reads it once and records it."""
    return datetime.now(UTC)
