"""What a model may say that it heard: choices taken, parts meant; and what it is shown for it."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from tests.agents.parts.test_models import NOTHING_HEARD, scripted

from ruleplay.agents.parts import prompts
from ruleplay.agents.parts.adapters.catalog_import import import_catalog
from ruleplay.agents.parts.domain.answers import Asked
from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.policy.listening import Hearing, quote_problems, taken
from ruleplay.agents.parts.state import State

NEAR = "does PS3406971 go with my WDT708SAEM1?"
"""A message with a model's number of which two digits are swapped."""


async def after_near(tmp_path: Path, message: str, heard: object, told: str = "Good.") -> Any:
    """Play `message` after the question for a near number, heard so; return turn and view."""
    script: dict[str, list[object]] = {
        "parts.extract": [NOTHING_HEARD, json.dumps(heard)],
        "parts.tell": [["Hm."], [told]],
    }
    async with scripted(tmp_path, script) as (session, model):
        await session.turn(NEAR)
        turn = await session.turn(message)
        return turn, await session.view(), [str(one.messages[-1].content) for one in model.seen]


@pytest.mark.parametrize(
    ("message", "quote"),
    [
        ("right, a seven and then the eight", "right, a seven and then the eight"),
        ("ah mince, c'est bien le premier des deux, le 780", "780"),
        ("780, i had it upside down", "780"),
    ],
)
async def test_a_choice_that_is_open_is_taken_in_any_words(
    tmp_path: Path, message: str, quote: str
) -> None:
    heard = {
        "wishes": [],
        "picked": {"choice": 1, "quote": quote},
        "withdrawn": ["WDT708SAEM1"],  # models say so too; the choice is what counts
    }
    turn, view, seen = await after_near(tmp_path, message, heard)
    assert "WDT780SAEM1" in turn.reply
    assert "✓ PS3406971" in turn.reply
    assert view["slots"]["model"]["value"] == "WDT780SAEM1"
    asked = next(one for one in seen if one.rpartition("\n")[2] == message)
    assert "Choices of the open question:\n1. WDT780SAEM1 (" in asked


async def test_none_of_the_choices_is_a_choice_too(tmp_path: Path) -> None:
    heard = {"wishes": [], "picked": {"choice": 2, "quote": "it is neither"}}
    _, view, _ = await after_near(tmp_path, "it is neither, I read it twice", heard)
    assert view["slots"]["model"]["value"] == "WDT708SAEM1"


async def test_a_piece_of_an_offered_number_may_be_read_as_the_whole(tmp_path: Path) -> None:
    wish = {"goal": "check_compatibility", "model": "WDT780SAEM1"}
    turn, view, _ = await after_near(tmp_path, "the middle is 780s my mistake", {"wishes": [wish]})
    assert view["slots"]["model"]["value"] == "WDT780SAEM1"
    assert "✓ PS3406971" in turn.reply


async def test_what_else_is_asked_beside_a_choice_is_answered(tmp_path: Path) -> None:
    """The part is taken from the choice, and checked for the model that the message names."""
    heard = {
        "wishes": [{"goal": "check_compatibility", "model": "WDF331PBMS1"}],
        "picked": {"choice": 1, "quote": "71 then"},
    }
    script: dict[str, list[object]] = {
        "parts.extract": [NOTHING_HEARD, json.dumps(heard)],
        "parts.tell": [["Hm."], ["Good."]],
    }
    async with scripted(tmp_path, script) as (session, _):
        first = await session.turn("price of PS3406917 please")
        turn = await session.turn("71 then. and is it for a WDF331PBMS1?")
    assert "Do you mean PS3406971 (" in first.reply
    assert [one["args"] for one in turn.events if one["type"] == "ToolReturned"] == [
        {"part": "PS3406971", "model": "WDF331PBMS1"}
    ]


def test_only_a_choice_there_is_and_words_that_were_said_are_taken() -> None:
    offered = ("WDT780SAEM1 (dishwasher)", "None of these")

    def problems(choice: int, quote: str) -> list[str]:
        heard = Hearing.model_validate({"picked": {"choice": choice, "quote": quote}})
        return quote_problems(heard, "the 780 one", (), (), (), offered)

    assert not problems(1, "the 780 one")
    assert problems(3, "the 780 one") == ["the open question has no choice 3"]
    assert problems(1, "the first") == ["the message does not say 'the first'"]


def test_a_number_that_is_not_offered_is_never_put_together() -> None:
    heard = Hearing.model_validate({"wishes": [{"goal": "list_parts", "model": "WDT790SAEM1"}]})
    assert taken(heard, "790 at the end", ("WDT780SAEM1 (dishwasher)",)) == heard
    none_said = Hearing.model_validate({"wishes": [{"goal": "list_parts", "model": "WDT780SAEM1"}]})
    assert taken(none_said, "all its parts", ("WDT780SAEM1 (dishwasher)",)).picked is None


def test_the_listening_model_reads_what_customers_call_parts_by() -> None:
    told = {"price": Decimal("11.26"), "availability": "In Stock", "manufacturer_number": "W77"}
    shown = Card(number="PS1", row="1", name="Arm Support", replaces=("W55", "W66"), **told)
    shelf = Card(number="PS2", row="2", name="Valve", replaces=("W88",), **told)
    asked = prompts.extract(
        "the one at about ten, or w66 as was", State(), {}, (shown,), (shown, shelf)
    ).user
    assert "1. PS1 Arm Support, $11.26, In Stock, W77, replaces W66\n" in asked
    assert "2. PS2 Valve, $11.26\n" in asked, "a long shelf is told briefly"


def test_a_question_without_choices_shows_none() -> None:
    state = State().but(asked=Asked(kind="model"))
    assert "Choices of the open question" not in prompts.extract("hm", state, {}).user


async def test_an_order_is_for_the_part_that_was_meant(tmp_path: Path) -> None:
    """Of two parts shown, the one that the model heard is meant, in the next turn too."""
    heard = json.dumps({"wishes": [], "topics": ["payment"], "about": 2})
    script: dict[str, list[object]] = {
        "parts.extract": [NOTHING_HEARD, heard, NOTHING_HEARD],
        "parts.tell": [["Hm."]] * 3,
    }
    async with scripted(tmp_path, script) as (session, model):
        await session.turn("how much are PS3406971 and PS90001822?")
        await session.turn("keep the rubber for me behind the desk, would you")
        told = str(model.seen[-1].messages[-1].content)
        await session.turn("so, whenever you like")
        asked = next(one for one in model.seen[::-1] if "Known symptoms" in str(one))
    (order,) = [line for line in told.splitlines() if "you order by number" in line]
    assert "PS90001822" in order
    assert "PS3406971" not in order
    assert "Spoken of last: PS90001822." in str(asked.messages[-1].content)


async def test_who_asks_whether_a_person_answers_is_not_handed_over(tmp_path: Path) -> None:
    heard = json.dumps({"wishes": [], "topics": ["chat", "thanks"]})
    script: dict[str, list[object]] = {
        "parts.extract": [NOTHING_HEARD, heard],
        "parts.tell": [["Hm."], ["No, a computer, I am afraid."]],
    }
    async with scripted(tmp_path, script) as (session, _):
        await session.turn("My WDT780SAEM1 dishwasher is leaking, fix it")
        turn = await session.turn("bless you. do I talk to somebody made of flesh?")
    assert turn.reply == "No, a computer, I am afraid."
    assert not [one for one in turn.events if one["type"] == "HandedOver"]


def test_the_listening_prompt_stays_small() -> None:
    """A full shelf, twelve parts shown and a long reply fit a small model's window twice."""
    told = {"price": Decimal("104.17"), "availability": "Special Order", "fit": "listed"}
    numbers = {"manufacturer_number": "WPW10348269", "model": "WDT780SAEM1"}
    names = "Whirlpool Dishwasher Upper Rack Adjuster Kit - White Wheels, Left and Right Sides"
    many = [
        Card(
            number=f"PS119000{n:02}", row="1", name=names, replaces=("W1",) * 30, **told, **numbers
        )
        for n in range(36)
    ]
    known = {f"Symptom number {n} of a machine": ["dishwasher", "refrigerator"] for n in range(34)}
    options = tuple(f"{card.number} ({card.name})" for card in many[:4])
    state = State().but(asked=Asked(kind="choice", options=options))
    prompt = prompts.extract("x" * 400, state, known, many[:12], many, "y" * 4_000)
    assert len(prompt.system) < 7_000
    assert len(prompt.user) < 8_500


async def test_a_wrong_number_beside_the_part_meant_asks_no_question(tmp_path: Path) -> None:
    """The part that the model picks is told of, and that the catalog lacks the number."""
    fits = {"wishes": [{"goal": "check_compatibility", "part": "PS3406971"}]}
    wish = {"goal": "about_part", "part": "PS3406917", "words": "the wheel", "shown": 1}
    script: dict[str, list[object]] = {
        "parts.extract": [json.dumps(fits), json.dumps({"wishes": [wish]})],
        "parts.tell": [["Good."], ["Hm."]],
    }
    async with scripted(tmp_path, script) as (session, model):
        await session.turn("does the wheel PS3406971 go with my WDT780SAEM1, mister?")
        turn = await session.turn("i wrote down PS3406917 for the wheel, is that right?")
        asked = str(model.seen[-1].messages[-1].content)
    assert "Do you mean" not in turn.reply + asked
    assert "PS3406917 is not in the catalog" in asked
    assert [one["args"]["part"] for one in turn.events if one["type"] == "ToolReturned"] == [
        "PS3406971"
    ]


async def test_few_signs_that_a_model_reads_as_a_number_are_one(tmp_path: Path) -> None:
    """Code still asks where the message names another kind of machine, or the model read none."""
    parts = (
        "part_number,manufacturer_number,name,appliance\n"
        "PS16217433,XWF,Refrigerator Water Filter,Refrigerator\n"
    )
    (tmp_path / "parts.csv").write_text(parts)
    (tmp_path / "fits.csv").write_text("part,model\nPS16217433,71059\n")
    (tmp_path / "models.csv").write_text("model,brand,appliance\n71059,LG,refrigerator\n")
    files = (tmp_path / f"{name}.csv" for name in ("parts", "fits", "models"))
    import_catalog(*files, into=tmp_path / "parts.catalog")

    async def heard(message: str, **wish: str) -> list[str]:
        listens = {"wishes": [{"goal": "about_part", **wish}]}
        script: dict[str, list[object]] = {
            "parts.extract": [json.dumps(listens)],
            "parts.tell": [["Hm."]],
        }
        async with scripted(tmp_path, script) as (session, _):
            turn = await session.turn(message)
        slots = [event["slot"] for event in turn.events if "Filled" in event["type"]]
        return [f"{slot['state']} {slot['value']}" for slot in slots]

    assert await heard("and xwf, what is that", part="xwf") == ["verified PS16217433"]
    assert await heard("and xwf, what is that") == ["to_confirm xwf"]
    assert await heard("xwf for the dishwasher", part="xwf") == ["to_confirm xwf"]
    assert "verified 71059" in await heard("xwf in a 71059 please", part="xwf", model="71059")


def test_a_hearing_of_nothing_but_a_strange_language_is_empty() -> None:
    heard = [Hearing(language=language).empty for language in ("", "javascript", "en")]
    assert heard == [True, True, False]
