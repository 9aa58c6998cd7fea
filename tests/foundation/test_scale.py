"""Many turns in many processes, a database that goes away, and one that is full."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from duel.table import Tables
from sqlalchemy import text
from tests.samples import sample

from ruleplay.errors import Away, Unavailable
from ruleplay.kernel.maintenance import check
from ruleplay.kernel.replay import replay
from ruleplay.records.given import Given
from ruleplay.records.turns import Turn

if TYPE_CHECKING:
    from tests.postgres import PostgresServer

    from ruleplay.kernel.session import Session

SHIFT = Path(__file__).parent / "children" / "shift.py"
SESSIONS, TURNS = 9, 6
"""The short form of `benchmarks/processes.py`."""
PROCESSES = sample(2, 3)
FIGHTERS = 2
DUPLICATES = sample(200, 400)


Work = Sequence[tuple[str, str]]


class Shift:
    """A process of its own that plays turns."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def play(self, work: Work) -> tuple[int, dict[str, int]]:
        """Let it play turns; return how many, and how often which error had some sent again."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(work).encode() + b"\n")
        played, again = json.loads(await self.line())
        return played, again

    async def line(self) -> bytes:
        """Return the next line it prints."""
        assert self._process.stdout is not None
        return await self._process.stdout.readline()


@asynccontextmanager
async def shifts(tables: Tables, count: int) -> AsyncIterator[list[Shift]]:
    """Start so many processes; they have loaded everything when the block begins."""
    pipe = asyncio.subprocess.PIPE
    command = [sys.executable, str(SHIFT), tables.url, str(tables.home)]
    started = [
        await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
        for _ in range(count)
    ]
    try:
        found = [Shift(process) for process in started]
        assert {await one.line() for one in found} == {b"ready\n"}
        yield found
        # With input, be it none at all: only then is the other end told that there is no more.
        await asyncio.gather(*(process.communicate(b"") for process in started))
        assert [process.returncode for process in started] == [0] * count
    finally:
        for process in started:
            if process.returncode is None:
                process.kill()
                await process.communicate()


async def duels(tables: Tables, count: int) -> list[Session]:
    host = await tables.host()
    return [await tables.duel(host, seed=str(n)) for n in range(count)]


async def played_in_order(duel: Session, keys: list[str]) -> None:
    turns = await duel.turns()
    assert [turn.key for turn in turns] == keys
    assert [turn.number for turn in turns] == list(range(1, len(keys) + 1))
    assert len(await duel.host.store.branches(duel.id)) == len(keys)


async def test_hundreds_of_posts_of_one_key_are_one_turn(tables: Tables) -> None:
    hosts = [await tables.host() for _ in range(4)]
    duel = await tables.duel(hosts[0])
    given = Given(message="En garde!")
    tasks = [hosts[n % 4].start(duel.id, given, key="k") for n in range(DUPLICATES)]
    turns = await asyncio.gather(*tasks)
    assert len({turn.id for turn in turns}) == 1
    await played_in_order(duel, ["k"])


def dealt(sessions: Sequence[Session], keys: list[str]) -> Iterator[list[list[tuple[str, str]]]]:
    """Deal out turns, step by step: in each every process has other sessions, in the end all."""
    share = len(keys) // PROCESSES
    for step in range(PROCESSES):
        work: list[list[tuple[str, str]]] = [[] for _ in range(PROCESSES)]
        for n, duel in enumerate(sessions):
            part = keys[step * share : (step + 1) * share]
            work[(n + step) % PROCESSES] += [(duel.id, key) for key in part]
        yield work


async def test_sessions_shared_by_processes_lose_no_turn_and_keep_their_order(
    tables: Tables,
) -> None:
    """Every session is played by all processes, which take turns at it: one, then the next."""
    sessions = await duels(tables, SESSIONS)
    keys = [f"k{n:03}" for n in range(TURNS)]
    async with shifts(tables, PROCESSES) as players:
        for work in dealt(sessions, keys):
            done = await asyncio.gather(
                *(player.play(one) for player, one in zip(players, work, strict=True))
            )
            assert sum(count for count, _ in done) == SESSIONS * TURNS // PROCESSES
            assert all(again == {} for _, again in done)
    for duel in sessions:
        await played_in_order(duel, keys)
    assert (await check(sessions[0].host, 4)).problems == ()


async def test_processes_that_fight_for_the_same_sessions_lose_no_turn(tables: Tables) -> None:
    sessions = await duels(tables, 3)
    async with shifts(tables, FIGHTERS) as players:
        await asyncio.gather(
            *(
                player.play([(duel.id, f"p{process}k{n}") for duel in sessions for n in range(5)])
                for process, player in enumerate(players)
            )
        )
    for duel in sessions:
        turns = await duel.turns()
        assert len(turns) == 5 * FIGHTERS
        assert (await replay(duel.host, duel.id)).identical
        for process in range(FIGHTERS):
            own = [turn.key for turn in turns if str(turn.key).startswith(f"p{process}")]
            assert own == [f"p{process}k{n}" for n in range(5)]


async def test_a_database_that_restarts_under_load_loses_nothing(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    tables = Tables(await asyncio.to_thread(postgres.new_database), tmp_path)
    sessions = await duels(tables, 6)
    keys = [f"k{n:03}" for n in range(sample(10, 20))]
    halves = (sessions[:3], sessions[3:])
    async with shifts(tables, 2) as players:
        done = []
        for part in (keys[: len(keys) // 2], keys[len(keys) // 2 :]):
            work = [[(duel.id, key) for duel in half for key in part] for half in halves]
            playing = asyncio.gather(
                *(player.play(one) for player, one in zip(players, work, strict=True))
            )
            async with asyncio.timeout(180):
                while not any(turn.key == part[0] for turn in await sessions[0].turns()):
                    await asyncio.sleep(0.01)
            await asyncio.to_thread(postgres.stop)
            with pytest.raises(Away, match="does not answer"):
                await sessions[0].turn("hello?", key="none")
            await asyncio.to_thread(postgres.start)
            done += await playing
    assert [count for count, _ in done] == [3 * len(keys) // 2] * 4
    assert any(again.get("Away") for _, again in done)
    for duel in sessions:
        await played_in_order(duel, keys)
        assert (await replay(duel.host, duel.id)).identical
    await tables.close()


async def test_a_turn_that_finds_the_disk_full_leaves_the_session_readable(table: Tables) -> None:
    duel = await table.duel()
    for n in range(3):
        await duel.turn(f"blow {n}")
    database, before = duel.host.store.database, await duel.turns()
    used = await database.keep(lambda c: c.execute(text("PRAGMA page_count")).scalar())
    # The same error as of a full disk, on each connection that writes.
    await database.keep(lambda c: c.execute(text(f"PRAGMA max_page_count = {used}")).close())
    stored, failure = 0, None
    for n in range(200):
        try:
            await duel.turn(f"more {n}", key=f"more {n}")
            stored += 1
        except Unavailable as error:
            failure = error
            break
    assert "full" in str(failure)
    assert await duel.turns() == [*before, *(await duel.turns())[3:]]
    assert len(await duel.turns()) == 3 + stored
    assert (await replay(duel.host, duel.id)).identical
    await database.keep(lambda c: c.execute(text("PRAGMA max_page_count = 1000000")).close())
    turn: Turn = await duel.turn("room again", key=f"more {stored}x")
    assert turn.number == 4 + stored
    assert (await check(duel.host)).problems == ()
