"""Database maintenance: check integrity, and delete sessions that are long unused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from random import Random

from pydantic import BaseModel
from sqlalchemy import Connection, delete, func, select, text

from ruleplay.errors import RuleplayError
from ruleplay.kernel.host import Host
from ruleplay.kernel.replay import replay
from ruleplay.storage.database import SCHEMA, Database, schema_of
from ruleplay.storage.store import MOST_IDS
from ruleplay.storage.tables import histories, leases, sessions, turns

SAMPLE = 20
"""Default number of sessions that a check replays; half of them are the newest."""
MOST_NAMED = 20
"""Most problems of one kind that are listed."""

_BROKEN = {
    "a session's head is no turn": """
        SELECT s.id FROM sessions s LEFT JOIN turns t ON t.id = s.head
        WHERE s.head IS NOT NULL AND t.id IS NULL""",
    "a session's number is not that of its head": """
        SELECT s.id FROM sessions s LEFT JOIN turns t ON t.id = s.head
        WHERE s.number <> COALESCE(t.number, 0) AND (s.head IS NULL OR t.id IS NOT NULL)""",
    "a fork left from no turn": """
        SELECT s.id FROM sessions s LEFT JOIN turns t ON t.id = s.forked
        WHERE s.forked IS NOT NULL AND t.id IS NULL""",
    "a turn's parent is missing": """
        SELECT t.id FROM turns t LEFT JOIN turns p ON p.id = t.parent
        WHERE t.parent IS NOT NULL AND p.id IS NULL""",
    "a turn's number does not follow its parent's": """
        SELECT t.id FROM turns t LEFT JOIN turns p ON p.id = t.parent
        WHERE t.number <> COALESCE(p.number, 0) + 1 AND (t.parent IS NULL OR p.id IS NOT NULL)""",
    "a turn belongs to no session": """
        SELECT t.id FROM turns t LEFT JOIN sessions s ON s.id = t.session WHERE s.id IS NULL""",
}
"""Queries for rows that contradict each other, by the problem that they find."""


class Examined(BaseModel, frozen=True):
    """What `check` found; the database is sound when `problems` is empty."""

    schema_version: str
    sessions: int
    turns: int
    hashes: int
    replayed: int
    problems: tuple[str, ...]


class Pruned(BaseModel, frozen=True):
    """What was let go, or would be: sessions and turns that had not changed since `before`.

    `works` are durable turns and jobs that had ended before.
    """

    before: datetime
    sessions: int
    turns: int
    kept_for_forks: int
    works: int = 0


async def check(
    host: Host, sample: int = SAMPLE, on_progress: Callable[[int, int], None] = lambda d, t: None
) -> Examined:
    """Check the file, links between rows and stored states, and replay a sample of sessions.

    `on_progress` gets the sessions done, and how many there are.
    """
    database = host.store.database
    schema = await schema_of(database)
    problems = [] if schema == SCHEMA else [f"schema {schema} instead of {SCHEMA}"]
    problems += await database.run(_damage)
    problems += await database.run(_broken_links)
    hashes, wrong = await _wrong_states(host)
    problems += wrong
    chosen = await _sample(database, sample)
    for done, session in enumerate(chosen):
        problems += await _replayed(host, session)
        on_progress(done + 1, len(chosen))
    count, turn_count = await database.run(_counts)
    return Examined(
        schema_version=str(schema),
        sessions=count,
        turns=turn_count,
        hashes=hashes,
        replayed=len(chosen),
        problems=tuple(problems),
    )


def _damage(connection: Connection) -> list[str]:
    """Ask SQLite whether its file is intact; PostgreSQL has checks of its own."""
    if connection.dialect.name != "sqlite":
        return []
    told = connection.execute(text("PRAGMA quick_check")).scalars().all()
    return [] if told == ["ok"] else [f"the file is damaged: {line}" for line in told[:MOST_NAMED]]


def _broken_links(connection: Connection) -> list[str]:
    found = []
    for what, statement in _BROKEN.items():
        ids = connection.execute(text(f"{statement} LIMIT {MOST_NAMED}")).scalars()
        found += [f"{what}: {ident}" for ident in ids]
    return found


def _states(connection: Connection) -> tuple[int, list[str], list[str]]:
    """Compare stored states with their turns' hashes.

    Returns the number of states, and the ids of turns and of sessions whose state does not match.
    """
    kept = select(turns.c.id, turns.c.state, turns.c.state_hash).where(turns.c.state.is_not(None))
    heads = select(sessions.c.id, sessions.c.state, turns.c.state_hash).join(
        turns, turns.c.id == sessions.c.head
    )
    count = 0
    wrong: tuple[list[str], list[str]] = [], []
    for query, found in zip((kept, heads), wrong, strict=True):
        for row in connection.execution_options(yield_per=500).execute(query):
            count += 1
            if sha256(row.state.encode()).hexdigest() != row.state_hash:
                found.append(row.id)
    return count, *wrong


async def _wrong_states(host: Host) -> tuple[int, list[str]]:
    count, wrong_turns, odd_sessions = await host.store.database.keep(_states)
    wrong = [f"the state of turn {turn} is not the one it made" for turn in wrong_turns]
    for session in odd_sessions:
        # A newer state version than the turn's changes the hash, so the state is computed again
        # from the events and compared itself.
        head, _ = await host.store.read(session)
        folded, _number = await host.state(head.model_copy(update={"state_version": -1}), head.head)
        if folded.version == head.state_version and folded.model_dump_json() != head.state:
            wrong.append(f"the state of session {session} is not the one its turns made")
    return count, wrong[:MOST_NAMED]


async def _sample(database: Database, count: int) -> list[str]:
    """Choose sessions to replay: the newest, and as many others at random."""
    query = select(sessions.c.id).order_by(sessions.c.updated.desc())
    ids = await database.run(lambda connection: list(connection.execute(query).scalars()))
    newest, others = ids[: (count + 1) // 2], ids[(count + 1) // 2 :]
    return newest + Random(len(ids)).sample(others, min(len(others), count - len(newest)))


async def _replayed(host: Host, session: str) -> list[str]:
    try:
        found = await replay(host, session)
    except RuleplayError as error:
        return [f"session {session} cannot be replayed: {error}"]
    if found.identical:
        return []
    where = (found.first_difference or {}).get("number", "its end")
    return [f"session {session} differs from its record at turn {where}"]


def _counts(connection: Connection) -> tuple[int, int]:
    first, second = (
        connection.execute(select(func.count()).select_from(table)).scalar() or 0
        for table in (sessions, turns)
    )
    return first, second


async def prune(database: Database, age: timedelta, *, dry: bool = False) -> Pruned:
    """Delete sessions that have not changed for `age`, with their turns, permanently.

    A session is kept while a turn of it runs, or a fork of it is kept. With `dry` nothing is
    deleted, only counted.
    """
    before = datetime.now(UTC) - age
    found: list[Pruned] = []

    def work(connection: Connection) -> None:
        gone, forked = _unused(connection, before)
        count = 0
        for start in range(0, len(gone), MOST_IDS):
            some = gone[start : start + MOST_IDS]
            count += _forget(connection, some, dry=dry)
        found.append(Pruned(before=before, sessions=len(gone), turns=count, kept_for_forks=forked))

    await database.keep(work)
    if not dry and database.dialect == "sqlite":
        await database.run(lambda c: c.execute(text("VACUUM")).close(), writes=True)
    return found[0]


def _unused(connection: Connection, before: datetime) -> tuple[list[str], int]:
    """Return the ids of sessions to delete, and how many old ones are kept for their forks."""
    query = select(sessions.c.id, sessions.c.origin, sessions.c.updated)
    rows = {row.id: row for row in connection.execute(query)}
    busy = set(connection.execute(select(leases.c.session)).scalars())
    recent = {
        ident
        for ident, row in rows.items()
        if ident in busy or datetime.fromisoformat(row.updated) >= before
    }
    kept = set(recent)
    for ident in recent:
        origin = rows[ident].origin
        while origin in rows and origin not in kept:
            kept.add(origin)
            origin = rows[origin].origin
    return [ident for ident in rows if ident not in kept], len(kept - recent)


def _forget(connection: Connection, ids: Sequence[str], *, dry: bool) -> int:
    """Delete sessions with their turns (not with `dry`), and return the number of turns."""
    theirs = turns.c.session.in_(ids)
    count = connection.execute(select(func.count()).select_from(turns).where(theirs)).scalar() or 0
    if not dry:
        connection.execute(delete(turns).where(theirs))
        connection.execute(delete(histories).where(histories.c.session.in_(ids)))
        connection.execute(delete(sessions).where(sessions.c.id.in_(ids)))
    return count
