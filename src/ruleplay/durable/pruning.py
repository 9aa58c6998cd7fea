"""Deletion of old durable work, which DBOS would keep for ever."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, inspect

from ruleplay.durable.desk import Desk
from ruleplay.storage.database import Database

SCHEMA = {"postgresql": "dbos", "sqlite": None}
"""The database schema of DBOS's tables."""
BATCH = 500
"""Works deleted in one statement."""


async def forget_work(database: Database, url: str, before: datetime, *, dry: bool = False) -> int:
    """Delete queued turns and jobs that ended before a time; returns how many there are.

    Sessions are not affected. The key of a deleted job can be used again. With `dry` nothing is
    deleted.
    """
    if not await database.run(_has_works):
        return 0
    desk = await Desk.open(url)
    try:
        ended = await desk.ended(before)
        for start in range(0, 0 if dry else len(ended), BATCH):
            await desk.forget(ended[start : start + BATCH])
    finally:
        await desk.close()
    return len(ended)


def _has_works(connection: Connection) -> bool:
    return inspect(connection).has_table("workflow_status", SCHEMA[connection.dialect.name])
