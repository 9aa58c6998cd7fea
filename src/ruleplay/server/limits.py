"""How much one client may ask, and how many may read or send files at once.

Requests are counted by address, in buckets that fill up again; where there is no token the server
answers its own machine only, and nobody is counted. What the process holds is bounded always.
"""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from math import ceil
from time import monotonic

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ruleplay.server.addresses import client_of
from ruleplay.server.errors import problem, respond
from ruleplay.server.timeouts import in_time
from ruleplay.settings import Settings

BURST = 10
"""Seconds of its rate that a client may use at once."""
WRONG_TOKEN = 20
"""Requests that one with a wrong token counts for."""
CLIENTS = 10_000
"""Clients that are remembered."""
READERS_EACH = 100
"""Event streams of one address, where addresses are counted."""
UPLOADS = 4
"""Files that are received at once."""
LATER = 5
"""Seconds after which to ask again when the process is full."""
_EVENTS = re.compile(r"/api/sessions/[^/]+/events")
Told = Callable[[str], None]


@dataclass
class Bucket:
    """What a client may still ask: `left` requests at `at`, and more with each second."""

    left: float
    at: float

    def take(self, now: float, rate: float, cost: float) -> float:
        """Take `cost` requests out; return the seconds to wait, 0 when they were there."""
        self.left = min(rate * BURST, self.left + (now - self.at) * rate)
        self.at = now
        if self.left < 1:
            return (1 - self.left) / rate
        self.left -= cost
        return 0


class Buckets:
    """The buckets of the clients that asked last."""

    def __init__(self, rate: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, client: str, cost: float = 1) -> float:
        """Count a request; return the seconds after which the client may ask again, or 0."""
        now = self._clock()
        if client not in self._buckets:
            self._buckets[client] = Bucket(self._rate * BURST, now)
            if len(self._buckets) > CLIENTS:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(client)
        return self._buckets[client].take(now, self._rate, cost)


class Refused(Exception):
    """A request that is one too many: its status, why, and when to ask again."""

    def __init__(self, status: int, detail: str, seconds: float) -> None:
        super().__init__(detail)
        self.status, self.detail, self.seconds = status, detail, max(1, ceil(seconds))


class Limits:
    """ASGI middleware: requests a second, readers, files, and the time that bodies take."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        told: Told = lambda why: None,
        uploads: Mapping[str, int] | None = None,
    ) -> None:
        self._app, self._told, self._most_readers = app, told, settings.readers
        counted = bool(settings.token) and settings.rate > 0
        self._buckets = Buckets(settings.rate) if counted else None
        self._readers: Counter[str] = Counter()
        self._uploads = 0
        self._files = uploads or {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what is too much; pass on the rest, its body bounded in time."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        client = client_of(scope)
        with ExitStack() as held:
            try:
                self._count(client)
                held.enter_context(self._place(scope, client))
            except Refused as refused:
                self._told(refused.detail)
                answer = problem(refused.status, refused.detail)
                after = {"Retry-After": str(refused.seconds)}
                await respond(answer, after)(scope, receive, send)
                return
            bounded = in_time(receive, file=scope["path"] in self._files)
            await self._app(scope, bounded, self._watching(client, send))

    def _count(self, client: str) -> None:
        if self._buckets and (seconds := self._buckets.take(client)):
            raise Refused(429, "too many requests from one address; ask again later", seconds)

    def _watching(self, client: str, send: Send) -> Send:
        async def watched(message: Message) -> None:
            refused = message["type"] == "http.response.start" and message["status"] in (401, 403)
            if refused and self._buckets:
                self._buckets.take(client, WRONG_TOKEN)
            await send(message)

        return watched

    def _place(self, scope: Scope, client: str) -> ExitStack:
        """Return what the request takes up while it lasts; Refused when there is no room."""
        held = ExitStack()
        if scope["method"] == "GET" and _EVENTS.fullmatch(scope["path"]):
            held.enter_context(self._reading(client))
        elif scope["method"] == "POST" and scope["path"] in self._files:
            held.enter_context(self._uploading())
        return held

    @contextmanager
    def _reading(self, client: str) -> Iterator[None]:
        if self._buckets and self._readers[client] >= READERS_EACH:
            raise Refused(429, "too many event streams from one address; close some", LATER)
        if self._readers.total() >= self._most_readers:
            raise Refused(503, "as many event streams are open as this server holds", LATER)
        self._readers[client] += 1
        try:
            yield
        finally:
            self._readers[client] -= 1
            self._readers += Counter()  # those at 0 are forgotten

    @contextmanager
    def _uploading(self) -> Iterator[None]:
        if self._uploads >= UPLOADS:
            raise Refused(503, f"{UPLOADS} files are being received already", LATER)
        self._uploads += 1
        try:
            yield
        finally:
            self._uploads -= 1
