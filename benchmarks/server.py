"""What a reader costs the server, and how soon it reads what the model has just written.

A real server runs in a process of its own, with a model that writes the time into its first
sentence; this process holds the readers, on plain sockets.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import platform
import re
import socket
import subprocess
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import monotonic_ns
from typing import TYPE_CHECKING

from benchmarks.stopwatch import STOPWATCH, Chronometer, Stopwatch, unspelled
from pydantic import BaseModel, ConfigDict

from ruleplay.settings import Settings

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

READERS = 200
WARM_READERS = 20
"""Readers that come and go before memory is measured, so that what is made once is not counted."""
FAN_OUT_TURNS = 5
STARTED_WITHIN = 60
"""Seconds that the server may take to start."""
_STAMP = re.compile(rb"written at nanosecond ([a-j]+)")

Progress = Callable[[int, int], None]
Place = tuple[str, int]


class ServerBench(BaseModel):
    """Memory in kilobytes (1,000 bytes), times in milliseconds.

    `kb_per_reader` is what the server's resident memory grew by with `readers` idle ones, each.
    `first_text_ms` are from the model's first sentence until one reader has it, with all the others
    connected; `to_all_ms` until the last of `readers` has it.
    """

    model_config = ConfigDict(frozen=True)

    readers: int
    kb_before: float
    kb_per_reader: float
    turns: int
    first_text_ms: float
    first_text_ms_worst: float
    to_all_ms: float
    to_all_ms_worst: float
    versions: dict[str, str]
    cores: int


async def bench_server(
    turns: int = 20, on_progress: Progress = lambda done, turns: None
) -> ServerBench:
    """Connect readers to a server and return what they cost and how soon they hear of `turns`."""
    with tempfile.TemporaryDirectory(prefix="ruleplay-bench-") as folder, serving(folder) as at:
        place, pid = at
        await _readers_come_and_go(place)
        before = resident_kb(pid)
        busy, crowded = await new_session(place), await new_session(place)
        async with AsyncExitStack() as opened:
            crowd = [
                await opened.enter_async_context(reading(place, crowded)) for _ in range(READERS)
            ]
            after = resident_kb(pid)
            one = await opened.enter_async_context(reading(place, busy))
            first = [await _played(place, busy, [one], n, turns, on_progress) for n in range(turns)]
            to_all = [await _played(place, crowded, crowd, n, 0) for n in range(FAN_OUT_TURNS)]
    return ServerBench(
        readers=READERS,
        kb_before=round(before, 1),
        kb_per_reader=round((after - before) / READERS, 1),
        turns=turns,
        first_text_ms=round(median(first), 2),
        first_text_ms_worst=round(max(first), 2),
        to_all_ms=round(median(to_all), 2),
        to_all_ms_worst=round(max(to_all), 2),
        versions={name: version(name) for name in ("ruleplay", "uvicorn", "sse-starlette")}
        | {"python": platform.python_version()},
        cores=os.cpu_count() or 0,
    )


async def _played(
    place: Place,
    session: str,
    readers: Sequence[asyncio.StreamReader],
    done: int,
    turns: int,
    on_progress: Progress = lambda done, turns: None,
) -> float:
    """Play a turn; return the milliseconds until the last reader has its first sentence."""
    reading = [asyncio.create_task(_first_text(reader)) for reader in readers]
    await post(place, f"/api/sessions/{session}/turns?wait=true", {"message": "go on"})
    on_progress(done + 1, turns)
    return max(await asyncio.gather(*reading))


async def _first_text(reader: asyncio.StreamReader) -> float:
    """Return how old a turn's first sentence is when it arrives, and read on to the turn's end."""
    taken = None
    while True:
        line = await reader.readline()
        now = monotonic_ns()
        if taken is None and (stamp := _STAMP.search(line)):
            taken = (now - unspelled(stamp[1].decode())) / 1_000_000
        if taken is not None and line.startswith(b"event: turn.committed"):
            await reader.readline()  # it has the whole reply, which is no news
            return taken
        if not line:
            raise ConnectionError("the server ended the stream")


@asynccontextmanager
async def reading(place: Place, session: str) -> AsyncIterator[asyncio.StreamReader]:
    """Follow a session; yields once the server has told where the reader stands."""
    reader, writer = await asyncio.open_connection(*place)
    request = f"GET /api/sessions/{session}/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
    writer.write(request.encode())
    while not (await reader.readline()).startswith(b"id: "):
        pass
    try:
        yield reader
    finally:
        writer.transport.abort()


async def _readers_come_and_go(place: Place) -> None:
    session = await new_session(place)
    async with AsyncExitStack() as opened:
        some = [
            await opened.enter_async_context(reading(place, session)) for _ in range(WARM_READERS)
        ]
        await _played(place, session, some, 0, 0)


async def new_session(place: Place) -> str:
    """Create a session and return its id."""
    return str((await post(place, "/api/sessions", {"agent": STOPWATCH}))["id"])


async def post(place: Place, path: str, body: dict[str, str]) -> dict[str, object]:
    """Post JSON and return the JSON that is answered."""
    reader, writer = await asyncio.open_connection(*place)
    payload = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(payload)}\r\nConnection: close\r\n\r\n"
    )
    writer.write(head.encode() + payload)
    answer = await reader.read()
    writer.close()
    told: dict[str, object] = json.loads(answer.partition(b"\r\n\r\n")[2])
    return told


@contextmanager
def serving(folder: str, db: str = "") -> Iterator[tuple[Place, int]]:
    """Run the server in a process of its own; yields where it listens, and its process id."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=_serve, args=(folder, db, there), daemon=True
    )
    process.start()
    try:
        if not here.poll(STARTED_WITHIN):
            raise TimeoutError(f"the server did not start within {STARTED_WITHIN} s")
        yield here.recv(), process.pid or 0
    finally:
        process.terminate()
        process.join()


def _serve(folder: str, db: str, parent: Connection) -> None:
    from ruleplay.server.app import create_app
    from ruleplay.server.serving import Server

    settings = Settings(home=Path(folder), db=db, token="", model=STOPWATCH, models={})
    app = create_app(settings, lambda name: Stopwatch())
    listener = socket.create_server(("127.0.0.1", 0))

    def ready() -> None:
        app.state.host.models.stand_ins[STOPWATCH] = Chronometer()
        parent.send(listener.getsockname())

    Server(app, ready, settings).run(sockets=[listener])


def resident_kb(pid: int) -> float:
    """Return a process's resident memory."""
    statm = Path(f"/proc/{pid}/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1000
    told = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True
    )
    return int(told.stdout) * 1024 / 1000
