"""Signing in with the server's token: the page then holds a cookie that scripts cannot read."""

from __future__ import annotations

import hmac
from hashlib import sha256

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from ruleplay.server.errors import problems
from ruleplay.server.shapes import Login
from ruleplay.server.wiring import TheHost

routes = APIRouter(prefix="/api", tags=["server"], responses=problems(403, 413, 415, 500))
COOKIE = "ruleplay"
MONTH = 30 * 24 * 3600


@routes.post("/login", status_code=204, responses=problems(400, 401, 422))
async def login(given: Login, request: Request, host: TheHost) -> Response:
    """Set the cookie that stands for the token; without a token there is nothing to do."""
    token = host.settings.token
    if not token:
        return Response(status_code=204)
    if not same(given.token, token):
        raise HTTPException(401, "that is not the server's token", {"WWW-Authenticate": "Bearer"})
    answer = Response(status_code=204)
    answer.set_cookie(
        COOKIE,
        cookie_of(token),
        max_age=MONTH,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return answer


@routes.post("/logout", status_code=204, responses=problems(401))
async def logout() -> Response:
    """Take the cookie away."""
    answer = Response(status_code=204)
    answer.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return answer


def cookie_of(token: str) -> str:
    """Return the cookie's value: it proves the token without holding it, and dies with it."""
    return hmac.new(token.encode(), b"ruleplay cookie", sha256).hexdigest()


def same(given: str | bytes, secret: str) -> bool:
    """Compare with a secret in a time that tells nothing about it."""
    raw = given if isinstance(given, bytes) else given.encode(errors="replace")
    return hmac.compare_digest(raw, secret.encode())
