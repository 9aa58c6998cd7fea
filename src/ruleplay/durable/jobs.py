"""Long jobs: a plan of parts, each a durable step, so that a crash costs at most one part.

Kinds of jobs are defined elsewhere and passed in when a worker is opened.
"""

from __future__ import annotations

import asyncio
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from dbos import DBOS, StepOptions, StepReservation
from pydantic import BaseModel, ValidationError

from ruleplay.durable.desk import Desk, Status, Work
from ruleplay.durable.engine import Engine, Queue
from ruleplay.errors import Conflict, NotFound, UserError, first_invalid
from ruleplay.records.events import Json

if TYPE_CHECKING:
    from ruleplay.settings import Settings

# Jobs take minutes: a worker with nothing to do need not look for one thirty times a second.
JOBS = Queue("jobs", at_once=1, poll=0.5)
WORK = "job"
PLAN, PART = "plan", "part "
OptionsT = TypeVar("OptionsT", bound=BaseModel)


class OpenJob(ABC):
    """A job while a process works on it."""

    at_once: int = 1
    """The number of parts to run concurrently."""

    @abstractmethod
    async def plan(self) -> list[str]:
        """Return the parts' names, in order; called once in a job's life."""

    @abstractmethod
    async def part(self, name: str) -> Json:
        """Run a part; after a crash, a part that had begun is run again."""

    @abstractmethod
    def result(self, parts: Mapping[str, Json]) -> Json:
        """Combine the results of all parts, which come in the plan's order."""


class JobKind(ABC, Generic[OptionsT]):
    """A kind of job: its name, its options, and how to open one."""

    name: ClassVar[str]
    title: ClassVar[str]
    options: type[OptionsT]

    @abstractmethod
    def open(
        self, job: str, options: OptionsT, settings: Settings
    ) -> AbstractAsyncContextManager[OpenJob]:
        """Acquire what the parts of a job need; called at its start and after each crash."""


FindKind = Callable[[str], "JobKind[Any]"]


class Submitted(BaseModel, frozen=True):
    """A job as submitted, stored as the work's input."""

    kind: str
    options: Json


class Job(BaseModel, frozen=True):
    """A job's current status: `done` of `parts`, None until planned; times in Unix milliseconds."""

    job: str
    kind: str
    options: Json
    status: Status
    done: int = 0
    parts: int | None = None
    worker: str = ""
    created: int
    updated: int
    error: str = ""
    result: Json | None = None


def read_options(kind: JobKind[OptionsT], options: Json) -> OptionsT:
    """Validate a job's options; UserError names the first invalid one."""
    try:
        return kind.options.model_validate(options)
    except ValidationError as error:
        where, what = first_invalid(error)
        fields = ", ".join(kind.options.model_fields) or "none"
        raise UserError(f"option {where!r}: {what}; {kind.name} takes {fields}") from error


@dataclass(frozen=True)
class JobWorker:
    """Runs jobs in a worker's process."""

    find_kind: FindKind
    settings: Settings

    async def perform(self, engine: Engine, ident: str, given: Json) -> Json:
        """Run the parts of a job that are not done yet, and return its result."""
        submitted = Submitted.model_validate(given)
        kind = self.find_kind(submitted.kind)
        options = read_options(kind, submitted.options)
        kept = {name: output for _, name, output in await engine.recorded(ident)}
        async with kind.open(ident, options, self.settings) as opened:
            if PLAN not in kept:
                kept[PLAN] = await DBOS.run_step_async({"name": PLAN}, _plan, opened)
            names = [str(name) for name in _list(kept[PLAN]["parts"])]
            # Step ids are reserved before any part runs, so that they do not depend on which of
            # the concurrent parts happens to start or end first.
            left = [(name, DBOS.reserve_step()) for name in names if PART + name not in kept]
            places = asyncio.Semaphore(opened.at_once)

            async def do(name: str, place: StepReservation) -> None:
                async with places:
                    step: StepOptions = {"name": PART + name, "preemptible": True}
                    kept[PART + name] = await place.run_async(step, opened.part, name)

            async with asyncio.TaskGroup() as parts:
                for name, place in left:
                    parts.create_task(do(name, place))
            result = opened.result({name: kept[PART + name] for name in names})
        return {"parts": len(names), "result": result}


async def _plan(opened: OpenJob) -> Json:
    return {"parts": [*await opened.plan()]}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


class Jobs:
    """The jobs of a database: submit, list, show, cancel."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def submit(self, kind: JobKind[Any], options: Json, key: str = "") -> Job:
        """Submit a job; the same key is the same job. UserError names an invalid option."""
        read = read_options(kind, options).model_dump(mode="json")
        ident = f"job-{key or secrets.token_hex(6)}"
        given: Json = {"kind": kind.name, "options": read}
        await self._desk.put(JOBS.name, WORK, ident, given)
        job = await self.show(ident)
        if (job.kind, job.options) != (kind.name, read):
            raise Conflict(f"the key {key!r} was used for another job; take a new key")
        return job

    async def recent(self, limit: int = 50) -> list[Job]:
        """List jobs, newest first, without their results."""
        works = await self._desk.recent(WORK, limit)
        return [(await self._job(work)).model_copy(update={"result": None}) for work in works]

    async def show(self, ident: str) -> Job:
        """Look up a job, with its result if it has ended; NotFound."""
        return await self._job(await self._find(ident))

    async def cancel(self, ident: str) -> Job:
        """Cancel a job and discard its finished parts; Conflict if it has ended."""
        work = await self._find(ident)
        if work.status not in ("queued", "running"):
            raise Conflict(f"job {ident!r} has already ended: {work.status}")
        await self._desk.cancel(ident)
        return await self.show(ident)

    async def _find(self, ident: str) -> Work:
        work = await self._desk.find(ident)
        if work is None or "kind" not in work.given:
            raise NotFound(f"no job {ident!r}; `ruleplay jobs list` shows yours")
        return work

    async def _job(self, work: Work) -> Job:
        submitted = Submitted.model_validate(work.given)
        done, parts = await self._desk.progress(work.id, PLAN, PART)
        outcome = work.outcome or {}
        ended, wrong = outcome.get("done"), outcome.get("error")
        result = ended.get("result") if isinstance(ended, dict) else None
        return Job(
            job=work.id,
            kind=submitted.kind,
            options=submitted.options,
            status=work.status,
            done=done,
            parts=parts,
            worker=work.executor if work.status != "queued" else "",
            created=work.created,
            updated=work.updated,
            error=str(wrong.get("message")) if isinstance(wrong, dict) else "",
            result=result if isinstance(result, dict) else None,
        )
