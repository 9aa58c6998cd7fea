"""Client of the Warcraft Logs v2 GraphQL API: OAuth credentials, rate limit, retries.

The API takes a client id and secret (created on its site under "manage your clients"), or, for
private reports, the token of a user who authorised a client. It grants a number of points per
hour. Requests are retried a few times if the service is busy (429, 5xx) or silent, and not at all
if it asks for a longer wait than LONGEST_WAIT.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import httpx2
from pydantic import BaseModel, ConfigDict, ValidationError

from ruleplay.errors import NotFound, Unavailable, UserError

SITE = "https://www.warcraftlogs.com"
"""Other games and seasons have sites of their own; pass `site`."""
CLIENT_ID, CLIENT_SECRET = "WCL_CLIENT_ID", "WCL_CLIENT_SECRET"
USER_TOKEN = "WCL_USER_TOKEN"
TRIES = 5
LONGEST_WAIT = 60.0
"""Maximum delay in seconds before one request is retried."""
PAGE_BYTES = 64 * 1024 * 1024
_TIMEOUT = 30.0
_BUSY = frozenset({429, 500, 502, 503, 504})
Json = dict[str, object]


class Points(BaseModel):
    """What the service allows in an hour, and what is spent of it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    limitPerHour: float  # noqa: N815 (their name)
    pointsSpentThisHour: float  # noqa: N815
    pointsResetIn: float  # noqa: N815


@dataclass
class Client:
    """The API client; `wait` and `http` can be replaced in tests."""

    client_id: str
    client_secret: str
    site: str = SITE
    wait: Callable[[float], None] = time.sleep
    http: httpx2.Client = field(default_factory=lambda: httpx2.Client(timeout=_TIMEOUT))
    points: Points | None = None
    user_token: str = ""
    _token: str = ""

    def close(self) -> None:
        """Close all connections."""
        self.http.close()

    def query(self, text: str, **variables: object) -> Json:
        """Run a GraphQL query and return its `data`.

        Raises UserError (credentials refused, query failed), NotFound (no such report) and
        Unavailable (no connection, points used up, busy for too long).
        """
        self._heed_points()
        token = self.user_token or self._token or self._log_in()
        door = "user" if self.user_token else "client"
        body = {"query": text, "variables": variables}
        headers = {"Authorization": f"Bearer {token}"}
        answer = self._send(f"{self.site}/api/v2/{door}", json=body, headers=headers)
        if errors := answer.get("errors"):
            raise _refusal(errors)
        data = answer.get("data")
        if not isinstance(data, dict):
            raise Unavailable("Warcraft Logs answered without data; try again later")
        self._note_points(data)
        return data

    def _log_in(self) -> str:
        form = {"grant_type": "client_credentials"}
        answer = self._send(
            f"{self.site}/oauth/token", data=form, auth=(self.client_id, self.client_secret)
        )
        token = answer.get("access_token")
        if not isinstance(token, str) or not token:
            raise Unavailable("Warcraft Logs gave no access token; try again later")
        self._token = token
        return token

    def _note_points(self, data: Json) -> None:
        try:
            self.points = Points.model_validate(data.get("rateLimitData"))
        except ValidationError:
            self.points = None

    def _heed_points(self) -> None:
        if self.points and self.points.pointsSpentThisHour >= self.points.limitPerHour:
            minutes = max(1, round(self.points.pointsResetIn / 60))
            raise Unavailable(
                "the points that Warcraft Logs allows in an hour are used up;"
                f" try again in {minutes} minutes"
            )

    def _send(self, url: str, **request: object) -> Json:
        problem = ""
        for attempt in range(TRIES):
            try:
                answer = self.http.post(url, **request)  # type: ignore[arg-type]
            except httpx2.HTTPError as error:
                problem, pause = f"no answer ({type(error).__name__})", 2.0**attempt
            else:
                if answer.status_code not in _BUSY:
                    return _body(answer)
                problem, pause = f"status {answer.status_code}", _pause(answer, attempt)
                if pause > LONGEST_WAIT:
                    break
            if attempt + 1 < TRIES:
                self.wait(min(pause, LONGEST_WAIT))
        raise Unavailable(f"Warcraft Logs is not to be had now: {problem}; try again later")


def _pause(answer: httpx2.Response, attempt: int) -> float:
    told = answer.headers.get("Retry-After", "")
    return float(told) if told.isdecimal() else 2.0**attempt


def _body(answer: httpx2.Response) -> Json:
    if answer.status_code in (401, 403):
        raise UserError(
            "Warcraft Logs refused the client id and secret, or the user's token; check"
            f" {CLIENT_ID} and {CLIENT_SECRET}, made under 'manage your clients' on its site,"
            f" or {USER_TOKEN}"
        )
    if answer.status_code >= 400:
        raise UserError(f"Warcraft Logs refused the request with status {answer.status_code}")
    if len(answer.content) > PAGE_BYTES:
        raise Unavailable(f"Warcraft Logs sent a page of more than {PAGE_BYTES >> 20} MB")
    try:
        told = answer.json()
    except ValueError as error:
        raise Unavailable("Warcraft Logs sent what is no JSON; try again later") from error
    if not isinstance(told, dict):
        raise Unavailable("Warcraft Logs sent no JSON object; try again later")
    return told


def _refusal(errors: object) -> UserError:
    first = errors[0] if isinstance(errors, list) and errors else {}
    told = str(first.get("message", "no reason")) if isinstance(first, dict) else "no reason"
    if "does not exist" in told or "permission" in told:
        return NotFound(
            f"Warcraft Logs: {told[:300]!r}; check the code, and that it is public;"
            f" a private report needs {USER_TOKEN}, of a user who may read it"
        )
    return UserError(f"Warcraft Logs refused the query: {told[:300]!r}")


def client_from(
    environ: dict[str, str] | None = None, site: str = SITE, user_token: str = ""
) -> Client:
    """Create a client from the credentials in the environment; UserError names missing ones.

    A user token, passed or in the environment, takes precedence over all others.
    """
    named = dict(os.environ) if environ is None else environ
    ident, secret = named.get(CLIENT_ID, ""), named.get(CLIENT_SECRET, "")
    if token := user_token or named.get(USER_TOKEN, ""):
        # Checked here, since an invalid header value would only fail later and less clearly.
        if not token.isascii() or not token.isprintable() or " " in token:
            raise UserError(f"{USER_TOKEN} is no token: it has characters that none has")
        return Client("", "", site.rstrip("/"), user_token=token)
    if not ident or not secret:
        raise UserError(
            f"an import from Warcraft Logs needs {CLIENT_ID} and {CLIENT_SECRET}, or {USER_TOKEN};"
            " make a client on its site under 'manage your clients'"
        )
    return Client(ident, secret, site.rstrip("/"))


def object_in(data: Json, name: str) -> Json:
    """Get an object of an answer; NotFound if it is null, Unavailable if it is something else."""
    found = data.get(name)
    if found is None:
        raise NotFound(f"Warcraft Logs has no {name} for this; check the code")
    if not isinstance(found, dict):
        raise Unavailable(f"Warcraft Logs sent a {name} of another shape than its schema says")
    return found


def number_in(data: Json, name: str) -> float:
    """Get a number of an answer; Unavailable if it is none."""
    found = data.get(name)
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise Unavailable(f"Warcraft Logs sent no number as {name!r}")
    return float(found)
