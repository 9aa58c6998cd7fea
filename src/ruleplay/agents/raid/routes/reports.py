"""Reports, tools, raw lines and imports over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Body, Depends, Path, Query, Request
from fastapi.responses import JSONResponse
from pydantic import JsonValue

from ruleplay.agents.raid.routes.imports import Imports
from ruleplay.agents.raid.routes.shapes import (
    ImportAnswer,
    PlacesAnswer,
    RawLine,
    RawLines,
    ReportList,
    TimelineAnswer,
    ToolResult,
)
from ruleplay.errors import UserError
from ruleplay.kernel.host import Host
from ruleplay.records.events import Json
from ruleplay.server.errors import problems
from ruleplay.server.shapes import Plain
from ruleplay.server.uploads import BODY, NAME_LIMIT, received
from ruleplay.server.wiring import TheHost, from_app_state

if TYPE_CHECKING:
    from ruleplay.agents.raid.adapters.nights import Nights
    from ruleplay.agents.raid.domain.tool_result import ToolOutcome

routes = APIRouter(prefix="/api/raid", tags=["raid"], responses=problems(401, 403, 500))
LINES = 500
"""Raw lines of one answer."""
Number = Annotated[int, Query(ge=1, le=2**31)]
ReportCode = Annotated[Plain, Path(max_length=80)]
Fight = Annotated[int, Path(ge=1, le=10_000, description="number of the pull")]


TheImports = Annotated[Imports, Depends(from_app_state(Imports, "imports"))]


async def _nights(host: Host) -> Nights:
    """Return the imported reports; Unavailable without the agent's packages."""
    agent = await asyncio.to_thread(host.find_agent, "raid")
    from ruleplay.agents.raid.adapters.nights import Nights

    world = await host.world(agent)
    if not isinstance(world, Nights):
        raise TypeError(f"the raid agent's world is a {type(world).__name__}")
    return world


async def _run(host: Host, tool: str, given: Mapping[str, object]) -> ToolOutcome:
    nights = await _nights(host)
    from ruleplay.agents.raid.tools.registry import run_tool

    return await asyncio.to_thread(run_tool, nights.reports, tool, given)


@routes.get("/reports", responses={200: {"model": ReportList}, **problems(503)})
async def list_reports(host: TheHost) -> JSONResponse:
    """List the imported reports, the newest first."""
    outcome = await _run(host, "list_reports", {})
    return JSONResponse({"reports": [_report(row) for row in outcome.rows]})


def _report(row: Mapping[str, object]) -> dict[str, object]:
    return {"code": row["report"], **{name: row[name] for name in row if name != "report"}}


@routes.post(
    "/tools/{tool}",
    responses={200: {"model": ToolResult}, **problems(400, 404, 413, 415, 422, 503)},
)
async def run_tool(
    tool: Annotated[Plain, Path(max_length=80)],
    host: TheHost,
    given: Annotated[dict[str, JsonValue] | None, Body(description="its arguments")] = None,
) -> JSONResponse:
    """Run a tool over the reports; what cannot be answered is told in `problem`."""
    outcome = await _run(host, tool, given or {})
    body: Json = outcome.model_dump(mode="json")
    return JSONResponse({"result": "r1", **body})


@routes.get(
    "/reports/{report}/lines",
    responses={200: {"model": RawLines}, **problems(404, 422, 503)},
)
async def show_lines(report: ReportCode, host: TheHost, first: Number, last: Number) -> RawLines:
    """Return lines of a report's log exactly as they were written."""
    if not first <= last < first + LINES:
        raise UserError(f"lines {first}-{last}: from the first to the last, {LINES} at most")
    nights = await _nights(host)
    found = await asyncio.to_thread(_raw, nights, report, first, last)
    lines = [RawLine(line=number, text=text) for number, text in enumerate(found, first)]
    return RawLines(report=report, lines=lines)


def _raw(nights: Nights, report: str, first: int, last: int) -> tuple[str, ...]:
    return tuple(nights.reports.open(report).raw_lines(first, last))


@routes.get(
    "/reports/{report}/pulls/{fight}/timeline",
    responses={200: {"model": TimelineAnswer}, **problems(404, 422, 503)},
)
async def show_timeline(
    report: ReportCode,
    fight: Fight,
    host: TheHost,
    player: Annotated[Plain, Query(max_length=120, description="whose casts, by name")] = "",
) -> TimelineAnswer:
    """Return what was cast in a pull, as marks on its time."""
    nights = await _nights(host)
    from ruleplay.agents.raid.tools.timeline import read_timeline

    found = await asyncio.to_thread(read_timeline, nights.reports, report, fight, player)
    return TimelineAnswer.model_validate(found, from_attributes=True)


@routes.get(
    "/reports/{report}/pulls/{fight}/places",
    responses={200: {"model": PlacesAnswer}, **problems(404, 422, 503)},
)
async def show_places(report: ReportCode, fight: Fight, host: TheHost) -> PlacesAnswer:
    """Return where everybody was in a pull, as far as its log has coordinates."""
    nights = await _nights(host)
    from ruleplay.agents.raid.tools.timeline import read_places

    found = await asyncio.to_thread(read_places, nights.reports, report, fight)
    return PlacesAnswer.model_validate(found, from_attributes=True)


@routes.post(
    "/imports",
    status_code=202,
    responses={202: {"model": ImportAnswer}, **problems(409, 413, 415, 422, 503)},
    openapi_extra=BODY,
)
async def import_log(
    request: Request,
    host: TheHost,
    imports: TheImports,
    name: Annotated[Plain, Query(max_length=NAME_LIMIT, description="the file's name")] = "",
) -> ImportAnswer:
    """Import a combat log: plain text, .gz or .zip. It is read after it was received."""
    await asyncio.to_thread(host.find_agent, "raid")
    imports.admit()
    file = await received(request, host.settings.home / "uploads", name)
    return imports.start(file).answer


@routes.get("/imports/{ident}", responses={200: {"model": ImportAnswer}, **problems(404, 422)})
async def show_import(ident: str, imports: TheImports) -> ImportAnswer:
    """Return how far an import is."""
    return imports.find(ident).answer
