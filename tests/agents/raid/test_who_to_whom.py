"""Who did what to whom, one by one; who else; and what is told beside what was asked."""

from __future__ import annotations

import pytest
from tests.agents.raid.test_answered_numbers import DIMENSIUS, ERA, FRACTILLUS, NAXX, dialogue

from ruleplay.agents.raid.domain.persons import (
    asks_further,
    asks_of_pets,
    is_killed,
    names_me_too,
    was_done_to,
)
from ruleplay.agents.raid.policy.sentences import Tongue

BATTLEGROUND, ROUND = "wrath_3.4.0_battleground.txt", "retail_12.0_arena_round.txt"
LEGION, ARENA = "retail_7.3_legion_encounters_only.txt", "tbc_2.5.1_arena.txt"
TORGHAST, FEIGN = "retail_9.0.2_torghast.txt", "wrath_3.4.3_arena_feign_death.txt"


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("which of our people got interrupted", True),
        ("qui s'est fait couper chez nous", True),
        ("wer von uns wurde gekickt", True),
        ("what got interrupted", False),
        ("who interrupted the most", False),
    ],
)
def test_whom_something_was_done_to(said: str, asked: bool) -> None:
    assert was_done_to(said) is asked


@pytest.mark.parametrize(
    ("marked", "blow", "killed"),
    [
        ("what finished off <player>", False, False),
        ("what finished <player>", False, True),
        ("qui a tue <player>", False, True),
        ("whose was the last hit on <player>", True, True),
        ("whose was the last hit on <player>", False, False),
        ("who did <player> kill", True, False),
    ],
)
def test_who_was_killed(marked: str, blow: bool, killed: bool) -> None:
    assert is_killed(marked, blow=blow) is killed


def test_words_of_who_else_and_of_me_too() -> None:
    assert asks_further("somebody else down?")
    assert asks_further("d'autres morts ?")
    assert not asks_further("who died")
    assert names_me_too("what got oda and me")
    assert not names_me_too("who healed me")


def test_pets_that_are_only_counted_in_are_not_asked_about() -> None:
    assert not asks_of_pets("all damage, pets included")
    assert asks_of_pets("how much of it was pets")


def test_a_list_never_ends_in_one_more() -> None:
    assert Tongue("en").listed("abc", 2) == "a, b, c"
    assert Tongue("en").listed("abcd", 2) == "a, b and 2 more"


@pytest.mark.timeout(120)
def test_who_of_a_side_was_interrupted_and_by_whom() -> None:
    ours, own, kicker = dialogue(
        BATTLEGROUND,
        "which people of our side got interrupted?",
        "did Захилрыл get kicked at any point",
        "how many killing blows did Дангстер have",
    )
    assert "Interrupts suffered: Aikurushii 2, Kukuu 1" in ours
    assert "Вупуппида → Aikurushii (Frostbolt, Shield Bash) 2:59, 17:35:45" in ours
    assert "Aikurushii → Захилрыл (Flash of Light, Counterspell)" in own
    assert "Дангстер → Halflight (Mind Blast) 3:25, 17:36:12" in kicker


@pytest.mark.timeout(120)
def test_the_killing_blow_on_somebody_is_their_death() -> None:
    (told,) = dialogue(BATTLEGROUND, "whose was the killing blow on Halflight")
    assert "Mind Blast (Дангстер) killed Halflight at 3:25 with 4,402" in told
    (both,) = dialogue(ARENA, "I play Assinoth. what finished Mouseprinces and then me")
    assert "Mouseprinces at 1:14, of Earth Shock (Sibs, 704)" in both
    assert "Assinoth (you) at 1:28, of Frost Shock (Sibs, 528)" in both


@pytest.mark.timeout(120)
def test_few_kills_and_kicks_are_told_one_by_one() -> None:
    (kill,) = dialogue(ROUND, "who had the killing blows, and whom did they hit")
    assert "Musfångarn → Shizoune 25.4 s" in kill
    (kicks,) = dialogue(ERA, "list the interrupts on thermaplugg")
    assert "Meerah → STX-98/PO (Toxic Ventilation, Kick) 3:20, 19:58:09" in kicks


@pytest.mark.timeout(120)
def test_who_is_left_out_of_dispels_is_told_all_the_same() -> None:
    besides, none = dialogue(
        NAXX, "anyone besides morka who dispelled on noth?", "how many dispels did gulag do there"
    )
    assert "Morka alone dispelled: 8 (Curse of the Plaguebringer 8)" in besides
    assert "Others: Morka 8 (Curse of the Plaguebringer 8)" in none


@pytest.mark.timeout(120)
def test_who_else_died_leaves_out_whom_was_told() -> None:
    _, told = dialogue(
        DIMENSIUS, "what killed Xamymage in the second pull", "anyone else dead? how long were both"
    )
    assert "Nobody else died" in told
    assert "only Xamymage at 10 s" in told
    assert "pull 1 (reset, 21 s)" in told
    assert "pull 2 (reset, 21 s)" in told


@pytest.mark.timeout(120)
def test_whoever_died_is_not_only_who_asks() -> None:
    _, told = dialogue(ERA, "im Reevs, what did i heal", "did anyone die, was that my fault")
    assert "Flakeshock at 5:23" in told


@pytest.mark.timeout(120)
def test_who_is_said_to_die_first_every_time() -> None:
    (told,) = dialogue(LEGION, "is Halang the first to die every time on heroic varimathras")
    assert "Halang died first on 2 of 3 pulls with deaths" in told
    assert "Xatim at 2:17" in told


@pytest.mark.timeout(120)
def test_a_boss_hero_is_on_heroic_and_who_dies_le_plus_is_counted() -> None:
    tries, most = dialogue(
        LEGION, "varimathras hero on a fait combien d'essais", "qui meurt le + en hero ce soir la"
    )
    assert "4 essais, 1 victoire, 2 échecs, 1 abandon" in tries
    assert "Halang 15" in most


@pytest.mark.timeout(120)
def test_a_key_s_level_is_all_of_its_run() -> None:
    _, told = dialogue(LEGION, "what was our best key", "who died most in the 16")
    assert "17 deaths: Sunnygg 5" in told


@pytest.mark.timeout(120)
def test_feigned_deaths_are_told_whichever_pull_is_spoken_of() -> None:
    _, told = dialogue(NAXX, "how long was faerlina", "and why did lutoscs die 4 times")
    assert "Lutoscs feigned death at 21:04:00, 21:09:36, 21:18:42, 21:24:17" in told


@pytest.mark.timeout(120)
def test_how_a_cut_pull_ended_is_not_known() -> None:
    (told,) = dialogue(NAXX, "how long did patchwerk take us")
    assert "How Patchwerk ended, the log does not tell: it stops 15.7 s into it" in told


@pytest.mark.timeout(120)
def test_shares_of_pets_are_told_player_by_player() -> None:
    first, two = dialogue(
        FRACTILLUS,
        "I would very much like the raid's damage, pets included",
        "what share of that was pets, for the first two",
    )
    assert "In all 24,789,146" in first
    assert "Pets are counted in." in first
    assert "Brunix 1,146,933 / 2,804,430 (40.9%), Willòwí 918,333 / 2,067,255 (44.4%)" in two
    assert "Mádgéy" not in two


@pytest.mark.timeout(120)
def test_how_far_apart_an_enemy_s_casts_were() -> None:
    (told,) = dialogue(
        FRACTILLUS, "how often was crystalline shockwave cast, and the median interval between two"
    )
    assert "was used 7 times" in told
    assert "Between them: 13 s in the middle (median), 14.6 s on average, 11.3 s to 25.9 s" in told


@pytest.mark.timeout(120)
def test_a_share_of_overhealing_is_compared_as_a_share() -> None:
    (told,) = dialogue(ERA, "I play Reevs. overheal in % of me and Giefwater, who has more")
    assert "Giefwater overhealed the larger share" in told


@pytest.mark.timeout(120)
def test_a_spell_s_part_of_somebody_s_whole() -> None:
    (told,) = dialogue(ERA, "how much did Sury heal with Vampiric Embrace")
    assert "98.3% of 13,209" in told


@pytest.mark.timeout(120)
def test_a_verb_s_form_is_no_player_and_uses_in_vain_are_counted() -> None:
    (told,) = dialogue(TORGHAST, "how many counterspells of Maelikit worked vs missed or fizzled")
    assert "Fizzled" not in told
    assert "8 of 13 uses interrupted nothing" in told


@pytest.mark.timeout(120)
def test_a_spell_that_shields_nobody_is_told_by_its_uses() -> None:
    (told,) = dialogue(FEIGN, "mass dispel, did it get the bubble off")
    assert "It could not dispel:" in told
    assert "Divine Shield (Retayz)" in told
    assert not told.startswith("**Yes")


@pytest.mark.timeout(120)
def test_when_a_pet_s_spell_was_cast_is_no_damage() -> None:
    (told,) = dialogue(ERA, "I play Reevs. when did i use shadowfiend")
    assert "19:58:26" in told


@pytest.mark.timeout(120)
def test_a_follow_up_before_another_question_is_answered_too() -> None:
    _, told = dialogue(
        NAXX, "le chaman a lancé hero sur noth ?", "et rien sur faerlina ? ça a duré cb de temps"
    )
    assert "pas utilisé – Grand Widow Faerlina" in told
    assert "57 s" in told


@pytest.mark.timeout(120)
def test_french_asks_where_the_answer_stands() -> None:
    (told,) = dialogue(
        DIMENSIUS, "deuxième essai, Xamymage est mort de quoi, pis le boss il était à cb de %"
    )
    assert "Oblivion" in told
    assert "94,9 %" in told


@pytest.mark.timeout(120)
def test_of_which_players_a_pull_was_and_when_one_took_a_potion() -> None:
    long, potions = dialogue(
        NAXX, "how long did heigan take", "which potions did Ragyo use all night, and when"
    )
    assert "10 players" in long
    assert "Insane Strength Potion 21:01:42" in potions


@pytest.mark.timeout(120)
def test_what_only_adds_to_a_question_keeps_its_spell() -> None:
    (told,) = dialogue(ERA, "combien de fois Reevs a lancé Dispersion, et quand ?")
    assert "Dispersion a été utilisé 3 fois" in told
    assert "Renew" not in told


@pytest.mark.timeout(120)
def test_how_long_a_debuff_lasted_on_whom_it_was() -> None:
    (told,) = dialogue(FRACTILLUS, "qui a eu Shattershell, et pendant combien de temps")
    assert "Baynn 12,0 %, 12 s" in told


@pytest.mark.timeout(120)
def test_who_killed_creatures_is_no_sum_of_damage() -> None:
    (told,) = dialogue(ERA, "who killed the bombs on thermaplugg")
    assert "Flakeshock had the most killing blows: 15" in told


@pytest.mark.timeout(120)
def test_what_is_done_for_who_asks_is_not_done_to_them() -> None:
    (told,) = dialogue(ERA, "pouvez-vous me donner les soins de Reevs et de Giefwater")
    assert "Reevs" in told
    assert "67 894" in told.replace("\u202f", " ")


@pytest.mark.timeout(120)
def test_what_hurt_us_is_damage_taken_by_ability() -> None:
    _, told = dialogue(DIMENSIUS, "damage by pull", "which boss ability hurt us most on both pulls")
    assert "Devour 997,334" in told
    assert "Rising Sun Kick" not in told


@pytest.mark.timeout(120)
def test_somebody_who_heals_or_does_damage_is_told_by_both() -> None:
    (told,) = dialogue(NAXX, "on heigan, was Inwaves healing or doing damage")
    assert "334,547" in told
    assert "7,985" in told


@pytest.mark.timeout(120)
def test_the_biggest_hit_is_told_whatever_else_is_unclear() -> None:
    (told,) = dialogue(FRACTILLUS, "c'était quoi le plus gros coup mis sur Fractillus")
    assert "128 769" in told.replace("\u202f", " ")


@pytest.mark.timeout(120)
def test_what_was_wasted_is_of_whose_healing_was_asked() -> None:
    (told,) = dialogue(BATTLEGROUND, "I am Alexpals. What did I heal, and what share was wasted?")
    assert "overhealing 91,798 (52.5%" in told
    assert "Hotarubi overhealed the most" not in told


@pytest.mark.timeout(120)
def test_how_a_pull_went_in_a_log_of_pulls_alone() -> None:
    (told,) = dialogue(LEGION, "que s'est-il passé lors du premier essai sur Aggramar en normal")
    assert "avec 10 morts" in told
    assert "–.**" not in told


@pytest.mark.timeout(120)
def test_who_lacked_a_buff_was_there() -> None:
    (told,) = dialogue(NAXX, "did anybody lack the Fungal Creep buff on loatheb?")
    assert "7 of 10 had Fungal Creep" in told
    assert "Redzepi" not in told
