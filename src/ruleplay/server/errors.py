"""The mapping of errors to HTTP statuses and to problem details (RFC 9457)."""

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
"""Retry-After in seconds while the database does not answer."""
STATUSES: tuple[tuple[type[BaseException], int], ...] = (
    (NotFound, 404),
    (Conflict, 409),
    (UserError, 422),
    (Unavailable, 503),
    (ModelError, 502),
)
"""Error types and statuses; the first match counts, so subclasses come first. Others are 500."""


class FieldProblem(BaseModel, frozen=True):
    """What is wrong with one field of a request."""

    field: str
    message: str


class Problem(BaseModel, frozen=True):
    """Problem details; a kind of error keeps its `type` in all releases."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str = ""
    errors: tuple[FieldProblem, ...] = Field(default=(), description="fields, when some are wrong")


def problem_of(error: BaseException) -> Problem:
    """Convert an error to a problem; unexpected ones without their text, which may hold secrets."""
    status = next((status for kind, status in STATUSES if isinstance(error, kind)), 500)
    if status == 500 and not isinstance(error, RuleplayError):
        return problem(500, "something went wrong; the server's log has the details")
    return problem(status, str(error))


def problem(status: int, detail: str, errors: tuple[FieldProblem, ...] = ()) -> Problem:
    """Make a problem whose title is the status's standard phrase."""
    return Problem(title=HTTPStatus(status).phrase, status=status, detail=detail, errors=errors)


def respond(found: Problem, headers: dict[str, str] | None = None) -> JSONResponse:
    """Make the response for a problem."""
    body = found.model_dump(mode="json", exclude_defaults=True)
    body = {"type": found.type, **body}
    return JSONResponse(body, found.status, headers=headers, media_type=MEDIA_TYPE)


def add_handlers(app: FastAPI) -> None:
    """Make an app answer all errors with problems."""
    app.add_exception_handler(RuleplayError, _expected)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)


def _expected(_: Request, error: Exception) -> JSONResponse:
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
    """Make the OpenAPI entries of the problems that a route may answer with."""
    # Not by `model`, for which FastAPI would use the media type of the route's own responses.
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"description": HTTPStatus(status).phrase, "content": content}
        for status in statuses
    }
