"""Streams of server-sent events: a session's for everyone who reads along, a turn's for its own."""

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
from ruleplay.server.background import Started, stored
from ruleplay.server.catching_up import missed
from ruleplay.server.cursors import END, Cursor
from ruleplay.server.errors import problems
from ruleplay.server.sse import Played, event, event_of, placing
from ruleplay.server.wiring import Seat, TheHost, ThePlayed

PING = 15
"""Seconds of silence after which a comment keeps the connection open."""
ENDING = 2
"""Seconds a stream may take to end by itself when the server stops, before it is broken off."""
routes = APIRouter(
    prefix="/api/sessions/{session}", tags=["turns"], responses=problems(401, 403, 404, 422, 500)
)
STREAM: dict[str, object] = {
    "description": "Events: `id: TURN:SEQ`, `event: NAME`, `data: JSON`",
    "content": {"text/event-stream": {"schema": {"type": "string"}}},
}


class EventStream(EventSourceResponse):
    """A response of events; what `opened` holds is closed with it, even if it never began."""

    def __init__(
        self, events: AsyncIterator[ServerSentEvent], opened: ExitStack | None = None
    ) -> None:
        super().__init__(events, ping=PING, sep="\n", shutdown_grace_period=ENDING)
        self._opened = opened or ExitStack()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until there are no more, or nobody listens."""
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
    played: ThePlayed,
    access: TheAccess,
    seat: Seat = "",
    last_event_id: Annotated[
        str, Header(description="`TURN:SEQ`: go on after this event.", max_length=100)
    ] = "",
) -> EventStream:
    """Follow a session as one seat: the running turn so far, then whatever happens.

    With `Last-Event-ID` nothing is lost and nothing comes twice: turns that were committed since
    come from the store. An id that leads nowhere is answered with `resync`: read the session anew.
    Where seats are guarded the stream ends with `seat.lost` once its token opens the seat no more.
    """
    try:
        known = Cursor.parse(last_event_id) if last_event_id else None
    except ValueError as error:
        raise HTTPException(400, str(error)) from error
    table = await access.table(session)
    looking = table.reading(seat)
    sitting = access if table.guarded and looking != table.agent.public_seat else None
    return EventStream(_session_events(host, played, session, looking, known, sitting))


async def _session_events(
    host: Host,
    played: Played,
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
                # On another branch somebody else may have sat here.
                if item.name == "turn.committed" and not await table.leads_here(
                    host, await host.store.turn(str(item.body["turn"]))
                ):
                    continue
            yield await event_of(item, seat, played)


class _Joined(NamedTuple):
    """A reader on the bus, what it is told before it listens there, and the head by then."""

    reader: Reader
    head: str | None
    start: ServerSentEvent | None = None
    missed: tuple[Item, ...] = ()


async def _items(host: Host, session: str, joined: _Joined) -> AsyncIterator[Item | Cursor]:
    """Yield each item once, from the store or the bus; a position where no way leads to it."""
    # What a head's own turn said may still be in the backlog, if another process committed it.
    here, told = joined.head, {joined.head, *(item.turn for item in joined.missed)}
    for item in joined.missed:
        yield item
    async for item in joined.reader:
        if item.name == "elsewhere":
            head, _ = await host.store.read(session)
            way = await missed(host, head, Cursor(here))
            if way is None:
                yield Cursor(head.head)
            here, news = head.head, way or []
            told |= {found.turn for found in news}
        elif item.name == "head.moved":
            news = [item] if (item.turn or None) != here else []
            here = item.turn or None
        else:
            news = [item] if item.turn not in told else []
            here = str(item.body["turn"]) if item.name == "turn.committed" else here
        for found in news:
            yield found


async def _join(
    opened: ExitStack, host: Host, session: str, seat: str, known: Cursor | None
) -> _Joined:
    """Listen first, then read what was missed; once more if the session changed meanwhile."""
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
        host.bus.knows(session, head.version)
        if way is None:
            return _Joined(reader, head.head, event("resync", {}, here))
        return _Joined(reader, head.head, None if known else placing(here), tuple(way))


async def _join_turn(
    opened: ExitStack, host: Host, session: str, seat: str, known: Cursor
) -> _Joined:
    """Go on in the middle of the running turn, from the bus alone."""
    listening = opened.enter_context(host.bus.reading(session, seat, known.seq))
    head, _ = await host.store.read(session)
    try:
        turn = await stored(host, session, str(known.turn))
    except NotFound:
        host.bus.knows(session, head.version)
        return _Joined(listening, head.head)
    # It has just been committed, and by another process whose word is still on its way: when that
    # comes, the way from the turn before must lead over this one.
    return _Joined(listening, turn.parent)


def turn_stream(
    host: Host, played: Played, session: str, started: Started | Turn, seat: str
) -> EventStream:
    """Return the stream of one turn, from its start to its end; the turn runs on without it."""
    if isinstance(started, Turn):
        return EventStream(_stored_events(started, seat or started.seat, played))
    opened = ExitStack()
    reader = opened.enter_context(host.bus.reading(session, seat or None))
    started.task.add_done_callback(lambda _: reader.close())
    return EventStream(turn_events(reader, started, seat, played), opened)


async def _stored_events(turn: Turn, seat: str, played: Played) -> AsyncIterator[ServerSentEvent]:
    yield await event_of(committed(turn, END), seat, played)


async def turn_events(
    reader: Reader, started: Started, seat: str, played: Played
) -> AsyncIterator[ServerSentEvent]:
    """Yield one turn's events up to its end, also when it was refused or played before."""
    async for item in reader:
        if item.turn == started.id and item.name != "head.moved":
            yield await event_of(item, seat, played)
            if item.last:
                return
    if started.task.done():
        yield await event_of(_ending(started), seat, played)


def _ending(started: Started) -> Item:
    """Return the last item of a turn that told nothing: refused, or played before."""
    if not started.task.cancelled() and not started.task.exception():
        return committed(started.task.result(), END)
    why = "cancelled"
    if not started.task.cancelled() and (error := started.task.exception()):
        why = reason(error)
    return Item(name="turn.failed", turn=started.id, seq=END, body={"reason": why})
