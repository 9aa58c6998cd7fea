"""What was asked is drawn together: comparisons, stock, both halves of a question, what is out."""

from __future__ import annotations

from decimal import Decimal

import pytest
from tests.agents.parts.conftest import Talk

from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.complaints import heard_complaints
from ruleplay.agents.parts.domain.reader import asked_as, readings
from ruleplay.agents.parts.domain.unread import unread
from ruleplay.agents.parts.domain.voice import voice
from ruleplay.agents.parts.policy.apart import work_apart
from ruleplay.agents.parts.policy.replies import stocked
from ruleplay.agents.parts.policy.weighing import others_like

LEAKS = "my dishwasher WDT780SAEM1 leaks"


def card(number: str, **told: object) -> Card:
    return Card.model_validate(
        {"number": number, "row": "1", "name": f"Acme Dishwasher {number} Hose", **told}
    )


@pytest.mark.parametrize(
    ("one", "other", "language", "says"),
    [
        (("Easy", "15 - 30 mins"), ("Easy", "15 - 30 mins"), "en", "is the same work"),
        (
            ("Easy", "15 - 30 mins"),
            ("Easy", "30 - 60 mins"),
            "en",
            "A1 is the quicker",
        ),
        (
            ("Easy", "1- 2 hours"),
            ("Difficult", "30 - 60 mins"),
            "en",
            "B2 is the quicker",
        ),
        (("Difficult", "15 - 30 mins"), ("Easy", "15 - 30 mins"), "en", "is the easier to put in"),
        (("Easy", "15 - 30 mins"), ("Easy", "15 - 30 mins"), "fr", "Le travail est le même"),
    ],
)
def test_the_work_of_two_parts_is_compared_in_one_sentence(
    one: tuple[str, str], other: tuple[str, str], language: str, says: str
) -> None:
    cards = [
        card(number, difficulty=work[0], time=work[1])
        for number, work in (("A1", one), ("B2", other))
    ]
    (line,) = work_apart(cards, voice(language))
    assert says in line.says


def test_unknown_work_is_not_compared() -> None:
    cards = [card("A1", time="15 - 30 mins"), card("B2")]
    assert work_apart(cards, voice("en")) == []
    assert work_apart(cards[:1], voice("en")) == []


def test_stock_is_told_of_parts_together_and_apart_where_it_differs() -> None:
    cards = [card("A1", availability="In Stock"), card("B2", availability="In Stock")]
    (both,) = stocked(cards, voice("en"))
    assert both.says.endswith("A1 Hose) and B2 (Acme Dishwasher B2 Hose): in stock.")
    apart = stocked([cards[0], card("C3", availability="On Order")], voice("en"))
    assert [line.says.count("Hose") for line in apart] == [1, 1]
    assert "on order" in apart[1].says


def test_only_what_costs_less_is_offered_to_whoever_asks_for_something_cheaper() -> None:
    mid, low, high = (
        card(number, price=Decimal(price), model="M1", fit="listed")
        for number, price in (("A1", 20), ("B2", 10), ("C3", 30))
    )
    (line,) = others_like(mid, [mid, low, high], "M1", voice("en"), cheaper=True)
    assert "B2" in line.says
    assert "C3" not in line.says
    (none,) = others_like(low, [mid, low, high], "M1", voice("en"), cheaper=True)
    assert "no" in none.says
    assert "costs less than B2" in none.says


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("c'est le tuyau qui goutte, pas les glaçons.", "fr"),
        ("it is the hose that drips, not the ice.", "en"),
    ],
)
def test_what_is_set_aside_is_no_complaint(said: str, language: str) -> None:
    sure, _ = heard_complaints(readings(said, ()), (), (), "refrigerator", language)
    assert not any("ice" in one.symptom.casefold() for one in sure)


def test_a_lack_of_ice_is_still_a_complaint() -> None:
    said = "il est trop chaud, pas de glaçons non plus."
    sure, maybe = heard_complaints(readings(said, ()), (), (), "refrigerator", "fr")
    assert any("ice" in one.symptom.casefold() for one in (*sure, *maybe))


def test_two_questions_without_data_are_both_quoted() -> None:
    said = "how many clips are in the bag? and does it come with a manual?"
    assert asked_as(said, "untold").count(" … ") == 1


def test_a_clause_that_asks_what_is_answered_is_not_called_unread() -> None:
    said = "my washer will not drain at all. which part would I need for that one?"
    read = readings(said, ())
    goal = read[-1].goal
    assert unread(said, read, (), (), told=False)
    answered = [{"find": "find_part", "diagnose": "diagnose_repair"}.get(goal, goal)]
    assert "which part" not in unread(said, read, (), answered, told=False)


async def test_a_refund_for_something_broken_begins_with_regret(talk: Talk) -> None:
    (angry,) = await talk("this is ridiculous, the pump snapped again. give me my money back")
    assert angry.reply.startswith("I am sorry")
    (asks,) = await talk("could I send it back if it is the wrong one?")
    assert "sorry" not in asks.reply
    for reply in (angry.reply, asks.reply):
        assert "before you order" not in reply


async def test_a_false_alarm_is_over_once_it_is_explained(talk: Talk) -> None:
    *_, explained, after = await talk(
        LEAKS,
        "there is a burning smell from it",
        "false alarm, the smell came from burnt toast in the kitchen",
        "how much is the door gasket?",
    )
    assert "technician" not in after.reply
    assert "⚠" not in explained.reply


async def test_no_card_numbers_are_wanted(talk: Talk) -> None:
    *_, turn = await talk(
        "price of PS90001822?", "I'll buy it. shall I type my credit card number here?"
    )
    assert "send no card numbers" in turn.reply


async def test_of_a_search_that_finds_the_same_part_there_is_no_other(talk: Talk) -> None:
    *_, turn = await talk(
        LEAKS, "price of PS90001822?", "what other door gasket do you have for WDT780SAEM1"
    )
    assert "only the part we spoke of" in turn.reply
