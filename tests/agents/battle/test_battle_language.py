"""A battle that begins in French tells of itself in French, before anybody has said a word."""

from __future__ import annotations

from random import Random

import pytest

from ruleplay.agents.battle.agent import BattleAgent, Config
from ruleplay.agents.battle.domain.memory import Memory, assessment
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.policy.replies import ending
from ruleplay.agents.battle.state import BattleEnded
from ruleplay.records.events import Json


def test_the_end_is_told_of_ruleplay_and_without_a_guests_digits() -> None:
    agent = BattleAgent()
    for lang, told in (
        ("en", "Ruleplay lost against Player after 4 turns."),
        ("fr", "Ruleplay a perdu contre Player en 4 tours."),
    ):
        state = agent.new(Config(lang=lang), Random(0)).but(opponent="Player ad81fc1b")
        assert ending(state, BattleEnded(result="loss", turns=4, timed_out=False)) == told


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_session_keeps_its_language_until_a_person_speaks_another(lang: str) -> None:
    state = BattleAgent().new(Config(lang=lang), Random(0))
    assert state.language == lang
    assert ("lang" in state.model_dump()) == (lang != "en")


def test_how_the_battle_stands_is_told_in_french(question: Json) -> None:
    position = Position.model_validate(question)
    told = assessment(position, Memory(), "fr")
    assert "tenons-nous au plan" in told or "Nous menons" in told or "menés" in told
    assert "strategy" not in told
