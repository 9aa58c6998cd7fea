"""What is said is true and about what was named: uses, auras, names that are none."""

from __future__ import annotations

import pytest
from tests.agents.raid.test_answered_numbers import FRACTILLUS, NAXX, dialogue

from ruleplay.agents.raid.domain.overview import Member, Night, PullSummary
from ruleplay.agents.raid.domain.spelling import named_abilities
from ruleplay.agents.raid.domain.subjects import find_bosses
from ruleplay.agents.raid.policy.answers import spans_of
from ruleplay.agents.raid.prompts import OWN, remembered

NIGHT = Night(
    code="n",
    title="n",
    pulls=(PullSummary(fight=1, name="Grand Widow Faerlina", kill=True, ended="kill", seconds=57),),
    members=(Member(name="Rodas", class_name="Death Knight", spec="Unholy"),),
)
SPELLS = {"Unholy Aura": 5, "Acid Spit": 5, "Innervate": 5}


@pytest.mark.timeout(120)
def test_a_boss_s_aura_is_no_absent_cast() -> None:
    (told,) = dialogue(NAXX, "did maexxna go into frenzy")
    assert "Frenzy was on Maexxna for 20.1 s from 39.5 s" in told


@pytest.mark.timeout(120)
def test_uses_of_the_night_are_those_between_pulls_too() -> None:
    (told,) = dialogue(NAXX, "on whom did braisedbrain cast innervate tonight")
    assert "Innervate was used 5 times: Braisedbrain → Morka 4, Braisedbrain → Nule 1" in told
    assert "Outside the pulls 1×: Braisedbrain → Klownalino (20:59:46)" in told


@pytest.mark.timeout(120)
def test_casts_that_follow_closely_are_each_counted() -> None:
    (told,) = dialogue(NAXX, "how many times did redzepi and nule cast life tap tonight")
    assert "Life Tap was used 12 times" in told
    assert "Outside the pulls 42×: Redzepi 24, Nule 18" in told


@pytest.mark.timeout(120)
def test_a_biggest_hit_narrows_nothing_of_the_next_question() -> None:
    _, told = dialogue(NAXX, "biggest hit of the night", "and braisedbrain's?")
    assert "17,899, Starfire by Braisedbrain" in told


@pytest.mark.timeout(120)
def test_nobody_else_was_struck_only_where_that_is_so() -> None:
    (told,) = dialogue(FRACTILLUS, "who tanked fractillus")
    assert "Kissyfrotte (1)" in told
    assert "Nobody else" not in told


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("we had 3 unholy dks", ()),
        ("unholy aura of the dks", ("Unholy Aura",)),
        ("can you spit this out for me", ()),
        ("who is hit by spit", ("Acid Spit",)),
        ("where did his innervates go", ("Innervate",)),
    ],
)
def test_words_of_specs_and_of_everybody_are_no_abilities(
    text: str, found: tuple[str, ...]
) -> None:
    assert named_abilities(text, NIGHT, SPELLS) == found


def test_a_plain_word_of_a_boss_s_name_is_no_boss() -> None:
    assert find_bosses("je suis la grand-mère de Rodas, il joue bien ?", NIGHT) == ((), ())
    assert find_bosses("la veuve, ou plutôt widow, combien de temps", NIGHT)[0]


def test_tags_are_no_text() -> None:
    told = spans_of(
        "**A 12.** [r1] [r2]\n\n| a | b |  |\n| --- | --- | --- |\n| 1 | 2 | [r1] |", {"r1": "x"}
    )
    assert "".join(one.text for one in told) == "**A 12.**\n\n| a | b |\n| --- | --- |\n| 1 | 2 |"
    assert told[0].cites == ("r1", "r2")
    assert told[0].lines == ("x",)


def test_a_model_s_answer_is_remembered_whole_or_up_to_a_line() -> None:
    told = "Four times:\n\n- Aria, at 21:01\n- Oda, at 21:12"
    assert remembered(told, by_model=True) == told
    long = remembered("- Aria did 12.3 things\n" * 200, by_model=True)
    assert len(long) <= OWN + 2
    assert long.endswith("things …")
