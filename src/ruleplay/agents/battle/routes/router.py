"""The battle agent's routes, together with the battles that the server plays in the background."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI

from ruleplay.agents.battle.routes import battles
from ruleplay.agents.battle.routes.background import BackgroundBattles


@asynccontextmanager
async def _life(app: FastAPI) -> AsyncIterator[None]:
    app.state.bouts = bouts = BackgroundBattles(app.state.host)
    # Called when the server stops taking requests, so that running reviews do not delay its end.
    app.state.drained.append(bouts.stop_reviews)
    try:
        yield
    finally:
        await bouts.end()


routes = APIRouter(lifespan=_life)
routes.include_router(battles.routes)
