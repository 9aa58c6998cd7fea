"""Letting go of durable work that ended long ago, which would else be kept for good."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, inspect

from ruleplay.durable.desk import Desk
from ruleplay.storage.database import Database

SCHEMA = {"postgresql": "dbos", "sqlite": None}
"""Where DBOS keeps its tables."""
BATCH = 500
"""Works that are deleted in one statement."""


async def forget_work(database: Database, url: str, before: datetime, *, dry: bool = False) -> int:
    """Delete the turns handed in and the jobs that ended before a time; return how many.

    Sessions stay as they are. A job that is forgotten can be handed in again under its key. With
    `dry` nothing is deleted.
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
