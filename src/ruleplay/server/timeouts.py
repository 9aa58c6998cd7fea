"""How long the server waits for what a client sends: a request's head, and its body.

A client that sends a byte now and then would otherwise keep a connection for ever.
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
"""Time for the body of a request, and longest silence within a file."""
SLOWEST = 10_000
"""Bytes a second that a file has to bring on average."""


class PatientProtocol(H11Protocol):
    """HTTP/1.1 that closes connections on which no request is made, or that are too many."""

    held: Connections | None = None
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request, if there is room."""
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        if self.held and not self.held.enter(self, address):
            self.leave()
            return
        self._wait()

    def leave(self) -> None:
        """Close at once: whatever is still to be sent belongs to no request."""
        self._stop_waiting()
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take what came; wait on while it is not the whole of a request's head."""
        cycle = self.cycle
        super().data_received(data)
        if self.cycle is not cycle:
            self._stop_waiting()
            if self.held and not self._idle():
                self.held.asks(self)
        elif self._late is None and self._idle():
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._stop_waiting()
        if self.held:
            self.held.gone(self)
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        if self.held:
            self.held.waits(self)
        super().on_response_complete()
        if self.held and not self._idle():  # it was there already
            self.held.asks(self)

    def _idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _wait(self) -> None:
        self._late = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        if self._late:
            self._late.cancel()
            self._late = None

    def _give_up(self) -> None:
        self._late = None
        if self._idle() and not self.transport.is_closing():
            self.transport.close()


def in_time(receive: Receive, *, file: bool) -> Receive:
    """Bound the time that a request's body takes (408); after it nothing is bounded any more."""
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
    return HTTPException(408, "the body comes too slowly; send it again", {"Connection": "close"})
