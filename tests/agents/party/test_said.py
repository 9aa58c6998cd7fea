"""Nothing said at a table is lost: every act of a reading is told, refused, or named as open."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from tests.agents.party.conftest import Open
from tests.agents.party.models import Able
from tests.agents.party.replayed import Again, played, told
from tests.agents.party.test_improvising import done, fight, inn, kinds
from tests.samples import sample

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.happenings import table as p
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.improvising import perform
from ruleplay.agents.party.domain.recalling import recalled
from ruleplay.agents.party.domain.remembering import worth_remembering
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.policy.answers import answer_of
from ruleplay.agents.party.policy.report import tell_events
from ruleplay.agents.party.state import event_of
from ruleplay.kernel.replay import replay
from ruleplay.story.acts import Act, Reading
from ruleplay.story.beats import Beat, is_line
from ruleplay.story.wording import spoken

WORDY = ("say", "flourish", "ask", "vain", "check")
"""Acts whose words have to come back; of the others something has to have happened."""


def told_of(table: Table, play: TableTurn) -> str:
    """Return all that is told of a turn, to whomever."""
    telling = tell_events(table, [event_of(one) for one in play.done], play.book)
    laid = [
        one if isinstance(one, str) else f"{one.says} {one.passage}" for one in telling.laid_out()
    ]
    asked = [one.question.about for one in telling.questions]
    return "\n".join((*laid, *(aside.text for aside in telling.asides), *asked))


def random_acts(rng: Random, foe: str) -> list[Act]:
    """Return acts that name what is there, or not, each with a word of its own."""
    whom = ["brenna", "all", foe, "nobody"]
    shapes = [
        {"do": "say", "to": rng.choice(whom), "approach": rng.choice(["plain", "charm"])},
        {"do": "say", "to": rng.choice(whom), "want": rng.choice(["know", "leave"])},
        {"do": "flourish"},
        {"do": "ask", "to": rng.choice(["sheet", "rules", "memory", "scene", "help"])},
        {"do": "vain", "vain": "not_here"},
        {"do": "check", "skill": "athletics", "band": rng.choice(["sure", "easy", "hard"])},
        {"do": "give", "to": rng.choice(whom), "item": "nothing known"},
        {"do": "take", "item": "a grey feather"},
        {"do": "move", "to": rng.choice(["causeway", "nowhere", foe])},
        {"do": "rule", "item": rng.choice(["attack", "cast", "dodge"]), "to": rng.choice(whom)},
        {"do": "wait"},
    ]
    return [
        Act.model_validate({**rng.choice(shapes), "text": f"word{n} {rng.randint(0, 9)}zq{n}"})
        for n in range(rng.randint(1, 5))
    ]


@pytest.mark.parametrize("fights", [False, True])
@pytest.mark.parametrize("mine", [False, True])
def test_every_act_is_told_or_named(fights: bool, mine: bool) -> None:
    for seed in range(sample(30, 120)):
        rng = Random(f"{fights}{seed}")
        table, book, seat = fight(seed % 3) if fights else (*inn(seed % 3), "thorin")
        seat = seat if mine else next(one for one in table.characters if one != seat)
        foe = table.cast.foes_of(seat)[0].id if fights else "nobody"
        acts = random_acts(rng, foe)
        play = TableTurn(table, book)
        perform(play, seat, Reading(acts=tuple(acts)))
        said = told_of(table, play)
        happened = [one for one in play.done if not isinstance(one, t.Tallied | t.LeftUndone)]
        for act in acts:
            named = act.text in said
            assert named or (act.do not in WORDY and happened), (seed, act, acts, kinds(play), said)


def test_words_are_speech_however_they_were_put_down() -> None:
    table, book = inn()
    words = '"Good dog," I say to the beam; "you had a house once." Then I wait.'
    account = "Good dog; you had a house once."
    play = done(table, book, "thorin", words, acts=[{"do": "say", "to": "all", "text": account}])
    spoke = [one for one in play.done if isinstance(one, p.Spoke)]
    assert len(spoke) == 1
    telling = tell_events(table, [event_of(one) for one in play.done], book)
    beats = [one for one in telling.laid_out() if not isinstance(one, str)]
    assert not any(one.must or one.line.items for one in beats)  # somebody here may answer


def test_an_account_of_words_is_no_outcome() -> None:
    table, book = inn()
    act = {"do": "say", "to": "brenna", "text": "asks about the beer"}
    play = done(table, book, "thorin", "I ask Brenna about her beer", acts=[act])
    telling = tell_events(table, [event_of(one) for one in play.done], book)
    said, answers = telling.laid_out()
    assert said == "Thorin, to Brenna Tolk: asks about the beer"
    assert isinstance(answers, Beat)
    assert (answers.who, answers.must, answers.line.items) == ("brenna", True, ())


def test_a_keepsake_is_called_by_its_name_and_a_person_in_the_words_does_not_matter() -> None:
    table, book = inn()
    acts = [
        {"do": "take", "item": "soft apple", "text": "picks a soft apple for Brenna Tolk"},
        {"do": "give", "item": "apple", "to": "brenna", "text": "lays it in her hand"},
    ]
    play = done(table, book, "thorin", acts=acts)
    got = [one for one in play.done if isinstance(one, t.KeepsakeGained)]
    assert [one.text for one in got] == ["soft apple"]
    given = [one for one in play.done if isinstance(one, t.KeepsakeGiven)]
    assert [(one.to, one.text) for one in given] == [("brenna", "soft apple")]


def test_what_was_wished_for_and_does_not_come_is_said() -> None:
    table, book, seat = fight()
    first, second = (one.id for one in table.cast.foes_of(seat)[:2])
    wishes = [{"kind": "harm", "who": first}, {"kind": "harm", "who": second}]
    act = {
        "do": "check",
        "skill": "athletics",
        "band": "medium",
        "text": "heaves",
        "success": wishes,
    }
    for seed in range(20):
        table, book, seat = fight(seed)
        first, second = (one.id for one in table.cast.foes_of(seat)[:2])
        act["success"] = [{"kind": "harm", "who": first}, {"kind": "harm", "who": second}]
        play = done(table, book, seat, acts=[act])
        if any(isinstance(one, h.Checked) and one.success for one in play.done):
            withheld = [one for one in play.done if isinstance(one, t.Withheld)]
            assert [one.who for one in withheld] == [second]
            return
    raise AssertionError("no try succeeded")


def test_a_gentle_voice_can_bring_beasts_to_go_by_animal_handling() -> None:
    outcomes = set()
    for seed in range(25):
        table, book, seat = fight(seed)
        foe = table.cast.foes_of(seat)[0].id
        act = {
            "do": "say",
            "to": foe,
            "approach": "comfort",
            "want": "leave",
            "text": "Off with you.",
        }
        play = done(table, book, seat, "Off with you.", acts=[act, act])
        rolls = [one for one in play.done if isinstance(one, h.Checked)]
        assert [one.what for one in rolls] == ["animal-handling"]  # and once in a fight
        assert any(isinstance(one, h.GotAway) for one in play.done) == rolls[0].success
        outcomes.add(rolls[0].success)
    assert outcomes == {True, False}


def test_what_waits_for_a_cause_is_kept_and_begins_no_fight() -> None:
    table, book = inn()
    acts = [
        {"do": "rule", "item": "attack", "to": "brenna", "text": "strike", "when": "trigger"},
        {"do": "flourish", "text": "keeps an eye on her hands"},
    ]
    play = done(table, book, "thorin", acts=acts)
    assert kinds(play) == ["Did", "LeftUndone"]


def test_nobody_is_a_keepsake() -> None:
    table, book = inn()
    acts = [{"do": "take", "item": who, "text": "lifts them up"} for who in ("pell", "jory")]
    assert "KeepsakeGained" not in kinds(done(table, book, "thorin", acts=acts))


def test_whoever_stands_near_is_not_walked_away_from() -> None:
    table, book, seat = fight()
    foe = table.cast.foes_of(seat)[0].id
    near = table.cast.with_(foe, position=table.cast.the(seat).position)
    table = table.model_copy(update={"cast": near})
    play = done(table, book, seat, acts=[{"do": "move", "to": foe, "text": "to it"}])
    assert not any(isinstance(one, h.Moved) for one in play.done)


def remembered(table: Table, book: Book, play: TableTurn, seat: str) -> str:
    after = TableTurn(play.table, book)
    after.add(*worth_remembering(play.done, lambda who: ""))
    return "\n".join(recalled(after.table, book, seat))


def test_deeds_gifts_and_promises_are_remembered() -> None:
    table, book = inn()
    acts = [
        {"do": "take", "item": "soft apple"},
        {"do": "give", "item": "soft apple", "to": "brenna", "text": "lays it in her hand"},
        {"do": "flourish", "text": "sits down on the lowest step"},
    ]
    vow = [{"kind": "promise", "text": "Thorin will mend the bench"}]
    play = done(table, book, "thorin", acts=acts, details=vow)
    known = remembered(table, book, play, "pell")
    assert "Thorin keeps soft apple." not in known
    assert "Thorin gave Brenna Tolk soft apple." in known
    assert "Promised: Thorin will mend the bench" in known
    assert "sits down on the lowest step" in known


def test_an_answer_holds_what_is_asked_for_once() -> None:
    table, book = inn()
    asked = [
        p.Consulted(
            seat="zephrine", topic="rules", about="Is blur a concentration spell?", asked=True
        ),
        p.Consulted(seat="zephrine", topic="sheet", about="Which slots have I left?", asked=True),
        p.Consulted(seat="zephrine", topic="sheet", about="And what do I carry?", asked=True),
    ]
    beat = answer_of(asked, table, book)
    assert "needs concentration" in beat.passage
    assert "Spell slots left" in beat.passage
    assert beat.passage.count("Carries:") == 1
    assert "Brenna Tolk" in "\n".join(beat.facts)


QUESTION = "Hold on, which of my spells need a slot?"
READ = {QUESTION: {"acts": [{"do": "ask", "to": "sheet", "text": QUESTION}]}}


class Answering(Able):
    """Answers what is asked outside the story with these words."""

    def __init__(self, said: str) -> None:
        super().__init__(READ)
        self._said = said

    def answer(self, role: str, text: str) -> str:
        """Return the answer of the role."""
        return self._said if role == "party.dm.aside" else super().answer(role, text)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Your slots of level 1 are what the bigger ones cost [b1].", True),
        ("You have 9 slots of level 7 left [b1].", False),
    ],
)
async def test_a_question_is_answered_from_facts_to_its_seat_alone(
    room: Open, said: str, shown: bool
) -> None:
    table = await room("1", model="able", humans=["zephrine"])
    async with table.session(Answering(said)) as session:
        await session.turn(action={"do": "play"})
        turn = await session.turn(QUESTION, seat="zephrine")
        assert (await replay(session.host, session.id)).identical
    (aside,) = [one for one in turn.asides if "slot" in one.text]
    assert aside.audience == ("dm", "zephrine")
    assert ("Spell slots left" in aside.text) is not shown
    assert (said.removesuffix(" [b1].") in aside.text) is shown
    assert turn.reply == ""


async def test_commands_take_arguments_and_print_the_whole_entry(room: Open) -> None:
    table = await room("1", humans=["zephrine"])
    turn = await table.says("/rules flaming sphere", "zephrine")
    assert "2d6 fire" in turn.asides[0].text
    sheet = (await table.says("/sheet", "zephrine")).asides[0].text
    assert all(word in sheet for word in ("Spell slots left", "Features:", "Carries:", "purse"))


async def test_a_plan_made_out_of_turn_is_offered_on_the_turn(room: Open) -> None:
    words = "I go and look under the counter."
    model = Able({words: {"acts": [{"do": "check", "skill": "perception", "text": words}]}})
    table = await room("1", model="able", humans=["zephrine"])
    async with table.session(model) as session:
        turn = await session.turn(words, seat="zephrine")
        assert any(
            "Kept for your turn: “I go and look under the counter”" in a.text for a in turn.asides
        )
        for _ in range(6):
            turn = await session.turn(action={"do": "round"})
            if (await session.host.state(await session.head(), turn.id))[
                0
            ].table.current_turn == "zephrine":
                break
    assert any("It is your turn, Zephrine." in a.text and words[:-1] in a.text for a in turn.asides)


async def turns(home: Path) -> list[Again]:
    return [one async for one in played(home)]


async def test_a_strangers_session_is_told_without_losing_words(tmp_path: Path) -> None:
    """28 messages of somebody who had not seen the program, as they go now."""
    offered = refused = 0
    for one in await turns(tmp_path):
        blocks = [part for part in told(one.now).split("\n\n") if not is_line(part)]
        assert len(blocks) == len({*blocks}), (one.now.number, told(one.now))
        accounts = [part for call in one.then.calls for part in _speech(call.role, call.replies)]
        said = told(one.now)
        for account in accounts:
            assert spoken(one.then.given.message, account) in said, (one.now.number, account, said)
        for call in one.now.calls:
            if call.role == "party.dm.voice" and call.replies:
                offered += len(
                    [part for part in (call.replies[0].text or "").split("\n\n") if part]
                )
                refused += len([why for why in call.refusals if "out of order" not in why])
    assert offered > 15
    assert refused <= 2


def _speech(role: str, replies: object) -> list[str]:
    """Return the words that the reading of a recorded turn had somebody say aloud."""
    if role != "party.read":
        return []
    texts = [reply.text for reply in replies]  # type: ignore[attr-defined]
    try:
        acts = json.loads(texts[-1])["acts"]
    except (ValueError, KeyError, IndexError):
        return []
    return [act["text"] for act in acts if act["do"] == "say"]
