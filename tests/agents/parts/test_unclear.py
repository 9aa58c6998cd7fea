"""What follows where a message is not surely understood: a choice, or an honest word."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from ruleplay.agents.parts.domain.appliances import find_appliances
from ruleplay.agents.parts.domain.languages import language_of
from ruleplay.agents.parts.domain.reader import ASKED, Reading, perhaps
from ruleplay.agents.parts.domain.understanding import Understood
from ruleplay.agents.parts.policy.resolve import resolve
from ruleplay.agents.parts.state import (
    LanguageHeard,
    QuestionAsked,
    QuestionRaised,
    State,
    Unclear,
)
from ruleplay.kernel.session import Session
from ruleplay.records.turns import Turn

Talk = Callable[..., Awaitable[list[Turn]]]
LEAKS = "My WDT780SAEM1 dishwasher is leaking, fix it"


def reading(**shares: float) -> Reading:
    every = dict.fromkeys([*ASKED, "story", "chat"], 0.0) | shares
    best = max(every, key=lambda label: every[label])
    told = {"goal": best, "sure": every[best], "complaint": "none", "complaint_sure": 1}
    return Reading.model_validate(
        {"text": "…", "start": 0, "end": 1, "words": 6, "shares": every, **told}
    )


def test_the_likeliest_questions_are_offered_and_a_story_is_none() -> None:
    assert perhaps([reading(shipping=0.3, price=0.25, person=0.4)]) == ("shipping", "price")
    assert perhaps([reading(story=0.9, price=0.05)]) == ()


def test_nothing_followed_is_an_event_of_its_own() -> None:
    heard = Understood(message="hm", language="fr", perhaps=("price",))
    assert resolve(State(), heard, 1) == [LanguageHeard(language="fr"), Unclear(perhaps=("price",))]


def test_a_meaning_that_is_picked_is_asked_of_the_part_spoken_of() -> None:
    options = ("Price and stock", "Warranty", "None of these")
    asked = QuestionAsked.model_validate({"asked": {"kind": "meant", "options": options}})
    state = State().apply(asked)
    choice = {"kind": "choice", "start": 0, "end": 1, "text": "1", "option": 0}
    heard = Understood.model_validate({"message": "1", "intents": [choice]})
    (raised,) = [e for e in resolve(state, heard, 2) if isinstance(e, QuestionRaised)]
    assert raised.question.goal == "price_and_stock"


async def test_what_nobody_knows_is_said_with_how_the_shop_is_reached(talk: Talk) -> None:
    *_, turn = await talk("PS3406971", "zorp blick wub?")
    assert turn.reply.startswith(("I did not quite get that", "I don't find", "I am not sure"))


async def test_whoever_only_asks_of_a_danger_is_told_and_not_stopped(talk: Talk) -> None:
    *_, asked = await talk(LEAKS, "could i get a shock while replacing the gasket?")
    assert asked.reply.startswith("Take it seriously")
    assert "SafetyStopped" not in {event["type"] for event in asked.events}
    (told,) = await talk("the fridge sparks and I got a shock from its door, is it dangerous?")
    assert told.reply.startswith("⚠ Safety first.")


async def test_two_machines_of_one_kind_are_two_cases(talk: Talk) -> None:
    both, fit = await talk(
        "the WDT780SAEM1 is leaking, and the GDT645QYNFS does not drain",
        "does PS90001411 fit?",
    )
    tools = [event for event in both.events if event["type"] == "ToolReturned"]
    assert [(one["args"]["model"], one["args"]["symptoms"]) for one in tools] == [
        ("WDT780SAEM1", ["Leaking"]),
        ("GDT645QYNFS", ["Not draining"]),
    ]
    checked = [event for event in fit.events if event["type"] == "ToolReturned"]
    assert {one["args"]["model"] for one in checked} == {"WDT780SAEM1", "GDT645QYNFS"}


async def test_a_model_of_another_kind_than_the_case_is_asked_about(talk: Talk) -> None:
    *_, turn = await talk("my fridge is too warm", "WED5000QW2")
    assert "Do you mean WED5000QW2 (Whirlpool dryer)?" in turn.reply
    *_, settled = await talk("my fridge is too warm", "WED5000QW2", "no", "WRS325QDHZ04")
    assert "(fridge too warm)" in settled.reply


async def test_a_side_question_that_names_a_part_asks_nothing_else_of_it(talk: Talk) -> None:
    *_, turn = await talk("PS90001411", "quelle est la garantie de cette pompe ?")
    assert turn.reply.startswith("Je ne connais pas la garantie")
    assert "60,23" not in turn.reply


async def test_a_part_that_breaks_is_looked_for_instead_of_the_list(talk: Talk) -> None:
    *_, turn = await talk("my KDTE334QPS2 dishwasher is noisy", "the lower arm is cracked")
    assert "PS90002233" in turn.reply
    assert "PS90003603" not in turn.reply


async def test_buttons_are_in_the_language_spoken_and_offer_nobody_who_is_not_there(
    session: Session,
) -> None:
    await session.turn("mon lave-vaisselle fuit")
    unknown = "Je ne connais pas mon numéro de modèle"
    assert (await session.view())["quick_replies"] == [unknown]
    told = await session.turn(unknown)
    assert "plaque" in told.reply or "étiquette" in told.reply
    assert "parler à une personne" not in told.reply


@pytest.mark.parametrize(("message", "language"), [("PS90001548 dispo ?", "fr"), ("PS1?", "en")])
def test_a_space_before_the_mark_is_french(message: str, language: str) -> None:
    assert language_of(message) == language


async def test_a_clause_that_was_not_understood_is_quoted(talk: Talk) -> None:
    ask = "I want to replace my dishwasher's drain pump, could I check it with a meter beforehand?"
    (turn,) = await talk(ask)
    assert "“could I check it with a meter beforehand”" in turn.reply
    (heard,) = await talk("Good morning, my dishwasher leaks. Any idea what it could be?")
    assert "I am not sure" not in heard.reply


async def test_one_complaint_is_not_three(talk: Talk) -> None:
    (turn,) = await talk("My WDT780SAEM1 leaves a puddle of dirty water in the bottom when done")
    assert "(not draining)" in turn.reply
    assert "leaking" not in turn.reply.casefold()


async def test_a_compartment_is_no_other_machine_and_a_silent_fan_is_not_ruled_out(
    talk: Talk,
) -> None:
    _, turn = await talk(
        "my GE fridge is too warm", "and i can hear no fan at all when i open the freezer"
    )
    assert "freezer –" not in turn.reply
    assert "already done" not in turn.reply
    assert "light" not in turn.reply


async def test_a_part_that_is_supposed_to_be_good_is_not_offered_again(talk: Talk) -> None:
    _, turn = await talk(
        "Je voudrais un élément chauffant pour un lave-vaisselle",
        "Et s'il est bon ? la vaisselle sort mouillée quand même.",
    )
    assert "À part ce que vous avez écarté (élément chauffant)" in turn.reply
    assert "heating element" not in turn.reply


async def test_two_broken_parts_of_two_machines_are_both_looked_for(talk: Talk) -> None:
    (turn,) = await talk("the knob of my range snapped off and the gasket of the fridge is torn")
    assert "For “knob” the catalog has" in turn.reply
    assert "For “gasket” the catalog has" in turn.reply
    assert "the other machine (refrigerator)" in turn.reply


async def test_a_new_number_is_spoken_of_beside_a_side_question(talk: Talk) -> None:
    _, turn = await talk(
        "my fridge is too warm", "ok i'll just buy it then. the sticker says FFHS2622MSK"
    )
    assert "I don't find FFHS2622MSK in the catalog" in turn.reply


def test_a_typo_in_a_name_of_two_words_is_read() -> None:
    found = find_appliances("mon lave vaiselle coule", "fr")
    assert [one.appliance for one in found] == ["dishwasher"]


@pytest.mark.parametrize(
    ("asks", "button"),
    [
        ("Does PS11752778 fit WDT780SAEM1?", "The number is right"),
        ("¿La pieza PS11752778 es compatible con WDT780SAEM1?", "El número es correcto"),
    ],
)
async def test_a_number_is_confirmed_by_its_button(
    asks: str, button: str, session: Session
) -> None:
    await session.turn(asks)
    assert (await session.view())["quick_replies"] == [button]
    await session.turn(button)
    assert (await session.view())["slots"]["part"]["state"] == "unknown"


async def test_whether_there_are_parts_of_a_brand_is_told(talk: Talk) -> None:
    (turn,) = await talk("do you also have parts for a dryer? a samsung one")
    assert "For dryer, parts by brand: Samsung 2, Whirlpool 5" in turn.reply
