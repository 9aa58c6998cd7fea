"""Who and which pull is meant: nicknames, claimed roles, matches by number, counted tries."""

import pytest
from tests.agents.raid.test_answered_numbers import ERA, FRACTILLUS, NAXX, dialogue, nights

from ruleplay.agents.raid.domain.overview import is_nickname
from ruleplay.agents.raid.domain.questions import read, role_said

ARENAS, FEIGNS = "tbc_2.5.1_arenas.txt", "wrath_3.4.3_arena_feign_death.txt"
TORGHAST = "retail_9.0.2_torghast.txt"
BATTLEGROUND = "wrath_3.4.0_battleground.txt"
DIMENSIUS = "retail_12.0_raid_dimensius_two_short_wipes.txt"


def test_a_nickname_is_the_beginning_of_a_name_and_little_more() -> None:
    assert is_nickname("patchy", "patchwerk")
    assert not is_nickname("patchwerk", "patchwerk")
    assert not is_nickname("faerie", "faerlina")
    assert not is_nickname("pat", "patchwerk")
    assert not is_nickname("patriot", "patchwerk")


@pytest.mark.parametrize(
    ("log", "text", "boss"),
    [
        (NAXX, "who died on maexxy", "Maexxna"),
        (NAXX, "loathi il a duré combien", "Loatheb"),
        (FRACTILLUS, "deaths on fractie", "Fractillus"),
    ],
)
def test_bosses_have_nicknames(log: str, text: str, boss: str) -> None:
    assert read(text, nights(log).overview("", "")).bosses == (boss,)


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("yo im the dk tank, how was i", "the dk tank"),
        ("je suis le mage, j'ai fait combien", "le mage"),
        ("i'm one of the healers", "one of the healers"),
        ("im the guy who kept the tank up", ""),
        ("the tank died", ""),
    ],
)
def test_a_writer_may_say_a_role(text: str, role: str) -> None:
    assert role_said(text) == role


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("c moi (pingu), j'ai fait combien sur noth", "Pingu"),
        ("haha its me (ragyo) was i good", "Ragyo"),
        ("im the tank (watary), did i die", "Watary"),
        ("je suis le tank, watary. je suis mort ?", "Watary"),
        ("was the tank (watary) ok", ""),
    ],
)
def test_a_name_behind_a_role_is_the_writer(text: str, name: str) -> None:
    assert read(text, nights(NAXX).overview("", "")).myself == name


def test_slang_is_no_name_and_an_unknown_name_is() -> None:
    (sides,) = dialogue(BATTLEGROUND, "top heal both sides gogo")
    assert sides.startswith("Your side:")
    (landed,) = dialogue(FEIGNS, "how many dispels did jammln do n how many whiffed")
    assert landed.startswith("**Jammln (healer): dispels 25")
    (nobody,) = dialogue(NAXX, "how much dmg did thromgar do on noth")
    assert "thromgar" in nobody.lower()
    assert "**" not in nobody


@pytest.mark.timeout(120)
def test_matches_are_named_by_number_and_by_who_was_in_them() -> None:
    third, other = dialogue(ARENAS, "game 3, who died", "and in round 4?")
    assert "pull 3 (defeat" in third
    assert "pull 4 (defeat" in other
    (lost,) = dialogue(ARENAS, "la défaite avec tictac, qui est mort")
    assert "essai 4 (défaite" in lost
    (why,) = dialogue(ARENAS, "why did we lose game 3")
    assert "given up" not in why


@pytest.mark.timeout(120)
def test_an_ordinal_counts_tries_that_there_are() -> None:
    (killed,) = dialogue(BATTLEGROUND, "who killed sige the 2nd time")
    assert "Which pull" not in killed
    _, first = dialogue(DIMENSIUS, "how did we do on dimensius", "so why'd we wipe the 1st")
    assert "No player died" in first


@pytest.mark.timeout(120)
def test_whom_a_message_names_beside_its_question_is_meant() -> None:
    _, told = dialogue(ERA, "who healed most, reevs or giefwater", "and the dispels? all sury?")
    assert "Sury" in told
    assert "Giefwater" not in told


def test_the_last_boss_of_a_log_without_pulls_is_nobody() -> None:
    (told,) = dialogue(TORGHAST, "did maelikit use combustion on the last boss")
    assert "Combustion" in told
