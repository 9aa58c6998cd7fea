"""Signing in with the server's token, in exchange for a cookie that scripts cannot read."""

from __future__ import annotations

import asyncio
import hmac
import os
import secrets
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from ruleplay.server.errors import problems
from ruleplay.server.shapes import Login
from ruleplay.server.wiring import TheHost, from_app_state

routes = APIRouter(prefix="/api", tags=["server"], responses=problems(403, 413, 415, 500))
COOKIE = "ruleplay"
LONGEST = 200
"""Maximum characters of our cookie; a longer one is not ours."""
MONTH = 30 * 24 * 3600


class SignedOut:
    """The revoked cookies that have not expired yet, in a file that all servers of a home share."""

    def __init__(self, home: Path | None = None) -> None:
        self._file = home / "signed-out" if home else None
        self._numbers: dict[str, int] = {}
        self._read: tuple[int, int] = (0, 0)

    def __contains__(self, cookie: str) -> bool:
        self._refresh()
        return cookie.partition(".")[0] in self._numbers

    def add(self, cookie: str) -> None:
        """Revoke a cookie, and drop those that have expired in the meantime."""
        number, _, rest = cookie.partition(".")
        ends = rest.partition(".")[0]
        if len(cookie) > LONGEST or not number or not ends.isdecimal():
            return
        self._refresh()
        now = int(time())
        self._numbers[number] = int(ends)
        self._numbers = {one: end for one, end in self._numbers.items() if end > now}
        if self._file:
            text = "".join(f"{one} {end}\n" for one, end in self._numbers.items())
            part = self._file.with_suffix(f".{os.getpid()}")
            part.write_text(text, "ascii")
            part.replace(self._file)

    def _refresh(self) -> None:
        """Load what other processes have added, if the file has changed."""
        if self._file is None:
            return
        with suppress(OSError, ValueError):
            found = self._file.stat()
            if (seen := (found.st_mtime_ns, found.st_ino)) != self._read:
                lines = (line.split() for line in self._file.read_text("ascii").splitlines())
                self._numbers |= {one: int(end) for one, end in lines}
                self._read = seen


TheSignedOut = Annotated[SignedOut, Depends(from_app_state(SignedOut, "signed_out"))]


@routes.post("/login", status_code=204, responses=problems(400, 401, 422))
async def login(given: Login, request: Request, host: TheHost) -> Response:
    """Check the token and set the cookie; does nothing if the server has no token."""
    token = host.settings.token
    if not token:
        return Response(status_code=204)
    if not same(given.token, token):
        raise HTTPException(401, "that is not the server's token", {"WWW-Authenticate": "Bearer"})
    answer = Response(status_code=204)
    answer.set_cookie(
        COOKIE,
        new_cookie(token),
        max_age=MONTH,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return answer


@routes.post("/logout", status_code=204, responses=problems(401))
async def logout(request: Request, signed_out: TheSignedOut) -> Response:
    """Delete the cookie, and revoke it in case somebody has copied it."""
    await asyncio.to_thread(signed_out.add, request.cookies.get(COOKIE, ""))
    answer = Response(status_code=204)
    answer.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return answer


def new_cookie(token: str) -> str:
    """Make a cookie's value: `NUMBER.EXPIRY.HMAC`, with a random number and Unix seconds.

    The HMAC is keyed with the token: it proves the token without containing it, and becomes invalid
    when the token is changed.
    """
    head = f"{secrets.token_hex(16)}.{int(time()) + MONTH}"
    return f"{head}.{_proof(head, token)}"


def stands(cookie: str, token: str) -> bool:
    """Whether a cookie was issued for this token and has not expired."""
    head, _, proof = cookie.rpartition(".")
    ends = head.partition(".")[2]
    return same(proof, _proof(head, token)) and ends.isdecimal() and int(ends) > time()


def _proof(head: str, token: str) -> str:
    return hmac.new(token.encode(), f"ruleplay cookie {head}".encode(), sha256).hexdigest()


def same(given: str | bytes, secret: str) -> bool:
    """Compare with a secret in constant time, so that timing reveals nothing about it."""
    raw = given if isinstance(given, bytes) else given.encode(errors="replace")
    return hmac.compare_digest(raw, secret.encode())
