"""What customers point at, say in passing and ask beside: played with the rules and the demo."""

from __future__ import annotations

import pytest
from tests.agents.parts.conftest import Talk

from ruleplay.agents.parts.domain.labels import digits_said
from ruleplay.agents.parts.domain.machines import machines_said
from ruleplay.agents.parts.domain.references import find_references
from ruleplay.agents.parts.domain.understanding import Understood
from ruleplay.agents.parts.policy.pointing import with_prices
from ruleplay.agents.parts.state import State

DRAINS = "water stays in the bottom of my WDT780SAEM1"
KINDS = ("dishwasher", "refrigerator", "range")


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("oops, ends in 78", "PS11752778"),
        ("879 I think, not sure", "PS11752879"),
        ("the 79 one", ""),  # what was asked about has these digits too
        ("no idea", ""),
    ],
)
def test_digits_said_instead_pick_the_number_that_has_them(said: str, meant: str) -> None:
    assert digits_said(said, "PS11752779", ["PS11752778", "PS11752879"]) == meant


@pytest.mark.parametrize(
    ("message", "language", "strange"),
    [
        ("the clip fell behind the stove", "en", False),
        ("le joint a roulé sous le four", "fr", False),
        ("my stove has lost its knob", "en", True),
    ],
)
def test_a_machine_that_something_fell_behind_is_no_case(
    message: str, language: str, strange: bool
) -> None:
    _, others, _ = machines_said(message, language, ("dishwasher", "refrigerator"))
    assert bool(others) is strange


def test_prices_in_words_and_several_places_point_at_parts() -> None:
    heard = with_prices(State(), Understood(message="the one at about twenty dollars"))
    assert [one.amount for one in heard.references if one.way == "priced"] == [20]
    places = find_references("two of the first and one of the second", "en")
    assert [one.place for one in places if one.way == "place"] == [0, 1]


async def test_what_is_asked_of_no_part_beside_a_complaint_is_diagnosed(talk: Talk) -> None:
    (turn,) = await talk(f"{DRAINS}, what part is that and what is the price?")
    assert "known to fix" in turn.reply
    assert "PS90001411" in turn.reply
    assert "part number" not in turn.reply


async def test_what_is_told_in_passing_is_neither_quoted_nor_asked_about(talk: Talk) -> None:
    (turn,) = await talk(f"{DRAINS}, my cousin emptied it with a mug")
    assert "mug" not in turn.reply


async def test_what_the_catalog_lacks_is_said_in_the_customer_s_words(talk: Talk) -> None:
    *_, asked = await talk("how much is PS90001411", "does it come with a new clamp?")
    assert "“does it come with a new clamp” the catalog says no more than the name" in asked.reply
    assert "shop" in asked.reply
    assert "clamp” among" not in asked.reply


async def test_both_parts_are_never_two_of_one(talk: Talk) -> None:
    *_, both = await talk("price of PS3406971", "and both together?")
    assert "2 × PS3406971" not in both.reply


async def test_where_the_label_was_is_no_part_that_is_looked_for(talk: Talk) -> None:
    *_, found = await talk(
        "my dishwasher doesn't drain", "there it is, behind the lower rack: WDT780SAEM1"
    )
    assert "PS90001411" in found.reply
    assert "rack” among" not in found.reply


async def test_an_interrupted_choice_is_not_repeated(talk: Talk) -> None:
    *_, aside = await talk("how much is PS9000182", "are you open on sunday?")
    assert "which part" not in aside.reply.casefold()


async def test_a_word_for_a_part_that_was_shown_stays_its_name(talk: Talk) -> None:
    turns = await talk(
        f"{DRAINS}", "how much is the hoover for the water", "PS90001411", "and is the pump hard?"
    )
    assert "PS90001411" in turns[-1].reply


async def test_whether_a_number_is_cheaper_compares_it_with_the_part_spoken_of(talk: Talk) -> None:
    *_, compared = await talk("price of PS90001822", "is PS3406971 cheaper?")
    assert "$42.54, which is $30.41 more" in compared.reply
