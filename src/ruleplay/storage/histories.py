"""An index from hashes of chat histories to the turns they lead to.

Chat programs send the whole conversation with each request, and no session id, so the hash of the
conversation identifies the turn to continue. The index is only a means of finding turns: a row
that is lost costs a slower search, never data.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from time import time

from sqlalchemy import Connection, Integer, bindparam, select, text

from ruleplay.errors import Away
from ruleplay.storage.database import Database
from ruleplay.storage.tables import histories

LOG = logging.getLogger(__name__)
MOST_NOTED = 10_000
"""Entries that may wait to be written; further ones are dropped."""
MOST = 24
"""Rows that a hash yields at most, newest first."""
_MOST = bindparam("most", type_=Integer)
_ANYWHERE = (
    select(histories.c.session, histories.c.turn, histories.c.at)
    .where(histories.c.hash == bindparam("hash"))
    .order_by(histories.c.at.desc())
    .limit(_MOST)
)
_WITHIN = (
    select(histories.c.session, histories.c.turn, histories.c.at)
    .where(
        histories.c.hash == bindparam("hash"),
        histories.c.session.in_(bindparam("sessions", expanding=True)),
    )
    .order_by(histories.c.at.desc())
    .limit(_MOST)
)
_KNOWS = select(histories.c.turn).where(histories.c.session == bindparam("session")).limit(1)
# Recording an entry again refreshes its time, since the newest are preferred.
_KEEP = text(
    "INSERT INTO histories (hash, session, turn, at) VALUES (:hash, :session, :turn, :at) "
    "ON CONFLICT (hash, session, turn) DO UPDATE SET at = excluded.at"
)


def digest(*parts: str) -> str:
    """Hash some texts; returns 32 hex digits."""
    hashed = blake2b(digest_size=16)
    for part in parts:
        # Each text is prefixed with its length: ("ab", "c") and ("a", "bc") must differ.
        raw = part.encode(errors="surrogatepass")
        hashed.update(len(raw).to_bytes(8, "big") + raw)
    return hashed.hexdigest()


@dataclass(frozen=True, slots=True)
class Place:
    """A turn of a session; `at` is when the entry was recorded, in Unix seconds."""

    session: str
    turn: str
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Found:
    """The name of the first hash that is known, and its places, newest first."""

    by: str
    places: tuple[Place, ...]


class Histories:
    """The index in one database, with a buffer of entries that are not written yet."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._noted: dict[tuple[str, str, str], float] = {}
        self._writing: asyncio.Task[None] | None = None

    async def close(self) -> None:
        """Wait until the buffer is written."""
        if self._writing:
            await self._writing

    async def places(self, hash_: str, sessions: Sequence[str] | None = None) -> tuple[Place, ...]:
        """Look up a hash, newest places first; only within `sessions` if they are given."""
        found = await self.first({"": hash_}, sessions)
        return found.places if found else ()

    async def first(
        self, hashes: Mapping[str, str], sessions: Sequence[str] | None = None
    ) -> Found | None:
        """Look up named hashes in order, and return the first that leads anywhere."""
        noted = {key: at for key, at in self._noted.items() if key[0] in hashes.values()}
        found = await self._database.run(partial(_first, hashes=hashes, sessions=sessions))
        return _merged(found, noted, hashes, sessions) if noted else found

    async def knows(self, session: str) -> bool:
        """Whether any history leads into a session."""
        return await self._database.run(
            lambda connection: connection.execute(_KNOWS, {"session": session}).first() is not None
        )

    def note(self, hashes: Iterable[str], session: str, turn: str) -> None:
        """Record like `keep` without waiting: lookups here see it at once, it is written soon."""
        at = time()
        if len(self._noted) < MOST_NOTED:
            self._noted |= {(found, session, turn): at for found in hashes}
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())

    async def _write(self) -> None:
        """Write the buffer in batches; what fails stays in it for the next call of `note`."""
        while noted := dict(self._noted):
            try:
                await self._database.run(partial(_keep, rows=_rows(noted)), writes=True)
            except Away as error:
                LOG.warning("%s chat history entries not written yet: %s", len(noted), error)
                return
            for key in noted:
                del self._noted[key]

    async def keep(self, hashes: Iterable[str], session: str, turn: str) -> None:
        """Record where hashes lead."""
        noted = {(found, session, turn): time() for found in hashes}
        await self._database.run(partial(_keep, rows=_rows(noted)), writes=True)


def _rows(noted: Mapping[tuple[str, str, str], float]) -> list[dict[str, object]]:
    return [
        {"hash": found, "session": session, "turn": turn, "at": at}
        for (found, session, turn), at in noted.items()
    ]


def _keep(connection: Connection, rows: list[dict[str, object]]) -> None:
    connection.execute(_KEEP, rows).close()


def _merged(
    found: Found | None,
    noted: Mapping[tuple[str, str, str], float],
    hashes: Mapping[str, str],
    sessions: Sequence[str] | None,
) -> Found | None:
    """Put buffered places before those that were read; the order of `hashes` still decides."""
    for name, hash_ in hashes.items():
        fresh = [
            Place(session, turn, at)
            for (known, session, turn), at in reversed([*noted.items()])
            if known == hash_ and (sessions is None or session in sessions)
        ]
        written = found.places if found and found.by == name else ()
        if fresh or written:
            return Found(name, (*fresh, *(place for place in written if place not in fresh)))
    return None


def _first(
    connection: Connection, hashes: Mapping[str, str], sessions: Sequence[str] | None
) -> Found | None:
    within = {} if sessions is None else {"sessions": list(sessions)}
    query = _ANYWHERE if sessions is None else _WITHIN
    for name, hash_ in hashes.items():
        rows = connection.execute(query, {"hash": hash_, "most": MOST, **within}).all()
        if rows:
            return Found(name, tuple(Place(row.session, row.turn, row.at) for row in rows))
    return None
