"""What a turn costs, and that it costs the same however long the session is.

What is compared is played turn about in the same minutes on the same file, so that a busy machine
slows both: the last turns of the long session beside the first of a fresh one, the first thousand
beside plain asyncio, the peer's last beside ours.
"""

from __future__ import annotations

import platform
import sqlite3
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from os import cpu_count
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.yardstick import TEXT, Yardstick, YardstickHost, play_peer
from pydantic import BaseModel, ConfigDict

from ruleplay.errors import UserError
from ruleplay.kernel.host import Host
from ruleplay.records.given import Given
from ruleplay.settings import Settings

BLOCK = 100
"""Turns whose median makes one figure."""
PLAIN_TURNS = 1_000
"""Turns that are also played without a graph, turn about."""
PEER_TURNS = 500
"""Turns after which the peer is stopped: its cost keeps growing."""
VERSIONS_OF = ("ruleplay", "langgraph", "langgraph-checkpoint-sqlite", "sqlalchemy")

Progress = Callable[[int, int], None]
Turn = Callable[[], Awaitable[object]]


class TurnBench(BaseModel):
    """Medians of 100-turn blocks in milliseconds, ratios of such medians, and bytes on disk.

    `ratio`: the last block against the first block of a fresh session beside it. `vs_plain`: this
    against plain asyncio on the same store, the median over the blocks that were played turn about.
    `vs_langgraph_sqlite_saver`: LangGraph with its SQLite
    saver after `peer_turns` against this; None when a package is missing, and `notes` names it.
    `blocks_ms` are all blocks of the long session, as the machine was busy at the time.
    """

    model_config = ConfigDict(frozen=True)

    turns: int
    turn_1_ms: float
    turn_last_ms: float
    ratio: float
    bytes_per_turn: float
    vs_plain: float
    vs_langgraph_sqlite_saver: float | None
    bytes_per_turn_first_half: float
    bytes_per_turn_last_half: float
    plain_ms: float
    peer_ms: float | None
    peer_turns: int
    blocks_ms: tuple[float, ...]
    notes: tuple[str, ...] = ()
    versions: dict[str, str]
    cores: int


class Clock:
    """Turns' durations in milliseconds, and the medians of their blocks."""

    def __init__(self) -> None:
        self.ms: list[float] = []

    async def time(self, turn: Turn) -> None:
        """Run one turn and note how long it took."""
        began = perf_counter()
        await turn()
        self.ms.append((perf_counter() - began) * 1000)

    def block(self, end: int) -> float:
        """Return the median of the block that ends with turn `end`."""
        return median(self.ms[max(0, end - BLOCK) : end])

    def blocks(self) -> tuple[float, ...]:
        """Return the medians of all blocks, in order."""
        ends = range(min(BLOCK, len(self.ms)), len(self.ms) + 1, BLOCK)
        return tuple(round(self.block(end), 2) for end in ends)


class Growth:
    """How large the database was after how many turns."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._marks: list[tuple[int, int]] = []

    def mark(self, turns: int) -> None:
        """Note the size after so many written turns."""
        with closing(sqlite3.connect(self._path)) as connection:
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            (size,) = connection.execute("PRAGMA page_size").fetchone()
        self._marks.append((turns, pages * size))

    def per_turn(self, start: float, end: float) -> float:
        """Return bytes per turn between two parts of the run, 0 its start and 1 its end."""
        last = len(self._marks) - 1
        first, then = self._marks[round(start * last)], self._marks[round(end * last)]
        return round((then[1] - first[1]) / (then[0] - first[0]), 1)


@dataclass
class Measured:
    """What a run brought."""

    ours: Clock
    plain: Clock
    growth: Growth
    fresh: Clock
    peer: Clock
    beside: Clock
    notes: tuple[str, ...]


async def bench_turn(
    turns: int = 10_000, on_progress: Progress = lambda done, turns: None
) -> TurnBench:
    """Play `turns` turns of one session on a SQLite file of its own and return what they cost.

    `on_progress(done, turns)` is called once a block. Takes about 20 ms a turn on two cores.
    """
    if turns < 2 * BLOCK:
        raise UserError(f"at least {2 * BLOCK} turns are needed to compare two blocks, not {turns}")
    with tempfile.TemporaryDirectory(prefix="ruleplay-bench-") as folder:
        return _summary(await _measure(Path(folder), turns, on_progress))


async def _measure(folder: Path, turns: int, on_progress: Progress) -> Measured:
    settings = Settings(home=folder, db="", model="rules")
    host = await YardstickHost.open(settings, lambda name: Yardstick())
    clocks = Clock(), Clock(), Growth(folder / "ruleplay.db"), Clock(), Clock(), Clock()
    measured = Measured(*clocks, notes=())
    try:
        await _play(host, measured, turns, on_progress)
        await _play_peer(host, measured, folder / "peer.db", min(turns, PEER_TURNS))
    except ImportError as error:
        measured.notes = (f"no peer: {error.name} is not installed",)
    finally:
        await host.close()
    return measured


async def _play(host: Host, measured: Measured, turns: int, on_progress: Progress) -> None:
    long, floor, fresh = await _turns(host), await _turns(host, plain=True), await _turns(host)
    measured.growth.mark(0)
    for n in range(1, turns + 1):
        if n <= PLAIN_TURNS:
            await measured.plain.time(floor)
        await measured.ours.time(long)
        if n > turns - BLOCK:
            await measured.fresh.time(fresh)
        if n % BLOCK == 0:
            written = len(measured.ours.ms) + len(measured.plain.ms) + len(measured.fresh.ms)
            measured.growth.mark(written)
            on_progress(n, turns)


async def _play_peer(host: Host, measured: Measured, path: Path, turns: int) -> None:
    beside = await _turns(host)

    async def time(turn: Turn) -> None:
        await measured.peer.time(turn)
        if len(measured.peer.ms) > turns - BLOCK:
            await measured.beside.time(beside)

    await play_peer(path, turns, time)


async def _turns(host: Host, *, plain: bool = False) -> Turn:
    """Return a new session as a function that plays its next turn."""
    session = (await host.create("", {"plain": plain})).id
    return lambda: host.start(session, Given(message=TEXT))


def _summary(measured: Measured) -> TurnBench:
    ours, plain, peer, growth = measured.ours, measured.plain, measured.peer, measured.growth
    first, last, ran = measured.fresh.block(BLOCK), ours.block(len(ours.ms)), len(plain.ms)
    paired = [ours.block(end) / plain.block(end) for end in range(BLOCK, ran + 1, BLOCK)]
    peer_ms = peer.block(len(peer.ms)) if peer.ms else None
    return TurnBench(
        turns=len(ours.ms),
        turn_1_ms=round(first, 2),
        turn_last_ms=round(last, 2),
        ratio=round(last / first, 3),
        bytes_per_turn=growth.per_turn(0, 1),
        vs_plain=round(median(paired), 2),
        vs_langgraph_sqlite_saver=(
            round(peer_ms / measured.beside.block(BLOCK), 2) if peer_ms else None
        ),
        bytes_per_turn_first_half=growth.per_turn(0, 0.5),
        bytes_per_turn_last_half=growth.per_turn(0.5, 1),
        plain_ms=round(plain.block(ran), 2),
        peer_ms=round(peer_ms, 2) if peer_ms else None,
        peer_turns=len(peer.ms),
        blocks_ms=ours.blocks(),
        notes=measured.notes,
        versions={name: _version(name) for name in VERSIONS_OF}
        | {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version},
        cores=cpu_count() or 0,
    )


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
