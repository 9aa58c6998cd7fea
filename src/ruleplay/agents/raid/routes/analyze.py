"""`/api/analyze`: a question about a raid, answered at once or word by word, as one call.

An alias for what sessions do: each call plays a real turn of the raid agent, in the session that it
names or in a new one, whose address stands in the answer's headers.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import ExitStack
from typing import Annotated

from fastapi import APIRouter, Path
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from sse_starlette import ServerSentEvent

from ruleplay.agents.raid.routes.shapes import ToolResult
from ruleplay.errors import NotFound, UserError
from ruleplay.kernel.host import Host
from ruleplay.kernel.turn import reason
from ruleplay.records.events import Json, audience_of, known_to
from ruleplay.records.given import Given
from ruleplay.records.stream import Reader
from ruleplay.server.access import TheAccess
from ruleplay.server.errors import problems
from ruleplay.server.events import EventStream
from ruleplay.server.shapes import Body, Plain
from ruleplay.server.turn_tasks import Started, TurnTasks, stored
from ruleplay.server.turns import settled
from ruleplay.server.wiring import TheHost, TheTurnTasks

AGENT = "raid"
routes = APIRouter(
    prefix="/api", tags=[AGENT], responses=problems(400, 401, 403, 404, 409, 413, 415, 422, 500)
)


class Question(Body):
    """A question; about the newest report unless one is named, in a new session likewise."""

    question: str = Field(examples=["Why did we wipe?"], min_length=1)
    report: Plain = Field(default="", max_length=80)
    session: Plain = Field(default="", max_length=64)


class Result(ToolResult):
    """A tool's result in a turn; `rows` holds the first of `total`."""

    tool: str
    args: Json
    total: int


class Analysis(BaseModel):
    """The answer, as Markdown."""

    answer: str


@routes.post("/analyze", responses={200: {"model": Analysis}, **problems(502, 503)})
async def analyze(given: Question, host: TheHost, background: TheTurnTasks) -> JSONResponse:
    """Answer a question about a raid."""
    started = await _ask(given, host, background)
    await asyncio.wait({started.task})
    turn = settled(started)
    answer = turn.reply if turn else ""
    return JSONResponse({"answer": answer}, headers=_where(started))


@routes.post(
    "/analyze/stream",
    status_code=200,
    response_class=EventStream,
    responses={
        200: {
            "description": 'Events without a name: `{"token"}` as it comes, then `{"done": true}`',
            "content": {"text/event-stream": {"schema": {}}},
        },
        **problems(502, 503),
    },
)
async def analyze_stream(given: Question, host: TheHost, background: TheTurnTasks) -> EventStream:
    """Answer a question about a raid word by word; the last event is `{"done": true}`."""
    started = await _ask(given, host, background)
    opened = ExitStack()
    reader = opened.enter_context(host.bus.reading(started.session))
    started.task.add_done_callback(lambda _: reader.close())
    stream = EventStream(_tokens(reader, started), opened)
    stream.headers.update(_where(started))
    return stream


@routes.get(
    "/sessions/{session}/turns/{turn}/results/{result}",
    responses={200: {"model": Result}},
)
async def show_result(
    session: str,
    turn: str,
    result: Annotated[Plain, Path(max_length=16)],
    host: TheHost,
    access: TheAccess,
) -> JSONResponse:
    """Return a result that a turn's answer cites: its rows, query and line ranges."""
    found = await stored(host, session, turn)
    looking = await access.reading_turn(session, "", found)
    for event in found.events:
        named = event["type"] == "ToolReturned" and event.get("result") == result
        if named and known_to(looking, audience_of(event)):
            body = {name: value for name, value in event.items() if name not in ("type", "version")}
            return JSONResponse(body)
    raise NotFound(f"turn {turn!r} has no result {result!r}")


async def _ask(given: Question, host: Host, background: TurnTasks) -> Started:
    """Start the turn that answers a question."""
    await asyncio.to_thread(host.find_agent, AGENT)
    session = given.session
    if session:
        head, _ = await host.store.read(session)
        if head.agent != AGENT:
            raise UserError(f"session {session!r} belongs to agent {head.agent!r}, not {AGENT!r}")
    else:
        session = (await host.create(AGENT, {"report": given.report})).id
    started = await background.play(session, Given(message=given.question), "", None)
    if not isinstance(started, Started):
        raise AssertionError("without a key no earlier turn is found")
    return started


def _where(started: Started) -> dict[str, str]:
    return {"Location": f"/api/sessions/{started.session}/turns/{started.id}"}


async def _tokens(reader: Reader, started: Started) -> AsyncIterator[ServerSentEvent]:
    async for item in reader:
        if item.turn == started.id and item.name == "text":
            yield _event({"token": item.body["text"]})
        elif item.turn == started.id and item.last:
            break
    await asyncio.wait({started.task})
    if started.task.cancelled():
        yield _event({"error": "cancelled"})
    elif error := started.task.exception():
        yield _event({"error": reason(error)})
    yield _event({"done": True})


def _event(body: object) -> ServerSentEvent:
    # ASCII, since a model's words may hold halves of characters that no encoding takes.
    return ServerSentEvent(json.dumps(body), sep="\n")
