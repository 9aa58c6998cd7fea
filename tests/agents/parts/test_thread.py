"""The thread of a dialogue: what short words, places and remarks mean after what was shown."""

from __future__ import annotations

import pytest
from tests.agents.parts.conftest import Talk

from ruleplay.agents.parts.domain.complaints import named_alone
from ruleplay.agents.parts.domain.descriptions import only_names, parts_named, qualifiers
from ruleplay.agents.parts.domain.labels import label_readings
from ruleplay.agents.parts.domain.reader import readings
from ruleplay.agents.parts.domain.symptoms import find_symptoms, one_name
from ruleplay.agents.parts.policy.dictated import read_out
from ruleplay.agents.parts.policy.pointing import is_called
from ruleplay.agents.parts.prompts import _own
from ruleplay.agents.parts.state import Answered, State


def test_a_composed_word_is_called_as_its_last_part() -> None:
    assert is_called("Lower Dishrack", ("rack",))
    assert not is_called("Lower Dishrack", ("dish", "basket")[1:])


@pytest.mark.parametrize(
    ("said", "language", "alone"),
    [
        ("la porte du compartiment à beurre", "fr", True),
        ("the door spring", "en", True),
        ("the door won't close", "en", False),
        ("and how much is it", "en", False),
    ],
)
def test_a_bare_name_complains_of_nothing(said: str, language: str, alone: bool) -> None:
    assert only_names(said, language) is alone


def test_a_part_that_is_praised_is_no_complaint() -> None:
    (read,) = readings("the filter is spotless", ())
    told = named_alone(read.model_copy(update={"goal": "diagnose", "complaint_sure": 0.2}), "en")
    assert (told.goal, told.complaint) == ("tried", "none")


def test_french_names_of_trays_and_places() -> None:
    (tray,) = parts_named("le bac à viande", "fr")
    assert "pan" in tray.terms
    assert "meat" in tray.weak
    assert "dairy" in qualifiers("à beurre", "fr")


@pytest.mark.parametrize(
    ("said", "language", "symptom"),
    [
        ("mon frigo chauffe", "fr", "Fridge too warm"),
        ("l'eau ne coule plus", "fr", "Not dispensing water"),
        ("un petit claquement", "fr", "Clicking sound"),
        ("there is a loud hum", "en", "Noisy"),
    ],
)
def test_complaints_in_everyday_words(said: str, language: str, symptom: str) -> None:
    found = find_symptoms(said, None, "refrigerator", language=language)
    assert symptom in [one.symptom for one in found]


def test_a_sigh_is_no_noise() -> None:
    assert find_symptoms("Hum, c'est cher", None, "refrigerator", language="fr") == ()


def test_a_symptom_has_one_name_on_a_kind() -> None:
    known = {"Not draining": ["dishwasher"], "Will not drain": ["washer", "dishwasher"]}
    assert one_name(known) == {"Not draining": ["dishwasher"], "Will not drain": ["washer"]}


def test_what_is_put_first_is_what_the_other_one_is_not() -> None:
    state = State(focus=("PS1", "PS2"))
    assert state.apply(Answered(topic="sure", about="PS1")).focus == ("PS1",)
    assert state.apply(Answered(topic="sure")).focus == ("PS1", "PS2")


def test_a_prompt_has_no_empty_block() -> None:
    assert _own("These lines follow", [""]) == "These lines follow:\nnone"


async def test_the_symptom_is_kept_until_the_number_comes(talk: Talk) -> None:
    *_, turn = await talk("mon lave-vaisselle fuit", "trouvé : WDT780SAEM1")
    assert "diagnose_repair" in [event.get("goal") for event in turn.events]


async def test_a_doubt_about_the_fit_is_no_second_check_alone(talk: Talk) -> None:
    _, turn = await talk("does PS3406971 fit WDT780SAEM1?", "so it fits for sure?")
    assert "can't be sure" in turn.reply


async def test_an_older_number_of_the_part_asks_for_no_model(talk: Talk) -> None:
    _, turn = await talk("tell me about PS3406971", "and W10195416V is the same?")
    assert "model number" not in turn.reply


@pytest.mark.parametrize(
    ("said", "language", "numbers"),
    [
        (
            "it is a WRS325SDHZ-something, the end is 08 or 80",
            "en",
            ("WRS325SDHZ08", "WRS325SDHZ80"),
        ),
        ("WRS325QDHZ04 ou 09, c'est effacé", "fr", ("WRS325QDHZ04", "WRS325QDHZ09")),
        ("GSS25GSHSS o GSS25GSHBB", "es", ("GSS25GSHSS", "GSS25GSHBB")),
        ("2 or 3 wheels for WDT780SAEM1", "en", ()),
    ],
)
def test_what_a_label_may_read(said: str, language: str, numbers: tuple[str, ...]) -> None:
    told = label_readings(said, language)
    assert (told.numbers if told else ()) == numbers


async def test_a_smudged_number_is_one_that_its_ending_settles(talk: Talk) -> None:
    asked, told = await talk("I need a shelf bin for my WRS325QDHZ fridge, ends in 04 or 05", "04!")
    assert "It may read WRS325QDHZ04 or WRS325QDHZ05." in asked.reply
    assert "WRS325QDHZ04" in told.reply
    (strange,) = await talk("a shelf bin for my WRS777QDHZ fridge please, ends in 04 or 05")
    assert "I don't find WRS777QDHZ04 or WRS777QDHZ05" in strange.reply
    assert "3 parts (refrigerator), of Whirlpool, Frigidaire and Samsung" in strange.reply


async def test_a_brand_without_a_number_chooses_the_parts(talk: Talk) -> None:
    (told,) = await talk("my Bosch dishwasher is leaking")
    assert "I understand: Bosch dishwasher – leaking." in told.reply
    assert "on Bosch machines: PS90001548" in told.reply
    (none,) = await talk("frost all over the freezer of my GE fridge")
    assert "For GE the catalog knows no part for this" in none.reply


async def test_each_of_two_machines_is_told_of_and_asked_for(talk: Talk) -> None:
    both, again = await talk(
        "my dishwasher is leaking and the fridge is noisy", "the noise first, it is an LG"
    )
    assert "dishwasher – leaking; refrigerator – noisy" in both.reply
    assert "the other machine (refrigerator)" in both.reply
    assert "refrigerator – noisy" in again.reply


async def test_a_follow_up_keeps_its_subject(talk: Talk) -> None:
    _, told = await talk(
        "le joint de porte pour WDT780SAEM1", "et ça se fait sans démonter la porte ?"
    )
    assert "PS90001822" in told.reply
    assert "De laquelle" not in told.reply


async def test_no_complaint_is_heard_in_a_grumble_about_the_price(talk: Talk) -> None:
    _, told = await talk("how much is PS3406971?", "12 bucks for a scrap of plastic, seriously??")
    assert "noisy" not in told.reply
    assert "$12.13" in told.reply


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("it is a W D T seven eight zero S A E M one", "WDT780SAEM1"),
        ("the label says six double five one two oh nine", "6551209"),
        ("c'est le six six cinq un deux zéro neuf trois K deux", "6651209" + "3K2"),
        ("EDR one R X D one", "EDR1RXD1"),
        ("W-ten-two-nine-five-three", "W10295" + "3"),
    ],
)
def test_a_number_that_is_read_out_in_words_is_a_number(said: str, number: str) -> None:
    assert number in [one.normal for one in read_out(said)]


@pytest.mark.parametrize(
    "said", ["I have one or two of them", "two or three times a day, at six", "one, two, three"]
)
def test_counting_reads_out_no_number(said: str) -> None:
    assert not [one for one in read_out(said) if len(one.normal) > 2]


async def test_a_number_read_out_is_told_as_the_catalog_has_it(talk: Talk) -> None:
    (turn,) = await talk(
        "does P S three four zero six nine seven one fit W D T seven eight zero SAE M one"
    )
    assert "PS3406971" in turn.reply
    assert "is listed for model WDT780SAEM1" in turn.reply
    assert "three four" not in turn.reply


async def test_the_price_is_told_beside_how_hard_the_cheapest_is(talk: Talk) -> None:
    *_, turn = await talk(
        "price of PS3406971 and PS90001822?", "which is the cheaper one, and is that a hard job?"
    )
    assert "$12.13" in turn.reply
    assert "Putting in PS3406971" in turn.reply


async def test_price_and_effort_of_both_is_a_comparison(talk: Talk) -> None:
    *_, turn = await talk("price of PS3406971 and PS90001822?", "compare them: cost, how hard")
    assert "which is $30.41 more" in turn.reply
    assert "is the quicker to put in" in turn.reply


async def test_where_it_is_is_no_part(talk: Talk) -> None:
    (turn,) = await talk("PS3406971, how much, and have you got it on a shelf?")
    assert "$12.13" in turn.reply
    assert "shelf" not in turn.reply


async def test_which_of_two_fits_asks_for_the_model(talk: Talk) -> None:
    *_, turn = await talk(
        "price of PS3406971 and PS90001822?",
        "which one fits mine then? I don't have the number of my machine here",
    )
    assert "model number" in turn.reply
    assert "Which part do you mean" not in turn.reply


@pytest.mark.parametrize(
    "said",
    [
        "changed the gasket PS90001822 yesterday, my dishwasher is still leaking",
        "new gasket PS90001822 is in and the dishwasher leaks as before",
        "j'ai changé le joint PS90001822 et le lave-vaisselle fuit toujours",
    ],
)
async def test_a_part_that_did_not_help_is_no_subject(talk: Talk, said: str) -> None:
    *_, turn = await talk(said, "WDT780SAEM1")
    assert [one["goal"] for one in turn.events if one["type"] == "ToolReturned"] == [
        "diagnose_repair"
    ]


async def test_what_is_looked_for_is_the_subject_until_it_is_found(talk: Talk) -> None:
    *_, turn = await talk(
        "I need the door gasket of my dishwasher, WDT780SEAM1", "sorry, SAEM1. and how much is it?"
    )
    assert "PS90001822" in turn.reply
    assert "please tell me the part number" not in turn.reply
