"""Timeouts for a request's head and body, which uvicorn does not have.

Without them a client that sends a byte now and then occupies a connection for ever (Slowloris).
"""

from __future__ import annotations

import asyncio
from time import monotonic

from starlette.exceptions import HTTPException
from starlette.types import Message, Receive
from uvicorn.protocols.http.h11_impl import H11Protocol

from ruleplay.server.connections import Connections

HEAD_SECONDS = 10.0
"""Time for a request's line and headers, from the connection or the first byte on."""
BODY_SECONDS = 30.0
"""Time for the whole body of a request; for an upload, the longest pause in it."""
SLOWEST = 10_000
"""Average bytes per second below which an upload is aborted."""


class TimeoutProtocol(H11Protocol):
    """Uvicorn's HTTP/1.1 protocol with a timeout for requests and a limit of connections."""

    registry: Connections | None = None
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer for the first request, or close the connection if there are too many."""
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        if self.registry and not self.registry.admit(self, address):
            self.close_now()
            return
        self._start_timer()

    def close_now(self) -> None:
        """Close without flushing; called only while no request is being answered."""
        self._stop_timer()
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Process data; stop the timer once a request's head is complete."""
        cycle = self.cycle
        super().data_received(data)
        if self.cycle is not cycle:  # uvicorn makes a new cycle for each request
            self._stop_timer()
            if self.registry and not self._idle():
                self.registry.request_started(self)
        elif self._timer is None and self._idle():
            self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer and give the place back."""
        self._stop_timer()
        if self.registry:
            self.registry.closed(self)
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Mark the connection as idle until the next request."""
        if self.registry:
            self.registry.request_ended(self)
        super().on_response_complete()
        if self.registry and not self._idle():  # the next request was pipelined
            self.registry.request_started(self)

    def _idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _start_timer(self) -> None:
        self._timer = self.loop.call_later(HEAD_SECONDS, self._time_out)

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _time_out(self) -> None:
        self._timer = None
        if self._idle() and not self.transport.is_closing():
            self.transport.close()


def limit_body_time(receive: Receive, *, file: bool) -> Receive:
    """Wrap `receive` to raise 408 if the body comes too slowly.

    After the body there is no limit: `receive` then waits for the client to disconnect.
    """
    began, got, whole = monotonic(), 0, False

    async def bounded() -> Message:
        nonlocal got, whole
        if whole:
            return await receive()
        left = BODY_SECONDS if file else began + BODY_SECONDS - monotonic()
        try:
            async with asyncio.timeout(left):
                message = await receive()
        except TimeoutError as error:
            raise _too_slow() from error
        got += len(message.get("body", b""))
        whole = message["type"] != "http.request" or not message.get("more_body")
        if not whole and got < SLOWEST * (monotonic() - began - BODY_SECONDS):
            raise _too_slow()
        return message

    return bounded


def _too_slow() -> HTTPException:
    return HTTPException(408, "the body came too slowly; send it again", {"Connection": "close"})
