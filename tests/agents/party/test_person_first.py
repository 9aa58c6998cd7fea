"""With a person at a seat: companions let them have a turn first, and what they ask is answered."""

from __future__ import annotations

import json

import pytest
from tests.agents.party.conftest import Open
from tests.agents.party.gatherings import laid
from tests.agents.party.hearing import situation

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import choices
from ruleplay.agents.party.domain.exploration.acts import Exploration
from ruleplay.agents.party.domain.happenings.table import Spoke
from ruleplay.agents.party.domain.improvising import perform
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.policy.parsing import understand
from ruleplay.agents.party.policy.telling import Telling
from ruleplay.story.acts import Reading


def inn(human: str = "zephrine") -> tuple[Table, Book]:
    state, book = laid(1, humans=(human,))
    play = TableTurn(state.table, book)
    assert play.venture("dm", Exploration(act="begin")) is None
    play.finish("dm")
    return play.table, book


def test_companions_begin_nothing_in_a_scene_before_a_person_had_a_turn_there() -> None:
    table, book = inn()
    assert table.awaited == ("zephrine",)
    assert [one.id for one in choices(table, book, "thorin")] == ["wait"]
    assert len(choices(table, book, "zephrine")) > 1
    play = TableTurn(table, book)
    play.finish("zephrine", "passes")
    assert play.table.awaited == ()
    assert len(choices(play.table, book, "thorin")) > 1


def test_a_new_scene_waits_for_the_person_again() -> None:
    table, book = inn()
    play = TableTurn(table, book)
    assert play.venture("zephrine", Exploration(act="go", target="causeway")) is None
    play.finish("zephrine")
    assert play.table.tale.present == {"zephrine": "inn"}
    assert play.table.awaited == ("zephrine",)


def test_nobody_waits_where_nobody_sits() -> None:
    state, _ = laid(1)
    assert state.table.awaited == ()


async def test_a_table_stays_where_it_is_until_the_person_has_had_a_turn(room: Open) -> None:
    table = await room(humans=["zephrine"])
    for _ in range(4):
        await table.plays(1)
    assert (await table.view())["current_turn"] == "zephrine"
    view = await table.view()
    scene = view["scene"]
    assert isinstance(scene, dict)
    assert (view["mode"], scene["key"]) == ("exploring", "inn")


@pytest.mark.parametrize("said", ["@dm do I notice anything?", "/dm do I notice anything?"])
async def test_a_whisper_to_the_dm_is_answered_in_the_same_turn(room: Open, said: str) -> None:
    table = await room(humans=["zephrine"])
    await table.plays(1)
    turn = await table.says(said, "zephrine")
    whispers = [event for event in turn.events if event["type"] == "Whispered"]
    assert [one["seat"] for one in whispers] == ["zephrine", "dm"]
    assert all({*one["audience"]} == {"dm", "zephrine"} for one in whispers)  # type: ignore[misc]
    assert not turn.reply
    assert len(turn.asides) == 2


def test_words_to_several_companions_are_said_once_to_all() -> None:
    table, book = inn()
    words = "“Friends, what do we make of that?”"
    act = {"do": "say", "text": "Friends, what do we make of that?"}
    acts = [{**act, "to": one} for one in ("thorin", "pell", "sunniva")]
    play = TableTurn(table, book)
    perform(play, "zephrine", Reading.model_validate({"acts": acts}), words)
    spoke = [(one.text, one.to) for one in play.done if isinstance(one, Spoke)]
    assert spoke == [(act["text"], "")]
    assert {one.to for one in play.table.tale.waiting} == {"thorin", "pell", "sunniva"}


def test_a_greeting_without_marks_is_said_and_what_somebody_does_is_not() -> None:
    table, book = inn()
    message = "Evening everyone. I take the seat by the wall."
    for text, kind in (("Evening everyone.", "Spoke"), ("I take the seat by the wall.", "Did")):
        play = TableTurn(table, book)
        reading = Reading.model_validate({"acts": [{"do": "say", "text": text}]})
        perform(play, "zephrine", reading, message)
        assert type(play.done[0]).__name__ == kind


@pytest.mark.parametrize(
    "message",
    [
        "wait can we go back to where we started, I had one more question for them",
        "If something comes at us I hit it, otherwise I wait for the others.",
        "how's everyone doing? who is bleeding?",
        "what skills am I actually good at?",
        "same again",
    ],
)
@pytest.mark.parametrize("place", ["inn", "rats", "fight"])
def test_a_word_within_a_sentence_costs_no_turn(message: str, place: str) -> None:
    table, book = situation("en", place, "thorin")
    found = understand(message, table, book, "thorin")
    # What is said aloud is as free as a question is; where nobody fights, a blow that is held ready
    # is standing guard, and only told.
    assert found.question or {act.do for act in found.acts} <= {"ask", "say", "flourish"}


def test_what_is_said_for_another_case_makes_no_other_act() -> None:
    table, book = situation("en", "fight", "thorin")
    message = "I go for the nearest enemy, nothing fancy. If there's no enemy, I look bored."
    found = understand(message, table, book, "thorin")
    blow = "attack one-eared giant rat with longsword"
    asked = found.question and any(choice.startswith(blow) for choice in found.choices)
    assert asked or [act.item for act in found.acts] == ["attack:longsword:giant-rat-1"]


def test_authored_words_are_told_once_in_a_telling() -> None:
    table, book = inn()
    telling = Telling(table, book)
    for _ in range(2):
        telling.tell("“There was a ferry.”")
    assert telling.laid_out() == ["“There was a ferry.”"]


def test_what_a_turn_prints_as_json_holds_what_its_seat_alone_hears() -> None:
    from ruleplay.cli.output import TURN

    assert "asides" in json.dumps(TURN)
