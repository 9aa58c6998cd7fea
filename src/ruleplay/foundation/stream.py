"""The live bus: what happens in a running turn, to every reader of its session.

Readers only listen; a turn runs on whether or not anyone does. A reader that joins in the middle
first gets what the running turn has said so far. One that falls too far behind is dropped and reads
the committed turns from the store instead.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from ruleplay.foundation.events import EVERYONE, Json

Name = Literal[
    "turn.started",
    "node",
    "event",
    "text",
    "refused",
    "tool",
    "turn.committed",
    "turn.failed",
    "head.moved",
    "elsewhere",
]
BEHIND = 2_000
"""Items a reader may lag behind before it is dropped."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing a reader sees; (`turn`, `seq`) is its id, `audience` the seats that may see it.

    `head.moved` belongs to no running turn: its `turn` is the one the head now points at, "" for
    none. `elsewhere` tells that another process changed the session: look into the store.
    """

    name: Name
    turn: str
    seq: int
    body: Json
    audience: tuple[str, ...] = (EVERYONE,)

    @property
    def last(self) -> bool:
        """Whether the turn is over with this item."""
        return self.name in ("turn.committed", "turn.failed")


def head_moved(turn: str | None, number: int) -> Item:
    """Return the item that tells where a session's head is."""
    return Item(name="head.moved", turn=turn or "", seq=0, body={"head": turn, "number": number})


class Reader:
    """One reader's queue; iterate it. It ends when the reader is closed or fell behind.

    `changed` tells whether the session has changed since the reader joined: a turn ended, or the
    head moved.
    """

    def __init__(self, seat: str | None, backlog: Iterable[Item]) -> None:
        self.changed = False
        self._seat = seat
        self._queue: asyncio.Queue[Item | None] = asyncio.Queue()
        # Whole, whatever its length: it takes no copies, and a reader that resumes gets ahead.
        for item in filter(self._may_see, backlog):
            self._queue.put_nowait(item)

    def _may_see(self, item: Item) -> bool:
        return self._seat is None or EVERYONE in item.audience or self._seat in item.audience

    def put(self, item: Item) -> bool:
        """Queue an item this reader may see; False when it lags too far behind to go on."""
        self.changed = self.changed or item.last or item.name in ("head.moved", "elsewhere")
        if not self._may_see(item):
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
        self._closed = False

    def publish(self, session: str, item: Item) -> None:
        """Hand a turn's item to all readers of a session; the last one clears its backlog."""
        self._running.setdefault(session, []).append(item)
        self._tell(session, item)
        if item.last:
            del self._running[session]

    def move_head(self, session: str, turn: str | None, number: int) -> None:
        """Tell all readers of a session which turn its head points at now."""
        self._tell(session, head_moved(turn, number))

    def changed_elsewhere(self, session: str) -> None:
        """Tell all readers of a session to look into the store for what another process did."""
        self._tell(session, Item(name="elsewhere", turn="", seq=0, body={}))

    @property
    def read(self) -> tuple[str, ...]:
        """The sessions that somebody reads here."""
        return tuple(self._readers)

    def _tell(self, session: str, item: Item) -> None:
        for reader in tuple(self._readers.get(session, ())):
            if not reader.put(item):
                self._readers[session].discard(reader)

    def running(self, session: str) -> str | None:
        """Return the id of the turn that runs in a session, if one does."""
        items = self._running.get(session)
        return items[0].turn if items else None

    def close(self) -> None:
        """End all readers, and those to come after the backlog; turns run on."""
        self._closed = True
        for readers in self._readers.values():
            for reader in readers:
                reader.close()

    @contextmanager
    def reading(self, session: str, seat: str | None = None, after: int = 0) -> Iterator[Reader]:
        """Listen to a session while the block runs; `seat` None sees everything.

        `after` is the seq of the running turn's last item that the reader knows already.
        """
        backlog = self._running.get(session, [])
        reader = Reader(seat, (item for item in backlog if item.seq > after))
        if self._closed:
            reader.close()
        self._readers[session].add(reader)
        try:
            yield reader
        finally:
            self._readers[session].discard(reader)
            if not self._readers[session]:
                del self._readers[session]
