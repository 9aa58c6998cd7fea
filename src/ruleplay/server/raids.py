"""What the page reads of raids besides sessions: reports, raw log lines, tools, results, imports."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from ruleplay.foundation.errors import NotFound, RuleplayError, UserError
from ruleplay.foundation.events import Json
from ruleplay.foundation.host import Host
from ruleplay.server.background import stored
from ruleplay.server.errors import problems
from ruleplay.server.shapes import Plain
from ruleplay.server.wiring import TheHost

if TYPE_CHECKING:
    from ruleplay.agents.raid.adapters.nights import Nights

AGENT = "raid"
LINES = 2_000
"""Raw lines that one request gets at most."""
JOBS = 32
"""Imports that are remembered."""
routes = APIRouter(prefix="/api", tags=[AGENT], responses=problems(401, 403, 404, 422, 500, 503))
ReportCode = Annotated[Plain, Path(max_length=80)]
"""Where uploads go; the only path whose body may be long and no JSON."""


class ReportList(BaseModel):
    """The imported reports, the newest first."""

    reports: list[Json]


class LineList(BaseModel):
    """Raw lines of a log: their numbers and text."""

    report: str
    lines: list[Json]


class Outcome(BaseModel):
    """A tool's rows, and the log lines they rest on."""

    rows: list[Json]
    query: str
    lines: list[tuple[int, int]]
    notes: list[str]
    problem: str
    report: str
    fight: int | None
    pull: str
    seconds: float | None


class ImportJob(BaseModel):
    """An upload on its way into a report; `report` once it is done, `problem` when it failed."""

    id: str
    status: Literal["running", "done", "failed"]
    done: int = 0
    total: int = 0
    report: Json | None = None
    problem: str = ""


@dataclass
class Imports:
    """The imports that this process runs or ran a short while ago."""

    jobs: OrderedDict[str, ImportJob] = field(default_factory=OrderedDict)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def add(self, job: ImportJob) -> None:
        """Remember a job; the oldest are forgotten."""
        self.jobs[job.id] = job
        while len(self.jobs) > JOBS:
            self.jobs.popitem(last=False)


async def _nights(host: Host) -> Nights:
    agent = await asyncio.to_thread(host.find_agent, AGENT)
    world = await host.world(agent)
    from ruleplay.agents.raid.adapters.nights import Nights

    if not isinstance(world, Nights):
        raise TypeError("the raid agent's world is its nights")
    return world


@routes.get("/raid/reports", responses={200: {"model": ReportList}})
async def list_reports(host: TheHost) -> JSONResponse:
    """List the imported reports."""
    nights = await _nights(host)
    overview = await asyncio.to_thread(nights.overview, "", "")
    return JSONResponse({"reports": [one.model_dump(mode="json") for one in overview.reports]})


@routes.get("/raid/reports/{code}", responses={200: {"description": "The night"}})
async def show_report(code: ReportCode, host: TheHost) -> JSONResponse:
    """Return a report as a night: its pulls and players."""
    nights = await _nights(host)
    night = await asyncio.to_thread(nights.night, code)
    return JSONResponse(night.model_dump(mode="json"))


@routes.get("/raid/reports/{code}/lines", responses={200: {"model": LineList}, **problems(400)})
async def read_lines(
    code: ReportCode,
    host: TheHost,
    first: Annotated[int, Query(ge=1, le=2**31)],
    last: Annotated[int, Query(ge=1, le=2**31)],
) -> JSONResponse:
    """Return raw lines of a report's log, by number, both ends included."""
    if not first <= last < first + LINES:
        raise HTTPException(400, f"ask for 1 to {LINES:,} lines, the first number first")
    nights = await _nights(host)
    found = await asyncio.to_thread(nights.raw_lines, code, first, last)
    rows = [{"line": first + at, "text": text} for at, text in enumerate(found)]
    return JSONResponse({"report": code, "lines": rows})


@routes.post("/raid/tools/{name}", responses={200: {"model": Outcome}, **problems(400, 413, 415)})
async def run_tool(
    name: Annotated[Plain, Path(max_length=80)], args: Json, host: TheHost
) -> JSONResponse:
    """Run a tool on arguments; what is wrong with them comes back as `problem`."""
    from ruleplay.agents.raid.tools.registry import run_tool as run

    nights = await _nights(host)

    def ask() -> Json:
        try:
            outcome: Json = run(nights.reports, name, args).model_dump(mode="json")
        except UserError as error:
            raise HTTPException(400, str(error)) from error
        return outcome

    return JSONResponse(await asyncio.to_thread(ask))


@routes.get(
    "/sessions/{session}/turns/{turn}/results/{result}",
    responses={200: {"description": "The result: rows, query, notes, line ranges"}},
)
async def show_result(
    session: str, turn: str, result: Annotated[Plain, Path(max_length=16)], host: TheHost
) -> JSONResponse:
    """Return a result that a turn's answer cites, with the rows that were kept."""
    for event in (await stored(host, session, turn)).events:
        if event["type"] == "ToolReturned" and event.get("result") == result:
            body = {name: value for name, value in event.items() if name not in ("type", "version")}
            return JSONResponse(body)
    raise NotFound(f"turn {turn!r} has no result {result!r}")


@routes.post(
    "/raid/imports",
    status_code=202,
    responses={202: {"model": ImportJob}, **problems(400, 413, 415)},
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                "application/octet-stream": {"schema": {"type": "string", "format": "binary"}}
            },
        }
    },
)
async def upload_log(
    request: Request,
    host: TheHost,
    name: Annotated[Plain, Query(max_length=120, description="file name of the log")] = "log.txt",
) -> JSONResponse:
    """Take a combat log (also .gz or .zip) and import it; the answer names the job to follow."""
    safe = "".join(char for char in name if char.isalnum() or char in "._-")[-80:] or "log.txt"
    ident = secrets.token_hex(8)
    folder = host.settings.home / "raid" / "uploads" / ident
    path = folder / safe.lstrip(".")
    size = await _keep(request.stream(), path)
    if not size:
        await asyncio.to_thread(_forget, folder)
        raise HTTPException(400, "the log is empty; send the file's bytes as the body")
    imports = _imports(request)
    imports.add(ImportJob(id=ident, status="running", total=size))
    task = asyncio.create_task(_import(imports, ident, path, host))
    imports.tasks.add(task)
    task.add_done_callback(imports.tasks.discard)
    return JSONResponse(imports.jobs[ident].model_dump(mode="json"), 202)


@routes.get("/raid/imports/{ident}", responses={200: {"model": ImportJob}})
async def show_import(ident: str, request: Request) -> JSONResponse:
    """Return how far an import is."""
    job = _imports(request).jobs.get(ident)
    if job is None:
        raise NotFound(f"no import {ident!r}; only the last {JOBS} are remembered")
    return JSONResponse(job.model_dump(mode="json"))


def _imports(request: Request) -> Imports:
    found = getattr(request.app.state, "imports", None)
    if not isinstance(found, Imports):
        found = request.app.state.imports = Imports()
    return found


async def _keep(chunks: AsyncIterator[bytes], path: FilePath) -> int:
    """Write a body to disk as it comes; its size has been bounded on the way in."""
    await asyncio.to_thread(path.parent.mkdir, parents=True, exist_ok=True)
    size = 0
    with path.open("wb") as file:
        async for chunk in chunks:
            await asyncio.to_thread(file.write, chunk)
            size += len(chunk)
    return size


async def _import(imports: Imports, ident: str, path: FilePath, host: Host) -> None:
    from ruleplay.agents.raid.adapters.log_import import import_logs

    def advance(done: int, total: int) -> None:
        job = imports.jobs.get(ident)
        if job:
            imports.jobs[ident] = job.model_copy(update={"done": done, "total": total})

    def run() -> Json:
        try:
            made = import_logs((path,), host.settings.home, on_progress=advance)
            return {"status": "done", "report": made.model_dump(mode="json")}
        except RuleplayError as error:
            return {"status": "failed", "problem": str(error)}
        finally:
            _forget(path.parent)

    told = await asyncio.to_thread(run)
    if ident in imports.jobs:
        imports.jobs[ident] = imports.jobs[ident].model_copy(update=told)


def _forget(folder: FilePath) -> None:
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
