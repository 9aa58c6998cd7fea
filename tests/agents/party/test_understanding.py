"""What the table's own ear makes of words where no model reads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import pytest
from tests.agents.party.conftest import Open
from tests.agents.party.gatherings import types
from tests.agents.party.hearing import situation
from tests.samples import PROOF
from tests.shared import shared_data

from ruleplay.agents.party.domain.actions import Whisper
from ruleplay.agents.party.domain.choices import Choice, of_each
from ruleplay.agents.party.domain.commands import command
from ruleplay.agents.party.domain.improvising import perform
from ruleplay.agents.party.domain.staging import roster
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.policy.parsing import again, understand
from ruleplay.story.acts import Act, Reading, problems
from ruleplay.story.texts import Text

WORDINGS = Path(__file__).parents[2] / "wordings" / "stories.jsonl"
SPENDING = ("pick", "rule", "move", "use", "check", "give", "take", "follow", "yield")


def heard(message: str, place: str = "inn", seat: str = "thorin", lang: str = "en") -> Reading:
    table, book = situation(lang, place, seat)
    return understand(message, table, book, seat)


@pytest.mark.parametrize(
    ("message", "place", "do", "item"),
    [
        ("go to the old causeway", "inn", "pick", "go:causeway"),
        ("search", "inn", "pick", "search"),
        ("attack giant rat with longsword", "fight", "pick", "attack:longsword:giant-rat-1"),
        ("dodge", "fight", "pick", "dodge"),
    ],
)
def test_what_is_plainly_named_is_done(message: str, place: str, do: str, item: str) -> None:
    found = heard(message, place)
    assert [(act.do, act.item) for act in found.acts] == [(do, item)]


@pytest.mark.parametrize(
    "message",
    [
        "I juggle three apples on one leg while the others watch",
        "je tresse une couronne de paille pour la statue du saint",
        "everything that is on the shelf behind her, slowly, one by one",
    ],
)
@pytest.mark.parametrize("place", ["inn", "fight", "rats"])
def test_the_rest_costs_nothing_or_is_asked_back_with_choices(message: str, place: str) -> None:
    found = heard(message, place)
    assert len(found.choices) >= 2 or {act.do for act in found.acts} <= {"flourish", "say"}


@pytest.mark.parametrize("place", ["inn", "fight", "rats"])
def test_what_is_denied_is_not_done(place: str) -> None:
    acts = heard("I do not attack", place).acts
    assert not [act for act in acts if act.do in SPENDING]


@pytest.mark.parametrize(
    "message",
    [
        "@dm is there a trapdoor?",
        "(to the DM only) I keep the ring",
        "psst, DM, can Thorin see the rope?",
        "dm: I hide the letter",
        "privately to dm: I keep the letter",
        "je chuchote au MJ que je garde la clé",
        "[MJ seulement] je connais ce prêtre",
        "between you and me, game master, I am lying",
    ],
)
@pytest.mark.parametrize("place", ["inn", "fight"])
def test_what_is_for_the_dm_goes_to_the_dm_alone(message: str, place: str) -> None:
    assert [(act.do, act.to) for act in heard(message, place).acts] == [("whisper", "dm")]


@pytest.mark.parametrize(
    ("message", "do"),
    [
        ("Pell, come here a moment", "say"),
        ("Pell: behind you", "say"),
        ("psst Pell, look at his boots", "whisper"),
        ("I whisper to Pell that I do not trust her", "whisper"),
    ],
)
def test_a_companion_who_is_called_is_spoken_to_aloud_unless_it_is_whispered(
    message: str, do: str
) -> None:
    assert [(act.do, act.to) for act in heard(message).acts] == [(do, "pell")]


@pytest.mark.parametrize(
    ("message", "place", "item"),
    [
        ("I throw my handaxe at the lean rat", "fight", "attack:handaxe:giant-rat-2"),
        ("throw the axe at the nearest one", "fight", "attack:handaxe:giant-rat-1"),
        ("je lance ma hachette sur le rat maigre", "fight", "attack:handaxe:giant-rat-2"),
        ("I keep my eyes open, and then we take a short rest here", "causeway", "short_rest"),
    ],
)  # fmt: skip
def test_what_strangers_had_to_say_twice_is_understood(message: str, place: str, item: str) -> None:
    lang = "fr" if message.startswith("je") else "en"
    assert item in [act.item for act in heard(message, place, lang=lang).acts]


def test_nothing_long_is_passed_over_beside_what_costs_something() -> None:
    said = "Right everyone, a short rest before we go on, I want to see to this ankle."
    found = heard(said, "causeway")
    # Either all of it is the rest, and told as that, or what is open is kept, or it is asked.
    if found.acts:
        told = " ".join(act.text for act in found.acts)
        assert "short_rest" in [act.item for act in found.acts]
        assert all(word in told for word in ("Right everyone", "short rest", "this ankle"))
    else:
        assert "a short rest" in found.question
        assert "short rest" in found.choices[0]


def test_one_of_several_ways_is_asked_about_and_only_the_ways_are_offered() -> None:
    found = heard("shall we go?", "causeway")
    assert found.question
    assert all(choice.startswith("go to ") for choice in found.choices)


def test_the_same_again_is_what_the_seat_said_last() -> None:
    said = ["I go to the mill", "I attack the grey rat", "same again"]
    assert again("Same again!", said) == "I attack the grey rat"
    assert again("I do it all over", said) == "I do it all over"
    assert heard("same again", "fight").question


async def test_again_works_from_turn_to_turn(room: Open) -> None:
    table = await room(humans=["thorin"])
    await table.does({"do": "play"})
    await table.says("Pell, stay close to me", "thorin")
    turn = await table.says("same again", "thorin")
    spoke = [
        event["text"]
        for event in turn.events
        if event["type"] == "Spoke" and event["seat"] == "thorin"
    ]
    assert spoke == ["Pell, stay close to me"]


def test_life_and_death_is_never_taken_from_words_that_mean_something_else() -> None:
    rows = [
        cast("dict[str, object]", json.loads(line))
        for line in WORDINGS.read_text(encoding="utf-8").splitlines()
    ]
    places = ("inn", "rats", "fight", "mill")
    for at, place in enumerate(places):
        for row in rows if PROOF else rows[at :: len(places)]:
            wanted = cast("dict[str, list[dict[str, str]]]", row["reading"]).get("acts", [])
            if {act["do"] for act in wanted} & {"pick", "rule", "use", "give", "yield"}:
                continue
            acts = heard(str(row["input"]), place, "zephrine").acts
            assert not [act for act in acts if _fateful(act)], row["input"]


def _fateful(act: Act) -> bool:
    kind = act.item.split(":")[0]
    return act.do in ("give", "use", "yield") or (
        act.do in ("pick", "rule") and kind in ("attack", "provoke", "flee", "cast", "use", "power")
    )


@pytest.mark.parametrize(
    "message",
    [
        '"I will kill you, rat!"',
        "I lower my sword. 'Enough, all of you. Attack nobody.'",
        "« Attaquez ! » dis-je",
    ],
)
@pytest.mark.parametrize("place", ["inn", "fight", "rats"])
def test_quoted_speech_never_attacks(message: str, place: str) -> None:
    acts = heard(message, place).acts
    assert not [act for act in acts if act.do in ("pick", "rule")]


def test_commands_and_names_of_options_need_no_reading() -> None:
    table, book = situation("en", "inn", "thorin")
    assert command("/help", table, book, "thorin") is not None
    assert command("/frobnicate the door", table, book, "thorin") is not None
    assert command("go:causeway", table, book, "thorin") is not None
    assert command("I go there", table, book, "thorin") is None
    for typed in ("/chuchoter mj psst", "/wisper dm psst", "/chuchotez mj psst"):
        assert command(typed, table, book, "thorin") == Whisper(
            do="whisper", to=("dm",), text="psst"
        )
    assert getattr(command("/passons par là", table, book, "thorin"), "do", "") == "look"


@pytest.mark.parametrize("place", ["inn", "fight", "rats"])
def test_strangers_words_are_never_taken_for_another_act_that_costs(place: str) -> None:
    """Their meaning may be missed: then it is asked back, or said, and nothing is spent."""
    rows = [
        cast("dict[str, object]", json.loads(line))
        for name in ("played", "more")
        for line in (shared_data("readings") / f"{name}.jsonl")
        .read_text(encoding="utf-8")
        .splitlines()
    ]
    if not PROOF:
        rows = rows[("inn", "fight", "rats").index(place) :: 3]
    table, book = situation("en", place, "zephrine")
    known = roster(table, book, "zephrine")
    spent = 0
    for row in rows:
        found = understand(str(row["input"]), table, book, "zephrine")
        assert not problems(found.heard, known)
        wanted = cast("dict[str, list[dict[str, str]]]", row["reading"])
        free = all(act["do"] not in SPENDING for act in wanted.get("acts", []))
        spent += free and any(act.do in SPENDING for act in found.acts)
    assert spent <= len(rows) * 0.05


@pytest.mark.parametrize("message", ["/help", "what can I do?", "/sheet", "/recap", "/rules"])
async def test_questions_to_the_table_cost_no_turn(room: Open, message: str) -> None:
    table = await room(humans=["thorin"])
    await table.does({"do": "play"})
    turn = await table.says(message, "thorin")
    assert types(turn) == ["Consulted"]
    assert turn.reply == ""
    assert (await table.state()).current_turn == "thorin"


async def test_free_words_are_for_their_sender_and_the_dm(room: Open) -> None:
    table = await room(humans=["thorin"])
    await table.does({"do": "play"})
    turn = await table.says("psst DM the miller is my uncle", "thorin")
    assert turn.audience == ("dm", "thorin")
    assert "uncle" not in turn.reply
    assert "uncle" not in str(await table.view("pell"))
    assert "uncle" in str(await table.view("dm"))


@pytest.mark.parametrize(
    "message", ["wait what? who am I and where are we", "attends, quoi ? on est où"]
)
def test_a_puzzled_player_does_not_let_the_turn_pass(message: str) -> None:
    found = heard(message)
    assert not any(act.do == "wait" for act in found.acts)


def test_asking_back_offers_the_players_own_words_and_picking_them_does_it() -> None:
    own = "I swing on the chain over their heads"
    table, book = situation("en", "fight", "thorin")
    asked = understand(own, table, book, "thorin")
    assert f"“{own}”" in asked.question
    play = TableTurn(table, book)
    perform(play, "thorin", asked, own)
    found = [understand(one, play.table, book, "thorin") for one in asked.choices]
    assert all(one.acts for one in found)
    assert "check" in [one.acts[0].do for one in found]


async def test_the_dm_answers_a_whisper_without_repeating_what_was_whispered(room: Open) -> None:
    table = await room(humans=["thorin"])
    await table.does({"do": "play"})
    await table.says("psst DM the miller is my uncle", "thorin")
    turn = await table.says("psst DM does he know me", "thorin")
    answers = [str(event) for event in turn.events if event.get("who", event.get("seat")) == "dm"]
    assert answers
    assert not any("uncle" in one for one in answers)


def test_every_spell_keeps_a_target_where_not_all_options_fit() -> None:
    ids = [f"cast:{spell}:rat-{n}" for spell in ("bolt", "sleep", "ray") for n in range(5)]
    offered = [Choice(id=one, label=Text(en=one, fr=one), steps=()) for one in ids]
    kept = [one.id for one in of_each(offered, 7)]
    assert kept == [one for one in ids if one in kept]
    assert {one.split(":")[1] for one in kept} == {"bolt", "sleep", "ray"}
    assert len(kept) == 7
