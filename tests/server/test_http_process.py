"""The server as a process: readers and turns when it is told to stop, and a start right after."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic

import httpx
import pytest

TESTS = Path(__file__).parents[1]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[], tuple[subprocess.Popen[str], httpx.Client]]]:
    """Return a way to start the server as users do; all that still run are killed at the end."""
    paths = (TESTS.parent / "src", TESTS / "cli" / "outside", TESTS / "outside")
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("RULEPLAY_")},
        "RULEPLAY_HOME": str(tmp_path),
        "RULEPLAY_TOML": os.devnull,
        "PYTHONPATH": os.pathsep.join(str(path) for path in paths),
    }
    with ExitStack() as opened:

        def begin() -> tuple[subprocess.Popen[str], httpx.Client]:
            command = [sys.executable, "-m", "ruleplay.cli.main", "serve", "--port", "0", "--json"]
            pipe = subprocess.PIPE
            process = subprocess.Popen(
                command, stdout=pipe, stderr=pipe, text=True, env=environment
            )
            opened.enter_context(_ended(process))
            assert process.stdout is not None
            url = json.loads(process.stdout.readline())["url"]
            return process, opened.enter_context(httpx.Client(base_url=url, timeout=20))

        yield begin


@contextmanager
def _ended(process: subprocess.Popen[str]) -> Iterator[None]:
    with process:
        try:
            yield
        finally:
            process.kill()


def test_a_stopped_server_lets_readers_go_and_finishes_its_turns(
    start: Callable[[], tuple[subprocess.Popen[str], httpx.Client]],
) -> None:
    process, client = start()
    session = client.post("/api/sessions", json={"agent": "tally"}).headers["location"]
    stuck = client.post("/api/sessions", json={"agent": "tally"}).headers["location"]
    client.post(f"{stuck}/turns", json={"message": "wait"})
    known = ""
    with client.stream("GET", f"{session}/events") as reader:
        lines = reader.iter_lines()
        turn = client.post(f"{session}/turns", json={"message": "slow 5"}).json()["turn"]
        for line in lines:
            known = line.removeprefix("id: ") if line.startswith("id: ") else known
            if line == "event: turn.started":
                break
        process.send_signal(signal.SIGTERM)
        told = monotonic()
        rest = [line for line in lines if line.startswith("event: ")]
        assert monotonic() - told < 0.5
    assert "event: turn.committed" not in rest
    _, errors = process.communicate(timeout=20)
    # The turn that would have run for ever got its seconds, and no more.
    assert monotonic() - told < 10
    assert errors == ""

    _, client = start()
    shown = client.get(session).json()
    assert [row["turn"] for row in shown["turns"]] == [turn]
    assert client.get(stuck).json()["turns"] == []
    with client.stream("GET", f"{session}/events", headers={"Last-Event-ID": known}) as reader:
        names = (line for line in reader.iter_lines() if line.startswith("event: "))
        assert next(names) == "event: turn.committed"
