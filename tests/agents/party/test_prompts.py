"""What models at the table are asked: bounded, and of what they may know all that they need."""

from __future__ import annotations

import json

import pytest
from tests.agents.party.conftest import Open
from tests.agents.party.gatherings import laid, types
from tests.agents.party.hearing import situation
from tests.agents.party.models import Able

from ruleplay.agents.party import prompts
from ruleplay.agents.party.agent import run_single_round
from ruleplay.agents.party.domain.choices import choices
from ruleplay.agents.party.domain.commands import command
from ruleplay.agents.party.domain.exploration.progress import Found
from ruleplay.agents.party.domain.happenings.creatures import XpGained
from ruleplay.agents.party.domain.happenings.table import Consulted
from ruleplay.agents.party.domain.intended import Beat, MasterTurn
from ruleplay.agents.party.domain.knowledge import truths
from ruleplay.agents.party.domain.seats import Seat
from ruleplay.agents.party.nodes.gathering import labelled
from ruleplay.agents.party.policy.answers import answer_of, facts_of
from ruleplay.agents.party.policy.picking import known_ids, master_problems
from ruleplay.agents.party.policy.replies import companions
from ruleplay.agents.party.policy.telling import Telling
from ruleplay.agents.party.policy.telling_acts import tell_one
from ruleplay.kernel.replay import replay
from ruleplay.story.beats import Beat as Told
from ruleplay.story.beats import Item, Line, listed

READING = 9_000
"""Characters of a prompt by which words are read."""
ROWS = 20
"""Lines of options in a fight."""


def test_beats_of_which_nothing_can_be_shown_are_not_asked_for() -> None:
    silent = Told(
        id="b2",
        kind="gain",
        must=False,
        says="",
        line=Line(items=(Item(kind="gain", text="+5 XP"),)),
    )
    told = listed([Told(id="b1", kind="other", says="Thorin waits"), silent])
    assert told == "[b1] Thorin waits"


def test_a_gain_has_one_colon() -> None:
    table, book = situation("en", "inn", "thorin")
    telling = Telling(table, book)
    for who in ("thorin", "pell"):
        tell_one(XpGained(who=who, amount=37, xp=37), telling, table)
    (beat,) = telling.laid_out()
    assert isinstance(beat, Told)
    assert beat.line.text == "Thorin, Pell: +37 XP"


@pytest.mark.parametrize("place", ["inn", "sexton", "fight"])
def test_ids_shown_to_a_reader_give_no_clue_away_and_stand_once(place: str) -> None:
    table, book = situation("en", place, "sunniva")
    ids = known_ids(table, book, "sunniva")
    shown = "\n".join(ids.values())
    assert not [key for key in book.story.clues if key in ids["clues"]]
    assert shown.count("acrobatics") == 1


def test_options_of_a_fight_fit_on_a_screen_and_keep_their_ids() -> None:
    table, book = situation("en", "fight", "sunniva")
    offered = choices(table, book, "sunniva")
    asked = prompts.reading(
        "en", "Sunniva", "I heal Pell", "", known_ids(table, book, "sunniva"),
        labelled(offered, table), [], [], "",
    ).user  # fmt: skip
    rows = [row for row in asked.splitlines() if row.startswith("- ")]
    assert len(offered) > ROWS >= len(rows)
    for one in offered:
        assert one.id.rpartition(":")[2] in asked
    assert len(asked) < READING


async def test_what_a_player_wrote_before_is_in_the_readers_prompt(room: Open) -> None:
    model = Able()
    table = await room("1", model="able", humans=["thorin"])
    async with table.session(model) as session:
        await session.turn(action={"do": "play"})
        await session.turn("I hum the bell song", seat="thorin")
        await session.turn("and the second verse", seat="thorin")
    read = [text for role, text in model.asked if role == "party.read"]
    assert "I hum the bell song" in read[-1].partition("<<<")[0]


async def test_a_question_that_was_settled_by_a_button_is_not_asked_again(room: Open) -> None:
    table = await room(humans=["thorin"])
    await table.does({"do": "play"})
    await table.says("xyzzy plugh frotz", "thorin")
    assert (await table.state()).table.tale.question("thorin")
    await table.does({"do": "choose", "options": ["wait"]}, "thorin")
    assert (await table.state()).table.tale.question("thorin") is None


def test_the_game_master_knows_what_is_hidden_here_and_does_not_tell_it() -> None:
    table, book = situation("en", "sexton", "thorin")
    hidden = truths(table, book)
    assert hidden
    asked = prompts.master_turn("en", "", [], [], [], [], "", hidden).user
    assert hidden[0] in asked
    told = MasterTurn(beats=(Beat(do="detail", text=hidden[0][:200]),))
    assert "that has not been found out yet" in master_problems(told, table, book, (), hidden)
    known = tuple(Found(clue=key, by="thorin", audience=("*",)) for key in book.story.clues)
    wise = table.expedition.model_copy(update={"clues": known})
    assert not truths(table.model_copy(update={"expedition": wise}), book)


async def test_a_whisper_is_answered_with_the_sheet_at_hand(room: Open) -> None:
    words = "how many hit points have I left?"
    model = Able({words: {"acts": [{"do": "whisper", "to": "dm", "text": words}]}})
    table = await room("1", model="able", humans=["thorin"])
    async with table.session(model) as session:
        await session.turn(action={"do": "play"})
        await session.turn(words, seat="thorin")
    (asked,) = [text for role, text in model.asked if role == "party.dm.letter"]
    assert "Thorin's sheet:" in asked
    assert "hit points" in asked.partition("Thorin's sheet:")[2]


async def test_what_a_whisper_to_the_master_tries_is_done_and_seen_by_nobody_else(
    room: Open,
) -> None:
    trick = {"do": "check", "skill": "sleight-of-hand", "text": "palms a copper"}
    model = Able({"@dm I palm a copper": {"acts": [trick]}})
    table = await room("1", model="able", humans=["pell"])
    async with table.session(model) as session:
        for _ in range(4):
            turn = await session.turn(action={"do": "round"})
            if json.loads((await session.head()).state)["table"]["current_turn"] == "pell":
                break
        turn = await session.turn("/dm I palm a copper", seat="pell")
        assert (await replay(session.host, session.id)).identical
    assert "copper" not in turn.reply
    (mine,) = [a for a in turn.asides if "Sleight of Hand" in a.text]
    assert {*mine.audience} == {"dm", "pell"}


def test_no_companion_takes_the_party_away_from_a_person() -> None:
    table, book = situation("en", "causeway", "pell")
    held = {**table.seats, "thorin": Seat(name="Thorin", by="human")}
    tale = table.tale.model_copy(update={"present": {"thorin": "causeway"}})
    led = table.model_copy(update={"seats": held, "tale": tale})

    def ways(one: object, seat: str) -> list[str]:
        at = led.model_copy(update={"current_turn": seat}) if one is led else table
        return [choice.id for choice in choices(at, book, seat) if choice.id.startswith("go:")]

    assert ways(table, "pell")
    assert not ways(led, "pell")
    assert ways(led, "thorin")
    asleep = {**held, "thorin": Seat(name="Thorin", by="human", missed=1)}
    assert not led.model_copy(update={"seats": asleep}).led


async def test_one_person_at_the_table_is_you_in_every_turn(room: Open) -> None:
    model = Able()
    table = await room("1", model="able", humans=["thorin"])
    async with table.session(model) as session:
        await session.turn(action={"do": "play"})
        await session.turn("I wait", seat="thorin")
        await run_single_round(session)
    voice = [text for role, text in model.asked if role == "party.dm.voice"]
    assert voice
    assert all("Thorin being the player" in text for text in voice)


async def test_anybody_at_the_table_chooses_how_it_is_told(room: Open) -> None:
    table = await room(humans=["thorin"])
    turn = await table.does({"do": "style", "tone": "grim", "length": "long"}, "thorin")
    assert types(turn)[0] == "StyleChosen"
    await table.says("/style past third", "thorin")
    style = (await table.state()).table.tale.style
    assert (style.tone, style.length, style.tense, style.person) == (
        "grim",
        "long",
        "past",
        "third",
    )
    state, book = laid()
    assert getattr(command("/style", state.table, book, "thorin"), "do", "") == "look"


def test_what_a_question_at_the_table_needs_is_among_the_facts() -> None:
    table, book = situation("en", "inn", "thorin")
    asked = Consulted(seat="thorin", topic="rules", about="who of us swims best?", asked=True)
    facts = "\n".join(facts_of((asked,), table, book))
    body = ("Constitution +", "Sees 60 feet in the dark.", "Does not see in the dark.")
    for said in (*body, "Curious as", "handaxe +", "(range 20/60 feet)"):
        assert said in facts
    asked = Consulted(seat="thorin", topic="rules", asked=True,
                      about="if it dies can i hit the next with my leftover damage??")  # fmt: skip
    assert answer_of((asked,), table, book).passage.startswith("leftover damage: damage beyond")
    others = "\n".join(companions(table, book, "pell"))
    assert all(said in others for said in ("Thorin: Abilities", "Slow to begin", "Athletics +4"))
    assert "Pell" not in others
