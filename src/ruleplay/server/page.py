"""The web page, when it was built: its document under its addresses, and its assets."""

from __future__ import annotations

import asyncio
import os
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from urllib.parse import quote, urlencode

from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Match, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from ruleplay.errors import RuleplayError
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import Session, session_json
from ruleplay.records.events import Json
from ruleplay.server import firstlook
from ruleplay.server.access import Access
from ruleplay.server.security import KNOWN
from ruleplay.server.sessions import agents_json

BUILT = Path(__file__).parent / "static"
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "Cache-Control": "no-cache",  # asked after each time: these names outlive their content
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Service-Worker-Allowed": "/",  # worker.js keeps the page for when no server answers
}
FOREVER = "public, max-age=31536000, immutable"  # below a name that is its content's own
TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".json": "application/json",
    ".map": "application/json",
    ".mjs": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
"""Types by suffix, the same on every machine; what is not listed is not served."""


ALSO = 'data-also=""'
"""Where a document names what is fetched with the page, once its first look was painted."""
AGENTS = "/api/agents"
SOON = 0.5
"""Seconds that a document waits for what the page can ask for itself."""
ADDRESSES = ("/", "/s/{session}", "/a/{agent}", "/design", "/review/{review}")
"""Where the page's one document is found; its own code tells these apart."""
_AGENTS = re.compile(r"[0-9a-f]+/agents/(([a-z][a-z0-9_-]*)(?:\.js|/.+))")
"""Below the built page's own folder, so that agents' modules reach it by relative paths."""


_BASE = re.compile(r'href="/static/([0-9a-f]+)/')
"""Where a built document has its modules."""
_BUILT = re.compile(r"[0-9a-f]{12}/")
_IMPORTED = re.compile(
    r"^(?:import|export)(?:[^;'\"]*?\sfrom)?\s+['\"](\.[^'\"]+)['\"]", re.MULTILINE
)


@cache
def page_modules(agent: str, own: Path, built: Path) -> tuple[str, ...]:
    """Return the modules that an agent's page imports, as the built page has them; its looks.

    Of an agent that was built with the page, one module has them all.
    """
    found = [f"agents/{agent}.js"]
    whole = (built / found[0]).is_file()
    for path in found if not whole else ():  # which grows
        file = own / path.removeprefix("agents/") if path.startswith("agents/") else built / path
        text = file.read_text("utf-8") if file.is_file() else ""
        for target in _IMPORTED.findall(text):
            module = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
            if module not in found:
                found.append(module)
    looks = f"agents/{agent}/{agent}.css"
    return (*found, looks) if (own / looks.removeprefix("agents/")).is_file() else tuple(found)


def with_agent(document: str, agent: str, own: Path, folder: Path) -> str:
    """Return a document that has the browser fetch an agent's modules after the first paint."""
    base = _BASE.search(document)
    also = " ".join(page_modules(agent, own, folder / base[1])) if base else ""
    return document.replace(ALSO, f'data-also="{escape(also)}"', 1)


def _encodings(scope: Scope) -> set[str]:
    """Return in which ways a browser takes what is compressed."""
    asked = Headers(scope=scope).get("accept-encoding", "")
    return {one.partition(";")[0].strip() for one in asked.split(",")}


class Assets(StaticFiles):
    """Files of one folder and of agents' pages, with the headers that keep browsers strict."""

    def __init__(self, folder: Path, agents: Mapping[str, Path]) -> None:
        super().__init__(directory=folder)
        self._agents = {name: StaticFiles(directory=place) for name, place in agents.items()}

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Find a file of the page, or one that an agent brings."""
        place, there = super().lookup_path(path)
        found = _AGENTS.fullmatch(path.replace(os.sep, "/"))
        if there is None and found and (pages := self._agents.get(found[2])):
            return pages.lookup_path(found[1])
        return place, there

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """Answer with a file, or that the browser has it already."""
        kind = TYPES.get(Path(full_path).suffix.lower())
        if kind is None:
            raise HTTPException(404)
        pressed = Path(f"{full_path}.br")
        if "br" in _encodings(scope) and pressed.is_file():
            full_path, stat_result = pressed, pressed.stat()
        answer = super().file_response(full_path, stat_result, scope, status_code)
        if full_path is pressed:
            answer.headers.update({"Content-Encoding": "br", "Vary": "Accept-Encoding"})
        if answer.status_code == status_code:
            charset = "; charset=utf-8" if kind.startswith("text/") else ""
            answer.headers["Content-Type"] = kind + charset
        answer.headers.update(HEADERS)
        if _BUILT.match(os.path.relpath(full_path, str(self.directory))):
            answer.headers["Cache-Control"] = FOREVER
        return answer


class Reading(Route):
    """A route for people alone: browsers that open an address of no other route as a page."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match where a page is asked for, and never below the addresses that programs use."""
        path = str(scope.get("path", ""))
        programs = path.startswith(("/api/", "/static/", "/v1/", "/mcp", "/agui/"))
        if scope["type"] != "http" or programs:
            return Match.NONE, {}
        if "text/html" not in Headers(scope=scope).get("accept", ""):
            return Match.NONE, {}
        return super().matches(scope)


@dataclass(frozen=True)
class Asked:
    """What a document is asked for: whose page it is, and what is at hand of what it will ask."""

    agent: str
    known: Mapping[str, Json]
    """Answers by their addresses; a guarded seat's cookie comes to the session's routes alone."""

    @property
    def session(self) -> Json | None:
        """The session that is opened, as its reader may see it."""
        return next((got for path, got in self.known.items() if path != AGENTS), None)


async def _asked(request: Request) -> Asked:
    """Return what a request asks for; nothing is known to who may not know it."""
    host, session = getattr(request.app.state, "host", None), request.path_params.get("session")
    agent = str(request.path_params.get("agent", ""))
    if not isinstance(host, Host) or not getattr(request.state, KNOWN, False):
        return Asked("", {})
    if not session:
        return Asked(agent, await _agents())
    seat = request.query_params.get("seat", "")
    path = f"/api/sessions/{quote(session, safe='')}"
    path += f"?{urlencode({'seat': seat})}" if seat else ""
    try:
        head, _ = await host.store.read(session)
        looking = await Access(host, ()).reading(session, seat)
        answer = await session_json(Session(host, session), looking)
    except HTTPException:  # the seat is guarded; the page asks with its cookie
        return Asked(head.agent, await _agents())
    except RuleplayError:  # the page says what is wrong
        return Asked("", {})
    return Asked(head.agent, {**await _agents(), path: answer})


async def _agents() -> dict[str, Json]:
    """Return the agents, as the page is going to ask for them; a first import takes too long."""
    asked = asyncio.ensure_future(agents_json())
    await asyncio.wait({asked}, timeout=SOON)
    return {AGENTS: asked.result()} if asked.done() else {}


def add_page(app: FastAPI, folder: Path, agents: Mapping[str, Path]) -> bool:
    """Serve the page of a folder, also under its deep links; False when there is none.

    `agents` are the folders of agents' own modules by their names.
    """
    index = folder / "index.html"
    if not index.is_file():
        return False
    assets = Assets(folder, agents)

    async def page(request: Request) -> Response:
        # Found anew each time, so that a page that is built again is served at once.
        if not index.is_file():
            raise HTTPException(404)
        reader, asked = firstlook.Reader.of(request), await _asked(request)
        text = index.read_text("utf-8")
        if own := agents.get(asked.agent):
            text = with_agent(text, asked.agent, own, folder)
        words = firstlook.words_of(folder, reader.language)
        session = words and asked.session
        look = firstlook.session(words, session) if session else words.get(request.url.path, "")
        text = firstlook.dressed(text, reader, look, asked.known)
        tag = {"ETag": f'"{sha256(text.encode()).hexdigest()[:32]}"'}
        known = request.headers.get("if-none-match") == tag["ETag"]
        return HTMLResponse("" if known else text, 304 if known else 200, {**HEADERS, **tag})

    for path in ADDRESSES:
        app.router.routes.append(Route(path, page, methods=["GET"]))
    app.mount("/static", assets)

    async def nowhere(request: Request) -> Response:
        if not index.is_file():
            raise HTTPException(404)
        return assets.file_response(index, index.stat(), request.scope, 404)

    app.router.routes.append(Reading("/{anywhere:path}", nowhere, methods=["GET"]))
    return True
