"""Moving in a session's tree over HTTP: undo, go to, regenerate, edit, fork."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response

from ruleplay.errors import Conflict
from ruleplay.kernel.comparison import Comparison, compared
from ruleplay.kernel.session import Session, view_json
from ruleplay.records.given import Given, check_message
from ruleplay.records.turns import Head
from ruleplay.server.access import Access, TheAccess, keep
from ruleplay.server.errors import problems
from ruleplay.server.sessions import created, listed
from ruleplay.server.shapes import Edit, Fork, Goto, Moved, Plain, SessionAnswer
from ruleplay.server.turns import PLAYED, TheAnswering
from ruleplay.server.wiring import Key, Seat, TheBackground, TheHost

routes = APIRouter(
    prefix="/api/sessions/{session}", tags=["tree"], responses=problems(401, 403, 404, 422, 500)
)
OtherTurn = Annotated[Plain, Query(description="id of a turn", max_length=64)]
MOVED: dict[int | str, dict[str, object]] = {200: {"model": Moved}, **problems(400, 409, 413, 415)}


@routes.post("/undo", responses=MOVED)
async def undo(session: str, host: TheHost, access: TheAccess, seat: Seat = "") -> JSONResponse:
    """Take the last turn back; it stays in the tree."""
    await access.moving(session, seat)
    return await _moved(access, await host.undo(session), seat)


@routes.post("/goto", responses=MOVED)
async def go_to(
    session: str, given: Goto, host: TheHost, access: TheAccess, seat: Seat = ""
) -> JSONResponse:
    """Go on from any turn of the session's tree."""
    await access.moving(session, seat)
    return await _moved(access, await host.go_to(session, given.turn), seat)


async def _moved(access: Access, head: Head, seat: str) -> JSONResponse:
    table = await access.table(head.id)
    # Whoever sat down later than the turn that the head is at now does not sit there any more.
    looking = table.reading(seat if not table.guarded or table.token(seat) else "")
    view = await view_json(access.host, head, head.head, looking)
    return JSONResponse({**listed(access.host, head), "view": view})


@routes.get("/compare", responses={200: {"model": Comparison}, **problems(409)})
async def compare(
    session: str, host: TheHost, access: TheAccess, turn: OtherTurn, to: OtherTurn = ""
) -> Comparison:
    """Compare two turns of the session's tree, one with the head if only one is named.

    Where seats are guarded, as strangers may know it. `POST …/goto` goes on from either.
    """
    await access.reading(session, "")
    opened = Session(host, session)
    head = to or (await opened.head()).head
    if head is None:
        raise Conflict("nothing to compare: the session has no turn here")
    return await compared(opened, head, turn)


@routes.post(
    "/fork", status_code=201, responses={201: {"model": SessionAnswer}, **problems(400, 413, 415)}
)
async def fork(
    session: str, host: TheHost, access: TheAccess, request: Request, given: Fork | None = None
) -> JSONResponse:
    """Create a session that shares this one's turns; who sat there then, sits in both."""
    await access.moving(session)
    head = await host.fork(session, given.turn if given else None)
    answer = await created(host, head.id)
    table = await access.table(head.id)
    for seat in table.mine if table.guarded else ():
        keep(answer, request, head.id, seat, table.token(seat))
    return answer


@routes.post("/regenerate", responses=PLAYED, status_code=202)
async def regenerate(
    session: str,
    host: TheHost,
    access: TheAccess,
    background: TheBackground,
    answering: TheAnswering,
    key: Key = None,
    seat: Seat = "",
) -> Response:
    """Tell the last turn anew: the same input and dice, a sibling in the tree."""
    looking = await access.moving(session, seat)
    again = partial(host.regenerate, session, key)
    return await answering(session, looking, partial(background.play_again, session, key, again))


@routes.post("/edit", responses=PLAYED, status_code=202)
async def edit(
    session: str,
    given: Edit,
    host: TheHost,
    access: TheAccess,
    background: TheBackground,
    answering: TheAnswering,
    key: Key = None,
    seat: Seat = "",
) -> Response:
    """Play a turn of this branch again with another message; the old branch stays in the tree.

    Where seats are guarded, only who sits where the turn was played may do so.
    """
    check_message(given.message)
    entered = Given(message=given.message)
    table = await access.table(session)
    if table.guarded:
        table.held((await host.numbered(table.head, given.turn)).seat)
    looking = table.reading(seat)
    again = partial(host.edit, session, given.turn, given.message, key)
    start = partial(background.play_again, session, key, again, entered)
    return await answering(session, looking, start)
