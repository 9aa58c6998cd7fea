"""What a commit writes: a session's row moves to the turn, whose row is added; its lease ends.

PostgreSQL takes all of it as one statement, since each way to the server and back costs more than
what is done there. SQLite, which is no way off, takes no statement that changes several tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import NamedTuple

from sqlalchemy import Connection, Integer, insert, text

from ruleplay.errors import Conflict
from ruleplay.records.turns import Head
from ruleplay.storage.tables import turns

_MOVE = """
UPDATE sessions SET head = :new_head, number = :new_number, version = version + 1,
  state = :new_state, state_version = :new_state_version, spent = :new_spent, updated = :now
WHERE id = :moving AND version = :read_version
"""
_END_LEASE = "DELETE FROM leases WHERE session = {session} AND holder = :holder"
# In an INSERT ... SELECT PostgreSQL does not infer a parameter's type from the target column.
_COLUMNS = {
    column.name: f"CAST(:{column.name} AS {'int' if isinstance(column.type, Integer) else 'text'})"
    for column in turns.c
}
_AT_ONCE = text(
    f"WITH moved AS ({_MOVE} RETURNING id), "
    f"ended AS ({_END_LEASE.format(session='(SELECT id FROM moved)')}) "
    f"INSERT INTO turns ({', '.join(_COLUMNS)}) SELECT {', '.join(_COLUMNS.values())} FROM moved"
)
_move, _add_turn = text(_MOVE), insert(turns)
_end_lease = text(_END_LEASE.format(session=":moving"))


def seal(
    connection: Connection, moved: Mapping[str, object], row: Mapping[str, object], holder: str
) -> None:
    """Add a turn's row, move its session by `moving`, and end the holder's lease.

    Conflict when the session has moved on meanwhile.
    """
    if connection.dialect.name == "postgresql":
        _check_moved(connection.execute(_AT_ONCE, {**row, **moved, "holder": holder}).rowcount)
        return
    move(connection, moved)
    connection.execute(_add_turn, row)
    end_lease(connection, str(moved["moving"]), holder)


def move(connection: Connection, moved: Mapping[str, object]) -> None:
    """Move a session by `moving`; Conflict when it has moved on meanwhile."""
    _check_moved(connection.execute(_move, moved).rowcount)


def end_lease(connection: Connection, session: str, holder: str) -> None:
    """End a lease, if it is still its holder's."""
    connection.execute(_end_lease, {"moving": session, "holder": holder}).close()


class Landing(NamedTuple):
    """Where a session's head comes to: a turn, its number, and the state there."""

    turn: str | None
    number: int
    state: str
    state_version: int


def moving(
    head: Head, turn: str | None, number: int, state: str, state_version: int, spent: Decimal
) -> dict[str, object]:
    """Return what moves a session from where it was read to a turn of its tree."""
    return {
        "moving": head.id,
        "read_version": head.version,
        "new_head": turn,
        "new_number": number,
        "new_state": state,
        "new_state_version": state_version,
        "new_spent": str(spent),
        "now": datetime.now(UTC).isoformat(),
    }


def _check_moved(rows: int) -> None:
    if rows != 1:
        raise Conflict("the session moved on meanwhile; look again and retry")
