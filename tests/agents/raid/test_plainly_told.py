"""What an answer says is so, is what was asked for, and is said in plain sentences."""

from __future__ import annotations

import pytest
from tests.agents.raid.test_answered_numbers import DIMENSIUS, ERA, FRACTILLUS, NAXX, dialogue

ARENAS = "tbc_2.5.1_arenas.txt"
FEIGN = "wrath_3.4.3_arena_feign_death.txt"
LEGION = "retail_7.3_legion_encounters_only.txt"
TORGHAST = "retail_9.0.2_torghast.txt"

pytestmark = pytest.mark.timeout(120)


def test_a_match_is_won_by_the_side_that_its_own_lines_call_friendly() -> None:
    """Sicksixsix is an opponent in the first match and an ally in the last."""
    told, french = dialogue(
        ARENAS, "how many matches did we win and lose", "et combien de victoires ?"
    )
    assert "5 matches, 3 won and 2 lost" in told
    assert "by who died" in told
    assert "wipe" not in told
    assert [line.split("|")[3].strip() for line in told.splitlines() if "| 5/24 |" in line] == [
        *("won", "won", "lost", "lost", "won"),
    ]
    assert "5 matchs, 3 gagnés et 2 perdus" in french


def test_a_night_is_dated_by_its_own_pulls_and_deaths_are_counted_plainly() -> None:
    (told,) = dialogue(LEGION, "how was our heroic evening on 3/5, summary please")
    assert told.startswith("**Heroic 3/5: 17 pulls")
    assert "150 deaths: Halang 15" in told
    assert "2/28" not in told


def test_uses_in_a_log_without_pulls_are_counted_and_an_interrupt_by_what_it_stopped() -> None:
    told, how = dialogue(
        TORGHAST, "how many counterspells did maelikit cast", "were they any good?"
    )
    assert "Counterspell was used 13 times: Maelikit 13" in told
    assert "5 of them interrupted something: Fireball 3" in told
    assert "not used" not in told + how


def test_who_leads_is_told_with_the_gap_where_that_is_asked() -> None:
    asked, plain = dialogue(
        FRACTILLUS, "top damage, and what lead does the first have?", "and who healed most?"
    )
    assert "737,175 (35.7%) more than Willòwí" in asked
    assert "more than" not in plain
    _, mine = dialogue(ERA, "je suis wauro", "meerah a fait combien de dégâts")
    assert "Meerah est devant toi de 862 (1,1 %) : tu as 80 898, place 3." in mine.replace(
        "\u202f", " "
    )


def test_a_figure_per_boss_is_a_line_per_boss() -> None:
    told, french = dialogue(NAXX, "overhealing of gulag per boss", "dégâts subis par boss")
    assert told.count("\n- ") >= 7
    assert "Heigan the Unclean: " in told
    assert "(90" in told.partition("Heigan the Unclean: ")[2].partition("\n")[0]
    assert "- Maexxna: 74\u202f201" in french


def test_who_lacked_an_aura_is_named() -> None:
    (told,) = dialogue(ERA, "did the whole raid have Spark of Inspiration?")
    assert told.startswith("**No. 8 of 10 had Spark of Inspiration; it was not seen on Djn and")


def test_what_somebody_took_is_told_by_whom_and_with_what() -> None:
    (told,) = dialogue(FEIGN, "how much damage did selenamilky take")
    assert "It came from Homerjayxx 21,763, Retayz 7,459, Manfred 865." in told
    assert "Of these: Chimera Shot 4,826" in told


def test_two_tanks_are_both_named_first_and_a_pull_is_named_once() -> None:
    (told,) = dialogue(NAXX, "who tanked loatheb")
    assert told.startswith(
        "**Two tanked it: Watary (Blood Death Knight) with 62 swings and Klownalino"
    )
    several, *_ = dialogue(ERA, "who did the most damage, and who healed the most?")
    assert several.count("pull 1 (kill, 5:30)") == 1


def test_yes_is_only_said_to_what_asks_for_it() -> None:
    (low,) = dialogue(FRACTILLUS, "le tank a failli mourir à combien de vie ?")
    assert "Oui" not in low
    assert "20,9 %" in low
    assert "Tasadin" not in low
    (near,) = dialogue(FRACTILLUS, "did we nearly lose anybody?")
    assert near.startswith("**Only one came close to dying: Висмарк")
    assert near.count("got as low as") == 2


def test_there_is_nothing_to_compare_the_only_pull_with() -> None:
    _, told = dialogue(ERA, "how did the thermaplugg kill go", "compared with the week before?")
    assert "nothing to compare it with" in told


def test_what_people_may_work_on_is_the_raid_s_and_not_one_card() -> None:
    (told,) = dialogue(FRACTILLUS, "which things do I tell people to improve?")
    assert "these cost the raid most" in told
    assert "- Crystalline Shockwave did 3,501,487 of the 5,331,460 damage taken (65.7%)" in told
    assert "1 of 24 players (Willòwí)" in told
    assert "Côkinne active 61.9%" in told
    assert "Rodas" not in told


def test_a_try_that_was_given_up_tells_what_happened_in_it() -> None:
    (told,) = dialogue(DIMENSIUS, "what happened on pull 1")
    assert "given up after 21 s rather than lost" in told
    assert "- No player did any damage." in told
    assert "- What hit the raid most: Devour 445,177" in told


def test_a_single_match_is_won_or_lost_and_not_counted() -> None:
    (told,) = dialogue(FEIGN, "did we win?")
    assert told.startswith("**The match was won: Nagrand Arena, pull 1 (win, 3:04).")
    (third,) = dialogue(ARENAS, "did we win match 3?")
    assert third.startswith("**The match was lost: Arena, pull 3 (defeat, 29.1 s).")


def test_more_deaths_than_a_result_keeps_are_all_counted() -> None:
    told, first = dialogue(LEGION, "how many deaths in the whole log", "and who died first most?")
    assert "904 deaths: Exgrull 37" in told
    assert "200" not in told + first


def test_a_log_of_deaths_alone_calls_nobody_idle() -> None:
    (told,) = dialogue(LEGION, "how did the normal argus night go, 3/1")
    assert "17 deaths: Exgrull 4" in told
    assert "Least active" not in told


def test_matches_of_one_outcome_are_listed_alone_and_each_first_death_is_told() -> None:
    lost, first, won = dialogue(
        ARENAS, "which ones did we lose", "who fell first in these defeats", "list the wins"
    )
    assert "3 (defeat, 29.1 s" in lost
    assert "1 (win" not in lost
    assert "Assinoth at 21.9 s (Arena, 11:51:06), of Melee (Xrager, 582); Assinoth at 12 s" in first
    assert [line.split("|")[1].strip() for line in won.splitlines() if "| 5/24 |" in line] == [
        *("1", "2", "5"),
    ]


def test_kills_in_matches_are_of_people_and_say_which_killers_are_enemies() -> None:
    (kills,) = dialogue("wrath_3.4.0_battleground.txt", "how many kills did we make?")
    assert "Декрус (enemy) had the most killing blows: 5" in kills
    (slain,) = dialogue(ARENAS, "did we kill Drippie?")
    assert slain.startswith("**Yes. 1 death: Drippie")


def test_damage_in_a_match_says_how_much_of_it_shields_absorbed() -> None:
    # 7,123 is what the shields' own lines add up to: a swing absorbed whole has two lines more.
    (told,) = dialogue(FEIGN, "damage of selenamilky on homerjayxx")
    assert "49,825 (270 dps, 7,123 of it absorbed by shields" in told


def test_how_much_more_than_the_second_goes_on_with_the_ranking() -> None:
    _, told = dialogue(NAXX, "best healer?", "how much more than the second")
    assert (
        "Gulag healed the most: 284,976 (617 hps, 47.2%), 78,659 (38.1%) more than Inwaves" in told
    )


def test_who_else_lacked_an_aura_is_told_before_who_had_it() -> None:
    _, told = dialogue(ERA, "had sury spark of inspiration?", "who else lacked it")
    assert told.startswith("**8 of 10 had Spark of Inspiration; it was not seen on Djn and Sury")


def test_who_died_most_of_few_deaths_is_counted() -> None:
    _, told = dialogue(LEGION, "argus normal, who died?", "and who died most after that?")
    assert "7 deaths: Exgrull 3, Daymia 2, Dimach 2" in told


def test_a_half_named_spell_is_not_asked_about_where_who_lived_is() -> None:
    (told,) = dialogue(TORGHAST, "am I out of torghast alive?")
    assert "Exit Torghast" not in told
    assert "Maelikit did not die" in told


def test_which_pull_had_most_or_least_is_told_pull_by_pull_in_that_order() -> None:
    _, least, most = dialogue(
        NAXX,
        "top dps on Loatheb",
        "which attempt had the least dps?",
        "on which boss did we take the most damage",
    )
    assert least.index("Patchwerk: 610,471") < least.index("Maexxna") < least.index("Anub'Rekhan")
    assert most.index("- Loatheb: 213,558") < most.index("- Noth the Plaguebringer: 41,140")


def test_a_sum_that_is_asked_of_nobody_alone_is_told_in_all() -> None:
    (told,) = dialogue(NAXX, "what is the whole raid's damage on loatheb?")
    assert told.startswith("**In all 6,699,894 (damage). Nule did the most damage")


def test_a_death_outside_the_pulls_is_told_once() -> None:
    (told,) = dialogue(NAXX, "was redzepi killed on a boss or by trash")
    assert told.count("Redzepi at 21:04:04") == 1


def test_a_question_by_how_much_or_of_healers_is_not_about_the_whole_raid_s_sum() -> None:
    (gap,) = dialogue(FRACTILLUS, "who topped dps, and by how much")
    (healers,) = dialogue(ERA, "how much did our healers heal")
    assert "In all" not in gap + healers


def test_what_was_not_used_on_every_pull_is_denied() -> None:
    each, any_, french = dialogue(
        NAXX,
        "was heroism used on every boss?",
        "did we use heroism at all tonight?",
        "héroïsme utilisé sur chaque boss ?",
    )
    assert each.startswith("**No. ")
    assert "4 of 7 pulls" in each
    assert not any_.startswith("**No")
    assert not french.startswith("**Oui")
