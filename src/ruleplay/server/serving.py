"""Run the server in this process until it is told to stop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from math import ceil

import uvicorn
from fastapi import FastAPI

from ruleplay.catalog import find_agent
from ruleplay.foundation.errors import Unavailable
from ruleplay.foundation.host import Host
from ruleplay.foundation.logs import configure
from ruleplay.foundation.settings import Settings
from ruleplay.server.app import create_app, drain
from ruleplay.server.patience import PatientProtocol

BACKLOG = 500
"""Connections that the server holds besides its readers'."""


def serve(
    settings: Settings, host: str, port: int, started: Callable[[str], None], durable: str = ""
) -> None:
    """Serve until SIGINT or SIGTERM; `started` is told the URL once requests are answered.

    With a name in `durable`, turns are handed in to the queue and taken from it under that name.

    Raises Unavailable when the address is taken or the database cannot be opened.
    """
    # Uvicorn would bury what is wrong with a database in its log.
    asyncio.run(_open_once(settings))
    configure(settings)
    app = create_app(settings, find_agent, durable=durable)
    with _listen(host, port) as listener:
        server = Server(app, lambda: started(url_of(listener, host)), settings)
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

    def __init__(self, app: FastAPI, ready: Callable[[], None], settings: Settings) -> None:
        config = uvicorn.Config(
            app,
            http=PatientProtocol,
            log_config=None,  # logs are the process's, not the server's
            access_log=False,
            limit_concurrency=settings.readers + BACKLOG,
            timeout_graceful_shutdown=ceil(settings.grace) + 1,
        )
        super().__init__(config)
        self._app, self._ready, self._grace = app, ready, settings.grace

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End streams at once, and turns and open requests after a while."""
        drain(self._app, self._grace)
        await super().shutdown(sockets)
