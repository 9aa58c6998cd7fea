"""HTTP routes for making a hero: what there is to choose, and whether a choice is legal."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from fastapi import APIRouter

from ruleplay.agents.saga.routes.shapes import (
    Choices,
    CultureChoice,
    Hero,
    Kit,
    Price,
    RaceChoice,
    Reckoned,
    ScenarioChoice,
    SkillChoice,
    StatChoice,
)
from ruleplay.errors import UserError
from ruleplay.kernel.host import Host
from ruleplay.server.errors import problems
from ruleplay.server.wiring import TheHost

if TYPE_CHECKING:
    from ruleplay.agents.saga.domain.rulebook import Rulebook

routes = APIRouter(prefix="/api/saga", tags=["saga"], responses=problems(401, 403, 500))


async def _rules(host: Host) -> Rulebook:
    """Load the rulebook; Unavailable if the agent's packages are missing."""
    # Imports of the agent are delayed until `find_agent` has checked that its packages are there.
    await asyncio.to_thread(host.find_agent, "saga")
    from ruleplay.agents.saga.adapters.rules_source import shipped_rules

    return await asyncio.to_thread(shipped_rules)


@routes.get("/creation", responses={200: {"model": Choices}, **problems(503)})
async def show_choices(host: TheHost) -> Choices:
    """Return everything a hero can be made of, named in both languages, with its price."""
    rules = await _rules(host)
    from ruleplay.agents.saga.adapters.library import shipped_scenarios
    from ruleplay.agents.saga.domain.creation import DEFAULT, price

    shelf = await asyncio.to_thread(shipped_scenarios)
    stories = [one.scenario for one in shelf.values()]
    scores = range(rules.point_buy.lowest, rules.point_buy.highest + 1)
    return Choices(
        scenarios=[
            ScenarioChoice(
                **one.model_dump(include={"title", "pitch", "level"}),
                id=one.key,
                places=len(one.places),
                fights=len(one.encounters),
            )
            for one in stories
        ],
        races=[RaceChoice(id=key, **one.model_dump()) for key, one in rules.races.items()],
        cultures=[
            CultureChoice(
                **one.model_dump(include={"name", "skills", "coin"}),
                id=key,
                kit=[Kit(name=rules.items[item].name, count=n) for item, n in one.kit.items()],
            )
            for key, one in rules.cultures.items()
        ],
        stats=[
            StatChoice(id=key, name=one.name, score=DEFAULT[key])
            for key, one in rules.characteristics.items()
        ],
        skills=[SkillChoice(id=key, **one.model_dump()) for key, one in rules.skills.items()],
        prices=[Price(score=score, points=price(score, rules.point_buy)) for score in scores],
        **rules.point_buy.model_dump(include={"budget", "skill_ranks", "ranks_at_most"}),
    )


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
