"""An application with a database of its own, and a client that talks to it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    ExitStack,
    asynccontextmanager,
    contextmanager,
)
from pathlib import Path

import httpx
import pytest
from tests.foundation.conftest import database, postgres, sqlite
from tests.server.streaming import Life, Lives

from ruleplay.catalog import find_agent
from ruleplay.server.app import create_app
from ruleplay.settings import Settings

__all__ = ["database", "postgres", "sqlite"]  # fixtures of the foundation's tests
TESTS = Path(__file__).parent.parent
OUTSIDE = (TESTS / "cli" / "outside", TESTS / "outside")
"""Where the agents that tests play are found, as installed ones."""
Start = Callable[..., tuple[subprocess.Popen[str], httpx.Client]]
Serve = Callable[..., AbstractAsyncContextManager[httpx.AsyncClient]]


@pytest.fixture(autouse=True)
def outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Find the test agents, and keep the developer's configuration out."""
    for folder in OUTSIDE:
        monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("RULEPLAY_TOML", os.devnull)
    for name in ("DB", "MODEL", "MODELS", "TOKEN", "SPENDING_CAP"):
        monkeypatch.delenv(f"RULEPLAY_{name}", raising=False)


@pytest.fixture
def serve(tmp_path: Path) -> Serve:
    """Return a way to open the application; each call is a server's life on the same database."""

    @asynccontextmanager
    async def opened(**settings: str) -> AsyncIterator[httpx.AsyncClient]:
        app = create_app(Settings(home=tmp_path, **settings), find_agent, tmp_path / "no page")
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://localhost:8000") as client,
        ):
            yield client

    return opened


@pytest.fixture
async def client(serve: Serve) -> AsyncIterator[httpx.AsyncClient]:
    async with serve() as opened:
        yield opened


@pytest.fixture
async def session(client: httpx.AsyncClient) -> str:
    """Return the path of a new session."""
    made = await client.post("/api/sessions", json={"agent": "tally"})
    assert made.status_code == 201
    return made.headers["location"]


@pytest.fixture
async def lives(tmp_path: Path) -> AsyncIterator[Lives]:
    """Servers on real ports, all on one database."""
    opened = Lives(tmp_path)
    yield opened
    await opened.end()


@pytest.fixture
async def life(lives: Lives) -> Life:
    """One server on a real port."""
    return await lives.start()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Return a way to start the server as users do; all that still run are killed at the end."""
    environment = server_environment(tmp_path)
    with ExitStack() as opened:

        def begin(*arguments: str, **more: str) -> tuple[subprocess.Popen[str], httpx.Client]:
            command = [sys.executable, "-m", "ruleplay.cli.main", "serve", "--port", "0", "--json"]
            pipe = subprocess.PIPE
            process = subprocess.Popen(
                [*command, *arguments], stdout=pipe, stderr=pipe, text=True, env=environment | more
            )
            opened.enter_context(ended(process))
            assert process.stdout is not None
            url = json.loads(process.stdout.readline())["url"]
            return process, opened.enter_context(httpx.Client(base_url=url, timeout=180))

        yield begin


def server_environment(home: Path) -> dict[str, str]:
    """Return what a server's process finds in its environment: nothing of the developer's."""
    paths = (TESTS.parent / "src", *OUTSIDE)
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("RULEPLAY_")},
        "RULEPLAY_HOME": str(home),
        "RULEPLAY_TOML": os.devnull,
        "PYTHONPATH": os.pathsep.join(str(path) for path in paths),
    }


@contextmanager
def ended(process: subprocess.Popen[str]) -> Iterator[None]:
    with process:
        try:
            yield
        finally:
            process.kill()
