"""Routes that move in a session's tree: undo, go to, compare, fork, regenerate, edit."""

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
from ruleplay.server.wiring import Key, Seat, TheHost, TheTurnTasks

routes = APIRouter(
    prefix="/api/sessions/{session}", tags=["tree"], responses=problems(401, 403, 404, 422, 500)
)
OtherTurn = Annotated[Plain, Query(description="id of a turn", max_length=64)]
MOVED: dict[int | str, dict[str, object]] = {200: {"model": Moved}, **problems(400, 409, 413, 415)}


@routes.post("/undo", responses=MOVED)
async def undo(session: str, host: TheHost, access: TheAccess, seat: Seat = "") -> JSONResponse:
    """Undo the last turn; it stays in the tree."""
    await access.moving(session, seat)
    return await _moved(access, await host.undo(session), seat)


@routes.post("/goto", responses=MOVED)
async def go_to(
    session: str, given: Goto, host: TheHost, access: TheAccess, seat: Seat = ""
) -> JSONResponse:
    """Continue from any turn of the session's tree."""
    await access.moving(session, seat)
    return await _moved(access, await host.go_to(session, given.turn), seat)


async def _moved(access: Access, head: Head, seat: str) -> JSONResponse:
    table = await access.table(head.id)
    # Sitting down is a turn: if the head moved to before it, the seat is not the client's any more.
    looking = table.reading(seat if not table.guarded or table.token(seat) else "")
    view = await view_json(access.host, head, head.head, looking)
    return JSONResponse({**listed(access.host, head), "view": view})


@routes.get("/compare", responses={200: {"model": Comparison}, **problems(409)})
async def compare(
    session: str, host: TheHost, access: TheAccess, turn: OtherTurn, to: OtherTurn = ""
) -> Comparison:
    """Compare two turns of the session's tree, or one with the head.

    Where seats are guarded, only what is public is compared. `POST …/goto` continues from either.
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
    """Create a session that shares this one's turns; those who sat there then sit in both."""
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
    turn_tasks: TheTurnTasks,
    answering: TheAnswering,
    key: Key = None,
    seat: Seat = "",
) -> Response:
    """Play the last turn again with the same input and dice, as a sibling in the tree."""
    looking = await access.moving(session, seat)
    again = partial(host.regenerate, session, key)
    return await answering(session, looking, partial(turn_tasks.play_again, session, key, again))


@routes.post("/edit", responses=PLAYED, status_code=202)
async def edit(
    session: str,
    given: Edit,
    host: TheHost,
    access: TheAccess,
    turn_tasks: TheTurnTasks,
    answering: TheAnswering,
    key: Key = None,
    seat: Seat = "",
) -> Response:
    """Play a turn of this branch again with another message; the old branch stays in the tree.

    Where seats are guarded, only the holder of the seat that played the turn may do so.
    """
    check_message(given.message)
    entered = Given(message=given.message)
    table = await access.table(session)
    if table.guarded:
        table.require_seat((await host.numbered(table.head, given.turn)).seat)
    looking = table.reading(seat)
    again = partial(host.edit, session, given.turn, given.message, key)
    start = partial(turn_tasks.play_again, session, key, again, entered)
    return await answering(session, looking, start)
