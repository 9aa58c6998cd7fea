"""What a question may mean is answered; whom, which pulls and what it is about narrow it alike."""

from __future__ import annotations

import pytest
from tests.agents.raid.test_answered_numbers import DIMENSIUS, ERA, FRACTILLUS, NAXX, dialogue

from ruleplay.agents.raid.domain.overview import Member, Night, PullSummary
from ruleplay.agents.raid.domain.persons import called, names_anybody, side_of
from ruleplay.agents.raid.domain.questions import read_alone
from ruleplay.agents.raid.domain.reference.tables import translated_words
from ruleplay.agents.raid.domain.spelling import named_abilities
from ruleplay.agents.raid.domain.subjects import find_bosses, resolve
from ruleplay.agents.raid.policy.messages import parted

TRIES = Night(
    code="n",
    title="n",
    pulls=tuple(
        PullSummary(fight=n, name="Gruul the Dragonkiller", kill=False, ended="wipe", seconds=60)
        for n in range(1, 6)
    ),
)
MATCHES = Night(
    code="m",
    title="m",
    pulls=tuple(
        PullSummary(fight=n, name="Arena", kill=False, ended="won", seconds=60) for n in (1, 2)
    ),
    members=(
        Member(name="Aria", class_name="Rogue", pulls=(1, 2)),
        Member(name="Bobo", class_name="Hunter", foe=True, pulls=(1,)),
        Member(name="Coco", class_name="Druid", foe=True, pulls=(1,)),
        Member(name="Dodo", class_name="Mage", foe=True, pulls=(2,)),
        Member(name="Eddy", class_name="Druid", foe=True, pulls=(2,)),
    ),
)


@pytest.mark.parametrize(
    ("text", "fights"),
    [
        ("who died on the first three tries", (1, 2, 3)),
        ("les deux derniers essais de gruul", (4, 5)),
        ("the 5th try against the 2nd", (5, 2)),
        ("gruul, third pull", (3,)),
    ],
)
def test_several_tries_are_named_at_once(text: str, fights: tuple[int, ...]) -> None:
    assert resolve(text, TRIES, focus=1).fights == fights


def test_half_of_an_own_bosss_name_is_enough() -> None:
    night = Night(code="k", title="k", pulls=(TRIES.pulls[0],))
    named = (TRIES.pulls[0].name,)
    assert find_bosses("did we get dragonkiller down", night) == (named, ())
    assert not find_bosses("did we get killer down", night)[1]


def test_a_word_that_only_resembles_a_wing_names_no_boss() -> None:
    night = Night(
        code="p", title="p", pulls=(TRIES.pulls[0].model_copy(update={"name": "Patchwerk"}),)
    )
    assert find_bosses("who keeps blowing up", night) == ((), ())


@pytest.mark.parametrize("said", ["in the eye of azhsara +16", "à l'eye of azsharra"])
def test_an_instance_of_the_night_is_no_boss_of_another_log_even_misspelt(said: str) -> None:
    here = Night(code="e", title="e", pulls=(TRIES.pulls[0],), zones=("Eye of Azshara",))
    assert find_bosses(f"who died most {said}", here) == ((), ())


def test_opponents_of_several_classes_tell_which_match_is_meant() -> None:
    assert read_alone("against druid/mage who died", MATCHES).fights == (2,)
    assert read_alone("contre chasseur drood", MATCHES).fights == (1,)
    assert read_alone("against the druid", MATCHES).fights == ()


def test_a_spec_alone_is_all_who_play_it() -> None:
    people = [Member(name=name, class_name="Mage", spec=spec) for name, spec in ("AF", "BF", "CA")]
    people = [
        one.model_copy(update={"spec": {"F": "Frost", "A": "Arcane"}[one.spec]}) for one in people
    ]
    found = called("and the 2 frost ones", people)
    assert (found.players, found.several) == (("A", "B"), True)
    assert called("the frost nova then", people).players == ()


def test_sides_and_anybody_are_told_from_the_words() -> None:
    assert side_of("who healed most on their team") == "theirs"
    assert side_of("et chez nous") == "ours"
    assert side_of("our healers against theirs, on our side") == ""
    assert names_anybody("did somebody drop")
    assert not names_anybody("did she drop")


def test_each_side_is_a_question_of_its_own() -> None:
    asked = parted("who dispelled the most on our side? and on theirs, somebody?", MATCHES)
    assert [one.adds for one in asked] == [False, True]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("combien de mot de pouvoir bouclier", "Power Word: Shield"),
        ("qui prend les frappes haineuses", "Hateful Strike"),
        ("l'onde de choc cristalline elle touche qui", "Crystalline Shockwave"),
        ("le nuage de feu, qui le prend", "Fire Cloud"),
    ],
)
def test_french_names_of_spells_are_known_whole_or_word_by_word(text: str, name: str) -> None:
    spells = dict.fromkeys(
        ("Power Word: Shield", "Hateful Strike", "Crystalline Shockwave", "Fire Cloud", "Melee"), 3
    )
    assert named_abilities(text, TRIES, spells) == (name,)
    assert "shield" in translated_words()["bouclier"]


@pytest.mark.timeout(120)
def test_an_unclear_question_is_answered_by_its_readings() -> None:
    (told,) = dialogue(ERA, "where did the healers stand about, specifically?")
    assert told.startswith("**")
    assert not told.rstrip().endswith("?")


@pytest.mark.timeout(120)
def test_nonsense_and_concessions_are_not_read_as_questions() -> None:
    _, nothing = dialogue(NAXX, "top dps on noth", "ah right, my bad then")
    assert "Read as" not in nothing
    (gnorf,) = dialogue(ERA, "meerah snurfing the glomb of thermaplugg?")
    assert gnorf.rstrip().endswith("?")


@pytest.mark.timeout(120)
def test_a_class_that_nobody_plays_is_said_also_after_another_question() -> None:
    _, told = dialogue(
        NAXX, "how many saronite bombs did ragyo use", "and the monk, did he use one?"
    )
    assert told.startswith("Nobody here is a monk")


@pytest.mark.timeout(120)
def test_one_players_sum_is_compared_boss_against_boss() -> None:
    (told,) = dialogue(NAXX, "Morka's damage on Loatheb versus Maexxna")
    assert "917,007" in told
    assert "347,704" in told


@pytest.mark.timeout(120)
def test_both_ends_of_a_ranking_are_told() -> None:
    (told,) = dialogue(FRACTILLUS, "who has the best gear and who the worst")
    assert "Brunix 168" in told
    assert "Rodas 108" in told


@pytest.mark.timeout(120)
def test_somebody_is_nobody_who_was_spoken_of() -> None:
    _, told = dialogue(
        DIMENSIUS, "what killed Xamymage on pull 2", "and on pull 1, did someone die?"
    )
    assert "No player died" in told


@pytest.mark.timeout(120)
def test_when_a_spell_was_used_gives_the_times() -> None:
    (told,) = dialogue(NAXX, "when exactly was power infusion used")
    assert "21:12:43" in told
