"""The writes of a commit: update the session's row, insert the turn's row, delete the lease.

On PostgreSQL they are one statement, because each round trip costs more than the work itself.
SQLite has no statement that writes several tables, and no round trips to save, so it runs three
in a transaction. See docs/decisions/0022.
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

# Matching the version is the optimistic lock: no row matches once the session has changed.
_MOVE = """
UPDATE sessions SET head = :new_head, number = :new_number, version = version + 1,
  state = :new_state, state_version = :new_state_version, spent = :new_spent, updated = :now
WHERE id = :session_id AND version = :read_version
"""

_END_LEASE = "DELETE FROM leases WHERE session = {session} AND holder = :holder"
# In an INSERT ... SELECT PostgreSQL does not infer a parameter's type from the target column.
_COLUMNS = {
    column.name: f"CAST(:{column.name} AS {'int' if isinstance(column.type, Integer) else 'text'})"
    for column in turns.c
}
_COMMIT = text(
    f"WITH moved AS ({_MOVE} RETURNING id), "
    f"ended AS ({_END_LEASE.format(session='(SELECT id FROM moved)')}) "
    f"INSERT INTO turns ({', '.join(_COLUMNS)}) SELECT {', '.join(_COLUMNS.values())} FROM moved"
)
_move, _add_turn = text(_MOVE), insert(turns)
_end_lease = text(_END_LEASE.format(session=":session_id"))


def write_commit(
    connection: Connection, moved: Mapping[str, object], row: Mapping[str, object], holder: str
) -> None:
    """Insert a turn's `row`, apply a `head_update` to its session, and end the holder's lease.

    Raises Conflict if the session has changed since it was read.
    """
    if connection.dialect.name == "postgresql":
        _check_moved(connection.execute(_COMMIT, {**row, **moved, "holder": holder}).rowcount)
        return
    update_head(connection, moved)
    connection.execute(_add_turn, row)
    end_lease(connection, str(moved["session_id"]), holder)


def update_head(connection: Connection, moved: Mapping[str, object]) -> None:
    """Apply a `head_update` to a session; Conflict if the session has changed since it was read."""
    _check_moved(connection.execute(_move, moved).rowcount)


def end_lease(connection: Connection, session: str, holder: str) -> None:
    """Delete a lease unless another holder has taken it over."""
    connection.execute(_end_lease, {"session_id": session, "holder": holder}).close()


class Landing(NamedTuple):
    """The turn that a session's head will point at, its number, and the state there."""

    turn: str | None
    number: int
    state: str
    state_version: int


def head_update(
    head: Head, turn: str | None, number: int, state: str, state_version: int, spent: Decimal
) -> dict[str, object]:
    """Build the parameters of the UPDATE that points a session at another turn of its tree."""
    return {
        "session_id": head.id,
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
