"""What routes are handed: the host and the turns that run in the background."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Header, Query, Request

from ruleplay.foundation.host import Host
from ruleplay.server.background import Background
from ruleplay.server.shapes import Plain


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


TheHost = Annotated[Host, Depends(_host)]
TheBackground = Annotated[Background, Depends(_background)]
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
