"""Both questions of a message are answered, and what goes on with an answer keeps its subject."""

from __future__ import annotations

import pytest
from tests.agents.raid.test_answered_numbers import ERA, FRACTILLUS, NAXX, dialogue

TORGHAST, ARENAS = "retail_9.0.2_torghast.txt", "tbc_2.5.1_arenas.txt"
DIMENSIUS = "retail_12.0_raid_dimensius_two_short_wipes.txt"
GROUND = "wrath_3.4.0_battleground.txt"
LEGION = "retail_7.3_legion_encounters_only.txt"


@pytest.mark.timeout(120)
def test_a_second_question_without_a_measure_adds_to_the_first() -> None:
    (told,) = dialogue(GROUND, "how often did we die, and me (alexpals) when")
    assert told.startswith("**18 deaths")
    assert "3 deaths: Alexpals (you) at 3:08" in told
    (bosses,) = dialogue(FRACTILLUS, "kill time of fractillus? n what difficulty")
    assert "took 1:40" in bosses
    assert "(normal, kill" in bosses


@pytest.mark.timeout(120)
def test_what_would_have_been_is_told_with_what_was() -> None:
    (told,) = dialogue(NAXX, "what killed Redzepi, and could somebody have saved him")
    assert told.startswith("A log tells what was, not what would have been")
    assert "of the 25,507 taken in the last 5 s" in told
    assert told.count("1 death: Redzepi") == 1


@pytest.mark.timeout(120)
def test_floors_are_told_with_how_the_run_ended() -> None:
    (told, longest) = dialogue(TORGHAST, "did I die and did I clear it", "slowest floor?")
    assert "Maelikit did not die" in told
    assert "the run was completed: 6 floors in 65:13" in told
    assert "Floor 4 took longest: 22:38" in longest


@pytest.mark.timeout(120)
def test_what_was_not_interrupted_is_told_first_where_that_is_asked() -> None:
    _, told = dialogue(ERA, "who kicked on thermaplugg", "any get through?")
    assert told.startswith("**No cast that can be interrupted went through.")


@pytest.mark.timeout(120)
def test_the_ability_that_led_an_answer_is_the_next_ones_subject() -> None:
    _, told = dialogue(FRACTILLUS, "c'est quoi qui nous fait le plus mal", "qui en a pris le plus")
    assert told.startswith("**Tasadin a pris le plus de Crystalline Shockwave")


@pytest.mark.timeout(120)
def test_whom_a_heal_went_to_is_no_healer() -> None:
    (told,) = dialogue(ERA, "who healed djn the most")
    assert told.startswith("**Reevs healed the most: 33,853")
    assert "Djn. Then Giefwater 28,558" in told


@pytest.mark.timeout(120)
def test_a_fault_is_answered_by_what_was_without_yes_or_no() -> None:
    (told,) = dialogue(ERA, "was Flakeshock's death Giefwater's fault")
    assert not told.startswith(("**Yes", "**No"))
    assert "1 death: Flakeshock at 5:23" in told


@pytest.mark.timeout(120)
def test_matches_are_counted_and_whom_we_kicked_is_nobody_of_ours() -> None:
    third, kicked = dialogue(ARENAS, "who died first in the third", "did we kick their healer")
    assert "pull 3 (defeat" in third
    assert "Assinoth" in kicked
    assert "Mehrunes 1" in kicked


@pytest.mark.timeout(120)
def test_other_wipes_of_the_evening_before_a_boss_are_told_beside_its_own() -> None:
    (told,) = dialogue(LEGION, "normal antorus on 3/1: how many wipes before argus went down")
    assert "0 wipes" in told
    assert "Other wipes before it, the same evening: 1 (Aggramar 1)." in told


def test_a_share_names_what_it_is_of_and_who_was_struck_is_never_blank() -> None:
    _, pets = dialogue(
        FRACTILLUS,
        "brunix numbers on fractillus, total and dps",
        "how much of that is just his pets/ancestors doing the work tho",
    )
    assert "1,146,933 of 2,804,430 damage (40.9%) were by pets" in pets
    (struck,) = dialogue(DIMENSIUS, "qui avait l'aggro sur le premier pull, le druide ?")
    assert "sont allés sur Кастиэлка (2) –" in struck
