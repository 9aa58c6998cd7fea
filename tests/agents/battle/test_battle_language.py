"""A battle that begins in French tells of itself in French, before anybody has said a word."""

from __future__ import annotations

from random import Random

import pytest

from ruleplay.agents.battle.agent import BattleAgent, Config
from ruleplay.agents.battle.domain.memory import Memory, assessment, remember
from ruleplay.agents.battle.domain.phrases import say
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.results import Inference
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


@pytest.mark.parametrize("language", ["en", "fr"])
def test_how_the_battle_stands_is_told_by_the_phrases_of_each_language(
    question: Json, language: str
) -> None:
    position = Position.model_validate(question)
    alone = position.theirs.model_copy(update={"team": ()})
    for theirs in (position.theirs, alone):
        met = position.model_copy(update={"theirs": theirs})
        told = assessment(met, remember(Memory(), met, Inference()), language)
        if theirs.unseen:
            assert say(language, "stands_unseen", count=theirs.unseen) in told
        known = ", ".join(mon.name for mon in theirs.team if not mon.fainted)
        assert (say(language, "stands_known", mons=known) in told) == bool(known)
