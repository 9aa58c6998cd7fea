"""What goes on with the answer before, who asks, and whose names are nearly right."""

from __future__ import annotations

import pytest
from tests.agents.raid.test_answered_numbers import DIMENSIUS, ERA, FRACTILLUS, NAXX, dialogue

from ruleplay.agents.raid.domain.overview import Member, misspelt_players


@pytest.mark.timeout(120)
def test_the_next_places_follow_those_that_were_told() -> None:
    _, four, named = dialogue(FRACTILLUS, "top 3 damage", "and the 4 behind them", "8th and 9th?")
    assert four.startswith("**Damage: 4. Eruani 1,588,335")
    assert "7. Sdegna" in four
    assert "8." not in four
    assert "Brunix" not in four
    assert "8. Zigfridd" in named
    assert "9. Cadburyy" in named


@pytest.mark.timeout(120)
def test_by_how_much_one_leads_is_told() -> None:
    _, ahead = dialogue(
        ERA, "moi Wauro, je suis à combien en dps", "Meerah est devant ? de combien"
    )
    assert ahead.startswith("**Meerah est devant Wauro (toi) de 862")


@pytest.mark.timeout(120)
def test_who_says_who_they_are_is_meant_by_i_from_then_on() -> None:
    _, hit = dialogue(NAXX, "Morka here. how much damage did I do", "and the biggest hit I took?")
    assert "Morka (you)" in hit
    assert "Braisedbrain" not in hit
    (ici,) = dialogue(FRACTILLUS, "ici Bladewatch. j'ai fait combien de dégâts ?")
    assert ici.startswith("**Bladewatch (toi)")


@pytest.mark.timeout(120)
def test_any_wipes_is_answered_first_and_of_the_whole_night() -> None:
    _, told = dialogue(NAXX, "did we kill Patchwerk", "any wipes tonight?")
    assert told.startswith("**There was no wipe. ")
    assert "7 pulls" in told


@pytest.mark.timeout(120)
def test_who_did_none_is_named() -> None:
    (told,) = dialogue(DIMENSIUS, "who did zero damage on pull 2")
    assert told.startswith("**9 of 23 players did none: Baynn")
    assert "Rodas" not in told


@pytest.mark.timeout(120)
def test_what_no_other_log_has_is_compared_with_nothing() -> None:
    _, told = dialogue(ERA, "how did we do", "and compared with the kill of the week before?")
    assert told.startswith("There is nothing to compare it with: Mekgineer Thermaplugg")


def test_a_name_nearly_right_is_meant_unless_two_are_alike() -> None:
    people = [Member(name=name) for name in ("Кастиэлка-Realm", "Brunix", "Marrowa", "Marrowe")]
    assert misspelt_players("castielka", people) == ("Кастиэлка-Realm",)
    assert misspelt_players("brunnix", people) == ("Brunix",)
    assert misspelt_players("marrowi", people) == ()
    assert misspelt_players("brunixalt", people) == ()
