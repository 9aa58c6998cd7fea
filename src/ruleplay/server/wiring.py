"""What routes are handed: the host, turns that run in the background, and committed ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import Depends, Header, Query, Request

from ruleplay.kernel.host import Host
from ruleplay.server.background import Background
from ruleplay.server.shapes import Plain
from ruleplay.server.sse import Played

Held = TypeVar("Held")


def held(kind: type[Held], name: str) -> Callable[[Request], Held]:
    """Return what gives a route something of the application's life, by its name there."""

    def given(request: Request) -> Held:
        found = getattr(request.app.state, name, None)
        if not isinstance(found, kind):
            raise TypeError("the application was not started")
        return found

    return given


TheHost = Annotated[Host, Depends(held(Host, "host"))]
TheBackground = Annotated[Background, Depends(held(Background, "background"))]
ThePlayed = Annotated[Played, Depends(held(Played, "played"))]
Seat = Annotated[
    Plain, Query(description="Seat to look from; the agent's choice otherwise.", max_length=128)
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
