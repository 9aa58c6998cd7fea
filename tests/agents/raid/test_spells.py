"""A spell that is named is answered about, and what points back at it goes on about it."""

from __future__ import annotations

import pytest
from tests.agents.raid.test_answered_numbers import DIMENSIUS, FRACTILLUS, NAXX, dialogue

from ruleplay.agents.raid.domain.persons import left_out, roles_of

USED = "Heroism was used on 4 of 7 pulls: Anub'Rekhan at 0.4 s (21:01:44, Pingu), Maexxna at 10.2 s"
"""How the uses of a whole evening begin."""


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "message",
    ["why isnt there any on noth then", "why none on noth", "and why was it missing on noth"],
)
def test_why_a_spell_was_not_used_is_no_question_about_a_wipe(message: str) -> None:
    _, told = dialogue(NAXX, "when did we pop lust on maexxna", message)
    assert "was not used – Noth the Plaguebringer" in told
    assert "The last one before was at 21:11:59 on Maexxna (Pingu)" in told
    assert "no wipe" not in told
    assert "No player died" not in told


@pytest.mark.timeout(120)
def test_which_pulls_it_was_on_are_those_of_the_spell() -> None:
    _, told = dialogue(NAXX, "hero on loatheb?", "which bosses had it")
    assert USED in told
    assert "Not on Grand Widow Faerlina, Noth the Plaguebringer, Loatheb." in told


@pytest.mark.timeout(120)
def test_on_each_boss_is_denied_though_one_is_named() -> None:
    (told,) = dialogue(NAXX, "est-ce que pingu met la hero sur chaque boss, surtout horreb ?")
    assert told.startswith("**Non. Heroism a été utilisé sur 4 essais sur 7")


@pytest.mark.timeout(120)
def test_whom_it_was_on_is_told_where_it_hit_nobody() -> None:
    (told,) = dialogue(FRACTILLUS, "who was locked in the crystals")
    assert "Crystal Encasement was on Bladewatch for 2.9 s from 1:01, Deyanm for 2.8 s" in told
    assert "no damage" not in told


@pytest.mark.timeout(120)
def test_a_spell_named_in_another_sentence_is_meant_by_how_long() -> None:
    (told,) = dialogue(FRACTILLUS, "the crystal thing that froze people, who was in and how long")
    assert "Crystal Encasement was on" in told
    assert "took 1:40" not in told


@pytest.mark.timeout(120)
def test_a_spell_that_is_no_boss_of_another_raid() -> None:
    (told,) = dialogue(DIMENSIUS, "oblivion a frappé qui au juste")
    assert told.startswith("**Oblivion a touché Xamymage")


@pytest.mark.timeout(120)
def test_an_article_written_with_its_word_hides_no_spell() -> None:
    (told,) = dialogue(NAXX, "a qui il filait linnerve a chaque fois braisedbrain")
    assert "Innervate" in told
    assert "Morka" in told


@pytest.mark.timeout(120)
def test_always_on_one_is_not_confirmed_where_others_had_it() -> None:
    (told,) = dialogue(NAXX, "does morka always receive the innervate?")
    assert "Braisedbrain → Morka 4" in told
    assert "On others: Braisedbrain → Nule 1." in told
    assert not told.startswith("**Yes")


@pytest.mark.timeout(120)
def test_roles_denied_are_left_out() -> None:
    (told,) = dialogue(FRACTILLUS, "le pire dps sur fractillus, pas les soigneurs ni le tank")
    assert told.startswith("**Zipper a fait le moins de dégâts")
    assert left_out("who is last, not the healers") == ("healer",)
    assert left_out("not the dps, the healing") == ()
    assert roles_of("not the healers") == ("healer",)


@pytest.mark.timeout(120)
def test_an_order_from_the_top_is_not_told_from_the_bottom() -> None:
    (told,) = dialogue(NAXX, "list the healers on loatheb from best to worst")
    assert told.startswith("**Inwaves healed the most")
    assert "the least" not in told


@pytest.mark.timeout(120)
def test_a_pronoun_shown_by_that_is_who_was_told_of() -> None:
    _, told = dialogue(FRACTILLUS, "who did crystalline shockwave hit most", "is that dude a tank")
    assert "Tasadin did not tank" in told


@pytest.mark.timeout(120)
def test_the_pulls_of_whoever_is_named_are_meant() -> None:
    (told,) = dialogue("tbc_2.5.1_arenas.txt", "whom did blury interrupt")
    assert "Blury" in told
    assert "Polymorph 1" in told


@pytest.mark.timeout(120)
def test_a_log_of_one_player_has_no_healer() -> None:
    (told,) = dialogue("retail_9.0.2_torghast.txt", "what was my healer up to")
    assert told == "Nobody played that role: this log is of Maelikit alone."
