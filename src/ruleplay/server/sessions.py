"""Routes for agents and sessions: list, create, show, rename, delete, export."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from pydantic import JsonValue

from ruleplay.catalog import describe_agents
from ruleplay.errors import RuleplayError
from ruleplay.kernel.export import export_log, export_markdown
from ruleplay.kernel.graph import END, START
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import Session, head_json, session_json
from ruleplay.models.names import describe_models
from ruleplay.models.offer import shown_name
from ruleplay.models.streaming import Models
from ruleplay.records.events import Json
from ruleplay.records.turns import Head
from ruleplay.server.access import TheAccess
from ruleplay.server.errors import problems
from ruleplay.server.firstlook import MARKS
from ruleplay.server.shapes import (
    AgentList,
    DoctorAnswer,
    GraphAnswer,
    ModelAnswer,
    NewSession,
    Rename,
    SessionAnswer,
    SessionList,
    SessionRow,
)
from ruleplay.server.wiring import Seat, TheHost

PRINTED = "›"
"""Prefix of a reply's lines that are printed by code."""
ABOUT = 80
"""Characters of a session's last message in a list."""
routes = APIRouter(prefix="/api", responses=problems(401, 403, 500))


@routes.get("/agents", responses={200: {"model": AgentList}}, tags=["agents"])
async def list_agents() -> JSONResponse:
    """List the agents, with the JSON schema of each one's configuration."""
    return JSONResponse(await agents_json())


async def agents_json() -> Json:
    """Describe the agents for clients."""
    # In a thread: agents' packages are imported on first use, which takes about a second.
    return {"agents": [*await asyncio.to_thread(describe_agents)]}


@routes.get(
    "/agents/{name}/graph",
    responses={200: {"model": GraphAnswer}, **problems(404, 422, 503)},
    tags=["agents"],
)
async def show_graph(name: str, host: TheHost) -> JSONResponse:
    """Show the compiled graph of an agent, as its demo session runs it."""
    agent = await asyncio.to_thread(host.find_agent, name)
    graph = await host.graph(agent, agent.demo())
    edges = [
        {"from": way.start, "to": way.end, "conditional": way.conditional} for way in graph.ways()
    ]
    return JSONResponse({"nodes": [START, *graph.nodes, END], "edges": edges})


@routes.get("/doctor", tags=["server"])
async def doctor(host: TheHost) -> DoctorAnswer:
    """List the models that clients may choose, what they need and cost, and the default."""
    names = host.models.offer.aliases
    models = await asyncio.to_thread(lambda: [_offered(host.models, name) for name in names])
    return DoctorAnswer(default=shown_name(host.settings.model), models=models)


def _offered(models: Models, name: str) -> ModelAnswer:
    """Describe a model; prices are for short calls, as some lists charge more for long ones."""
    kind = models.offer.behind(name).partition(":")[0].replace("-", "_")
    advice = next((one.advice for one in describe_models() if one.name == kind), "")
    prices = (models.price(name, *tokens) for tokens in ((1_000, 0), (0, 1_000)))
    costs = [None if one is None else str(1_000 * one) for one in prices]
    return ModelAnswer(name=name, ready=not advice, advice=advice, input=costs[0], output=costs[1])


@routes.post(
    "/sessions",
    status_code=201,
    responses={201: {"model": SessionAnswer}, **problems(400, 404, 413, 415, 422, 503)},
    tags=["sessions"],
)
async def create_session(given: NewSession, host: TheHost) -> JSONResponse:
    """Create a session."""
    models = host.models.offer.choose(given.model)
    await asyncio.to_thread(host.find_agent, given.agent)
    head = await host.create(given.agent, given.config, models=models, title=given.title)
    return await created(host, head.id)


async def created(host: Host, session: str) -> JSONResponse:
    """Make the response for a new session, with its address in `Location`."""
    body = await session_json(Session(host, session))
    return JSONResponse(body, 201, headers={"Location": f"/api/sessions/{session}"})


@routes.get(
    "/sessions", responses={200: {"model": SessionList}, **problems(422)}, tags=["sessions"]
)
async def list_sessions(
    host: TheHost, limit: Annotated[int, Query(ge=1, le=1_000)] = 100
) -> JSONResponse:
    """List sessions, most recently changed first."""
    heads = await host.store.recent(limit)
    said = await host.store.said([head.head for head in heads if head.head])
    rows = [
        {**listed(host, head), "about": _about(host, head, *said.get(head.head or "", ("", "")))}
        for head in heads
    ]
    return JSONResponse({"sessions": rows})


def _about(host: Host, head: Head, message: str, reply: str) -> str:
    """Summarise a session for a list by its last message, or by the reply to it.

    Where seats are guarded, the message may be secret; the reply is always public.
    """
    try:
        guarded = host.find_agent(head.agent).public_seat
    except RuleplayError:  # an agent that is not installed any more
        return ""
    text = reply if guarded or not message else message
    # Printed lines, such as dice rolls, say little to somebody who is not playing.
    prose = (line for line in text.splitlines() if not line.lstrip().startswith(PRINTED))
    return MARKS.sub("", " ".join(prose)).strip()[:ABOUT]


def listed(host: Host, head: Head) -> Json:
    """Describe a session without its content, with the public names of its models."""
    models = {role: host.models.told(name) for role, name in head.models.items()}
    return {**head_json(head), "models": dict[str, JsonValue](models)}


@routes.get(
    "/sessions/{session}",
    responses={200: {"model": SessionAnswer}, **problems(404, 409, 422)},
    tags=["sessions"],
)
async def show_session(
    session: str, host: TheHost, access: TheAccess, seat: Seat = ""
) -> JSONResponse:
    """Show a session's turns on the current branch, and its view from a seat."""
    looking = await access.reading(session, seat)
    return JSONResponse(await session_json(Session(host, session), looking))


@routes.patch(
    "/sessions/{session}",
    responses={200: {"model": SessionRow}, **problems(400, 404, 413, 415, 422)},
    tags=["sessions"],
)
async def rename_session(
    session: str, given: Rename, host: TheHost, access: TheAccess
) -> JSONResponse:
    """Change a session's title."""
    await access.moving(session)
    return JSONResponse(listed(host, await host.rename(session, given.title)))


@routes.delete(
    "/sessions/{session}", status_code=204, responses=problems(404, 409, 422), tags=["sessions"]
)
async def delete_session(session: str, host: TheHost, access: TheAccess) -> Response:
    """Delete a session for good; 409 while forks of it exist."""
    await access.moving(session)
    await host.delete(session)
    return Response(status_code=204)


@routes.get(
    "/sessions/{session}/export",
    response_class=PlainTextResponse,
    responses={
        200: {"content": {"text/markdown": {}, "application/json": {}, "text/plain": {}}},
        **problems(404, 422),
    },
    tags=["sessions"],
)
async def export_session(
    session: str,
    host: TheHost,
    access: TheAccess,
    seat: Seat = "",
    format: Annotated[Literal["md", "json", "log"], Query()] = "md",  # noqa: A002
) -> Response:
    """Export a session as Markdown, JSON or a text log, as one seat may read it."""
    disposition = {"Content-Disposition": f'attachment; filename="ruleplay-session.{format}"'}
    opened, looking = Session(host, session), await access.reading(session, seat)
    if format == "json":
        return JSONResponse(await session_json(opened, looking), headers=disposition)
    if format == "log":
        text = await export_log(opened, looking)
        return PlainTextResponse(text, headers=disposition)
    text = await export_markdown(opened, looking)
    return PlainTextResponse(text, headers=disposition, media_type="text/markdown")
