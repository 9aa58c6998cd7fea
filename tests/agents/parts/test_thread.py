"""The thread of a dialogue: what short words, places and remarks mean after what was shown."""

from __future__ import annotations

import pytest
from tests.agents.parts.conftest import Talk

from ruleplay.agents.parts.domain.complaints import named_alone
from ruleplay.agents.parts.domain.descriptions import only_names, parts_named, qualifiers
from ruleplay.agents.parts.domain.reader import readings
from ruleplay.agents.parts.domain.symptoms import find_symptoms, one_name
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
