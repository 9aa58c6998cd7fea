"""The documentation site: every page it names is there, and every command in it exists."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

import pytest
from tests.architecture.guide import Block, blocks
from tests.server.conftest import Start, start

from ruleplay.catalog import find_agent, usable_agents
from ruleplay.kernel.host import Host
from ruleplay.records.given import Given
from ruleplay.settings import Settings

__all__ = ["start"]

ROOT = Path(__file__).parents[2]
GUIDES = ("howto", "agents", "fr")
COMMAND = re.compile(r"^(?:\$ )?ruleplay ((?:[a-z]+)(?: [a-z]+)?)", re.M)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "pages"
    subprocess.run(
        [sys.executable, ROOT / "docs" / "reference.py", folder], check=True, timeout=240
    )
    return folder


def named(entries: list[object]) -> list[str]:
    found = []
    for entry in entries:
        assert isinstance(entry, dict)
        for value in entry.values():
            found += [value] if isinstance(value, str) else named(value)
    return found


def test_every_page_that_is_named_is_there(pages: Path) -> None:
    site = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]
    assert [name for name in named(site["nav"]) if not (pages / name).is_file()] == []


def test_the_reference_comes_from_the_code(pages: Path) -> None:
    reference = {path.stem: path.read_text() for path in (pages / "reference").iterdir()}
    assert "## `ruleplay battle arena`" in reference["commands"]
    assert "`POST /api/sessions`" in reference["http"]
    assert "`GET /api/saga" in reference["http"]
    assert "`RULEPLAY_TOKEN`" in reference["settings"]
    assert "## party" in reference["events"]


def test_every_command_of_the_guides_exists(pages: Path) -> None:
    there = (pages / "reference" / "commands.md").read_text()
    guides = [
        pages / "tutorial.md",
        *(page for folder in GUIDES for page in (pages / folder).iterdir()),
    ]
    asked = {found for guide in guides for found in COMMAND.findall(guide.read_text())}
    assert len(asked) > 5
    for command in asked:
        first = command.partition(" ")[0]
        assert f"`ruleplay {command}" in there or f"`ruleplay {first}`" in there, command


def dialogues() -> list[Path]:
    """Return the guides that show what is said."""
    docs = ROOT / "docs"
    found = [*(docs / "agents").glob("*.md"), *(docs / "fr").glob("*.md")]
    return sorted(page for page in found if "\n```text\n> " in page.read_text(encoding="utf-8"))


def page_blocks(page: Path) -> list[Block]:
    return blocks(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", dialogues(), ids=lambda page: "/".join(page.parts[-2:]))
async def test_what_a_guide_shows_is_what_is_answered(page: Path, tmp_path: Path) -> None:
    agent = find_agent(page.stem)
    spoken = page.parent.name if page.parent.name == "fr" else "en"
    config = {"lang": spoken} if "lang" in agent.config_type.model_fields else {}
    (shown,) = [block.body for block in page_blocks(page) if block.kind == "text"]
    host = await Host.open(Settings(home=tmp_path, model="rules"), find_agent)
    try:
        session = (await host.create(agent.name, config)).id
        reply = ""
        for line in shown.splitlines():
            if line.startswith("> "):
                reply = (await host.start(session, Given(message=line[2:]))).reply
            else:
                assert line in reply
    finally:
        await host.close()


def test_the_agents_have_guides_in_both_languages() -> None:
    names = {agent.name for agent in usable_agents()} & {"saga", "party", "parts", "raid", "battle"}
    for folder in ("agents", "fr"):
        assert names <= {page.stem for page in (ROOT / "docs" / folder).iterdir()}


def test_the_follower_of_a_session_posts_its_replies(start: Start, tmp_path: Path) -> None:
    posted: Queue[dict[str, object]] = Queue()
    page = ROOT / "docs" / "howto" / "discord.md"
    (code,) = [block.body for block in page_blocks(page) if block.kind == "python"]
    (tmp_path / "follow.py").write_text(code, encoding="utf-8")
    _, client = start()
    session = client.post("/api/sessions", json={"agent": "tally"}).json()["id"]
    with webhook(posted) as address:
        command = [sys.executable, tmp_path / "follow.py", str(client.base_url).rstrip("/")]
        follower = subprocess.Popen([*command, session, address])
        try:
            for _ in range(100):  # the turn is told to those who listen already
                turn = client.post(
                    f"/api/sessions/{session}/turns?wait=true", json={"message": "add 1"}
                )
                with suppress(Empty):
                    body = posted.get(timeout=1)
                    break
            else:
                pytest.fail("nothing was posted")
        finally:
            follower.kill()
            follower.wait(10)
    assert turn.status_code < 300
    assert body["allowed_mentions"] == {"parse": []}
    assert str(body["content"]).strip()


@contextmanager
def webhook(posted: Queue[dict[str, object]]) -> Iterator[str]:
    """Answer posts on loopback as a webhook does; what came is put into a queue."""

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            posted.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Hook) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/hook"
        server.shutdown()
        thread.join(10)
