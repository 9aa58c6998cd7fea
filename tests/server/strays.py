"""Addresses, paths and keys in every text that a server takes, and what it did with them."""

from __future__ import annotations

import json
import os
import random
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from tests.routes import Server
from tests.server.conftest import ended, server_environment
from tests.system_calls import Recorded

CANARY = "canary9137"
"""A word that stands in every address and path, and nowhere else."""
KEY = "owners-secret-key-71"
SHOP = "https://shop.example"
KEYS = ("RULEPLAY_COMPATIBLE_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "WARCRAFTLOGS_KEY")
GIVEN_UP = 180


@dataclass
class Strays:
    """What happened: requests by status, and what a client's text led to."""

    statuses: dict[int, int]
    connections: list[str]
    files: list[str]
    keys: list[str]
    defects: list[str] = field(default_factory=list)


def texts(port: int, folder: Path) -> tuple[str, ...]:
    """Return addresses and paths that lead somewhere where it is seen."""
    url = f"http://127.0.0.1:{port}/{CANARY}"
    file = folder / f"{CANARY}.db"
    file.write_bytes(b"SQLite format 3\x00" + bytes(100))
    return (
        url,
        f"{url}/v1#gpt",
        f"openai-compatible:{url}",
        f"ws://127.0.0.1:{port}/{CANARY}/websocket",
        f"http://{CANARY}.example/",
        str(file),
        f"../../../../../../../..{file}",
        f"file://{file}",
        f"embedded:{file}",
        f"sqlite+aiosqlite:///{file}",
        f"postgresql+asyncpg://{CANARY}:{CANARY}@127.0.0.1:{port}/x",
        f"${{OPENAI_API_KEY}} $(cat {file}) {{{{{CANARY}}}}}",
        f"![a]({url}) <img src={url}> [b]({url})",
    )


@contextmanager
def recorded_server(folder: Path, record: Recorded) -> Iterator[str]:
    """Run a server that has keys and no models, its calls noted; yield its address."""
    home = folder / "home"
    home.mkdir()
    command = [sys.executable, "-m", "ruleplay.cli.main", "serve", "--port", "0", "--json"]
    given = {**server_environment(home), **dict.fromkeys(KEYS, KEY), **record.environment}
    given["RULEPLAY_FRAMED_BY"] = json.dumps([SHOP])
    with (folder / "log").open("w") as log, ExitStack() as held:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, text=True, env=given, cwd=home
        )
        held.enter_context(ended(process))
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["url"]


def fed(folder: Path, share: float, seed: int) -> Strays:
    """Send a share of all requests with all texts in them; return what came of it."""
    chance = random.Random(seed)
    record = Recorded(folder)
    statuses: dict[int, int] = {}
    keys: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as trap:
        port = trap.getsockname()[1]
        with (
            recorded_server(folder, record) as url,
            httpx.Client(base_url=url, timeout=GIVEN_UP) as client,
        ):
            server = Server.met(client, SHOP)
            for text in texts(port, folder):
                for ask in server.asks(text):
                    if chance.random() > share:
                        continue
                    answer = client.request(
                        ask.method,
                        ask.path,
                        content=ask.body,
                        headers=ask.headers,
                    )
                    statuses[answer.status_code] = statuses.get(answer.status_code, 0) + 1
                    if KEY in answer.text or KEY in str(answer.headers):
                        keys.append(ask.what)
            server.check(client)
    if KEY in (folder / "log").read_text():
        keys.append("the log")
    return went_astray(record, folder / "home", statuses, keys)


def went_astray(record: Recorded, home: Path, statuses: dict[int, int], keys: list[str]) -> Strays:
    """Return what a process was noted to have opened and connected to that nobody named."""
    lines = record.lines()
    assert any(line.startswith("open ") for line in lines), "nothing was noted"
    gone = [line for line in lines if line.startswith(("connect ", "resolve "))]
    return Strays(
        statuses,
        [line for line in gone if not _own(line)],
        [line for line in lines if CANARY in line and _strays(line, home)],
        keys,
    )


def _strays(line: str, home: Path) -> bool:
    """Tell whether a file was opened that lies outside the server's own folder."""
    what, _, path = line.partition(" ")
    return what == "open" and home not in Path(os.path.normpath(home / path)).parents


def _own(line: str) -> bool:
    """Tell whether a connection is to the system's own services, or to where the server is."""
    return line.startswith(("connect unix /var/run/", "resolve 127.0.0.1", "resolve localhost"))
