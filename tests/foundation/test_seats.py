"""What is said to some reaches nobody else: inputs, asides, branches, exports, replays."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ruleplay.adversary.fuzz import fuzz
from ruleplay.errors import Conflict
from ruleplay.kernel.export import export_markdown
from ruleplay.kernel.replay import replay
from ruleplay.kernel.session import Session, played_json, session_json
from ruleplay.records.turns import whole_reply

if TYPE_CHECKING:
    from duel.table import Tables

    from ruleplay.records.events import Json
    from ruleplay.records.turns import Turn

CANARY = "seven-white-harts"
WHISPER: Json = {"do": "whisper", "to": ["ben"], "text": CANARY}
READERS = [("ada", True), ("ben", True), ("cyd", False), ("gallery", False), ("", False)]


async def circle(table: Tables) -> Session:
    host = await table.host()
    return Session(host, (await host.create("circle", seed="seed")).id)


async def whispered(table: Tables) -> tuple[Session, Turn]:
    session = await circle(table)
    return session, await session.turn(action=WHISPER, seat="ada")


@pytest.mark.parametrize(("seat", "knows"), READERS)
async def test_a_whisper_is_for_its_ears(tables: Tables, seat: str, knows: bool) -> None:
    session, turn = await whispered(tables)
    stored = await session.host.store.turn(turn.id)
    assert (stored.audience, stored.asides) == (turn.audience, turn.asides)
    shown = [
        json.dumps(await session_json(session, seat)),
        json.dumps(await session.view(seat)),
        await export_markdown(session, seat),
        json.dumps(await played_json(session.host, stored, seat or "gallery")),
    ]
    assert [CANARY in text for text in shown] == [knows] * 4


async def test_a_hidden_turn_is_there_without_its_words(table: Tables) -> None:
    session, turn = await whispered(table)
    cyd = await session_json(session, "cyd")
    ben = await session_json(session, "ben")
    assert isinstance(cyd["turns"], list)
    assert isinstance(ben["turns"], list)
    heard, unheard = ben["turns"][0], cyd["turns"][0]
    assert isinstance(heard, dict)
    assert isinstance(unheard, dict)
    assert (unheard["input"], unheard["hidden"]) == ({"message": ""}, True)
    assert (unheard["reply"], unheard["asides"], unheard["events"]) == ("", [], [])
    assert (heard["input"], heard["hidden"]) == ({"message": "", "action": WHISPER}, False)
    assert heard["asides"] == [{"text": CANARY, "audience": ["ada", "ben"]}]
    assert (whole_reply(turn, "ben"), whole_reply(turn, "cyd")) == (CANARY, "")
    assert f"## {turn.number}." not in await export_markdown(session, "cyd")


@pytest.mark.parametrize(("seat", "knows"), READERS)
async def test_the_bus_tells_it_to_its_ears(table: Tables, seat: str, knows: bool) -> None:
    session = await circle(table)
    with session.host.bus.reading(session.id, seat or "gallery") as reader:
        await session.turn(action=WHISPER, seat="ada")
        reader.close()
        heard = [item async for item in reader]
    assert (CANARY in str(heard)) == knows
    assert heard[0].name == "turn.started"
    assert heard[0].body["hidden"] != knows
    assert heard[-1].name == "turn.committed"
    assert (heard[-1].body["asides"] != []) == knows


async def test_a_branch_keeps_a_message_to_its_audience(table: Tables) -> None:
    session, _turn = await whispered(table)
    await session.undo()
    (branch,) = await session.host.store.branches(session.id)
    assert branch.audience == ("ada", "ben")


async def test_a_failure_quotes_a_hidden_input_to_nobody_else(table: Tables) -> None:
    session = await circle(table)
    with (
        session.host.bus.reading(session.id, "cyd") as cyd,
        session.host.bus.reading(session.id, "ada") as ada,
    ):
        with pytest.raises(KeyError):
            await session.turn(action={"do": "whisper", "to": ["ben"]}, seat="ada")
        heard = []
        for reader in (cyd, ada):
            reader.close()
            heard.append([item async for item in reader][-1])
    assert [item.body for item in heard] == [{"reason": "failed"}, {"reason": "internal error"}]


async def test_replay_compares_what_only_some_heard(table: Tables) -> None:
    session, _turn = await whispered(table)
    assert (await replay(session.host, session.id)).identical
    store = session.host.store
    from sqlalchemy import update

    from ruleplay.storage.tables import turns

    await store.database.keep(
        lambda connection: connection.execute(update(turns).values(asides="[]"))
    )
    again = await replay(session.host, session.id)
    assert not again.identical
    assert again.first_difference is not None
    assert set(again.first_difference) == {"turn", "number", "asides"}


async def test_the_rules_say_who_moves_when_nobody_is_named(table: Tables) -> None:
    session = await circle(table)
    assert [(await session.turn("Hear!")).seat for _ in range(4)] == ["ada", "ben", "cyd", "ada"]


async def test_a_turn_for_a_state_that_is_gone_is_refused(table: Tables) -> None:
    session = await circle(table)
    before = await session.head()
    await session.turn("Hear!")
    with pytest.raises(Conflict, match="moved on"):
        await session.host.start(session.id, (await session.turns())[0].given, version=1)
    with pytest.raises(Conflict, match="free to use"):
        session.host.find_agent("duel").sit(before, "red", "", "")
    assert len(await session.turns()) == 1


async def test_fuzz_plays_every_seat() -> None:
    from circle import AGENT

    report = await fuzz(AGENT, turns=30, seed=3)
    assert (report.turns, report.violations, report.replay_identical) == (30, [], True)
