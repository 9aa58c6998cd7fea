"""What a seat knows: its own secrets, what it was told, and no more."""

from __future__ import annotations

from tests.agents.party.conftest import Open
from tests.agents.party.vault import own as canary
from tests.agents.party.vault import sheets


async def test_a_secret_told_is_known_to_who_was_told(room: Open) -> None:
    table = await room(characters=sheets())
    view = await table.view("anna")
    key = view["knowledge"]["secrets"][0]["key"]
    assert canary("anna", 0) in str(view)
    assert canary("anna", 0) not in str(await table.view("bert"))
    await table.does({"do": "reveal", "key": key, "to": ["bert"]}, "anna")
    assert canary("anna", 0) in str(await table.view("bert"))
    assert canary("anna", 0) not in str(await table.view("cora"))
    await table.does({"do": "reveal", "key": key, "to": ["*"]}, "bert")
    assert canary("anna", 0) in str((await table.view("cora"))["recap"])


async def test_nobody_reveals_what_they_do_not_know(room: Open) -> None:
    table = await room(characters=sheets())
    turn = await table.does({"do": "reveal", "key": "own:anna:0", "to": ["*"]}, "bert")
    assert [event["type"] for event in turn.events] == ["Refused"]
    assert canary("anna", 0) not in str(await table.view("cora"))


async def test_a_whisper_reaches_its_ears_only(room: Open) -> None:
    table = await room(characters=sheets(), humans=["anna"])
    await table.plays(1)
    turn = await table.says("I whisper to Bert and Cora: the miller lies", "anna")
    assert turn.audience == ("dm", "anna")
    assert turn.events[0]["audience"] == ["dm", "anna", "bert"]
    assert turn.reply == ""
    for seat in ("dm", "anna", "bert", "cora"):
        assert "the miller lies" in str(await table.view(seat)), seat
    for seat in ("dunn", "table"):
        assert "the miller lies" not in str(await table.view(seat)), seat
