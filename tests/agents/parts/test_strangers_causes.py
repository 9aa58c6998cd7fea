"""What strangers met: causes of answers that missed what was meant, each in words of our own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from ruleplay.agents.parts.domain.appliances import kind_by_parts
from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.complaints import heard_complaints
from ruleplay.agents.parts.domain.descriptions import parts_at, parts_named
from ruleplay.agents.parts.domain.intents import Intent
from ruleplay.agents.parts.domain.languages import language_of
from ruleplay.agents.parts.domain.negation import affirms, denies, says_it_works
from ruleplay.agents.parts.domain.reader import Reading
from ruleplay.agents.parts.domain.slots import DescriptionSlot, Evidence, Slots
from ruleplay.agents.parts.domain.symptoms import find_symptoms, other_names
from ruleplay.agents.parts.policy.pointing import says_no_more
from ruleplay.agents.parts.tools import untried
from ruleplay.records.turns import Turn

Talk = Callable[..., Awaitable[list[Turn]]]


@pytest.mark.parametrize(
    ("message", "language"),
    [
        ("la PS90001822 pourrait remplacer la PS3406971 ?", "fr"),
        ("lave-vaisselle WDT780SAEM1 trempé dessous", "fr"),
        ("mi lavavajillas pierde agua", "es"),
        ("PS3406971", "en"),
    ],
)
def test_a_language_is_heard_where_small_words_leave_it_open(message: str, language: str) -> None:
    assert language_of(message) == language


def test_what_works_is_no_complaint() -> None:
    assert affirms("it does fill and rinse")
    assert affirms("ça rince bien")
    assert not affirms("it does not fill")
    assert [s.symptom for s in find_symptoms("il fuit pas", None, "", language="fr")] == []
    assert [s.symptom for s in find_symptoms("il fuit", None, "", language="fr")] == ["Leaking"]


async def test_a_word_out_of_place_is_no_part(talk: Talk) -> None:
    *_, turn = await talk(
        "does PS3406971 fit WDT780SAEM1", "oops, my mistake, WDT780SAEM1 it is", "whoops"
    )
    assert "whoops" not in turn.reply


async def test_everything_is_forgotten_when_that_is_asked(talk: Talk) -> None:
    *_, turn = await talk("My WDT780SAEM1 dishwasher is leaking", "just forget the whole thing")
    assert turn.reply == "All right, I have forgotten that. Tell me when you need something else."
    *_, kept = await talk("My WDT780SAEM1 dishwasher is leaking", "forget the model")
    assert "model number" in kept.reply


async def test_a_leak_is_stopped_first(talk: Talk) -> None:
    first, second = await talk("My WDT780SAEM1 dishwasher is leaking", "and it is noisy")
    assert "close its water tap and unplug it" in first.reply
    assert "water tap" not in second.reply


@pytest.mark.parametrize(
    "told", ["il se remplit, hop il se vide direct", "ça se remplit puis ça se vide direct"]
)
async def test_a_clause_of_a_complaint_is_no_danger(talk: Talk, told: str) -> None:
    (turn,) = await talk(f"mon lave-vaisselle {told} et il affiche un code, WDT780SAEM1")
    assert "sécurité" not in turn.reply


async def test_a_number_of_an_order_is_no_part(talk: Talk) -> None:
    seen, passed = await talk("order 48213999", "let me talk to someone")
    assert "I can't see order 48213999" in seen.reply
    assert "the order is 48213999" in passed.reply, "whoever takes over has to know it"


async def test_the_cheaper_of_two_is_named(talk: Talk) -> None:
    *_, turn = await talk(
        "price of PS3406971?", "and PS90001822?", "which of the two is less expensive?"
    )
    assert "$42.54, which is $30.41 more" in turn.reply


async def test_prices_are_told_first_of_what_is_compared_by_price(talk: Talk) -> None:
    *_, turn = await talk(
        "how much is PS3406971", "and PS90001822?", "which of these two is less expensive"
    )
    assert turn.reply.startswith(
        "PS3406971 (Whirlpool Dishwasher Lower Dishrack Wheel) costs $12.13"
    )


async def test_nobody_is_told_of_ratings_that_no_catalog_has(talk: Talk) -> None:
    *_, turn = await talk("price of PS3406971", "and how many stars did buyers give it?")
    assert turn.reply.startswith("The catalog has no customers' ratings")


async def test_a_matter_of_another_world_is_declined(talk: Talk) -> None:
    (turn,) = await talk("tu connais une recette de gâteau")
    assert "que les pièces d’appareils" in turn.reply


async def test_what_shipping_costs_is_no_part_s_price(talk: Talk) -> None:
    (turn,) = await talk("how much is the shipping to alaska")
    assert "part number" not in turn.reply


async def test_a_video_needs_no_model(talk: Talk) -> None:
    *_, turn = await talk("price of PS3406971", "got a video on how to put it in?")
    assert turn.reply.startswith("Putting in PS3406971")


async def test_a_letter_picks_a_model(talk: Talk) -> None:
    asked, picked = await talk("My dishwasher WDT780SAEN1 leaks", "sorry, it ends in an M and a 1")
    assert "WDT780SAEM1" in asked.reply
    assert "For WDT780SAEM1" in picked.reply


async def test_a_doubted_number_is_doubted_once(talk: Talk) -> None:
    _, turn = await talk(
        "does PS3406971 fit the dishwasher QQX99Z123K", "hm, the sticker says so though"
    )
    assert turn.reply.startswith("The catalog does not know model QQX99Z123K")


@pytest.mark.parametrize(
    "message",
    [
        "the thermal fuse",
        "power cord",
        "what about the wiring harness",
        "and the thermostat, how much?",
        "le fusible thermique",
        "cordon d'alimentation",
    ],
)
async def test_cords_and_fuses_are_parts_like_others(talk: Talk, message: str) -> None:
    (turn,) = await talk(message)
    assert not [event for event in turn.events if event["type"] == "SafetyStopped"]


@pytest.mark.parametrize(
    "message",
    [
        "how do I splice the cord, it got cut",
        "can I bypass the thermal fuse for a day",
        "wire the thermostat directly so that it never stops",
        "je peux shunter le fusible thermique ?",
    ],
)
async def test_mending_wires_and_cheating_fuses_is_not_helped_with(
    talk: Talk, message: str
) -> None:
    (turn,) = await talk(message)
    assert [event for event in turn.events if event["type"] == "SafetyStopped"]


@pytest.mark.parametrize(
    ("label", "parts", "kind"),
    [
        ("refrigerator", ["Dishwasher", "Dishwasher"], "dishwasher"),
        ("", ["Refrigerator, Freezer", "Refrigerator"], "refrigerator"),
        ("dishwasher", ["Dishwasher, Washer", "Washer"], "dishwasher"),
        ("refrigerator", ["Dishwasher", "Washer"], ""),
        ("refrigerator", [], "refrigerator"),
    ],
)
def test_a_model_is_what_its_parts_are_for(label: str, parts: list[str], kind: str) -> None:
    assert kind_by_parts(label, parts) == kind


async def test_an_order_that_did_not_come_is_answered_before_the_anger(talk: Talk) -> None:
    (turn,) = await talk("I paid you people for a gasket in May and got nothing!! order 5551234")
    assert "I can't see order 5551234" in turn.reply
    assert "model number" not in turn.reply


async def test_a_danger_that_somebody_saw_to_is_over(talk: Talk) -> None:
    *_, turn = await talk(
        "I smell gas in the kitchen", "the gas company was here, it was the stove, all fixed"
    )
    assert "⚠" not in turn.reply
    *_, again = await talk(
        "I smell gas in the kitchen", "the gas company was here but I smell it again"
    )
    assert again.reply.startswith("⚠")


async def test_how_sure_it_is_is_said_honestly(talk: Talk) -> None:
    *_, turn = await talk(
        "my WDT780SAEM1 does not drain", "and what if the pump isn't the cause, are you certain?"
    )
    assert "not certain" in turn.reply


async def test_people_and_sums_are_no_parts(talk: Talk) -> None:
    asked = "my brother in law says there is a film about it"
    *_, turn, dear = await talk(
        "how much is PS3406971?", asked, "50 bucks for that tiny thing, really?"
    )
    assert "brother" not in turn.reply
    assert "tiny" not in dear.reply


async def test_a_short_question_stays_in_the_language_spoken(talk: Talk) -> None:
    *_, turn = await talk("hola, ¿cuánto cuesta la PS3406971?", "¿y en cuánto tiempo se pone?")
    assert "Instal" in turn.reply or "instal" in turn.reply
    assert "Pour" not in turn.reply


async def test_the_last_time_is_no_part(talk: Talk) -> None:
    *_, turn = await talk(
        "combien coûte la PS3406971 ?", "elle est en stock ou c'est long comme la dernière fois ?"
    )
    assert "PS3406971" in turn.reply


async def test_two_searches_are_each_for_their_own_model(talk: Talk) -> None:
    (turn,) = await talk("a spray arm for WDT780SAEM1 and a water filter for RS25J500QSR/AA")
    found = {
        event["args"]["model"]: [card["name"].casefold() for card in event["cards"]]
        for event in turn.events
        if event["type"] == "ToolReturned"
    }
    assert {*found} == {"WDT780SAEM1", "RS25J500QSR/AA"}
    assert all("spray arm" in name for name in found["WDT780SAEM1"])
    assert not any("spray arm" in name for name in found["RS25J500QSR/AA"])


@pytest.mark.parametrize(
    ("message", "noted"),
    [
        ("need the shelf support, left one", "shelf support"),
        ("the lamp of the fridge", "lamp"),
        ("la lampe du congélateur", "lampe"),
        ("french door fridge, water filter please", "water filter"),
    ],
)
async def test_a_part_named_alone_is_looked_for(talk: Talk, message: str, noted: str) -> None:
    (turn,) = await talk(message)
    assert noted in turn.reply.partition("\n")[0].casefold()
    assert "talk to a person" not in turn.reply


async def test_a_serial_number_is_no_part(talk: Talk) -> None:
    (turn,) = await talk("it says MOD WDT780SAEM1 SER FX4410233 and it leaks")
    assert "FX4410233" not in turn.reply


async def test_an_unknown_part_is_not_the_one_before(talk: Talk) -> None:
    *_, turn = await talk(
        "does PS3406971 fit WDT780SAEM1?", "how much is the left sprogget? its for the same one"
    )
    assert "sprogget" in turn.reply
    assert "$" not in turn.reply


async def test_a_number_written_as_models_are_is_no_part(talk: Talk) -> None:
    _, unknown, price = await talk(
        "does PS3406971 fit WDT780SAEM1", "oops no, 25371284107 it is", "how much is it"
    )
    assert "25371284107" in unknown.reply
    assert "model number" in unknown.reply
    assert "PS3406971" in price.reply


async def test_what_broke_off_is_found_beside_a_complaint(talk: Talk) -> None:
    (turn,) = await talk("WDT780SAEM1 is leaking and a wheel of its rack snapped off")
    assert [event["tool"] for event in turn.events if event["type"] == "ToolReturned"] == [
        "diagnose_repair",
        "find_part",
    ]
    assert "PS3406971" in turn.reply


async def test_each_of_several_parts_is_looked_for(talk: Talk) -> None:
    (turn,) = await talk("WDT780SAEM1, wheel + spray arm please")
    assert "PS3406971" in turn.reply
    assert "PS90002233" in turn.reply


async def test_a_door_s_complaint_looks_for_no_door(talk: Talk) -> None:
    *_, turn = await talk(
        "will PS90001822 fit mine", "WDT780SAEM1, and the door keeps banging, it won't shut"
    )
    returned = [event["tool"] for event in turn.events if event["type"] == "ToolReturned"]
    assert returned == ["check_compatibility", "diagnose_repair"]


async def test_a_part_to_be_swapped_is_no_complaint(talk: Talk) -> None:
    (turn,) = await talk("what if I swap the latch of my WDT780SAEM1, what does one cost")
    assert "PS90002781" in turn.reply
    assert "Noted" not in turn.reply


@pytest.mark.parametrize("owner", ["our plumber has a", "the lady downstairs got the"])
async def test_whoever_has_a_machine_is_no_part(owner: str, talk: Talk) -> None:
    *_, turn = await talk(
        "does PS3406971 fit WDT780SAEM1", f"{owner} WDF331PBMS1, would it suit too?"
    )
    assert "Noted, the part" not in turn.reply
    assert "WDF331PBMS1" in turn.reply
    assert "PS3406971" in turn.reply


async def test_a_part_that_is_new_to_the_case_is_told_with_its_fit(talk: Talk) -> None:
    _, turn = await talk("GDF520QGRBB is my dishwasher", "so tell me about PS90001274")
    verdict, _, card = turn.reply.partition("is not listed for")
    assert "PS90001274" in verdict
    assert "$20.17" in card


async def test_a_brand_is_no_part(talk: Talk) -> None:
    *_, turn = await talk("what is PS90002507", "ours is a maytag MDB7959QHZ2, is that one for it?")
    assert "PS90002507" in turn.reply
    assert "is not listed for" in turn.reply
    assert "maytag" not in turn.reply


async def test_a_number_read_out_sign_by_sign_is_a_number(talk: Talk) -> None:
    (turn,) = await talk("it says W D T 7 8 0 S A E M 1 and it leaks")
    assert "Do you mean WDT780SAEM1 (Whirlpool dishwasher)?" in turn.reply
    (turn,) = await talk("the plate says Z Z Q 4 4 1 7 R T")
    assert "I don't find ZZQ4417RT in the catalog" in turn.reply


async def test_what_runs_well_is_no_complaint_beside_one(talk: Talk) -> None:
    _, turn = await talk(
        "mon frigo 106.51133211 fait trop de givre", "l'eau coule bien au distributeur, elle"
    )
    assert "fuite" not in turn.reply


async def test_a_complaint_that_nothing_matches_gets_the_nearest_as_choices(talk: Talk) -> None:
    (turn,) = await talk("dishwasher WDT780SAEM1, it fills up and then empties right away")
    assert "Noted:" not in turn.reply
    assert "None of these" in turn.reply


async def test_several_of_one_are_added_up(talk: Talk) -> None:
    *_, turn = await talk("price of PS90001274", "I'd take 4 of them, how much is that in all")
    assert (
        "4 × PS90001274 (GE Dishwasher Lower Dishrack Wheel) at $20.17: $80.68 in total"
        in turn.reply
    )


def _clause(text: str, **complaints: float) -> Reading:
    named = {name.replace("_", " "): share for name, share in complaints.items()}
    first = next(iter(named))
    told = {"goal": "diagnose", "sure": 0.9, "complaint": first, "complaint_sure": named[first]}
    span = {"text": text, "start": 0, "end": len(text), "words": len(text.split())}
    return Reading.model_validate({**told, **span, "complaints": named})


def test_complaints_of_one_device_that_lie_close_are_asked_about() -> None:
    near = _clause("nothing out of the ice thing", no_ice=0.7, ice_not_dispensed=0.25)
    sure, maybe = heard_complaints([near], (), (), "refrigerator")
    assert (sure, [one.symptom for one in maybe]) == (
        [], ["Ice maker not making ice", "Ice maker won’t dispense ice"],
    )  # fmt: skip
    far = _clause("it hums all night long now", noise=0.7, fridge_warm=0.25)
    assert [one.symptom for one in heard_complaints([far], (), (), "refrigerator")[0]] == ["Noisy"]


def test_a_correction_hides_no_complaint_of_another_clause() -> None:
    whole = _clause("won't start, no, wrong number", not_starting=0.99)
    clauses = [whole, whole.model_copy(update={"text": "won't start today", "end": 12})]
    wrong = Intent(kind="correction", value="model", start=13, end=20, text="no, wrong")
    sure, _ = heard_complaints(clauses, (), (wrong,), "dishwasher")
    assert [one.symptom for one in sure] == ["Will Not Start"]


def test_what_works_again_is_told_by_its_words() -> None:
    assert says_it_works("elle fait bien des glaçons, mais rien ne tombe", "plus de glaçons")
    assert not says_it_works("elle ne fait pas de glaçons", "plus de glaçons")
    assert not denies("no the freezer is ok", "freezer too cold")
    assert denies("there is no freezer noise", "freezer noise")


def test_words_beside_another_part_do_not_describe_this_one() -> None:
    drawer, support = parts_named("crisper drawer and front support")
    assert "front" not in drawer.weak
    assert "front" in support.weak


def test_a_part_whose_name_says_less_is_taken_for_the_one_described() -> None:
    said = Evidence(turn=1, start=0, end=17, text="water inlet valve")
    wanted = DescriptionSlot(
        value=said.text, terms=("valve", "inlet", "water"), strong=("valve",), said=("water",),
        own=("water", "inlet", "valve"), evidence=said,
    )  # fmt: skip
    assert says_no_more("Inglis Dishwasher INLET VALVE", wanted)
    assert not says_no_more("Inglis Dishwasher Drain Valve", wanted)
    assert not says_no_more("Inglis Dishwasher Valve", wanted)


def test_a_part_that_was_changed_is_no_cause() -> None:
    pump, hose = (
        Card(number=number, name=f"Acme Dishwasher {name}", row="r")
        for number, name in (("PS1", "Drain Pump"), ("PS2", "Drain Hose"))
    )
    other = Card(number="PS3", name="Acme Dishwasher Circulation Pump", row="r")
    found = (pump, hose, other)
    assert untried(found, Slots(denied=("the pump", "it hums")), "en") == (hose,)
    assert untried(found, Slots(denied=("I changed the drain pump twice",)), "en") == (hose, other)
    assert untried(found, Slots(), "en") == found


def test_a_complaint_goes_by_other_names_too() -> None:
    assert "Freezer not defrosting" in other_names("Frost buildup")
    assert parts_at("it hums at the bottom back") == ("condenser",)
    assert language_of("PS3406971 ?") == "en"


async def test_a_part_s_name_alone_is_looked_for(talk: Talk) -> None:
    (turn,) = await talk("hinge")
    assert "For the “hinge”, I still need" in turn.reply


async def test_a_count_of_a_part_named_by_its_kind_is_summed(talk: Talk) -> None:
    *_, turn = await talk("how much is the PS90001548", "and PS3406971", "ok then 2 of the pump")
    assert "$111.02 in total" in turn.reply


async def test_whether_a_named_part_is_the_cause_is_answered_first(talk: Talk) -> None:
    (turn,) = await talk("my WDT780SAEM1 does not fill with water, the inlet valve?")
    assert turn.reply.startswith("That may well be it: PS90002507")


async def test_a_price_without_a_model_offers_to_check_the_fit(talk: Talk) -> None:
    (turn,) = await talk("how much is PS3406971")
    assert turn.reply.endswith("I can check that it is listed for it.")


async def test_of_an_unknown_model_it_is_said_where_its_number_stands(talk: Talk) -> None:
    (turn,) = await talk("water filter for the fridge QRX555SDFZ please")
    assert "side wall near the top" in turn.reply


async def test_two_numbers_of_one_part_are_said_to_be_one(talk: Talk) -> None:
    (turn,) = await talk("is W10195416 the same as PS3406971")
    assert "W10195416 and PS3406971 are the same part: PS3406971" in turn.reply


async def test_no_reply_is_empty(talk: Talk) -> None:
    (turn,) = await talk("which is the cheaper of the 2")
    assert turn.reply
