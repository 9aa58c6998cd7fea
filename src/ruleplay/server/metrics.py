"""Metrics for Prometheus (turns, model calls, readers, requests), and the request log.

Labels never have values that clients choose, since each new value makes a new time series. Each
process has its own counters.
"""

from __future__ import annotations

import logging
from time import perf_counter
from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import Response
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ruleplay.kernel.endings import Ending
from ruleplay.kernel.host import Host
from ruleplay.server.addresses import client_of
from ruleplay.server.errors import problems
from ruleplay.server.wiring import from_app_state

LOG = logging.getLogger(__name__)
LINK = "/share/"
"""Logged instead of a share link's path, which contains its token."""
routes = APIRouter(tags=["server"], responses=problems(401, 403))
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)
ENDS = {end: end for end in ("stop", "length", "tool_calls", "deadline", "cap", "error")}
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"})


class Metrics:
    """The metrics of one application."""

    def __init__(self) -> None:
        registry = self.registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._turns = Counter(
            "ruleplay_turns",
            "Turns by agent and how they ended.",
            ("agent", "outcome"),
            registry=registry,
        )
        self._turn_seconds = Histogram(
            "ruleplay_turn_seconds",
            "Time from a turn's start to its commit.",
            ("agent",),
            buckets=SECONDS,
            registry=registry,
        )
        self._calls = Counter(
            "ruleplay_model_calls",
            "Replies of models, by how they ended.",
            ("provider", "end"),
            registry=registry,
        )
        self._tokens = Counter(
            "ruleplay_tokens",
            "Tokens of model calls.",
            ("provider", "direction"),
            registry=registry,
        )
        self._dollars = Counter(
            "ruleplay_model_dollars", "Cost of model calls.", ("provider",), registry=registry
        )
        self._requests = Counter(
            "ruleplay_requests",
            "HTTP requests by method and status.",
            ("method", "status"),
            registry=registry,
        )
        self._request_seconds = Histogram(
            "ruleplay_request_seconds",
            "Time until a response begins.",
            ("method",),
            buckets=SECONDS,
            registry=registry,
        )
        self._limited = Counter(
            "ruleplay_requests_limited",
            "Requests that a limit refused.",
            ("limit",),
            registry=registry,
        )
        self._readers = Gauge("ruleplay_readers", "Readers of sessions here.", registry=registry)
        self._running = Gauge("ruleplay_running_turns", "Turns that run here.", registry=registry)

    def watch(self, host: Host) -> None:
        """Count a host's turns and readers."""
        host.witnesses.append(self.turn_ended)
        self._readers.set_function(lambda: host.bus.readers)
        self._running.set_function(lambda: host.running_turns)

    def turn_ended(self, ending: Ending) -> None:
        """Count a turn and the model calls it made."""
        self._turns.labels(ending.agent, ending.outcome).inc()
        if ending.outcome == "committed":
            self._turn_seconds.labels(ending.agent).observe(ending.seconds)
        for call in ending.calls:
            provider = call.model.partition(":")[0]
            for reply in call.replies:
                self._calls.labels(provider, ENDS.get(reply.end, "other")).inc()
            self._tokens.labels(provider, "input").inc(call.input_tokens)
            self._tokens.labels(provider, "output").inc(call.output_tokens)
            self._dollars.labels(provider).inc(float(call.cost))

    def limited(self, limit: str) -> None:
        """Count a request that a limit refused."""
        self._limited.labels(limit).inc()

    def requested(self, method: str, status: int, seconds: float) -> None:
        """Count a request."""
        name = method if method in METHODS else "other"
        self._requests.labels(name, str(status)).inc()
        self._request_seconds.labels(name).observe(seconds)


class Counting:
    """ASGI middleware that counts requests and logs them, without their query strings."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and record when its response starts."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, answered = perf_counter(), False

        async def noted(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start":
                answered = True
                self._requested(scope, message["status"], perf_counter() - began)
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            if not answered:  # an unexpected error, answered by Starlette's outermost middleware
                self._requested(scope, 500, perf_counter() - began)

    def _requested(self, scope: Scope, status: int, seconds: float) -> None:
        self._metrics.requested(scope["method"], status, seconds)
        _log(scope, status, seconds)


def _log(scope: Scope, status: int, seconds: float) -> None:
    fields = {
        "method": scope["method"],
        # Whoever reads the log must not be able to open what a link leads to.
        "path": LINK if scope["path"].startswith(LINK) else scope["path"],
        "status": status,
        "ms": round(seconds * 1000, 1),
        "client": client_of(scope),
    }
    LOG.info("request", extra=fields)


@routes.get(
    "/metrics",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def show_metrics(
    metrics: Annotated[Metrics, Depends(from_app_state(Metrics, "metrics"))],
) -> Response:
    """Return this process's metrics in Prometheus' text format."""
    return Response(generate_latest(metrics.registry), media_type=CONTENT_TYPE_LATEST)
