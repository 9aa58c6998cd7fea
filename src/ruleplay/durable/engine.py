"""One process that takes durable work from the queues, under a name that stays the same.

A killed process's work waits for a process of the same name: started again, here or on another
machine, it goes on with it. A process that stops in good order hands its work back to all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import Self

from dbos import DBOS, AsyncSQLAlchemyDatasource, DBOSConfig
from dbos import error as dbos_errors
from sqlalchemy import make_url
from sqlalchemy.exc import DBAPIError

from ruleplay.durable.desk import NAME, SERIALIZER, VERSION, Desk, engine_url, failure
from ruleplay.errors import RuleplayError, Unavailable, UserError
from ruleplay.records.events import Json
from ruleplay.storage.database import LAST_WORD, Database, Postgres

POLL = 0.03
"""Seconds between two looks into a queue."""
TRIES = 10
"""Processes that may die over one work before it is given up: it may be what kills them."""
Perform = Callable[["Engine", str, Json], Awaitable[Json]]
"""Does a work of an id and returns what it brought."""


@dataclass(frozen=True)
class Queue:
    """A queue that this process takes from: `at_once` works, and of one part one at a time."""

    name: str
    at_once: int
    by_part: bool = False


class Engine:
    """The process's DBOS; there is one at most."""

    def __init__(self, name: str, queues: Sequence[Queue]) -> None:
        self.name, self._queues = name, queues
        self._running: dict[str, asyncio.Task[object]] = {}
        self.datasource: AsyncSQLAlchemyDatasource

    @classmethod
    async def open(
        cls,
        name: str,
        url: str,
        database: Database,
        queues: Sequence[Queue],
        works: Mapping[str, Perform],
    ) -> Self:
        """Begin to take work; what this name had begun before comes first.

        `database` is the one of that URL; works commit on its connections.
        """
        self = cls(name, queues)
        config: DBOSConfig = {
            "name": NAME,
            "system_database_url": engine_url(url),
            "executor_id": name,
            "application_version": VERSION,
            "serializer": SERIALIZER,
            "log_level": "ERROR",
        }
        try:
            DBOS(config=config)
            for work, perform in works.items():
                DBOS.workflow(name=work, max_recovery_attempts=TRIES)(self._workflow(perform))
            self.datasource = await _datasource(url, database)
            DBOS.listen_queues([queue.name for queue in queues])
            DBOS.launch()
            for queue in queues:
                await DBOS.register_queue_async(
                    queue.name,
                    worker_concurrency=queue.at_once,
                    partition_concurrency=1 if queue.by_part else None,
                    polling_interval_sec=POLL,
                )
        except (DBAPIError, dbos_errors.DBOSException, OSError) as error:
            await self._destroy(0)
            raise Unavailable(f"the database cannot keep durable work: {error}") from error
        return self

    def _workflow(self, perform: Perform) -> Callable[[Json], Awaitable[Json]]:
        async def work(given: Json) -> Json:
            ident, task = DBOS.workflow_id, asyncio.current_task()
            if ident is None or task is None:
                raise RuntimeError("work runs in a workflow's task only")
            self._running[ident] = task
            try:
                return {"done": await perform(self, ident, given)}
            except RuleplayError as error:
                return failure(error)
            finally:
                self._running.pop(ident, None)

        return work

    def interrupt(self, ident: str) -> None:
        """Stop work that runs in this process, at once."""
        if task := self._running.get(ident):
            task.cancel()

    async def recorded(self, ident: str) -> list[tuple[int, str, Json]]:
        """Return the steps that earlier runs of a work have finished, and go on behind them.

        To be called by the work itself, before its first step.
        """
        # Not `to_thread`: inside the workflow's context this look would be a step itself.
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(None, DBOS.list_workflow_steps, ident)
        for _ in range(max((step["function_id"] for step in found), default=0)):
            DBOS.reserve_step()
        return [
            (step["function_id"], step["function_name"], step["output"])
            for step in found
            if isinstance(step["output"], dict)
        ]

    async def close(self, desk: Desk, grace: float = 0) -> None:
        """Take no more work, give what runs `grace` seconds, and hand back the rest."""
        running = list(self._running.values())
        stopped = asyncio.create_task(self._destroy(ceil(grace) + 1 if running else 0))
        if running:
            await asyncio.wait(running, timeout=grace)
            for task in running:
                task.cancel()
            await asyncio.wait(running, timeout=LAST_WORD)
        await stopped
        if self.datasource.created_engine:
            await self.datasource.engine.dispose()
        await desk.hand_back(self.name, [queue.name for queue in self._queues])

    async def _destroy(self, seconds: int) -> None:
        # DBOS makes its own pool the loop's default one, and ends that pool with itself.
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(1) as thread:
            end = partial(
                DBOS.destroy, destroy_registry=True, workflow_completion_timeout_sec=seconds
            )
            await loop.run_in_executor(thread, end)
        loop.set_default_executor(ThreadPoolExecutor())


async def _datasource(url: str, database: Database) -> AsyncSQLAlchemyDatasource:
    # DBOS commits on connections that are awaited: on SQLite it has its own.
    engine = database.engine if isinstance(database, Postgres) else None
    driver = "postgresql+asyncpg" if engine else "sqlite+aiosqlite"
    return await AsyncSQLAlchemyDatasource.create(
        make_url(url).set(drivername=driver).render_as_string(hide_password=False),
        engine=engine,
        serializer=SERIALIZER,
    )


def check_name(name: str) -> None:
    """Refuse a name that cannot be told apart from others (UserError)."""
    if not name.isprintable() or not 0 < len(name) <= 64:
        raise UserError(f"a worker's name has 1 to 64 printable characters, not {name!r}")
