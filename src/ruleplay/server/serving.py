"""Run the server in this process until it is told to stop."""

from __future__ import annotations

import asyncio
import gc
import socket
from collections.abc import Callable
from contextlib import suppress
from math import ceil
from time import monotonic

import uvicorn
from fastapi import FastAPI

from ruleplay.catalog import find_agent
from ruleplay.errors import Unavailable
from ruleplay.kernel.endings import Ending
from ruleplay.kernel.host import Host
from ruleplay.server.app import create_app, drain
from ruleplay.server.connections import ACCEPTED, Connections, Room, proxies, room_for
from ruleplay.server.timeouts import PatientProtocol
from ruleplay.settings import Settings
from ruleplay.system.logs import configure

REPEATED = 10.0
"""Seconds in which a message of the event loop is logged once."""
MESSAGES = 100
"""Messages that are remembered for that."""


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
    room = room_for(settings)
    fitting = settings.model_copy(update={"readers": room.readers})
    app = create_app(fitting, find_agent, durable=durable, witness=Settling())
    with _listen(host, port) as listener:
        server = Server(app, lambda: started(url_of(listener, host)), fitting, room)
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


class Settling:
    """Hears turns end, and takes what an agent's first one loaded from the garbage collector.

    Modules, rules and catalogs stay for good. To look through them takes half a second, in which
    nobody is answered.
    """

    def __init__(self) -> None:
        self._settled: set[str] = set()

    def __call__(self, ending: Ending) -> None:
        """Note that an agent has played a turn here."""
        if ending.agent not in self._settled:
            self._settled.add(ending.agent)
            gc.collect(1)
            gc.freeze()


class Throttled:
    """What an event loop calls with errors that nobody awaits: each is told now and then only.

    A loop that may open no more files says so for every connection that waits.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._told: dict[str, float] = {}

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        """Log an error, unless the same was just logged."""
        message, now = str(context.get("message"))[:200], self._clock()
        if now - self._told.get(message, -REPEATED) >= REPEATED:
            if len(self._told) >= MESSAGES:
                self._told.clear()
            self._told[message] = now
            loop.default_exception_handler(context)


class Server(uvicorn.Server):
    """A server that says when it is ready, and lets its readers go before it waits for turns."""

    def __init__(
        self, app: FastAPI, ready: Callable[[], None], settings: Settings, room: Room | None = None
    ) -> None:
        room = room or room_for(settings)
        connections = Connections(room, proxies())
        config = uvicorn.Config(
            app,
            http=type("Protocol", (PatientProtocol,), {"held": connections}),
            ws="none",  # none is spoken here, and they would not be counted
            log_config=None,  # logs are the process's, not the server's
            access_log=False,
            backlog=ACCEPTED,
            limit_concurrency=room.connections + 1,  # the one that is answered counts
            timeout_graceful_shutdown=ceil(settings.grace) + 1,
        )
        super().__init__(config)
        self._app, self._ready, self._grace = app, ready, settings.grace

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so."""
        asyncio.get_running_loop().set_exception_handler(Throttled())
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End streams at once, and turns and open requests after a while."""
        drain(self._app, self._grace)
        await super().shutdown(sockets)
