"""The one Showdown server of a test run, lent to all that would start one of their own."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from ruleplay.agents.battle.adapters import exhibition, world
from ruleplay.agents.battle.adapters.server import LocalServer
from ruleplay.agents.battle.adapters.showdown_package import find_package
from ruleplay.settings import Settings

INSTALLED = Settings().home
"""Where `ruleplay setup battle` has put the server and its sets, if it was run."""


@pytest.fixture(scope="session")
def showdown() -> Path:
    """Return the installed Showdown package."""
    found = find_package(INSTALLED)
    if found is None:
        if "showdown" in os.environ.get("RULEPLAY_REQUIRE", "").split(","):
            pytest.fail("showdown: run `ruleplay setup battle`")
        pytest.skip("showdown: run `ruleplay setup battle`")
    return found


@pytest.fixture(scope="session", autouse=True)
def patient_search() -> Iterator[None]:
    """Let a search end on a busy machine: in place of one given up, new processes would start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(world, "GRACE_SECONDS", 300)
        yield


@pytest.fixture(scope="session")
def server(showdown: Path) -> Iterator[LocalServer]:
    """Run one server for all tests, on a loop of its own; players' names are never the same."""
    loop, running = asyncio.new_event_loop(), LocalServer(showdown)
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(running.start(), loop).result()
    yield running
    asyncio.run_coroutine_threadsafe(running.stop(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def lend(home: Path) -> None:
    """Lend a home what is installed: the server, the simulator and its sets."""
    for name in ("showdown", "battle/sets"):
        lent = home / name
        if (INSTALLED / name).exists() and not lent.exists():
            lent.parent.mkdir(parents=True, exist_ok=True)
            lent.symlink_to(INSTALLED / name)


@contextmanager
def lending(server: LocalServer, home: Path) -> Iterator[None]:
    """Let a home's battles be on the run's server, with what is installed beside it."""

    class Lent(LocalServer):
        async def start(self) -> None:
            self.port = server.port

    lend(home)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exhibition, "LocalServer", Lent)
        yield
