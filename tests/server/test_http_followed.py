"""A session is read along by a small program of the guides, which posts what was said."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

import pytest
from tests.architecture.guide import blocks
from tests.server.conftest import Start

GUIDE = Path(__file__).parents[2] / "docs" / "howto" / "discord.md"


def test_the_follower_of_a_session_posts_its_replies(start: Start, tmp_path: Path) -> None:
    posted: Queue[dict[str, object]] = Queue()
    text = GUIDE.read_text(encoding="utf-8")
    (code,) = [block.body for block in blocks(text) if block.kind == "python"]
    (tmp_path / "follow.py").write_text(code, encoding="utf-8")
    _, client = start()
    session = client.post("/api/sessions", json={"agent": "tally"}).json()["id"]
    with webhook(posted) as address:
        command = [sys.executable, str(tmp_path / "follow.py"), str(client.base_url).rstrip("/")]
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
