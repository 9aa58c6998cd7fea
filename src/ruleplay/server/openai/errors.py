"""Errors in OpenAI's format, including those that middleware sends before any route.

OpenAI's clients retry after 408, 409, 429 and 5xx. Errors that a retry cannot cure tell them not to
by the header `x-should-retry: false`.
"""

from __future__ import annotations

import gzip
import json
import logging
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ruleplay.records.events import Json
from ruleplay.server.errors import MEDIA_TYPE as PROBLEM
from ruleplay.server.errors import problem_of

LOG = logging.getLogger(__name__)
PREFIX = "/v1/"
KINDS = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}
FINAL = "x-should-retry"
"""The header that overrides the retries of OpenAI's clients."""


class ErrorDetail(BaseModel):
    """What is wrong."""

    message: str
    type: str
    param: str | None
    code: str | None


class ErrorAnswer(BaseModel):
    """An error in OpenAI's format."""

    error: ErrorDetail


class Refusal(HTTPException):
    """An error with one of OpenAI's codes, and the parameter it is about."""

    def __init__(self, status: int, detail: str, code: str = "", param: str = "") -> None:
        super().__init__(status, detail)
        self.code, self.param = code, param


def error_body(status: int, message: str, code: str = "", param: str = "") -> Json:
    """Make the body of an error."""
    kind = KINDS.get(status, "server_error" if status >= 500 else "invalid_request_error")
    error: Json = {"message": message, "type": kind, "param": param or None, "code": code or None}
    return {"error": error}


def answers(*statuses: int) -> dict[int | str, dict[str, object]]:
    """Make the OpenAPI entries of the errors that a route may answer with."""
    return {
        status: {"description": HTTPStatus(status).phrase, "model": ErrorAnswer}
        for status in statuses
    }


async def _refused(_: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, Refusal):
        raise error
    body = error_body(error.status_code, str(error.detail), error.code, error.param)
    return JSONResponse(body, error.status_code, headers=dict(error.headers or {}))


class Translated:
    """ASGI middleware that converts problem details to OpenAI's errors, below `/v1/`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and convert its response if that is a problem."""
        if scope["type"] != "http" or not scope["path"].startswith(PREFIX):
            await self._app(scope, receive, send)
            return
        try:
            await self._app(scope, receive, _translating(send))
        except Exception as error:  # as `server.errors` does for all other routes
            LOG.error("%s %s failed", scope["method"], scope["path"], exc_info=error)
            body = error_body(500, problem_of(error).detail)
            await JSONResponse(body, 500, headers={FINAL: "false"})(scope, receive, send)


def _translating(send: Send) -> Send:
    held: Message | None = None
    body = b""

    async def translated(message: Message) -> None:
        nonlocal held, body
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=message["headers"])
            if message["status"] >= 400 and "retry-after" not in headers:
                headers[FINAL] = "false"
            if headers.get("content-type", "").startswith(PROBLEM):
                held = message  # sent when the new body's length is known
                return
        if held is None:
            await send(message)
            return
        body += message.get("body", b"")
        if message.get("more_body"):
            return
        start, held = held, None
        headers = MutableHeaders(raw=start["headers"])
        if headers.get("content-encoding") == "gzip":
            del headers["content-encoding"]
            body = gzip.decompress(body)
        converted = _converted(start["status"], body)
        headers["content-type"], headers["content-length"] = "application/json", str(len(converted))
        await send(start)
        await send({"type": "http.response.body", "body": converted})

    return translated


def _converted(status: int, body: bytes) -> bytes:
    problem = json.loads(body)
    param = next((str(wrong["field"]) for wrong in problem.get("errors", ())), "")
    message = str(problem.get("detail") or problem.get("title"))
    return json.dumps(error_body(status, message, param=param)).encode()


def add_to(app: FastAPI) -> None:
    """Use OpenAI's format for these routes' errors; add it after (outside) the other middleware."""
    app.add_exception_handler(Refusal, _refused)
    app.add_middleware(Translated)
