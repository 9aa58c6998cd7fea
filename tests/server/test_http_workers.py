"""Several servers on one database: whoever is connected to any of them sees what all of them do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from tests.server.streaming import Life, Lives, until
from tests.server.test_http_events import NARRATOR, gated

from ruleplay.records.stream import Bus
from ruleplay.server.cursors import END
from ruleplay.storage.relay import BATCH_SECONDS, MAX_BYTES, Relay, packed

if TYPE_CHECKING:
    from tests.postgres import PostgresServer
    from tests.server.conftest import Start


@pytest.fixture
def shared(postgres: PostgresServer) -> Iterator[str]:
    """Give the URL of an empty PostgreSQL database."""
    with postgres.lent() as url:
        yield url


async def side_by_side(lives: Lives, database: str) -> tuple[Life, Life]:
    """Start two servers on one database; once ready, each hears what the other tells."""
    here, there = await lives.start(db=database), await lives.start(db=database)
    for life in (here, there):
        assert life.host.relay
        assert life.host.relay.connected
    return here, there


@pytest.fixture
def no_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let servers know what they tell each other only: a look into the store may be sooner."""
    for name in ("EVERY", "SELDOM"):
        monkeypatch.setattr(f"ruleplay.server.watching.{name}", 600)


@pytest.mark.usefixtures("no_looks")
async def test_a_turn_is_read_in_another_process_while_it_runs(lives: Lives, shared: str) -> None:
    here, there = await side_by_side(lives, shared)
    gate = asyncio.Event()
    session = await here.new("duel", gated(gate), NARRATOR)
    async with here.listen(session, seat="red") as near, there.listen(session, seat="red") as far:
        turn = await here.play(session, "En garde!", seat="red", wait=False)
        assert (await far.until("text")).data["text"] == "The blades ring. "
        async with there.listen(session, seat="red") as late:
            await late.until("text")
            running = await there.client.get(f"{session}/turns/{turn}")
            assert running.json() == {"turn": turn, "status": "running"}
            gate.set()
            for reader in (near, far, late):
                await reader.until("turn.committed")
    assert near.told == far.told == late.told


@pytest.mark.usefixtures("no_looks")
async def test_a_cut_line_is_taken_up_again_at_another_server(lives: Lives, shared: str) -> None:
    here, there = await side_by_side(lives, shared)
    gate = asyncio.Event()
    session = await here.new("duel", gated(gate), NARRATOR)
    async with here.listen(session) as whole, there.listen(session) as other:
        await here.play(session, "En garde!", wait=False)
        await other.until("text")
        async with here.listen(session) as before:
            await before.until("text")
        async with there.listen(session, before.last_id) as after:
            await until(lambda: there.host.bus.readers == 2)  # its headers come before it listens
            gate.set()
            for reader in (whole, after):
                await reader.until("turn.committed")
    assert before.told + after.told == whole.told


@pytest.mark.usefixtures("no_looks")
@pytest.mark.parametrize("resumes", [True, False])
async def test_a_reader_joins_between_a_commit_elsewhere_and_the_word_of_it(
    lives: Lives, shared: str, monkeypatch: pytest.MonkeyPatch, *, resumes: bool
) -> None:
    here, there = await side_by_side(lives, shared)
    relay = there.host.relay
    assert relay
    hear = relay._handle
    held: list[dict[str, object]] = []

    def hold_commits(told: dict[str, object]) -> None:
        (held.append if told.keys() & {"over", "version"} else hear)(told)

    monkeypatch.setattr(relay, "_handle", hold_commits)
    gate = asyncio.Event()
    session = await here.new("duel", gated(gate), NARRATOR)
    async with here.listen(session) as whole, there.listen(session) as other:
        await here.play(session, "En garde!", wait=False)
        await other.until("text")
        gate.set()
        await whole.until("turn.committed")
        await until(lambda: bool(held))
        async with there.listen(session, other.last_id if resumes else "") as after:
            if resumes:
                await after.until("text")
            else:
                assert (await after.next()).place == (other.got[-1].place[0], END)
            monkeypatch.setattr(relay, "_handle", hear)
            for told in held:
                hear(told)
            if not resumes:
                await here.play(session, "Again!")
            await after.until("turn.committed")
    again = [got for got in after.told if got.place[0] == other.got[-1].place[0]]
    assert other.told + after.told == whole.told if resumes else not again


async def test_a_turn_is_stopped_from_another_server(lives: Lives, shared: str) -> None:
    here, there = await side_by_side(lives, shared)
    session = await here.new("tally")
    async with there.listen(session) as reader:
        turn = await here.play(session, "wait", wait=False)
        await reader.until("turn.started")
        stopped = await there.client.post(f"{session}/turns/{turn}/cancel")
        assert (stopped.status_code, stopped.json()["status"]) == (200, "cancelled")
        assert (await reader.until("turn.failed")).data["reason"] == "cancelled"
    assert (await here.client.get(session)).json()["turns"] == []


async def test_turns_wait_for_each_other_across_servers(
    lives: Lives, shared: str, tmp_path: Path
) -> None:
    here, there = await side_by_side(lives, shared)
    session = await here.new("tally")
    gate = tmp_path / "gate"
    slow = await here.play(session, f"hold 1 {gate}", wait=False)
    async with there.listen(session) as reader:
        await reader.until("turn.started")
        behind = asyncio.create_task(there.play(session, "add 2"))
        await asyncio.sleep(0.3)  # time enough to come first, were it not made to wait
        gate.touch()
        fast = await behind
    turns = (await here.client.get(session)).json()["turns"]
    assert [row["turn"] for row in turns] == [slow, fast]


async def test_a_killed_servers_turn_is_told_as_failed_and_can_be_sent_again(
    lives: Lives, shared: str, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ruleplay.server.watching.SELDOM", 0.2)
    process, client = await asyncio.to_thread(start, RULEPLAY_DB=shared)
    here = await lives.start(db=shared)
    session = await here.new("tally")
    keyed = {"Idempotency-Key": "k"}
    async with here.listen(session) as reader:
        await asyncio.to_thread(
            client.post, f"{session}/turns", json={"message": "wait"}, headers=keyed
        )
        await reader.until("turn.started")
        process.kill()
        process.wait(60)
        assert "has ended" in str((await reader.until("turn.failed")).data["reason"])
        again = await here.client.post(
            f"{session}/turns", json={"message": "add 3"}, headers={**keyed, "Prefer": "wait"}
        )
        assert again.status_code == 200
        end = await reader.until("turn.committed")
        assert end.data["turn"] == again.json()["turn"]


async def test_own_commits_cost_readers_no_look_into_the_store(lives: Lives, database: str) -> None:
    life = await lives.start(db=database)
    session = await life.new("tally")
    reads: list[str] = []
    read = life.host.store.read

    async def counted(session: str, key: str | None = None) -> object:
        reads.append(session)
        return await read(session, key)

    async with life.listen(session) as reader:
        await reader.next()  # its place: it has joined
        life.host.store.read = counted  # type: ignore[method-assign, assignment]
        for n in range(3):
            await life.play(session, f"add {n}")
            await reader.until("turn.committed")
        before = len(reads)
        await asyncio.sleep(1.2)  # longer than two looks
        assert len(reads) == before


@pytest.mark.parametrize("sizes", [[], [10] * 3, [7_000, 2_000], [MAX_BYTES // 2] * 5])
def test_what_is_told_is_packed_in_order_below_the_limit(sizes: list[int]) -> None:
    lines = [json.dumps({"s": "x" * size}) for size in sizes]
    payloads = list(packed("me", lines))
    assert [line for payload in payloads for line in payload.split("\n")[1:]] == lines
    assert all(len(payload) <= MAX_BYTES and payload.startswith("me\n") for payload in payloads)


class SlowAtFirst:
    """A database whose first statement takes long, and what reached it, in order."""

    def __init__(self) -> None:
        self.calls, self.sent = 0, list[str]()

    async def run(self, work: Callable[[SlowAtFirst], None]) -> None:
        """Do a piece of work, the first one late."""
        self.calls += 1
        if self.calls == 1:
            await asyncio.sleep(5 * BATCH_SECONDS)
        work(self)

    def execute(self, _statement: object, given: dict[str, list[str]]) -> BytesIO:
        """Take notifications and return something to close."""
        self.sent += given["payloads"]
        return BytesIO()


async def test_a_batch_never_overtakes_one_that_is_slow() -> None:
    database, leases = SlowAtFirst(), SimpleNamespace(holder="me")
    relay = Relay(cast("Any", database), Bus(), cast("Any", leases), lambda _turn: None)
    relay.moved("s", 1)
    await until(lambda: database.calls == 1)
    relay.moved("s", 2)
    await asyncio.sleep(2 * BATCH_SECONDS)
    await relay.close()
    assert [json.loads(line.split("\n")[1])["version"] for line in database.sent] == [1, 2]
