"""The health check, and the plain front page that is served if the web page is not built."""

from __future__ import annotations

import asyncio
from html import escape

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from ruleplay import __version__
from ruleplay.errors import Away
from ruleplay.server.errors import problems
from ruleplay.server.shapes import Health
from ruleplay.server.wiring import TheHost

routes = APIRouter(responses=problems(403))
plain = APIRouter(responses=problems(403))
ANSWERS = 3
"""Seconds that the health check waits for the database."""
POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Ruleplay</title>
</head>
<body>
<h1>Ruleplay</h1>
<p>Turn-based agents that play by the rules: code decides what happens, a language model only
proposes and tells. This server (version {version}) hosts them over HTTP; the routes are described
in <a href="/openapi.json">openapi.json</a>.</p>
<p>List the agents, start a session, say something:</p>
<pre>
curl {auth}{url}/api/agents
curl {auth}{url}/api/sessions -H 'Content-Type: application/json' -d '{{"agent": "parts"}}'
curl {auth}'{url}/api/sessions/ID/turns?wait=true' -H 'Content-Type: application/json' \
-d '{{"message": "My dishwasher WDT780SAEM1 leaks"}}'
</pre>
<p>ID is the <code>id</code> in the answer to the second line. In a terminal,
<code>ruleplay chat parts</code> does the same.</p>
</body>
</html>
"""


@plain.get("/", response_class=HTMLResponse, tags=["server"])
async def front_page(request: Request, host: TheHost) -> HTMLResponse:
    """Show what this server is and how to use it."""
    auth = "-H 'Authorization: Bearer TOKEN' " if host.settings.token else ""
    url = f"{request.url.scheme}://{request.url.netloc}"
    page = PAGE.format(version=escape(__version__), url=escape(url), auth=escape(auth))
    headers = {"Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff"}
    return HTMLResponse(page, headers=headers)


@routes.get("/health", responses={200: {"model": Health}, **problems(503)}, tags=["server"])
async def health(host: TheHost) -> Health:
    """Check that the database answers within a few seconds."""
    try:
        async with asyncio.timeout(ANSWERS):
            await host.store.ping()
    except TimeoutError as error:
        raise Away(f"the database has not answered for {ANSWERS} s") from error
    return Health(status="ok", version=__version__)
