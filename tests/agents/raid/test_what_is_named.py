"""An answer is about what was named: in another tongue, by initials, as a class, as the others."""

from __future__ import annotations

import pytest
from tests.agents.raid.demo_home import demo_nights
from tests.agents.raid.test_answered_numbers import DIMENSIUS, ERA, FRACTILLUS, NAXX, dialogue
from tests.agents.raid.test_narrowing import NIGHT, planned
from tests.agents.raid.test_rows import result, tables

from ruleplay.agents.raid.domain.overview import Member
from ruleplay.agents.raid.domain.spelling import named_abilities, named_creatures
from ruleplay.agents.raid.policy import standing
from ruleplay.agents.raid.state import State

SPELLS = {"Impale": 3, "Hand of Protection": 4, "Anti-Magic Zone": 2, "Freezing": 1}
HEALED = State(report="abc123", fight=2, measure="damage", shape="amount", language="en")
HEALED = HEALED.model_copy(update={"players": ("Elyne",), "named": ("Elyne",)})


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("encore empalé, qui ça", ("Impale",)),
        ("Gulag bops the mage", ("Hand of Protection",)),
        ("la zone anti-magie, elle est de qui", ("Anti-Magic Zone",)),
        ("a simple question", ()),
        ("this feeling again", ()),
    ],
)
def test_an_ability_is_named_in_the_player_s_way(text: str, names: tuple[str, ...]) -> None:
    assert named_abilities(text, NIGHT, SPELLS) == names


HALVES = {"Runic Return": 40, "High Voltage!": 90, "Exit Raidhall": 1, "Shadowform": 3}
HALVES |= {"Crystal Encasement": 8, "Crystalline Shockwave": 500}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("did we kill any of them in return", ()),
        ("the runic one, who got it", ("Runic Return",)),
        ("is it the voltage thing again", ("High Voltage!",)),
        ("how long was I in raidhall", ()),
        ("who pressed exit raidhall", ("Exit Raidhall",)),
        ("was she in shadow form at all", ("Shadowform",)),
        ("who sat in a crystal", ("Crystal Encasement",)),
        ("les shockwaves, qui en a mangé", ("Crystalline Shockwave",)),
    ],
)
def test_half_a_name_means_an_ability_unless_it_is_used_as_a_word(
    text: str, names: tuple[str, ...]
) -> None:
    assert named_abilities(text, NIGHT, HALVES) == names


def test_the_ability_stated_before_the_question_narrows_it() -> None:
    text = "everybody kept standing in Fissure. who ate the most damage"
    assert planned(text, abilities=("Fissure",)).calls[0].args["ability"] == "Fissure"
    several = planned("who died, and how often was Fissure cast", abilities=("Fissure",))
    assert "ability" not in several.calls[0].args


def test_creatures_are_named_by_the_last_word_of_their_names() -> None:
    known = ("Frost Bomb", "Plagued Warrior", "Radioactive Bomb")
    assert named_creatures("who hit the bombs", known) == ("Frost Bomb", "Radioactive Bomb")
    assert named_creatures("and the warrior", known) == ()
    assert named_creatures("on that night", ("Asara, Mother of Night",)) == ()


def test_a_small_word_where_no_name_stands_is_nobody() -> None:
    people = (*NIGHT.members, Member(name="Cursed"))
    text = "how many tries did maexxna take us on that cursed night"
    assert planned(text, members=people).question.players == ()
    assert planned("how much damage did Cursed do", members=people).question.players == ("Cursed",)


def test_a_class_may_be_the_enemy_s_or_untold() -> None:
    foe = Member(name="Homer", class_name="Hunter", foe=True)
    text = "how often did that hunter die"
    assert planned(text, members=(*NIGHT.members, foe)).question.players == ("Homer",)
    (told,) = planned(text, members=(*NIGHT.members, Member(name="Odd"))).asks
    assert told.startswith("This log does not tell everybody's class")
    own = Member(name="Own", class_name="Hunter")
    assert planned(text, members=(*NIGHT.members, foe, own)).question.players == ("Own",)


@pytest.mark.parametrize("text", ["what of her healing on the others", "et sur les autres boss ?"])
def test_the_others_may_be_the_other_pulls(text: str) -> None:
    assert planned(text, HEALED).fights == (1, 3)


def test_the_other_one_of_a_kind_is_no_pull() -> None:
    second = Member(name="Bramble", class_name="Rogue", spec="Combat", role="damage")
    plan = planned("healing on the other rogue", HEALED, members=(*NIGHT.members, second))
    assert plan.fights == (2,)


@pytest.mark.parametrize(
    ("text", "fights"),
    [
        ("damage on pulls 1, 2 and 3", (1, 2, 3)),
        ("pull 1 contre le 3, les dégâts", (1, 3)),
        ("damage on pull 3 10 seconds in", (3,)),
    ],
)
def test_numbers_in_a_row_are_all_pulls(text: str, fights: tuple[int, ...]) -> None:
    assert planned(text).question.fights == fights


@pytest.mark.timeout(120)
def test_all_of_a_class_are_ranked() -> None:
    (told,) = dialogue(FRACTILLUS, "ranking of the best death knights by damage")
    assert "Willòwí" in told.partition(",")[0]
    assert "Brunix" not in told.partition("[r1]")[0]


@pytest.mark.timeout(120)
def test_who_did_something_is_never_told_by_how_the_pull_went() -> None:
    (told,) = dialogue(NAXX, "qui se fait empaler par anub")
    assert told.startswith("**Impale")
    assert "Pingu le plus souvent : 3\u202f079 (2 coups, dont 1 absorbé en entier" in told
    assert "tombé" not in told


@pytest.mark.timeout(120)
def test_a_death_is_gone_on_about() -> None:
    died, killed, lived = dialogue(
        DIMENSIUS, "has anyone died", "killed by what", "would she have survived with a shield"
    )
    assert died.startswith("**Yes. 1 death: Xamymage")
    assert killed.startswith("**Only Xamymage died. Oblivion (Dimensius) killed Xamymage")
    assert "397,246 would have had to be" in lived


@pytest.mark.timeout(120)
def test_an_ability_of_the_answer_before_is_still_meant() -> None:
    _, least = dialogue(ERA, "what is high voltage", "who got hit least of that")
    assert least.startswith("**Not hit by High Voltage! at all: Djn, Rexas.")


@pytest.mark.timeout(120)
def test_the_share_of_crits_is_told() -> None:
    (told,) = dialogue(NAXX, "crit rate of morka please")
    assert "critical hits 43.4% (228 of 525 hits), place 1 of" in told
    (creatures,) = dialogue(ERA, "who did the damage to the bombs")
    assert "Flakeshock did the most damage: 2,385" in creatures


def test_a_tally_s_heading_names_its_pulls() -> None:
    night = demo_nights()[1].overview("", "").night
    assert night
    table = tables(night, result("r1", "get_tally", fights="1-2"))["r1"]
    assert "pulls 1-2 (" in table.heading
    assert night.pulls[0].name in table.heading
    assert "players" in [column.name for column in standing.overview_table(night).columns]
