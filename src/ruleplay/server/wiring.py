"""What routes are handed: the host, turns that run in the background, and committed ones."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Header, Query, Request

from ruleplay.foundation.host import Host
from ruleplay.server.background import Background
from ruleplay.server.shapes import Plain
from ruleplay.server.telling import Played


def _host(request: Request) -> Host:
    host = request.app.state.host
    if not isinstance(host, Host):
        raise TypeError("the application was not started")
    return host


def _background(request: Request) -> Background:
    background = request.app.state.background
    if not isinstance(background, Background):
        raise TypeError("the application was not started")
    return background


def _played(request: Request) -> Played:
    played = request.app.state.played
    if not isinstance(played, Played):
        raise TypeError("the application was not started")
    return played


async def seat_of(host: Host, session: str, seat: str) -> str:
    """Return the seat from which a session is looked at: the first one unless one is named."""
    if seat:
        return seat
    head, _ = await host.store.read(session)
    return host.find_agent(head.agent).seats[0]


TheHost = Annotated[Host, Depends(_host)]
TheBackground = Annotated[Background, Depends(_background)]
ThePlayed = Annotated[Played, Depends(_played)]
Seat = Annotated[
    Plain, Query(description="Seat to look from; the first otherwise.", max_length=128)
]
Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        description="The same key gives the same turn.",
        min_length=1,
        max_length=200,
    ),
]
