"""What hands do in peace: things put down, used up or stolen, blows at persons; and other seats."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.agents.party.conftest import Open
from tests.agents.party.gatherings import laid
from tests.agents.party.models import Able
from tests.agents.party.test_improvising import done, inn, kinds

from ruleplay.agents.party.domain.exploration.acts import Exploration
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.improvising import begin
from ruleplay.agents.party.domain.performance import Performance
from ruleplay.agents.party.domain.staging import people, roster
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.nodes.acting import as_events
from ruleplay.kernel.replay import replay
from ruleplay.records.events import EVERYONE
from ruleplay.story.acts import Reading


def test_a_thing_put_down_lies_there_until_it_is_taken_up() -> None:
    table, book = inn()
    before = table.cast.the("thorin").count("handaxe")
    left = done(table, book, "thorin", acts=[{"do": "give", "item": "handaxe"}]).table
    left = left.model_copy(update={"current_turn": "pell"})
    assert left.cast.the("thorin").count("handaxe") == before - 1
    assert "handaxe" in roster(left, book, "pell").things
    take = {"do": "take", "item": "handaxe", "text": "picks the axe up"}
    after = done(left, book, "pell", acts=[take]).table
    assert after.cast.the("pell").count("handaxe") == 1
    assert "handaxe" not in roster(after, book, "pell").things


@pytest.mark.parametrize(
    ("act", "gone"),
    [
        ({"do": "flourish", "item": "handaxe", "spent": True, "text": "drops it down the well"}, 1),
        ({"do": "check", "skill": "athletics", "with": "handaxe", "spent": True, "text": "x"}, 1),
        ({"do": "give", "item": "handaxe", "spent": True, "text": "sinks it in the mere"}, 1),
        ({"do": "flourish", "item": "handaxe", "text": "weighs it in the hand"}, 0),
        ({"do": "flourish", "item": "longsword", "spent": True, "text": "hurls it away"}, 0),
    ],
)
def test_what_an_act_says_is_spent_is_gone(act: dict[str, object], gone: int) -> None:
    table, book = inn()
    after = done(table, book, "thorin", acts=[act]).table
    has, had = after.cast.the("thorin"), table.cast.the("thorin")
    assert had.count("handaxe") - has.count("handaxe") == gone
    assert has.count("longsword") == 1
    assert "handaxe" not in roster(after, book, "thorin").things


def test_a_theft_that_fails_is_seen_and_one_that_succeeds_is_not() -> None:
    steal = {"do": "check", "skill": "sleight-of-hand", "to": "jory", "secret": True, "text": "x"}
    seen = set()
    for seed in range(12):
        table, book = inn(seed)
        play = done(table, book, "thorin", acts=[steal])
        won = next(one.success for one in play.done if isinstance(one, h.Checked))
        shown = [one for one in as_events(play) if type(one).__name__ == "Checked"]
        assert (EVERYONE in shown[0].audience) is not won
        seen.add(won)
    assert seen == {True, False}


def test_a_blow_at_a_person_in_peace_is_rolled_and_turns_those_who_see_it() -> None:
    blow = {"do": "rule", "item": "attack", "to": "jory", "text": "lunges at the old man"}
    fell = set()
    for seed in range(12):
        table, book = inn(seed)
        asked = done(table, book, "thorin", acts=[blow]).table
        play = done(asked, book, "thorin", acts=[blow])
        assert "Checked" in kinds(play)
        (left,) = (one for one in play.done if isinstance(one, t.PersonLeft))
        assert left.struck is any(one.success for one in play.done if isinstance(one, h.Checked))
        assert play.table.tale.attitude("brenna") == -2
        assert "jory" not in people(play.table, book)
        assert play.table.current_turn != "thorin"
        fell.add(left.struck)
    assert fell == {True, False}


def test_a_gentle_voice_may_lead_past_beasts_where_no_talk_was_written() -> None:
    state, book = laid(adventure="glass-orchard")
    play = TableTurn(state.table, book)
    play.venture("dm", Exploration(act="begin"))
    play.venture("thorin", Exploration(act="go", target="rows"))
    waits = play.table.model_copy(update={"current_turn": "sunniva"})
    hum = {"do": "say", "to": "wolves", "text": "hums to them", "want": "pass"}
    calm = kinds(done(waits, book, "sunniva", acts=[{**hum, "approach": "comfort"}]))
    assert "Checked" in calm
    assert {"EncounterAvoided", "FightBegan"} & {*calm}
    roar = kinds(done(waits, book, "sunniva", acts=[{**hum, "approach": "threaten"}]))
    assert "Checked" not in roar
    assert "Unmoved" in roar


def test_companions_answer_before_the_place_is_left() -> None:
    table, book = inn()
    acts = [
        {"do": "say", "to": "pell", "text": "Bring the lamp, will you?"},
        {"do": "move", "to": "causeway"},
    ]
    now = Performance(TableTurn(table, book), "thorin")
    rest = begin(now, Reading.model_validate({"acts": acts}))
    assert now.heard
    assert [one.do for one in rest] == ["move"]
    assert now.play.table.expedition.scene == table.expedition.scene


@pytest.mark.parametrize(("to", "held"), [("sunniva", True), ("thorin", True), ("zephrine", False)])
def test_another_seat_is_taken_in_words_where_it_is_free(to: str, held: bool) -> None:
    table, book = inn()
    key = "a" * 64
    own = table.seats["thorin"].model_copy(update={"by": "human", "key": key})
    other = table.seats["zephrine"].model_copy(update={"by": "human", "key": "b" * 64})
    table = table.model_copy(update={"seats": {**table.seats, "thorin": own, "zephrine": other}})
    act = {"do": "meta", "meta": "leave_seat", "to": to, "text": f"let me be {to}"}
    seats = done(table, book, "thorin", acts=[act]).table.seats
    moved = held and to != "thorin"
    assert seats["thorin"].held is not moved
    assert (seats[to].key == key) is held
    assert seats["zephrine"].key == "b" * 64


class Telling(Able):
    """Tells what was done unseen in words of its own."""

    def answer(self, role: str, text: str) -> str:
        """Return the answer of the role."""
        told = "Your fingers close on it and nobody turns a head [b1]."
        return told if role == "party.dm.unseen" else super().answer(role, text)


async def test_what_was_done_unseen_is_told_in_prose_to_its_seat_alone(room: Open) -> None:
    palm = "While they talk I palm the spoon"
    act = {"do": "check", "skill": "sleight-of-hand", "band": "sure", "secret": True,
           "text": "palms it", "success": [{"kind": "keepsake", "text": "spoon"}]}  # fmt: skip
    readings: Mapping[str, dict[str, object]] = {palm: {"acts": [act]}}
    table = await room("1", model="able", humans=["thorin"])
    model = Telling({**readings})
    async with table.session(model) as session:
        await session.turn(action={"do": "play"})
        turn = await session.turn(palm, seat="thorin")
        assert (await replay(session.host, session.id)).identical
    assert "nobody turns a head" not in turn.reply
    (aside,) = (one for one in turn.asides if "nobody turns a head" in one.text)
    assert {*aside.audience} == {"dm", "thorin"}
    assert "spoon" not in "".join(text for role, text in model.asked if role == "party.dm.voice")
