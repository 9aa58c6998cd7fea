"""Append-only storage of sessions and turns, the same code on SQLite and PostgreSQL.

A turn is one row, written once. The only thing that changes is a session's row: which turn its head
points at, and the state there. Each change names the version it read, so a stale writer is told.
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
from ruleplay.storage.commit import Landing, move, moving, seal
from ruleplay.storage.database import Database, Work, connect, passing_errors
from ruleplay.storage.leases import Leases
from ruleplay.storage.line_cache import Lines, RecentLines
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
"""Turns between stored states; a state in between is folded from the snapshot before it."""
MOST_IDS = 1_000
"""Sessions named in one statement; databases bound it."""

# Statements are built once: building them for every call costs more than running them.
_HEAD = select(sessions).where(sessions.c.id == bindparam("session"))
_BY_KEY = select(turns).where(
    turns.c.session == bindparam("session"), turns.c.key == bindparam("key")
)
_BY_ID = select(turns).where(turns.c.id == bindparam("turn"))
_VERSIONS = select(sessions.c.id, sessions.c.version).where(
    sessions.c.id.in_(bindparam("sessions", expanding=True))
)
ASK_AGAIN = (0.1, 0.2, 0.5, 1, 2)
"""Seconds after which it is asked whether a commit holds whose answer was lost."""
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
_line = select(turns.c.id, turns.c.parent, literal(1).label("step")).where(
    turns.c.id == bindparam("turn")
)
_LINE = _line.cte("line", recursive=True)
_LINE = _LINE.union_all(
    select(turns.c.id, turns.c.parent, _LINE.c.step + 1).where(
        turns.c.id == _LINE.c.parent, _LINE.c.step < _MOST
    )
)
_LINEAGE = select(turns).join(_LINE, turns.c.id == _LINE.c.id).order_by(turns.c.number)
_ANCESTOR = select(turns).join(_LINE, turns.c.id == _LINE.c.id).where(_LINE.c.step == _MOST)
_LINEMESSAGES = (
    select(turns.c.id, turns.c.parent, turns.c.messages)
    .join(_LINE, turns.c.id == _LINE.c.id)
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
    """Sessions and turns in one database; raises Away while it does not answer.

    `leases` tell which process plays a session's turn.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self.leases = Leases(database)
        self._prompts: set[str] = set()
        self._rules: set[str] = set()
        self._recent = RecentLines()

    @classmethod
    async def open(cls, url: str) -> Store:
        """Connect to a database, and bring its schema up to date; raises what `connect` raises."""
        return cls(await connect(url))

    async def close(self) -> None:
        """Close all connections."""
        await self.leases.close()
        await self.database.close()

    async def ping(self) -> None:
        """Ask the database for nothing; Away when it does not answer."""
        await self.database.run(lambda connection: connection.execute(_PING).scalar())

    async def create(self, head: Head) -> None:
        """Insert a new session; Conflict when its id is taken."""
        row = session_row(head)
        try:
            await self.database.keep(
                lambda connection: connection.execute(_ADD_SESSION, row).close(), at_once=True
            )
        except IntegrityError as error:
            raise Conflict(f"a session {head.id!r} exists already") from error

    @asynccontextmanager
    async def alone(
        self, session: str, key: str | None = None
    ) -> AsyncIterator[tuple[Head, Turn | None]]:
        """Keep a session from other processes during the block, and `read` it for the block.

        Raises what `read` and `Leases.holding` raise.
        """
        look = partial(_read, session=session, key=key)
        async with self.leases.holding(session, look) as seen:
            yield seen

    async def read(self, session: str, key: str | None = None) -> tuple[Head, Turn | None]:
        """Return a session and, if one was committed under `key`, that turn; NotFound."""
        return await self.database.run(partial(_read, session=session, key=key))

    async def versions(self, ids: Sequence[str]) -> dict[str, int]:
        """Return how often each of some sessions has changed."""
        return await self.database.run(partial(_versions, ids=ids))

    async def recent(self, limit: int = 100) -> list[Head]:
        """Return the sessions that changed last, newest first."""
        query = select(sessions).order_by(sessions.c.updated.desc()).limit(limit)
        return await self.database.run(
            lambda connection: [read_head(row) for row in connection.execute(query).mappings()]
        )

    async def said(self, among: Sequence[str]) -> dict[str, tuple[str, str]]:
        """Return the messages and replies of turns, by the turns' ids; actions have no message."""
        query = select(turns.c.id, turns.c.given, turns.c.reply).where(turns.c.id.in_(among))
        rows = await self.database.run(lambda connection: [*connection.execute(query)])
        return {
            ident: (Given.model_validate_json(given).message, told) for ident, given, told in rows
        }

    async def turn(self, turn: str) -> Turn:
        """Return one turn; NotFound."""
        return await self.database.run(partial(_turn, turn=turn))

    async def children(self, turn: str, most: int) -> list[Turn]:
        """Return the turns that follow a turn on all branches, at most `most`, the newest first."""
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
        """Return the turn that stands `back` turns before another one; NotFound."""
        work = partial(_ancestor, turn=turn, back=back)
        return await self.database.run(work)

    async def messages(
        self, turn: str | None, channel: str, last: int, reach: int = 400
    ) -> tuple[Message, ...]:
        """Return a channel's newest lines up to a turn, oldest first.

        Looks back at most `reach` turns, so that a channel that has been silent for long costs
        little.
        """
        found: list[Message] = []
        read: dict[str, Lines] = {}
        for seen in range(reach):
            if turn is None or len(found) >= last:
                break
            lines = read.get(turn) or self._recent.of(turn)
            if lines is None:
                block = min(reach - seen, max(last, 20))
                read = await self.database.run(partial(_lines, turn=turn, most=block))
                self._recent.keep(*read.values())
                lines = read[turn]
            found += [line for line in reversed(lines.messages) if line.channel == channel]
            turn = lines.parent
        return tuple(found[:last][::-1])

    async def state_at(self, turn: str | None, state_version: int) -> StoredState:
        """Return the nearest stored state of a version up to a turn, and the events since it."""
        work = partial(_state_at, turn=turn, state_version=state_version)
        return await self.database.run(work)

    async def branches(self, session: str) -> list[Branch]:
        """Return all turns made in a session, on every branch, by depth."""
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
        """Store a turn and move the head to it, in one transaction: one of its own, or `within`.

        With a `landing` the head moves there instead: the turn has taken others back.
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
        at = landing or Landing(turn.id, turn.number, state, state_version)
        moved = moving(head, *at, spent)
        work = partial(seal, moved=moved, row=row, holder=self.leases.holder)
        try:
            await self._keep_prompts(system)
            if within:
                with passing_errors():
                    await within(work)
            else:
                await self.database.keep(work, at_once=True)
        except (Conflict, IntegrityError) as error:
            _, earlier = await self.read(head.id, turn.key)
            if earlier is not None:
                return earlier
            raise Conflict("the session moved on while this turn ran; send it again") from error
        except Away as error:
            await self._holds(turn, error)
        self.leases.released(head.id)
        self._recent.keep(Lines(turn.id, turn.parent, turn.messages))
        return turn

    async def _keep_prompts(self, system: dict[str, str]) -> None:
        """Store the static prompts that this process has not stored before."""
        new = [
            {"hash": name, "text": words}
            for name, words in system.items()
            if name not in self._prompts
        ]
        if new:
            await self.database.keep(lambda connection: connection.execute(_KEEP_PROMPT, new))
            self._prompts |= system.keys()

    async def keep_rules(self, name: str, texts: str) -> None:
        """Store rules' data that this process has not stored before."""
        if name not in self._rules:
            row = {"hash": name, "texts": texts}
            await self.database.keep(
                lambda connection: connection.execute(_KEEP_RULES, row).close(), at_once=True
            )
            self._rules.add(name)

    async def rules(self, name: str) -> dict[str, str]:
        """Return rules' data; Unavailable when it is not there."""
        found = await self.database.run(
            lambda connection: connection.execute(_RULES, {"hash": name}).scalar()
        )
        if found is None:
            raise Unavailable(f"the rules {name!r} of this session are not in the database")
        return RULES.validate_json(found)

    async def configure(self, head: Head) -> None:
        """Store a session's config anew."""
        row = {"session": head.id, "configured": session_row(head)["config"]}
        await self.database.keep(
            lambda connection: connection.execute(_CONFIGURE, row).close(), at_once=True
        )

    async def rename(self, session: str, title: str) -> None:
        """Give a session another title."""
        work = update(sessions).where(sessions.c.id == session).values(title=title)
        await self.database.keep(lambda connection: connection.execute(work).close(), at_once=True)

    async def delete(self, session: str) -> None:
        """Remove a session with its turns; Conflict while a fork of it still needs them."""
        await self.database.keep(partial(_delete, session=session))

    async def _holds(self, turn: Turn, error: Away) -> None:
        """Find out whether a commit holds of which no answer came; Away when it does not."""
        for seconds in ASK_AGAIN if self.database.loses_answers else ():
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
        """Point a session at another turn of its tree; Conflict when it has moved meanwhile."""
        moved = moving(head, turn, number, state, state_version, head.spent)
        await self.database.keep(partial(move, moved=moved), at_once=True)


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
    rows = connection.execute(_LINEMESSAGES, {"turn": turn, "most": most}).all()
    if not rows:
        raise NotFound(f"no turn {turn!r}")
    return {row.id: Lines(row.id, row.parent, MESSAGES.validate_json(row.messages)) for row in rows}


def _ancestor(connection: Connection, turn: str | None, back: int) -> Turn:
    row = connection.execute(_ANCESTOR, {"turn": turn, "most": back + 1}).mappings().first()
    if row is None:
        raise NotFound(f"no turn stands {back} turns before {turn!r}")
    return read_turn(row)


def _state_at(connection: Connection, turn: str | None, state_version: int) -> StoredState:
    since: list[tuple[Json, ...]] = []
    while turn is not None:
        rows = connection.execute(_LINE_STATES, {"turn": turn, "most": SNAPSHOT_EVERY}).all()
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
