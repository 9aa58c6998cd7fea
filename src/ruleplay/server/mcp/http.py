"""MCP over HTTP: `/mcp`, and `/mcp/GROUP` for the tools of one agent, the core, or all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from ruleplay.catalog import agent_names
from ruleplay.kernel.host import Host
from ruleplay.server.errors import problem, respond

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

PATH = "/mcp"
MISSING = "MCP needs the package 'mcp': pip install 'ruleplay[mcp]'"


class Mcp:
    """The MCP servers of an application, one for each group of tools, made at the first request.

    Importing the SDK takes as long as the rest of the start, and most servers never need it.
    """

    def __init__(self) -> None:
        self._managers: dict[str, StreamableHTTPSessionManager] = {}
        self._running: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def open(self, host: Host) -> AsyncIterator[None]:
        """Accept requests while the block runs; without the SDK they get 503."""
        self._host, self._ready, self._over = host, asyncio.Event(), asyncio.Event()
        try:
            yield
        finally:
            self._over.set()
            if self._running:
                await self._running
            self._running = None

    async def _doors(self) -> dict[str, StreamableHTTPSessionManager]:
        if self._running is None:
            # The SDK's task groups must be entered and left in the same task (anyio's rule), which
            # cannot be a request's.
            self._running = asyncio.create_task(self._run())
            self._running.add_done_callback(lambda _: self._ready.set())
        await self._ready.wait()
        return self._managers

    async def _run(self) -> None:
        try:
            await asyncio.to_thread(import_module, "mcp.server.streamable_http_manager")
            from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

            from ruleplay.server.mcp.offer import ALL, CORE
            from ruleplay.server.mcp.protocol import Door
        except ModuleNotFoundError:
            return

        async def the_host() -> Host:
            return self._host

        async with AsyncExitStack() as opened:
            for group in ("", CORE, ALL, *agent_names()):
                door = Door([group], the_host)
                manager = StreamableHTTPSessionManager(door.server, stateless=True)
                await opened.enter_async_context(manager.run())
                self._managers[group] = manager
            self._ready.set()
            await self._over.wait()
            self._managers.clear()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request to one group."""
        group = scope.get("path_params", {}).get("group", "")
        doors = await self._doors()
        if manager := doors.get(group):
            await manager.handle_request(scope, receive, send)
            return
        told = problem(404, f"no tools {group!r} here") if doors else problem(503, MISSING)
        await respond(told)(scope, receive, send)


def add_to(app: FastAPI) -> Mcp:
    """Add the routes as plain ASGI endpoints, since the SDK writes the responses itself."""
    door = Mcp()
    app.router.routes.append(Route(PATH, endpoint=door))
    app.router.routes.append(Route(f"{PATH}/{{group}}", endpoint=door))
    return door
