"""What is asked in words that no pattern knows: abbreviations, slips, meanings."""

from __future__ import annotations

import pytest
from tests.agents.raid.test_planner import WORLD

from ruleplay.agents.raid.domain.concepts import concepts, corrected, spelled_out
from ruleplay.agents.raid.domain.questions import read, topics


def test_the_table_speaks_of_topics_and_concepts_that_there_are() -> None:
    table = concepts()
    assert {topic for topic, _ in table.asks} <= {topic.name for topic in topics()}
    assert all(asked <= table.says.keys() for _, asked in table.asks)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("missed inturrupts", "missed interrupt"),
        ("unused cooldwns", "unused cooldown"),
        ("enchatment", "enchant"),
        ("who did well", "who did well"),
    ],
)
def test_slips_are_taken_for_the_nearest_word(said: str, meant: str) -> None:
    assert corrected(said) == meant


def test_abbreviations_are_spelled_out() -> None:
    assert spelled_out("y did the mt go down, wep buffs") == (
        "why did the main tank go down, weapon buffs"
    )
    assert spelled_out("il y a un probleme") == "il y a un probleme"


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("first corpse of pull 3", "first_death"),
        ("what chunked the tank on pull 3", "tank_death"),
        ("on est morts de quoi sur le dernier wipe", "wipe"),
        ("who could have dodged more on pull 3", "avoidable"),
        ("casts that slipped through, pull 3", "missed_interrupts"),
        ("who napped on pull 3", "activity"),
        ("which healer heals full bars on pull 3", "overheal"),
        ("qui est venu sans fiolle au pull 3", "consumables"),
        ("kill time against the previous lockout", "week"),
        ("nice weather today", ""),
    ],
)
def test_a_question_is_understood_by_what_its_words_mean(question: str, topic: str) -> None:
    assert (read(question, WORLD).topics or ("",))[0] == topic


def test_the_name_of_a_pull_asks_nothing() -> None:
    asked = read("who was asleep on our last kill", WORLD)
    assert (asked.topics, asked.kind) == (("activity",), "kill")
