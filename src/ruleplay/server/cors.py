"""Pages of other origins that may talk to the doors: browsers ask first, listed ones are answered.

They send the token as a bearer; cookies never cross. All other routes are for the server's own
page.
"""

from __future__ import annotations

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

DOORS = ("/v1/", "/agui/", "/mcp")
METHODS = ("GET", "POST", "DELETE")
SEEN = ("Ruleplay-Session", "Ruleplay-Turn", "Retry-After", "Mcp-Session-Id")
"""Headers of answers that scripts may read."""


def is_door(path: str) -> bool:
    """Tell whether a path belongs to what other programs talk to."""
    return path.startswith(DOORS)


class DoorCors:
    """ASGI middleware: cross-origin requests of listed pages, to the doors only."""

    def __init__(self, app: ASGIApp, origins: tuple[str, ...] = ()) -> None:
        self._app = app
        self._doors = CORSMiddleware(
            app, origins, METHODS, allow_headers=("*",), expose_headers=SEEN
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let answers of doors be read by pages that are listed."""
        door = scope["type"] == "http" and is_door(scope["path"])
        await (self._doors if door else self._app)(scope, receive, send)
