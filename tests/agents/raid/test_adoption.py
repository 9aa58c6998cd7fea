"""Pets whose owner no line tells: given to the one player who can have them, else left alone."""

from __future__ import annotations

import pytest

from ruleplay.agents.raid.domain.adoption import Household

ORLA, TIBB, SAFF = 1, 2, 3
FELHUNTER, IMP, WOLF, TREANT = 11, 12, 13, 14


def household(**changed: object) -> Household:
    told: dict[str, object] = {
        "names": {FELHUNTER: "Zhaarn", IMP: "Kizrik", WOLF: "Ash", TREANT: "Treant"},
        "owners": {},
        "classes": {ORLA: "Warlock", TIBB: "Warlock", SAFF: "Hunter"},
        "tamed": {FELHUNTER: "Warlock", IMP: "Warlock", WOLF: "Hunter"},
    }
    return Household(**(told | changed))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("pulls", "owner"),
    [
        ({1: {ORLA, SAFF, FELHUNTER}, 2: {TIBB, SAFF}}, ORLA),
        ({1: {ORLA, TIBB, FELHUNTER}}, None),
        ({1: {ORLA, FELHUNTER}, 2: {TIBB, FELHUNTER}}, None),
        ({1: {SAFF, FELHUNTER}}, None),
        ({1: {ORLA, FELHUNTER}, 2: {ORLA, TIBB, FELHUNTER}}, None),
        ({}, None),
    ],
)
def test_a_pet_goes_to_the_only_player_of_its_class(
    pulls: dict[int, set[int]], owner: int | None
) -> None:
    assert household().adopt(pulls).get(FELHUNTER) == owner


def test_a_player_with_a_pet_out_has_no_second_one() -> None:
    home = household(owners={IMP: TIBB})
    assert home.adopt({1: {ORLA, TIBB, FELHUNTER, IMP}}) == {FELHUNTER: ORLA}


def test_what_is_called_like_owned_pets_is_of_their_class() -> None:
    names = {TREANT: "Treant", 15: "Treant", 16: "Battle Chicken"}
    home = household(names=names, owners={15: SAFF}, tamed={})
    assert home.adopt({1: {ORLA, SAFF, TREANT, 16}}) == {TREANT: SAFF}
