"""The shop's own lines beside a model's text, and what the telling model reads."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from tests.agents.parts.test_models import NOTHING_HEARD, scripted

from ruleplay.agents.parts.domain.ids import Option
from ruleplay.agents.parts.domain.slots import Evidence, UnconfirmedId
from ruleplay.agents.parts.policy.rows import unconfirmed

FILM = "https://shop.example/videos/PS90001274"
FILMED = "PS90001274"


async def played(tmp_path: Path, *turns: tuple[str, object, str]) -> tuple[list[str], list[str]]:
    """Play messages, each with what a model hears and tells; return replies and tell prompts."""
    script: dict[str, list[object]] = {
        "parts.extract": [h if isinstance(h, str) else json.dumps(h) for _, h, _ in turns],
        "parts.tell": [[told] for *_, told in turns],
    }
    async with scripted(tmp_path, script) as (session, model):
        replies = [(await session.turn(message)).reply for message, *_ in turns]
        asked = [str(one.messages[-1].content) for one in model.seen]
    return replies, [one for one in asked if "The customer writes:" in one]


def wish(goal: str, **told: object) -> dict[str, object]:
    return {"wishes": [{"goal": goal, **told}]}


FIT = ("Is PS3406971 compatible with WDT780SAEM1?", NOTHING_HEARD, "It is.")
TWO = ("how much are PS3406971 and PS90001822?", NOTHING_HEARD, "Well.")


async def test_what_a_near_number_would_cost_may_be_told_beside_the_question(
    tmp_path: Path,
) -> None:
    told = "If you mean PS3406971, it is $12.13 [r1.1]."
    (reply,), (asked,) = await played(tmp_path, ("price of PS3406917, pls", NOTHING_HEARD, told))
    assert "[r1] perhaps meant; a line of the shop asks which" in asked
    assert reply.startswith("If you mean PS3406971, it is $12.13.")
    unknown, question = reply.split("\n\n")[-2:]
    assert unknown == "I don't find PS3406917 in the catalog."
    assert question.startswith("Do you mean PS3406971 (")


@pytest.mark.parametrize(
    ("told", "added"),
    [("That makes $24.26 [r2.1].", False), ("They would do.", True)],
)
async def test_a_sum_is_told_once(tmp_path: Path, told: str, added: bool) -> None:
    heard = wish("price_and_stock", part="PS3406971", count=2)
    message = "two of PS3406971, what's that together?"
    (reply,), (asked,) = await played(tmp_path, (message, heard, told))
    assert "in all" in asked
    assert reply.count("in total") == added, reply


async def test_a_fit_that_was_told_is_not_told_again_unasked(tmp_path: Path) -> None:
    about = ("and what would it cure?", wish("about_part", words="it", shown=1), "Noise, mostly.")
    again = ("sure that it is for mine?", wish("check_compatibility", words="it", shown=1), "Yes.")
    replies, _ = await played(tmp_path, FIT, about, again)
    assert "✓" not in replies[1]
    assert "✓ PS3406971" in replies[2], "who asks for it again hears it again"


@pytest.mark.parametrize(
    ("goal", "told", "shown"),
    [
        ("about_part", "A wheel, and a good one.", False),
        ("about_part", "A wheel; the video shows where it goes.", True),
        ("installation_effort", "Not hard.", True),
    ],
)
async def test_a_video_stands_where_it_is_spoken_of_or_asked_for(
    tmp_path: Path, goal: str, told: str, shown: bool
) -> None:
    asked = (f"tell me of {FILMED}", wish(goal, part=FILMED), told)
    (reply,), _ = await played(tmp_path, asked)
    assert (FILM in reply) is shown


async def test_a_video_is_given_once(tmp_path: Path) -> None:
    effort = wish("installation_effort", part=FILMED)
    about = wish("about_part", words="it", shown=1)
    replies, _ = await played(
        tmp_path,
        (f"how do I fit {FILMED}, is it quick?", effort, "Quick. There is a video."),
        (f"and {FILMED} by a beginner?", effort, "Fine too, see the video."),
        ("so what is it good for?", about, "Rolling; the video shows it."),
    )
    assert [FILM in reply for reply in replies] == [True, False, False]


@pytest.mark.parametrize(
    ("message", "summed"),
    [
        ("which of the two is the cheapest?", False),
        ("le moins cher des deux, c'est lequel ?", False),
        ("and what do the two come to in total?", True),
    ],
)
async def test_a_comparison_is_no_order(tmp_path: Path, message: str, summed: bool) -> None:
    both = {
        "wishes": [
            {"goal": "price_and_stock", "shown": place, "cheapest": not summed} for place in (1, 2)
        ]
    }
    replies, _ = await played(tmp_path, TWO, (message, both, "So."))
    assert ("total" in replies[1]) is summed


async def test_who_has_heard_the_causes_is_not_sent_to_look_again(tmp_path: Path) -> None:
    leaks = ("My WDT780SAEM1 dishwasher is leaking, fix it", NOTHING_HEARD, "Oh dear.")
    price = (
        "the gasket it is. price?",
        wish("price_and_stock", words="the gasket", shown=1),
        "So.",
    )
    waits = ("I'd rather not buy yet", {"wishes": [], "topics": ["checks"]}, "Fine.")
    _, asked = await played(tmp_path, leaks, price, waits)
    assert ["free to look at before buying" in one for one in asked] == [True, False, True]


async def test_who_has_told_a_number_has_found_the_label(tmp_path: Path) -> None:
    near = ("does PS3406971 go with my WDT708SAEM1?", NOTHING_HEARD, "Hm.")
    wrong = {"wishes": [], "withdrawn": ["WDT708SAEM1"]}
    back = ("forget that one, it is the serial", wrong, "Then I need its model number.")
    replies, _ = await played(tmp_path, near, back)
    assert replies[1] == "Then I need its model number."


async def test_written_steps_are_missed_only_by_who_asks_for_them(tmp_path: Path) -> None:
    no_steps, asks = "PS90004014", wish("install_instruction", part="PS90004014")
    effort = wish("installation_effort", part=no_steps)
    _, asked = await played(
        tmp_path,
        (f"is {no_steps} hard to fit?", effort, "No."),
        (f"{no_steps} in my WDT780SAEM1 step by step please", asks, "Hm."),
    )
    assert ["no written steps" in one for one in asked] == [False, True]


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("et le bras du haut pour mon WDT780SAEM1 ?", "le bras du haut"),
        ("is there an arm for the top of my WDT780SAEM1?", "an arm for the top"),
    ],
)
async def test_what_is_not_there_is_named_in_full(tmp_path: Path, message: str, words: str) -> None:
    """The model has a lower arm, so that nothing called an arm would be false."""
    heard = wish("find_part", words=words, model="WDT780SAEM1")
    _, (asked,) = await played(tmp_path, (message, heard, "Hm."))
    (line,) = [one for one in asked.splitlines() if "WDT780SAEM1" in one and words[-3:] in one][:1]
    assert words.removeprefix("le ") in line
    assert "PS90002233" in asked, "the lower one is among the model's parts"


@pytest.mark.parametrize("count", [None, 2])
async def test_only_what_a_model_counts_is_counted(tmp_path: Path, count: int | None) -> None:
    """In "which of the 2", and beside a part, the figure is no quantity."""
    basket = {"goal": "price_and_stock", "part": "PS90004014", "count": count, "counted": "2"}
    other = {"goal": "price_and_stock", "shown": 1}
    message = "and the basket PS90004014? which of the 2 is less?"
    heard = {"wishes": [{**basket, "counted": "2" if count else ""}, other]}
    replies, asked = await played(tmp_path, FIT, (message, heard, "So."))
    assert ("in total" in replies[1]) is bool(count)
    assert ("how many are wanted" in asked[1]) is bool(count)


async def test_whether_a_near_model_has_the_part_is_known_beside_the_question(
    tmp_path: Path,
) -> None:
    told = "If yours is the WDT780SAEM1, PS3406971 is listed for it [r1.1]."
    near = ("does PS3406971 go with my WDT708SAEM1?", NOTHING_HEARD, told)
    (reply,), (asked,) = await played(tmp_path, near)
    assert "1 | PS3406971 | WDT780SAEM1 | listed, if this is the model" in asked
    assert reply.startswith("If yours is the WDT780SAEM1")
    assert "Do you mean WDT780SAEM1 (" in reply


async def test_a_model_that_fails_takes_nothing_from_the_templates(tmp_path: Path) -> None:
    script: dict[str, list[object]] = {
        "parts.extract": [json.dumps(wish("about_part", part=FILMED))],
        "parts.tell": [[asyncio.Event()]],
    }
    async with scripted(tmp_path, script, tell_seconds=0.1) as (session, _):
        turn = await session.turn(f"tell me of {FILMED}")
    assert FILM in turn.reply


@pytest.mark.parametrize(
    ("written", "said"),
    [("MWF", "by which the catalog knows PS90001"), ("MVF", "unknown to the catalog")],
)
def test_a_number_that_the_catalog_has_as_written_is_not_called_unknown(
    written: str, said: str
) -> None:
    filter_ = Option(kind="part", number="PS90001", row="1", via="manufacturer", known_as="mwf")
    quote = Evidence(turn=1, start=0, end=len(written), text=written)
    slot = UnconfirmedId(value=written, evidence=quote, options=(filter_,))
    assert said in unconfirmed(slot)


async def test_a_machine_that_is_left_for_another_can_be_come_back_to(tmp_path: Path) -> None:
    left = {
        "withdrawn": ["forget the dishwasher"],
        **wish("diagnose_repair", machine="refrigerator"),
    }
    _, asked = await played(
        tmp_path,
        ("My WDT780SAEM1 dishwasher is leaking", NOTHING_HEARD, "Let me see."),
        ("forget the dishwasher, my fridge makes no ice", left, "All right."),
    )
    assert "dishwasher WDT780SAEM1, not spoken of now" in asked[-1]
