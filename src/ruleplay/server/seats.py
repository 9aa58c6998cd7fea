"""Routes for seats (list, sit down, leave) and for autoplay."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request
from fastapi.responses import JSONResponse

from ruleplay.errors import Conflict, NotFound
from ruleplay.kernel.autoplay import Pace
from ruleplay.records.given import Given
from ruleplay.records.turns import Turn
from ruleplay.server.access import TheAccess, forget, hash_of, keep
from ruleplay.server.autoplays import Autoplays
from ruleplay.server.errors import problems
from ruleplay.server.shapes import (
    AutoplayAnswer,
    AutoplayRequest,
    Plain,
    SeatFreed,
    SeatList,
    SeatTaken,
    Sitting,
)
from ruleplay.server.turn_tasks import TurnTasks
from ruleplay.server.turns import until_settled
from ruleplay.server.wiring import TheTurnTasks, from_app_state

routes = APIRouter(
    prefix="/api/sessions/{session}", tags=["seats"], responses=problems(401, 403, 404, 422, 500)
)
CHANGED = problems(400, 409, 413, 415, 502, 503)
TOKEN_BYTES = 32
TheSeat = Annotated[Plain, Path(min_length=1, max_length=128)]
TheAutoplays = Annotated[Autoplays, Depends(from_app_state(Autoplays, "autoplays"))]


@routes.get("/seats", responses={200: {"model": SeatList}})
async def list_seats(session: str, access: TheAccess, autoplays: TheAutoplays) -> JSONResponse:
    """List a session's seats: which are taken, and for which you sent the token."""
    table = await access.table(session)
    move = table.agent.next_move(table.state)
    seats = [
        {"seat": seat, "held": bool(table.guard(seat)), "yours": bool(table.token(seat))}
        for seat in table.agent.seats_of(table.state)
        if seat != table.agent.public_seat
    ]
    return JSONResponse(
        {
            "public": table.agent.public_seat,
            "moves": move.seat if move else "",
            "seats": seats,
            "autoplay": autoplays.answer(session).model_dump(mode="json"),
        }
    )


@routes.post("/seats/{seat}", status_code=201, responses={201: {"model": SeatTaken}, **CHANGED})
async def sit_down(
    session: str,
    seat: TheSeat,
    request: Request,
    access: TheAccess,
    turn_tasks: TheTurnTasks,
    given: Sitting | None = None,
) -> JSONResponse:
    """Take a free seat. The answer has its token, which cannot be retrieved later.

    A browser also gets the token as a cookie. The session stores its hash only, in a turn.
    """
    table, token = await access.table(session), secrets.token_urlsafe(TOKEN_BYTES)
    if seat not in table.agent.seats_of(table.state) or seat == table.agent.public_seat:
        raise NotFound(f"no seat {seat!r} here")
    if table.guard(seat):
        raise Conflict(f"somebody sits on {seat!r}; take another seat")
    entered = table.agent.sit(table.state, seat, hash_of(token), given.name if given else "")
    turn = await _played(turn_tasks, session, entered, seat)
    # Turns of other processes may have come in between, so check who sits there in the end.
    if (await access.table(session)).guard(seat) != hash_of(token):
        raise Conflict(f"{seat!r} was taken or freed meanwhile; look again")
    answer = JSONResponse({"seat": seat, "token": token, "turn": turn.id}, 201)
    answer.headers["Cache-Control"] = "no-store"
    keep(answer, request, session, seat, token)
    return answer


@routes.delete("/seats/{seat}", responses={200: {"model": SeatFreed}, **CHANGED})
async def leave_seat(
    session: str, seat: TheSeat, access: TheAccess, turn_tasks: TheTurnTasks
) -> JSONResponse:
    """Leave a seat, with its token; the model or policy that played it before takes over again."""
    table = await access.table(session)
    entered = table.agent.leave(table.state, table.require_seat(seat))
    turn = await _played(turn_tasks, session, entered, seat)
    answer = JSONResponse({"seat": seat, "turn": turn.id})
    forget(answer, session, seat)
    return answer


async def _played(turn_tasks: TurnTasks, session: str, given: Given, seat: str) -> Turn:
    return await until_settled(await turn_tasks.play(session, given, seat, None))


@routes.get("/autoplay", responses={200: {"model": AutoplayAnswer}})
async def show_autoplay(session: str, access: TheAccess, autoplays: TheAutoplays) -> AutoplayAnswer:
    """Show the autoplay progress of a session."""
    await access.table(session)
    return autoplays.answer(session)


@routes.post("/autoplay", status_code=202, responses={202: {"model": AutoplayAnswer}, **CHANGED})
async def start_autoplay(
    session: str, given: AutoplayRequest, access: TheAccess, autoplays: TheAutoplays
) -> AutoplayAnswer:
    """Let a session play by itself: some rounds, some moves, or to its end.

    Free seats are played at once. For a person it waits, and passes them over when their time is
    up; nothing is done in their name. Readers get `autoplay` events.
    """
    table = await access.table(session)
    table.check_moving()
    if table.agent.next_move(table.state) is None:
        raise Conflict("there is no move to play: the game is over, paused, or waits for a person")
    return autoplays.start(session, Pace(given.rounds, given.moves, given.patience))


@routes.delete("/autoplay", responses={200: {"model": AutoplayAnswer}, **CHANGED})
async def pause_autoplay(
    session: str, access: TheAccess, autoplays: TheAutoplays
) -> AutoplayAnswer:
    """Stop a session's autoplay after the current move."""
    await access.moving(session)
    return autoplays.pause(session)
