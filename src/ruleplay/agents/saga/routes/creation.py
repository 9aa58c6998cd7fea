"""Making heroes over HTTP: what there is to choose, and whether a choice is legal."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from ruleplay.agents.saga.routes.shapes import Choices, Hero, Reckoned
from ruleplay.errors import UserError
from ruleplay.kernel.host import Host
from ruleplay.server.errors import problems
from ruleplay.server.wiring import TheHost

if TYPE_CHECKING:
    from ruleplay.agents.saga.domain.rulebook import Rulebook

routes = APIRouter(prefix="/api/saga", tags=["saga"], responses=problems(401, 403, 500))


async def _rules(host: Host) -> Rulebook:
    """Return the rules' contents; Unavailable without the agent's packages."""
    await asyncio.to_thread(host.find_agent, "saga")
    from ruleplay.agents.saga.adapters.rules_source import shipped_rules

    return await asyncio.to_thread(shipped_rules)


@routes.get("/creation", responses={200: {"model": Choices}, **problems(503)})
async def show_choices(host: TheHost) -> JSONResponse:
    """Return everything a hero can be made of, with its price."""
    rules = await _rules(host)
    from ruleplay.agents.saga.adapters.library import shipped_scenarios
    from ruleplay.agents.saga.view import creation_choices

    shelf = await asyncio.to_thread(shipped_scenarios)
    return JSONResponse(creation_choices(rules, [one.scenario for one in shelf.values()]))


@routes.post(
    "/heroes/check", responses={200: {"model": Reckoned}, **problems(400, 413, 415, 422, 503)}
)
async def check_hero(given: Hero, host: TheHost) -> Reckoned:
    """Return what a hero to be costs and what is wrong with them; nothing is kept."""
    rules = await _rules(host)
    from ruleplay.agents.saga.domain.creation import reckon
    from ruleplay.agents.saga.domain.rulebook import STATS

    if unknown := set(given.stats) - {*STATS}:
        raise UserError(f"no characteristic {min(unknown)!r}; there are {', '.join(STATS)}")
    stats = {stat: given.stats[stat] for stat in STATS if stat in given.stats}
    found = reckon(rules, given.name, given.race, given.culture, stats, given.skills)
    return Reckoned(
        legal=found.sheet is not None,
        problems=[*found.problems],
        points=found.points,
        ranks=found.ranks,
        hp=found.sheet.max_hp if found.sheet else None,
        scores={**found.sheet.stats} if found.sheet else {},
    )
