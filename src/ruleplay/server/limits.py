"""Rate limits per client, and limits on concurrent event streams and uploads.

Requests are limited by address with token buckets. Without a token the server only answers its own
machine, so there is no rate limit; the limits that protect the process always apply.
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
from ruleplay.server.timeouts import limit_body_time
from ruleplay.settings import Settings

BURST = 10
"""Size of a bucket: seconds of its rate that a client may use at once."""
WRONG_TOKEN = 20
"""Requests that one answered with 401 or 403 counts for, to slow down guessing."""
CLIENTS = 10_000
"""Clients whose buckets are kept, which bounds the memory; the least recent are dropped."""
READERS_EACH = 100
"""Event streams per address, where the rate is limited."""
UPLOADS = 4
"""Concurrent uploads."""
LATER = 5
"""Seconds in Retry-After when the process is full."""
_EVENTS = re.compile(r"/api/sessions/[^/]+/events")
OnRefused = Callable[[str], None]


@dataclass
class Bucket:
    """A token bucket: `left` requests at the time `at`, refilled continuously."""

    left: float
    at: float

    def take(self, now: float, rate: float, cost: float) -> float:
        """Take `cost` requests; returns 0, or the seconds to wait if less than one is left.

        The balance may become negative, so that a client with a wrong token has to wait longer.
        """
        self.left = min(rate * BURST, self.left + (now - self.at) * rate)
        self.at = now
        if self.left < 1:
            return (1 - self.left) / rate
        self.left -= cost
        return 0


class Buckets:
    """The buckets of the most recent clients."""

    def __init__(self, rate: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, client: str, cost: float = 1) -> float:
        """Count a request; returns 0, or the seconds after which the client may try again."""
        now = self._clock()
        if client not in self._buckets:
            self._buckets[client] = Bucket(self._rate * BURST, now)
            if len(self._buckets) > CLIENTS:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(client)
        return self._buckets[client].take(now, self._rate, cost)


class Refused(Exception):
    """A request over a limit: the status, the reason, and the seconds for Retry-After."""

    def __init__(self, status: int, detail: str, seconds: float) -> None:
        super().__init__(detail)
        self.status, self.detail, self.seconds = status, detail, max(1, ceil(seconds))


class Limits:
    """ASGI middleware that limits requests per second, event streams, uploads and slow bodies.

    `on_refused` is called with the reason for each refused request; `uploads` maps the paths of
    uploads to their size limits.
    """

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        on_refused: OnRefused = lambda why: None,
        uploads: Mapping[str, int] | None = None,
    ) -> None:
        self._app, self._on_refused, self._most_readers = app, on_refused, settings.readers
        counted = bool(settings.token) and settings.rate > 0
        self._buckets = Buckets(settings.rate) if counted else None
        self._readers: Counter[str] = Counter()
        self._uploads = 0
        self._upload_paths = uploads or {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request over a limit; pass others on, with a timeout for the body."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        client = client_of(scope)
        with ExitStack() as reserved:
            try:
                self._count(client)
                reserved.enter_context(self._reserve(scope, client))
            except Refused as refused:
                self._on_refused(refused.detail)
                answer = problem(refused.status, refused.detail)
                after = {"Retry-After": str(refused.seconds)}
                await respond(answer, after)(scope, receive, send)
                return
            bounded = limit_body_time(receive, file=scope["path"] in self._upload_paths)
            await self._app(scope, bounded, self._charging_wrong_tokens(client, send))

    def _count(self, client: str) -> None:
        if self._buckets and (seconds := self._buckets.take(client)):
            raise Refused(429, "too many requests from one address; ask again later", seconds)

    def _charging_wrong_tokens(self, client: str, send: Send) -> Send:
        async def watched(message: Message) -> None:
            refused = message["type"] == "http.response.start" and message["status"] in (401, 403)
            if refused and self._buckets:
                self._buckets.take(client, WRONG_TOKEN)
            await send(message)

        return watched

    def _reserve(self, scope: Scope, client: str) -> ExitStack:
        """Reserve what a request occupies while it lasts; Refused if there is no room."""
        reserved = ExitStack()
        if scope["method"] == "GET" and _EVENTS.fullmatch(scope["path"]):
            reserved.enter_context(self._reading(client))
        elif scope["method"] == "POST" and scope["path"] in self._upload_paths:
            reserved.enter_context(self._uploading())
        return reserved

    @contextmanager
    def _reading(self, client: str) -> Iterator[None]:
        if self._buckets and self._readers[client] >= READERS_EACH:
            raise Refused(429, "too many event streams from one address; close some", LATER)
        if self._readers.total() >= self._most_readers:
            raise Refused(503, "the server has reached its limit of event streams", LATER)
        self._readers[client] += 1
        try:
            yield
        finally:
            self._readers[client] -= 1
            self._readers += Counter()  # adding an empty counter drops the entries at 0

    @contextmanager
    def _uploading(self) -> Iterator[None]:
        if self._uploads >= UPLOADS:
            raise Refused(503, f"{UPLOADS} files are being received already", LATER)
        self._uploads += 1
        try:
            yield
        finally:
            self._uploads -= 1
