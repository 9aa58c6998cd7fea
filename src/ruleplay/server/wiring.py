"""Dependencies that FastAPI injects into routes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import Depends, Header, Query, Request

from ruleplay.kernel.host import Host
from ruleplay.server.shapes import Plain
from ruleplay.server.sse import TurnCache
from ruleplay.server.turn_tasks import TurnTasks

Value = TypeVar("Value")


def from_app_state(kind: type[Value], name: str) -> Callable[[Request], Value]:
    """Make a dependency that provides `app.state.NAME`; TypeError before the app has started."""

    def given(request: Request) -> Value:
        found = getattr(request.app.state, name, None)
        if not isinstance(found, kind):
            raise TypeError("the application was not started")
        return found

    return given


TheHost = Annotated[Host, Depends(from_app_state(Host, "host"))]
TheTurnTasks = Annotated[TurnTasks, Depends(from_app_state(TurnTasks, "turn_tasks"))]
TheTurnCache = Annotated[TurnCache, Depends(from_app_state(TurnCache, "turn_cache"))]
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
