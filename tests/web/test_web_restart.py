"""The page outlives the server: killed, and started again on the same data."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect
from tests.web.reading import converse, say, turns


def test_a_killed_server_comes_back_and_what_was_said_meanwhile_is_sent(
    page: Page, tmp_path: Path, forgiven: list[str]
) -> None:
    forgiven.append("ERR_")
    port = free_port()
    with serving(tmp_path, port) as server:
        page.goto(f"http://127.0.0.1:{port}/a/parts")
        page.get_by_role("button", name="Start the session").click()
        converse(page, "My dishwasher leaks")
        server.kill()
        expect(page.get_by_text("reconnecting")).to_be_visible()
        say(page, "WDT780SAEM1")
        expect(page.locator(".turn.live")).to_contain_text("WDT780SAEM1")
    with serving(tmp_path, port):
        expect(turns(page)).to_have_count(2, timeout=40_000)
        expect(page.get_by_text("reconnecting")).to_be_hidden()
        page.goto("about:blank")


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextmanager
def serving(home: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run the product as its users do, until the block ends."""
    command = [str(Path(sys.executable).with_name("ruleplay")), "serve", "--port", str(port)]
    environment = {**os.environ, "RULEPLAY_HOME": str(home), "RULEPLAY_TOML": os.devnull}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as server:
        try:
            assert server.stdout is not None
            assert str(port).encode() in server.stdout.readline()
            yield server
        finally:
            server.terminate()
