"""The command line as a process: signals, pipes, terminals, and a server on a real port."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from tests.cli.commands import Run

SECONDS = 180
"""How long is waited for what has to come, also on a busy machine."""
COMMAND = [sys.executable, "-m", "ruleplay.cli.main"]


@pytest.fixture(autouse=True)
def interruptible() -> Iterator[None]:
    """Let children hear SIGINT: what a runner without a terminal ignores, they inherit."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@contextmanager
def running(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Start a command; it is gone when the block ends."""
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_a_turn_and_its_errors_as_a_process(process: Run) -> None:
    done = process("turn", "tally", "--message", "-", "--json", given="add 4\n")
    assert (done.code, done.err) == (0, "")
    assert done.json["view"]["total"] == 4
    bad = process("turn", "tally", "--message", "-", "--json", given=b"\xff\xfe")
    assert (bad.code, bad.error["type"]) == (2, "UserError")


def until_a_turn_runs(home: Path) -> None:
    """Wait until some process plays a turn: then it holds a lease."""
    give_up, leases = time.monotonic() + SECONDS, 0
    while not leases:
        assert time.monotonic() < give_up, "no turn began"
        time.sleep(0.05)
        with (
            suppress(sqlite3.OperationalError),
            closing(sqlite3.connect(home / "ruleplay.db")) as db,
        ):
            (leases,) = db.execute("SELECT COUNT(*) FROM leases").fetchone()


def test_an_interrupt_stops_the_turn_and_leaves_no_trace(cli: Run, home: Path) -> None:
    with running("turn", "tally", "--message", "wait", "--json") as process:
        until_a_turn_runs(home)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 130
    assert out == ""
    assert json.loads(err) == {"error": {"type": "KeyboardInterrupt", "message": "cancelled"}}
    (session,) = cli("session", "list", "--json").json["sessions"]
    assert session["number"] == 0


def test_a_reader_that_leaves_early_is_no_error(cli: Run) -> None:
    for _ in range(3):
        cli("turn", "tally", "-m", "add 1")
    line = f"{' '.join(COMMAND)} session list | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stderr == ""
    assert done.stdout.strip() in ("0", "141")


class Terminal:
    """A command on a pseudo-terminal."""

    def __init__(self, *arguments: str) -> None:
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            os.execv(sys.executable, [*COMMAND, *arguments])
        self.seen = ""

    def type(self, text: str) -> None:
        os.write(self._fd, text.encode())

    def wait_for(self, words: str, seconds: float = SECONDS) -> None:
        """Read until `words` appear; what was read before them is used up."""
        end = time.monotonic() + seconds
        while words not in self.seen:
            assert time.monotonic() < end, f"{words!r} did not appear in {self.seen!r}"
            if select.select([self._fd], [], [], 0.1)[0]:
                self.seen += os.read(self._fd, 65536).decode(errors="replace")
        self.seen = self.seen.partition(words)[2]

    def interrupt_until(self, words: str) -> None:
        """Press Ctrl-C as people do: again when nothing happens.

        The one signal that comes while readline sets up its prompt is lost to it.
        """
        for _ in range(10):
            self.type("\x03")
            with suppress(AssertionError):
                return self.wait_for(words, 3)
        raise AssertionError(f"{words!r} did not appear after ten times Ctrl-C")

    def exit_code(self) -> int:
        try:
            while os.read(self._fd, 65536):
                pass
        except OSError:
            pass
        os.close(self._fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def test_chat_on_a_terminal(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal("chat", "tally")
    terminal.wait_for("2  add 20")
    terminal.wait_for("> ")
    terminal.type("2\n")
    terminal.wait_for("The tally is 20.")
    terminal.wait_for("> ")
    terminal.type("wait\n")
    until_a_turn_runs(home)
    terminal.type("\x03")
    terminal.wait_for("cancelled; nothing of this turn was stored")
    terminal.wait_for("> ")
    terminal.interrupt_until("/quit or Ctrl-D leaves")
    terminal.type("add 1 **loud**\n")
    terminal.wait_for("The tally is 21.")
    terminal.wait_for("> ")
    terminal.type("\x04")
    assert terminal.exit_code() == 0


def test_serve_on_a_real_port() -> None:
    with running("serve", "--port", "0", "--json") as process:
        assert process.stdout is not None
        url = json.loads(process.stdout.readline())["url"]
        assert url.startswith("http://127.0.0.1:")
        with httpx.Client(base_url=url, timeout=30) as client:
            assert client.get("/health").json()["status"] == "ok"
            assert "Ruleplay" in client.get("/").text
            path = client.post("/api/sessions", json={"agent": "tally"}).headers["location"]
            turn = client.post(f"{path}/turns?wait=true", json={"message": "add 5"})
            assert (turn.status_code, turn.json()["view"]["total"]) == (200, 5)
            big = client.post(
                "/api/sessions",
                content=b" " * 10_000_000,
                headers={"Content-Type": "application/json"},
            )
            assert big.status_code == 413
            assert client.get("/health", headers={"Host": "evil.example"}).status_code == 403
            running_turn = client.post(f"{path}/turns", json={"message": "wait"})
            assert running_turn.status_code == 202
        taken = subprocess.run(
            [*COMMAND, "serve", "--port", url.rpartition(":")[2], "--json"],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert taken.returncode == 5
        told = taken.stderr.splitlines()[-1]  # behind what is told of few open files
        assert "--port" in json.loads(told)["error"]["message"]
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=SECONDS)


def test_serve_names_a_database_it_cannot_open(process: Run) -> None:
    done = process("serve", "--port", "0", "--db", "sqlite+aiosqlite:////dev/null/x.db", "--json")
    assert (done.code, done.out) == (5, "")
    assert "cannot open the database" in done.error["message"]
