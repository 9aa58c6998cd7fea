"""Notifies readers of what other processes, such as a command line, do to their sessions.

On PostgreSQL the relay receives it. In addition the store is polled: on SQLite because there are no
notifications, on PostgreSQL because they can get lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

from ruleplay.errors import Unavailable
from ruleplay.kernel.host import Host

EVERY = 0.5
"""Seconds between polls; one statement asks for all sessions that have readers here."""
SELDOM = 5.0
"""The same while the relay is connected."""


@asynccontextmanager
async def watching(host: Host) -> AsyncIterator[None]:
    """Notify readers of other processes' changes while the block runs."""
    async with AsyncExitStack() as opened:
        if host.relay:
            await opened.enter_async_context(host.relay.listening())
        task = asyncio.create_task(_watch(host))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait({task})


async def _watch(host: Host) -> None:
    while True:
        await asyncio.sleep(SELDOM if host.relay and host.relay.connected else EVERY)
        # The next poll tries again; an outage of the database must not end the streams.
        with suppress(Unavailable):
            await _look(host)


async def _look(host: Host) -> None:
    """Compare the versions of sessions in the store with those their readers know."""
    if host.bus.read:
        for session, version in (await host.store.versions(host.bus.read)).items():
            host.bus.sync_to(session, version)
    if host.relay:
        await host.relay.check()
