"""A dialogue that follows: side questions, what is pointed at, and what no rule has words for."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.agents.parts.conftest import Talk

from ruleplay.agents.parts.domain.reader import GOALS, TOPICS, readings
from ruleplay.agents.parts.domain.voice import LANGUAGES, voice
from ruleplay.hearing.classifier import load
from ruleplay.kernel.session import Session

BOTH = "Do PS3406971 and PS90001822 both fit WDT780SAEM1?"
TRAINING = Path(__file__).parents[3] / "training/parts.jsonl"
ASIDES = {
    "am I writing with a bot or what": "automated assistant",
    "when I see on order what is meant by it": "none on the shelf",
    "what do I do to send a part back for a refund": "Returns and refunds",
    "can you tell me how to splice the power cord": "electrician",
    "parlez-vous comme un robot ou êtes-vous quelqu'un": "assistant automatique",
}


@pytest.mark.parametrize("message", ASIDES)
async def test_side_questions_are_answered(message: str, session: Session) -> None:
    assert ASIDES[message] in (await session.turn(message)).reply


async def test_a_number_says_what_it_replaced_and_what_it_is_for(session: Session) -> None:
    await session.turn("Is PS3406971 compatible with WDT780SAEM1?")
    replaced = (await session.turn("which older numbers has it taken the place of")).reply
    assert "PS3406971" in replaced
    assert "replaces" in replaced
    models = (await session.turn("which other models is that part made for")).reply
    assert "is listed for" in models
    assert "WDT780SAEM1" in models


async def test_both_are_checked_for_another_model(session: Session) -> None:
    await session.turn(BOTH)
    reply = (await session.turn("and for WDF331PBMS1?")).reply
    assert "PS3406971" in reply
    assert "PS90001822" in reply
    assert "Which" not in reply


async def test_two_parts_are_compared_by_what_the_catalog_has(session: Session) -> None:
    await session.turn(BOTH)
    reply = (await session.turn("are these two one and the same part?")).reply
    assert "which is $30.41 more" in reply


async def test_thanks_do_not_repeat_an_open_question(session: Session) -> None:
    await session.turn("I want to install PS3406971")
    assert (await session.turn("thanks for your patience")).reply == "You're welcome!"


async def test_a_question_of_its_own_passes_over_an_open_choice(session: Session) -> None:
    await session.turn(BOTH)
    assert "are you thinking of?" in (await session.turn("how much is it?")).reply
    reply = (await session.turn("do you have the drain pump too")).reply
    assert "PS90001411" in reply
    assert "are you thinking of?" not in reply


async def test_price_and_installation_of_a_part_need_no_model(session: Session) -> None:
    reply = (await session.turn("price and installation of PS3406971, is it long?")).reply
    assert "$" in reply
    assert "is rated" in reply
    assert "model number" not in reply


def test_numbers_are_read_as_marks() -> None:
    (whole, *_) = readings("is it hard to install", ())
    assert whole.goal == "effort"
    assert whole.words == len(["is", "it", "hard", "to", "install"])


def test_what_is_learnt_is_known_to_the_code() -> None:
    heads = load("ruleplay.agents.parts", "reader.bin").heads
    rows = [json.loads(line) for line in TRAINING.read_text().splitlines()]
    assert {row["goal"] for row in rows} == set(heads["goal"])
    assert set(heads["goal"]) >= {*GOALS, *TOPICS}
    assert all(
        voice(language).say(text, contact="", parts="", quote="")
        for language in LANGUAGES
        for text in TOPICS.values()
        if text not in ("compare", "by_price", "carried")
    )


STANDS = {"en": "not even for a moment", "fr": "même un instant", "es": "ni un momento"}


@pytest.mark.parametrize(
    ("language", "danger", "asked"),
    [
        ("en", "smoke is coming out of my dishwasher", "can I run it one last time?"),
        ("en", "I smell gas near the oven", "ok, I'll just light it quickly then"),
        ("en", "my fridge gave me a shock", "so is it fine to plug it in again"),
        ("en", "there are sparks at the plug", "and if I only use it on low?"),
        ("en", "the cord of my fridge is hot and melted", "later, I need it tonight"),
        ("fr", "ça sent le brûlé dans mon lave-vaisselle", "je peux le relancer juste une fois ?"),
        ("fr", "mon frigo fait des étincelles", "deux minutes pour voir, ça va ?"),
        ("fr", "ça sent le gaz", "bon je le rallume demain"),
        ("es", "sale humo de mi lavavajillas", "¿puedo usarlo una vez más?"),
    ],
)
async def test_a_danger_stands_until_somebody_has_looked(
    talk: Talk, language: str, danger: str, asked: str
) -> None:
    turns = await talk(danger, asked, "PS3406971", voice(language).say("danger_over"), "thanks")
    first, again, meanwhile, cleared, last = (turn.reply for turn in turns)
    assert first.startswith("⚠")
    assert STANDS[language] in again.splitlines()[0]
    assert "⚠" in meanwhile.splitlines()[0]
    assert "PS3406971" in meanwhile
    assert "⚠" not in cleared + last


async def test_a_danger_goes_with_its_machine(talk: Talk) -> None:
    turns = await talk("smoke comes out of my dishwasher", "how much is PS3406971?",
                       "a technician has not checked it, may I?", "has a technician checked it?",
                       "start over", "how much is PS3406971?")  # fmt: skip
    assert all(turn.reply.startswith("⚠") for turn in turns[:4])
    assert "⚠" not in turns[-1].reply


async def test_a_price_says_which_of_those_shown_is_meant(session: Session) -> None:
    shown = await session.turn("which parts for a leaking dishwasher WDT780SAEM1")
    prices = re.findall(r"(PS\d+)[^\n]*?: \$(\d+)\.(\d\d)", shown.reply)
    number, dollars, cents = next(
        one
        for one in prices
        if all(abs(int(one[1]) - int(two[1])) > 1 for two in prices if two != one)
    )
    effort = (await session.turn(f"the one for {dollars} bucks, how hard to install?")).reply
    assert f"Putting in {number}" in effort
    again = (await session.turn(f"and is the ${dollars}.{cents} one in stock")).reply
    assert again.startswith(number)


@pytest.mark.parametrize(
    ("message", "total"),
    [
        ("need 2 of PS3406971 and 1 PS90001822, total?", 2),
        ("price of PS3406971 x3", 3),
        ("combien pour 4 roulettes PS3406971", 4),
        ("how much is PS3406971", 0),
        ("PS3406971 costs what? I asked 2 days ago", 0),
    ],
)
async def test_several_of_one_part_are_added_up(message: str, total: int, session: Session) -> None:
    reply = (await session.turn(message)).reply
    assert (f"{total} × PS3406971" in reply) == bool(total)


async def test_both_are_those_of_the_message_where_one_number_is_strange(session: Session) -> None:
    await session.turn("Is PS3406971 compatible with WDT780SAEM1?")
    reply = (await session.turn("Do order 4711-22 and PS90001822 both fit WDT780SAEM1?")).reply
    assert "PS90001822" in reply
    assert "PS3406971" not in reply


async def test_an_aside_beside_the_last_thing_asked_for_is_answered(session: Session) -> None:
    await session.turn("my dishwasher is broken, model WDT780SAEM1")
    reply = (await session.turn("it is leaking and noisy, are you a robot?")).reply
    assert "automated assistant" in reply
