"""What is not plain is asked back once and whole; what a table without a model says is true."""

from __future__ import annotations

import pytest
from tests.agents.party.conftest import Open
from tests.agents.party.hearing import situation

from ruleplay.agents.party.domain.addressing import addressed
from ruleplay.agents.party.domain.choices import choices
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.happenings.table import Consulted
from ruleplay.agents.party.domain.improvising import perform
from ruleplay.agents.party.domain.staging import waiters
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.policy.parsing import understand
from ruleplay.agents.party.policy.replies import looked_up
from ruleplay.agents.party.policy.report import tell_events
from ruleplay.agents.party.state import event_of
from ruleplay.story.acts import Reading
from ruleplay.story.beats import Beat


def played(place: str, seat: str, *acts: dict[str, object], lang: str = "en") -> TableTurn:
    table, book = situation(lang, place, seat)
    play = TableTurn(table, book)
    perform(play, seat, Reading.model_validate({"acts": acts}), "as told")
    return play


@pytest.mark.parametrize(
    ("message", "place", "lang"),
    [
        ("I swing on the chain over their heads", "fight", "en"),
        ("bof non. trop dangereux. vas-y je grille celui du fond", "fight", "fr"),
    ],
)
def test_a_message_is_asked_about_as_a_whole(message: str, place: str, lang: str) -> None:
    table, book = situation(lang, place, "zephrine" if place == "fight" else "thorin")
    found = understand(message, table, book, table.current_turn)
    assert message in found.question
    assert 2 <= len(found.choices) <= 4
    assert not [one for one in found.choices if one.split(":")[-1].strip() in message]


@pytest.mark.parametrize(
    ("message", "place", "lang", "does"),
    [
        ("Thorin slaps the table twice. WINE. and a jug for grandpa there", "inn", "en",
         ["flourish", "say", "say"]),
        ("I walk the length of the wall, what's our armour class?", "inn", "en",
         ["flourish", "ask"]),
        ("phone rang, sorry. whose turn is it", "fight", "en", ["ask"]),
        ("Plan: I take the door, Pell the window. Everybody fine with it?", "inn", "en", ["say"]),
        ('I say "we mean no harm". Then I twiddle the thing with the thing', "inn", "en",
         ["say", "flourish"]),
        ("I hum a tune for the drowned, softly", "inn", "en", ["flourish"]),
    ],
)  # fmt: skip
def test_what_costs_nothing_is_done_without_a_question(
    message: str, place: str, lang: str, does: list[str]
) -> None:
    table, book = situation(lang, place, "thorin")
    found = understand(message, table, book, "thorin")
    assert not found.question
    assert [act.do for act in found.acts] == does


def test_a_case_of_a_message_is_offered_with_how_it_stands() -> None:
    message = "Je soigne Pell s'il est mal en point, sinon je frappe le rat maigre avec ma masse"
    table, book = situation("fr", "fight", "sunniva")
    found = understand(message, table, book, "sunniva")
    assert "Pell: à l'agonie 0/9" in found.question
    assert found.choices[:2] == ("Je soigne Pell", "sinon je frappe le rat maigre avec ma masse")
    play = TableTurn(table, book)
    perform(play, "sunniva", found, message)
    (act,) = understand("Je soigne Pell", play.table, book, "sunniva").acts
    assert "pell" in (act.to, act.item.rpartition(":")[2])


def test_what_one_sentence_tries_is_one_roll() -> None:
    table, book = situation("fr", "inn", "thorin")
    message = "je fais semblant de dormir, et je cache la clé sans bruit dans ma botte"
    acts = [act for act in understand(message, table, book, "thorin").acts if act.do == "check"]
    assert [act.text for act in acts] == [message]


@pytest.mark.parametrize(
    ("message", "lang"),
    [
        ("projectile magique : deux sur le rat maigre et un sur le premier rat", "fr"),
        ("magic missile, two at the lean rat and one at the grey rat", "en"),
    ],
)
def test_darts_are_shared_out_or_asked_about_and_nobody_walks(message: str, lang: str) -> None:
    table, book = situation(lang, "fight", "zephrine")
    found = understand(message, table, book, "zephrine")
    assert found.question or {act.with_ for act in found.acts} == {"magic-missile"}


@pytest.mark.parametrize(
    "acts",
    [
        [{"to": "giant-rat-1", "count": 2}, {"to": "giant-rat-2"}],
        [{"to": "giant-rat-1, giant-rat-1, giant-rat-2"}],
    ],
)
def test_the_darts_of_one_spell_go_where_each_is_sent(acts: list[dict[str, object]]) -> None:
    cast = {"do": "rule", "item": "cast", "with": "magic-missile"}
    play = played("fight", "zephrine", *({**cast, **one} for one in acts))
    lost = [(one.who, one.amount) for one in play.done if isinstance(one, h.HitPointsChanged)]
    assert [who for who, _ in lost] == ["giant-rat-1", "giant-rat-2"]
    assert lost[0][1] == 2 * lost[1][1] or play.table.cast.the("giant-rat-1").hp == 0
    assert len([one for one in play.done if isinstance(one, h.SlotSpent)]) == 1


def test_several_who_are_named_after_one_another_are_each_meant() -> None:
    table, book = situation("en", "fight", "zephrine")
    act = {"do": "rule", "item": "cast", "with": "magic-missile", "to": "giant-rat-1, giant-rat-2"}
    found = addressed(Reading.model_validate({"acts": [act]}), table, book, "zephrine")
    assert [one.to for one in found.acts] == ["giant-rat-1", "giant-rat-2"]


def test_a_blow_without_killing_is_one_that_spares() -> None:
    for lang, message in (
        ("fr", "j'attaque le rat maigre à l'épée longue sans le tuer"),
        ("en", "I hit the lean rat with my longsword without killing it"),
    ):
        table, book = situation(lang, "fight", "thorin")
        found = understand(message, table, book, "thorin")
        assert [(act.spare, act.to) for act in found.acts] == [(True, "giant-rat-2")]


def test_who_waits_and_has_a_name_is_threatened_alone_and_it_is_rolled() -> None:
    table, book = situation("en", "rats", "pell")
    there = table.expedition.model_copy(update={"scene": "cellar"})
    table = table.model_copy(update={"expedition": there})
    assert "wreckers/thug" in waiters(table, book)
    act = {
        "do": "say",
        "to": "wreckers/thug",
        "approach": "threaten",
        "want": "know",
        "text": "Who?",
    }
    play = TableTurn(table, book)
    perform(play, "pell", Reading.model_validate({"acts": [act]}), "Who?")
    told = tell_events(table, [event_of(one) for one in play.done], book).laid_out()
    assert told[0] == "Pell, to Gannet: “Who?”"
    assert any("Intimidation" in one.line.text for one in told if isinstance(one, Beat))
    assert any("Gannet answers once" in one.says for one in told if isinstance(one, Beat))


def test_animals_follow_no_words() -> None:
    act = {"do": "say", "to": "rats", "approach": "threaten", "text": "Out of my way!"}
    play = played("rats", "thorin", act)
    assert [one.why for one in play.done if isinstance(one, t.InVain)] == ["no_words"]


def test_what_an_author_has_somebody_answer_is_not_answered_twice() -> None:
    act = {"do": "say", "to": "brenna", "topic": "brenna-bell", "text": "Have you heard it?"}
    play = played("inn", "pell", act)
    table, book = situation("en", "inn", "pell")
    told = tell_events(table, [event_of(one) for one in play.done], book).laid_out()
    assert not [one for one in told if isinstance(one, Beat) and "in words" in one.says]


def test_a_question_that_names_nobodys_secret_is_not_answered_with_one() -> None:
    table, book = situation("fr", "fight", "sunniva")
    asked = Consulted(seat="sunniva", topic="memory", about="Je n'en ai pas d'autre en cours, si ?")
    assert "paroisse" not in looked_up(asked, table, book)


def test_a_caster_is_told_what_is_held_and_known() -> None:
    table, book = situation("en", "inn", "zephrine")
    found = looked_up(Consulted(seat="zephrine", topic="rules", about="ritual?"), table, book)
    assert "No spell is kept up by concentration now." in found
    assert "magic missile" in found


def test_what_is_asked_about_the_table_is_answered_with_what_can_be_set() -> None:
    table, book = situation("en", "inn", "pell")
    found = looked_up(Consulted(seat="pell", topic="settings"), table, book)
    assert "/style short" in found
    assert "short/medium/long" in found


async def test_a_question_back_is_no_turn_to_be_taken_back(room: Open) -> None:
    table = await room(humans=["thorin"])
    await table.does({"do": "play"})
    await table.says("Pell, stay close to me", "thorin")
    turn = await table.says("a long rest?", "thorin")
    assert [one["type"] for one in turn.events] == ["AskedBack"]
    await table.says("/undo", "thorin")
    async with table.session() as session:
        kept = [one.given.message for one in await session.turns()]
    assert "Pell, stay close to me" not in kept


def test_cunning_offers_what_it_does_and_does_it_beside_an_attack() -> None:
    table, book = situation("en", "fight", "pell")
    pell = table.cast.the("pell")
    known = {"features": (*pell.features, feature("cunning-action")), "position": 100}
    cast = table.cast.with_("pell", **known)
    table = table.model_copy(update={"cast": cast})
    offered = {one.id for one in choices(table, book, "pell")}
    assert "feature:cunning-hide:pell" in offered
    assert "feature:cunning-action:pell" not in offered
    play = TableTurn(table, book)
    acts = [
        {"do": "rule", "item": "attack", "with": "shortbow", "to": "giant-rat-3"},
        {"do": "rule", "item": "hide"},
    ]
    perform(play, "pell", Reading.model_validate({"acts": acts}), "I shoot, then hide")
    taken = [(one.act, one.cost) for one in play.done if isinstance(one, h.ActionTaken)]
    assert ("feature", "bonus") in taken


def feature(key: str) -> object:
    from ruleplay.agents.party.domain.creature import Feature

    return Feature(key=key)
