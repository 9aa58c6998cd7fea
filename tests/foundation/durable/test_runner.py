"""Durable turns: the same turns as ever, handed back in good order and gone on with."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest
from tests.foundation.conftest import skip_or_fail
from tests.foundation.durable.stalling import STANCE, StallingModel

from ruleplay.durable.desk import Desk
from ruleplay.durable.extra import run_durably
from ruleplay.errors import Conflict, NotFound, Unavailable, UserError
from ruleplay.kernel.replay import replay
from ruleplay.models.scripted import ScriptedModel
from ruleplay.records.given import MESSAGE_LIMIT, Given

if TYPE_CHECKING:
    from duel.table import Tables

    from ruleplay.kernel.host import Host

SECONDS = 180
GARBAGE = "no JSON at all"


@pytest.fixture(autouse=True)
def dbos() -> None:
    """Need DBOS."""
    if find_spec("dbos") is None:
        skip_or_fail("durable", "install the package dbos")


@pytest.fixture
async def host(tables: Tables) -> AsyncIterator[Host]:
    """A host on both engines whose turns are durable."""
    opened = await tables.host(ScriptedModel({"duel.stance": [STANCE] * 9}))
    await run_durably(opened, "w1")
    yield opened
    await opened.close()


async def test_a_durable_turn_is_the_same_turn(tables: Tables, host: Host) -> None:
    plain = await tables.duel(
        model=ScriptedModel({"duel.stance": [STANCE] * 9}), roles=("duel.stance",)
    )
    durable = await tables.duel(host, roles=("duel.stance",))
    for n in range(3):
        expected, turn = await plain.turn(f"blow {n}"), await durable.turn(f"blow {n}")
        assert (turn.events, turn.reply, turn.state_hash) == (
            expected.events,
            expected.reply,
            expected.state_hash,
        )
        assert [call.replies for call in turn.calls] == [call.replies for call in expected.calls]
        assert turn.outside == expected.outside
    assert (await replay(host, durable.id)).identical


async def test_readers_of_the_process_hear_it_as_it_comes(tables: Tables, host: Host) -> None:
    duel = await tables.duel(host, roles=("duel.stance",))
    names = [item.name async for item in duel.play("En garde!", key="k")]
    assert (names[0], names[-1], "text" in names) == ("turn.started", "turn.committed", True)
    assert [item.name async for item in duel.play("En garde!", key="k")] == ["turn.committed"]


async def test_a_key_is_one_turn_however_often_it_is_sent(tables: Tables, host: Host) -> None:
    duel = await tables.duel(host)
    same = await asyncio.gather(*(duel.turn("once", key="k") for _ in range(20)))
    assert len({turn.id for turn in same}) == 1
    assert len(await host.store.branches(duel.id)) == 1
    with pytest.raises(Conflict, match="another message"):
        await duel.turn("twice", key="k")


async def test_turns_of_a_session_come_one_after_the_other(tables: Tables, host: Host) -> None:
    duels = [await tables.duel(host) for _ in range(3)]
    sent = [duel.turn(f"blow {n}", key=f"k{n}") for n in range(4) for duel in duels]
    await asyncio.gather(*sent)
    for duel in duels:
        turns = await duel.turns()
        assert sorted(turn.key or "" for turn in turns) == ["k0", "k1", "k2", "k3"]
        assert [turn.number for turn in turns] == [1, 2, 3, 4]


async def test_a_refused_turn_leaves_its_key_free(tables: Tables, host: Host) -> None:
    duel = await tables.duel(host, config={"alternate": True})
    await duel.turn("mine", seat="red")
    for _ in range(2):
        with pytest.raises(Conflict, match="not the turn of 'red'"):
            await duel.turn("again", seat="red", key="k")
    assert (await duel.turn("mine now", seat="blue", key="k")).number == 2


async def test_what_cannot_be_read_is_refused_before_it_waits(tables: Tables, host: Host) -> None:
    duel = await tables.duel(host)
    with pytest.raises(UserError, match="characters"):
        await duel.turn("x" * (MESSAGE_LIMIT + 1))
    with pytest.raises(UserError, match="idempotency key"):
        await duel.turn("x", key="k" * 201)
    with pytest.raises(NotFound):
        await host.start("none", Given(message="x"))


async def test_a_cancelled_turn_leaves_no_trace(tables: Tables, host: Host) -> None:
    model = StallingModel()
    host.models.stand_ins["scripted"] = model
    duel = await tables.duel(host, roles=("duel.stance",))
    task = host.start(duel.id, Given(message="wait"), key="k")
    await model.stalled()
    assert host.cancel(task.get_name())
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await duel.turns() == []
    host.models.stand_ins["scripted"] = ScriptedModel({"duel.stance": [STANCE]})
    assert (await duel.turn("now", key="k")).number == 1


async def test_a_stopped_process_hands_its_turn_back(tables: Tables, host: Host) -> None:
    stalling = StallingModel()
    host.models.stand_ins["scripted"] = stalling
    duel = await tables.duel(host, roles=("duel.stance",))
    waiting = host.start(duel.id, Given(message="long"), key="k")
    await stalling.stalled()
    await host.close()
    assert waiting.cancelled()
    other = await tables.host(ScriptedModel({"duel.stance": [STANCE]}))
    assert (await other.store.read(duel.id, "k"))[1] is None
    await run_durably(other, "w2")
    async with asyncio.timeout(SECONDS):
        while (found := (await other.store.read(duel.id, "k"))[1]) is None:
            await asyncio.sleep(0.05)
    assert (found.id, found.number) == (waiting.get_name(), 1)
    assert (await replay(other, duel.id)).identical
    await other.close()


async def test_what_was_heard_is_not_asked_again(tables: Tables, host: Host) -> None:
    """The second model call stalls: who goes on has the first answer already."""
    stalling = StallingModel([GARBAGE])
    host.models.stand_ins["scripted"] = stalling
    duel = await tables.duel(host, roles=("duel.stance",))
    host.start(duel.id, Given(message="long"), key="k")
    await stalling.stalled()
    await host.close()
    other = await tables.host(ScriptedModel({"duel.stance": [STANCE]}))
    await run_durably(other, "w2")
    async with asyncio.timeout(SECONDS):
        while (found := (await other.store.read(duel.id, "k"))[1]) is None:
            await asyncio.sleep(0.05)
    (call,) = (call for call in found.calls if call.role == "duel.stance")
    assert [reply.text for reply in call.replies] == [GARBAGE, STANCE]
    assert (call.source, len(call.refusals)) == ("model", 1)
    assert (await replay(other, duel.id)).identical
    await other.close()


async def test_a_turn_is_not_finished_on_another_state(tables: Tables, host: Host) -> None:
    stalling = StallingModel([GARBAGE])
    host.models.stand_ins["scripted"] = stalling
    duel = await tables.duel(host, roles=("duel.stance",))
    host.start(duel.id, Given(message="long"), key="k")
    await stalling.stalled()
    await host.close()
    other = await tables.host(ScriptedModel({"duel.stance": [STANCE] * 3}))
    await other.start(duel.id, Given(message="meanwhile"))
    await run_durably(other, "w2")
    # Whoever sends the key before the turn is refused is told so; whoever comes later plays anew.
    desk = await Desk.open(other.settings.database_url)
    with pytest.raises(Conflict, match="moved on while this turn was interrupted"):
        await asyncio.wait_for(desk.outcome(f"{duel.id}/k"), SECONDS)
    await desk.close()
    assert (await other.start(duel.id, Given(message="long"), key="k")).number == 2
    await other.close()


async def test_a_name_has_to_be_told_apart(table: Tables) -> None:
    host = await table.host()
    with pytest.raises(UserError, match="64 printable"):
        await run_durably(host, "")


async def test_without_the_extra_one_line_names_it(
    table: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ruleplay.durable.extra.find_spec", lambda name: None)
    host = await table.host()
    with pytest.raises(Unavailable, match=r"pip install 'ruleplay\[durable\]'"):
        await run_durably(host, "w1")
