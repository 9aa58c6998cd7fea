"""A turn is taken back in words as the button does: all of it, once, whatever it was."""

from __future__ import annotations

import json

import pytest
from tests.agents.saga.conftest import Sit

from ruleplay.kernel.replay import replay
from ruleplay.models.scripted import ScriptedModel
from ruleplay.records.events import Json

UNDO = {"do": "meta", "meta": "undo", "text": "no, take that back"}


def reading(*acts: Json) -> str:
    return json.dumps({"acts": [*acts]})


def told(view: Json) -> Json:
    """Return what a turn may change of the view, without how it was told."""
    return {
        key: view[key] for key in ("sheet", "combat_state", "last_combat_result") if key in view
    }


@pytest.mark.parametrize("lang", ["en", "fr"])
async def test_a_gift_comes_back_although_something_was_asked_between(sit: Sit, lang: str) -> None:
    table = await sit(model="scripted", lang=lang)
    give = {"do": "give", "to": "maud", "coin": 3, "text": "three coins"}
    ask = {"do": "ask", "to": "sheet", "text": "what have I got?"}
    reads: list[object] = [reading(give), reading(ask), reading(UNDO), reading(UNDO)]
    async with table.session({"saga.read": reads, "saga.narrator": ["Rain."] * 9}) as session:
        await session.turn("begin")
        before = told(await session.view())
        for said in ("I give Maud three coins", "what have I got?"):
            await session.turn(said)
        assert told(await session.view()) != before
        turn = await session.turn("no, take that back")
        assert told(await session.view()) == before
        assert [event["type"] for event in turn.events] == ["TakenBack", "TurnConcluded"]
        again = await session.turn("and that before it")
        assert [event["type"] for event in again.events] == ["Consulted", "TurnConcluded"]
        assert told(await session.view()) == before
        assert (await replay(session.host, session.id)).identical


async def test_a_fight_is_taken_back_and_something_else_done_instead(sit: Sit) -> None:
    table = await sit(model="scripted", seed="5")
    blow = {"do": "rule", "item": "attack", "to": "foe1", "text": "I strike Tam"}
    words = {"do": "say", "to": "foe1", "want": "pass", "coin": 2, "text": "two coins"}
    go = {"do": "move", "to": "greenway"}
    reads: list[object] = [reading(go), reading(blow), reading(UNDO, words)]
    script = {"saga.read": reads, "saga.narrator": ["Rain."] * 9, "saga.herald": ["Rain."] * 9}
    async with table.session(script) as session:
        for said in ("begin", "north"):
            await session.turn(said)
        struck = await session.turn("I strike Tam")
        assert any(event["type"] == "CombatTriggered" for event in struck.events)
        turn = await session.turn("no, wait, I offer two coins instead")
        kinds = [event["type"] for event in turn.events]
        assert kinds[:2] == ["TakenBack", "Spoke"]
        assert (await replay(session.host, session.id)).identical


async def test_a_blow_at_somebody_else_is_asked_about_before_anything_is_taken_back(
    sit: Sit,
) -> None:
    table = await sit(model="scripted", seed="5")
    blow = {"do": "rule", "item": "attack", "to": "foe2", "text": "I strike Rudge"}
    other = {**blow, "to": "foe1", "text": "the other fella"}
    ask = {"do": "ask", "to": "rules", "text": "how did that work"}
    reads: list[object] = [reading({"do": "move", "to": "greenway"}), reading(blow)]
    reads.append(reading(ask, UNDO, other))
    script = {"saga.read": reads, "saga.narrator": ["Rain."] * 9, "saga.herald": ["Rain."] * 9}
    async with table.session(script) as session:
        for said in ("begin", "north", "I strike Rudge"):
            await session.turn(said)
        before = told(await session.view())
        turn = await session.turn("how did that work, and can I take it back, I meant the other")
        assert [e["type"] for e in turn.events] == ["Consulted", "AskedBack", "TurnConcluded"]
        assert told(await session.view()) == before
        assert "attack Tam Thistle" in turn.reply
        done = await session.turn("yes")
        assert next(e["type"] for e in done.events) == "TakenBack"
        assert (await replay(session.host, session.id)).identical


@pytest.mark.parametrize(
    ("lang", "words"),
    [("en", "undo that"), ("en", "/undo"), ("fr", "annule"), ("fr", "/annuler")],
)
async def test_the_parser_takes_back_as_well(sit: Sit, lang: str, words: str) -> None:
    table = await sit(lang=lang)
    await table.say("begin")
    before = told(await table.view())
    await table.say("buy coil of rope" if lang == "en" else "acheter rouleau de corde")
    assert told(await table.view()) != before
    await table.say(words)
    assert told(await table.view()) == before


async def test_the_beginning_is_not_taken_back(sit: Sit) -> None:
    table = await sit()
    await table.say("begin")
    turn = await table.say("/undo")
    assert [event["type"] for event in turn.events] == ["Consulted", "TurnConcluded"]


async def test_what_was_only_said_is_taken_back_and_no_more(sit: Sit) -> None:
    table = await sit(model="scripted")
    give = {"do": "give", "to": "maud", "coin": 3, "text": "three coins"}
    words = {"do": "say", "to": "maud", "text": "Keep them"}
    reads: list[object] = [reading(give), reading(words), reading(UNDO)]
    async with table.session({"saga.read": reads, "saga.narrator": ["Rain."] * 9}) as session:
        for said in ("begin", "three coins for Maud"):
            await session.turn(said)
        paid = told(await session.view())
        for said in ("Keep them", "no, take that back"):
            await session.turn(said)
        assert told(await session.view()) == paid


async def test_what_the_first_message_did_is_taken_back_and_the_story_stays_begun(sit: Sit) -> None:
    table = await sit()
    await table.say("go to the Greenway")
    turn = await table.say("undo that")
    view = await table.view()
    assert "TakenBack" in [event["type"] for event in turn.events]
    assert str(view["scene"]).count("Heron")
    assert await table.say("undo that")
    assert (await table.view())["map"] == view["map"]


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "no wait, don't kill him, talk to him"), ("fr", "attends non, ne le tue pas")],
)
async def test_an_instruction_takes_nothing_back(sit: Sit, lang: str, said: str) -> None:
    table = await sit(lang=lang)
    await table.say("begin")
    await table.say("buy coil of rope" if lang == "en" else "acheter rouleau de corde")
    before = told(await table.view())
    turn = await table.say(said)
    assert "TakenBack" not in [event["type"] for event in turn.events]
    assert told(await table.view()) == before


async def test_a_bare_no_is_asked_about_and_can_be_meant_so(sit: Sit) -> None:
    table = await sit()
    await table.say("begin")
    await table.say("buy coil of rope")
    asked = await table.say("wait no")
    assert [event["type"] for event in asked.events] == ["AskedBack", "TurnConcluded"]
    done = await table.say("undo that")
    assert "TakenBack" in [event["type"] for event in done.events]


async def test_what_is_bought_instead_is_there_to_be_told(sit: Sit) -> None:
    table = await sit(model="scripted")

    def buy(item: str) -> Json:
        return {"do": "pick", "item": f"buy:{item}", "text": f"a {item}"}

    reads: list[object] = [reading(buy("rope"), buy("lantern")), reading(UNDO, buy("rope"))]
    script = {"saga.read": reads, "saga.narrator": ["Rain."] * 9}
    async with table.session(script) as session:
        await session.turn("begin")
        await session.turn("a coil of rope and a lantern")
        await session.turn("no, take that back: the rope alone")
        model = session.host.models.stand_ins["scripted"]
        assert isinstance(model, ScriptedModel)
        asked = [one for one in model.seen if one.role == "saga.narrator"][-1]
        told = str(asked.messages[-1].content).partition("Beats:")[2].partition("wrote")[0]
        assert "rope" in told
        assert "lantern" not in told


@pytest.mark.parametrize("lang", ["en", "fr"])
async def test_what_is_done_instead_is_done_where_it_was_meant(sit: Sit, lang: str) -> None:
    table = await sit(model="scripted", lang=lang)
    go = {"do": "move", "to": "inn"}
    give = {"do": "give", "to": "maud", "item": "bow", "text": "the bow"}
    instead = {"do": "say", "to": "maud", "with": "bow", "text": "Look at the string, Maud"}
    reads: list[object] = [
        reading({"do": "move", "to": "greenway"}),
        reading(go, give),
        reading(give),
        reading(UNDO, {"do": "flourish", "text": "holds the bow out"}, instead),
    ]
    script = {"saga.read": reads, "saga.narrator": ["Rain."] * 9}
    async with table.session(script) as session:
        for said in ("begin", "up the road"):
            await session.turn(said)
        before = told(await session.view())
        turn = await session.turn("back to the inn, and Maud has my bow")
        assert "ItemLost" in [event["type"] for event in turn.events]
        turn = await session.turn("no, wait! I only hold it out: look at the string, Maud")
        kinds = [event["type"] for event in turn.events]
        assert kinds[:4] == ["TakenBack", "Travelled", "Flourished", "Spoke"]
        assert "LeftUndone" not in kinds
        assert told(await session.view()) == before
        assert (await replay(session.host, session.id)).identical


async def test_nobody_walks_again_for_what_can_be_done_here(sit: Sit) -> None:
    table = await sit(model="scripted")
    stay = {"do": "flourish", "text": "sits down by the road"}
    reads: list[object] = [reading({"do": "move", "to": "greenway"}), reading(UNDO, stay)]
    async with table.session({"saga.read": reads, "saga.narrator": ["Rain."] * 9}) as session:
        for said in ("begin", "up the road"):
            await session.turn(said)
        turn = await session.turn("no, I did not want to go: I sit down")
        assert "Travelled" not in [event["type"] for event in turn.events]
