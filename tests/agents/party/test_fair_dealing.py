"""What is sold is what was asked for, and a sale can be taken back in words."""

from __future__ import annotations

import pytest
from tests.agents.party.test_fellows import with_coin
from tests.agents.party.test_improvising import done

from ruleplay.agents.party.domain.happenings.creatures import Checked, ItemGained
from ruleplay.agents.party.domain.happenings.exploration import CoinChanged
from ruleplay.agents.party.domain.happenings.tale import InVain


def asks(item: str, text: str = "Could I have that?") -> dict[str, object]:
    return {"do": "say", "to": "brenna", "want": "give", "item": item, "text": text}


@pytest.mark.parametrize(
    "item",
    ["flame from the lantern", "lantern oil", "the light of that lantern", "bell's rope end"],
)
def test_a_part_of_a_ware_is_not_the_ware_and_costs_nothing(item: str) -> None:
    table, book = with_coin()
    play = done(table, book, "thorin", acts=[asks(item)])
    assert not [one for one in play.done if isinstance(one, CoinChanged | ItemGained | InVain)]


@pytest.mark.parametrize("item", ["lantern", "a good lantern", "lantern with a hood"])
def test_a_ware_that_is_asked_for_by_its_name_is_sold(item: str) -> None:
    table, book = with_coin()
    purse = table.expedition.purse
    there = table.expedition.model_copy(update={"purse": purse + 500})
    rich = table.model_copy(update={"expedition": there})
    play = done(rich, book, "thorin", acts=[asks(item)])
    assert play.table.expedition.purse == purse
    assert play.table.cast.the("thorin").count("lantern") == 1


def test_a_coil_of_rope_is_rope() -> None:
    table, book = with_coin()
    play = done(table, book, "thorin", acts=[asks("a coil of rope")])
    assert play.table.cast.the("thorin").count("rope") == 1


@pytest.mark.parametrize(
    "acts",
    [
        [{"do": "give", "to": "brenna", "item": "rope", "text": "hands it back"}],
        [
            {"do": "say", "to": "brenna", "want": "give", "coin": 1, "text": "Take it back."},
            {"do": "give", "to": "brenna", "item": "rope", "when": "if_success", "text": "there"},
        ],
        [
            {
                "do": "say",
                "to": "brenna",
                "want": "give",
                "coin": 1,
                "approach": "bargain",
                "text": "Take the rope back and give me my coin.",
            }
        ],
    ],
)
def test_a_sale_just_made_is_taken_back_in_words_and_without_a_roll(
    acts: list[dict[str, object]],
) -> None:
    table, book = with_coin()
    sold = done(table, book, "thorin", acts=[asks("rope")]).table
    assert sold.expedition.purse < table.expedition.purse
    now = sold.model_copy(update={"current_turn": "thorin"})
    back = done(now, book, "thorin", acts=acts)
    assert back.table.expedition.purse == table.expedition.purse
    assert not back.table.cast.the("thorin").count("rope")
    assert not [one for one in back.done if isinstance(one, Checked | InVain)]


def test_what_is_passed_on_to_somebody_else_is_not_paid_back() -> None:
    table, book = with_coin()
    sold = done(table, book, "thorin", acts=[asks("rope")]).table
    now = sold.model_copy(update={"current_turn": "thorin"})
    gift = {"do": "give", "to": "jory", "item": "rope", "text": "for the boat"}
    assert done(now, book, "thorin", acts=[gift]).table.expedition.purse == sold.expedition.purse
