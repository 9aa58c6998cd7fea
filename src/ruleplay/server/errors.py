"""What errors become over HTTP: one table, and problem details (RFC 9457) without internals."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from ruleplay.errors import (
    Away,
    Conflict,
    ModelError,
    NotFound,
    RuleplayError,
    Unavailable,
    UserError,
)

LOG = logging.getLogger(__name__)
MEDIA_TYPE = "application/problem+json"
RETRY = "2"
"""Seconds after which to ask again while the database does not answer."""
STATUSES: tuple[tuple[type[BaseException], int], ...] = (
    (NotFound, 404),
    (Conflict, 409),
    (UserError, 422),
    (Unavailable, 503),
    (ModelError, 502),
)
"""Error types and statuses; the first type that fits holds, anything else is a 500."""


class FieldProblem(BaseModel, frozen=True):
    """What is wrong with one field of a request."""

    field: str
    message: str


class Problem(BaseModel, frozen=True):
    """Problem details; `type` stays the same for a kind of error in all releases."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str = ""
    errors: tuple[FieldProblem, ...] = Field(default=(), description="fields, when some are wrong")


def problem_of(error: BaseException) -> Problem:
    """Return how an error is told to clients; of unexpected ones only that there was one."""
    status = next((status for kind, status in STATUSES if isinstance(error, kind)), 500)
    if status == 500 and not isinstance(error, RuleplayError):
        return problem(500, "something went wrong here; the server's log has more")
    return problem(status, str(error))


def problem(status: int, detail: str, errors: tuple[FieldProblem, ...] = ()) -> Problem:
    """Return a problem whose title is the status's own phrase."""
    return Problem(title=HTTPStatus(status).phrase, status=status, detail=detail, errors=errors)


def respond(told: Problem, headers: dict[str, str] | None = None) -> JSONResponse:
    """Return a problem as a response."""
    body = told.model_dump(mode="json", exclude_defaults=True)
    body = {"type": told.type, **body}
    return JSONResponse(body, told.status, headers=headers, media_type=MEDIA_TYPE)


def add_handlers(app: FastAPI) -> None:
    """Turn every error of an app into a problem."""
    app.add_exception_handler(RuleplayError, _told)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)


def _told(_: Request, error: Exception) -> JSONResponse:
    return respond(problem_of(error), {"Retry-After": RETRY} if isinstance(error, Away) else None)


def _unexpected(request: Request, error: Exception) -> JSONResponse:
    LOG.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return respond(problem_of(error))


def _http(_: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, HTTPException):
        raise error
    headers = dict(error.headers or {})
    return respond(problem(error.status_code, str(error.detail)), headers)


def _invalid(_: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, RequestValidationError):
        raise error
    if any(entry["type"] == "json_invalid" for entry in error.errors()):
        return respond(problem(400, "the body is not valid JSON"))
    wrong = tuple(_fields(error))
    detail = "; ".join(f"{entry.field}: {entry.message}" for entry in wrong[:3])
    return respond(problem(422, detail, wrong))


def _fields(error: RequestValidationError) -> Iterator[FieldProblem]:
    for entry in error.errors():
        where = ".".join(str(part) for part in entry["loc"] if part != "body") or "body"
        yield FieldProblem(field=where, message=entry["msg"])


def problems(*statuses: int) -> dict[int | str, dict[str, object]]:
    """Return the OpenAPI entries of the problems a route answers with."""
    # No `model`: FastAPI would add the media type of the route's own answers.
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"description": HTTPStatus(status).phrase, "content": content}
        for status in statuses
    }
