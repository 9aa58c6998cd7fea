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
