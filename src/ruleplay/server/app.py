"""The FastAPI application: its routes, its middleware, and what is opened and closed with it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from ruleplay import __version__
from ruleplay.catalog import usable_agents
from ruleplay.durable.extra import run_durably
from ruleplay.hearing import encoder
from ruleplay.kernel.endings import Witness
from ruleplay.kernel.host import FindAgent, Host
from ruleplay.server import (
    agui,
    events,
    gamesession,
    health,
    login,
    metrics,
    seats,
    sessions,
    sharing,
    tree,
    turns,
)
from ruleplay.server.autoplays import Autoplays
from ruleplay.server.cors import DoorCors
from ruleplay.server.embedding import routes as embedding
from ruleplay.server.embedding.guests import Guests
from ruleplay.server.errors import add_handlers
from ruleplay.server.limits import Limits
from ruleplay.server.login import SignedOut
from ruleplay.server.mcp import http as mcp
from ruleplay.server.metrics import Counting, Metrics
from ruleplay.server.openai import chat, responses
from ruleplay.server.openai import errors as openai_errors
from ruleplay.server.openai import models as openai_models
from ruleplay.server.openai.live_replies import LiveReplies
from ruleplay.server.page import BUILT, add_page
from ruleplay.server.security import DefaultHeaders, Guard
from ruleplay.server.sse import TurnCache
from ruleplay.server.turn_tasks import TurnTasks
from ruleplay.server.watching import watching
from ruleplay.settings import Settings

if TYPE_CHECKING:
    from ruleplay.kernel.agent import AnyAgent

ROUTES = (
    health.routes,
    login.routes,
    metrics.routes,
    sessions.routes,
    turns.routes,
    events.routes,
    tree.routes,
    seats.routes,
    sharing.routes,
    gamesession.routes,
    openai_models.routes,
    chat.routes,
    responses.routes,
    agui.routes,
    embedding.routes,
)


def create_app(
    settings: Settings,
    find_agent: FindAgent,
    page: Path = BUILT,
    durable: str = "",
    witness: Witness | None = None,
) -> FastAPI:
    """Build the application; nothing is opened until it starts. `page` is the web page's folder.

    `durable` is a worker's name, under which turns run durably; without one they end with the
    process. `witness` is called when a turn ends. At shutdown running turns are cancelled, unless
    `drain` has given them time before.
    """

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        host = await Host.open(settings, heard(find_agent))
        host.models.guarded = True
        if durable:
            await run_durably(host, durable)
        app.state.host, app.state.turn_tasks = host, TurnTasks(host)
        app.state.turn_cache = TurnCache(host)
        app.state.replies = LiveReplies(host, app.state.turn_tasks)
        app.state.guests = Guests(host)
        app.state.autoplays = Autoplays(host, app.state.turn_tasks)
        app.state.metrics.watch(host)
        host.witnesses += [witness] if witness else []
        try:
            async with watching(host), app.state.mcp.open(host):
                yield
        finally:
            # Autoplays first, so that they start no new turns; the host, which all need, last.
            app.state.autoplays.stop()
            await app.state.turn_tasks.drained()
            await app.state.autoplays.ended()
            await app.state.replies.histories.close()
            await host.close()

    app = FastAPI(
        title="Ruleplay",
        version=__version__,
        summary="Turn-based LLM agents that play by the rules.",
        lifespan=life,
        docs_url=None,  # these pages load scripts from other hosts
        redoc_url=None,
        openapi_url="/openapi.json",
    )
    app.state.drained = []
    add_handlers(app)
    agents = [*usable_agents(find_agent)]
    guard(app, settings, {path: size for agent in agents for path, size in agent.uploads.items()})
    # As they are: `include_router` would work out all parameters anew at the first request.
    app.router.routes.extend(route for routes in ROUTES for route in routes.routes)
    for brought in filter(None, (agent.routes() for agent in agents)):
        app.include_router(brought)  # with its lifespan
    app.state.mcp = mcp.add_to(app)
    if not add_page(app, page, {a.name: a.page for a in agents if a.page}):
        app.include_router(health.plain)
    return app


def heard(find_agent: FindAgent) -> FindAgent:
    """Return a way to find agents that loads the encoder once one is found that needs it."""

    def found(name: str) -> AnyAgent:
        agent = find_agent(name)
        if agent.hears:
            encoder.load_soon()
        return agent

    return found


def guard(app: FastAPI, settings: Settings, uploads: Mapping[str, int]) -> None:
    """Add the middleware. The last one added is the outermost, which sees a request first.

    So requests are counted before they can be refused, and the rate limit comes before the token
    check, so that it also slows down guessing.
    """
    app.add_middleware(GZipMiddleware, compresslevel=6)
    signed_out = app.state.signed_out = SignedOut(settings.home)
    origins = settings.origins
    app.add_middleware(
        Guard, token=settings.token, origins=origins, signed_out=signed_out, uploads=uploads
    )
    app.state.metrics = counted = Metrics()
    app.add_middleware(Limits, settings=settings, on_refused=counted.limited, uploads=uploads)
    openai_errors.add_to(app)
    app.add_middleware(DoorCors, origins=settings.origins)
    app.add_middleware(Counting, metrics=counted)
    app.add_middleware(DefaultHeaders)


def drain(app: FastAPI, seconds: float) -> None:
    """End the streams of an application that is about to stop, and its turns after `seconds`."""
    turn_tasks, autoplays = app.state.turn_tasks, app.state.autoplays
    if isinstance(autoplays, Autoplays):
        autoplays.stop()
    for ended in app.state.drained:
        ended()
    if isinstance(turn_tasks, TurnTasks):
        turn_tasks.drain(seconds)
