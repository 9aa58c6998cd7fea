"""Server-sent events: converts items of the bus to events with ids and JSON, for one seat."""

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
"""Committed turns that are cached, since all readers of a seat get the same."""
RETRY_MS = 1_000
"""Milliseconds after which a browser reconnects (the `retry:` field)."""


class TurnCache:
    """Committed turns and views as JSON, built once for all readers of a seat."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._reading: OrderedDict[tuple[str, str], asyncio.Task[Json]] = OrderedDict()

    async def turn(self, turn: str, seat: str) -> Json:
        """Return `played`, the turn, and `view`, the session after it, for a seat."""
        key = (turn, seat)
        if key not in self._reading:
            self._reading[key] = asyncio.create_task(self._read(turn, seat))
            if len(self._reading) > KEPT:
                self._reading.popitem(last=False)
        task = self._reading[key]
        try:
            # Shielded, since other readers wait for it too when this one is cancelled.
            return await asyncio.shield(task)
        finally:
            if task.done() and (task.cancelled() or task.exception()):
                self._reading.pop(key, None)

    async def _read(self, turn: str, seat: str) -> Json:
        played = await played_json(self._host, await self._host.store.turn(turn), seat)
        return {"view": played.pop("view"), "played": played}


async def event_of(item: Item, seat: str, turn_cache: TurnCache) -> ServerSentEvent:
    """Convert an item to the event for a seat; a committed turn comes with its whole content."""
    body = item.told_to(seat).body
    if item.name == "autoplay":
        return event(item.name, body)
    if item.name == "head.moved":
        return event("head.moved", body, Cursor(item.turn or None))
    place = Cursor(item.turn, END if item.last else item.seq)
    if item.name == "turn.committed":
        # If another process has committed the same key first, the body names that turn instead.
        place = Cursor(str(body["turn"]))
        body = {**body, **await turn_cache.turn(str(body["turn"]), seat)}
    return event(item.name, {**body, "turn": item.turn, "seq": place.seq}, place)


def event(name: str, body: Json, place: Cursor | None = None) -> ServerSentEvent:
    """Make an event; `place` becomes its id, and so the reader's new cursor."""
    # ASCII, because a model's text may contain unpaired surrogates, which UTF-8 cannot encode.
    data = json.dumps(body, separators=(",", ":"))
    return ServerSentEvent(data, event=name, id=str(place) if place else None, sep="\n")


def cursor_event(place: Cursor) -> ServerSentEvent:
    """Make an event without data, which only sets the id a browser sends when it reconnects."""
    return ServerSentEvent(id=str(place), retry=RETRY_MS, sep="\n")


def remaining_text(reply: str, streamed: str) -> str:
    """Return what is left of a reply after the text that was streamed, `streamed`.

    If the streamed text is not the reply's beginning, all of the reply follows after a blank line.
    White space is ignored, because stream and reply may separate paragraphs differently.
    """
    place = 0
    for char in streamed:
        if char.isspace():
            continue
        while place < len(reply) and reply[place].isspace():
            place += 1
        if place >= len(reply) or reply[place] != char:
            return f"\n\n{reply}"
        place += 1
    rest = reply[place:]
    return rest.lstrip() if streamed[-1:].isspace() else rest
