"""Without a model a message is done once all of it is understood; else it is asked about."""

from __future__ import annotations

import pytest
from tests.agents.party.conftest import Open
from tests.agents.party.gatherings import laid
from tests.agents.party.hearing import situation
from tests.agents.party.test_improvising import done

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.happenings import table as p
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.happenings.table import Consulted
from ruleplay.agents.party.domain.improvising import perform
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.policy.parsing import ASK, understand
from ruleplay.agents.party.policy.replies import looked_up
from ruleplay.story.acts import Reading


def heard(message: str, place: str = "inn", seat: str = "thorin", lang: str = "en") -> Reading:
    table, book = situation(lang, place, seat)
    return understand(message, table, book, seat)


def asked(message: str, place: str, seat: str, lang: str = "en") -> tuple[Table, Book, Reading]:
    """Return the table with the question about a message, and the question."""
    table, book = situation(lang, place, seat)
    reading = understand(message, table, book, seat)
    assert reading.question
    play = TableTurn(table, book)
    perform(play, seat, reading, message)
    assert play.table.cast == table.cast
    return play.table, book, reading


def test_each_of_two_plain_deeds_is_done_with_what_was_named() -> None:
    found = heard(
        "mot de guérison sur Pell, puis arbalète sur le plus proche", "fight", "sunniva", "fr"
    )
    assert [act.item for act in found.acts] == [
        "cast:healing-word:pell",
        "attack:light-crossbow:giant-rat-1",
    ]


def test_a_spell_written_in_one_word_is_that_spell() -> None:
    found = heard("firebolt the nearest", "fight", "zephrine")
    assert [act.item for act in found.acts] == ["cast:fire-bolt:giant-rat-1"]


def test_what_is_not_understood_is_quoted_and_nothing_happens() -> None:
    message = "I hit the lean rat, then I unscrew the moon from the lintel with the rapier"
    _, _, found = asked(message, "fight", "pell")
    assert "unscrew the moon" in found.question
    assert len(found.choices) >= 2


def test_what_was_understood_is_done_and_the_rest_told_when_its_player_says_so() -> None:
    message = "healing word on Pell. the mace goes where the mace goes"
    table, book, found = asked(message, "fight", "sunniva")
    assert found.choices[0] == ASK["with_rest"].en.format("cast healing word on Pell")
    done_ = understand(found.choices[0], table, book, "sunniva")
    assert [act.item or act.text for act in done_.acts] == [
        "cast:healing-word:pell",
        "the mace goes where the mace goes",
    ]
    assert understand("yes", table, book, "sunniva") == done_


def test_what_was_asked_about_can_be_said_as_it_stands_to_its_last_word() -> None:
    message = "could the lot of you carry the rope, the lantern and the mace up there, " * 3
    table, book = situation("en", "inn", "thorin")
    choices = (ASK["say_all"].en, "b")
    asks = t.AskedBack(seat="thorin", question="?", choices=choices, message=message.strip())
    play = done(table, book, "thorin", message, question="?", choices=choices)
    assert isinstance(play.done[-1], t.AskedBack)
    found = understand(choices[0], play.table, book, "thorin")
    assert [(act.do, act.to) for act in found.acts] == [("say", "all")]
    assert found.acts[0].text == asks.message[:300].strip()


@pytest.mark.parametrize(
    ("message", "lang"),
    [
        ("DM, would my order have taught me anything about such a bell?", "en"),
        ("maître du jeu, mon ordre m'a appris quelque chose sur une cloche pareille ?", "fr"),
    ],
)
def test_a_question_to_the_game_master_is_answered_and_no_whisper(message: str, lang: str) -> None:
    assert [act.do for act in heard(message, lang=lang, seat="sunniva").acts] == ["ask"]


def test_of_a_message_only_what_is_whispered_is_whispered() -> None:
    message = "tout bas à Pell : il nous mène en bateau. Brenna, votre soupe est un délice"
    found = heard(message, lang="fr")
    assert (found.acts[0].do, found.acts[0].to) == ("whisper", "pell")
    assert "bateau" not in "".join(act.text for act in found.acts[1:])


def test_what_is_asked_whether_it_can_be_done_is_not_done() -> None:
    found = heard("can I attack the lean rat from here?", "fight")
    assert not [act for act in found.acts if act.do in ("pick", "rule")]


def test_an_account_of_words_is_not_put_into_a_mouth() -> None:
    found = heard("inquire of Brenna about the toll on the old road")
    assert not found.acts or found.acts[0].do == "flourish" or found.acts[0].topic


async def test_who_speaks_to_a_person_is_told_what_they_answer_without_a_model(room: Open) -> None:
    table = await room(humans=["thorin"])
    await table.does({"do": "play"})
    turn = await table.says('"That is a fine lantern, Brenna."', "thorin")
    assert any(one["type"] == "Spoke" for one in turn.events)
    assert any("about the bell" in aside.text for aside in turn.asides)


def test_a_ready_character_keeps_the_spells_of_its_sheet_at_every_level() -> None:
    for level in (2, 3, 5):
        state, book = laid(level=level)
        sunniva, zephrine = (state.table.cast.the(one) for one in ("sunniva", "zephrine"))
        assert {"cure-wounds", "healing-word", "bless"} <= {*sunniva.spells}
        assert {"shield", "magic-missile", "mage-hand"} <= {*zephrine.spells}
        tops = {book.rules.spells[key].level for key in zephrine.spells}
        assert tops == set(range(len(zephrine.max_slots) + 1))


@pytest.mark.parametrize(
    ("message", "lang"),
    [
        ("I suggest: nobody lights a torch, we stay ten paces apart, a whistle means stop", "en"),
        ("Moi je dis : on attend la nuit, on passe par la digue, personne ne parle", "fr"),
        ("I hum a tune for the drowned, softly", "en"),
        ("« Brenna, je vous rendrai Pim, parole. »", "fr"),
        ("mdr et mon cheval il a droit à une bière", "fr"),
        ("maybe we rest first and then go?", "en"),
    ],
)
def test_plans_vows_and_jokes_cost_nothing(message: str, lang: str) -> None:
    found = heard(message, lang=lang)
    assert found.question or all(act.do in ("say", "ask", "flourish") for act in found.acts)
    assert not any(act.topic or act.item for act in found.acts)


def test_what_somebody_has_told_already_is_looked_up_and_not_told_again() -> None:
    table, book = situation("en", "inn", "thorin")
    flags = (*table.expedition.flags, "talk:brenna-bell", "scene:inn")
    there = table.expedition.model_copy(update={"flags": flags})
    after = table.model_copy(update={"expedition": there})
    found = understand("oh and who's Pim to her?", after, book, "thorin")
    assert [(act.do, act.to) for act in found.acts] == [("ask", "memory")]
    asks = Consulted(seat="thorin", topic="memory", about="oh and who's Pim to her?", asked=True)
    told = looked_up(asks, after, book)
    assert "Her boy Pim is one of the three." in told


@pytest.mark.parametrize(
    ("message", "do"),
    [
        ("Just for the DM, I pocket the spoon. Don't tell the others", "check"),
        ("for the dm only: is the old man lying? keep it from the others", "whisper"),
    ],
)
def test_what_is_for_the_game_master_alone_stays_so_to_its_last_word(message: str, do: str) -> None:
    found = heard(message, seat="pell").acts
    assert {act.do for act in found} == {do}
    assert all(act.secret or act.to == "dm" for act in found)


@pytest.mark.parametrize(
    ("message", "place", "lang", "do", "skill"),
    [
        ("can I tell whether Jory hides something?", "inn", "en", "check", "insight"),
        ("je tends l'oreille, ça vient d'où ?", "inn", "fr", "check", "perception"),
        ("I have a close look at the lantern", "inn", "en", "pick", ""),
        ("the first one that comes near me gets my longsword", "fight", "en", "rule", ""),
    ],
)
def test_looks_and_what_is_held_ready_are_done(
    message: str, place: str, lang: str, do: str, skill: str
) -> None:
    (act,) = heard(message, place, lang=lang).acts
    assert (act.do, act.skill) == (do, skill)
    assert (act.when == "trigger") == (place == "fight")


def test_what_was_just_proposed_is_taken_up() -> None:
    table, book = situation("en", "inn", "thorin")
    own = ("what would I get if Zephrine helped me look at the lantern?",)
    (act,) = understand("alright, let's do that", table, book, "thorin", own).acts
    assert act.item == "search"
    play = TableTurn(table, book)
    play.add(p.Spoke(seat="pell", text="Me? I'd go to the old causeway, and soon."))
    (act,) = understand("ok do that", play.table, book, "thorin").acts
    assert act.item == "go:causeway"


def test_a_look_beside_a_question_is_not_left_out() -> None:
    found = heard("What's the mood like in here? I have a close look at the lantern").acts
    assert ["search" in (act.item, act.to) for act in found][-1]


@pytest.mark.parametrize(
    ("message", "place", "seat", "lang", "does"),
    [
        (
            "I hit the nearest rat. and if it dies can I strike another one too?",
            "fight",
            "thorin",
            "en",
            [("pick", ""), ("ask", "rules")],
        ),
        (
            "jlance boule de feu sur tous les rats mais pas sur pell",
            "fight",
            "zephrine",
            "fr",
            [("vain", "")],
        ),
        (
            "pardon je débute, c'est quoi un tour de magie et un emplacement",
            "inn",
            "zephrine",
            "fr",
            [("ask", "rules")],
        ),
        ("could Thorin swim down to the bell?", "inn", "thorin", "en", [("ask", "rules")]),
        (
            "could I burn two of them without hitting Thorin?",
            "fight",
            "zephrine",
            "en",
            [("ask", "rules")],
        ),
        (
            "Sunniva behind me, Zephrine at the back, and Pell keeps quiet",
            "inn",
            "thorin",
            "en",
            [("say", "all")],
        ),
    ],
)
def test_a_question_is_answered_and_never_taken_for_something_else(
    message: str, place: str, seat: str, lang: str, does: list[tuple[str, str]]
) -> None:
    assert [(act.do, act.to) for act in heard(message, place, seat, lang).acts] == does


def test_nobody_says_aloud_what_tells_of_their_own_character() -> None:
    table, book = situation("en", "inn", "thorin")
    told = (
        "I'd like Thorin to look out, and if it's too dark, ask Brenna for a light. He says please."
    )
    assert understand(told, table, book, "thorin").question
