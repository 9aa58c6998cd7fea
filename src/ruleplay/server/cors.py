"""CORS: lets pages of configured origins use the APIs for other programs.

Such pages send the token as a bearer token; credentials (cookies) are not allowed. All other routes
are for the server's own page only.
"""

from __future__ import annotations

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

DOORS = ("/v1/", "/agui/", "/mcp")
METHODS = ("GET", "POST", "DELETE")
SEEN = ("Ruleplay-Session", "Ruleplay-Turn", "Retry-After", "Mcp-Session-Id")
"""Response headers that scripts may read."""


def is_door(path: str) -> bool:
    """Whether a path belongs to an API for other programs."""
    return path.startswith(DOORS)


class DoorCors:
    """ASGI middleware that applies Starlette's CORS middleware to these paths only."""

    def __init__(self, app: ASGIApp, origins: tuple[str, ...] = ()) -> None:
        self._app = app
        self._doors = CORSMiddleware(
            app, origins, METHODS, allow_headers=("*",), expose_headers=SEEN
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, through the CORS middleware if its path is one of theirs."""
        door = scope["type"] == "http" and is_door(scope["path"])
        await (self._doors if door else self._app)(scope, receive, send)
