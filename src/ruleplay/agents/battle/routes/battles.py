"""HTTP routes for battles to watch or play, arenas, reviews and damage."""

from __future__ import annotations

import asyncio
import shutil
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse

from ruleplay.agents.battle.adapters.calculator import Calculation
from ruleplay.agents.battle.adapters.review import Review
from ruleplay.agents.battle.routes.background import BackgroundBattle, BackgroundBattles
from ruleplay.agents.battle.routes.shapes import (
    ArenaList,
    BattleAnswer,
    BattleList,
    DamageAsked,
    NewBattle,
    SeatAnswer,
    SeatOrder,
)
from ruleplay.errors import NotFound
from ruleplay.server.errors import problems
from ruleplay.server.shapes import Plain
from ruleplay.server.uploads import BODY, NAME_LIMIT, received
from ruleplay.server.wiring import TheHost, from_app_state

if TYPE_CHECKING:
    from ruleplay.agents.battle.adapters.duel import PersonSeat
    from ruleplay.kernel.host import Host

routes = APIRouter(prefix="/api/battle", tags=["battle"], responses=problems(401, 403, 500))


TheBouts = Annotated[BackgroundBattles, Depends(from_app_state(BackgroundBattles, "bouts"))]


def _shown(bout: BackgroundBattle) -> BattleAnswer:
    return BattleAnswer(
        id=bout.id,
        opponent=bout.given.opponent,
        format=bout.given.format,
        status=bout.status,
        # The session shows our team, so a person playing against us only gets it afterwards.
        session="" if bout.seat is not None and bout.running else bout.session,
        result=bout.result,
        problem=bout.problem,
    )


@routes.post(
    "/battles",
    status_code=202,
    responses={202: {"model": BattleAnswer}, **problems(400, 409, 413, 415, 422, 503)},
)
async def start_battle(given: NewBattle, bouts: TheBouts) -> BattleAnswer:
    """Start a battle on a local Showdown server; its session can be followed like any other."""
    return _shown(await bouts.start(given))


@routes.get("/battles", responses={200: {"model": BattleList}})
async def list_battles(bouts: TheBouts) -> BattleList:
    """List the battles that this server was asked to play, the newest first."""
    return BattleList(battles=[_shown(bout) for bout in bouts.newest_first()])


@routes.get("/battles/{battle}", responses={200: {"model": BattleAnswer}, **problems(404, 422)})
async def show_battle(battle: str, bouts: TheBouts) -> BattleAnswer:
    """Show how far a battle is."""
    return _shown(bouts.find(battle))


@routes.post(
    "/battles/{battle}/cancel",
    responses={200: {"model": BattleAnswer}, **problems(404, 409, 413, 415, 422)},
)
async def cancel_battle(battle: str, bouts: TheBouts) -> BattleAnswer:
    """Stop a battle; its session keeps all decisions made so far."""
    return _shown(await bouts.cancel(battle))


@routes.get("/battles/{battle}/seat", responses={200: {"model": SeatAnswer}, **problems(404, 422)})
async def show_seat(
    battle: str,
    bouts: TheBouts,
    after: Annotated[int, Query(ge=-1, description="wait for more than this version")] = -1,
) -> SeatAnswer:
    """Show a battle as the person playing it sees it."""
    bout, seat = await bouts.seat(battle, after)
    from ruleplay.agents.battle.routes.seats import seen

    chance = await bouts.chance(bout)
    return seen(seat, _shown(bout), chance)


@routes.get(
    "/battles/{battle}/seat/log",
    response_class=PlainTextResponse,
    responses={200: {"content": {"text/plain": {}}}, **problems(404, 422)},
)
async def show_log(battle: str, bouts: TheBouts) -> PlainTextResponse:
    """Show a person's battle as Showdown's log, which can be reviewed."""
    return PlainTextResponse(_seat(bouts.find(battle)).record)


@routes.post(
    "/battles/{battle}/seat",
    status_code=202,
    responses={202: {"model": BattleAnswer}, **problems(400, 404, 409, 413, 415, 422)},
)
async def give_order(battle: str, given: SeatOrder, bouts: TheBouts) -> BattleAnswer:
    """Play a person's order."""
    bout = bouts.find(battle)
    _seat(bout).order(given.request, given.order)
    return _shown(bout)


def _seat(bout: BackgroundBattle) -> PersonSeat:
    if bout.seat is None:
        raise NotFound(f"nobody plays battle {bout.id!r} here: it is one to watch")
    return bout.seat


@routes.get("/arenas", responses={200: {"model": ArenaList}, **problems(503)})
async def list_arenas(host: TheHost) -> JSONResponse:
    """List finished arenas with their win-rate curves, the newest first."""
    await asyncio.to_thread(host.find_agent, "battle")
    from ruleplay.agents.battle.adapters.arena_records import kept_arenas

    kept = await asyncio.to_thread(kept_arenas, host.settings.home)
    arenas = [
        {
            "id": record.id,
            "played": record.played.isoformat(),
            **record.report.model_dump(mode="json"),
            "curve": [list(point) for point in record.curve],
        }
        for record in kept
    ]
    return JSONResponse({"arenas": arenas})


@routes.post(
    "/reviews",
    responses={200: {"model": Review}, **problems(404, 413, 415, 422, 503)},
    openapi_extra=BODY,
)
async def review_replay(
    request: Request,
    host: TheHost,
    bouts: TheBouts,
    name: Annotated[Plain, Query(max_length=NAME_LIMIT, description="the file's name")] = "",
    player: Annotated[
        Plain, Query(max_length=80, description="whose turns: a name, p1 or p2")
    ] = "",
    search_ms: Annotated[
        int, Query(ge=0, le=1_000, description="search per turn; stands for a number of visits")
    ] = 200,
    first_turn: Annotated[int, Query(ge=0, le=100_000, description="0: from the first")] = 0,
    last_turn: Annotated[int, Query(ge=0, le=100_000, description="0: to the last")] = 0,
) -> JSONResponse:
    """Review a finished battle: a Showdown log, a saved replay page, or our own record.

    The review is kept at `/api/battle/reviews/{id}`; asking for the same log again returns it.
    """
    await asyncio.to_thread(host.find_agent, "battle")
    from ruleplay.agents.battle.adapters.review_process import Asked

    file = await received(request, host.settings.home / "uploads", name)
    try:
        turns = (first_turn, last_turn)
        asked = Asked(host.settings.home, file, player, search_ms, turns)
        found = await bouts.review(asked, request.receive)
    finally:
        await asyncio.to_thread(shutil.rmtree, file.parent, ignore_errors=True)
    return JSONResponse(found.model_dump(mode="json"))


@routes.get("/reviews/{review}", responses={200: {"model": Review}, **problems(404, 422, 503)})
async def show_review(review: str, host: TheHost) -> JSONResponse:
    """Show a stored review."""
    found = await _kept(host, review)
    return JSONResponse(found.model_dump(mode="json"))


@routes.get(
    "/reviews/{review}/page",
    response_class=HTMLResponse,
    responses={200: {"content": {"text/html": {}}}, **problems(404, 422, 503)},
)
async def export_review(review: str, host: TheHost) -> HTMLResponse:
    """Download a review as a single HTML file."""
    found = await _kept(host, review)
    from ruleplay.agents.battle.adapters.review_page import page

    named = f'attachment; filename="review-{found.id}.html"'
    return HTMLResponse(page(found), headers={"content-disposition": named})


async def _kept(host: Host, review: str) -> Review:
    await asyncio.to_thread(host.find_agent, "battle")
    from ruleplay.agents.battle.adapters.review_store import kept_review

    return await asyncio.to_thread(kept_review, host.settings.home, review)


@routes.post(
    "/calc", responses={200: {"model": Calculation}, **problems(400, 404, 413, 415, 422, 503)}
)
async def calculate_damage(asked: DamageAsked, host: TheHost, bouts: TheBouts) -> JSONResponse:
    """Compute a move's damage with Showdown's own simulator."""
    await asyncio.to_thread(host.find_agent, "battle")
    from ruleplay.agents.battle.adapters.calculator import Question, answer
    from ruleplay.agents.battle.adapters.exhibition import installed_package
    from ruleplay.agents.battle.adapters.player import battle_world

    package = await asyncio.to_thread(installed_package, host.settings.home)
    world = await battle_world(host)
    pool = await asyncio.to_thread(world.pool, asked.format)
    async with bouts.rolling:
        found = await answer(package, pool, Question.model_validate(asked.model_dump()))
    return JSONResponse(found.model_dump(mode="json"))
