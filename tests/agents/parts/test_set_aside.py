"""A machine that was left for another comes back with the parts that were shown for it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.agents.parts.conftest import Talk
from tests.agents.parts.test_models import scripted

ICE = "my fridge WRS325QDHZ04 makes no ice"
LEAK = "my dishwasher WDT780SAEM1 is leaking"


@pytest.mark.parametrize(
    "left", [f"and {LEAK}", f"forget the fridge. {LEAK}", "how much is a gasket for a WDT780SAEM1?"]
)
async def test_the_number_of_its_part_is_told_again(left: str, talk: Talk) -> None:
    first, *_, turn = await talk(ICE, left, "what was the number of the part for my fridge again?")
    shown = re.findall(r"^(?:\d\. )?(PS\d+) \(", first.reply, re.MULTILINE)
    again = re.findall(r"^(?:\d\. )?(PS\d+) \(", turn.reply, re.MULTILINE)
    assert shown
    assert again == shown


async def test_of_several_parts_the_one_spoken_of_last_is_told_again(talk: Talk) -> None:
    *_, turn = await talk(
        ICE, "how much is the water inlet valve?", LEAK,
        "what was the number of the part for my fridge again?",
    )  # fmt: skip
    assert len(set(re.findall(r"PS\d+", turn.reply))) == 1
    assert "Water Inlet Valve" in turn.reply


async def test_a_model_hears_and_may_cite_them(tmp_path: Path) -> None:
    """The list of parts begins with them, and the place picked is answered with the number."""
    said = (ICE, f"oublie le frigo, {LEAK}", "c'était quoi le numéro pour le frigo ?")
    withdrawn = {
        "withdrawn": ["refrigerator"],
        "wishes": [{"goal": "diagnose_repair", "model": "WDT780SAEM1"}],
        "symptoms": [{"quote": "leaking", "symptom": "Leaking", "machine": "WDT780SAEM1"}],
    }
    heard = {"wishes": [{"goal": "about_part", "shown": 1, "machine": "refrigerator"}]}
    ice = {"symptoms": [{"quote": "makes no ice", "symptom": "Ice maker not making ice"}]}
    script: dict[str, list[object]] = {
        "parts.extract": [json.dumps(one) for one in (ice, withdrawn, heard)],
        "parts.tell": [["Hm."]] * 3,
    }
    async with scripted(tmp_path, script) as (session, model):
        first, _, turn = [await session.turn(message) for message in said]
        hearing, telling = (str(one.messages[-1].content) for one in model.seen[-2:])
    shown = first.reply.split("PS", 1)[1].split()[0]
    assert f"\n1. PS{shown} " in hearing
    assert f"1 | PS{shown} |" in telling.split("[r2]")[0]
    assert [event["args"] for event in turn.events if event["type"] == "ToolReturned"] == [
        {"part": f"PS{shown}", "model": "WRS325QDHZ04"}
    ]
