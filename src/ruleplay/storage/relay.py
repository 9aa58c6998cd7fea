"""What this process tells others on the same PostgreSQL, and hears from them, by NOTIFY.

Told are running turns, commits and moved heads: a few times a second, many at once, outside of all
transactions, since PostgreSQL lets only one transaction with notifications commit at a time. What
is lost or too long to be told comes with the commit, which readers get from the store.
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
from ruleplay.storage.database import Postgres, passing_errors
from ruleplay.storage.leases import Leases

if TYPE_CHECKING:
    from typing import Any

CHANNEL = "ruleplay"
EVERY = 0.04
"""Seconds for which what is told is collected."""
LONGEST = 7_900
"""Bytes of one notification; PostgreSQL takes less than 8,000."""
AGAIN = 1.0
"""Seconds after which a lost connection is made anew."""
STRANGER = ""
"""The seat for which items are told: what differs by seat comes from the store."""
_NOTIFY = text(
    f"SELECT pg_notify('{CHANNEL}', told.it) "
    "FROM unnest(CAST(:payloads AS text[])) WITH ORDINALITY AS told (it, place) ORDER BY place"
)

_encode = json.JSONEncoder(separators=(",", ":")).encode


class Relay:
    """One process's voice and ear among those that share a PostgreSQL database."""

    def __init__(
        self, database: Postgres, bus: Bus, leases: Leases, cancel: Callable[[str], object]
    ) -> None:
        self._database, self._bus, self._leases, self._cancel = database, bus, leases, cancel
        self._lines: list[str] = []
        self._sending: asyncio.Task[None] | None = None
        self._remote: dict[str, str] = {}
        self._silent: set[tuple[str, str]] = set()
        self.hears, self._tried = False, asyncio.Event()
        bus.taps.append(self)

    def item(self, session: str, item: Item) -> None:
        """Tell an item of a turn that runs here."""
        if item.name == "turn.committed" and item.body.get("turn") == item.turn:
            self._say({"s": session, "over": item.turn})
            return
        if item.name == "turn.committed":
            item = _failed(item.turn, "another process answered the same key first")
        told = item.told_to(STRANGER)
        self._say(
            {"s": session, "item": [told.name, told.turn, told.seq, told.body, told.audience]}
        )

    def moved(self, session: str, version: int) -> None:
        """Tell the version that this process brought a session to."""
        self._say({"s": session, "version": version})

    def stop_turn(self, turn: str) -> None:
        """Ask the process that plays a turn to cancel it."""
        self._say({"s": "", "stop": turn})

    def _say(self, told: dict[str, Any]) -> None:
        line = _encode(told)  # ASCII: as many bytes as characters
        if len(line) + len(self._leases.holder) + 1 > LONGEST:
            return
        self._lines.append(line)
        if self._sending is None:
            self._sending = asyncio.create_task(self._send_soon())

    async def _send_soon(self) -> None:
        try:
            await asyncio.sleep(EVERY)
        finally:
            self._sending = None
        await self._send()

    async def _send(self) -> None:
        lines, self._lines = self._lines, []
        given = {"payloads": list(packed(self._leases.holder, lines))}

        def work(connection: Connection) -> None:
            connection.execute(_NOTIFY, given).close()

        if lines:
            with suppress(Away):  # readers elsewhere find the commits by looking
                await self._database.run(work)

    async def close(self) -> None:
        """Tell what is still to be told."""
        if self._sending:
            self._sending.cancel()
            await asyncio.wait({self._sending})
        await self._send()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Hear what others tell during the block; a lost connection is made anew.

        The block begins when others are heard, or cannot be for now.
        """
        task = asyncio.create_task(self._listen())
        try:
            await self._tried.wait()
            yield
        finally:
            task.cancel()
            await asyncio.wait({task})

    async def _listen(self) -> None:
        while True:
            with suppress(Away), passing_errors():
                await self._hear_until_lost()
            self.hears = False
            self._tried.set()
            await asyncio.sleep(AGAIN)

    async def _hear_until_lost(self) -> None:
        lost = asyncio.Event()
        async with self._database.engine.connect() as connection:
            raw = (await connection.get_raw_connection()).driver_connection
            if raw is None:
                raise Away("the connection was lost")
            raw.add_termination_listener(lambda _: lost.set())
            await raw.add_listener(CHANNEL, self._received)
            try:
                self.hears = True
                self._tried.set()
                await lost.wait()
            finally:
                # A connection that listens is not for anybody else.
                await connection.invalidate()

    def _received(self, _connection: object, _pid: int, _channel: str, payload: str) -> None:
        sender, *lines = payload.split("\n")
        if sender != self._leases.holder:
            for line in lines:
                self._heard(json.loads(line))

    def _heard(self, told: dict[str, Any]) -> None:
        session = told["s"]
        if "version" in told:
            self._bus.stands(session, told["version"])
            self._leases.freed(session)
        elif "over" in told:
            self._forget(session, told["over"])
        elif "item" in told:
            name, turn, seq, body, audience = told["item"]
            item = Item(name, turn, seq, body, tuple(audience))
            self._remote[session] = turn
            self._bus.hear(session, item)
            if item.last:
                self._remote.pop(session, None)
                self._leases.freed(session)
        elif "stop" in told:
            self._cancel(told["stop"])

    def _forget(self, session: str, turn: str) -> None:
        self._bus.over(session, turn)
        if self._remote.get(session) == turn:
            del self._remote[session]

    async def check(self) -> None:
        """End the turns of other processes that are told to run and do not any more."""
        if not self._remote:
            return
        before, live = dict(self._remote), await self._leases.live()
        silent = {(session, turn) for session, turn in before.items() if session not in live}
        # A lease ends with the commit, of which word is still on its way: so twice in a row.
        for session, turn in silent & self._silent:
            if self._bus.running(session) == turn:
                self._bus.hear(session, _failed(turn, "the process that played it has ended"))
                self._remote.pop(session, None)
        self._silent = silent


def _failed(turn: str, why: str) -> Item:
    return Item("turn.failed", turn, 0, {"reason": why})


def packed(sender: str, lines: Sequence[str]) -> Iterator[str]:
    """Yield notifications that hold the lines in their order, each below what PostgreSQL takes."""
    payload, size = [sender], len(sender)
    for line in lines:
        if size + 1 + len(line) > LONGEST:
            yield "\n".join(payload)
            payload, size = [sender], len(sender)
        payload.append(line)
        size += 1 + len(line)
    if len(payload) > 1:
        yield "\n".join(payload)
