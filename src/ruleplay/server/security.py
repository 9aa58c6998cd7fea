"""The security checks that every request passes before any route: origin, token, body.

Without a token the server only answers this machine. Its browsers are no threat either: pages of
other sites are refused by their Origin, and sites whose name resolves to 127.0.0.1 (DNS rebinding)
by the Host header.
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
"""Maximum bytes of a request's body, except for uploads and `LONG_PATHS`."""
VALUES = 50_000
"""Maximum of brackets, braces and commas in a JSON body.

Small values (`[[],[],…]`) take many times their length in memory and block the event loop while
they are validated. Counting these characters bounds their number before the body is parsed.
"""
DISCARDED = 32_000_000
"""Bytes of an oversized body that are read and dropped: many clients send all before they read."""
LONG_LIMIT = 16_000_000
"""Maximum bytes where chat programs send the whole conversation, with its pictures, each time."""
LONG_PATHS = ("/v1/chat/completions", "/v1/responses")
OPEN_PATHS = ("/", "/design", "/health", "/api/login", "/embed.js")
OPEN_FOLDERS = ("/static/", "/s/", "/a/", "/review/", "/embed/", "/share/")
"""Paths that need no token: they have no data, or only what a secret in the path opens."""
KNOWN = "known"
"""Key in a request's state: whether it is authorised, even if its path needs no token."""


class DefaultHeaders:
    """ASGI middleware that adds default headers against MIME sniffing, referrers and caching."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add those headers that the response does not set itself."""
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
    """ASGI middleware that checks Host, Origin, token or cookie, content type and body size.

    `uploads` maps the paths of uploads to their size limits in bytes.
    """

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
        """Refuse a request, or pass it on with a limit for its body."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refused = self._refused(scope, headers)
        limit = self._uploads.get(scope["path"], BODY_LIMIT)
        limit = LONG_LIMIT if scope["path"] in LONG_PATHS else limit
        if refused is None and too_long(headers, limit):
            await _discard_body(receive)
            refused = 413, f"the body is longer than {limit:,} bytes"
        if refused is None:
            known = not self._token or self._authorised(headers, foreign=False)
            scope.setdefault("state", {})[KNOWN] = known
            await self._app(
                scope, _limit_body(receive, limit, scope["path"] not in self._uploads), send
            )
            return
        status, detail = refused
        extra = {"WWW-Authenticate": "Bearer"} if status == 401 else None
        await respond(problem(status, detail), extra)(scope, receive, send)

    def _refused(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if not self._token and not from_here(scope):
            return 403, "without a token the server answers only its own machine"
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
        # Headers are bytes, which Starlette decodes as Latin-1; a token may be UTF-8.
        bearer = scheme.lower() == "bearer" and same(given.strip().encode("latin-1"), self._token)
        cookie = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
        if bearer:
            return True
        # A browser sends cookies with foreign pages' requests too (CSRF), so only a bearer token,
        # which a page has to know, authorises those.
        return not foreign and stands(cookie, self._token) and cookie not in self._signed_out


def is_open(path: str) -> bool:
    """Whether a path needs no token."""
    return path in OPEN_PATHS or path.startswith(OPEN_FOLDERS)


def from_here(scope: Scope) -> bool:
    """Whether a request comes from this machine; without a known client (Unix socket) it does."""
    client = scope.get("client")
    return client is None or is_loopback(client[0])


def is_loopback_name(host: str) -> bool:
    """Whether a Host header names this machine itself, on any port."""
    return is_loopback(_hostname(f"//{host}"))


def same_origin(origin: str, host: str) -> bool:
    """Whether a page of `origin` was served by this server, as addressed by the Host header."""
    scheme, _, place = origin.partition("://")
    return scheme in ("http", "https") and bool(place) and place.lower() == host.lower()


def is_json(headers: Headers) -> bool:
    """Whether a request has no body, or declares it as JSON.

    Requiring it is another defence against CSRF: a page can send forms and text/plain to other
    origins without a preflight request, but not JSON.
    """
    empty = headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers
    kind = media_type(headers)
    return kind == "application/json" or (empty and not kind) or (empty and _is_plain(kind))


def media_type(headers: Headers) -> str:
    """Return the declared media type of the body, without parameters."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def _is_plain(kind: str) -> bool:
    """Whether a type is one that clients set by themselves on a POST without a body."""
    return kind in ("application/x-www-form-urlencoded", "text/plain")


def too_long(headers: Headers, limit: int) -> bool:
    """Whether Content-Length exceeds the limit, or is not a number."""
    length = headers.get("content-length", "0")
    return not length.isdigit() or int(length) > limit


def _hostname(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


async def _discard_body(receive: Receive) -> None:
    """Read and drop the rest of a body, at most `DISCARDED` bytes."""
    left = DISCARDED
    while left > 0:
        message = await receive()
        left -= len(message.get("body", b""))
        if message["type"] != "http.request" or not message.get("more_body"):
            return


def _limit_body(receive: Receive, limit: int, is_json: bool) -> Receive:
    """Wrap `receive` to raise 413 if the body exceeds a limit: chunked bodies declare no length."""
    got = values = 0

    async def counted() -> Message:
        nonlocal got, values
        message = await receive()
        piece = message.get("body", b"")
        got += len(piece)
        values += sum(map(piece.count, (b"[", b"{", b","))) if is_json else 0
        if got > limit or values > VALUES:
            if message.get("more_body"):
                await _discard_body(receive)
            what = f"{limit:,} bytes" if got > limit else f"{VALUES:,} values"
            raise HTTPException(413, f"the body is longer than {what}")
        return message

    return counted
