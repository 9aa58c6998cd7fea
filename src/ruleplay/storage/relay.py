"""Live updates between the processes that share a PostgreSQL database, by LISTEN and NOTIFY.

Each process sends the items of its running turns, its commits and its moved heads, in batches and
outside of transactions: a NOTIFY inside one takes a database-wide lock at the commit, which would
serialise all commits. Delivery is best effort. A message that is lost or too long for NOTIFY is
made up for by the commit, which readers load from the store. See docs/decisions/0020.

A message is a JSON object: the session `s`, and one of `item` [name, turn, seq, body, audience],
`over` (a committed turn's id), `version` (the session's new one) and `stop` (a turn to cancel).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from sqlalchemy import Connection, text

from ruleplay.errors import Away
from ruleplay.records.stream import Bus, Item
from ruleplay.storage.database import Postgres, transient_errors
from ruleplay.storage.leases import Leases

if TYPE_CHECKING:
    from typing import Any

CHANNEL = "ruleplay"
BATCH_SECONDS = 0.04
"""Seconds for which messages are collected before they are sent together."""
MAX_BYTES = 7_900
"""Bytes of one notification; PostgreSQL's limit is below 8,000."""
RECONNECT_SECONDS = 1.0
"""Seconds between attempts to reconnect."""
PUBLIC_SEAT = ""
"""Bodies are sent as this seat sees them; what differs by seat is read from the store."""
_NOTIFY = text(
    f"SELECT pg_notify('{CHANNEL}', batch.payload) "
    "FROM unnest(CAST(:payloads AS text[])) WITH ORDINALITY AS batch (payload, n) ORDER BY n"
)

_encode = json.JSONEncoder(separators=(",", ":")).encode


class Relay:
    """Sends this process's updates to the others, and passes theirs to the bus and the leases.

    `connected` tells whether it listens now; `cancel` is called with the id of a turn to stop.
    """

    def __init__(
        self, database: Postgres, bus: Bus, leases: Leases, cancel: Callable[[str], object]
    ) -> None:
        self._database, self._bus, self._leases, self._cancel = database, bus, leases, cancel
        self._lines: list[str] = []
        self._sending: asyncio.Task[None] | None = None
        self._remote: dict[str, str] = {}
        self._without_lease: set[tuple[str, str]] = set()
        self.connected, self._attempted = False, asyncio.Event()
        self._in_order = asyncio.Lock()
        bus.taps.append(self)

    def item(self, session: str, item: Item) -> None:
        """Send an item of a turn that runs here."""
        if item.name == "turn.committed" and item.body.get("turn") == item.turn:
            self._enqueue({"s": session, "over": item.turn})
            return
        if item.name == "turn.committed":
            # The commit returned an earlier turn, so the one that others saw running has ended.
            item = _failed(item.turn, "another process answered the same key first")
        seen = item.told_to(PUBLIC_SEAT)
        self._enqueue(
            {"s": session, "item": [seen.name, seen.turn, seen.seq, seen.body, seen.audience]}
        )

    def moved(self, session: str, version: int) -> None:
        """Send the version to which this process has brought a session."""
        self._enqueue({"s": session, "version": version})

    def stop_turn(self, turn: str) -> None:
        """Ask the process that plays a turn to cancel it."""
        self._enqueue({"s": "", "stop": turn})

    def _enqueue(self, message: dict[str, Any]) -> None:
        line = _encode(message)  # ASCII only, so characters are bytes
        if len(line) + len(self._leases.holder) + 1 > MAX_BYTES:
            return
        self._lines.append(line)
        if self._sending is None:
            self._sending = asyncio.create_task(self._send_soon())

    async def _send_soon(self) -> None:
        try:
            await asyncio.sleep(BATCH_SECONDS)
        finally:
            self._sending = None
        await self._send()

    async def _send(self) -> None:
        # Each batch takes a connection of its own. If one could overtake a slow one, readers would
        # see a turn's commit before its last words, and those words as a turn that still runs.
        async with self._in_order:
            lines, self._lines = self._lines, []
            given = {"payloads": list(packed(self._leases.holder, lines))}

            def work(connection: Connection) -> None:
                connection.execute(_NOTIFY, given).close()

            if lines:
                with suppress(Away):  # readers elsewhere find the commits by looking
                    await self._database.run(work)

    async def close(self) -> None:
        """Send what is still queued."""
        if self._sending:
            self._sending.cancel()
            await asyncio.wait({self._sending})
        await self._send()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Receive messages during the block, which starts after the first attempt to connect."""
        task = asyncio.create_task(self._listen())
        try:
            await self._attempted.wait()
            yield
        finally:
            task.cancel()
            await asyncio.wait({task})

    async def _listen(self) -> None:
        while True:
            with suppress(Away), transient_errors():
                await self._listen_until_lost()
            self.connected = False
            self._attempted.set()
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _listen_until_lost(self) -> None:
        lost = asyncio.Event()
        async with self._database.engine.connect() as connection:
            raw = (await connection.get_raw_connection()).driver_connection
            if raw is None:
                raise Away("the connection was lost")
            raw.add_termination_listener(lambda _: lost.set())
            await raw.add_listener(CHANNEL, self._received)
            try:
                self.connected = True
                self._attempted.set()
                await lost.wait()
            finally:
                # Back in the pool it would still listen, in the name of whoever uses it next.
                await connection.invalidate()

    def _received(self, _connection: object, _pid: int, _channel: str, payload: str) -> None:
        sender, *lines = payload.split("\n")
        if sender != self._leases.holder:  # PostgreSQL notifies the sender, too
            for line in lines:
                self._handle(json.loads(line))

    def _handle(self, message: dict[str, Any]) -> None:
        session = message["s"]
        if "version" in message:
            self._bus.sync_to(session, message["version"])
            self._leases.freed(session)
        elif "over" in message:
            self._drop_turn(session, message["over"])
        elif "item" in message:
            name, turn, seq, body, audience = message["item"]
            item = Item(name, turn, seq, body, tuple(audience))
            self._remote[session] = turn
            self._bus.deliver(session, item)
            if item.last:
                self._remote.pop(session, None)
                self._leases.freed(session)
        elif "stop" in message:
            self._cancel(message["stop"])

    def _drop_turn(self, session: str, turn: str) -> None:
        self._bus.drop_turn(session, turn)
        if self._remote.get(session) == turn:
            del self._remote[session]

    async def check(self) -> None:
        """End the turns of other processes whose process has died, as told by missing leases."""
        if not self._remote:
            return
        before, live = dict(self._remote), await self._leases.live()
        without_lease = {(session, turn) for session, turn in before.items() if session not in live}
        # The commit deletes the lease before its message arrives here, so a turn has died only
        # if its lease is missing at two checks in a row.
        for session, turn in without_lease & self._without_lease:
            if self._bus.running(session) == turn:
                self._bus.deliver(session, _failed(turn, "the process that played it has ended"))
                self._remote.pop(session, None)
        self._without_lease = without_lease


def _failed(turn: str, why: str) -> Item:
    return Item("turn.failed", turn, 0, {"reason": why})


def packed(sender: str, lines: Sequence[str]) -> Iterator[str]:
    """Pack lines into payloads of at most `MAX_BYTES`, in order, each headed by the sender."""
    payload, size = [sender], len(sender)
    for line in lines:
        if size + 1 + len(line) > MAX_BYTES:
            yield "\n".join(payload)
            payload, size = [sender], len(sender)
        payload.append(line)
        size += 1 + len(line)
    if len(payload) > 1:
        yield "\n".join(payload)
