"""Moving in a session's tree over HTTP: undo, go to, regenerate, edit, fork."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

from ruleplay.foundation.agent import Given, check_message
from ruleplay.foundation.host import Host
from ruleplay.foundation.session import head_json, view_json
from ruleplay.foundation.turns import Head
from ruleplay.server.errors import problems
from ruleplay.server.sessions import created
from ruleplay.server.shapes import Edit, Fork, Goto, Moved, SessionAnswer
from ruleplay.server.turns import PLAYED, TheAnswering
from ruleplay.server.wiring import Key, Seat, TheBackground, TheHost

routes = APIRouter(
    prefix="/api/sessions/{session}", tags=["tree"], responses=problems(401, 403, 404, 422, 500)
)
MOVED: dict[int | str, dict[str, object]] = {200: {"model": Moved}, **problems(400, 409, 413, 415)}


@routes.post("/undo", responses=MOVED)
async def undo(session: str, host: TheHost, seat: Seat = "") -> JSONResponse:
    """Take the last turn back; it stays in the tree."""
    return await _moved(host, await host.undo(session), seat)


@routes.post("/goto", responses=MOVED)
async def go_to(session: str, given: Goto, host: TheHost, seat: Seat = "") -> JSONResponse:
    """Go on from any turn of the session's tree."""
    return await _moved(host, await host.go_to(session, given.turn), seat)


async def _moved(host: Host, head: Head, seat: str) -> JSONResponse:
    return JSONResponse({**head_json(head), "view": await view_json(host, head, head.head, seat)})


@routes.post(
    "/fork", status_code=201, responses={201: {"model": SessionAnswer}, **problems(400, 413, 415)}
)
async def fork(session: str, host: TheHost, given: Fork | None = None) -> JSONResponse:
    """Create a session that shares this one's turns."""
    head = await host.fork(session, given.turn if given else None)
    return await created(host, head.id)


@routes.post("/regenerate", responses=PLAYED, status_code=202)
async def regenerate(
    session: str,
    host: TheHost,
    background: TheBackground,
    answering: TheAnswering,
    key: Key = None,
    seat: Seat = "",
) -> Response:
    """Tell the last turn anew: the same input and dice, a sibling in the tree."""
    again = partial(host.regenerate, session, key)
    return await answering(session, seat, partial(background.play_again, session, key, again))


@routes.post("/edit", responses=PLAYED, status_code=202)
async def edit(
    session: str,
    given: Edit,
    host: TheHost,
    background: TheBackground,
    answering: TheAnswering,
    key: Key = None,
    seat: Seat = "",
) -> Response:
    """Play a turn of this branch again with another message; the old branch stays in the tree."""
    check_message(given.message)
    entered = Given(message=given.message)
    again = partial(host.edit, session, given.turn, given.message, key)
    start = partial(background.play_again, session, key, again, entered)
    return await answering(session, seat, start)
