"""The adversary: repeatable, varied, and honest about which of its sentences are lies."""

import json
import random
import time
from typing import Literal

import pytest
from pydantic import BaseModel, Field, JsonValue
from tests.foundation.telling.specimens import specimen
from tests.samples import sample

from ruleplay.adversary.garble import SPOILERS, garbled, valid, wild
from ruleplay.adversary.hostile import HostileModel
from ruleplay.adversary.lies import Planted, lies_shown, truths_shown, words
from ruleplay.models.briefing import Briefing

LOOKUP: dict[str, JsonValue] = {
    "name": "find_part",
    "description": "Find a part.",
    "parameters": {"type": "object", "properties": {"part_number": {"type": "string"}}},
}


class Move(BaseModel, extra="forbid"):
    kind: Literal["attack", "flee"]
    target_name: str = Field(min_length=1)
    power: int = Field(ge=1, le=6)
    notes: list[str] = []
    inner: "Move | None" = None


FACTS = specimen("raid", 1)
TELL = Briefing(role="narrator", facts=FACTS)


async def speak(model: HostileModel, briefing: Briefing) -> tuple[str, int]:
    """Return the text and the number of tool calls received until the end or the first error."""
    text, calls = "", set[int | None]()
    try:
        async for chunk in model.astream("Brannoc attacks Mogg", briefing=briefing):
            text += chunk.text
            calls |= {call["index"] for call in chunk.tool_call_chunks}
    except (TimeoutError, ConnectionError, ValueError):
        pass
    return text, len(calls)


async def test_the_same_seed_does_the_same_harm_and_another_seed_other_harm() -> None:
    runs = []
    for seed in (3, 3, 4):
        model = HostileModel(seed)
        runs.append(([await speak(model, TELL) for _ in range(40)], model.planted))
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


async def test_a_role_does_not_depend_on_the_calls_of_another() -> None:
    alone, mixed = HostileModel(1), HostileModel(1)
    wanted = [await speak(alone, TELL) for _ in range(10)]
    got = []
    for _ in range(10):
        await speak(mixed, Briefing(role="other", facts=FACTS))
        got.append(await speak(mixed, TELL))
    assert got == wanted


async def test_every_kind_of_harm_is_done_and_none_takes_time() -> None:
    model, began = HostileModel(5), time.process_time()
    schema = Briefing(role="decide", schema=Move.model_json_schema())
    tools = Briefing(role="loop", facts=FACTS, tools=(LOOKUP,))
    for _ in range(sample(150, 300)):
        for briefing in (TELL, schema, tools):
            await speak(model, briefing)
    assert time.process_time() - began < 30
    done = set(model.mischief)
    assert {f"json: {name}" for name in (*SPOILERS, "valid", "wild", "stall")} <= done
    assert {"absent: TimeoutError", "stream: stall", "stream: cut", "stream: length"} <= done
    assert {"think: half open", "think: stray close", "think: tags", "think: apart"} <= done
    assert {"tools: unknown tool", "tools: respelt", "tools: repeated", "tools: stringly"} <= done


async def test_planted_is_taken_once() -> None:
    model = HostileModel(2)
    for _ in range(20):
        await speak(model, TELL)
    taken = model.take_planted()
    assert taken == model.planted
    assert taken
    assert model.take_planted() == []


@pytest.mark.parametrize(
    ("needle", "shown", "found"),
    [
        ("Mogg has 4 hit points", "**Mogg** has ４ hit\npoints!", True),
        ("Mogg has 41 hit points", "Mogg has 4\u200b1 hit points", True),
        ("Mogg has 4 hit points", "Mogg has 41 hit points", False),
        ("Mogg has 4", "Mogg has 4.5 hit points", False),
        ("PS123 fits", "ps123 FITS", True),
        ("Mogg dies", "Nobody called Mogg dies", True),
        ("Mogg dies", "Mogg's luck dies", False),
    ],
)
def test_the_search_sees_through_disguises(needle: str, shown: str, found: bool) -> None:
    planted = [Planted("lie", needle, needle, "test")]
    assert bool(lies_shown(planted, ["unrelated", shown])) is found


def test_truths_are_counted_apart_from_lies() -> None:
    planted = [
        Planted("truth", "So: Mogg dies.", "So: Mogg dies.", ""),
        Planted("truth", "Ayla lives.", "Ayla lives.", ""),
        Planted("lie", "Ayla dies.", "Ayla dies", ""),
    ]
    assert truths_shown(planted, ["So: Mogg dies. And more."]) == 1
    assert lies_shown(planted, ["So: Mogg dies. And more."]) == []


@pytest.mark.parametrize("seed", range(60))
def test_values_of_a_schema_validate_and_spoilt_ones_are_what_they_say(seed: int) -> None:
    rng, schema = random.Random(seed), Move.model_json_schema()
    Move.model_validate_json(valid(rng, schema, ["Mogg", "Ayla"]))
    shaped = json.loads(wild(rng, schema, ["Mogg"]))
    assert {"kind", "target_name", "power"} <= set(shaped)
    text, name = garbled(rng, schema, ["Mogg"])
    if name == "valid":
        Move.model_validate_json(text)
    if name == "garbage":
        assert len(text) == 100_000
    if name == "nested":
        assert text[:1] * 2 == text[:2] or text.startswith('{"a": {')


async def test_tool_text_in_prose_is_planted_and_calls_come_with_indices() -> None:
    model = HostileModel(8)
    counts = [
        (await speak(model, Briefing(role="loop", facts=FACTS, tools=(LOOKUP,))))[1]
        for _ in range(200)
    ]
    assert max(counts) >= 6
    assert counts.count(0) > 20
    leaks = [p for p in model.planted if p.why == "tool call in the text"]
    assert len(leaks) > 5
    assert all(words(p.needle) in words(p.sentence) for p in leaks)


async def test_tools_bound_without_a_briefing_are_misused_too() -> None:
    bound = HostileModel(8).bind_tools([LOOKUP])
    names = set()
    for _ in range(200):
        try:
            answer = await bound.ainvoke("Which part?")
        except (TimeoutError, ConnectionError, ValueError):
            continue
        names |= {call["name"] for call in (*answer.tool_calls, *answer.invalid_tool_calls)}
    assert {"find_part", "FindPart"} <= names
