"""Runs the HTTP server (uvicorn) in this process, from start to graceful shutdown."""

from __future__ import annotations

import asyncio
import gc
import socket
from collections.abc import Callable
from contextlib import suppress
from math import ceil

import uvicorn
from fastapi import FastAPI

from ruleplay.catalog import find_agent
from ruleplay.errors import Unavailable
from ruleplay.kernel.endings import Ending
from ruleplay.kernel.host import Host
from ruleplay.server.app import create_app, drain
from ruleplay.server.connections import ACCEPTED, Capacity, Connections, capacity_for, proxies
from ruleplay.server.timeouts import TimeoutProtocol
from ruleplay.settings import Settings
from ruleplay.system.logs import configure


def serve(
    settings: Settings, host: str, port: int, started: Callable[[str], None], durable: str = ""
) -> None:
    """Serve until SIGINT or SIGTERM; calls `started` with the URL once requests are accepted.

    With a worker's name in `durable`, turns are queued and taken from the queue under that name.
    Raises Unavailable if the address is in use or the database cannot be opened.
    """
    # Opened once before the start: uvicorn would only log an error of the application's startup,
    # and exit without the message and the exit code that the command line gives it.
    asyncio.run(_open_once(settings))
    configure(settings)
    capacity = capacity_for(settings)
    fitting = settings.model_copy(update={"readers": capacity.readers})
    app = create_app(fitting, find_agent, durable=durable, witness=GcFreezer())
    with _listen(host, port) as listener:
        server = Server(app, lambda: started(url_of(listener, host)), fitting, capacity)
        with suppress(KeyboardInterrupt):
            server.run(sockets=[listener])


async def _open_once(settings: Settings) -> None:
    await (await Host.open(settings, find_agent)).close()


def url_of(listener: socket.socket, host: str) -> str:
    """Return the URL by which this machine reaches a listening socket."""
    # 0.0.0.0 and :: are for listening only; not every client connects to them.
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


GARBAGE = 10_000
"""Allocations before a garbage collection, once everything that stays is loaded."""
IDLE_SECONDS = 75
"""How long a connection may be idle: longer than clients keep theirs (httpx 5 s, as long as uvicorn
by itself), or a request would now and then meet a connection that is just being closed."""


class GcFreezer:
    """Exempts what an agent's first turn has loaded from garbage collection; a `Witness` of turns.

    Modules, rules and catalogs live as long as the process. A full collection that scans them takes
    half a second, in which no request is answered.
    """

    def __init__(self) -> None:
        self._settled: set[str] = set()

    def __call__(self, ending: Ending) -> None:
        """Freeze all objects after the first turn of each agent."""
        if ending.agent not in self._settled:
            self._settled.add(ending.agent)
            gc.collect(1)
            gc.freeze()
            gc.set_threshold(GARBAGE)


class Server(uvicorn.Server):
    """A uvicorn server that calls `ready`, and at shutdown ends streams before it waits for turns.

    Otherwise it would wait for open event streams, which never end by themselves.
    """

    def __init__(
        self,
        app: FastAPI,
        ready: Callable[[], None],
        settings: Settings,
        capacity: Capacity | None = None,
    ) -> None:
        capacity = capacity or capacity_for(settings)
        connections = Connections(capacity, proxies())
        config = uvicorn.Config(
            app,
            http=type("Protocol", (TimeoutProtocol,), {"registry": connections}),
            ws="none",  # there are no WebSocket routes, and `Connections` would not count them
            log_config=None,  # keep the process's logging configuration
            access_log=False,
            backlog=ACCEPTED,
            limit_concurrency=capacity.connections + 1,  # uvicorn counts the current one as well
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=ceil(settings.grace) + 1,
        )
        super().__init__(config)
        self._app, self._ready, self._grace = app, ready, settings.grace

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then call `ready`."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End streams at once, and running turns and open requests after the grace period."""
        drain(self._app, self._grace)
        await super().shutdown(sockets)
