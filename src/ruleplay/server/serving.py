"""Run the server in this process until it is told to stop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from fastapi import FastAPI

from ruleplay.catalog import find_agent
from ruleplay.foundation.errors import Unavailable
from ruleplay.foundation.host import Host
from ruleplay.foundation.settings import Settings
from ruleplay.server.app import create_app, drain

GRACE = 5
"""Seconds that running turns get when the server stops; who waits for one is answered after."""


def serve(settings: Settings, host: str, port: int, started: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM; `started` is told the URL once requests are answered.

    Raises Unavailable when the address is taken or the database cannot be opened.
    """
    # Uvicorn would bury what is wrong with a database in its log.
    asyncio.run(_open_once(settings))
    app = create_app(settings, find_agent)
    with _listen(host, port) as listener:
        server = Server(app, lambda: started(url_of(listener, host)))
        with suppress(KeyboardInterrupt):
            server.run(sockets=[listener])


async def _open_once(settings: Settings) -> None:
    await (await Host.open(settings, find_agent)).close()


def url_of(listener: socket.socket, host: str) -> str:
    """Return the URL under which a listening socket is reached from this machine."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    name = f"[{shown}]" if ":" in shown else shown
    return f"http://{name}:{listener.getsockname()[1]}"


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise Unavailable(
            f"cannot listen on {host} port {port}: {error.strerror}; take another --port"
        ) from error


class Server(uvicorn.Server):
    """A server that says when it is ready, and lets its readers go before it waits for turns."""

    def __init__(self, app: FastAPI, ready: Callable[[], None]) -> None:
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=GRACE + 1)
        super().__init__(config)
        self._app, self._ready = app, ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End streams at once, and turns and open requests after a while."""
        drain(self._app, GRACE)
        await super().shutdown(sockets)
