"""The store of sessions and turns, with the same statements on SQLite and PostgreSQL.

A turn is one row that is never updated. Only the session's row changes: the turn its head points
at, the state there, a version. Each update names the version it read (optimistic locking), so that
a stale writer gets Conflict instead of overwriting.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from decimal import Decimal
from functools import partial

from sqlalchemy import (
    Connection,
    Integer,
    bindparam,
    delete,
    insert,
    literal,
    select,
    text,
    update,
)
from sqlalchemy.exc import IntegrityError

from ruleplay.errors import Away, Conflict, NotFound, Unavailable
from ruleplay.records.events import Json
from ruleplay.records.given import Given, Message
from ruleplay.records.turns import Branch, Head, Turn
from ruleplay.storage.commit import Landing, head_update, update_head, write_commit
from ruleplay.storage.database import Database, Work, connect, transient_errors
from ruleplay.storage.leases import Leases
from ruleplay.storage.line_cache import LineCache, Lines
from ruleplay.storage.tables import (
    EVENTS,
    MESSAGES,
    RULES,
    SEATS,
    histories,
    read_head,
    read_turn,
    rule_data,
    session_row,
    sessions,
    turn_row,
    turns,
)

SNAPSHOT_EVERY = 16
"""Every so many turns the state is stored too; others are folded from the snapshot before."""
MOST_IDS = 1_000
"""Ids in one IN list; databases limit the number of bound parameters."""

# Statements are built once, at import: building one costs more than running it.
_HEAD = select(sessions).where(sessions.c.id == bindparam("session"))
_BY_KEY = select(turns).where(
    turns.c.session == bindparam("session"), turns.c.key == bindparam("key")
)
_BY_ID = select(turns).where(turns.c.id == bindparam("turn"))
_VERSIONS = select(sessions.c.id, sessions.c.version).where(
    sessions.c.id.in_(bindparam("sessions", expanding=True))
)
CONFIRM_AFTER = (0.1, 0.2, 0.5, 1, 2)
"""Seconds between the attempts to find out whether an unacknowledged commit succeeded."""
_KEEP_PROMPT = text(
    "INSERT INTO prompts (hash, text) VALUES (:hash, :text) ON CONFLICT (hash) DO NOTHING"
)
_KEEP_RULES = text(
    "INSERT INTO rule_data (hash, texts) VALUES (:hash, :texts) ON CONFLICT (hash) DO NOTHING"
)
_RULES = select(rule_data.c.texts).where(rule_data.c.hash == bindparam("hash"))
_CONFIGURE = (
    update(sessions)
    .where(sessions.c.id == bindparam("session"))
    .values(config=bindparam("configured"))
)
_MOST = bindparam("most", type_=Integer)
# A turn and its ancestors, walked along `parent` by a recursive CTE; `step` counts from 1.
_path_start = select(turns.c.id, turns.c.parent, literal(1).label("step")).where(
    turns.c.id == bindparam("turn")
)
_PATH = _path_start.cte("line", recursive=True)
_PATH = _PATH.union_all(
    select(turns.c.id, turns.c.parent, _PATH.c.step + 1).where(
        turns.c.id == _PATH.c.parent, _PATH.c.step < _MOST
    )
)
_LINEAGE = select(turns).join(_PATH, turns.c.id == _PATH.c.id).order_by(turns.c.number)
_ANCESTOR = select(turns).join(_PATH, turns.c.id == _PATH.c.id).where(_PATH.c.step == _MOST)
_PATH_MESSAGES = (
    select(turns.c.id, turns.c.parent, turns.c.messages)
    .join(_PATH, turns.c.id == _PATH.c.id)
    .order_by(turns.c.number)
)
_CHILDREN = (
    select(turns)
    .where(turns.c.parent == bindparam("turn"))
    .order_by(turns.c.at.desc())
    .limit(bindparam("most", type_=Integer))
)
_PING = select(literal(1))
_ADD_SESSION = insert(sessions)
_BRANCHES = (
    select(
        turns.c.id,
        turns.c.parent,
        turns.c.number,
        turns.c.seat,
        turns.c.given,
        turns.c.audience,
    )
    .where(turns.c.session == bindparam("session"))
    .order_by(turns.c.number, turns.c.at)
)
_PATH_STATES = (
    select(turns.c.id, turns.c.parent, turns.c.events, turns.c.state, turns.c.state_version)
    .join(_PATH, turns.c.id == _PATH.c.id)
    .order_by(turns.c.number)
)


class StoredState:
    """A snapshot (or None), and the events from there to a turn: a tuple a turn, oldest first."""

    def __init__(
        self, state: str | None, state_version: int, events: list[tuple[Json, ...]]
    ) -> None:
        self.state, self.state_version, self.events = state, state_version, events


class Store:
    """Sessions and turns in one database; every method raises Away while it does not answer."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.leases = Leases(database)
        self._prompts: set[str] = set()
        self._rules: set[str] = set()
        self._line_cache = LineCache()

    @classmethod
    async def open(cls, url: str) -> Store:
        """Connect to a database and migrate its schema; raises what `connect` raises."""
        return cls(await connect(url))

    async def close(self) -> None:
        """Stop renewing leases and close all connections."""
        await self.leases.close()
        await self.database.close()

    async def ping(self) -> None:
        """Raise Away unless the database answers a trivial query."""
        await self.database.run(lambda connection: connection.execute(_PING).scalar())

    async def create(self, head: Head) -> None:
        """Insert a new session; Conflict when its id is taken."""
        row = session_row(head)
        try:
            await self.database.keep(
                lambda connection: connection.execute(_ADD_SESSION, row).close(), one_statement=True
            )
        except IntegrityError as error:
            raise Conflict(f"a session {head.id!r} exists already") from error

    @asynccontextmanager
    async def alone(
        self, session: str, key: str | None = None
    ) -> AsyncIterator[tuple[Head, Turn | None]]:
        """Lock a session against other processes during the block, which gets it as `read`.

        Raises what `read` and `Leases.holding` raise.
        """
        look = partial(_read, session=session, key=key)
        async with self.leases.holding(session, look) as seen:
            yield seen

    async def read(self, session: str, key: str | None = None) -> tuple[Head, Turn | None]:
        """Load a session (NotFound), and the turn committed under `key` if there is one."""
        return await self.database.run(partial(_read, session=session, key=key))

    async def versions(self, ids: Sequence[str]) -> dict[str, int]:
        """Return the versions of some sessions by id; unknown ids are left out."""
        return await self.database.run(partial(_versions, ids=ids))

    async def recent(self, limit: int = 100) -> list[Head]:
        """Return the most recently changed sessions, newest first."""
        query = select(sessions).order_by(sessions.c.updated.desc()).limit(limit)
        return await self.database.run(
            lambda connection: [read_head(row) for row in connection.execute(query).mappings()]
        )

    async def said(self, among: Sequence[str]) -> dict[str, tuple[str, str]]:
        """Return message and reply of turns by id; the message of an action is empty."""
        query = select(turns.c.id, turns.c.given, turns.c.reply).where(turns.c.id.in_(among))
        rows = await self.database.run(lambda connection: [*connection.execute(query)])
        return {
            ident: (Given.model_validate_json(given).message, reply) for ident, given, reply in rows
        }

    async def turn(self, turn: str) -> Turn:
        """Load one turn; NotFound if there is none of this id."""
        return await self.database.run(partial(_turn, turn=turn))

    async def children(self, turn: str, most: int) -> list[Turn]:
        """Return the children of a turn on all branches, at most `most`, newest first."""
        asked = {"turn": turn, "most": most}
        return await self.database.run(
            lambda connection: [
                read_turn(row) for row in connection.execute(_CHILDREN, asked).mappings()
            ]
        )

    async def lineage(self, turn: str | None, most: int = 1_000_000) -> list[Turn]:
        """Return a turn and its ancestors, oldest first, at most `most` of them."""
        if turn is None:
            return []
        asked = {"turn": turn, "most": most}
        return await self.database.run(
            lambda connection: [
                read_turn(row) for row in connection.execute(_LINEAGE, asked).mappings()
            ]
        )

    async def ancestor(self, turn: str | None, back: int) -> Turn:
        """Return the ancestor `back` turns before a turn; NotFound if the path is shorter."""
        work = partial(_ancestor, turn=turn, back=back)
        return await self.database.run(work)

    async def messages(
        self, turn: str | None, channel: str, last: int, reach: int = 400
    ) -> tuple[Message, ...]:
        """Return the `last` newest messages of a channel up to a turn, oldest first.

        Looks back at most `reach` turns, which bounds the cost for a channel that is rarely used.
        """
        found: list[Message] = []
        read: dict[str, Lines] = {}
        for seen in range(reach):
            if turn is None or len(found) >= last:
                break
            lines = read.get(turn) or self._line_cache.of(turn)
            if lines is None:
                block = min(reach - seen, max(last, 20))
                read = await self.database.run(partial(_lines, turn=turn, most=block))
                self._line_cache.keep(*read.values())
                lines = read[turn]
            found += [line for line in reversed(lines.messages) if line.channel == channel]
            turn = lines.parent
        return tuple(found[:last][::-1])

    async def state_at(self, turn: str | None, state_version: int) -> StoredState:
        """Return the newest snapshot of a state version up to a turn, and the events since."""
        work = partial(_state_at, turn=turn, state_version=state_version)
        return await self.database.run(work)

    async def branches(self, session: str) -> list[Branch]:
        """Return all turns of a session, on every branch, ordered by depth."""
        return await self.database.run(partial(_branches, session=session))

    async def commit(
        self,
        head: Head,
        turn: Turn,
        state: str,
        state_version: int,
        system: dict[str, str],
        *,
        within: Callable[[Work[None]], Awaitable[None]] | None = None,
        landing: Landing | None = None,
    ) -> Turn:
        """Store a turn and move the head to it in one transaction, its own or that of `within`.

        A turn that undoes others passes a `landing`, where the head moves instead. `system` holds
        the static prompts that the turn used, by hash. Returns the stored turn, which is an earlier
        one if another process has committed the same key. Raises Conflict if the session has
        changed since `head` was read, Away if the turn could not be stored.
        """
        keep = turn.number % SNAPSHOT_EVERY == 0
        row = {
            **turn_row(turn),
            "state": state if keep else None,
            "state_version": state_version if keep else None,
        }
        spent = head.spent + sum((call.cost for call in turn.calls), Decimal(0))
        at = landing or Landing(turn.id, turn.number, state, state_version)
        moved = head_update(head, *at, spent)
        work = partial(write_commit, moved=moved, row=row, holder=self.leases.holder)
        try:
            await self._keep_prompts(system)
            if within:
                with transient_errors():
                    await within(work)
            else:
                await self.database.keep(work, one_statement=True)
        except (Conflict, IntegrityError) as error:
            _, earlier = await self.read(head.id, turn.key)
            if earlier is not None:
                return earlier
            raise Conflict("the session moved on while this turn ran; send it again") from error
        except Away as error:
            await self._confirm_commit(turn, error)
        self.leases.released(head.id)
        self._line_cache.keep(Lines(turn.id, turn.parent, turn.messages))
        return turn

    async def _keep_prompts(self, system: dict[str, str]) -> None:
        """Store the static prompts that this process has not stored before.

        In a transaction of their own, so that the commit stays one statement.
        """
        new = [
            {"hash": name, "text": words}
            for name, words in system.items()
            if name not in self._prompts
        ]
        if new:
            await self.database.keep(lambda connection: connection.execute(_KEEP_PROMPT, new))
            self._prompts |= system.keys()

    async def keep_rules(self, name: str, texts: str) -> None:
        """Store rule data under its hash, unless this process has stored it before."""
        if name not in self._rules:
            row = {"hash": name, "texts": texts}
            await self.database.keep(
                lambda connection: connection.execute(_KEEP_RULES, row).close(), one_statement=True
            )
            self._rules.add(name)

    async def rules(self, name: str) -> dict[str, str]:
        """Load rule data by its hash; Unavailable if it is missing."""
        found = await self.database.run(
            lambda connection: connection.execute(_RULES, {"hash": name}).scalar()
        )
        if found is None:
            raise Unavailable(f"the rules {name!r} of this session are not in the database")
        return RULES.validate_json(found)

    async def configure(self, head: Head) -> None:
        """Overwrite a session's stored config."""
        row = {"session": head.id, "configured": session_row(head)["config"]}
        await self.database.keep(
            lambda connection: connection.execute(_CONFIGURE, row).close(), one_statement=True
        )

    async def rename(self, session: str, title: str) -> None:
        """Change a session's title."""
        work = update(sessions).where(sessions.c.id == session).values(title=title)
        await self.database.keep(
            lambda connection: connection.execute(work).close(), one_statement=True
        )

    async def delete(self, session: str) -> None:
        """Delete a session and its turns; Conflict while a fork of it still needs them."""
        await self.database.keep(partial(_delete, session=session))

    async def _confirm_commit(self, turn: Turn, error: Away) -> None:
        """Find out whether a commit succeeded whose acknowledgement was lost; Away if not.

        The connection may break after the server has committed. Reporting a failure then would
        make clients play the turn twice.
        """
        for seconds in CONFIRM_AFTER if self.database.loses_answers else ():
            await asyncio.sleep(seconds)
            try:
                await self.turn(turn.id)
            except NotFound:
                break
            except Away:
                continue
            else:
                return
        raise Away(
            f"the turn could not be stored, {error}; send it again, with its key if it had one"
        ) from error

    async def move_head(
        self, head: Head, turn: str | None, number: int, state: str, state_version: int
    ) -> None:
        """Point a session at another turn of its tree; Conflict if the session has changed."""
        moved = head_update(head, turn, number, state, state_version, head.spent)
        await self.database.keep(partial(update_head, moved=moved), one_statement=True)


def _read(connection: Connection, session: str, key: str | None) -> tuple[Head, Turn | None]:
    row = connection.execute(_HEAD, {"session": session}).mappings().first()
    if row is None:
        raise NotFound(f"no session {session!r}; `ruleplay session list` shows yours")
    if key is None:
        return read_head(row), None
    keyed = connection.execute(_BY_KEY, {"session": session, "key": key}).mappings().first()
    return read_head(row), read_turn(keyed) if keyed else None


def _delete(connection: Connection, session: str) -> None:
    forks = connection.execute(select(sessions.c.id).where(sessions.c.origin == session)).first()
    if forks is not None:
        raise Conflict(f"session {forks.id!r} was forked from this one; delete that one first")
    connection.execute(delete(histories).where(histories.c.session == session)).close()
    connection.execute(delete(turns).where(turns.c.session == session)).close()
    connection.execute(delete(sessions).where(sessions.c.id == session)).close()


def _versions(connection: Connection, ids: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for start in range(0, len(ids), MOST_IDS):
        asked = {"sessions": list(ids[start : start + MOST_IDS])}
        found |= {row.id: row.version for row in connection.execute(_VERSIONS, asked)}
    return found


def _turn(connection: Connection, turn: str) -> Turn:
    row = connection.execute(_BY_ID, {"turn": turn}).mappings().first()
    if row is None:
        raise NotFound(f"no turn {turn!r}")
    return read_turn(row)


def _lines(connection: Connection, turn: str, most: int) -> dict[str, Lines]:
    rows = connection.execute(_PATH_MESSAGES, {"turn": turn, "most": most}).all()
    if not rows:
        raise NotFound(f"no turn {turn!r}")
    return {row.id: Lines(row.id, row.parent, MESSAGES.validate_json(row.messages)) for row in rows}


def _ancestor(connection: Connection, turn: str | None, back: int) -> Turn:
    row = connection.execute(_ANCESTOR, {"turn": turn, "most": back + 1}).mappings().first()
    if row is None:
        raise NotFound(f"there is no turn {back} turns before {turn!r}")
    return read_turn(row)


def _state_at(connection: Connection, turn: str | None, state_version: int) -> StoredState:
    since: list[tuple[Json, ...]] = []
    while turn is not None:
        rows = connection.execute(_PATH_STATES, {"turn": turn, "most": SNAPSHOT_EVERY}).all()
        for row in reversed(rows):
            if row.state is not None and row.state_version == state_version:
                return StoredState(row.state, state_version, since[::-1])
            since.append(EVENTS.validate_json(row.events))
        turn = rows[0].parent if rows else None
    return StoredState(None, state_version, since[::-1])


def _branches(connection: Connection, session: str) -> list[Branch]:
    rows = connection.execute(_BRANCHES, {"session": session}).all()
    return [
        Branch(
            id=row.id,
            parent=row.parent,
            number=row.number,
            seat=row.seat,
            message=Given.model_validate_json(row.given).message,
            audience=SEATS.validate_json(row.audience),
        )
        for row in rows
    ]
