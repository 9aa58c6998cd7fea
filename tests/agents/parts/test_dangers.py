"""Dangers: heard from what is said now, on the machine they are of, until they are over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.agents.parts.conftest import Talk
from tests.agents.parts.test_intents import read
from tests.agents.parts.test_models import scripted

GOOD = [["Good."]] * 3


@pytest.mark.parametrize(
    "message",
    [
        "I need a water outlet hose for my dishwasher",
        "how much is the water inlet valve with electrical connector",
        "do you sell a flood protection float switch for a bosch",
        "the water dispenser socket, do you have that",
        "a wiring harness and water valve, how much",
        "do you have a smoke colored shelf",
        "drain plug and water hose for my fridge",
        "the light bulb socket and the water filter housing",
        "je cherche une prise d'eau pour lave-vaisselle",
        "need a toma de agua for it",
    ],
)
async def test_shopping_raises_no_alarm(message: str, talk: Talk) -> None:
    assert not [found for found in read(message) if found[0] == "hazard"]
    (turn,) = await talk(message)
    assert "⚠" not in turn.reply


async def test_a_danger_stands_for_its_own_machine_alone(talk: Talk) -> None:
    turns = await talk(
        "my dishwasher WDT780SAEM1 is leaking",
        "and smoke comes out of my fridge",
        "how much is PS3406971 for the dishwasher WDT780SAEM1?",
        "and a door shelf for that fridge?",
    )
    fears = [turn.reply.startswith("⚠") for turn in turns]
    assert fears == [False, True, False, True]


async def test_a_danger_at_a_machine_that_we_do_not_sell_for_is_not_that_of_ours(
    talk: Talk,
) -> None:
    turns = await talk("I smell gas at my stove", "what now, may I light it?", "PS3406971 price?",
                       "is PS3406971 for my dishwasher WDT780SAEM1?")  # fmt: skip
    assert [turn.reply.startswith("⚠") for turn in turns] == [True, True, True, False]


async def test_gas_in_a_room_is_no_danger_of_the_machine_told_of_next(talk: Talk) -> None:
    turns = await talk("it smells of gas in the kitchen", "and now, may I stay?",
                       "my dishwasher WDT780SAEM1 is leaking")  # fmt: skip
    assert [turn.reply.startswith("⚠") for turn in turns] == [True, True, False]


async def test_a_danger_that_is_over_is_over_beside_another_question(tmp_path: Path) -> None:
    smells = "ça sent le gaz près de la cuisinière, un joint ?"
    danger = {"hazard": {"kind": "gas", "quote": "ça sent le gaz"}, "topics": ["out_of_scope"]}
    asks = "le technicien est passé, tuyau changé. sinon mon WDT780SAEM1 fuit"
    heard = {
        "wishes": [{"goal": "diagnose_repair", "model": "WDT780SAEM1"}],
        "symptoms": [{"quote": "fuit", "symptom": "Leaking"}],
        "over": "le technicien est passé",
    }
    script = {"parts.extract": [json.dumps(danger), json.dumps(heard)], "parts.tell": GOOD}
    async with scripted(tmp_path, script) as (session, _):
        first, after = await session.turn(smells), await session.turn(asks)
    assert first.reply.startswith("⚠")
    assert "⚠" not in after.reply
    assert [e["type"] for e in after.events if "Safety" in e["type"]] == ["SafetyCleared"]


async def test_a_model_says_which_words_are_no_danger(tmp_path: Path) -> None:
    says = "the old one was burning through bulbs, sparks joy to shop here. PS3406971, price?"
    heard = {
        "wishes": [{"goal": "price_and_stock", "part": "PS3406971"}],
        "harmless": ["sparks joy", "burning through bulbs"],
    }
    script = {"parts.extract": [json.dumps(heard)], "parts.tell": GOOD}
    async with scripted(tmp_path, script) as (session, model):
        turn = await session.turn(says)
        asked = str(model.seen[0].messages[-1].content)
    assert "Taken for a danger: 'sparks'" in asked
    assert "⚠" not in turn.reply
    assert [e["type"] for e in turn.events if e["type"] == "ToolReturned"]
    assert "Should it truly smell of gas" in turn.reply  # a model may be wrong about a danger


async def test_a_model_that_is_silent_on_a_danger_does_not_undo_it(tmp_path: Path) -> None:
    heard = {"wishes": [{"goal": "price_and_stock", "part": "PS3406971"}]}
    script = {"parts.extract": [json.dumps(heard)], "parts.tell": GOOD}
    async with scripted(tmp_path, script) as (session, _):
        turn = await session.turn("sparks at the plug, what does PS3406971 cost?")
    assert turn.reply.startswith("⚠")


async def test_what_is_over_and_what_is_new_are_both_heard(tmp_path: Path) -> None:
    heard = {
        "over": "the smoke was only toast",
        "hazard": {"kind": "shock", "quote": "now it tingles"},
    }
    script = {
        "parts.extract": ['{"hazard": {"kind": "smoke", "quote": "smokes"}}', json.dumps(heard)],
        "parts.tell": GOOD,
    }
    async with scripted(tmp_path, script) as (session, model):
        await session.turn("my dishwasher smokes")
        turn = await session.turn("the smoke was only toast, but now it tingles")
        view = str(model.seen[2].messages[-1].content)
    assert "danger that stands: fire" in view
    assert turn.reply.startswith("⚠ Safety first. Do not touch")
    types = [event["type"] for event in turn.events]
    assert types.index("SafetyCleared") < types.index("SafetyStopped")


async def test_nobody_is_sent_to_the_label_of_a_dangerous_machine(talk: Talk) -> None:
    *_, turn = await talk(
        "there are sparks when I start my dishwasher!", "ok, it is off. which part do I need?"
    )
    assert "model number" in turn.reply
    assert "door" not in turn.reply
