"""What other processes do to a session reaches its readers here.

A command line or another server may play turns on the same database. On PostgreSQL its relay tells
what happens; everywhere the store is looked at regularly, on SQLite because nothing else tells, on
PostgreSQL for what was lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

from ruleplay.errors import Unavailable
from ruleplay.kernel.host import Host

EVERY = 0.5
"""Seconds between two looks; one statement asks for all sessions that are read here."""
SELDOM = 5.0
"""The same, while others tell what they do."""


@asynccontextmanager
async def watching(host: Host) -> AsyncIterator[None]:
    """Tell readers what other processes do, while the block runs."""
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
        # A database that is away for a moment is asked again; readers keep their streams.
        with suppress(Unavailable):
            await _look(host)


async def _look(host: Host) -> None:
    """Compare the sessions that are read here with what their readers were told."""
    if host.bus.read:
        for session, version in (await host.store.versions(host.bus.read)).items():
            host.bus.stands(session, version)
    if host.relay:
        await host.relay.check()
