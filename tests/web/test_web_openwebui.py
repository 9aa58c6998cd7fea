"""Open WebUI, as its users have it, asks parts through `/v1`: follow-ups, another try, an edit.

`make openwebui` fetches it and runs this; without it it is skipped.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect
from tests.web.conftest import PATIENCE_MS
from tests.web.test_web_restart import free_port, serving
from tests.web.test_web_sillytavern import Turn, until_it_answers

from ruleplay.settings import Settings

TOKEN = "a-token-of-the-owner"
LEAKS = "My dishwasher WDT780SAEM1 leaks"


class Chats(NamedTuple):
    """Open WebUI in a browser, and the server behind it."""

    page: Page
    server: httpx.Client
    address: str

    def new(self) -> None:
        """Begin a chat."""
        self.page.goto(f"{self.address}/?models=parts")
        expect(
            self.page.get_by_role("button", name="Selected model: Appliance parts")
        ).to_be_visible()

    def say(self, text: str) -> None:
        """Send a message and wait for the reply."""
        self.page.locator("#chat-input").click()
        self.page.keyboard.type(text)
        self.replying(lambda: self.page.keyboard.press("Enter"))

    def replying(self, act: Callable[[], None]) -> None:
        """Do what asks for a reply, and wait until it is there and followed up."""
        before = len(self.turns())
        heard = self.page.expect_response(re.compile("/api/chat/completed|/api/chat/completions"))
        with heard:
            act()
        expect(self.page.get_by_role("button", name="Follow up: ").first).to_be_visible()
        assert len(self.turns()) == before + 1

    def sessions(self) -> list[list[Turn]]:
        """Return the turns of each session, on all branches; the newest session first."""
        listed = self.server.get("/api/sessions").json()["sessions"]
        shown = [self.server.get(f"/api/sessions/{one['id']}").json() for one in listed]
        return [
            [Turn(row["id"], row["parent"] or "", row["message"]) for row in session["branches"]]
            for session in shown
        ]

    def turns(self) -> list[Turn]:
        """Return the turns of all sessions."""
        return [turn for session in self.sessions() for turn in session]


def installed() -> Path:
    """Return Open WebUI's command; skip where it is not."""
    found = Settings().home / "openwebui" / "bin" / "open-webui"
    if not found.is_file():
        if "openwebui" in os.environ.get("RULEPLAY_REQUIRE", "").split(","):
            pytest.fail("Open WebUI is not installed; run make openwebui")
        pytest.skip("Open WebUI is not installed; run make openwebui")
    return found


@contextmanager
def opened(folder: Path, port: int, server: str) -> Iterator[None]:
    """Run Open WebUI on loopback with one connection, as its guide says, until the block ends."""
    told = {
        "DATA_DIR": str(folder / "data"),
        "OFFLINE_MODE": "true",
        "RAG_EMBEDDING_ENGINE": "openai",  # its own would be fetched and loaded
        "WEBUI_AUTH": "false",
        "ENABLE_OLLAMA_API": "false",
        "ENABLE_FORWARD_USER_INFO_HEADERS": "true",
        "OPENAI_API_BASE_URL": f"{server}/v1",
        "OPENAI_API_KEY": TOKEN,
    }
    command = [str(installed()), "serve", "--host", "127.0.0.1", "--port", str(port)]
    folder.mkdir()
    log = (folder / "log").open("w")
    environment = {**os.environ, **told}
    with log, subprocess.Popen(
        command, cwd=folder, env=environment, stdout=log, stderr=log
    ) as running:  # fmt: skip
        try:
            until_it_answers(f"http://127.0.0.1:{port}/health")
            yield
        finally:
            running.terminate()


@pytest.fixture
def chats(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Chats]:
    installed()
    monkeypatch.setenv("RULEPLAY_TOKEN", TOKEN)
    ours, theirs = free_port(), free_port()
    address, there = f"http://127.0.0.1:{ours}", f"http://127.0.0.1:{theirs}"
    headers = {"authorization": f"Bearer {TOKEN}"}
    with (
        serving(tmp_path / "home", ours),
        opened(tmp_path / "webui", theirs, address),
        httpx.Client(base_url=address, headers=headers) as server,
    ):
        context = browser.new_context()
        context.set_default_timeout(PATIENCE_MS * 2)
        page = context.new_page()
        page.goto(there)
        page.get_by_role("button", name="Okay, Let's Go!").click()
        yield Chats(page, server, there)
        context.close()


def test_a_customer_asks_asks_anew_and_edits(chats: Chats) -> None:
    page = chats.page
    chats.new()
    chats.say(LEAKS)
    (first,) = chats.turns()
    assert first.message == LEAKS
    expect(page).to_have_title(re.compile(LEAKS[:20]))

    chats.say("Will PS90001822 fit it?")
    *_, second = chats.turns()
    assert second.parent == first.id
    expect(page.get_by_text("is listed for model WDT780SAEM1")).to_be_visible()

    page.get_by_role("button", name="Regenerate").last.click()
    chats.replying(page.get_by_text("Try Again").click)
    *_, anew = chats.turns()
    assert anew == Turn(anew.id, first.id, second.message)

    mine = page.locator(".user-message").last
    mine.hover()
    mine.get_by_role("button", name="Edit").click()
    page.locator("textarea[id^='message-edit']").fill("How do I install PS90001822?")
    chats.replying(page.locator("#confirm-edit-message-button").click)
    *_, edited = chats.turns()
    assert edited == Turn(edited.id, first.id, "How do I install PS90001822?")

    chats.replying(page.get_by_role("button", name="Follow up: ").first.click)
    assert chats.turns()[-1].parent == edited.id

    # Another chat that begins with the same words is another session.
    chats.new()
    chats.say(LEAKS)
    assert [len(session) for session in chats.sessions()] == [1, 5]
