"""A round of four costs two or three calls' time, however many calls there are."""

from __future__ import annotations

import pytest
from tests.agents.party.conftest import Open
from tests.agents.party.models import Able, Clock

from ruleplay.agents.party.agent import run_single_round
from ruleplay.kernel.replay import replay

MOST = 8.0
"""Seconds of a round of four with a model that takes two seconds a call."""


@pytest.mark.parametrize("seed", ["1", "2"])
async def test_a_round_of_four_takes_no_more_than_eight_seconds(
    room: Open, monkeypatch: pytest.MonkeyPatch, seed: str
) -> None:
    clock, model = Clock(), Able()
    clock.install(monkeypatch)
    table = await room(seed, model="able")
    fought = 0
    for _ in range(8):
        async with table.session(model) as session:
            clock.now = 0.0
            calls = clock.calls.total()
            turns = await run_single_round(session)
        state = await table.state()
        fought += state.table.cast.fight is not None
        if state.table.mode == "ended":
            break
        assert 0 < clock.now / max(1, len(turns)) <= MOST
        assert clock.now <= MOST * (2 if len(turns) > 1 else 1)
        assert clock.calls.total() - calls <= 16
    assert fought


async def test_everyone_is_asked_side_by_side(room: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, model = Clock(), Able()
    clock.install(monkeypatch)
    table = await room("1", model="able")
    async with table.session(model) as session:
        turns = await run_single_round(session)
    roles = [call.role for call in turns[0].calls]
    assert {"party.dm", "party.thorin", "party.pell", "party.sunniva", "party.zephrine"} <= {*roles}
    assert roles.count("party.dm.voice") == 1
    assert clock.now <= 4.0 + 6.0 * (len(turns) - 1)


async def test_characters_speak_to_each_other_and_answer(room: Open) -> None:
    model = Able()
    table = await room("1", model="able")
    async with table.session(model) as session:
        first = await run_single_round(session)
        await run_single_round(session)
    assert "Stay close." in first[0].reply
    heard = [text for role, text in model.asked if role == "party.pell"]
    assert any("Said to you:" in text and "Stay close." in text for text in heard)
    voice = [text for role, text in model.asked if role == "party.dm.voice"]
    assert any("Stay close." in text for text in voice)


async def test_who_is_spoken_to_answers_at_once(room: Open) -> None:
    words = "Pell, what do you make of these prints?"
    reading = {"acts": [{"do": "say", "to": "pell", "text": words}]}
    model = Able({words: reading})
    table = await room("1", model="able", humans=["thorin"])
    async with table.session(model) as session:
        await session.turn(action={"do": "play"})
        turn = await session.turn(words, seat="thorin")
    assert words in turn.reply
    assert "Ask me again when we are dry." in turn.reply
    assert (await table.state()).current_turn == "thorin"


async def test_a_whisper_is_answered_at_once_and_by_nobody_else_heard(room: Open) -> None:
    words = "just between us: does anybody here know my mother?"
    model = Able({words: {"acts": [{"do": "whisper", "to": "dm", "text": words}]}})
    table = await room("1", model="able", humans=["thorin"])
    async with table.session(model) as session:
        await session.turn(action={"do": "play"})
        turns = [await session.turn(words, seat="thorin")]
    whispers = [event for turn in turns for event in turn.events if event["type"] == "Whispered"]
    answers = [event for event in whispers if event["seat"] == "dm"]
    assert [event["seat"] for event in answers] == ["dm"]
    assert [event["audience"] for event in answers] == [["dm", "thorin"]]
    assert all("when we are dry" not in turn.reply for turn in turns)
    assert not (await table.state()).table.tale.letters


async def test_a_companion_answers_a_whisper_in_a_whisper(room: Open) -> None:
    words = "do you believe in ghosts that ring?"
    model = Able({words: {"acts": [{"do": "whisper", "to": "pell", "text": words}]}})
    table = await room("1", model="able", humans=["thorin"])
    async with table.session(model) as session:
        await session.turn(action={"do": "play"})
        turn = await session.turn(words, seat="thorin")
        assert (await replay(session.host, session.id)).identical
    whispers = [event for event in turn.events if event["type"] == "Whispered"]
    assert [event["seat"] for event in whispers] == ["thorin", "pell"]
    assert all({*event["audience"]} == {"dm", "thorin", "pell"} for event in whispers)
    assert "when we are dry" not in turn.reply
