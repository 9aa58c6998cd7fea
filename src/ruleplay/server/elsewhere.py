"""What other processes do to a session reaches its readers here: the store is looked at regularly.

A command line or another server may play turns on the same database. Their turns come to readers
when they are committed; what a turn says while it runs is heard in its own process only.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from ruleplay.foundation.errors import Unavailable
from ruleplay.foundation.host import Host

EVERY = 0.5
"""Seconds between two looks; one statement asks for all sessions that are read here."""


@asynccontextmanager
async def watching(host: Host) -> AsyncIterator[None]:
    """Tell readers of changed sessions to look into the store, while the block runs."""
    task = asyncio.create_task(_watch(host))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


async def _watch(host: Host) -> None:
    known: dict[str, int] = {}
    while True:
        await asyncio.sleep(EVERY)
        # A database that is away for a moment is asked again; readers keep their streams.
        with suppress(Unavailable):
            known = await _look(host, known)


async def _look(host: Host, known: dict[str, int]) -> dict[str, int]:
    """Return the versions of the sessions that are read; their readers hear of new ones."""
    versions = await host.store.versions(host.bus.read) if host.bus.read else {}
    for session, version in versions.items():
        # A session that is new here is told too: it may have changed since its reader joined.
        if known.get(session) != version:
            host.bus.changed_elsewhere(session)
    return versions
