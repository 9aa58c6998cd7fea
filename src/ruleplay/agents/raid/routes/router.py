"""The raid agent's routes, and what lives with them: imports under way."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI

from ruleplay.agents.raid.routes import analyze, reports
from ruleplay.agents.raid.routes.imports import Imports


@asynccontextmanager
async def _life(app: FastAPI) -> AsyncIterator[None]:
    app.state.imports = imports = Imports(app.state.host.settings.home)
    try:
        yield
    finally:
        await imports.end()


routes = APIRouter(lifespan=_life)
routes.include_router(analyze.routes)
routes.include_router(reports.routes)
