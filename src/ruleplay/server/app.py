"""The HTTP application: built here, with its host opened and closed around its life."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from ruleplay import __version__
from ruleplay.foundation.host import FindAgent, Host
from ruleplay.foundation.settings import Settings
from ruleplay.server import front, sessions, tree, turns
from ruleplay.server.background import Background
from ruleplay.server.errors import add_handlers
from ruleplay.server.security import Guard


def create_app(settings: Settings, find_agent: FindAgent) -> FastAPI:
    """Return the application; nothing is opened until it starts."""

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        host = await Host.open(settings, find_agent)
        app.state.host, app.state.background = host, Background(host)
        try:
            yield
        finally:
            await host.close()

    app = FastAPI(
        title="Ruleplay",
        version=__version__,
        summary="Turn-based LLM agents that play by the rules.",
        lifespan=life,
        docs_url=None,  # both pages would load scripts from other hosts
        redoc_url=None,
        openapi_url="/openapi.json",
    )
    add_handlers(app)
    app.add_middleware(Guard, token=settings.token)
    for routes in (front.routes, sessions.routes, turns.routes, tree.routes):
        app.include_router(routes)
    return app
