"""The live bus: what happens in a running turn, to every reader of its session.

Readers only listen; a turn runs on whether or not anyone does. A reader that joins in the middle
first gets what the running turn has said so far. One that falls too far behind is dropped and reads
the committed turns from the store instead.
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
"""What an item says to a seat; None is whoever may see everything."""
BEHIND = 2_000
"""Items a reader may lag behind before it is dropped."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing a reader sees; (`turn`, `seq`) is its id, `audience` the seats that may see it.

    `head.moved` belongs to no running turn: its `turn` is the one the head now points at, "" for
    none. `elsewhere` tells that another process changed the session: look into the store.
    `autoplay` tells how far a session plays on by itself. What differs by seat besides `body` is
    what `tell` says.
    """

    name: Name
    turn: str
    seq: int
    body: Json
    audience: tuple[str, ...] = (EVERYONE,)
    tell: Tell | None = None

    def told_to(self, seat: str | None) -> Item:
        """Return the item as a seat gets it; None sees everything."""
        if self.tell is None:
            return self
        return replace(self, body={**self.body, **self.tell(seat)}, tell=None)

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
            self._queue.put_nowait(item.told_to(seat))

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
        self._queue.put_nowait(item.told_to(self._seat))
        return True

    def close(self) -> None:
        """End the reader's iteration after what is queued."""
        self._queue.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[Item]:
        """Yield items as they come."""
        while (item := await self._queue.get()) is not None:
            yield item


class Tap(Protocol):
    """Hears all that this process's turns say, whoever reads."""

    def item(self, session: str, item: Item) -> None:
        """Hear an item of a turn."""

    def moved(self, session: str, version: int) -> None:
        """Hear that a commit or a moved head brought a session to a version."""


class Bus:
    """Sessions' running turns and their readers, in one process.

    What other processes tell of their turns comes in by `hear`, `over` and `stands`.
    """

    def __init__(self) -> None:
        self.taps: list[Tap] = []
        self._readers: dict[str, set[Reader]] = defaultdict(set)
        self._running: dict[str, list[Item]] = {}
        self._told: dict[str, int] = {}
        self._closed = False

    def publish(self, session: str, item: Item) -> None:
        """Hand a turn's item to all readers of a session; the last one clears its backlog."""
        self.hear(session, item)
        for tap in self.taps:
            tap.item(session, item)

    def hear(self, session: str, item: Item) -> None:
        """Hand an item on as `publish` does, but not to the taps: another process told it."""
        backlog = self._running.setdefault(session, [])
        if backlog and backlog[0].turn != item.turn:
            backlog.clear()  # of a turn whose process did not live to tell its end
        backlog.append(item)
        self._tell(session, item)
        if item.last:
            del self._running[session]

    def over(self, session: str, turn: str) -> None:
        """Forget a running turn of another process: readers find in the store what became of it."""
        if self.running(session) == turn:
            del self._running[session]

    def move_head(self, session: str, turn: str | None, number: int) -> None:
        """Tell all readers of a session which turn its head points at now."""
        self._tell(session, head_moved(turn, number))

    def tell_pace(self, session: str, body: Json) -> None:
        """Tell all readers of a session how far it plays on by itself."""
        self._tell(session, Item(name="autoplay", turn="", seq=0, body=body))

    def moved(self, session: str, version: int) -> None:
        """Note that this process has brought a session to a version, which its readers are told."""
        # Had there been others in between, readers would not know those.
        if self._told.get(session) == version - 1:
            self._told[session] = version
        for tap in self.taps:
            tap.moved(session, version)

    def knows(self, session: str, version: int) -> None:
        """Note the version that a new reader has read; those who came before may know less."""
        if session in self._readers:
            self._told.setdefault(session, version)

    def begins(self, session: str, version: int) -> None:
        """Note the version on which something begins here: what came before it is told first."""
        if session in self._told:
            self.stands(session, version)

    def stands(self, session: str, version: int) -> None:
        """Note a session's version; readers look into the store if they were not told of it."""
        if session in self._readers and self._told.get(session) != version:
            self._told[session] = version
            self._tell(session, Item(name="elsewhere", turn="", seq=0, body={}))

    @property
    def read(self) -> tuple[str, ...]:
        """The sessions that somebody reads here."""
        return tuple(self._readers)

    @property
    def readers(self) -> int:
        """How many readers there are."""
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
                self._told.pop(session, None)
