"""Items as one seat's readers get them over HTTP: server-sent events with ids and JSON."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict

from sse_starlette import ServerSentEvent

from ruleplay.kernel.host import Host
from ruleplay.kernel.session import played_json
from ruleplay.records.events import Json
from ruleplay.records.stream import Item
from ruleplay.server.cursors import END, Cursor

KEPT = 64
"""Committed turns that stay at hand: every reader of a seat gets the same."""
RETRY_MS = 1_000
"""Milliseconds after which a reader that was cut off asks again."""


class Played:
    """Committed turns with their views, as seats get them; read once for all readers."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._reading: OrderedDict[tuple[str, str], asyncio.Task[Json]] = OrderedDict()

    async def turn(self, turn: str, seat: str) -> Json:
        """Return `played`, the turn, and `view`, the session right after it."""
        key = (turn, seat)
        if key not in self._reading:
            self._reading[key] = asyncio.create_task(self._read(turn, seat))
            if len(self._reading) > KEPT:
                self._reading.popitem(last=False)
        task = self._reading[key]
        try:
            # One reader that leaves must not spoil it for the others.
            return await asyncio.shield(task)
        finally:
            if task.done() and (task.cancelled() or task.exception()):
                self._reading.pop(key, None)

    async def _read(self, turn: str, seat: str) -> Json:
        played = await played_json(self._host, await self._host.store.turn(turn), seat)
        return {"view": played.pop("view"), "played": played}


async def event_of(item: Item, seat: str, played: Played) -> ServerSentEvent:
    """Return an item as the event that a seat gets; a committed turn comes whole."""
    body = item.told_to(seat).body
    if item.name == "autoplay":
        return event(item.name, body)
    if item.name == "head.moved":
        return event("head.moved", body, Cursor(item.turn or None))
    place = Cursor(item.turn, END if item.last else item.seq)
    if item.name == "turn.committed":
        # Another process may have answered the same key first: then that turn is the one there is.
        place = Cursor(str(body["turn"]))
        body = {**body, **await played.turn(str(body["turn"]), seat)}
    return event(item.name, {**body, "turn": item.turn, "seq": place.seq}, place)


def event(name: str, body: Json, place: Cursor | None = None) -> ServerSentEvent:
    """Return an event after which a reader stands at `place`, or where it stood."""
    # ASCII, since a model's words may hold halves of characters that no encoding takes.
    data = json.dumps(body, separators=(",", ":"))
    return ServerSentEvent(data, event=name, id=str(place) if place else None, sep="\n")


def placing(place: Cursor) -> ServerSentEvent:
    """Return what tells a reader where it stands, and nothing else: browsers keep the id."""
    return ServerSentEvent(id=str(place), retry=RETRY_MS, sep="\n")


def left_of(reply: str, told: str) -> str:
    """Return what is still to be told of a reply; all of it, when what was told is no part of it.

    White space does not count: streams and replies part paragraphs in their own ways.
    """
    place = 0
    for char in told:
        if char.isspace():
            continue
        while place < len(reply) and reply[place].isspace():
            place += 1
        if place >= len(reply) or reply[place] != char:
            return f"\n\n{reply}"
        place += 1
    rest = reply[place:]
    return rest.lstrip() if told[-1:].isspace() else rest
