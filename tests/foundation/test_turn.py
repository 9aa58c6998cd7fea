"""A turn happens completely and once, or not at all."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import text

from ruleplay.catalog import open_session
from ruleplay.errors import Conflict, NotFound, UserError
from ruleplay.models.scripted import Asked, Reply, ScriptedModel
from ruleplay.records.given import MESSAGE_LIMIT, Given
from ruleplay.records.turns import Turn
from ruleplay.settings import Settings

if TYPE_CHECKING:
    from duel.table import Tables

    from ruleplay.kernel.session import Session
    from ruleplay.records.stream import Item

SECONDS = 180
"""How long is waited for what has to come, also on a busy machine."""
RACE = Path(__file__).parent / "children" / "race.py"
STANCE = '{"stance": "bold", "force": 2}'


class WaitingModel(ScriptedModel):
    """A scripted model that says when it is asked and when its call is broken off."""

    def __init__(self, gate: asyncio.Event) -> None:
        super().__init__({"duel.stance": [Reply((gate, STANCE))] * 9})
        self._asked = asyncio.Event()

    def reply(self, asked: Asked) -> Reply:
        """Return the next entry of the script."""
        self._asked.set()
        return super().reply(asked)

    async def asked(self) -> None:
        """Wait until the model has been asked."""
        await asyncio.wait_for(self._asked.wait(), SECONDS)


async def test_a_turn_is_stored_whole(tables: Tables) -> None:
    duel = await tables.duel()
    turn = await duel.turn("Have at you!", key="k1")
    stored = (await duel.turns())[0]
    assert stored == turn.model_copy(update={"ms": stored.ms})
    assert [event["type"] for event in turn.events][:3] == ["StanceTaken", "OmenSeen", "BlowStruck"]
    head = await duel.head()
    assert (head.head, head.number, head.version) == (turn.id, 1, 2)


async def test_the_same_key_gives_the_same_turn(tables: Tables) -> None:
    duel = await tables.duel()
    first = await duel.turn("En garde!", key="k1")
    again = await duel.turn("En garde!", key="k1")
    assert again.id == first.id
    assert len(await duel.turns()) == 1


async def test_a_repeated_key_runs_nothing_again(tables: Tables) -> None:
    model = ScriptedModel([STANCE])
    duel = await tables.duel(model=model, roles=("duel.stance",))
    await duel.turn("En garde!", key="k1")
    with duel.host.bus.reading(duel.id) as reader:
        await duel.turn("En garde!", key="k1")
        reader.close()
        assert [item async for item in reader] == []
    assert len(model.seen) == 1


async def test_a_key_keeps_its_turn_after_others_and_in_another_process(tables: Tables) -> None:
    duel = await tables.duel()
    first = await duel.turn("En garde!", key="k1")
    await duel.turn("Again!", key="k2")
    other = await tables.host()
    assert (await other.start(duel.id, Given(message="En garde!"), key="k1")).id == first.id
    assert len(await duel.turns()) == 2


async def test_a_key_of_an_undone_turn_still_gives_that_turn(tables: Tables) -> None:
    duel = await tables.duel()
    first = await duel.turn("En garde!", key="k1")
    await duel.undo()
    assert (await duel.turn("En garde!", key="k1")).id == first.id
    assert await duel.turns() == []


@pytest.mark.parametrize(
    ("message", "seat"), [("Yield!", "red"), ("En garde!", "blue")], ids=["message", "seat"]
)
async def test_a_key_with_another_input_is_a_conflict(
    tables: Tables, message: str, seat: str
) -> None:
    duel = await tables.duel()
    await duel.turn("En garde!", key="k1", seat="red")
    with pytest.raises(Conflict, match="'k1'"):
        await duel.turn(message, key="k1", seat=seat)
    assert len(await duel.turns()) == 1


async def test_keys_of_two_sessions_do_not_meet(tables: Tables) -> None:
    host = await tables.host()
    one, two = await tables.duel(host), await tables.duel(host)
    first, second = await one.turn("A", key="k"), await two.turn("B", key="k")
    assert first.id != second.id


async def race(
    tables: Tables, *inputs: tuple[str, str], lost: bool = False
) -> tuple[Session, list[WaitingModel], list[Turn | BaseException]]:
    """Play (message, key), each on a host of its own, the second while the first's model thinks.

    With `lost` the first host has lost its lease by then, as one that was stopped for long.
    """
    gate = asyncio.Event()
    models = [WaitingModel(gate) for _ in inputs]
    hosts = [await tables.host(model) for model in models]
    duel = await tables.duel(hosts[0], roles=("duel.stance",))
    tasks = []
    for host, model, (message, key) in zip(hosts, models, inputs, strict=True):
        tasks.append(host.start(duel.id, Given(message=message), key=key))
        if host is hosts[0] or lost:
            await model.asked()
        if lost:
            await hosts[0].store.database.run(
                lambda connection: connection.execute(text("UPDATE leases SET until = 0")).close(),
                writes=True,
            )
    await asyncio.sleep(0.3)
    assert [len(model.seen) for model in models] == [1, int(lost)]
    gate.set()
    return duel, models, await asyncio.gather(*tasks, return_exceptions=True)


async def test_a_turn_is_not_started_in_two_processes_at_once(tables: Tables) -> None:
    duel, models, ended = await race(tables, ("En garde!", "k1"), ("En garde!", "k1"))
    first, second = (end.id for end in ended if isinstance(end, Turn))
    assert first == second
    assert [turn.id for turn in await duel.turns()] == [first]
    assert [len(model.seen) for model in models] == [1, 0]


async def test_two_hosts_racing_one_key_with_two_inputs_give_one_turn(tables: Tables) -> None:
    duel, _, ended = await race(tables, ("En garde!", "k1"), ("Yield!", "k1"))
    assert sum(isinstance(end, Conflict) for end in ended) == 1
    assert len(await duel.turns()) == 1


async def test_turns_of_two_hosts_come_one_after_the_other(tables: Tables) -> None:
    duel, _, ended = await race(tables, ("x", "k0"), ("y", "k1"))
    assert [turn.given.message for turn in await duel.turns()] == ["x", "y"]
    assert all(isinstance(end, Turn) for end in ended)


async def test_a_lost_lease_costs_a_turn_and_never_the_session(tables: Tables) -> None:
    duel, _, ended = await race(tables, ("x", "k0"), ("y", "k1"), lost=True)
    assert sum(isinstance(end, Conflict) for end in ended) == 1
    assert len(await duel.turns()) == 1


async def test_a_lost_lease_with_one_key_gives_one_turn(tables: Tables) -> None:
    duel, _, ended = await race(tables, ("x", "k0"), ("x", "k0"), lost=True)
    assert len({end.id for end in ended if isinstance(end, Turn)}) == 1
    assert len(await duel.turns()) == 1


async def test_a_dead_process_leaves_its_session_to_others_at_once(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ruleplay.storage.leases.SECONDS", 3600.0)  # so that none expires
    duel = await tables.duel()
    leases = duel.host.store.leases
    machine, pid, name = leases.holder.split(":")
    ended = await asyncio.create_subprocess_exec(sys.executable, "-c", "")
    await ended.wait()
    dead, alive = f"{machine}:{ended.pid}:{name}", f"{machine}:{pid}:other"
    far = f"elsewhere:{ended.pid}:{name}"
    for holder, waits in ((dead, False), (alive, True), (far, True)):
        leases.holder = holder
        await leases._attempt(duel.id, "", lambda _: None)
        other = await tables.host()
        turn = other.start(duel.id, Given(message="En garde!"))
        done, _ = await asyncio.wait({turn}, timeout=1 if waits else SECONDS)
        assert bool(done) != waits
        await leases._give_back(duel.id)
        await turn


async def test_concurrent_turns_of_one_session_come_in_order(tables: Tables) -> None:
    duel = await tables.duel()
    messages = [f"blow {n}" for n in range(50)]
    await asyncio.gather(*(duel.turn(message) for message in messages))
    turns = await duel.turns()
    assert [turn.given.message for turn in turns] == messages
    assert [turn.number for turn in turns] == list(range(1, 51))
    assert [turn.parent for turn in turns[1:]] == [turn.id for turn in turns[:-1]]


async def test_concurrent_turns_with_shared_keys_happen_once_each(tables: Tables) -> None:
    duel = await tables.duel()
    answers = await asyncio.gather(
        *(duel.turn(f"blow {n % 5}", key=f"k{n % 5}") for n in range(20))
    )
    assert len({turn.id for turn in answers}) == 5
    assert len(await duel.turns()) == 5


async def start_racer(tables: Tables, duel: Session) -> asyncio.subprocess.Process:
    command = [sys.executable, str(RACE), tables.url, str(tables.home), duel.id, "8"]
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)


async def test_processes_racing_the_same_keys_agree_on_the_turns(tables: Tables) -> None:
    duel = await tables.duel()
    racers = [await start_racer(tables, duel) for _ in range(3)]
    for racer in racers:
        assert racer.stdout is not None
        assert await asyncio.wait_for(racer.stdout.readline(), SECONDS) == b"ready\n"
    ended = await asyncio.gather(*(racer.communicate(b"go\n") for racer in racers))
    answers = [json.loads(out) for out, _ in ended]
    turns = await duel.turns()
    assert answers[0] == answers[1] == answers[2] == {turn.key: turn.id for turn in turns}
    assert [turn.number for turn in turns] == list(range(1, 9))
    assert len(await duel.host.store.branches(duel.id)) == 8


async def test_a_cancelled_turn_leaves_nothing_and_frees_its_key(tables: Tables) -> None:
    gate = asyncio.Event()
    model = WaitingModel(gate)
    duel = await tables.duel(model=model, roles=("duel.stance",))
    before = await duel.head()
    with duel.host.bus.reading(duel.id) as reader:
        task = duel.host.start(duel.id, Given(message="En garde!"), key="k1")
        await model.asked()
        assert duel.host.cancel(task.get_name())
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, SECONDS)
        reader.close()
        items = [item async for item in reader]
    assert items[-1].name == "turn.failed"
    assert items[-1].body == {"reason": "cancelled"}
    assert await duel.head() == before
    assert not duel.host.cancel(task.get_name())
    gate.set()
    assert (await duel.turn("En garde!", key="k1")).number == 1


async def test_cancelling_stops_the_model_call_at_once(table: Tables) -> None:
    model = BrokenOff()
    duel = await table.duel(model=model, roles=("duel.stance",))
    task = duel.host.start(duel.id, Given(message="En garde!"))
    await asyncio.wait_for(model.started.wait(), SECONDS)
    task.cancel()
    await asyncio.wait_for(model.stopped.wait(), SECONDS)
    with pytest.raises(asyncio.CancelledError):
        await task


class BrokenOff(ScriptedModel):
    """Never answers, and tells when the call has been torn down."""

    def __init__(self) -> None:
        super().__init__([])
        self._started, self._stopped = asyncio.Event(), asyncio.Event()

    @property
    def started(self) -> asyncio.Event:
        """Set once a call waits for its answer."""
        return self._started

    @property
    def stopped(self) -> asyncio.Event:
        """Set once the call is gone."""
        return self._stopped

    def reply(self, asked: Asked) -> Reply:
        """Return a reply that waits for ever."""
        return Reply((_Torn(self._started, self._stopped),))


class _Torn(asyncio.Event):
    def __init__(self, started: asyncio.Event, stopped: asyncio.Event) -> None:
        super().__init__()
        self._started, self._stopped = started, stopped

    async def wait(self) -> bool:  # type: ignore[override]  # typeshed says Literal[True]
        """Wait for ever."""
        self._started.set()
        try:
            return await super().wait()
        finally:
            self._stopped.set()


async def test_a_failed_turn_leaves_nothing_and_frees_its_key(tables: Tables) -> None:
    host = await tables.host(ScriptedModel([]))
    duel = await tables.duel(host, roles=("duel.stance",))
    before = await duel.head()
    with host.bus.reading(duel.id) as reader:
        with pytest.raises(UserError, match="the script ended"):
            await duel.turn("En garde!", key="k1")
        reader.close()
        items = [item async for item in reader]
    assert (items[0].name, items[-1].name) == ("turn.started", "turn.failed")
    assert await duel.head() == before
    assert await duel.turns() == []
    host.models.stand_ins["scripted"] = ScriptedModel([STANCE])
    assert (await duel.turn("En garde!", key="k1")).number == 1


@pytest.mark.parametrize(
    ("seat", "message", "error"),
    [
        ("green", "En garde!", Conflict),
        ("red", "   ", UserError),
        ("red", "x" * (MESSAGE_LIMIT + 1), UserError),
        ("red", "bell \x07", UserError),
        ("blue", "twice in a row", Conflict),
    ],
    ids=["seat", "empty", "long", "control", "not your turn"],
)
async def test_a_refused_input_changes_nothing(
    tables: Tables, seat: str, message: str, error: type[UserError]
) -> None:
    duel = await tables.duel(config={"alternate": True})
    await duel.turn("En garde!", seat="blue")
    before = await duel.head()
    with pytest.raises(error):
        await duel.turn(message, seat=seat, key="k")
    assert await duel.head() == before
    assert (await duel.turn("My answer", seat="red", key="k")).number == 2


async def test_readers_hear_nothing_of_a_refused_input(table: Tables) -> None:
    duel = await table.duel()
    with duel.host.bus.reading(duel.id) as reader:
        with pytest.raises(Conflict):
            await duel.turn("En garde!", seat="green")
        reader.close()
        assert [item async for item in reader] == []


@pytest.mark.parametrize("key", ["", "k" * 201])
async def test_an_unusable_key_is_refused(table: Tables, key: str) -> None:
    duel = await table.duel()
    with pytest.raises(UserError, match="1 to 200"):
        await duel.turn("En garde!", key=key)


async def test_an_unknown_session_is_not_found(table: Tables) -> None:
    host = await table.host()
    with pytest.raises(NotFound, match="'nowhere'"):
        await host.start("nowhere", Given(message="x"))


async def test_closing_the_host_stops_running_turns(table: Tables) -> None:
    gate = asyncio.Event()
    model = WaitingModel(gate)
    host = await table.host(model)
    duel = await table.duel(host, roles=("duel.stance",))
    task = host.start(duel.id, Given(message="En garde!"))
    await model.asked()
    await host.close()
    assert task.cancelled()
    again = await table.host()
    assert (await again.store.read(duel.id))[0].number == 0


async def test_a_turn_runs_on_when_its_reader_leaves(table: Tables) -> None:
    gate = asyncio.Event()
    model = WaitingModel(gate)
    duel = await table.duel(model=model, roles=("duel.stance",))
    seen = await _first_item(duel)
    await model.asked()
    gate.set()
    async with asyncio.timeout(SECONDS):
        while not (await duel.head()).number:
            await asyncio.sleep(0.01)
    turns: list[Turn] = await duel.turns()
    assert [turn.id for turn in turns] == [seen.turn]


async def _first_item(duel: Session) -> Item:
    playing = duel.play("En garde!")
    item = await anext(playing)
    await playing.aclose()  # type: ignore[attr-defined]  # an async generator, declared as iterator
    return item


@dataclass
class SlowCommit:
    """A store's commit that has begun and goes on when it is told to."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)
    go_on: asyncio.Event = field(default_factory=asyncio.Event)


@pytest.fixture
async def committing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Session, SlowCommit]]:
    async with await open_session("parts", settings=Settings(home=tmp_path, db="")) as session:
        commit, slow = session.host.store.commit, SlowCommit()

        async def slowly(*arguments: Any, **named: Any) -> Turn:
            slow.begun.set()
            await slow.go_on.wait()
            return await commit(*arguments, **named)

        monkeypatch.setattr(session.host.store, "commit", slowly)
        yield session, slow


async def test_a_cancel_during_the_commit_comes_too_late(
    committing: tuple[Session, SlowCommit],
) -> None:
    """Whatever was stored is told as stored, also to who tried to stop it in that moment."""
    session, slow = committing
    with session.host.bus.reading(session.id) as reader:
        task = session.host.start(session.id, Given(message="hello"))
        task.add_done_callback(lambda _: reader.close())
        await slow.begun.wait()
        task.cancel()
        slow.go_on.set()
        turn = await task
        items = [item async for item in reader]
    assert items[-1].name == "turn.committed"
    assert [turn.id] == [stored.id for stored in await session.turns()]


async def test_who_is_cancelled_during_the_commit_is_cancelled(
    committing: tuple[Session, SlowCommit],
) -> None:
    """The turn holds, and its caller does not go on as if nobody had stopped it."""
    session, slow = committing
    caller = asyncio.create_task(session.turn("hello"))
    await slow.begun.wait()
    caller.cancel()
    slow.go_on.set()
    await asyncio.wait({caller}, timeout=SECONDS)
    assert caller.cancelled()
    assert len(await session.turns()) == 1
