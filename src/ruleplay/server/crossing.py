"""Pages elsewhere that may talk to the doors: asked by the browser first, answered if listed.

They send the token as a bearer; cookies never cross. All other routes are for the server's own
page.
"""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

DOORS = ("/v1/", "/agui/", "/mcp")
ASKED = "Access-Control-Request-Method"
SEEN = "Ruleplay-Session, Ruleplay-Turn, Retry-After, Mcp-Session-Id"
"""Headers of answers that scripts may read."""


def is_door(path: str) -> bool:
    """Tell whether a path belongs to what other programs talk to."""
    return path.startswith(DOORS)


class Crossing:
    """ASGI middleware: what browsers ask before they let another page's script talk to a door."""

    def __init__(self, app: ASGIApp, origins: tuple[str, ...] = ()) -> None:
        self._app, self._origins = app, origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer questions of browsers; let answers be read by pages that are listed."""
        headers = Headers(scope=scope) if scope["type"] == "http" else Headers()
        origin = headers.get("origin", "")
        if scope["type"] != "http" or origin not in self._origins or not is_door(scope["path"]):
            await self._app(scope, receive, send)
            return
        if scope["method"] == "OPTIONS" and ASKED in headers:
            answer = Response(status_code=204, headers=_allowed(origin, headers))
            await answer(scope, receive, send)
            return

        async def readable(message: Message) -> None:
            if message["type"] == "http.response.start":
                told = MutableHeaders(raw=message["headers"])
                told["Access-Control-Allow-Origin"] = origin
                told["Access-Control-Expose-Headers"] = SEEN
                told.append("Vary", "Origin")
            await send(message)

        await self._app(scope, receive, readable)


def _allowed(origin: str, headers: Headers) -> dict[str, str]:
    return {
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Allow-Methods": "GET, POST, DELETE",
        "Access-Control-Allow-Headers": headers.get("Access-Control-Request-Headers", ""),
        "Access-Control-Max-Age": "600",
        "Vary": "Origin",
    }
