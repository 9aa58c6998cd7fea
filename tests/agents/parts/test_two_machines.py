"""What is asked of a part is asked for its machine, and small words are taken for what they are."""

from __future__ import annotations

import pytest
from tests.agents.parts.conftest import Talk

BOTH = "my WDT780SAEM1 dishwasher leaks and the fridge WRS325QDHZ04 is noisy"
BASKET = "I need a silverware basket for my WDT780SAEM1"


async def test_a_trouble_told_after_a_price_is_that_of_the_parts_machine(talk: Talk) -> None:
    *_, turn = await talk(BOTH, "what's the door gasket?", "the cups come out dirty as well")
    assert "For WDT780SAEM1" in turn.reply
    assert "PS90002233" in turn.reply, "the spray arm"


@pytest.mark.parametrize(
    ("message", "part"),
    [
        ("and a crisper drawer, got one?", "PS90006754"),
        ("how much would a shelf bin be for the other machine", "PS90007165"),
        ("je cherche un bac à légumes", "PS90006754"),
    ],
)
async def test_what_one_machine_has_no_part_for_is_found_on_the_other(
    message: str, part: str, talk: Talk
) -> None:
    *_, turn = await talk(BOTH, "is the lower spray arm in stock?", message)
    assert part in turn.reply


async def test_what_is_asked_for_one_machine_by_its_number_is_not_found_on_the_other(
    talk: Talk,
) -> None:
    first = ("does PS90002233 fit my WDP560HAMZ0", "is 90007028 compatible")
    then = "Is PS90002233 compatible with WTW5000QW1?"
    *_, turn = await talk(*first, then, "price of the drain pump its for a WTW5000QW1")
    assert "PS90001411" not in turn.reply, "the other machine's"
    assert "WTW5000QW1" in turn.reply


@pytest.mark.parametrize("message", ["rivets?", "springs?"])
async def test_what_may_come_with_a_part_is_asked_of_that_part(message: str, talk: Talk) -> None:
    *_, turn = await talk(BASKET, message)
    assert "PS90004014 (Whirlpool Dishwasher Silverware Basket)" in turn.reply


async def test_a_price_named_means_the_part_that_costs_it(talk: Talk) -> None:
    *_, turn = await talk(BASKET, "42 bucks for a plastic tub, is it hard to put in?")
    assert "PS90004014 (Whirlpool Dishwasher Silverware Basket) is rated" in turn.reply


async def test_of_three_parts_the_two_of_a_kind_are_compared(talk: Talk) -> None:
    three = "price of PS90003603, PS90001411 and PS90004014"
    *_, turn = await talk(three, "which of these two pumps is cheaper?")
    assert "PS90001411" in turn.reply
    assert "$42.07" not in turn.reply, "the basket is no pump"


@pytest.mark.parametrize(("part", "wet"), [("PS90002507", True), ("PS90004014", False)])
async def test_water_is_closed_for_parts_that_carry_it(part: str, wet: bool, talk: Talk) -> None:
    (turn,) = await talk(f"how hard is it to put in {part}?")
    assert "pull the plug" in turn.reply
    assert ("close the water" in turn.reply) is wet


async def test_who_wants_the_money_back_and_a_person_hears_of_both(talk: Talk) -> None:
    wants = "I want a refund for the cracked basket, put me through to a human"
    first, again = await talk(wants, "a human please")
    assert "Returns and refunds" in first.reply
    assert "put you through to a person" in first.reply
    assert "automated assistant" in again.reply, "not the same words again"


async def test_a_person_is_wanted_while_a_danger_stands(talk: Talk) -> None:
    *_, turn = await talk(
        "my WDT780SAEM1 sparks and smokes", "I'd rather speak to a human before I get a shock"
    )
    assert turn.reply.startswith("⚠")
    assert "put you through to a person" in turn.reply


async def test_a_near_number_of_another_kind_of_machine_is_not_offered(talk: Talk) -> None:
    *_, turn = await talk("my WDT780SAEM1 leaks", "how much is PS90001823?")
    assert "Do you mean PS90001822 (" in turn.reply
