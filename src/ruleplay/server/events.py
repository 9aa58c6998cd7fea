"""Streams of server-sent events: those of a session for its readers, those of one turn."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import ExitStack
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Header
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from ruleplay.errors import NotFound
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import committed
from ruleplay.kernel.turn import reason
from ruleplay.records.stream import Item, Reader
from ruleplay.records.turns import Turn
from ruleplay.server.access import Access, TheAccess
from ruleplay.server.catching_up import missed
from ruleplay.server.cursors import END, Cursor
from ruleplay.server.errors import problems
from ruleplay.server.sse import TurnCache, cursor_event, event, event_of
from ruleplay.server.turn_tasks import Started, stored
from ruleplay.server.wiring import Seat, TheHost, TheTurnCache

PING = 15
"""Seconds of silence after which a comment is sent, as proxies close idle connections."""
ENDING = 2
"""Seconds that a stream may take to end by itself when the server stops."""
routes = APIRouter(
    prefix="/api/sessions/{session}", tags=["turns"], responses=problems(401, 403, 404, 422, 500)
)
STREAM: dict[str, object] = {
    "description": "Events: `id: TURN:SEQ`, `event: NAME`, `data: JSON`",
    "content": {"text/event-stream": {"schema": {"type": "string"}}},
}


class EventStream(EventSourceResponse):
    """A response of events; closes `opened` at its end, even if it was never started."""

    def __init__(
        self, events: AsyncIterator[ServerSentEvent], opened: ExitStack | None = None
    ) -> None:
        super().__init__(events, ping=PING, sep="\n", shutdown_grace_period=ENDING)
        self._opened = opened or ExitStack()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until there are no more or the client disconnects."""
        with self._opened:
            await super().__call__(scope, receive, send)


@routes.get(
    "/events",
    status_code=200,
    response_class=EventStream,
    responses={200: STREAM, **problems(400)},
)
async def follow_session(
    session: str,
    host: TheHost,
    turn_cache: TheTurnCache,
    access: TheAccess,
    seat: Seat = "",
    last_event_id: Annotated[
        str, Header(description="`TURN:SEQ`: go on after this event.", max_length=100)
    ] = "",
) -> EventStream:
    """Follow a session as one seat: the items of the running turn so far, then all that happens.

    With `Last-Event-ID` nothing is lost or repeated: turns that were committed since come from the
    store. If that is not possible, a `resync` event asks the client to reload the session. Where
    seats are guarded, the stream ends with `seat.lost` when the token is no longer valid.
    """
    try:
        known = Cursor.parse(last_event_id) if last_event_id else None
    except ValueError as error:
        raise HTTPException(400, str(error)) from error
    table = await access.table(session)
    looking = table.reading(seat)
    sitting = access if table.guarded and looking != table.agent.public_seat else None
    return EventStream(_session_events(host, turn_cache, session, looking, known, sitting))


async def _session_events(
    host: Host,
    turn_cache: TurnCache,
    session: str,
    seat: str,
    known: Cursor | None,
    sitting: Access | None,
) -> AsyncIterator[ServerSentEvent]:
    with ExitStack() as opened:
        joined = await _join(opened, host, session, seat, known)
        if joined.start:
            yield joined.start
        async for item in _items(host, session, joined):
            if isinstance(item, Cursor):
                yield event("resync", {}, item)
                continue
            if sitting and item.name in ("turn.committed", "head.moved"):
                table = await sitting.table(session)
                if not table.token(seat):
                    yield event("seat.lost", {"seat": seat})
                    return
                # On another branch somebody else may hold the seat.
                if item.name == "turn.committed" and not await table.leads_here(
                    host, await host.store.turn(str(item.body["turn"]))
                ):
                    continue
            yield await event_of(item, seat, turn_cache)


class _Joined(NamedTuple):
    """A reader that is subscribed to the bus, the items before, and the head they lead to."""

    reader: Reader
    head: str | None
    start: ServerSentEvent | None = None
    missed: tuple[Item, ...] = ()


async def _items(host: Host, session: str, joined: _Joined) -> AsyncIterator[Item | Cursor]:
    """Yield each item once, from the store or the bus; a cursor means that the reader must reload.

    `here` is the turn that the reader is at; `sent` are turns that came from the store.
    """
    # A turn that another process has committed may be in the store and still in the backlog.
    here, sent = joined.head, {joined.head, *(item.turn for item in joined.missed)}
    for item in joined.missed:
        yield item
    async for item in joined.reader:
        if item.name == "elsewhere":
            head, _ = await host.store.read(session)
            way = await missed(host, head, Cursor(here))
            if way is None:
                yield Cursor(head.head)
            here, news = head.head, way or []
            sent |= {found.turn for found in news}
        elif item.name == "head.moved":
            news = [item] if (item.turn or None) != here else []
            here = item.turn or None
        else:
            news = [item] if item.turn not in sent else []
            here = str(item.body["turn"]) if item.name == "turn.committed" else here
        for found in news:
            yield found


async def _join(
    opened: ExitStack, host: Host, session: str, seat: str, known: Cursor | None
) -> _Joined:
    """Subscribe first, then read what was missed, so that there is no gap in between.

    If the session changes while reading, items could come twice, so start again.
    """
    while True:
        if known and known.turn and host.bus.running(session) == known.turn:
            return await _join_turn(opened, host, session, seat, known)
        reader = opened.enter_context(host.bus.reading(session, seat))
        head, _ = await host.store.read(session)
        here = Cursor(head.head)
        way = await missed(host, head, known) if known else []
        if reader.changed:
            opened.close()
            continue
        host.bus.reader_at(session, head.version)
        if way is None:
            return _Joined(reader, head.head, event("resync", {}, here))
        return _Joined(reader, head.head, None if known else cursor_event(here), tuple(way))


async def _join_turn(
    opened: ExitStack, host: Host, session: str, seat: str, known: Cursor
) -> _Joined:
    """Continue in the middle of the running turn, from the bus alone."""
    listening = opened.enter_context(host.bus.reading(session, seat, known.seq))
    head, _ = await host.store.read(session)
    try:
        turn = await stored(host, session, str(known.turn))
    except NotFound:
        host.bus.reader_at(session, head.version)
        return _Joined(listening, head.head)
    # Another process has just committed the turn, and its message is still on the way. When it
    # arrives, the path from the turn before must include this one.
    return _Joined(listening, turn.parent)


def turn_stream(
    host: Host, turn_cache: TurnCache, session: str, started: Started | Turn, seat: str
) -> EventStream:
    """Stream one turn from start to end; the turn runs on if the client disconnects."""
    if isinstance(started, Turn):
        return EventStream(_stored_events(started, seat or started.seat, turn_cache))
    opened = ExitStack()
    reader = opened.enter_context(host.bus.reading(session, seat or None))
    started.task.add_done_callback(lambda _: reader.close())
    return EventStream(turn_events(reader, started, seat, turn_cache), opened)


async def _stored_events(
    turn: Turn, seat: str, turn_cache: TurnCache
) -> AsyncIterator[ServerSentEvent]:
    yield await event_of(committed(turn, END), seat, turn_cache)


async def turn_events(
    reader: Reader, started: Started, seat: str, turn_cache: TurnCache
) -> AsyncIterator[ServerSentEvent]:
    """Yield a turn's events up to its end, even if it was refused or is an earlier turn."""
    async for item in reader:
        if item.turn == started.id and item.name != "head.moved":
            yield await event_of(item, seat, turn_cache)
            if item.last:
                return
    if started.task.done():
        yield await event_of(_ending(started), seat, turn_cache)


def _ending(started: Started) -> Item:
    """Make the last item of a turn that published none: refused, or an earlier turn of its key."""
    if not started.task.cancelled() and not started.task.exception():
        return committed(started.task.result(), END)
    why = "cancelled"
    if not started.task.cancelled() and (error := started.task.exception()):
        why = reason(error)
    return Item(name="turn.failed", turn=started.id, seq=END, body={"reason": why})
