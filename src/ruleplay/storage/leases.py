"""Leases: locks between processes, so that only one plays a session's turn at a time.

A lease is a row that its holder keeps renewing. The turn's commit deletes it in the same
transaction. If the holder dies, other processes take the lease over: at once on the same machine,
elsewhere when it expires. A lease only saves wasted work; what keeps sessions correct is the
version check at the commit. So a process that was stalled for longer than its lease can lose a
turn that it has played, but never damage a session. See docs/decisions/0019.
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
"""Seconds after which a lease expires unless it is renewed."""
RENEW_EVERY = SECONDS / 3
"""Seconds between renewals, so that one may fail; a statement renews all of a process's leases."""
ACQUIRE_SECONDS = 120.0
"""Seconds that a turn waits for another process's turn in the same session."""
FIRST_RETRY, LAST_RETRY = 0.02, 0.25
"""Seconds between attempts to acquire a lease; the pause grows from the first to the last."""

_CLOCK = {
    "sqlite": "((julianday('now') - 2440587.5) * 86400.0)",
    "postgresql": "CAST(extract(epoch FROM clock_timestamp()) AS double precision)",
}
"""The database's clock, as Unix seconds: the clocks of the processes may differ."""
_ACQUIRE = """
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
    """The leases of one process; `holder` is its unique name, `MACHINE:PID:RANDOM`."""

    def __init__(self, database: Database) -> None:
        clock = _CLOCK[database.dialect]
        self._acquire_one, self._renew_all = (
            text(_ACQUIRE.format(clock=clock)),
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
        """Hold a session's lease during the block, which gets the result of `look`.

        `look` runs on the connection that acquired the lease, right after, to save a round trip.
        Waits while another process holds the lease; Conflict after `ACQUIRE_SECONDS`.
        """
        try:
            # Added before the attempt: if it is cancelled, the statement may still have acquired
            # the lease, which has to be given back then.
            self._held.add(session)
            yield await self._acquire(session, look)
        finally:
            if session in self._held:
                self._held.discard(session)
                with suppress(Away):  # the lease expires by itself
                    await asyncio.shield(self._give_back(session))

    def released(self, session: str) -> None:
        """Note that a commit has deleted the lease, so that it is not renewed or given back."""
        self._held.discard(session)

    def freed(self, session: str) -> None:
        """Make waiting turns retry now, because another process may have released the lease."""
        for event in self._waiting.get(session, ()):
            event.set()

    async def live(self) -> set[str]:
        """Return the sessions in which any process plays a turn now."""
        return await self._database.run(
            lambda connection: {row.session for row in connection.execute(self._live)}
        )

    async def close(self) -> None:
        """Stop renewing leases."""
        if self._renewing:
            self._renewing.cancel()
            await asyncio.wait({self._renewing})

    async def _acquire(self, session: str, look: Work[Seen]) -> Seen:
        give_up, pause = monotonic() + ACQUIRE_SECONDS, FIRST_RETRY
        dead = ""
        while True:
            holder, seen = await self._attempt(session, dead, look)
            if seen:
                break
            # Whether a process of another machine is alive cannot be seen: its lease must expire.
            dead = holder if _is_dead(holder) else ""
            if monotonic() > give_up:
                self._held.discard(session)
                raise Conflict(
                    f"another process has been playing a turn here for {ACQUIRE_SECONDS:.0f} s; "
                    "send it again later"
                )
            if not dead:
                # Jitter keeps the waiting processes from asking the database in step.
                await self._wait(session, pause * random.uniform(0.7, 1.3))
                pause = min(pause * 1.5, LAST_RETRY)
        if self._renewing is None:
            self._renewing = asyncio.create_task(self._renew())
        return seen[0]

    async def _attempt(
        self, session: str, dead: str, look: Work[Seen]
    ) -> tuple[str, tuple[Seen] | None]:
        """Try once to acquire a lease, taking it over from `dead`, a holder known to be gone.

        Returns the holder after the attempt ("" if it was just released) and, if that is this
        process, the result of `look` in a tuple of one.
        """
        given = {"session": session, "holder": self.holder, "seconds": SECONDS, "dead": dead}

        def work(connection: Connection) -> tuple[str, tuple[Seen] | None]:
            if connection.execute(self._acquire_one, given).scalar() is not None:
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
            await asyncio.sleep(RENEW_EVERY)
            if self._held:
                with suppress(Away):  # the next attempts still come before the leases expire
                    await self._database.run(
                        lambda connection: connection.execute(self._renew_all, given).close(),
                        writes=True,
                    )


@cache
def _machine() -> str:
    """Name the scope in which a process id is unique: this boot, and the container's namespace."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}.{os.stat('/proc/self/ns/pid').st_ino}"
    except OSError:
        return platform.node().replace(":", "-")


def _is_dead(holder: str) -> bool:
    """Whether a lease's holder was a process of this machine that no longer exists."""
    machine, _, rest = holder.partition(":")
    pid = rest.partition(":")[0]
    if machine != _machine() or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)  # signal 0 only checks whether the process exists
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
