"""Sums, pairs and verdicts of parts that several searches found, and what a message turns to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from ruleplay.agents.parts.domain.appliances import ApplianceFound
from ruleplay.agents.parts.domain.ids import Choice, ModelFound, Option
from ruleplay.agents.parts.domain.references import excluded
from ruleplay.agents.parts.domain.understanding import Understood
from ruleplay.agents.parts.domain.unread import unknown_thing
from ruleplay.agents.parts.policy.pointing import counted_at
from ruleplay.agents.parts.policy.unasked import said_before
from ruleplay.agents.parts.state import State
from ruleplay.records.turns import Turn

Talk = Callable[..., Awaitable[list[Turn]]]
TWO = (
    "the drain pump of my WDT780SAEM1 is cracked, and my fridge WRS325QDHZ04 needs a crisper drawer"
)


async def test_a_total_is_of_what_each_search_found(talk: Talk) -> None:
    _, turn = await talk(TWO, "whats the total then")
    assert "$116.82 in total" in turn.reply


async def test_both_of_two_searches_are_added_up_at_once(talk: Talk) -> None:
    (turn,) = await talk(
        "a crisper drawer for the fridge WRS325QDHZ04 and the door gasket for the dishwasher"
        " WDT780SAEM1, how much are both"
    )
    assert "$99.13 in total" in turn.reply
    assert "PS90001822 is listed for WDT780SAEM1" in turn.reply


async def test_the_causes_of_one_problem_are_not_added_up(talk: Talk) -> None:
    _, turn = await talk("my WDT780SAEM1 is leaking", "total?")
    assert "in total" not in turn.reply


async def test_each_of_a_short_list_is_checked_for_another_model(talk: Talk) -> None:
    _, turn = await talk(
        "my WDT742QPHM2 leaks at the bottom", "and would it fit my sister's WDT780SAEM1?"
    )
    assert "Which part do you mean" not in turn.reply
    assert "are all listed for model WDT780SAEM1" in turn.reply


async def test_the_film_of_one_part_is_named_where_several_are_weighed(talk: Talk) -> None:
    _, turn = await talk("GDT645QYNFS rack squeaks, so noisy", "is it hard? got a film of that?")
    assert "https://shop.example/" in turn.reply


async def test_a_model_given_beside_a_price_gets_its_verdict(talk: Talk) -> None:
    (turn,) = await talk("what does the silverware basket for a WDT780SAEM1 cost")
    assert "✓ PS90004014 is listed for WDT780SAEM1" in turn.reply


async def test_another_machine_with_its_trouble_is_no_correction(talk: Talk) -> None:
    *_, turn = await talk(
        "my dishwasher WDT780SAEM1 won't drain",
        "no wait, forget the dishwasher. grandma's fridge makes no ice, 106.51133211",
    )
    kinds = [event["type"] for event in turn.events]
    assert "CaseOpened" in kinds
    assert "not draining" not in turn.reply


async def test_of_two_models_the_one_taken_back_counts_no_more(talk: Talk) -> None:
    (turn,) = await talk("WDT780SAEM1 is leaking. no sorry that's my aunt's one. KDTE334QPS2")
    assert "WDT780SAEM1" not in turn.reply
    assert "KDTE334QPS2" in turn.reply


async def test_scratching_a_part_leaves_the_model(talk: Talk) -> None:
    _, turn = await talk(
        "need a door gasket for my WDT780SAEM1", "scratch that, its the drain pump"
    )
    assert "PS90001411" in turn.reply
    assert "model number" not in turn.reply


@pytest.mark.parametrize(
    "message", ["you got bicycle pedals?", "i want a carburetor", "vous auriez un carburateur ?"]
)
async def test_what_no_vocabulary_has_is_said_to_be_missing(message: str, talk: Talk) -> None:
    (turn,) = await talk(message)
    assert "dishwasher" in turn.reply or "lave-vaisselle" in turn.reply
    assert "1." not in turn.reply


async def test_the_cheapest_is_told_before_the_model_is_known(talk: Talk) -> None:
    _, turn = await talk("i need a lint screen for the dryer", "which is the cheapest?")
    assert turn.reply.index("PS90010590") < turn.reply.index("PS90010727")


async def test_another_parts_own_number_is_compared(talk: Talk) -> None:
    _, turn = await talk("how much is PS90006480", "is that the same as W19001381?")
    assert "$17.53 more" in turn.reply


async def test_who_hears_that_a_part_does_not_fit_goes_on_with_the_one_that_does(
    talk: Talk,
) -> None:
    *_, turn = await talk(
        "does PS3406971 fit my WDT780SAEM1?",
        "would PS90001274 fit too? is it cheaper",
        "ok and how hard is it to put in",
    )
    assert "Putting in PS3406971" in turn.reply


def test_what_is_excluded_may_be_resumed_by_a_word() -> None:
    said = "le rail de gauche, pas celui de droite"
    assert excluded(said, said.index("droite"), "fr")
    assert not excluded(said, said.index("gauche"), "fr")


def test_as_many_are_meant_as_stand_before_a_noun() -> None:
    said = "how much are both hinges, and the knob"
    assert counted_at(said, "en", said.index("hinges")) == 2
    assert counted_at(said, "en", said.index("knob")) == 0


def test_a_long_number_is_the_model_of_the_machine_named() -> None:
    option = Option(kind="model", number="WDT780SAEM1", row="1", appliance="dishwasher")
    span = {"text": "WDT780SAEM1", "start": 0, "end": 11}
    doubted = Choice(**span, kind="model", reason="confirm", asked="", options=(option,))
    machine = {"text": "dishwasher", "start": 0, "end": 10}
    for kind, sure in (("dishwasher", True), ("dryer", False)):
        heard = Understood(
            message="the dishwasher", appliance=ApplianceFound(appliance=kind, **machine)
        )
        assert (said_before(State(), doubted, heard) == ModelFound(**span, model=option)) is sure


def test_the_first_unknown_words_of_a_message() -> None:
    assert unknown_thing("can you get me snow tyres", "en") == "snow tyres"
    assert unknown_thing("how much is it", "en") == ""


async def test_the_cheaper_of_two_is_summed_up_with_what_is_named(talk: Talk) -> None:
    *_, turn = await talk(
        "price of PS90006480 and PS90006617 please",
        "and PS90003466?",
        "what is the total for the cheaper of the two relays and the rack adjuster kit",
    )
    assert "PS90006480" not in turn.reply
    assert "$65.79 in total" in turn.reply


async def test_a_denied_model_is_not_asked_about(talk: Talk) -> None:
    _, turn = await talk(
        "is PS90001822 right for a WDT742QPHM2?",
        "oh sorry, it is not a WDT742QPHM2 but a KDTE334QPS2. does it fit all the same?",
    )
    assert "listed for model KDTE334QPS2" in turn.reply
    assert "listed for model WDT742QPHM2" not in turn.reply


async def test_polite_words_are_not_quoted_as_unanswered(talk: Talk) -> None:
    (turn,) = await talk("my dishwasher leaks. could you tell me what that is, if it's no bother?")
    assert "can't answer" not in turn.reply


async def test_what_is_not_on_the_shelf_is_said_where_a_day_is_asked_for(talk: Talk) -> None:
    (turn,) = await talk("does PS90003055 go on a KDTE334QPS2, and would you deliver it by friday?")
    assert "special order" in turn.reply


async def test_several_pieces_are_counted_beside_a_question_to_the_shop(talk: Talk) -> None:
    (turn,) = await talk("PS90004014: for four of PS90004014 what do i pay, any trade discount?")
    assert "4 × PS90004014" in turn.reply


async def test_an_unknown_number_of_a_machine_complained_of_is_its_model(talk: Talk) -> None:
    (turn,) = await talk("my dryer, the number is XQZ88Z75N, has begun to squeal horribly")
    assert "model number" in turn.reply
    assert "part number" not in turn.reply


async def test_a_cheaper_one_of_its_kind_is_looked_for(talk: Talk) -> None:
    _, turn = await talk("door gasket for my WDT780SAEM1", "hm, is there a cheaper gasket for it")
    assert "no door gasket that costs less" in turn.reply or "no other" in turn.reply


async def test_another_number_that_may_be_cheaper_is_compared(talk: Talk) -> None:
    _, turn = await talk("how much is PS90006480", "would PS90006617 work out cheaper then?")
    assert "$17.53 more" in turn.reply


async def test_a_part_that_was_only_supposed_is_asked_about_again(talk: Talk) -> None:
    """Whoever says the name again has not agreed that it is this part."""
    said = ("does PS90004151 fit my WRX735QDHV02", "price of the heating element")
    *_, first, again = await talk(*said, "what does a heating element cost?")
    for turn in (first, again):
        assert "PS90005795 (Whirlpool Refrigerator Defrost Heater)" in turn.reply
        assert "Do you mean this part by “heating element”?" in turn.reply


async def test_what_waits_for_a_doubtful_model_is_named(talk: Talk) -> None:
    *_, turn = await talk(
        "Is PS90003055 compatible with KDTE334QPS2?",
        "price of the ice maker",
        "How much is the left widget? its for a KDTE334QPS2",
    )
    assert "For the “widget”, I still need your appliance's model number." in turn.reply
    assert "Do you mean KDTE334QPS2 (KitchenAid dishwasher)?" in turn.reply
