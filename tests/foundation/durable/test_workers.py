"""Two workers on one PostgreSQL: one is killed in the middle of a turn, the other goes on."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from duel.table import Tables
from tests.foundation.conftest import OUTSIDE, skip_or_fail
from tests.foundation.openai_stub import OpenAIStub, Reply, say

from ruleplay.kernel.replay import replay
from ruleplay.kernel.turn import HEAD, now
from ruleplay.records.given import Given

if TYPE_CHECKING:
    from tests.postgres import PostgresServer

    from ruleplay.durable.desk import Desk
    from ruleplay.kernel.host import Host

SOURCE = Path(__file__).parents[3] / "src"
# Stance and omen are asked side by side; this answers both.
PROPOSED = say('{"stance": "bold", "force": 2, "sign": "raven"}')
TOLD = say("Steel rings.")
SECONDS = 180


@dataclass
class Office:
    """A database as a server has it open, beside the workers."""

    url: str
    home: Path
    host: Host
    desk: Desk


@pytest.fixture
async def office(postgres: PostgresServer, tmp_path: Path) -> AsyncIterator[Office]:
    """Open a new database's host and desk; both are closed, whatever a test came to."""
    if find_spec("dbos") is None:
        skip_or_fail("durable", "install the package dbos")
    from ruleplay.durable.desk import Desk

    url = await asyncio.to_thread(postgres.new_database)
    tables = Tables(url, tmp_path)
    async with AsyncExitStack() as opened:
        opened.push_async_callback(tables.close)
        host, desk = await tables.host(), await Desk.open(url)
        opened.push_async_callback(desk.close)
        yield Office(url, tmp_path, host, desk)


@asynccontextmanager
async def worker(
    name: str, url: str, home: Path, model: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run `ruleplay worker` as a process of its own, ready to take turns."""
    command = ["worker", "--name", name, "--db", url, "--model", model, "--grace", "0", "--json"]
    env = {
        **os.environ,
        "RULEPLAY_HOME": str(home),
        # A model that is asked too late is not asked: the stub's replies would go to other roles.
        "RULEPLAY_PROPOSE_SECONDS": "300",
        "RULEPLAY_TELL_SECONDS": "300",
        "PYTHONPATH": os.pathsep.join((str(SOURCE), str(OUTSIDE))),
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "ruleplay.cli.main", *command),
        env=env,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        ready = json.loads(await process.stdout.readline())
        assert ready == {"worker": name, "pid": process.pid}
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await asyncio.wait_for(process.wait(), SECONDS)


async def hand_in(desk: Desk, session: str, key: str) -> str:
    """Put a turn into the queue, as a server does; return its work's id."""
    from ruleplay.durable.runner import TURNS, WORK, Asked

    asked = Asked(
        session=session,
        turn=f"turn-{key}",
        at=now(),
        given=Given(message=f"message of {key}"),
        seat="",
        key=key,
        after=HEAD,
    )
    ident = f"{session}/{key}"
    await desk.put(TURNS.name, WORK, ident, asked.model_dump(mode="json"), session)
    return ident


async def test_a_killed_worker_finishes_its_turn_when_it_is_back(office: Office) -> None:
    url, tmp_path, host, desk = office.url, office.home, office.host, office.desk
    first, second = [await host.create("duel", {}, seed=seed) for seed in ("a", "b")]
    # The narrator of the first turn never ends its tale; then the second turn, then the tale anew.
    stalled = Reply(TOLD.deltas, stall_at=0)
    script = [PROPOSED, PROPOSED, stalled, PROPOSED, PROPOSED, TOLD, TOLD]
    async with OpenAIStub(script) as stub:
        model = f"llama:{stub.url}#tiny"
        names = ("w1", "w2")
        async with (
            worker("w1", url, tmp_path, model) as w1,
            worker("w2", url, tmp_path, model) as w2,
        ):
            work = await hand_in(desk, first.id, "k1")
            await asyncio.wait_for(stub.stalled.wait(), SECONDS)
            taken = await desk.find(work)
            assert taken is not None
            assert (taken.status, taken.executor in names) == ("running", True)
            victim = w1 if taken.executor == "w1" else w2
            victim.send_signal(signal.SIGKILL)
            await victim.wait()

            # The other one does not take over the turn, and goes on with other sessions.
            done = await asyncio.wait_for(
                desk.outcome(await hand_in(desk, second.id, "k2")), SECONDS
            )
            assert done == {"done": {"turn": "turn-k2"}}
            helper = await desk.find(f"{second.id}/k2")
            assert helper is not None
            assert helper.executor == next(name for name in names if name != taken.executor)
            assert (await host.store.read(first.id, "k1"))[1] is None
            assert len(stub.requests) == 6

            async with worker(taken.executor, url, tmp_path, model):
                await asyncio.wait_for(desk.outcome(work), SECONDS)
        asked = [str(request.body["messages"]) for request in stub.requests]
    tales = [text for text in asked if "You tell of a duel" in text]
    # Seven calls in all: of the first turn's only the one that had not ended was made again.
    assert (len(asked), len(tales)) == (7, 3)
    assert sum("message of k1" in text for text in asked) == 2
    turn = (await host.store.read(first.id, "k1"))[1]
    assert turn is not None
    assert (turn.id, turn.number, turn.reply != "") == ("turn-k1", 1, True)
    assert {call.role for call in turn.calls if call.source == "model"} >= {
        "duel.stance",
        "duel.omen",
    }
    assert len(await host.store.branches(first.id)) == 1
    for session in (first.id, second.id):
        assert (await replay(host, session)).identical


async def test_a_stopped_worker_gives_its_turn_to_another(office: Office) -> None:
    url, tmp_path, host, desk = office.url, office.home, office.host, office.desk
    head = await host.create("duel", {})
    async with OpenAIStub([PROPOSED, PROPOSED, Reply(TOLD.deltas, stall_at=0), TOLD]) as stub:
        model = f"llama:{stub.url}#tiny"
        async with worker("w1", url, tmp_path, model) as leaving:
            work = await hand_in(desk, head.id, "k1")
            await asyncio.wait_for(stub.stalled.wait(), SECONDS)
            leaving.terminate()
            assert await asyncio.wait_for(leaving.wait(), SECONDS) == 0
        assert (await desk.find(work)).status == "queued"  # type: ignore[union-attr]  # it is there
        async with worker("w2", url, tmp_path, model):
            await asyncio.wait_for(desk.outcome(work), SECONDS)
        assert len(stub.requests) == 4
    assert len(await host.store.branches(head.id)) == 1
