"""Who may ask, and how much: the checks that every request passes before any route sees it.

Without a token only this machine is served, and only under loopback names: a web page that makes
its own name resolve to 127.0.0.1 is refused by the Host header, other pages by Origin.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ruleplay.server.cors import is_door
from ruleplay.server.errors import problem, respond
from ruleplay.server.login import COOKIE, SignedOut, same, stands
from ruleplay.server.uploads import MEDIA_TYPE
from ruleplay.system.loopback import is_loopback

BODY_LIMIT = 1_000_000
"""Bytes of a request's body, but for the routes that take files."""
VALUES = 50_000
"""Brackets, braces and commas in a JSON body: what is made of them takes many times their length.

No other number tells before a body is read whether that will hold up everybody else.
"""
DRAINED = 32_000_000
"""Bytes of a too long body that are read and dropped, so that its sender reads the answer."""
LONG_LIMIT = 16_000_000
"""Bytes where programs send a whole chat each time, with the pictures in it."""
LONG_PATHS = ("/v1/chat/completions", "/v1/responses")
OPEN_PATHS = ("/", "/design", "/health", "/api/login", "/embed.js")
OPEN_FOLDERS = ("/static/", "/s/", "/a/", "/review/", "/embed/", "/share/")
"""Pages that need no token: they hold no data, or only what their own address lets be read."""
KNOWN = "known"
"""In a request's state: whether its client may ask for data, also where the path is open to all."""


class Strict:
    """ASGI middleware: browsers guess no types, and nobody keeps what the API answered."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the headers that a response does not have."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def strict(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("X-Content-Type-Options", "nosniff")
                headers.setdefault("Referrer-Policy", "no-referrer")
                if not scope["path"].startswith("/static/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, strict)


class Guard:
    """ASGI middleware: Host, Origin, bearer token or cookie, content type and body size."""

    def __init__(
        self,
        app: ASGIApp,
        token: str = "",
        origins: tuple[str, ...] = (),
        signed_out: SignedOut | None = None,
        uploads: Mapping[str, int] | None = None,
    ) -> None:
        self._app, self._token, self._origins = app, token, origins
        self._uploads = uploads or {}
        self._signed_out = signed_out or SignedOut()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what is refused; pass on the rest with its body counted."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refused = self._refused(scope, headers)
        limit = self._uploads.get(scope["path"], BODY_LIMIT)
        limit = LONG_LIMIT if scope["path"] in LONG_PATHS else limit
        if refused is None and too_long(headers, limit):
            await _drain(receive)
            refused = 413, f"the body is longer than {limit:,} bytes"
        if refused is None:
            known = not self._token or self._authorised(headers, foreign=False)
            scope.setdefault("state", {})[KNOWN] = known
            await self._app(
                scope, _counted(receive, limit, scope["path"] not in self._uploads), send
            )
            return
        status, detail = refused
        extra = {"WWW-Authenticate": "Bearer"} if status == 401 else None
        await respond(problem(status, detail), extra)(scope, receive, send)

    def _refused(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if not self._token and not from_here(scope):
            return 403, "without a token the server answers its own machine only"
        if not self._token and not is_loopback_name(host):
            return 403, f"the host {host!r} is not served; ask for localhost or 127.0.0.1"
        origin = headers.get("origin")
        foreign = origin is not None and not same_origin(origin, host)
        if foreign and not (origin in self._origins and is_door(scope["path"])):
            return 403, f"requests from the origin {origin!r} are not answered"
        if self._token and not is_open(scope["path"]) and not self._authorised(headers, foreign):
            return (
                401,
                "send the header 'Authorization: Bearer' with the server's token, or sign in",
            )
        if scope["path"] in self._uploads and scope["method"] == "POST":
            if media_type(headers) != MEDIA_TYPE:
                return 415, f"send the file, with the header 'Content-Type: {MEDIA_TYPE}'"
        elif not is_json(headers):
            return 415, "send JSON, with the header 'Content-Type: application/json'"
        return None

    def _authorised(self, headers: Headers, foreign: bool) -> bool:
        scheme, _, given = headers.get("authorization", "").partition(" ")
        # ASGI hands headers on as bytes, which Starlette reads as Latin-1.
        bearer = scheme.lower() == "bearer" and same(given.strip().encode("latin-1"), self._token)
        cookie = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
        if bearer:
            return True
        return not foreign and stands(cookie, self._token) and cookie not in self._signed_out


def is_open(path: str) -> bool:
    """Tell whether a path needs no token."""
    return path in OPEN_PATHS or path.startswith(OPEN_FOLDERS)


def from_here(scope: Scope) -> bool:
    """Tell whether a request comes from this machine, as far as the server knows."""
    client = scope.get("client")
    return client is None or is_loopback(client[0])


def is_loopback_name(host: str) -> bool:
    """Tell whether a Host header names this machine itself, whatever the port."""
    return is_loopback(_hostname(f"//{host}"))


def same_origin(origin: str, host: str) -> bool:
    """Tell whether a page of `origin` was served under `host`."""
    scheme, _, place = origin.partition("://")
    return scheme in ("http", "https") and bool(place) and place.lower() == host.lower()


def is_json(headers: Headers) -> bool:
    """Tell whether a request has no body, or one that says it is JSON."""
    empty = headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers
    kind = media_type(headers)
    return kind == "application/json" or (empty and not kind) or (empty and _is_plain(kind))


def media_type(headers: Headers) -> str:
    """Return the type that a request's body is said to have, without parameters."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def _is_plain(kind: str) -> bool:
    """Tell whether a type is one that clients add to empty posts of their own accord."""
    return kind in ("application/x-www-form-urlencoded", "text/plain")


def too_long(headers: Headers, limit: int) -> bool:
    """Tell whether a request announces a body over the limit."""
    length = headers.get("content-length", "0")
    return not length.isdigit() or int(length) > limit


def _hostname(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


async def _drain(receive: Receive) -> None:
    """Read what is still coming, within reason."""
    left = DRAINED
    while left > 0:
        message = await receive()
        left -= len(message.get("body", b""))
        if message["type"] != "http.request" or not message.get("more_body"):
            return


def _counted(receive: Receive, limit: int, is_json: bool) -> Receive:
    """Count what comes: a body need not announce its length, nor can it say what is in it."""
    got = values = 0

    async def counted() -> Message:
        nonlocal got, values
        message = await receive()
        piece = message.get("body", b"")
        got += len(piece)
        values += sum(map(piece.count, (b"[", b"{", b","))) if is_json else 0
        if got > limit or values > VALUES:
            if message.get("more_body"):
                await _drain(receive)
            what = f"{limit:,} bytes" if got > limit else f"{VALUES:,} values"
            raise HTTPException(413, f"the body is longer than {what}")
        return message

    return counted
