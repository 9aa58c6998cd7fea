"""Connections without end, against a server that may open few files."""

from __future__ import annotations

import json
import os
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from tests.pace import wait_for_health
from tests.server.conftest import ended, server_environment

from ruleplay.server.connections import SPARE, Capacity, Connections

FILES = 1024
SECONDS = 180


class Small(NamedTuple):
    """A server under `ulimit -n`."""

    url: httpx.URL
    log: Path
    pid: int

    def health(self) -> float:
        """Return the seconds that a health check takes, asked for as anybody would."""
        return wait_for_health(self.pid, self.url)

    def connect(self) -> socket.socket:
        return socket.create_connection((self.url.host, self.url.port or 0), timeout=SECONDS)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Small]:
    """Start a server as users do, after `ulimit -n 1024`: one for all floods."""
    home = tmp_path_factory.mktemp("small")
    log = home / "log"
    command = [sys.executable, "-m", "ruleplay.cli.main", "serve", "--port", "0", "--json"]
    limited = ["sh", "-c", f'ulimit -n {FILES}; exec "$@"', "sh", *command]
    with ExitStack() as opened, log.open("w") as told:
        process = subprocess.Popen(
            limited,
            stdout=subprocess.PIPE,
            stderr=told,
            text=True,
            env=server_environment(home),
        )
        opened.enter_context(ended(process))
        assert process.stdout is not None
        url = json.loads(process.stdout.readline())["url"]
        yield Small(httpx.URL(url), log, process.pid)


@pytest.fixture(autouse=True)
def files() -> Iterator[None]:
    """Let the test itself open as many files as it needs."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    if before[1] not in (resource.RLIM_INFINITY,) and before[1] < 4 * FILES:
        pytest.skip("this machine allows too few open files for the test itself")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(before[0], 4 * FILES), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_connections_that_say_nothing_keep_nobody_out(small: Small) -> None:
    with ExitStack() as held:
        slowest = 0.0
        for number in range(FILES + 300):
            held.enter_context(small.connect())
            if number % 50 == 0:
                slowest = max(slowest, small.health())
        for _ in range(5):
            slowest = max(slowest, small.health())
        assert len(os.listdir(f"/proc/{small.pid}/fd")) < FILES
    assert slowest < 1, slowest
    assert small.log.stat().st_size < 10_000
    assert "open files" in small.log.read_text()


def test_requests_that_are_none_fill_no_log(small: Small) -> None:
    for _ in range(500):
        with small.connect() as line:
            line.sendall(b"\x16\x03\x01 no request\r\n\r\n")
            line.recv(1_000)
    assert small.health() < 1
    assert small.log.stat().st_size < 10_000


class Visitor:
    """A connection that notes whether it was sent away."""

    def __init__(self) -> None:
        self.left = False

    def close_now(self) -> None:
        self.left = True


def test_one_address_has_a_share_of_the_connections() -> None:
    connections = Connections(Capacity(connections=100, readers=50, each=3))
    guests = [Visitor() for _ in range(5)]
    assert all(connections.admit(guest, "10.0.0.1") for guest in guests)
    assert [guest.left for guest in guests] == [True, True, False, False, False]
    for guest in guests[2:]:
        connections.request_started(guest)
    assert not connections.admit(Visitor(), "10.0.0.1")
    assert connections.admit(Visitor(), "10.0.0.2")
    connections.closed(guests[2])
    assert connections.admit(Visitor(), "10.0.0.1")
    connections.request_ended(guests[3])
    assert connections.admit(Visitor(), "10.0.0.1")


def test_this_machine_and_proxies_share_nothing_but_the_whole() -> None:
    connections = Connections(Capacity(connections=10, readers=5, each=3), "127.0.0.1, 10.9.9.9")
    guests = [Visitor() for _ in range(10)]
    for number, guest in enumerate(guests):
        assert connections.admit(guest, "127.0.0.1" if number % 2 else "10.9.9.9")
        connections.request_started(guest)
    late = [connections.admit(Visitor(), "::1") for _ in range(SPARE)]
    assert all(late)  # they wait, and make room for each other
    for guest in guests:
        assert not guest.left
