"""What each clause of a message means without a model, and whom it goes on to mean."""

from __future__ import annotations

import pytest
from tests.agents.party.hearing import situation

from ruleplay.agents.party.domain.choices import choices
from ruleplay.agents.party.policy.parsing import understand
from ruleplay.story.acts import Act
from ruleplay.story.beats import answer
from ruleplay.story.mentions import negated
from ruleplay.story.passage import Scene, judge
from ruleplay.story.texts import words_of


def acts(message: str, place: str = "inn", seat: str = "thorin", lang: str = "en") -> list[Act]:
    table, book = situation(lang, place, seat)
    return [*understand(message, table, book, seat).acts]


def test_a_second_question_goes_to_whoever_was_asked_the_first() -> None:
    found = acts("What was he like, Brenna? Has anybody seen him of late?")
    assert [(act.do, act.to) for act in found] == [("say", "brenna")]
    assert "of late" in found[0].text


def test_a_spell_that_is_named_with_whom_it_is_for_is_cast_whatever_stands_beside_it() -> None:
    found = acts("cure wounds on Pell, the smallest slot will do", "fight", "sunniva")
    assert "cast:cure-wounds:pell" in [act.item for act in found]


def test_a_stance_is_called_by_its_verb_in_any_form() -> None:
    assert [act.item for act in acts("je me désengage", "fight", "zephrine", "fr")] == ["disengage"]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_whoever_knows_many_spells_is_still_offered_how_to_stand(lang: str) -> None:
    table, book = situation(lang, "fight", "zephrine")
    offered = {one.id for one in choices(table, book, "zephrine")}
    assert {"dodge", "disengage", "dash"} <= offered


def test_what_is_taken_in_secret_is_not_bought() -> None:
    assert not [act for act in acts("jpique la corde du vieux en douce", lang="fr") if act.want]


def test_a_step_is_no_denial() -> None:
    assert not negated(words_of("à pas de loup"))
    assert negated(words_of("je n'y vais pas"))


@pytest.mark.parametrize(
    ("lang", "asked", "told"),
    [
        ("fr", "15 po à quatre, ça fait combien ?",
         "Quinze pièces d'or à quatre font trois pièces d'or, sept d'argent et cinq de cuivre."),
        ("en", "15 gp among four is what each?",
         "Fifteen among four is 3 gold, 7 silver and 5 copper each."),
    ],
)  # fmt: skip
def test_a_sum_of_a_question_is_worked_out(lang: str, asked: str, told: str) -> None:
    beat = answer("b1", asked, ("15 po" if lang == "fr" else "15 gp",), "the sheet")
    scene = Scene.__call__(lang=lang)  # type: ignore[arg-type]
    assert judge(f"{told} [b1]", (beat,), (), scene).problems == []
