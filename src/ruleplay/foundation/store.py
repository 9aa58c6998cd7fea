"""Append-only storage of sessions and turns, the same code on SQLite and PostgreSQL.

A turn is one row, written once. The only thing that changes is a session's row: which turn its head
points at, and the state there. Each change names the version it read, so a stale writer is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal

from sqlalchemy import (
    Integer,
    bindparam,
    insert,
    literal,
    select,
    text,
    update,
)
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from ruleplay.foundation.agent import Given, Message
from ruleplay.foundation.database import connect
from ruleplay.foundation.errors import Conflict, NotFound, Unavailable
from ruleplay.foundation.events import Json
from ruleplay.foundation.tables import (
    EVENTS,
    MESSAGES,
    read_head,
    read_turn,
    session_row,
    sessions,
    turn_row,
    turns,
)
from ruleplay.foundation.turns import Branch, Head, Turn

SNAPSHOT_EVERY = 16
"""Turns between stored states; a state in between is folded from the snapshot before it."""
MOST_IDS = 1_000
"""Sessions named in one statement; databases bound it."""

# Statements are built once: building them for every call costs more than running them.
_HEAD = select(sessions).where(sessions.c.id == bindparam("session"))
_BY_KEY = select(turns).where(
    turns.c.session == bindparam("session"), turns.c.key == bindparam("key")
)
_BY_ID = select(turns).where(turns.c.id == bindparam("turn"))
_MOVE = (
    update(sessions)
    .where(sessions.c.id == bindparam("session"), sessions.c.version == bindparam("read_version"))
    .values(
        head=bindparam("new_head"),
        number=bindparam("new_number"),
        version=bindparam("read_version") + 1,
        state=bindparam("new_state"),
        state_version=bindparam("new_state_version"),
        spent=bindparam("new_spent"),
        updated=bindparam("now"),
    )
)
_VERSIONS = select(sessions.c.id, sessions.c.version).where(
    sessions.c.id.in_(bindparam("sessions", expanding=True))
)
_ADD_TURN = insert(turns)
_KEEP_PROMPT = text(
    "INSERT INTO prompts (hash, text) VALUES (:hash, :text) ON CONFLICT (hash) DO NOTHING"
)
_line = select(turns.c.id, turns.c.parent, literal(1).label("step")).where(
    turns.c.id == bindparam("turn")
)
_LINE = _line.cte("line", recursive=True)
_LINE = _LINE.union_all(
    select(turns.c.id, turns.c.parent, _LINE.c.step + 1).where(
        turns.c.id == _LINE.c.parent, _LINE.c.step < bindparam("most", type_=Integer)
    )
)
_LINEAGE = select(turns).join(_LINE, turns.c.id == _LINE.c.id).order_by(turns.c.number)
_LINEMESSAGES = (
    select(turns.c.parent, turns.c.messages)
    .join(_LINE, turns.c.id == _LINE.c.id)
    .order_by(turns.c.number)
)
_LINE_STATES = (
    select(turns.c.id, turns.c.parent, turns.c.events, turns.c.state, turns.c.state_version)
    .join(_LINE, turns.c.id == _LINE.c.id)
    .order_by(turns.c.number)
)


class StoredState:
    """A state as stored at some turn, and the events between it and the turn that was asked for."""

    def __init__(
        self, state: str | None, state_version: int, events: list[tuple[Json, ...]]
    ) -> None:
        self.state, self.state_version, self.events = state, state_version, events


class Store:
    """Sessions and turns in one database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    @classmethod
    async def open(cls, url: str) -> Store:
        """Connect to a database, and bring its schema up to date; raises what `connect` raises."""
        return cls(await connect(url))

    async def close(self) -> None:
        """Close all connections."""
        await self._engine.dispose()

    async def create(self, head: Head) -> None:
        """Insert a new session; Conflict when its id is taken."""
        try:
            async with self._engine.begin() as connection:
                await connection.execute(insert(sessions), session_row(head))
        except IntegrityError as error:
            raise Conflict(f"a session {head.id!r} exists already") from error

    async def read(self, session: str, key: str | None = None) -> tuple[Head, Turn | None]:
        """Return a session and, if one was committed under `key`, that turn; NotFound."""
        async with self._engine.connect() as connection:
            row = (await connection.execute(_HEAD, {"session": session})).mappings().first()
            if row is None:
                raise NotFound(f"no session {session!r}; `ruleplay session list` shows yours")
            return read_head(row), await _keyed(connection, session, key)

    async def versions(self, ids: Sequence[str]) -> dict[str, int]:
        """Return how often each of some sessions has changed; Unavailable without the database."""
        found: dict[str, int] = {}
        try:
            async with self._engine.connect() as connection:
                for start in range(0, len(ids), MOST_IDS):
                    asked = {"sessions": list(ids[start : start + MOST_IDS])}
                    found |= {
                        row.id: row.version for row in await connection.execute(_VERSIONS, asked)
                    }
        except DBAPIError as error:
            raise Unavailable(f"the database does not answer: {error.orig}") from error
        return found

    async def recent(self, limit: int = 100) -> list[Head]:
        """Return the sessions that changed last, newest first."""
        query = select(sessions).order_by(sessions.c.updated.desc()).limit(limit)
        async with self._engine.connect() as connection:
            return [read_head(row) for row in (await connection.execute(query)).mappings()]

    async def turn(self, turn: str) -> Turn:
        """Return one turn; NotFound."""
        async with self._engine.connect() as connection:
            row = (await connection.execute(_BY_ID, {"turn": turn})).mappings().first()
        if row is None:
            raise NotFound(f"no turn {turn!r}")
        return read_turn(row)

    async def lineage(self, turn: str | None, most: int = 1_000_000) -> list[Turn]:
        """Return a turn and its ancestors, oldest first, at most `most` of them."""
        if turn is None:
            return []
        async with self._engine.connect() as connection:
            rows = await connection.execute(_LINEAGE, {"turn": turn, "most": most})
            return [read_turn(row) for row in rows.mappings()]

    async def messages(
        self, turn: str | None, channel: str, last: int, reach: int = 400
    ) -> tuple[Message, ...]:
        """Return a channel's newest lines up to a turn, oldest first.

        Looks back at most `reach` turns, so that a channel that has been silent for long costs
        little.
        """
        found: list[Message] = []
        async with self._engine.connect() as connection:
            while turn is not None and len(found) < last and reach > 0:
                block = min(reach, max(last, 20))
                rows = (
                    await connection.execute(_LINEMESSAGES, {"turn": turn, "most": block})
                ).all()
                lines = [m for row in rows for m in MESSAGES.validate_json(row.messages)]
                found = [line for line in lines if line.channel == channel] + found
                turn, reach = (rows[0].parent if rows else None), reach - block
        return tuple(found[-last:])

    async def state_at(self, turn: str | None, state_version: int) -> StoredState:
        """Return the nearest stored state of a version up to a turn, and the events since it."""
        since: list[tuple[Json, ...]] = []
        async with self._engine.connect() as connection:
            while turn is not None:
                rows = (
                    await connection.execute(_LINE_STATES, {"turn": turn, "most": SNAPSHOT_EVERY})
                ).all()
                for row in reversed(rows):
                    if row.state is not None and row.state_version == state_version:
                        return StoredState(row.state, state_version, since[::-1])
                    since.append(EVENTS.validate_json(row.events))
                turn = rows[0].parent if rows else None
        return StoredState(None, state_version, since[::-1])

    async def branches(self, session: str) -> list[Branch]:
        """Return all turns made in a session, on every branch, by depth."""
        columns = (turns.c.id, turns.c.parent, turns.c.number, turns.c.seat, turns.c.given)
        query = select(*columns).where(turns.c.session == session)
        async with self._engine.connect() as connection:
            rows = (await connection.execute(query.order_by(turns.c.number, turns.c.at))).all()
        return [
            Branch(
                id=row.id,
                parent=row.parent,
                number=row.number,
                seat=row.seat,
                message=Given.model_validate_json(row.given).message,
            )
            for row in rows
        ]

    async def commit(
        self, head: Head, turn: Turn, state: str, state_version: int, system: dict[str, str]
    ) -> Turn:
        """Store a turn and move the head to it, in one transaction.

        Returns the turn that holds: an earlier one when another process has committed the same key.
        Raises Conflict when the session has moved on since `head` was read.
        """
        keep = turn.number % SNAPSHOT_EVERY == 0
        row = {
            **turn_row(turn),
            "state": state if keep else None,
            "state_version": state_version if keep else None,
        }
        spent = head.spent + sum((call.cost for call in turn.calls), Decimal(0))
        try:
            async with self._engine.begin() as connection:
                await _move(connection, head, turn.id, turn.number, state, state_version, spent)
                await connection.execute(_ADD_TURN, row)
                for name, words in system.items():
                    await connection.execute(_KEEP_PROMPT, {"hash": name, "text": words})
        except (Conflict, IntegrityError) as error:
            _, earlier = await self.read(head.id, turn.key)
            if earlier is not None:
                return earlier
            raise Conflict("the session moved on while this turn ran; send it again") from error
        except OperationalError as error:
            raise Unavailable(f"the turn could not be stored: {error.orig}") from error
        return turn

    async def move_head(
        self, head: Head, turn: str | None, number: int, state: str, state_version: int
    ) -> None:
        """Point a session at another turn of its tree; Conflict when it has moved meanwhile."""
        async with self._engine.begin() as connection:
            await _move(connection, head, turn, number, state, state_version, head.spent)


async def _keyed(connection: AsyncConnection, session: str, key: str | None) -> Turn | None:
    if key is None:
        return None
    row = (await connection.execute(_BY_KEY, {"session": session, "key": key})).mappings().first()
    return read_turn(row) if row else None


async def _move(
    connection: AsyncConnection,
    head: Head,
    turn: str | None,
    number: int,
    state: str,
    state_version: int,
    spent: Decimal,
) -> None:
    moved = await connection.execute(
        _MOVE,
        {
            "session": head.id,
            "read_version": head.version,
            "new_head": turn,
            "new_number": number,
            "new_state": state,
            "new_state_version": state_version,
            "new_spent": str(spent),
            "now": datetime.now(UTC).isoformat(),
        },
    )
    if moved.rowcount != 1:
        raise Conflict("the session moved on meanwhile; look again and retry")
