"""What the doors cost: OpenAI's over the native route, finding a turn among a million, MCP's start.

    python -m benchmarks.doors [--streams 50] [--turns 20] [--stored 1000000] [--starts 20]

A real server plays `parts` with model `rules` in a process of its own. Rounds of both routes take
turns, so that whatever else the machine does touches both.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import resource
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from hashlib import blake2b
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from ruleplay.settings import Settings
from ruleplay.storage.database import connect
from ruleplay.storage.histories import Histories

Place = tuple[str, int]
SAYS = (
    "My dishwasher WDT780SAEM1 leaks",
    "Will PS90001822 fit my WDT780SAEM1?",
    "How do I install PS90001822?",
    "I need a water filter for my refrigerator",
)
ROUNDS = 3
LOOKUPS = 2_000
ROWS_A_TURN = 4


@contextmanager
def serving(folder: str) -> Iterator[tuple[Place, int]]:
    """Run a server in a process of its own; yields where it listens, and its process id."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=_serve, args=(folder, there), daemon=True
    )
    process.start()
    try:
        if not here.poll(120):
            raise TimeoutError("the server did not start")
        yield here.recv(), process.pid or 0
    finally:
        process.terminate()
        process.join()


def _serve(folder: str, parent: Connection) -> None:
    from ruleplay.catalog import find_agent
    from ruleplay.server.app import create_app
    from ruleplay.server.serving import Server

    settings = Settings(home=Path(folder), db="", token="", model="rules", models={})
    listener = socket.create_server(("127.0.0.1", 0))
    app = create_app(settings, find_agent)
    Server(app, lambda: parent.send(listener.getsockname()), settings).run(sockets=[listener])


def cpu_seconds(pid: int) -> float:
    """Return the processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def post(place: Place, path: str, body: object, accept: str) -> tuple[bytes, bytes]:
    """Post JSON; return the head and the whole body of the answer."""
    reader, writer = await asyncio.open_connection(*place)
    payload = json.dumps(body).encode()
    writer.write(
        (
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Accept: {accept}\r\nContent-Length: {len(payload)}\r\nConnection: close\r\n\r\n"
        ).encode()
        + payload
    )
    answer = await reader.read()
    writer.close()
    head, _, told = answer.partition(b"\r\n\r\n")
    if b" 20" not in head.partition(b"\r\n")[0]:
        raise RuntimeError(answer[:500].decode())
    return head, told


def _events(told: bytes) -> list[str]:
    """Return what an event stream says, out of its chunks."""
    lines = told.decode().replace("\r", "").split("\n")
    return [line[6:] for line in lines if line.startswith("data: ")]


async def native(place: Place, number: int, turns: int, took: list[float]) -> None:
    """Play turns over the API, each as a stream of events."""
    _, made = await post(place, "/api/sessions", {"agent": "parts"}, "application/json")
    session = json.loads(made[made.index(b"{") : made.rindex(b"}") + 1])["id"]
    for turn in range(turns):
        body = {"message": SAYS[(number + turn) % len(SAYS)]}
        began = perf_counter()
        await post(place, f"/api/sessions/{session}/turns", body, "text/event-stream")
        took.append(perf_counter() - began)


async def door(place: Place, number: int, turns: int, took: list[float]) -> None:
    """Play turns as a chat program does: all that was said, each time."""
    messages: list[dict[str, str]] = []
    for turn in range(turns):
        # The number keeps the chats apart, as people's words do.
        said = SAYS[(number + turn) % len(SAYS)] + ("" if turn else f" (chat {number})")
        messages.append({"role": "user", "content": said})
        body = {"model": "parts", "messages": messages, "stream": True, "user": str(number)}
        began = perf_counter()
        _, told = await post(place, "/v1/chat/completions", body, "text/event-stream")
        took.append(perf_counter() - began)
        pieces = [json.loads(event) for event in _events(told) if event.startswith("{")]
        reply = "".join(p["choices"][0]["delta"].get("content") or "" for p in pieces)
        messages.append({"role": "assistant", "content": reply})


Plays = Callable[[Place, int, int, list[float]], Awaitable[None]]


async def load(
    place: Place, pid: int, plays: Plays, streams: int, turns: int, at: int
) -> dict[str, float]:
    """Play with so many clients at once; return the times, and the server's own per turn."""
    took: list[float] = []
    cpu, began = cpu_seconds(pid), perf_counter()
    await asyncio.gather(*(plays(place, at + n, turns, took) for n in range(streams)))
    seconds = perf_counter() - began
    return {
        "turns_a_second": len(took) / seconds,
        "p50_ms": median(took) * 1000,
        "p95_ms": quantiles(took, n=20)[-1] * 1000,
        "cpu_ms_a_turn": (cpu_seconds(pid) - cpu) / len(took) * 1000,
    }


async def measure_load(streams: int, turns: int) -> dict[str, object]:
    """Return what both routes cost, and how much more the door does."""
    with tempfile.TemporaryDirectory() as folder, serving(folder) as (place, pid):
        for warm in (native, door):
            await load(place, pid, warm, 4, 4, 100_000)
        rounds: dict[str, list[dict[str, float]]] = {"native": [], "door": []}
        for number in range(ROUNDS):
            for name, plays in (("native", native), ("door", door)):
                at = number * streams
                rounds[name].append(await load(place, pid, plays, streams, turns, at))
    found = {
        name: {key: round(median(one[key] for one in told), 2) for key in told[0]}
        for name, told in rounds.items()
    }
    over = {
        f"overhead_{key}_percent": round((found["door"][key] / found["native"][key] - 1) * 100, 1)
        for key in ("p50_ms", "cpu_ms_a_turn")
    }
    return {"streams": streams, "turns": turns, "rounds": ROUNDS, **found, **over}


def _hash(number: int) -> str:
    return blake2b(str(number).encode(), digest_size=16).hexdigest()


async def measure_lookup(stored: int) -> dict[str, object]:
    """Return what it takes to find one of many turns, and that there is none."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "many.db"
        database = await connect(f"sqlite+aiosqlite:///{file}")
        await asyncio.to_thread(_fill, file, stored)
        histories = Histories(database)
        times: dict[str, list[float]] = {"found": [], "within": [], "unknown": []}
        for n in range(LOOKUPS):
            turn = (n * 7_919) % stored
            session = f"{turn // 20:024x}"
            began = perf_counter()
            places = await histories.places(_hash(turn * ROWS_A_TURN))
            times["found"].append(perf_counter() - began)
            if places[0].turn != f"{turn:024x}":
                raise AssertionError("the wrong turn")
            began = perf_counter()
            await histories.places(_hash(turn * ROWS_A_TURN), (session,))
            times["within"].append(perf_counter() - began)
            began = perf_counter()
            await histories.places(_hash(-n - 1))
            times["unknown"].append(perf_counter() - began)
        size = file.stat().st_size
        await database.close()
    return {
        "stored_turns": stored,
        "rows": stored * ROWS_A_TURN,
        "megabytes": round(size / 1e6),
        **{f"{name}_ms_p50": round(median(t) * 1000, 3) for name, t in times.items()},
        **{f"{name}_ms_p95": round(quantiles(t, n=20)[-1] * 1000, 3) for name, t in times.items()},
    }


def _fill(file: Path, stored: int) -> None:
    rows = (
        (_hash(number), f"{number // ROWS_A_TURN // 20:024x}", f"{number // ROWS_A_TURN:024x}", 1.0)
        for number in range(stored * ROWS_A_TURN)
    )
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute("PRAGMA cache_size=-400000")
        connection.executemany("INSERT INTO histories VALUES (?, ?, ?, ?)", rows)


def cpu_of_starts(command: str, home: str, starts: int) -> float:
    """Return the processor time in seconds of so many servers to which nothing is said."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(starts):
        environment = {"RULEPLAY_HOME": home}
        subprocess.run([command, "mcp"], env=environment, stdin=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


async def measure_ready(starts: int) -> dict[str, object]:
    """Return how long a program waits that starts `ruleplay mcp`, and until it has the tools.

    On a machine that does much else the processor time says more: a start's, without the tools.
    """
    from mcp import Client, StdioServerParameters

    times: dict[str, list[float]] = {"ready": [], "listed": []}
    with tempfile.TemporaryDirectory() as folder:
        server = StdioServerParameters(
            command=str(Path(sys.executable).with_name("ruleplay")),
            args=["mcp"],
            env={"RULEPLAY_HOME": folder},
        )
        used = await asyncio.to_thread(cpu_of_starts, server.command, folder, starts)
        for _ in range(starts):
            began = perf_counter()
            async with Client(server) as client:
                times["ready"].append(perf_counter() - began)
                await client.list_tools()
                times["listed"].append(perf_counter() - began)
    return {
        "starts": starts,
        "cpu_ms_a_start": round(used / starts * 1000),
        **{f"{name}_ms_p50": round(median(t) * 1000) for name, t in times.items()},
        **{f"{name}_ms_least": round(min(t) * 1000) for name, t in times.items()},
        **{f"{name}_ms_most": round(max(t) * 1000) for name, t in times.items()},
        "machine_load": [round(one, 1) for one in os.getloadavg()],
    }


async def main() -> None:
    """Measure, and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=50)
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--stored", type=int, default=1_000_000)
    parser.add_argument("--starts", type=int, default=20)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    report: dict[str, object] = {}
    if given.streams:
        report["load"] = await measure_load(given.streams, given.turns)
    if given.stored:
        report["lookup"] = await measure_lookup(given.stored)
    if given.starts:
        report["mcp"] = await measure_ready(given.starts)
    text = json.dumps(report, indent=2)
    sys.stdout.write(text + "\n")
    if given.json:
        given.json.write_text(text + "\n")


if __name__ == "__main__":
    asyncio.run(main())
