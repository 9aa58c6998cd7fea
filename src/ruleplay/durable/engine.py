"""The worker side of durable work: runs workflows from the queues under a stable name.

DBOS ties a workflow to its executor. The work of a killed process therefore waits until a process
of the same name starts, here or on another machine. A process that shuts down properly hands its
work back to the queue, for any worker.
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
from ruleplay.storage.database import CLOSE_SECONDS, Database, Postgres

POLL = 0.03
"""Seconds between polls of a queue for whose work somebody waits."""
TRIES = 10
"""Attempts before a workflow is given up, because it may be what kills the processes."""
Perform = Callable[["Engine", str, Json], Awaitable[Json]]
"""Runs the work of an id with its input, and returns its result."""


@dataclass(frozen=True)
class Queue:
    """A queue that this process polls, for `at_once` concurrent works.

    With `by_part` works of one partition, such as a session, run one after another. `poll` are the
    seconds between two looks into the queue.
    """

    name: str
    at_once: int
    by_part: bool = False
    poll: float = POLL


class Engine:
    """The process's DBOS instance, of which there is at most one."""

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
        """Start to take work, first what an earlier process of this name has begun.

        `database` must be that of `url`; on PostgreSQL works commit on its connections.
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
                    polling_interval_sec=queue.poll,
                )
        except (DBAPIError, dbos_errors.DBOSException, OSError) as error:
            await self._destroy(0)
            raise Unavailable(f"the database cannot be used for durable work: {error}") from error
        return self

    def _workflow(self, perform: Perform) -> Callable[[Json], Awaitable[Json]]:
        async def work(given: Json) -> Json:
            ident, task = DBOS.workflow_id, asyncio.current_task()
            if ident is None or task is None:
                raise RuntimeError("work runs in a workflow's task only")
            self._running[ident] = task
            # Returned, an expected error reaches the caller as JSON; `desk.reraise` raises it.
            try:
                return {"done": await perform(self, ident, given)}
            except RuleplayError as error:
                return failure(error)
            finally:
                self._running.pop(ident, None)

        return work

    def interrupt(self, ident: str) -> None:
        """Cancel work if it runs in this process."""
        if task := self._running.get(ident):
            task.cancel()

    async def recorded(self, ident: str) -> list[tuple[int, str, Json]]:
        """Return the finished steps of earlier runs (id, name, output), and skip their ids.

        The work itself must call it, before its first step. DBOS numbers steps by order of calls
        and would return the recorded output for a number that was used; here the tape does that.
        """
        # Not `asyncio.to_thread`, which copies the context: in a workflow's context DBOS would
        # record this call as a step.
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
        """Stop polling, give running work `grace` seconds, and hand back what is left."""
        running = list(self._running.values())
        stopped = asyncio.create_task(self._destroy(ceil(grace) + 1 if running else 0))
        if running:
            await asyncio.wait(running, timeout=grace)
            for task in running:
                task.cancel()
            await asyncio.wait(running, timeout=CLOSE_SECONDS)
        await stopped
        if self.datasource.created_engine:
            await self.datasource.engine.dispose()
        await desk.hand_back(self.name, [queue.name for queue in self._queues])

    async def _destroy(self, seconds: int) -> None:
        # DBOS makes its own pool the loop's default executor, and shuts it down with itself; so
        # this call needs another thread, and the loop a new executor afterwards.
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(1) as thread:
            end = partial(
                DBOS.destroy, destroy_registry=True, workflow_completion_timeout_sec=seconds
            )
            await loop.run_in_executor(thread, end)
        loop.set_default_executor(ThreadPoolExecutor())


async def _datasource(url: str, database: Database) -> AsyncSQLAlchemyDatasource:
    # DBOS needs an async engine. On SQLite the store's engine is synchronous, so DBOS opens one.
    engine = database.engine if isinstance(database, Postgres) else None
    driver = "postgresql+asyncpg" if engine else "sqlite+aiosqlite"
    return await AsyncSQLAlchemyDatasource.create(
        make_url(url).set(drivername=driver).render_as_string(hide_password=False),
        engine=engine,
        serializer=SERIALIZER,
    )


def check_name(name: str) -> None:
    """Raise UserError for a worker's name that is empty, too long or not printable."""
    if not name.isprintable() or not 0 < len(name) <= 64:
        raise UserError(f"a worker's name needs 1 to 64 printable characters, not {name!r}")
