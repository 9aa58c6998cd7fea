"""A question is answered about what it asks, all of it, or asked back with what it may mean."""

from __future__ import annotations

import pytest
from tests.agents.raid.test_answered_numbers import DIMENSIUS, ERA, FRACTILLUS, NAXX, dialogue
from tests.agents.raid.test_narrowing import NIGHT, planned

from ruleplay.agents.raid.domain.overview import Member, Night
from ruleplay.agents.raid.domain.persons import called
from ruleplay.agents.raid.domain.questions import asks_of_oneself
from ruleplay.agents.raid.domain.spelling import named_abilities
from ruleplay.agents.raid.policy.messages import parted
from ruleplay.agents.raid.state import State

MAGES = tuple(Member(name=name, class_name="Mage", role="damage") for name in ("A", "B", "C", "D"))


def test_what_is_not_clear_is_asked_back_and_the_choice_is_answered() -> None:
    asked, told = dialogue(ERA, "meerah flarbing the gnorf of thermaplugg?", "damage taken")
    assert asked.rstrip().endswith("?")
    assert "Meerah" in told
    assert "damage taken" in told


def test_choices_are_few_and_likely() -> None:
    plan = planned("flarb zorp and the gnorf?")
    assert not plan.calls
    assert plan.asks[0].count(",") < 3


@pytest.mark.parametrize("text", ["jsuis combien au dps", "chuis mort de quoi", "jai pris cher"])
def test_contracted_words_for_oneself_are_heard(text: str) -> None:
    assert asks_of_oneself(text)


@pytest.mark.parametrize(
    ("text", "open_", "several"),
    [
        ("classe les mages", False, True),
        ("rank our mages", False, True),
        ("how much did the mage do", True, False),
        ("et les mage ?", False, True),
    ],
)
def test_a_class_in_the_plural_is_all_who_play_it(text: str, open_: bool, several: bool) -> None:
    found = called(text, MAGES)
    assert (found.open, found.several, len(found.players)) == (open_, several, 4)


@pytest.mark.timeout(120)
def test_a_class_is_ranked_whole_and_without_its_tank() -> None:
    ranked, less = dialogue(FRACTILLUS, "top dps of the death knights", "without the tank")
    names = ("Willòwí", "Zigfridd", "Cadburyy", "Rodas", "Smashinc")
    assert all(name in ranked and name in less for name in names)
    assert "Висмарк" in ranked
    assert "Висмарк" not in less


def test_a_verb_of_leaving_out_takes_no_word_of_a_pets_name() -> None:
    (told,) = dialogue(DIMENSIUS, "why did xamymage drop dead")
    assert "Oblivion" in told
    assert "without" not in told


def test_neither_a_short_word_nor_a_spec_is_part_of_an_ability() -> None:
    spells = {"Gyroscopic Acceleration": 3, "Arcane Salvo": 5}
    mage = Member(name="Aria", class_name="Mage", spec="Arcane")
    night = Night(code="a", title="a", members=(mage,), pulls=NIGHT.pulls)
    assert named_abilities("who kicked the gas", night, spells) == ()
    assert named_abilities("im arcane like her", night, spells) == ()
    assert named_abilities("how did the arcane salvo go", night, spells) == ("Arcane Salvo",)


def test_the_most_of_something_is_one_question() -> None:
    assert len(parted("qui a mangé le plus de High Voltage ?", NIGHT)) == 1


def test_somebody_is_not_told_of_by_pulls() -> None:
    state = State(report=NIGHT.code, fight=2, measure="deaths", shape="why", language="en")
    plan = planned("anything he couldve pressed?", state)
    assert plan.heard.measure not in ("overview", "pulls", "duration")


@pytest.mark.timeout(120)
def test_adds_are_asked_about_as_such() -> None:
    (hit,) = dialogue(NAXX, "damage taken from adds on noth")
    assert "Watary" in hit
    assert "without" not in hit
    (done,) = dialogue(NAXX, "who focused the adds on noth")
    assert "adds only" in done


@pytest.mark.timeout(120)
def test_who_acted_first_is_told_of_each_pull() -> None:
    (told,) = dialogue(NAXX, "who pulled each boss tonight")
    assert "Lutoscs acted first in 5 of 7 pulls" in told
    assert "Noth the Plaguebringer: Ragyo" in told


@pytest.mark.timeout(120)
def test_where_somebody_was_is_told_with_who_came_instead() -> None:
    (told,) = dialogue(NAXX, "was redzepi there on loatheb")
    assert "not on pulls 4-7" in told
    assert "Nule" in told


@pytest.mark.timeout(120)
def test_deaths_between_the_pulls_are_no_deaths_on_bosses() -> None:
    (told,) = dialogue(NAXX, "any deaths on bosses")
    assert told.startswith("**No player died")


@pytest.mark.timeout(120)
def test_uses_over_a_night_are_told_by_boss() -> None:
    (told,) = dialogue(NAXX, "which bosses did we lust")
    assert "Heroism was used on 4 of 7 pulls: Anub'Rekhan at 0.4 s (21:01:44, Pingu)" in told
    assert "Not on Grand Widow Faerlina, Noth the Plaguebringer, Loatheb." in told


@pytest.mark.timeout(120)
def test_the_only_one_is_told_as_such() -> None:
    (told,) = dialogue(NAXX, "who decursed on noth")
    assert "Morka alone dispelled: 8" in told


def test_the_beginning_of_a_name_where_a_name_stands_is_that_player() -> None:
    (told,) = dialogue(FRACTILLUS, "what did xamy die to on fractillus")
    assert "Xamymage did not die" in told


@pytest.mark.timeout(120)
def test_who_is_taken_for_oneself_is_said_when_compared() -> None:
    (told,) = dialogue(ERA, "did i beat meerah on damage, compare us")
    assert "I take you for Flakeshock" in told
    assert "Meerah" in told


def test_a_word_nobody_has_written_is_not_what_a_question_means() -> None:
    assert not planned("flarb zorp and the gnorf?").calls
