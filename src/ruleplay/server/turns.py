"""Routes for turns: start one, wait for it, show it, cancel it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query
from fastapi.responses import JSONResponse, Response

from ruleplay.errors import Conflict
from ruleplay.kernel.host import Host
from ruleplay.kernel.replay import path_of
from ruleplay.kernel.session import played_json, turn_json
from ruleplay.records.given import Given
from ruleplay.records.turns import Turn
from ruleplay.server.access import TheAccess
from ruleplay.server.errors import problems
from ruleplay.server.events import turn_stream
from ruleplay.server.shapes import CommittedTurn, Input, TurnPath, TurnStatus
from ruleplay.server.sse import TurnCache
from ruleplay.server.turn_tasks import Started, stored
from ruleplay.server.wiring import Key, Seat, TheHost, TheTurnCache, TheTurnTasks

routes = APIRouter(
    prefix="/api/sessions/{session}", tags=["turns"], responses=problems(401, 403, 404, 422, 500)
)
_PREFER_WAIT = re.compile(r"(?:^|[,;\s])wait(?:\s*=\s*\"?(\d{1,6})\"?)?(?=$|[,;\s])", re.IGNORECASE)
FOREVER = 86_400.0
PLAYED = {
    200: {
        "model": CommittedTurn,
        "description": "The committed turn, when waited for; its events, when they are accepted",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    },
    202: {"model": TurnStatus, "description": "The turn runs"},
    **problems(400, 409, 413, 415, 502, 503),
}
"""The responses of every route that plays a turn."""


def _patience(
    wait: Annotated[bool, Query(description="Answer when the turn is committed.")] = False,
    prefer: Annotated[str, Header(description="`wait`, or `wait=SECONDS` (RFC 7240).")] = "",
) -> float:
    """Return the seconds to wait for the turn's end before answering."""
    asked = _PREFER_WAIT.search(prefer)
    if asked and asked[1]:
        return float(asked[1])
    return FOREVER if wait or asked else 0.0


def _streaming(
    accept: Annotated[str, Header(description="`text/event-stream` for the turn's events.")] = "",
) -> bool:
    """Whether the client accepts the turn's events as the answer."""
    kinds = [kind.partition(";")[0].strip().lower() for kind in accept.split(",")]
    return "text/event-stream" in kinds


@dataclass(frozen=True)
class Answering:
    """How to answer a request that plays a turn: with its events, the turn, or at once."""

    host: Host
    turn_cache: TurnCache
    patience: float
    streaming: bool

    async def __call__(
        self, session: str, seat: str, start: Callable[[], Awaitable[Started | Turn]]
    ) -> Response:
        """Start a turn; answer with its events, or with the turn if it is committed in time."""
        started = await start()
        if self.streaming:
            return turn_stream(self.host, self.turn_cache, session, started, seat)
        return await _answer(self.host, session, started, self.patience, seat)


def _answering(
    host: TheHost,
    turn_cache: TheTurnCache,
    patience: Annotated[float, Depends(_patience)],
    streaming: Annotated[bool, Depends(_streaming)],
) -> Answering:
    return Answering(host, turn_cache, patience, streaming)


TheAnswering = Annotated[Answering, Depends(_answering)]


@routes.post("/turns", responses=PLAYED, status_code=202)
async def play_turn(
    session: str,
    given: Input,
    access: TheAccess,
    turn_tasks: TheTurnTasks,
    answering: TheAnswering,
    key: Key = None,
) -> Response:
    """Play a turn. The answer comes at once, while the turn runs, or at its commit if you wait.

    With `Accept: text/event-stream` the answer streams the turn's events. The turn runs on if the
    reader disconnects.
    """
    entered = Given(message=given.message, action=given.action)
    table = await access.table(session)
    acting = table.acting(given.seat)
    start = partial(turn_tasks.play, session, entered, acting, key)
    return await answering(session, table.reading(acting), start)


async def _answer(
    host: Host, session: str, started: Started | Turn, patience: float, seat: str
) -> JSONResponse:
    """Answer with the turn if it is committed in time, else 202 with its address."""
    if isinstance(started, Started) and patience:
        await asyncio.wait({started.task}, timeout=patience)
    turn = settled(started)
    if turn is not None and patience:
        return await committed(host, turn, seat, {"Preference-Applied": "wait"})
    ident = turn.id if turn else started.id
    status = "committed" if turn else "running"
    where = {"Location": f"/api/sessions/{session}/turns/{ident}"}
    return JSONResponse({"turn": ident, "status": status}, 202, headers=where)


async def until_settled(started: Started | Turn) -> Turn:
    """Wait for a turn to end and return it; raises the error that made it fail."""
    if isinstance(started, Started):
        await asyncio.wait({started.task})
    turn = settled(started)
    if turn is None:
        raise AssertionError("a finished turn is committed or has failed")
    return turn


def settled(started: Started | Turn) -> Turn | None:
    """Return the committed turn, None while it runs; raises the error that made it fail."""
    if isinstance(started, Turn):
        return started
    if not started.task.done():
        return None
    if started.task.cancelled():
        raise Conflict("the turn was cancelled")
    return started.task.result()


async def committed(
    host: Host, turn: Turn, seat: str, headers: dict[str, str] | None = None
) -> JSONResponse:
    """Make the response with a committed turn as a seat sees it."""
    body = await played_json(host, turn, seat)
    return JSONResponse({"status": "committed", **body}, headers=headers)


@routes.get(
    "/turns/{turn}",
    responses={
        200: {"model": CommittedTurn | TurnStatus, "description": "Committed, running or failed"}
    },
)
async def show_turn(
    session: str,
    turn: str,
    host: TheHost,
    access: TheAccess,
    turn_tasks: TheTurnTasks,
    seat: Seat = "",
) -> JSONResponse:
    """Show a turn: committed, running, or failed and why.

    Failed and cancelled turns are not stored; the server remembers the last ones and their reasons.
    """
    table = await access.table(session)
    looking = table.reading(seat)
    started = turn_tasks.find(session, turn)
    elsewhere = started is None and host.bus.running(session) == turn  # in another process
    if elsewhere or isinstance(started, Started):
        return JSONResponse({"turn": turn, "status": "running"})
    if started and started.problem:
        status = "cancelled" if started.cancelled else "failed"
        # The reason may quote what the seat wanted to do.
        visible = not table.guarded or looking == started.seat
        why = {"problem": started.problem.model_dump(mode="json")} if visible else {}
        return JSONResponse({"turn": turn, "status": status, **why})
    found = await stored(host, session, started.turn if started else turn)
    return await committed(host, found, await access.reading_turn(session, seat, found))


@routes.get("/turns/{turn}/path", responses={200: {"model": TurnPath}})
async def show_path(
    session: str, turn: str, host: TheHost, access: TheAccess, seat: Seat = ""
) -> JSONResponse:
    """List the nodes that a committed turn went through; they are not stored, so it is replayed.

    The list is empty if the seat may not know about the turn.
    """
    found = await stored(host, session, turn)
    looking = await access.reading_turn(session, seat, found)
    head, _ = await host.store.read(session)
    hidden = turn_json(host.find_agent(head.agent), found, looking).get("hidden", False)
    return JSONResponse({"nodes": [] if hidden else await path_of(host, head, found)})


@routes.post(
    "/turns/{turn}/cancel", responses={200: {"model": TurnStatus}, **problems(409, 413, 415)}
)
async def cancel_turn(
    session: str, turn: str, access: TheAccess, turn_tasks: TheTurnTasks
) -> JSONResponse:
    """Cancel a running turn; nothing of it is stored."""
    started = turn_tasks.find(session, turn)
    await access.stopping(session, started.seat if started else "")
    await turn_tasks.cancel(session, turn)
    return JSONResponse({"turn": turn, "status": "cancelled"})
