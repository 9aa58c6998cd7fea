"""Read-only share links: created, listed and revoked with the server's token, opened without."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import BaseModel, Field

from ruleplay.errors import NotFound
from ruleplay.kernel.sharing import LANGUAGES, SESSION, document, make_share, shared_page
from ruleplay.server.access import TheAccess
from ruleplay.server.errors import problems
from ruleplay.server.firstlook import preferred
from ruleplay.server.health import POLICY as CLOSED
from ruleplay.server.shapes import Body, Plain
from ruleplay.server.wiring import TheHost
from ruleplay.storage.shares import Share, Shares

routes = APIRouter(tags=["shares"], responses=problems(401, 403, 500))
POLICY = f"{CLOSED}; style-src 'unsafe-inline'"
GONE = {
    "en": "This link is not valid (any more).",
    "fr": "Ce lien n’est pas valable, ou ne l’est plus.",
    "de": "Dieser Link ist nicht oder nicht mehr gültig.",
}


class NewShare(Body):
    """What to share: a session, or something that an agent can share, such as a raid's report."""

    kind: Plain = Field(max_length=64, description="session, or agent")
    what: Plain = Field(default="", max_length=80, description="session id, or report code")


class ShareRow(BaseModel):
    """A valid link. Its address is not stored; it was returned when the link was made."""

    id: str
    kind: str
    what: str
    title: str
    made: datetime


class NewLink(ShareRow):
    """A new link: `path` is its address on this server, and is not returned again."""

    path: str


class ShareList(BaseModel):
    """The valid links, newest first."""

    shares: list[ShareRow]


@routes.post("/api/shares", status_code=201, responses=problems(400, 404, 409, 413, 415, 422, 503))
async def share(given: NewShare, host: TheHost, access: TheAccess) -> NewLink:
    """Make a link by which one session or report can be read without the token."""
    if given.kind == SESSION:
        await access.moving(given.what)
    made, token = await make_share(host, given.kind, given.what)
    return NewLink(**made.model_dump(), path=f"/share/{token}")


@routes.post(
    "/api/sessions/{session}/shares",
    status_code=201,
    responses=problems(404, 409, 413, 415, 422, 503),
)
async def share_session(session: Plain, host: TheHost, access: TheAccess) -> NewLink:
    """Make a link to a session; here browsers send the seats' cookies, whose path is this one."""
    return await share(NewShare(kind=SESSION, what=session), host, access)


@routes.get("/api/shares")
async def list_shares(host: TheHost) -> ShareList:
    """List the valid links."""
    found = await asyncio.to_thread(Shares(host.settings.home).all)
    return ShareList(shares=[ShareRow(**one.model_dump()) for one in found])


@routes.delete("/api/shares/{ident}", status_code=204, responses=problems(404, 422))
async def revoke(ident: Annotated[Plain, Path(max_length=64)], host: TheHost) -> Response:
    """Revoke a link."""
    await asyncio.to_thread(Shares(host.settings.home).revoke, ident)
    return Response(status_code=204)


@routes.get(
    "/share/{token}",
    response_class=HTMLResponse,
    responses={
        404: {"content": {"text/html": {}}, "description": "No such link."},
        **problems(422, 503),
    },
)
async def open_share(
    token: Annotated[Plain, Path(max_length=64)],
    request: Request,
    host: TheHost,
    lang: Literal["en", "fr", "de"] | None = None,
) -> HTMLResponse:
    """Show what a link shares, as a static page without scripts; needs no token."""
    language = lang or preferred(request, LANGUAGES)
    try:
        found: Share = await asyncio.to_thread(Shares(host.settings.home).find, token)
        page, status = await shared_page(host, found, language), 200
    except NotFound:
        page = document(language, "Ruleplay", "", f"<p>{GONE[language]}</p>")
        status = 404
    headers = {"Content-Security-Policy": POLICY, "X-Robots-Tag": "noindex"}
    return HTMLResponse(page, status, headers=headers)
