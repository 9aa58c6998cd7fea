"""Routes for embedding: the script for other sites, the page in the frame, its guests' turns."""

from __future__ import annotations

import re
from html import escape
from importlib.resources import files
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, Header, Path, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from pydantic import Field, JsonValue
from starlette.exceptions import HTTPException

from ruleplay.errors import Conflict
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import view_json
from ruleplay.records.events import Json
from ruleplay.records.given import Given
from ruleplay.records.turns import whole_reply
from ruleplay.server.addresses import client_of
from ruleplay.server.embedding.guests import Guest, Guests
from ruleplay.server.errors import problems
from ruleplay.server.events import EventStream, turn_stream
from ruleplay.server.shapes import Body
from ruleplay.server.wiring import TheHost, TheTurnCache, TheTurnTasks, from_app_state

routes = APIRouter(tags=["embedding"], responses=problems(403, 500))
KINDS = {"js": "text/javascript", "css": "text/css"}
TURNS = 100
"""Turns that are shown when a guest reloads the frame."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src https:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors {ancestors}"
)
TheGuests = Annotated[Guests, Depends(from_app_state(Guests, "guests"))]
AgentName = Annotated[str, Path(max_length=64)]
_BEARER = re.compile(r"[Bb]earer (\S+)")


_TEXT = {"schema": {"type": "string"}}
_SCRIPT: dict[int | str, dict[str, object]] = {200: {"content": {"text/javascript": _TEXT}}}
_FILE: dict[int | str, dict[str, object]] = {
    200: {"content": {"text/javascript": _TEXT, "text/css": _TEXT}},
    **problems(404, 422),
}
_TURN: dict[int | str, dict[str, object]] = {
    200: {"description": "The turn's events", "content": {"text/event-stream": _TEXT}},
    **problems(400, 401, 404, 409, 413, 415, 422, 429, 503),
}


class Said(Body):
    """A guest's message."""

    message: str = Field(min_length=1, max_length=8_000)


def _guest(
    agent: AgentName,
    guests: TheGuests,
    authorization: Annotated[str, Header(description="`Bearer` and the guest's token")] = "",
) -> Guest:
    found = _BEARER.fullmatch(authorization)
    return guests.read(found[1] if found else "", agent)


TheGuest = Annotated[Guest, Depends(_guest)]


@routes.get("/embed.js", response_class=Response, responses=_SCRIPT)
async def embed_script() -> Response:
    """Serve the script that puts an agent's frame on a page."""
    return _asset("embed.js")


@routes.get("/embed/files/{name}", response_class=Response, responses=_FILE)
async def embed_file(name: Annotated[str, Path(max_length=40)]) -> Response:
    """Serve a file of the frame's page."""
    if name not in ("frame.js", "frame.css"):
        raise HTTPException(404, f"no file {name!r} here")
    return _asset(name)


@routes.get(
    "/embed/{agent}",
    response_class=HTMLResponse,
    responses=problems(404, 422, 429, 503),
)
async def embed_page(
    agent: AgentName,
    request: Request,
    host: TheHost,
    guests: TheGuests,
    referer: Annotated[str, Header(description="The page that shows the frame.")] = "",
) -> HTMLResponse:
    """Serve the page in the frame, with a guest's token for the embedding origin.

    Only the origins in the setting `framed_by` may embed it.
    """
    found = await host.agent(agent)
    if found.public_seat:
        raise HTTPException(403, f"{agent!r} has guarded seats and cannot be embedded")
    token = guests.invite(agent, _origin(referer), client_of(request.scope))
    text = files(__package__).joinpath("frame.html").read_text("utf-8")
    filled = text.replace("{{title}}", escape(found.title)).replace("{{token}}", token)
    policy = POLICY.format(ancestors=" ".join(guests.origins) or "'none'")
    headers = {
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
    }
    return HTMLResponse(filled.replace("{{agent}}", escape(agent)), headers=headers)


@routes.get("/embed/{agent}/session", responses=problems(401, 404, 422, 503))
async def show_guests_session(guest: TheGuest, host: TheHost, guests: TheGuests) -> JSONResponse:
    """Show the turns of a guest's session, the suggested replies, and the cards."""
    session = await guests.session(guest)
    if not session:
        return JSONResponse({"turns": [], "quick_replies": [], "cards": [], "language": ""})
    return JSONResponse(await _told(host, session))


@routes.post("/embed/{agent}/turns", status_code=200, response_class=EventStream, responses=_TURN)
async def play_guests_turn(
    given: Said,
    guest: TheGuest,
    host: TheHost,
    guests: TheGuests,
    turn_tasks: TheTurnTasks,
    turn_cache: TheTurnCache,
) -> EventStream:
    """Play a turn in a guest's session, and stream it."""
    guests.admit_turn(guest)
    session = await guests.begin(guest)
    if host.bus.running(session):
        raise Conflict("a turn runs already; wait for its reply")
    started = await turn_tasks.play(session, Given(message=given.message), "", None)
    seat = await _seat(host, session)
    return turn_stream(host, turn_cache, session, started, seat)


async def _told(host: Host, session: str) -> Json:
    head, _ = await host.store.read(session)
    seat = await _seat(host, session)
    line = await host.store.lineage(head.head, TURNS)
    turns: list[JsonValue] = [
        {"message": turn.given.message, "reply": whole_reply(turn, seat)} for turn in line
    ]
    view = await view_json(host, head, head.head, seat)
    listed = {name: view.get(name) or [] for name in ("quick_replies", "cards")}
    return {"turns": turns, **listed, "language": str(view.get("language") or "")}


async def _seat(host: Host, session: str) -> str:
    head, _ = await host.store.read(session)
    state, _number = await host.state(head, head.head)
    return host.find_agent(head.agent).reading_seat(state)


def _origin(referer: str) -> str:
    try:
        parts = urlsplit(referer)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def _asset(name: str) -> Response:
    text = files(__package__).joinpath(name).read_text("utf-8")
    headers = {"X-Content-Type-Options": "nosniff", "Cache-Control": "max-age=300"}
    # Embedding pages with `Cross-Origin-Embedder-Policy: require-corp` load only files that set it.
    headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return Response(text, media_type=KINDS[name.rpartition(".")[2]], headers=headers)
