"""What a seat must not know reaches neither its stream, its turns, its view nor its export."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from lectern import Lectern

from ruleplay.kernel.context import Prompt
from ruleplay.kernel.session import session_json, turn_json
from ruleplay.kernel.tell import tell
from ruleplay.models.scripted import ScriptedModel
from ruleplay.records.given import Given
from ruleplay.telling.citing import Reader

if TYPE_CHECKING:
    from duel.table import Tables

    from ruleplay.kernel.session import Session

CANARY = "seven-white-harts"


async def whispered(table: Tables) -> Session:
    """Return a duel whose red seat is about to see a sign that nobody else may know."""
    script = {"duel.omen": [f'{{"sign": "{CANARY}"}}', f'{{"sign": "x", "note": "{CANARY}"']}
    return await table.duel(model=ScriptedModel(script), roles=("duel.omen",))


async def test_the_bus_keeps_a_secret(table: Tables) -> None:
    duel = await whispered(table)
    with (
        duel.host.bus.reading(duel.id, "blue") as blue,
        duel.host.bus.reading(duel.id, "red") as red,
        duel.host.bus.reading(duel.id) as table_view,
    ):
        await duel.turn("En garde!", seat="red")
        heard = {}
        for name, reader in (("blue", blue), ("red", red), ("all", table_view)):
            reader.close()
            heard[name] = [item async for item in reader]
    assert CANARY in str(heard["red"])
    assert CANARY in str(heard["all"])
    assert CANARY not in str(heard["blue"])
    assert {item.name for item in heard["blue"]} >= {"turn.started", "event", "turn.committed"}


async def test_a_late_reader_gets_no_secret_from_the_backlog(table: Tables) -> None:
    duel = await whispered(table)
    with duel.host.bus.reading(duel.id) as first:
        running = duel.host.start(duel.id, Given(message="En garde!"), seat="red")
        async for item in first:
            if CANARY in str(item):
                break
        with duel.host.bus.reading(duel.id, "blue") as late:
            await running
            late.close()
            assert CANARY not in str([item async for item in late])


@pytest.mark.parametrize(("seat", "knows"), [("red", True), ("blue", False)])
async def test_turns_views_and_sessions_keep_a_secret(
    table: Tables, seat: str, knows: bool
) -> None:
    duel = await whispered(table)
    turn = await duel.turn("En garde!", seat="red")
    agent = duel.host.find_agent("duel")
    shown = [
        json.dumps(turn_json(agent, turn, seat)),
        json.dumps(await duel.view(seat)),
        json.dumps(await session_json(duel, seat)),
    ]
    assert [CANARY in text for text in shown] == [knows, knows, knows]


@pytest.mark.parametrize(("seat", "knows"), [("red", True), ("blue", False)])
async def test_only_its_audience_learns_why_a_secret_was_refused(
    table: Tables, seat: str, knows: bool
) -> None:
    model = ScriptedModel({"duel.omen": [f'{{"sign": "{CANARY * 3}"}}', f"no {CANARY}"]})
    duel = await table.duel(model=model, roles=("duel.omen",))
    with duel.host.bus.reading(duel.id, seat) as reader:
        turn = await duel.turn("En garde!", seat="red")
        reader.close()
        heard = str([item async for item in reader])
    assert (CANARY in heard) == knows
    assert (CANARY in json.dumps(turn_json(duel.host.find_agent("duel"), turn, seat))) == knows


@pytest.mark.parametrize("model", [None, ScriptedModel([f"A whisper: {CANARY}.", ""])])
async def test_a_tale_for_one_seat_is_streamed_to_that_seat(model: ScriptedModel | None) -> None:
    lectern = Lectern(model)
    told = await tell(
        lectern.context,
        "duel.whisper",
        prompt=lambda: Prompt(system="", user=""),
        facts=(),
        check=lambda: Reader(()),
        otherwise=lambda: f"A whisper: {CANARY}.",
        audience=("red",),
    )
    assert CANARY in told.text
    assert {audience for _, _, audience in lectern.heard} == {("red",)}
