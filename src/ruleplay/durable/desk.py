"""The client side of durable work: queue it, watch it, cancel it. `engine` is the worker side.

A work is a DBOS workflow, whose id makes it run once. Its input is JSON, and so is its outcome:
`{"done": …}` or, for the caller to raise, `{"error": {"type", "message"}}`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, cast

from dbos import DBOS, DBOSClient, DBOSPortableJSONSerializer, EnqueueOptions, WorkflowStatus
from dbos import error as dbos_errors
from sqlalchemy import make_url
from sqlalchemy.exc import DBAPIError

from ruleplay import errors
from ruleplay.errors import Conflict, RuleplayError, Unavailable
from ruleplay.records.events import Json

NAME = "ruleplay"
VERSION = "1"
"""The version of the work's format. Workers only take work of their own version, so raise it when
a release cannot resume what the one before has recorded, and let old workers finish theirs."""
SERIALIZER = DBOSPortableJSONSerializer()
WAIT = 0.05
"""Seconds between polls for an outcome."""
Status = Literal["queued", "running", "done", "failed", "cancelled"]
_STATUS: dict[str, Status] = {
    "DELAYED": "queued",
    "ENQUEUED": "queued",
    "PENDING": "running",
    "SUCCESS": "done",
    "CANCELLED": "cancelled",
}

ENDED = ("SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")


def engine_url(url: str) -> str:
    """Convert the store's URL to DBOS's, with a synchronous driver; Unavailable for `:memory:`."""
    read = make_url(url)
    if read.get_backend_name() == "sqlite":
        if read.database in (None, "", ":memory:"):
            raise Unavailable(
                "durable work needs a database that outlives the process: name a file"
            )
        return read.set(drivername="sqlite").render_as_string(hide_password=False)
    if "ssl" in read.query:  # asyncpg's name for libpq's `sslmode`
        read = read.difference_update_query(["ssl"]).update_query_dict(
            {"sslmode": cast("str", read.query["ssl"])}
        )
    return read.set(drivername="postgresql+psycopg").render_as_string(hide_password=False)


@dataclass(frozen=True)
class Work:
    """A work's current status; `outcome` is None until it ends, times are Unix milliseconds."""

    id: str
    given: Json
    status: Status
    outcome: Json | None
    executor: str
    created: int
    updated: int

    @classmethod
    def of(cls, found: WorkflowStatus) -> Work:
        """Convert DBOS's status of a workflow."""
        outcome = _outcome(found)
        status = _STATUS.get(found.status, "failed")
        if status == "done" and outcome is not None and "error" in outcome:
            status = "failed"
        given = found.input["args"][0] if found.input else {}
        return cls(
            id=found.workflow_id,
            given=cast("Json", given),
            status=status,
            outcome=outcome,
            executor=found.executor_id or "",
            created=found.created_at or 0,
            updated=found.updated_at or 0,
        )


def _outcome(found: WorkflowStatus) -> Json | None:
    if isinstance(found.output, dict):
        return found.output
    if found.status in ("ERROR", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"):
        return failure(found.error or RuntimeError(f"given up after {found.status}"))
    return None


def failure(error: BaseException) -> Json:
    """Build the outcome of work that failed; the counterpart of `reraise`."""
    name = str(getattr(error, "name", "") or type(error).__name__)
    return {"error": {"type": name, "message": str(error)}}


def reraise(outcome: Json) -> Json:
    """Return an outcome, or raise the error in it, as its own class if it is one of Ruleplay's."""
    wrong = outcome.get("error")
    if not isinstance(wrong, dict):
        return outcome
    kind = getattr(errors, str(wrong.get("type")), None)
    if isinstance(kind, type) and issubclass(kind, RuleplayError):
        raise kind(str(wrong.get("message")))
    raise RuleplayError(f"a worker failed with {wrong.get('type')}; its log shows where")


class Desk:
    """The queues of a database, as a client sees them."""

    def __init__(self, client: DBOSClient) -> None:
        self._client = client

    @classmethod
    async def open(cls, url: str) -> Desk:
        """Connect to the database of a store's URL and create DBOS's tables; raises Unavailable."""
        return cls(await asyncio.to_thread(_client, engine_url(url)))

    async def close(self) -> None:
        """Close all connections."""
        await asyncio.to_thread(self._client.destroy)

    async def put(self, queue: str, name: str, ident: str, given: Json, part: str = "") -> None:
        """Queue work; does nothing if its id is known already.

        A partitioned queue runs the works with the same `part` one at a time, in order.
        """
        options: EnqueueOptions = {
            "workflow_name": name,
            "queue_name": queue,
            "workflow_id": ident,
            "app_version": VERSION,
        }
        if part:
            options["queue_partition_key"] = part
        await self._client.enqueue_async(options, given)

    async def find(self, ident: str) -> Work | None:
        """Look work up by its id."""
        found = await self._client.list_workflows_async(workflow_ids=[ident])
        return Work.of(found[0]) if found else None

    async def recent(self, name: str, limit: int = 100) -> list[Work]:
        """List the works of a name, newest first."""
        found = await self._client.list_workflows_async(
            name=name, limit=limit, sort_desc=True, application_name=NAME
        )
        return [Work.of(one) for one in found]

    async def outcome(self, ident: str) -> Json:
        """Wait for work to end; returns its outcome or raises its error, Conflict if cancelled."""
        while True:
            found = await self.find(ident)
            if found is None or found.status == "cancelled":
                raise Conflict("the work was cancelled")
            if found.outcome is not None:
                return reraise(found.outcome)
            await asyncio.sleep(WAIT)

    async def cancel(self, ident: str) -> None:
        """Cancel work that has not ended; it cannot record further steps."""
        await self._client.cancel_workflow_async(ident)

    async def progress(self, ident: str, plan: str, part: str) -> tuple[int, int | None]:
        """Count a work's finished steps whose names start with `part`, and those in its `plan`.

        The total is None until the step `plan` has run.
        """
        first = await self._client.list_workflow_steps_async(ident, limit=1)
        if not first or first[0]["function_name"] != plan:
            return 0, None
        steps = await self._client.list_workflow_steps_async(ident, load_output=False)
        planned = first[0]["output"]
        total = len(planned["parts"]) if isinstance(planned, dict) else None
        return sum(step["function_name"].startswith(part) for step in steps), total

    async def ended(self, before: datetime) -> list[str]:
        """List the ids of works that ended before a time."""
        found = await self._client.list_workflows_async(
            status=list(ENDED),
            completed_before=before.isoformat(),
            load_input=False,
            load_output=False,
            application_name=NAME,
        )
        return [one.workflow_id for one in found]

    async def forget(self, idents: Sequence[str]) -> None:
        """Delete works and their steps."""
        await self._client.delete_workflows_async(list(idents))

    async def hand_back(self, executor: str, queues: Sequence[str]) -> int:
        """Requeue what a stopped executor had begun, for any worker; returns how many works."""
        given = 0
        for queue in queues:
            begun = await self._client.list_workflows_async(
                status="PENDING",
                executor_id=executor,
                queue_name=queue,
                load_input=False,
                load_output=False,
                application_name=NAME,
            )
            idents = [one.workflow_id for one in begun]
            if idents:
                await self._client.resume_workflows_async(idents, queue_name=queue)
            given += len(idents)
        return given


def _client(url: str) -> DBOSClient:
    try:
        DBOS.migrate(url)
        return DBOSClient(system_database_url=url, serializer=SERIALIZER, application_name=NAME)
    except (DBAPIError, dbos_errors.DBOSException, OSError) as error:
        raise Unavailable(f"the database cannot be used for durable work: {error}") from error
