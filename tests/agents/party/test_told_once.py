"""What was told stays on record, is not told twice, and each thing said or tried counts once."""

from __future__ import annotations

import pytest
from tests.agents.party.conftest import Open
from tests.agents.party.models import Able
from tests.agents.party.test_fellows import FELLOWS
from tests.agents.party.test_improvising import done, inn, kinds

from ruleplay.agents.party import prompts
from ruleplay.agents.party.domain.exploration.acts import Exploration
from ruleplay.agents.party.domain.happenings.creatures import Checked
from ruleplay.agents.party.domain.happenings.table import Consulted
from ruleplay.agents.party.domain.happenings.tale import (
    DetailEstablished,
    Did,
    LeftUndone,
    Remembered,
    Unmoved,
)
from ruleplay.agents.party.domain.mastering import spotlight
from ruleplay.agents.party.domain.persona import Persona
from ruleplay.agents.party.domain.remembering import worth_remembering
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.nodes.acting import as_events
from ruleplay.agents.party.nodes.gathering import _spoken
from ruleplay.agents.party.policy.answering import person_says
from ruleplay.agents.party.policy.answers import facts_of
from ruleplay.agents.party.policy.report import tell_events
from ruleplay.agents.party.policy.telling import Making
from ruleplay.story.wording import spoken


def told(topic: str) -> TableTurn:
    """Return a table at the inn where a person has told of a topic."""
    table, book = inn()
    play = TableTurn(table, book)
    person, talk = next((one.person, key) for key, one in book.story.talks.items() if key == topic)
    for _ in range(30):
        play = TableTurn(play.table, book)
        play.venture("thorin", Exploration(act="talk", target=person, topic=talk))
        if f"talk:{talk}" in play.table.expedition.flags:
            return play
    raise AssertionError("it is never told")


@pytest.mark.parametrize("words", ["And this bell of yours?", "The bell again: what did you hear?"])
def test_what_a_person_has_told_they_do_not_tell_again_word_for_word(words: str) -> None:
    play = told("brenna-bell")
    book = play.book
    text = book.story.talks["brenna-bell"].text.en
    said = person_says("brenna", words, play.table, book)
    assert said
    assert text not in said
    assert "told you" in said


def asked(about: str) -> Consulted:
    return Consulted(seat="thorin", topic="memory", about=about, asked=True)


def test_what_is_on_record_stands_among_the_facts_of_a_question() -> None:
    play = told("brenna-bell")
    vow = {"text": "I shall carry the lamp for her", "kind": "promise", "author": "thorin"}
    play.add(DetailEstablished.model_validate(vow))
    play.add(LeftUndone(seat="thorin", texts=("mend the shutter",)))
    facts = "\n".join(
        facts_of([asked("What is still open, and what was agreed?")], play.table, play.book)
    )
    assert "I shall carry the lamp for her" in facts
    assert "mend the shutter" in facts
    assert "Old Jory" in facts
    for found in play.table.expedition.clues:
        assert play.book.story.clues[found.clue].text.en in facts
    assert play.table.expedition.clues
    for goal in play.table.personas["thorin"].goals:
        assert goal.en in facts


def test_clues_and_promises_that_others_keep_are_no_facts_of_this_seat() -> None:
    table, book = inn()
    play = TableTurn(table, book)
    vow = {"text": "I shall never speak of it", "kind": "promise", "author": "pell"}
    before = play.table
    play.add(DetailEstablished.model_validate(vow))
    hidden = play.table.tale.since(before.tale, ("dm", "pell"))
    now = play.table.model_copy(update={"tale": hidden})
    facts = {}
    for seat in ("thorin", "pell"):
        question = asked("promises?").model_copy(update={"seat": seat})
        facts[seat] = "\n".join(facts_of([question], now, book))
    assert "never speak of it" in facts["pell"]
    assert "never speak of it" not in facts["thorin"]


@pytest.mark.parametrize("about", ["the rope", "Was there anything about a rope?"])
def test_words_that_somebody_was_told_are_found_by_what_they_speak_of(about: str) -> None:
    play = told("jory-rope")
    facts = facts_of([asked(about)], play.table, play.book)
    text = play.book.story.talks["jory-rope"].text.en
    assert any(text[:60] in fact for fact in facts)


def test_speech_to_two_listeners_does_not_run_together() -> None:
    message = (
        'I tell her "hold the door, nobody leaves tonight", and to the rest: "We rest here. '
        'Sunniva, bar the window. Wake me if it rings."'
    )
    rest = spoken(message, "We rest here. Wake me if it rings.")
    assert rest == "We rest here. Wake me if it rings."
    assert spoken(message, "Sunniva, bar the window.") == "Sunniva, bar the window."
    assert spoken(message, "hold the door, nobody leaves tonight").startswith("hold the door")


def test_nothing_is_rolled_for_what_no_roll_can_change() -> None:
    table, book = inn()
    assert not book.story.persons["brenna"].follows
    act = {"do": "follow", "to": "brenna", "text": "Come with us, Brenna"}
    play = done(table, book, "thorin", "Come with us, Brenna", acts=[act])
    assert "Checked" not in kinds(play)
    assert any(isinstance(one, Unmoved) for one in play.done)


def test_one_request_has_one_answer() -> None:
    table, book = inn()
    words = "Let us have the key to the cellar, Brenna"
    act = {"do": "say", "to": "brenna", "text": words, "want": "help", "approach": "charm"}
    play = done(table, book, "thorin", words, acts=[act])
    assert "Checked" in kinds(play)
    blocks = tell_events(table, as_events(play), book).blocks
    assert not [one for one in blocks if isinstance(one, Making) and one.who == "brenna"]


@pytest.mark.parametrize(("success", "kind"), [(True, "did"), (False, "failed")])
def test_what_failed_is_not_remembered_as_done(success: bool, kind: str) -> None:
    table, book = inn()
    act = {"do": "check", "skill": "athletics", "band": "medium", "text": "heaves the bar aside"}
    for seed in range(30):
        cast = table.cast.model_copy(update={"dice_seed": str(seed)})
        play = done(table.model_copy(update={"cast": cast}), book, "thorin", acts=[act])
        if any(isinstance(one, Checked) and one.success is success for one in play.done):
            break
    (line,) = [one for one in worth_remembering(tuple(play.done), lambda _: "")
               if isinstance(one, Remembered) and "heaves" in one.value]  # fmt: skip
    assert line.kind == kind


def test_a_question_of_the_game_master_reaches_whom_it_is_put_to() -> None:
    table, book = inn()
    play = TableTurn(table, book)
    spotlight(play, "sunniva", "Whose cup is that?")
    assert any("Whose cup is that?" in one for one in _spoken(play.table, "sunniva"))


async def test_companions_hear_what_was_told_last(room: Open) -> None:
    model = Able()
    table = await room("1", model="able")
    async with table.session(model) as session:
        for _ in range(3):
            await session.turn(action={"do": "play"})
    own = [text for role, text in model.asked if role.removeprefix("party.") in FELLOWS]
    assert own
    assert "The last lines:" in own[-1]


def test_help_is_offered_only_where_it_moves_something() -> None:
    asked_of = [
        prompts.answer("Pell", Persona(), "en", "", (), "Hm?", (), helps=helps).system
        for helps in ("", prompts.HELPS, prompts.LENDS.format(what="the picks"))
    ]
    assert ["helps is true" in one for one in asked_of] == [False, True, True]
    assert "the picks" in asked_of[2]


def test_a_deed_that_was_done_with_words_is_still_remembered() -> None:
    (line,) = worth_remembering((Did(who="pell", text="hums under her breath"),), lambda _: "")
    assert line.kind == "did"
