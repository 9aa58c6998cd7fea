"""The event bus: publishes what happens in running turns to the readers of their sessions.

Readers never influence a turn, which runs on if all of them leave. A reader that joins during a
turn first gets the turn's items so far. One that falls too far behind is dropped, so that a slow
client cannot fill the memory; it reconnects and reads the committed turns from the store.

Bus and store can get out of step, because another process may change a session. So the bus keeps
the version of each session that its readers know (`_versions`). If the store has another one, an
`elsewhere` item makes them read it.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from ruleplay.records.events import EVERYONE, Json

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
    "autoplay",
]
Tell = Callable[[str | None], Json]
"""Makes the part of an item's body that differs by seat; None is a reader that sees everything."""
BEHIND = 2_000
"""Items that may wait for a reader before it is dropped."""


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a stream, identified by (`turn`, `seq`), for the seats of `audience`.

    `head.moved` belongs to no running turn: its `turn` is the one the head now points at, or "".
    `elsewhere`: another process has changed the session, so read the store. `autoplay`: the
    progress of a session that plays by itself. `tell` adds to `body` what differs by seat.
    """

    name: Name
    turn: str
    seq: int
    body: Json
    audience: tuple[str, ...] = (EVERYONE,)
    tell: Tell | None = None

    def told_to(self, seat: str | None) -> Item:
        """Return the item as a seat may see it; None sees everything."""
        if self.tell is None:
            return self
        return replace(self, body={**self.body, **self.tell(seat)}, tell=None)

    @property
    def last(self) -> bool:
        """Whether this item ends its turn."""
        return self.name in ("turn.committed", "turn.failed")


def head_moved(turn: str | None, number: int) -> Item:
    """Make the item that says where a session's head is now."""
    return Item(name="head.moved", turn=turn or "", seq=0, body={"head": turn, "number": number})


class Reader:
    """One reader's queue, to be iterated; the iteration ends when the reader is closed or dropped.

    `changed`: whether a turn has ended or the head has moved since the reader joined.
    """

    def __init__(self, seat: str | None, backlog: Iterable[Item]) -> None:
        self.changed = False
        self._seat = seat
        self._queue: asyncio.Queue[Item | None] = asyncio.Queue()
        # The backlog is queued whole even beyond BEHIND: its items are shared, not copied, and a
        # reader that was dropped could otherwise never catch up with a long turn.
        for item in filter(self._may_see, backlog):
            self._queue.put_nowait(item.told_to(seat))

    def _may_see(self, item: Item) -> bool:
        return self._seat is None or EVERYONE in item.audience or self._seat in item.audience

    def put(self, item: Item) -> bool:
        """Queue an item if this reader may see it; False, and closed, if it lags too far behind."""
        self.changed = self.changed or item.last or item.name in ("head.moved", "elsewhere")
        if not self._may_see(item):
            return True
        if self._queue.qsize() >= BEHIND:
            self.close()
            return False
        self._queue.put_nowait(item.told_to(self._seat))
        return True

    def close(self) -> None:
        """End the reader's iteration after the queued items."""
        self._queue.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[Item]:
        """Yield items as they come."""
        while (item := await self._queue.get()) is not None:
            yield item


class Tap(Protocol):
    """Gets everything that this process publishes, of all sessions and seats."""

    def item(self, session: str, item: Item) -> None:
        """Receive an item of a turn that runs here."""

    def moved(self, session: str, version: int) -> None:
        """Receive the version to which a commit or a moved head has brought a session."""


class Bus:
    """The running turns of all sessions, and their readers in this process.

    What other processes report comes in by `deliver`, `drop_turn` and `sync_to`.
    """

    def __init__(self) -> None:
        self.taps: list[Tap] = []
        self._readers: dict[str, set[Reader]] = defaultdict(set)
        self._running: dict[str, list[Item]] = {}
        self._versions: dict[str, int] = {}
        self._closed = False

    def publish(self, session: str, item: Item) -> None:
        """Send an item of a turn that runs here to the session's readers and to all taps."""
        self.deliver(session, item)
        for tap in self.taps:
            tap.item(session, item)

    def deliver(self, session: str, item: Item) -> None:
        """Send an item to the readers only, not to the taps: it came from another process."""
        backlog = self._running.setdefault(session, [])
        if backlog and backlog[0].turn != item.turn:
            backlog.clear()  # left over from a turn whose process died before its end
        backlog.append(item)
        self._tell(session, item)
        if item.last:
            del self._running[session]

    def drop_turn(self, session: str, turn: str) -> None:
        """Forget a turn that another process has committed; readers get it from the store."""
        if self.running(session) == turn:
            del self._running[session]

    def move_head(self, session: str, turn: str | None, number: int) -> None:
        """Notify the session's readers that its head points at another turn."""
        self._tell(session, head_moved(turn, number))

    def tell_pace(self, session: str, body: Json) -> None:
        """Notify the session's readers of its autoplay progress."""
        self._tell(session, Item(name="autoplay", turn="", seq=0, body=body))

    def moved(self, session: str, version: int) -> None:
        """Record that this process has brought a session to a version, and published how."""
        # If versions in between came from other processes, readers do not know them yet.
        if self._versions.get(session) == version - 1:
            self._versions[session] = version
        for tap in self.taps:
            tap.moved(session, version)

    def reader_at(self, session: str, version: int) -> None:
        """Record the version that a new reader has loaded, unless others may still lack it."""
        if session in self._readers:
            self._versions.setdefault(session, version)

    def begins(self, session: str, version: int) -> None:
        """Record the version on which a turn starts here, so that readers load that one first."""
        if session in self._versions:
            self.sync_to(session, version)

    def sync_to(self, session: str, version: int) -> None:
        """Record a session's version in the store; readers who lack it get `elsewhere`."""
        if session in self._readers and self._versions.get(session) != version:
            self._versions[session] = version
            self._tell(session, Item(name="elsewhere", turn="", seq=0, body={}))

    @property
    def read(self) -> tuple[str, ...]:
        """The sessions that have readers here."""
        return tuple(self._readers)

    @property
    def readers(self) -> int:
        """The number of readers of all sessions."""
        return sum(len(readers) for readers in self._readers.values())

    def _tell(self, session: str, item: Item) -> None:
        for reader in tuple(self._readers.get(session, ())):
            if not reader.put(item):
                self._readers[session].discard(reader)

    def running(self, session: str) -> str | None:
        """Return the id of the turn that runs in a session, if one does."""
        items = self._running.get(session)
        return items[0].turn if items else None

    def close(self) -> None:
        """Close all readers, and future ones after their backlog; turns run on."""
        self._closed = True
        for readers in self._readers.values():
            for reader in readers:
                reader.close()

    @contextmanager
    def reading(self, session: str, seat: str | None = None, after: int = 0) -> Iterator[Reader]:
        """Subscribe to a session for the block, as a seat; None sees everything.

        `after` is the seq of the running turn's last item that the reader already has.
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
                self._versions.pop(session, None)
