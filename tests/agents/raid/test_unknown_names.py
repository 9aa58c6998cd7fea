"""A name that a log has not is told as such: nothing is answered about somebody else."""

from __future__ import annotations

import pytest
from tests.agents.raid.test_dialogue import planned, told

from ruleplay.agents.raid.domain.overview import spans_of
from ruleplay.agents.raid.state import State

STRANGERS = {
    "how much dps did Bobo do": "Bobo",
    "did zorgax die on pull 2": "Zorgax",
    "combien Bobo a fait de dps": "Bobo",
    "compare Mirael and Bobo": "Bobo",
    "who is Bobo": "bobo",
}


@pytest.mark.parametrize("message", STRANGERS)
def test_nobody_is_answered_for_somebody_else(message: str) -> None:
    plan = planned(message, State())
    assert not plan.calls
    assert STRANGERS[message].casefold() in plan.asks[0].casefold()


@pytest.mark.parametrize(
    "message",
    [
        "did my warrior freind Bobo do any damage",
        "our hunter buddy Zorgax says he topped the damage, true?",
        "mon pote mage Bobo a fait des dégâts ou pas",
    ],
)
def test_a_stranger_with_a_class_is_not_taken_for_those_of_the_class(message: str) -> None:
    plan = planned(message, State())
    assert not plan.calls
    assert plan.heard.unknown
    assert plan.heard.unknown.text in ("bobo", "zorgax")


def test_a_name_given_afterwards_answers_what_was_asked() -> None:
    asked = planned("how much damage did Zorgax do", State())
    assert asked.back
    plan = planned("Mirael", told(asked, State()))
    assert plan.question.players == ("Mirael",)
    assert plan.heard.measure == "damage"
    assert plan.calls


def test_a_follow_up_about_a_stranger_is_not_about_the_one_before() -> None:
    state = told(planned("how much damage did Mirael take on pull 4", State()), State())
    assert not planned("and zorgax", state).calls
    assert planned("and Kickoo", state).calls


@pytest.mark.parametrize(
    "message",
    [
        "damn why did we die",
        "who keeps blowing up the adds",
        "sorry i meant who died first",
        "pk on meurt tous",
    ],
)
def test_ordinary_words_are_no_names(message: str) -> None:
    assert planned(message, State()).calls


def test_where_is_asked_of_what_was_told() -> None:
    state = told(planned("how many deaths did we have in total", State()), State())
    plan = planned("on which boss", state)
    assert (plan.heard.measure, plan.heard.shape) == ("deaths", "which")


def test_pulls_are_written_as_ranges() -> None:
    assert spans_of((1, 2, 3, 7, 9, 10)) == "1-3, 7, 9-10"
    assert spans_of(tuple(range(1, 113))) == "1-112"
