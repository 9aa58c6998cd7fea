"""What tests of the web page are made of: a real server beside it, and models behind gates."""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

from playwright.sync_api import Browser, Playwright
from tests.server.streaming import Life, Lives, Wire

from ruleplay.models.scripted import Rehearsal, Reply, ScriptedModel
from ruleplay.records.events import Json
from ruleplay.records.given import Given
from ruleplay.server.page import BUILT

Value = TypeVar("Value")
SECONDS = 180
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A page is looked at for seconds: its scripts are never compiled so often that it pays.
    "--js-flags=--single-threaded --no-maglev --no-turbofan",
)
"""How Chromium runs in a container, and asks nobody for anything."""
PEN = "stage:pen"
"""The scripted model's name, of a form that the page's own field takes."""


def chromium() -> str:
    """Return where Chromium is; empty when there is none. Without windows it takes a third less."""
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    return os.environ.get("RULEPLAY_CHROMIUM") or found or ""


def missing() -> str:
    """Say what these tests lack; empty when nothing."""
    if not chromium():
        return "install Chromium, or name it in RULEPLAY_CHROMIUM"
    if not (BUILT / "index.html").is_file():
        return "the web page is not built; run make setup with Node 20 or newer"
    return ""


def launch(playwright: Playwright) -> Browser:
    """Start Chromium with a profile of its own."""
    return playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))


class Profile(NamedTuple):
    """Whose browser it is."""

    locale: str = "en-GB"
    width: int = 1280
    height: int = 800
    phone: bool = False
    color_scheme: Literal["light", "dark"] = "light"
    reduced_motion: Literal["reduce", "no-preference"] = "no-preference"
    service_workers: Literal["allow", "block"] = "block"
    """What goes through one cannot be held back by a test."""


class Stage:
    """Servers in a thread of their own, so that a test may wait for the page while they work."""

    def __init__(self, home: Path) -> None:
        self.lives = Lives(home)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._opened = AsyncExitStack()

    @classmethod
    @contextmanager
    def open(cls, home: Path) -> Iterator[Stage]:
        """Run until the block ends, then stop every server."""
        stage = cls(home)
        stage._thread.start()
        try:
            yield stage
        finally:
            stage.do(stage._end())
            stage._loop.call_soon_threadsafe(stage._loop.stop)
            stage._thread.join(SECONDS)
            stage._loop.close()

    async def _end(self) -> None:
        await self._opened.aclose()
        await self.lives.end()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        await self._loop.shutdown_default_executor()

    def do(self, work: Coroutine[object, object, Value]) -> Value:
        """Run a coroutine beside the servers and return what it returns."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(SECONDS)

    def start(self, **settings: str) -> Site:
        """Start a server on the stage's database."""
        return Site(self, self.do(self.lives.start(**settings)))

    def open_gate(self, gate: asyncio.Event) -> None:
        """Let a scripted model go on."""
        self._loop.call_soon_threadsafe(gate.set)

    def wire(self, target: str) -> Wire:
        """Return a line to a server that can be cut."""
        return self.do(self._opened.enter_async_context(Wire(target).open()))

    def cut(self, wire: Wire) -> None:
        """Cut every connection on a line."""
        self._loop.call_soon_threadsafe(wire.cut)


class Site:
    """One server, and its sessions."""

    def __init__(self, stage: Stage, life: Life) -> None:
        self.stage, self.life = stage, life
        self.url = life.url

    def new(
        self, agent: str = "parts", model: Rehearsal | None = None, config: Json | None = None
    ) -> str:
        """Return the path of a new session's page; a model speaks for all roles."""
        if model is not None:
            self.life.host.models.stand_ins[PEN] = model
        return f"/s/{self.stage.do(self._create(agent, config, {'': PEN} if model else {}))}"

    async def _create(self, agent: str, config: Json | None, models: dict[str, str]) -> str:
        return (await self.life.host.create(agent, config, models=models, seed="seed")).id

    def say(self, page: str, *messages: str) -> None:
        """Play turns of a session, past the page."""
        for message in messages:
            self.stage.do(self.life.play(page.replace("/s/", "/api/sessions/"), message))

    def act(self, page: str, action: Json) -> None:
        """Play an action in a session, past the page, and wait until it is committed."""
        self.stage.do(self._act(page.removeprefix("/s/"), action))

    async def _act(self, session: str, action: Json) -> None:
        await self.life.host.start(session, Given(action=action))

    def undo(self, page: str) -> None:
        """Take a session's last turn back, past the page."""
        self.stage.do(self.life.host.undo(page.removeprefix("/s/")))


LEAK = "My dishwasher WDT780SAEM1 is leaking, please fix it"
TRUE = "PS90001822 (Whirlpool Dishwasher Door Gasket) fixes Leaking. "
LIE = ("PS90001822 costs ", "$1.00. ")
OPENING = "Here is what the catalog has for you. "


def pen(gate: asyncio.Event, turns: int = 1) -> ScriptedModel:
    """Return a model that tells of parts, waits at the gate in the middle, and then lies once."""
    # A sentence is shown once the next one has begun.
    cited = TRUE.replace(". ", " [r1.1]. ")
    told = Reply((OPENING, cited, LIE[0], gate, LIE[1], "That was it. "))
    return ScriptedModel({"parts.extract": ["{}"] * turns * 2, "parts.tell": [told, ""] * turns})
