"""The live bus: what happens in a running turn, to every reader of its session.

Readers only listen; a turn runs on whether or not anyone does. A reader that joins in the middle
first gets what the running turn has said so far. One that falls too far behind is dropped and reads
the committed turns from the store instead.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from ruleplay.foundation.events import EVERYONE, Json

Name = Literal[
    "turn.started", "node", "event", "text", "refused", "tool", "turn.committed", "turn.failed"
]
BEHIND = 2_000
"""Items a reader may lag behind before it is dropped."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing a reader sees; (`turn`, `seq`) is its id, `audience` the seats that may see it."""

    name: Name
    turn: str
    seq: int
    body: Json
    audience: tuple[str, ...] = (EVERYONE,)

    @property
    def last(self) -> bool:
        """Whether the turn is over with this item."""
        return self.name in ("turn.committed", "turn.failed")


class Reader:
    """One reader's queue; iterate it. It ends when the reader is closed or fell behind."""

    def __init__(self, seat: str | None, backlog: list[Item]) -> None:
        self._seat = seat
        self._queue: asyncio.Queue[Item | None] = asyncio.Queue()
        for item in backlog:
            self.put(item)

    def put(self, item: Item) -> bool:
        """Queue an item this reader may see; False when it lags too far behind to go on."""
        if self._seat is not None and not {EVERYONE, self._seat} & set(item.audience):
            return True
        if self._queue.qsize() >= BEHIND:
            self.close()
            return False
        self._queue.put_nowait(item)
        return True

    def close(self) -> None:
        """End the reader's iteration after what is queued."""
        self._queue.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[Item]:
        """Yield items as they come."""
        while (item := await self._queue.get()) is not None:
            yield item


class Bus:
    """Sessions' running turns and their readers, in one process."""

    def __init__(self) -> None:
        self._readers: dict[str, set[Reader]] = defaultdict(set)
        self._running: dict[str, list[Item]] = {}

    def publish(self, session: str, item: Item) -> None:
        """Hand an item to all readers of a session; the turn's last item clears its backlog."""
        self._running.setdefault(session, []).append(item)
        for reader in tuple(self._readers.get(session, ())):
            if not reader.put(item):
                self._readers[session].discard(reader)
        if item.last:
            del self._running[session]

    def running(self, session: str) -> str | None:
        """Return the id of the turn that runs in a session, if one does."""
        items = self._running.get(session)
        return items[0].turn if items else None

    @contextmanager
    def reading(self, session: str, seat: str | None = None) -> Iterator[Reader]:
        """Listen to a session while the block runs; `seat` None sees everything."""
        reader = Reader(seat, self._running.get(session, []))
        self._readers[session].add(reader)
        try:
            yield reader
        finally:
            self._readers[session].discard(reader)
            if not self._readers[session]:
                del self._readers[session]
