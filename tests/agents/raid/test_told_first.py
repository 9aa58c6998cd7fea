"""What a question asks for is told first: why, whether, how often; the rest is a short table."""

from __future__ import annotations

import pytest
from tests.agents.raid.test_answered_numbers import DIMENSIUS, ERA, FRACTILLUS, NAXX, dialogue

LEGION = "retail_7.3_legion_encounters_only.txt"


@pytest.mark.timeout(120)
def test_the_killing_blow_comes_first_and_then_the_hit_that_did_most() -> None:
    (told,) = dialogue(ERA, "why did flakeshock die")
    assert told.startswith("**Frozen Shrapnel (Frost Bomb) killed Flakeshock at 5:23 with 250")
    assert (
        "High Voltage! (Environment) had hit hardest before: 1,195 of the 1,684 taken in the last"
        " 5 s, 3 s before the end; healing in that time: 0."
    ) in told
    (at_once,) = dialogue(DIMENSIUS, "why did Xamymage die on pull 2")
    assert "hit hardest" not in at_once


@pytest.mark.timeout(120)
def test_what_a_negated_question_states_is_confirmed_or_denied() -> None:
    (died,) = dialogue(ERA, "nobody died, right?")
    assert died.startswith("**Not quite. 1 death: Flakeshock at 5:23")
    (lived,) = dialogue(FRACTILLUS, "nobody died, right?")
    assert lived.startswith("**That's right. No player died")


@pytest.mark.timeout(120)
def test_what_the_raid_got_last_is_told_of_a_pull_given_up_without_a_verdict() -> None:
    (told,) = dialogue(DIMENSIUS, "did we wipe or did somebody call a reset")
    assert told.startswith("**By the log no wipe, but given up (inferred")
    late = "In the last 0.9 s of pull 2, Oblivion (Dimensius) was put on 22 of 23 players"
    assert f"{late}; whether that ended it, the log does not tell." in told
    assert "last 0.9 s of pull 1" not in told


@pytest.mark.timeout(120)
def test_many_tries_are_a_table_below_one_sentence() -> None:
    (told,) = dialogue(LEGION, "how many tries on heroic varimathras")
    head, _, table = told.partition("\n\n")
    assert "4 pulls, 1 kill, 2 wipes, 1 reset. It fell on try 4 (pull 98, 4:16)." in head
    assert table.count("| heroic |") == 4
    both = "how often did we wipe on heroic coven, and did we kill it in the end?"
    (never,) = dialogue(LEGION, both)
    assert "4 pulls, 0 kills, 4 wipes. It was not killed." in never
    assert "did not understand" not in never


@pytest.mark.timeout(120)
def test_who_led_everywhere_is_checked_pull_by_pull() -> None:
    (told,) = dialogue(NAXX, "was Braisedbrain really number one in damage on each boss?")
    assert told.startswith("**No. Braisedbrain was first in damage on 1 of 7 pulls (Patchwerk).")
    assert "Loatheb Nule 1,168,589 (Braisedbrain 971,071, 3 of " in told
    assert "Over all of them: 1. Braisedbrain 3,018,915, 2. Ragyo 3,007,945." in told


@pytest.mark.timeout(120)
def test_feigned_deaths_are_told_if_asked_for() -> None:
    (told,) = dialogue(NAXX, "which deaths tonight were only feigned?")
    assert told.startswith("**Lutoscs feigned death at 21:04:00, 21:09:36")
    (none,) = dialogue(FRACTILLUS, "has anyone feigned death here?")
    assert none.startswith("**Nobody feigned, as far as the log tells")


@pytest.mark.timeout(120)
def test_of_many_that_an_ability_hit_the_sentence_names_few() -> None:
    (told,) = dialogue(FRACTILLUS, "who was hit by crystalline shockwave")
    assert "It also hit Mádgéy 281,981 (21 hits, 1 of them absorbed whole (" in told
    assert "and 17 more" in told
    assert "|" not in told


@pytest.mark.timeout(120)
def test_a_pronoun_beside_a_boss_is_the_boss_and_a_month_no_creature() -> None:
    asked = ("top dps on loatheb", "et maexxna, elle, on l'a tuée en combien ?")
    _, fell = dialogue(NAXX, *asked)
    assert "Maexxna" in fell
    assert "59,6 s" in fell
    (died,) = dialogue(LEGION, "qui est mort sur Argus normal le 1er mars ?")
    assert "Fangbangerr" in died
