"""`ruleplay serve --durable`: a turn that came over HTTP outlives the process that plays it."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

import httpx
import pytest
from tests.foundation.conftest import skip_or_fail
from tests.foundation.durable.test_workers import SECONDS, worker
from tests.foundation.openai_stub import OpenAIStub, Reply, say
from tests.samples import some
from tests.server.streaming import Listener

if TYPE_CHECKING:
    from pathlib import Path

    from tests.postgres import PostgresServer
    from tests.server.conftest import Start

    from ruleplay.durable.desk import Desk

WHOLE = say("The blades ring. ", "Dust ", "rises.")
CUT = Reply(WHOLE.deltas, stall_at=2)
SESSIONS = 12
"""Turns that are sent at most until the worker has one; the server takes some itself."""


@asynccontextmanager
async def listening(client: httpx.AsyncClient, session: str) -> AsyncIterator[Listener]:
    """Follow a session like a browser does."""
    async with client.stream("GET", f"{session}/events") as response:
        assert response.status_code == 200
        yield Listener(response)


async def played_by(desk: Desk, client: httpx.AsyncClient, name: str) -> tuple[str, str, int]:
    """Send turns, each to a session of its own, until a process of a name plays one.

    Returns the session's path, the turn, and how many turns were sent.
    """
    for sent in range(1, SESSIONS + 1):
        made = await client.post("/api/sessions", json={"agent": "duel"})
        session = made.headers["location"]
        answer = await client.post(
            f"{session}/turns", json={"message": "En garde!"}, headers={"Idempotency-Key": "k"}
        )
        assert answer.status_code == 202
        ident = f"{session.rpartition('/')[2]}/k"
        async with asyncio.timeout(SECONDS):
            while (work := await desk.find(ident)) is None or work.status != "running":
                await asyncio.sleep(0.05)
        if work.executor == name:
            return session, answer.json()["turn"], sent
    raise AssertionError(f"{name} took none of {SESSIONS} turns")


@pytest.mark.parametrize("how", some([signal.SIGKILL, signal.SIGTERM], 1))
async def test_a_turn_outlives_the_worker_that_plays_it(
    start: Start,
    postgres: PostgresServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    how: signal.Signals,
) -> None:
    if find_spec("dbos") is None:
        skip_or_fail("durable", "install the package dbos")
    from ruleplay.durable.desk import Desk

    # A process that starts on a busy machine says nothing for long.
    monkeypatch.setattr("tests.server.streaming.SECONDS", SECONDS)
    url = await asyncio.to_thread(postgres.new_database)
    async with AsyncExitStack() as stack:
        stub = await stack.enter_async_context(OpenAIStub(script := [CUT] * SESSIONS))
        narrated = {
            "RULEPLAY_MODELS": json.dumps({"duel.narrator": f"llama:{stub.url}#tiny"}),
            "RULEPLAY_TELL_SECONDS": "300",
            # What the server took itself stalls, and must leave the worker's turn a place.
            "RULEPLAY_MODEL_CALLS": str(SESSIONS + 1),
        }
        for name, value in narrated.items():
            monkeypatch.setenv(name, value)
        _, served = await asyncio.to_thread(
            lambda: start("--durable", "s1", RULEPLAY_DB=url, **narrated)
        )
        client = await stack.enter_async_context(
            httpx.AsyncClient(base_url=served.base_url, timeout=SECONDS)
        )
        desk = await Desk.open(url)
        stack.push_async_callback(desk.close)
        taking = await stack.enter_async_context(worker("w1", url, tmp_path, ""))
        session, turn, sent = await played_by(desk, client, "w1")
        reader = await stack.enter_async_context(listening(client, session))
        first = await reader.until("text")
        assert first.data["text"] == "The blades ring. "

        async with asyncio.timeout(SECONDS):
            while len(stub.requests) < sent:  # each of the turns has asked before one is counted
                await asyncio.sleep(0.05)
        script[len(stub.requests) :] = [WHOLE] * SESSIONS
        asked = len(stub.requests)
        taking.send_signal(how)
        await taking.wait()
        if how is signal.SIGKILL:  # its work waits for its name
            assert (await client.get(session)).json()["turns"] == []
            await stack.enter_async_context(worker("w1", url, tmp_path, ""))
        end = await reader.until("turn.committed")
        assert end.data["turn"] == turn
        assert str(end.data["reply"]).startswith("The blades ring. Dust rises.")
        assert len(stub.requests) == asked + 1
        (stored,) = (await client.get(session)).json()["turns"]
        assert (stored["turn"], stored["reply"]) == (turn, end.data["reply"])
        again = await client.post(
            f"{session}/turns",
            json={"message": "En garde!"},
            headers={"Idempotency-Key": "k", "Prefer": "wait"},
        )
        assert (again.status_code, again.json()["turn"]) == (200, turn)
        work = await desk.find(f"{session.rpartition('/')[2]}/k")
        assert work is not None
        # Once it is back, its name's work is anybody's.
        assert work.status == "done"
        assert work.executor in ({"s1", "w1"} if how is signal.SIGKILL else {"s1"})
