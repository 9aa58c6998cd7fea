"""SillyTavern, as its users have it, plays a story through `/v1`: swipes, edits, a chat of its own.

`make sillytavern` fetches it and runs these; without it they skip.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tests.web.test_web_restart import free_port, serving

from ruleplay.settings import Settings

TOKEN = "a-token-of-the-tavern-keeper"
SECONDS = 120
"""The first start of a copy compiles its page."""


class Turn(NamedTuple):
    """A turn, the one it was played after, and what was said."""

    id: str
    parent: str
    message: str


class Tavern(NamedTuple):
    """The chat as the browser shows it, and the server behind it."""

    page: Page
    server: httpx.Client

    def say(self, text: str) -> None:
        """Send a message and wait for the reply."""
        self.page.locator("#send_textarea").fill(text)
        self.replying(lambda: self.page.locator("#send_but").click())

    def replying(self, act: Callable[[], None]) -> None:
        """Do what asks for a reply, and wait until it is there, whole."""
        before = len(self.turns())
        heard = self.page.expect_response(lambda told: "/chat-completions/generate" in told.url)
        with heard as answer:
            act()
        answer.value.finished()
        expect(self.page.locator("#mes_stop")).to_be_hidden()
        assert len(self.turns()) == before + 1

    def last(self) -> str:
        """Return the text of the last message."""
        return self.messages().last.locator(".mes_text").inner_text()

    def messages(self) -> Locator:
        """Return the chat's messages."""
        return self.page.locator("#chat .mes")

    def edit(self, text: str) -> None:
        """Change the last message of one's own."""
        mine = self.messages().nth(self.messages().count() - 2)
        mine.hover()
        mine.locator(".mes_edit").click()
        self.page.locator("#curEditTextarea").fill(text)
        mine.locator(".mes_edit_done").click()

    def regenerate(self) -> None:
        """Ask for the last reply anew."""
        self.page.locator("#options_button").click()
        self.page.locator("#option_regenerate").click()

    def turns(self) -> list[Turn]:
        """Return all turns of the only session, on every branch, in order."""
        sessions = self.server.get("/api/sessions").json()["sessions"]
        assert len(sessions) < 2
        shown = [self.server.get(f"/api/sessions/{one['id']}").json() for one in sessions]
        return [
            Turn(row["id"], row["parent"] or "", row["message"])
            for session in shown
            for row in session["branches"]
        ]


def installed() -> Path:
    """Return where SillyTavern is; skip where it is not."""
    found = Settings().home / "sillytavern" / "node_modules" / "sillytavern"
    if not (found / "server.js").is_file():
        if "sillytavern" in os.environ.get("RULEPLAY_REQUIRE", "").split(","):
            pytest.fail("SillyTavern is not installed; run make sillytavern")
        pytest.skip("SillyTavern is not installed; run make sillytavern")
    return found


@contextmanager
def opened(data: Path, port: int) -> Iterator[None]:
    """Run SillyTavern on loopback, with folders of its own, until the block ends."""
    command = ["node", "server.js", "--port", str(port), "--dataRoot", str(data)]
    command += ["--listen", "false", "--browserLaunchEnabled", "false"]
    log = (data.parent / "tavern.log").open("w")
    with log, subprocess.Popen(command, cwd=installed(), stdout=log, stderr=log) as server:
        try:
            until_it_answers(f"http://127.0.0.1:{port}/")
            yield
        finally:
            server.terminate()


def until_it_answers(address: str) -> None:
    """Wait for a server."""
    ends = time.monotonic() + SECONDS
    while True:
        try:
            httpx.get(address, timeout=5)
        except httpx.TransportError:
            if time.monotonic() > ends:
                raise
            time.sleep(0.5)
        else:
            return


def settle(data: Path, address: str) -> None:
    """Write what a user enters under API Connections: the address, the model and the key."""
    kept = data / "default-user" / "settings.json"
    settings = json.loads(kept.read_text())
    settings |= {"firstRun": False, "main_api": "openai"}
    settings["oai_settings"] |= {
        "chat_completion_source": "custom",
        "custom_url": f"{address}/v1",
        "custom_model": "saga",
    }
    kept.write_text(json.dumps(settings))
    key = {"id": "one", "value": TOKEN, "label": "Ruleplay", "active": True}
    kept.with_name("secrets.json").write_text(json.dumps({"api_key_custom": [key]}))


@pytest.fixture
def tavern(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tavern]:
    installed()
    monkeypatch.setenv("RULEPLAY_TOKEN", TOKEN)
    ours, theirs = free_port(), free_port()
    address, data = f"http://127.0.0.1:{ours}", tmp_path / "tavern"
    headers = {"authorization": f"Bearer {TOKEN}"}
    with (
        serving(tmp_path / "home", ours),
        opened(data, theirs),
        httpx.Client(base_url=address, headers=headers) as server,
    ):
        settle(data, address)
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{theirs}/")
        drawer = page.locator("#sys-settings-button .drawer-toggle")
        expect(page.locator("#preloader")).to_be_hidden(timeout=60_000)
        drawer.click()
        page.locator("#api_button_openai").click()
        expect(page.locator(".online_status_text").first).to_contain_text("Valid")
        drawer.click()
        yield Tavern(page, server)
        context.close()


def test_a_story_is_played_swiped_and_edited(tavern: Tavern) -> None:
    tavern.say("look around")
    assert "Greenway" in tavern.last()
    tavern.say("I go north")
    first, second = tavern.turns()
    assert second.parent == first.id

    tavern.replying(tavern.page.locator("#chat .last_mes .swipe_right").click)
    *_, swiped = tavern.turns()
    assert swiped == Turn(swiped.id, first.id, "I go north")
    north = tavern.last()

    tavern.edit("I talk to Maud Fennick")
    tavern.replying(tavern.regenerate)
    *_, edited = tavern.turns()
    assert edited == Turn(edited.id, first.id, "I talk to Maud Fennick")
    assert "Maud" in tavern.last()
    assert tavern.last() != north

    tavern.say("I ask her about the lamp")
    assert tavern.turns()[-1].parent == edited.id
