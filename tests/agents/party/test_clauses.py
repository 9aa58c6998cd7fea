"""What each clause of a message means without a model, and whom it goes on to mean."""

from __future__ import annotations

import pytest
from tests.agents.party.hearing import situation

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import choices
from ruleplay.agents.party.domain.memory import Line, Memory
from ruleplay.agents.party.domain.table import Table
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


@pytest.mark.parametrize(
    ("lang", "message"),
    [
        ("en", "Thorin grunts, sits down on a stool and asks Brenna what's strong and cheap"),
        ("en", "I sit down and ask Brenna what's strong"),
        ("fr", "Thorin grogne, s'assoit sur un tabouret et demande à Brenna ce qui est fort"),
    ],
)
def test_an_account_of_oneself_is_not_put_into_ones_mouth(lang: str, message: str) -> None:
    found = acts(message, lang=lang)
    assert {one.do for one in found} == {"flourish"}
    assert found[-1].to == "brenna"
    assert found[0].text == message[: len(found[0].text)]


@pytest.mark.parametrize(
    ("lang", "message"),
    [
        (
            "en",
            "ok I lean over to Pell and tell him what I saw. not Sunniva she'd blurt it",
        ),
        ("en", "I tell Pell what I saw, but not Sunniva"),
        ("en", "I whisper to Pell, not to Sunniva, that the innkeeper lies"),
        ("fr", "je dis tout bas à Pell ce que j'ai vu. pas à Sunniva, elle le répéterait"),
    ],
)
def test_who_is_left_out_by_name_is_told_nothing(lang: str, message: str) -> None:
    assert [(one.do, one.to) for one in acts(message, lang=lang)] == [("whisper", "pell")]
    assert acts("Sunniva, heal Zephrine, not Pell")[0].do == "say"


def test_quoted_words_that_are_whispered_reach_the_one_companion() -> None:
    said = acts("Thorin se penche vers Pell, à voix basse : « tu la crois, toi ? »", lang="fr")
    assert [(one.do, one.to, one.text) for one in said] == [
        ("whisper", "pell", "tu la crois, toi ?")
    ]


def spoken_with(seat: str, *lines: Line, lang: str = "en") -> tuple[Table, Book]:
    table, book = situation(lang, "inn", seat)
    return table.model_copy(update={"memories": {seat: Memory(recent=lines)}}), book


@pytest.mark.parametrize(
    ("lang", "message"),
    [
        ("en", "Hm. And Thorin? He's gone very quiet over there."),
        ("fr", "Hum. Et Thorin ? Il ne dit plus rien depuis tout à l'heure."),
    ],
)
def test_who_is_called_he_is_spoken_of_to_whom_one_talks_with(lang: str, message: str) -> None:
    said = Line(round=1, kind="said", about="sunniva", value="The dead do not ring.")
    table, book = spoken_with("zephrine", said, lang=lang)
    found = understand(message, table, book, "zephrine").acts
    assert {(one.do, one.to) for one in found} == {("say", "sunniva")}


@pytest.mark.parametrize(
    ("lang", "message"),
    [
        (
            "en",
            "(whisper to the DM) do I get the feeling shes hiding something? I don't want to stare",
        ),
        ("fr", "MJ : est-ce que je sens qu'elle cache quelque chose ?"),
    ],
)
def test_she_is_whom_one_spoke_with_oneself_or_it_is_asked(lang: str, message: str) -> None:
    mine = Line(round=1, kind="talk", about="brenna-bell", other="pell")
    theirs = Line(round=1, kind="talk", about="jory-rope", other="thorin")
    table, book = spoken_with("pell", mine, theirs, lang=lang)
    [trial] = understand(message, table, book, "pell").acts
    assert (trial.do, trial.to, trial.secret) == ("check", "brenna", True)
    assert trial.failure  # a glance that tells nothing says so, and takes no time
    table, book = spoken_with("pell", theirs, lang=lang)
    reading = understand(message, table, book, "pell")
    assert not reading.acts
    [trial] = understand(reading.choices[0], table, book, "pell").acts
    assert (trial.do, trial.to, trial.secret) == ("check", "brenna", True)


@pytest.mark.parametrize(
    ("lang", "message"),
    [
        ("en", "whisper to the dm: can I see it?"),
        ("en", "(to the DM) can I look behind the counter?"),
        ("fr", "MJ : est-ce que je vois quelque chose sous la table ?"),
        ("fr", "en secret, MJ : je peux regarder ?"),
    ],
)
def test_a_look_in_secret_is_a_search_however_it_is_asked_for(lang: str, message: str) -> None:
    table, book = situation(lang, "inn", "pell")
    found = understand(message, table, book, "pell").acts
    assert found
    assert all(one.secret or (one.do, one.to) == ("whisper", "dm") for one in found)
    assert any(one.do in ("check", "whisper") for one in found)
