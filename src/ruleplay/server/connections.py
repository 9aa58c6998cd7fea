"""Limits on open connections, in all and per address.

Each connection takes a file descriptor, even if its client sends nothing. So when the server is
full, a new connection replaces the one that has been idle longest: nobody can lock others out by
opening connections and keeping silent.
"""

from __future__ import annotations

import logging
import os
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ruleplay.server.addresses import client_of
from ruleplay.system.loopback import is_loopback

if TYPE_CHECKING:
    from ruleplay.settings import Settings

LOG = logging.getLogger(__name__)
BACKLOG = 500
"""Connections that the server allows in addition to those of event streams."""
ACCEPTED = 100
"""The listen backlog: asyncio accepts up to so many at once before any can be refused."""
MOST_FILES = 65_536
"""The limit of open files to request; some systems have none, and no server needs more."""
KEPT_FREE = 150
"""Files reserved for databases, logs, imports and child processes."""
SPARE = 16
"""Connections over the limit that are still answered, with 503."""


class Connection(Protocol):
    """A connection that can be closed."""

    def close_now(self) -> None:
        """Close without waiting for anything."""


@dataclass(frozen=True)
class Capacity:
    """The limits: connections in all, event streams among them, connections of `each` address."""

    connections: int
    readers: int
    each: int


def capacity_for(settings: Settings) -> Capacity:
    """Compute the limits from the settings and the limit of open files, which it raises."""
    wanted = settings.readers + BACKLOG
    files = raise_files()
    fits = max(SPARE, files - KEPT_FREE - ACCEPTED - SPARE) if files else wanted
    if fits >= wanted:
        return Capacity(wanted, settings.readers, settings.connections_each)
    readers = min(settings.readers, fits * 3 // 4)
    LOG.warning(
        "the system allows %s open files: this server holds %s connections and %s event streams,"
        " not %s and %s; raise `ulimit -n`",
        files,
        fits,
        readers,
        wanted,
        settings.readers,
    )
    return Capacity(fits, readers, settings.connections_each)


def raise_files() -> int:
    """Raise the process's limit of open files to at most `MOST_FILES`; returns it, 0 if none."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return 0
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_FILES if soft == resource.RLIM_INFINITY else soft


class Connections:
    """A server's connections; those of this machine and of proxies have no limit by address."""

    def __init__(self, capacity: Capacity, proxies: str = "") -> None:
        self._capacity = capacity
        self._proxies = frozenset(name.strip() for name in proxies.split(",") if name.strip())
        self._open: dict[Connection, str] = {}
        self._by_address: Counter[str] = Counter()
        self._idle: dict[Connection, None] = {}

    def admit(self, connection: Connection, address: str) -> bool:
        """Register a connection, closing an idle one if the server is full; False to refuse it."""
        who = self._counted(address)
        share = bool(who and self._capacity.each) and self._by_address[who] >= self._capacity.each
        if share and not self._make_room(who):
            return False
        full = len(self._open) >= self._capacity.connections and not self._make_room()
        if full and len(self._open) >= self._capacity.connections + SPARE:
            return False
        self._open[connection] = who
        self._by_address[who] += 1
        self._idle[connection] = None
        return True

    def request_started(self, connection: Connection) -> None:
        """Record that a connection is busy, so that it is not closed for others."""
        self._idle.pop(connection, None)

    def request_ended(self, connection: Connection) -> None:
        """Record that a connection is idle."""
        if connection in self._open:
            self._idle[connection] = None

    def closed(self, connection: Connection) -> None:
        """Record that a connection is closed."""
        self._idle.pop(connection, None)
        who = self._open.pop(connection, None)
        if who is not None:
            self._by_address[who] -= 1
            if not self._by_address[who]:
                del self._by_address[who]

    def _counted(self, address: str) -> str:
        """Return the address under which a connection is counted, "" if it is not."""
        trusted = not address or is_loopback(address) or address in self._proxies
        return "" if trusted or "*" in self._proxies else client_of({"client": (address, 0)})

    def _make_room(self, who: str = "") -> bool:
        """Close the connection that has been idle longest, of one address if `who` is given."""
        found = (
            connection for connection in self._idle if not who or self._open[connection] == who
        )
        oldest = next(found, None)
        if oldest is None:
            return False
        self.closed(oldest)
        oldest.close_now()
        return True


def proxies() -> str:
    """Return the trusted proxies (whose X-Forwarded-For is believed), as uvicorn reads them."""
    return os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1")
