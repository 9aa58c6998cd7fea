"""What is asked beside something else is answered as well, about the part that is meant."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.agents.parts.conftest import Talk
from tests.agents.parts.test_models import scripted

SPARKS = "there are sparks when I open my dishwasher, WDT780SAEM1. mom says order PS90002781"


async def test_a_fit_is_answered_below_the_warning_and_no_price_is_told(talk: Talk) -> None:
    (turn,) = await talk(f"{SPARKS}, does it fit")
    assert turn.reply.startswith("⚠ Safety first.")
    assert "PS90002781 (Whirlpool Dishwasher Door Latch Assembly) is in the catalog" in turn.reply
    assert "listed for model WDT780SAEM1" in turn.reply
    assert "$" not in turn.reply


async def test_a_model_that_hears_it_has_the_verdict_to_tell(tmp_path: Path) -> None:
    said = f"{SPARKS}, does it fit"
    check = {"goal": "check_compatibility", "part": "PS90002781", "model": "WDT780SAEM1"}
    heard = {
        "wishes": [{"goal": "diagnose_repair", "model": "WDT780SAEM1"}, {**check, "shown": 1}],
        "hazard": {"quote": "sparks", "kind": "sparks"},
    }
    script: dict[str, list[object]] = {
        "parts.extract": [json.dumps(heard)],
        "parts.tell": [["Hm."]] * 3,
    }
    async with scripted(tmp_path, script) as (session, _):
        turn = await session.turn(said)
    told = [one for one in turn.events if one["type"] == "ToolReturned"]
    assert [(one["goal"], one["verdict"]) for one in told] == [("check_compatibility", "listed")]
    assert "listed for model WDT780SAEM1" in turn.reply


async def test_what_else_is_asked_beside_a_danger_is_put_off_in_words(talk: Talk) -> None:
    (turn,) = await talk("my dishwasher WDT780SAEM1 smells of burning. how much is PS90002781")
    assert "comes after that" in turn.reply
    assert "$" not in turn.reply


@pytest.mark.parametrize(
    ("over", "stands"),
    [
        ("the technician came and says its fine now. What does a drain pump cost?", False),
        (
            "Les pompiers sont passés, tout va bien merci. Combien coûte la pompe de vidange ?",
            False,
        ),
        ("le gaz est coupé, on attend les pompiers. Combien coûte la pompe ?", True),
        ("it's off at the breaker and the kids are fine. what does a drain pump cost?", True),
    ],
)
async def test_a_danger_ends_when_somebody_came_and_all_is_well(
    over: str, stands: bool, talk: Talk
) -> None:
    *_, turn = await talk("my dishwasher WDT780SAEM1 smells of burning", over)
    assert turn.reply.startswith("⚠") is stands


async def test_nothing_is_sold_to_who_asks_whether_it_may_run_once(talk: Talk) -> None:
    *_, turn = await talk(
        "burning smell from my dishwasher",
        "it's a WDT780SAEM1. can i switch it on just to finish the load",
    )
    assert "No, please don't" in turn.reply
    assert "switch" not in turn.reply


async def test_which_of_the_compared_parts_goes_on_a_model(talk: Talk) -> None:
    *_, turn = await talk(
        "PS90001411 or PS90001548, which is cheaper?", "which one goes on WDT780SAEM1, in stock?"
    )
    assert "✓ PS90001411 (Whirlpool Dishwasher Drain Pump) is listed" in turn.reply
    assert "PS90001548 is not" in turn.reply


async def test_a_noun_beside_those_tells_which_part_is_asked_about(talk: Talk) -> None:
    *_, turn = await talk(
        "my dishwasher WDT780SAEM1 does not drain",
        "drain pump also good for a GDT645QYNFS? got one of those friday",
    )
    asked = [one["args"]["part"] for one in turn.events if one["type"] == "ToolReturned"]
    assert asked[:1] == ["PS90001411"]


async def test_a_cheaper_one_is_looked_for_beside_the_price(talk: Talk) -> None:
    *_, turn = await talk(
        "my dishwasher WDT780SAEM1 does not drain",
        "is PS90001411 in stock? any cheaper one?",
    )
    assert "no drain pump that costs less than PS90001411" in turn.reply


async def test_what_a_part_does_the_catalog_says_no_more_of(talk: Talk) -> None:
    *_, turn = await talk("how much is PS90002233", "whats it even do")
    assert "It is known to fix" in turn.reply
    assert turn.reply.count("only by its name") == 1


async def test_the_arm_of_another_place_is_not_the_one_in_sight(talk: Talk) -> None:
    *_, turn = await talk(
        "lower spray arm for WDT780SAEM1", "and the middle arm, what does it cost?"
    )
    asked = [one["args"].get("part") for one in turn.events if one["type"] == "ToolReturned"]
    assert "PS90002233" not in asked


async def test_a_number_that_nobody_knows_is_not_checked_again_for_another_model(
    talk: Talk,
) -> None:
    *_, turn = await talk(
        "does XQ7788123 fit my WDT780SAEM1?", "use it anyway", "actually the model is WRS325SDHZ08"
    )
    assert not [one for one in turn.events if one["type"] == "ToolReturned"]


async def test_parts_are_called_what_their_whole_names_say(talk: Talk) -> None:
    (turn,) = await talk("do you have a crisper?")
    assert "Nothing in the catalog is called" not in turn.reply
    assert "For “crisper” the catalog has" in turn.reply


async def test_the_number_of_a_part_is_no_order(tmp_path: Path) -> None:
    said = "158 dollars? I'll put in the PS90002781 instead, it's cheaper"
    check = {"goal": "price_and_stock", "part": "PS90002781"}
    heard = {"wishes": [check], "topics": ["payment"]}
    script: dict[str, list[object]] = {
        "parts.extract": [json.dumps(heard)],
        "parts.tell": [["Hm."]] * 3,
    }
    async with scripted(tmp_path, script) as (session, _):
        turn = await session.turn(said)
    assert "see order" not in turn.reply
    assert "OrderNamed" not in {event["type"] for event in turn.events}
