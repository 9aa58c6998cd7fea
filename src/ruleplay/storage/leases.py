"""Leases: which process plays a session's turn, so that no other starts one at the same time.

A lease is a row that its holder renews while it lives. It ends with the turn's commit, in the same
transaction; when its holder dies, others take it over: at once on the same machine, elsewhere when
it expires. The session's version still guards each commit, so a lease that is lost to a process
that was merely slow costs a turn that is played in vain, never a session.
"""

from __future__ import annotations

import asyncio
import os
import platform
import random
import secrets
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from time import monotonic
from typing import TypeVar

from sqlalchemy import Connection, bindparam, select, text

from ruleplay.errors import Away, Conflict
from ruleplay.storage.commit import end_lease
from ruleplay.storage.database import Database, Work
from ruleplay.storage.tables import leases

SECONDS = 15.0
"""How long a lease holds without being renewed."""
RENEWED = SECONDS / 3
"""Seconds between two renewals; one statement renews all of a process."""
PATIENCE = 120.0
"""Seconds that a turn waits for one that another process plays."""
SOONEST, LATEST = 0.02, 0.25
"""Seconds between two attempts at a lease that is held, at first and later."""

_CLOCK = {
    "sqlite": "((julianday('now') - 2440587.5) * 86400.0)",
    "postgresql": "CAST(extract(epoch FROM clock_timestamp()) AS double precision)",
}
"""The database's own clock, in seconds: processes' clocks may differ."""
_TAKE = """
INSERT INTO leases (session, holder, until)
VALUES (:session, :holder, {clock} + CAST(:seconds AS double precision))
ON CONFLICT (session) DO UPDATE SET holder = excluded.holder, until = excluded.until
WHERE leases.holder IN (excluded.holder, CAST(:dead AS text)) OR leases.until < {clock}
RETURNING holder
"""
_RENEW = """
UPDATE leases SET until = {clock} + CAST(:seconds AS double precision) WHERE holder = :holder
"""
_LIVE = "SELECT session FROM leases WHERE until >= {clock}"
_HOLDER = select(leases.c.holder).where(leases.c.session == bindparam("leased"))

Seen = TypeVar("Seen")


class Leases:
    """The leases of one process, whose name among processes is `holder`."""

    def __init__(self, database: Database) -> None:
        clock = _CLOCK[database.dialect]
        self._take_it, self._renew_all = (
            text(_TAKE.format(clock=clock)),
            text(_RENEW.format(clock=clock)),
        )
        self._live = text(_LIVE.format(clock=clock))
        self._database = database
        self._held: set[str] = set()
        self._renewing: asyncio.Task[None] | None = None
        self._waiting: dict[str, set[asyncio.Event]] = defaultdict(set)
        self.holder = f"{_machine()}:{os.getpid()}:{secrets.token_hex(4)}"

    @asynccontextmanager
    async def holding(self, session: str, look: Work[Seen]) -> AsyncIterator[Seen]:
        """Hold a session's lease during the block, which gets what `look` sees under it.

        Waits while another process holds it; Conflict when that takes too long.
        """
        try:
            # Before it is taken: whoever is cancelled meanwhile may hold it without knowing.
            self._held.add(session)
            yield await self._take(session, look)
        finally:
            if session in self._held:
                self._held.discard(session)
                with suppress(Away):  # then it expires
                    await asyncio.shield(self._give_back(session))

    def released(self, session: str) -> None:
        """Note that a lease ended with its turn's commit."""
        self._held.discard(session)

    def freed(self, session: str) -> None:
        """Wake those who wait for a session that another process may have released."""
        for event in self._waiting.get(session, ()):
            event.set()

    async def live(self) -> set[str]:
        """Return the sessions in which a turn is played now, in any process."""
        return await self._database.run(
            lambda connection: {row.session for row in connection.execute(self._live)}
        )

    async def close(self) -> None:
        """Stop renewing."""
        if self._renewing:
            self._renewing.cancel()
            await asyncio.wait({self._renewing})

    async def _take(self, session: str, look: Work[Seen]) -> Seen:
        give_up, pause = monotonic() + PATIENCE, SOONEST
        dead = ""
        while True:
            holder, seen = await self._attempt(session, dead, look)
            if seen:
                break
            # Another machine's process is not seen from here: its lease expires.
            dead = holder if _is_dead(holder) else ""
            if monotonic() > give_up:
                self._held.discard(session)
                raise Conflict(
                    f"another process has been playing a turn here for {PATIENCE:.0f} s; "
                    "send it again later"
                )
            if not dead:
                await self._wait(session, pause * random.uniform(0.7, 1.3))
                pause = min(pause * 1.5, LATEST)
        if self._renewing is None:
            self._renewing = asyncio.create_task(self._renew())
        return seen[0]

    async def _attempt(
        self, session: str, dead: str, look: Work[Seen]
    ) -> tuple[str, tuple[Seen] | None]:
        """Take a lease, also from a holder that is known to be dead; return who holds it then.

        Once it is held here, also what `look` sees, on the same connection.
        """
        given = {"session": session, "holder": self.holder, "seconds": SECONDS, "dead": dead}

        def work(connection: Connection) -> tuple[str, tuple[Seen] | None]:
            if connection.execute(self._take_it, given).scalar() is not None:
                return self.holder, (look(connection),)
            return str(connection.execute(_HOLDER, {"leased": session}).scalar() or ""), None

        return await self._database.run(work, writes=True)

    async def _wait(self, session: str, seconds: float) -> None:
        event = asyncio.Event()
        self._waiting[session].add(event)
        try:
            async with asyncio.timeout(seconds):
                await event.wait()
        except TimeoutError:
            pass
        finally:
            self._waiting[session].discard(event)
            if not self._waiting[session]:
                del self._waiting[session]

    async def _give_back(self, session: str) -> None:
        await self._database.run(
            lambda connection: end_lease(connection, session, self.holder), writes=True
        )

    async def _renew(self) -> None:
        given = {"holder": self.holder, "seconds": SECONDS}
        while True:
            await asyncio.sleep(RENEWED)
            if self._held:
                with suppress(Away):  # it is tried again before the lease expires
                    await self._database.run(
                        lambda connection: connection.execute(self._renew_all, given).close(),
                        writes=True,
                    )


@cache
def _machine() -> str:
    """Name what process ids count in: this boot of this machine, and its container."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}.{os.stat('/proc/self/ns/pid').st_ino}"
    except OSError:
        return platform.node().replace(":", "-")


def _is_dead(holder: str) -> bool:
    """Tell whether a lease's holder was a process of this machine that is gone."""
    machine, _, rest = holder.partition(":")
    pid = rest.partition(":")[0]
    if machine != _machine() or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
