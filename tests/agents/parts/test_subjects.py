"""Never about another part: what an answer is about is what was named, or the only antecedent."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.parts.subjects import bench_subjects
from tests.samples import sample

from ruleplay.agents.parts.agent import AGENT
from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.descriptions import parts_named
from ruleplay.agents.parts.domain.ids import Option
from ruleplay.agents.parts.domain.slots import Evidence, Goal, UnconfirmedId
from ruleplay.agents.parts.domain.understanding import Understood
from ruleplay.agents.parts.policy.pointing import option_meant
from ruleplay.agents.parts.state import State, ToolReturned
from ruleplay.kernel.session import Session
from ruleplay.records.given import Given

VERIFIED = "Is PS3406971 compatible with WDT780SAEM1?"


async def subjects(session: Session, message: str) -> list[str]:
    """Say something; return the parts that the tools were asked about."""
    turn = await session.turn(message)
    args = [event["args"] for event in turn.events if event["type"] == "ToolReturned"]
    return [str(one["part"]) for one in args if isinstance(one, dict) and "part" in one]


NAMED = {
    "Does 90001822 fit?": ["PS90001822"],
    "Does 90001823 fit?": [],
    "How much is 90001411": ["PS90001411"],
    "price of PS77777777": [],
    "How much is the drain pump?": ["PS90001411"],
    "How much is the frobnicator?": [],
    "how much is it for the left bracelet": [],
    "Do PS90001822 and PS90001411 both fit WDT780SAEM1?": ["PS90001822", "PS90001411"],
    "how much is it?": ["PS3406971"],
    "c'est combien ?": ["PS3406971"],
    "and the drain pump, how much? its for a WDT780SAEM1": ["PS90001411"],
    "the flux capacitor, how much? its for a WDT780SAEM1": [],
    "it's not the wheel, my brother says. what's that one": [],
    "et la pompe de vidange, combien ?": ["PS90001411"],
}


@pytest.mark.parametrize("message", NAMED)
async def test_what_is_named_is_the_subject(message: str, session: Session) -> None:
    await session.turn(VERIFIED)
    assert await subjects(session, message) == NAMED[message]


async def test_a_number_nobody_knows_is_said_so(session: Session) -> None:
    await session.turn(VERIFIED)
    turn = await session.turn("Does 77777777 fit?")
    assert "77777777 is not in the catalog" in turn.reply


async def test_another_model_is_not_answered_for_the_old_one(session: Session) -> None:
    await session.turn(VERIFIED)
    turn = await session.turn("Is it compatible with GSS25GSHSS?")
    assert "✓" not in turn.reply
    assert "GSS25GSHSS" in turn.reply


async def test_it_is_asked_about_where_several_were_shown(session: Session) -> None:
    await session.turn("Do PS3406971 and PS90001822 both fit WDT780SAEM1?")
    turn = await session.turn("how much is it?")
    assert "$12.13" in turn.reply
    assert "Which one are you thinking of?" in turn.reply
    assert await subjects(session, "the cheaper one") == ["PS3406971"]
    assert await subjects(session, "and how hard is the other one to install?") == ["PS90001822"]


async def test_both_and_the_second_are_counted_as_shown(session: Session) -> None:
    await session.turn("Do PS3406971 and PS90001822 both fit WDT780SAEM1?")
    assert await subjects(session, "how much are they?") == ["PS3406971", "PS90001822"]
    assert await subjects(session, "how hard is the second one to install?") == ["PS90001822"]


async def test_every_question_is_answered_or_queued_aloud(session: Session) -> None:
    turn = await session.turn("How much is PS90001822, and how do I install PS3406971?")
    assert "$42.54" in turn.reply
    assert "model number" in turn.reply
    turn = await session.turn("Does PS3406971 fit and how do I install PS90001822?")
    assert "After that I'll come back to: installing the part (PS90001822, " in turn.reply


async def test_another_appliances_part_is_refused_by_the_catalogs_own_kinds(
    session: Session,
) -> None:
    turn = await session.turn("will PS3406971 fit my WRX735QDHV02?")
    assert "is a dishwasher part and WRX735QDHV02 is a refrigerator" in turn.reply


def test_the_check_finds_an_answer_about_another_part() -> None:
    shown = Card(number="PS1111111", row="parts:1")
    before = State(cards=(shown, shown), focus=("PS1111111", "PS2222222"))
    answer = ToolReturned(
        tool="look_up_part", goal=Goal.PRICE, args={"part": "PS1111111"}, verdict="found"
    )
    given = Given(message="how much is PS3333333?")
    found = AGENT.problems_told(before, given, [answer], "It costs $5.", before.apply(answer))
    assert any("PS1111111" in problem for problem in found)
    assert any("PS3333333" in problem for problem in found)


async def test_generated_dialogues_never_answer_about_another_part(tmp_path: Path) -> None:
    dialogues = sample(30, 150)
    report = await bench_subjects(dialogues)
    assert report.other_subject == 0, report.examples
    assert report.answers > dialogues
    assert all(one.turns for one in report.classes.values())


@pytest.mark.parametrize(
    "said",
    [
        "le moteur, c'est compliqué ?",
        "et le moteur, c'est difficile à poser ?",
        "the motor, it is hard to install?",
        "and the motor, is it a hard job?",
    ],
)
async def test_a_part_named_and_taken_up_again_is_one_subject(said: str, session: Session) -> None:
    await session.turn("Is PS3406971 compatible with WDT780SAEM1?")
    assert "PS3406971" not in await subjects(session, said)


async def test_that_one_beside_a_named_part_is_a_second_subject(session: Session) -> None:
    await session.turn("Is PS3406971 compatible with WDT780SAEM1?")
    assert await subjects(session, "how much are that one and PS90001822?") == [
        "PS3406971",
        "PS90001822",
    ]


HEATER = Option(kind="part", number="PS1", row="parts:1", via="number", name="Defrost Heater Kit")
DRAIN = Option(kind="part", number="PS2", row="parts:2", via="number", name="Drain Pump")
LOWER = Option(kind="part", number="PS3", row="parts:3", via="number", name="Lower Rack")
STOP = Option(kind="part", number="PS4", row="parts:4", via="number", name="Rack Track Stop")
OFFERED = UnconfirmedId(
    value="", evidence=Evidence(turn=0, start=0, end=0, text=""), options=(HEATER, DRAIN, LOWER)
)


@pytest.mark.parametrize(
    ("said", "language", "picked"),
    [
        ("price of the heating element", "en", None),
        ("what does the heating element cost", "en", None),
        ("the element", "en", None),
        ("the heater and the gasket", "en", None),
        ("the drain motor", "en", None),
        ("the drain hose", "en", None),
        ("le moteur", "fr", None),
        ("the heater", "en", HEATER),
        ("the defrost heater", "en", HEATER),
        ("the drain pump please", "en", DRAIN),
        ("la pompe de vidange", "fr", DRAIN),
        ("the rack", "en", LOWER),
    ],
)
def test_an_option_is_picked_by_words_that_fit_it_alone(
    said: str, language: str, picked: Option | None
) -> None:
    heard = Understood(message=said, language=language, named=parts_named(said, language))
    assert option_meant(State(), heard, OFFERED) == picked


def test_words_beside_a_noun_tell_the_options_apart() -> None:
    """Both are racks: only one is a stop, or has a track."""
    racks = OFFERED.model_copy(update={"options": (LOWER, STOP)})
    for said, picked in (("the rack stop", STOP), ("a rack for the track", STOP), ("rack", None)):
        heard = Understood(message=said, named=parts_named(said, "en"))
        assert option_meant(State(), heard, racks) == picked
