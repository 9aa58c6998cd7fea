"""The adversary: repeatable, varied, and honest about which of its sentences are lies."""

import json
import random
import re
import time
from typing import Literal

import pytest
from pydantic import BaseModel, Field, JsonValue

from ruleplay.foundation.adversary.garble import SPOILERS, garbled, valid, wild
from ruleplay.foundation.adversary.hostile import HostileModel
from ruleplay.foundation.adversary.liar import Liar, in_words
from ruleplay.foundation.adversary.lies import Planted, lies_shown, truths_shown, words
from ruleplay.foundation.claims import Claim, Fact
from ruleplay.foundation.llm.rehearsal import Briefing
from ruleplay.foundation.prose.phrasebook import FALLS, Phrasebook

BOOK = Phrasebook(
    phrasing={
        "hit": ["{subject} strikes {object} for {value}", "{object} takes {value} from {subject}"],
        "hp": ["{subject} is left with {value} hit points"],
        "dies": ["{subject} is dead"],
    },
    outcomes=FALLS,
)
HITS = [("Brannoc", "Mogg", 17), ("Ayla", "Mogg", 9), ("Mogg", "Ayla", 12), ("Snik", "Brannoc", 3)]
HP = {"Brannoc": 28, "Ayla": 15, "Mogg": 0, "Snik": 7}
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


def fight() -> tuple[Fact, ...]:
    hits = [
        Fact(
            id=f"h{i}",
            says=f"{a} hits {b} for {n} damage.",
            claims=(Claim(kind="hit", subject=a, value=str(n), object=b),),
        )
        for i, (a, b, n) in enumerate(HITS)
    ]
    left = [
        Fact(
            id=f"p-{name}",
            says=f"{name} has {hp} hit points left.",
            claims=(Claim(kind="hp", subject=name, value=str(hp)),),
        )
        for name, hp in HP.items()
    ]
    death = Fact(id="d", says="Mogg dies.", claims=(Claim(kind="dies", subject="Mogg"),), must=True)
    return (*hits, *left, death)


TELL = Briefing(role="narrator", facts=fight())


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
        model = HostileModel(seed, BOOK)
        runs.append(([await speak(model, TELL) for _ in range(40)], model.planted))
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


async def test_a_role_does_not_depend_on_the_calls_of_another() -> None:
    alone, mixed = HostileModel(1, BOOK), HostileModel(1, BOOK)
    wanted = [await speak(alone, TELL) for _ in range(10)]
    got = []
    for _ in range(10):
        await speak(mixed, Briefing(role="other", facts=fight()))
        got.append(await speak(mixed, TELL))
    assert got == wanted


async def test_every_kind_of_harm_is_done_and_none_takes_time() -> None:
    model, began = HostileModel(5, BOOK), time.monotonic()
    schema = Briefing(role="decide", schema=Move.model_json_schema())
    tools = Briefing(role="loop", facts=fight(), tools=(LOOKUP,))
    for _ in range(300):
        for briefing in (TELL, schema, tools):
            await speak(model, briefing)
    assert time.monotonic() - began < 30
    done = set(model.mischief)
    assert {f"json: {name}" for name in (*SPOILERS, "valid", "wild", "stall")} <= done
    assert {"absent: TimeoutError", "stream: stall", "stream: cut", "stream: length"} <= done
    assert {"think: half open", "think: stray close", "think: tags", "think: apart"} <= done
    assert {"tools: unknown tool", "tools: respelt", "tools: repeated", "tools: stringly"} <= done
    lies = {name.removeprefix("lie: ") for name in done if name.startswith("lie: ")}
    assert lies >= {
        "number swapped",
        "number altered",
        "number in words",
        "subject swapped",
        "object swapped",
        "direction reversed",
        "foreign name",
        "verdict turned",
        "negated as a whole",
        "outcome invented",
        "ratio invented",
    }


NUMBER_OF = {in_words(n): n for n in range(101)}
HIT = re.compile(
    r"^(?:(?P<a>.+) (?:hits|strikes) (?P<b>\w+(?: \w+)?) for (?P<n>[\w-]+)(?: damage)?"
    r"|(?P<b2>.+) takes (?P<n2>[\w-]+) from (?P<a2>.+))$"
)
LEFT = re.compile(r"^(?P<a>.+) (?:has|is left with) (?P<n>[\w-]+) hit points(?: left)?$")
DEAD = re.compile(r"^(?P<a>.+) (?:dies|is dead|survives|is not dead)$")


def verdict(clause: str) -> bool | None:
    """Judge a clause from the tables above; None when it is of no known shape."""
    if clause.startswith(denial := "it is not true that "):
        inner = verdict(clause.removeprefix(denial))
        return None if inner is None else not inner
    if found := HIT.match(clause):
        got = {name[0]: text for name, text in found.groupdict().items() if text}
        amount = NUMBER_OF.get(got["n"]) if not got["n"].isdigit() else int(got["n"])
        return (got["a"], got["b"], amount) in HITS
    if found := LEFT.match(clause):
        left = str(NUMBER_OF.get(found["n"], found["n"]))
        return str(HP.get(found["a"])) == left
    if found := DEAD.match(clause):
        alive = "survives" in clause or "not" in clause
        return (found["a"] == "Mogg") is not alive
    return None


def test_lies_are_false_and_truths_true_by_an_independent_reading() -> None:
    judged = 0
    for seed in range(1500):
        liar = Liar(random.Random(seed), fight(), BOOK)
        made = liar.lie()
        assert made is not None
        judgement = verdict(made[0])
        assert judgement is not True, made
        judged += judgement is False
        assert all(verdict(clause) is True for clause, _ in liar.truths())
    assert judged > 900


def test_a_swap_that_makes_a_true_statement_is_no_lie() -> None:
    twins = tuple(
        Fact(
            id=name,
            says=f"{name} has 5 hit points left.",
            claims=(Claim(kind="hp", subject=name, value="5"),),
        )
        for name in ("Ayla", "Mogg")
    )
    plain = Phrasebook(names=())
    made = [Liar(random.Random(seed), twins, plain).lie() for seed in range(300)]
    whys = {lie[1].split(":")[0] for lie in made if lie}
    assert "subject swapped" not in whys
    assert "number swapped" not in whys
    assert "number altered" in whys


def test_without_facts_there_is_nothing_to_lie_about() -> None:
    liar = Liar(random.Random(1), (), Phrasebook())
    assert liar.lie() is None
    assert liar.cut() is None
    assert liar.truths() == []


async def test_unguarded_text_shows_the_lies_and_template_words_show_none() -> None:
    model = HostileModel(11, BOOK)
    lies = found = truths = told = 0
    for _ in range(300):
        text, _ = await speak(model, TELL)
        planted = model.take_planted()
        visible = [p for p in planted if p.kind == "lie" and "inside reasoning" not in p.why]
        lies, found = lies + len(visible), found + len(lies_shown(visible, [text]))
        truths += sum(p.kind == "truth" for p in planted)
        told += truths_shown(planted, [text])
        templates = [fact.says for fact in fight()]
        assert lies_shown(planted, templates) == []
        assert truths_shown(planted, templates) == 0
    assert lies > 400
    assert found / lies > 0.8  # The rest is behind the end of a broken stream.
    assert truths > 400
    assert told == truths


async def test_planted_is_taken_once() -> None:
    model = HostileModel(2, BOOK)
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


def test_number_words() -> None:
    assert [in_words(n) for n in (0, 12, 15, 18, 20, 42, 99, 100)] == [
        "zero",
        "twelve",
        "fifteen",
        "eighteen",
        "twenty",
        "forty-two",
        "ninety-nine",
        "one hundred",
    ]


async def test_tool_text_in_prose_is_planted_and_calls_come_with_indices() -> None:
    model = HostileModel(8, BOOK)
    counts = [
        (await speak(model, Briefing(role="loop", facts=fight(), tools=(LOOKUP,))))[1]
        for _ in range(200)
    ]
    assert max(counts) >= 6
    assert counts.count(0) > 20
    leaks = [p for p in model.planted if p.why == "tool call in the text"]
    assert len(leaks) > 5
    assert all(words(p.needle) in words(p.sentence) for p in leaks)


async def test_tools_bound_without_a_briefing_are_misused_too() -> None:
    bound = HostileModel(8, BOOK).bind_tools([LOOKUP])
    names = set()
    for _ in range(200):
        try:
            answer = await bound.ainvoke("Which part?")
        except (TimeoutError, ConnectionError, ValueError):
            continue
        names |= {call["name"] for call in (*answer.tool_calls, *answer.invalid_tool_calls)}
    assert {"find_part", "FindPart"} <= names
