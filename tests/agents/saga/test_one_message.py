"""One message that leads from one scene to another: a way and what is done there, a first blow."""

from __future__ import annotations

import json

import pytest
from tests.agents.saga.conftest import Sit

from ruleplay.models.scripted import ScriptedModel
from ruleplay.records.turns import Turn


def types(turn: Turn) -> list[object]:
    return [event["type"] for event in turn.events]


def reading(*acts: dict[str, object]) -> str:
    return json.dumps({"acts": acts})


async def test_what_is_done_elsewhere_is_heard_there(sit: Sit) -> None:
    """Ruvin is not among those whom a reading at the quay may name."""
    table = await sit(model="scripted", scenario="grey-debt")
    goes = {"do": "move", "to": "landing", "text": "I take a boat up to the landing"}
    asks = {"do": "say", "want": "know", "text": "I ask Ruvin whether he can row"}
    there = {"do": "say", "to": "ruvin", "want": "know", "text": "Can you row?"}
    told = "Ruvin looks at the oars, and then at you. [b2]"
    script: dict[str, list[object]] = {
        "saga.read": [reading(goes, asks), reading(there)],
        "saga.narrator": ["Gulls.", *[told] * 3],
    }
    async with table.session(script) as session:
        await session.turn("begin")
        turn = await session.turn("I take a boat up to the landing and ask Ruvin if he can row")
        model = session.host.models.stand_ins["scripted"]
    assert types(turn)[:2] == ["Travelled", "Spoke"]
    assert turn.events[1]["to"] == "ruvin"
    assert "LeftUndone" not in types(turn)
    assert isinstance(model, ScriptedModel)
    asked = [str(one.messages[-1].content) for one in model.seen if one.role == "saga.read"]
    assert "read only the rest" in asked[1]
    assert asked[1].endswith("I ask Ruvin whether he can row")
    assert "ruvin (Ruvin, person)" in asked[1]


async def test_nothing_is_heard_on_where_a_fight_waits(sit: Sit) -> None:
    table = await sit()
    for said in ("begin", "go to the Greenway"):
        await table.say(said)
    turn = await table.say("sneak past, then go to the old dell and search it")
    assert types(turn).count("CombatTriggered") <= 1
    assert "Attacked" not in types(turn)


@pytest.mark.parametrize(
    ("lang", "said", "done"),
    [
        ("en", "go to the forest landing and ask Ruvin about that night", "SkillChecked"),
        ("fr", "je vais au débarcadère et je dis bonjour à Ruvin", "SectionTold"),
    ],
)
async def test_without_a_model_as_well(sit: Sit, lang: str, said: str, done: str) -> None:
    table = await sit(scenario="grey-debt", lang=lang)
    await table.say("begin")
    turn = await table.say(said)
    assert types(turn)[0] == "Travelled"
    assert done in types(turn)
    assert "Ruvin" in turn.reply
    assert "dwalma" not in str(turn.events).lower()


async def test_somebody_who_is_elsewhere_is_not_answered_for(sit: Sit) -> None:
    table = await sit(scenario="grey-debt")
    await table.say("begin")
    turn = await table.say("Ruvin, tell me about the barge.")
    assert not {"SectionTold", "CoinChanged"} & {*types(turn)}
    assert "Dwalma" in turn.reply
    assert "Nobody of that name" in turn.reply


async def test_what_begins_a_fight_is_its_first_blow(sit: Sit) -> None:
    table = await sit(model="scripted")
    blow = {"do": "rule", "item": "attack", "to": "foe2", "text": "I swing at Tam"}
    script: dict[str, list[object]] = {
        "saga.read": [reading(blow)],
        "saga.narrator": ["The road is empty."] * 4,
        "saga.herald": ["Steel, and breath."] * 4,
    }
    async with table.session(script) as session:
        for said in ("begin", "go to the Greenway"):
            await session.turn(said)
        turn = await session.turn("I swing my sword at Tam before he can speak")
    mine = [e for e in turn.events if e["type"] == "Attacked" and e["attacker"] == "hero"]
    assert [one["target"] for one in mine] == ["foe2"]
    assert turn.events[-1]["payload"] == "NarrativeTriggerCombatPayload"


async def test_whom_the_first_blow_is_for_is_not_guessed(sit: Sit) -> None:
    table = await sit()
    for said in ("begin", "go to the Greenway"):
        await table.say(said)
    turn = await table.say("attack")
    assert "CombatTriggered" in types(turn)
    assert "Attacked" not in types(turn)
    assert "LeftUndone" not in types(turn)


async def test_what_is_left_undone_is_told_whole_in_the_players_words(sit: Sit) -> None:
    table = await sit(model="scripted")
    rest = "and wait for the " + "very " * 40 + "old lantern"
    waits = {"do": "wait", "when": "if_success", "text": "waits for the old lantern"}
    script: dict[str, list[object]] = {
        "saga.read": [reading({"do": "vain", "vain": "not_here"}, waits)],
        "saga.narrator": ["The fire crackles."] * 3,
    }
    async with table.session(script) as session:
        await session.turn("begin")
        turn = await session.turn(f"I ring the bell that hangs there {rest}")
        model = session.host.models.stand_ins["scripted"]
    assert isinstance(model, ScriptedModel)
    why = "That leaves undone"
    assert f"not done, and shown as the world has it: {why}: “{rest}”" in str(
        model.seen[-1].messages[-1].content
    )
    undone = next(e for e in turn.events if e["type"] == "LeftUndone")
    assert (undone["what"], undone["why"]) == ([rest], "vain")
    assert turn.reply.endswith(f"“{rest}”.")


async def test_the_first_message_is_read_by_the_model_once_the_story_has_begun(sit: Sit) -> None:
    table = await sit(model="scripted", scenario="greenway-lamp")
    buys = {"do": "pick", "item": "buy:arrow", "count": 5, "text": "five arrows"}
    script: dict[str, list[object]] = {"saga.read": [reading(buys)], "saga.narrator": ["Peat."] * 3}
    async with table.session(script) as session:
        turn = await session.turn("evening, five arrows please")
        sheet = (await session.view())["sheet"]
    assert types(turn)[0] == "SectionTold"
    assert types(turn).count("SectionTold") == 1
    assert isinstance(sheet, dict)
    assert sheet["coin"] < 15


@pytest.mark.parametrize("said", ["no spiders please, I can't stand them", "/x spiders"])
async def test_a_line_drawn_before_the_story_begins_is_kept(sit: Sit, said: str) -> None:
    table = await sit(scenario="grey-debt")
    await table.say(said)
    style = (await table.view())["style"]
    assert "spiders" in str(style)


async def test_a_question_is_answered_where_it_stands_in_the_message(sit: Sit) -> None:
    table = await sit(model="scripted")
    asks = {"do": "ask", "to": "sheet", "text": "how much money have I got?"}
    buys = {"do": "pick", "item": "buy:rope", "text": "the rope"}
    script: dict[str, list[object]] = {
        "saga.read": [reading(asks, buys), reading(buys, asks)],
        "saga.narrator": [""] * 9,
    }
    async with table.session(script) as session:
        await session.turn("begin")
        first = await session.turn("How much money have I got? And I buy the rope")
        then = await session.turn("The rope once more. And how much money have I got?")
    assert first.reply.index("You have 15 coins") < first.reply.index("coil of rope")
    assert then.reply.index("coil of rope") < then.reply.index("You have 11 coins")


@pytest.mark.parametrize("last", [False])
async def test_without_a_model_a_question_is_answered_in_order_too(sit: Sit, last: bool) -> None:
    table = await sit()
    await table.say("begin")
    asks, buys = "How much money have I got?", "I buy a rope."
    turn = await table.say(f"{buys} {asks}" if last else f"{asks} {buys}")
    assert f"You have {13 if last else 15} coins" in turn.reply
    assert (turn.reply.index("coil of rope") < turn.reply.index("You have")) is last


@pytest.mark.parametrize("opens", [True, False])
async def test_words_are_read_again_only_where_more_can_be_named_than_before(
    sit: Sit, opens: bool
) -> None:
    table = await sit(model="scripted", scenario="grey-debt")
    nods = {"do": "say", "to": "dwalma", "text": "See you"}
    buys = {"do": "pick", "item": "buy:lantern", "text": "I buy a lantern"}
    sails = {"do": "move", "to": "esgaroth", "text": "I sail down to Esgaroth"}
    script: dict[str, list[object]] = {
        "saga.read": [reading(buys if opens else nods, sails), reading({"do": "wait"})],
        "saga.narrator": ["Gulls."] * 4,
    }
    async with table.session(script) as session:
        await session.turn("begin")
        turn = await session.turn("See you. I sail down to Esgaroth")
        model = session.host.models.stand_ins["scripted"]
    assert isinstance(model, ScriptedModel)
    asked = [str(one.messages[-1].content) for one in model.seen if one.role == "saga.read"]
    assert len(asked) == 1 + opens
    assert not any("led here" in one for one in asked)
    assert ("Nothing was found here for this: “I sail down to Esgaroth”" in turn.reply) != opens
    assert not any("Esgaroth" in str(one) for one in turn.events[-1]["hints"])


@pytest.mark.parametrize("told", [True, False])
async def test_what_prose_has_told_to_be_missing_is_not_said_again(sit: Sit, told: bool) -> None:
    table = await sit(model="scripted")
    climbs = {"do": "move", "to": "stool", "text": "I climb on a stool"}
    nods = {"do": "flourish", "text": "I nod"}
    prose = "You nod. Every stool has somebody on it. [b1]" if told else "You nod. [b1]"
    script: dict[str, list[object]] = {
        "saga.read": [reading(nods, climbs)],
        "saga.narrator": ["Rain.", prose],
    }
    async with table.session(script) as session:
        await session.turn("begin")
        turn = await session.turn("I nod. I climb on a stool")
    assert ("Nothing was found here" in turn.reply) != told


async def test_what_the_text_of_the_place_shows_can_be_gone_to(sit: Sit) -> None:
    table = await sit(model="scripted")
    climbs = {"do": "move", "to": "the heron", "text": "I climb up to the heron"}
    script: dict[str, list[object]] = {
        "saga.read": [reading(climbs)],
        "saga.narrator": ["Rain.", "You climb up to it. [b1]"],
    }
    async with table.session(script) as session:
        await session.turn("begin")
        turn = await session.turn("I climb up to the heron")
    assert turn.events[0]["type"] == "Flourished"
    assert "Nothing was found here" not in turn.reply


@pytest.mark.parametrize("told", [True, False])
async def test_what_is_left_undone_has_a_line_where_no_prose_shows_it(sit: Sit, told: bool) -> None:
    table = await sit(model="scripted")
    comes = {"do": "follow", "to": "maud", "text": "Come with me"}
    goes = {"do": "move", "to": "greenway", "text": "I go out with her"}
    prose = "Maud laughs, and stays. [b2] You stay too, then, with a hand on the latch. [b3]"
    script: dict[str, list[object]] = {
        "saga.read": [reading(comes, goes)],
        "saga.narrator": ["Rain.", prose if told else "Maud laughs, and stays. [b2]"],
    }
    async with table.session(script) as session:
        await session.turn("begin")
        turn = await session.turn("Come with me, Maud! I go out with her")
    assert "LeftUndone" in types(turn)
    line = "That leaves undone: \u201cI go out with her\u201d."
    assert (line in turn.reply) is not told
    assert "Still open" not in turn.reply
