"""What is wrong in words that are no symptom of the catalog is not lost where a model hears it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.agents.parts.test_models import scripted

from ruleplay.errors import ModelError


async def played(
    tmp_path: Path, *said: tuple[str, dict[str, object]], told: object = ("Hm.",)
) -> tuple[list[Any], list[str], dict[str, Any]]:
    """Play messages with what is heard of them; returns turns, prompts and the last view."""
    script: dict[str, list[object]] = {
        "parts.extract": [json.dumps(heard) for _, heard in said],
        "parts.tell": [told for _ in said],
    }
    async with scripted(tmp_path, script) as (session, model):
        turns = [await session.turn(message) for message, _ in said]
        return turns, [str(m.messages[-1].content) for m in model.seen], await session.view()


RACK = "top rack of my WDT780SAEM1 keeps dropping on one side, which part?"
DROPS = {
    "wishes": [{"goal": "diagnose_repair", "model": "WDT780SAEM1"}],
    "symptoms": [{"quote": "keeps dropping on one side", "symptom": ""}],
}


async def test_it_stands_among_what_the_customer_told(tmp_path: Path) -> None:
    (turn,), seen, _ = await played(tmp_path, (RACK, DROPS))
    assert "problem, in the customer's words | keeps dropping on one side" in seen[-1]
    assert "what problem you are experiencing" not in seen[-1] + turn.reply
    assert "for “keeps dropping on one side” the catalog names none" in seen[-1]


async def test_without_a_model_that_replies_it_is_asked_for_the_part(tmp_path: Path) -> None:
    (turn,), *_ = await played(tmp_path, (RACK, DROPS), told=ModelError("down"))
    assert "which part it is about" in turn.reply
    assert "keeps dropping on one side" in turn.reply


async def test_the_part_that_a_model_thinks_of_is_told_of(tmp_path: Path) -> None:
    _, seen, _ = await played(tmp_path, (RACK, DROPS))
    place = next(
        int(line.split(".")[0]) for line in seen[0].splitlines() if "Rack Adjuster" in line
    )
    wish = {"goal": "diagnose_repair", "model": "WDT780SAEM1", "shown": place}
    _, seen, _ = await played(tmp_path, (RACK, {**DROPS, "wishes": [wish]}))
    assert "[r1] parts asked about" in seen[-1]
    assert "Rack Adjuster" in seen[-1].split("[r2]")[0]


async def test_further_words_on_a_known_symptom_are_kept(tmp_path: Path) -> None:
    leak: dict[str, object] = {
        "wishes": [{"goal": "diagnose_repair", "model": "WDT780SAEM1"}],
        "symptoms": [{"quote": "leaks", "symptom": "Leaking"}],
    }
    more: dict[str, object] = {
        "wishes": [{"goal": "diagnose_repair"}],
        "symptoms": [{"quote": "drips from the bottom of the door", "symptom": "Leaking"}],
    }
    _, seen, _ = await played(
        tmp_path, ("my WDT780SAEM1 leaks", leak), ("it drips from the bottom of the door", more)
    )
    assert "in the customer's words | drips from the bottom of the door" in seen[-1]
    assert seen[-1].count("| problem |") == 1
