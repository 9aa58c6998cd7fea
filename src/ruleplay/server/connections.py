"""How many connections a server holds, in all and of one address, and which go when it is full.

A connection costs an open file, and whoever opens one need not say anything. So connections on
which nothing is asked make room for new ones, the one that waits longest first; nobody can lock
others out by keeping still.
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
"""Connections that the server holds besides its readers'."""
ACCEPTED = 100
"""Connections that wait to be accepted, and are accepted in one go before any can be refused."""
MOST_FILES = 65_536
"""Open files that are asked of the system; some systems name no limit at all."""
KEPT_FREE = 150
"""Files that databases, logs, imports and other programs need, besides what is just accepted."""
SPARE = 16
"""Connections over the limit that are still answered, with 503."""


class Connection(Protocol):
    """A connection, as far as it matters here."""

    def leave(self) -> None:
        """Close at once."""


@dataclass(frozen=True)
class Room:
    """How many connections there may be, how many of them read events, and how many are one's."""

    connections: int
    readers: int
    each: int


def room_for(settings: Settings) -> Room:
    """Return how much fits, after the system was asked for as many open files as it allows."""
    wanted = settings.readers + BACKLOG
    files = raise_files()
    fits = max(SPARE, files - KEPT_FREE - ACCEPTED - SPARE) if files else wanted
    if fits >= wanted:
        return Room(wanted, settings.readers, settings.connections_each)
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
    return Room(fits, readers, settings.connections_each)


def raise_files() -> int:
    """Raise the limit of open files as far as this process may; return it, 0 where there is none.

    No more are asked for than any server needs.
    """
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
    """The connections of one server. This machine's and a proxy's are not counted by address."""

    def __init__(self, room: Room, proxies: str = "") -> None:
        self._room = room
        self._proxies = frozenset(name.strip() for name in proxies.split(",") if name.strip())
        self._inside: dict[Connection, str] = {}
        self._by_address: Counter[str] = Counter()
        self._waiting: dict[Connection, None] = {}

    def enter(self, connection: Connection, address: str) -> bool:
        """Let a connection in, another one out if there is no room; False when it has to go."""
        who = self._counted(address)
        share = bool(who and self._room.each) and self._by_address[who] >= self._room.each
        if share and not self._make_room(who):
            return False
        full = len(self._inside) >= self._room.connections and not self._make_room()
        if full and len(self._inside) >= self._room.connections + SPARE:
            return False
        self._inside[connection] = who
        self._by_address[who] += 1
        self._waiting[connection] = None
        return True

    def asks(self, connection: Connection) -> None:
        """Take note that a request has come: it is answered."""
        self._waiting.pop(connection, None)

    def waits(self, connection: Connection) -> None:
        """Take note that nothing is asked any more."""
        if connection in self._inside:
            self._waiting[connection] = None

    def gone(self, connection: Connection) -> None:
        """Take note that a connection has ended."""
        self._waiting.pop(connection, None)
        who = self._inside.pop(connection, None)
        if who is not None:
            self._by_address[who] -= 1
            if not self._by_address[who]:
                del self._by_address[who]

    def _counted(self, address: str) -> str:
        """Return what a connection is counted under, empty for those that are not."""
        trusted = not address or is_loopback(address) or address in self._proxies
        return "" if trusted or "*" in self._proxies else client_of({"client": (address, 0)})

    def _make_room(self, who: str = "") -> bool:
        """Send the connection away that has waited longest, of one address if one is named."""
        found = (
            connection for connection in self._waiting if not who or self._inside[connection] == who
        )
        oldest = next(found, None)
        if oldest is None:
            return False
        self.gone(oldest)
        oldest.leave()
        return True


def proxies() -> str:
    """Return the addresses whose word about clients' addresses is taken, as uvicorn reads them."""
    return os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1")
