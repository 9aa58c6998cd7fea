"""With a model that hears and replies, what was asked is taken up, and what was told stays told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.agents.parts.conftest import Talk
from tests.agents.parts.test_models import scripted

from ruleplay.agents.parts.domain.cards import Card, card, with_number
from ruleplay.agents.parts.domain.catalog import Part
from ruleplay.agents.parts.domain.slots import Goal
from ruleplay.agents.parts.policy.rows import tables_of
from ruleplay.agents.parts.state import Line, State, ToolReturned
from ruleplay.records.turns import Turn

GOOD = [["Good."]]
BOTH = ("PS3406971 or PS90001548?", "The machine claims to be a WDT780SAEM1.")
LEAKS = {
    "wishes": [{"goal": "diagnose_repair", "model": "WDT780SAEM1"}],
    "symptoms": [{"quote": "leaks", "symptom": "Leaking"}],
}


async def heard(tmp_path: Path, *said: tuple[str, object, str]) -> tuple[Turn, str]:
    """Play messages, each with what a model hears and tells; return the last turn and prompt."""
    script: dict[str, list[object]] = {
        "parts.extract": [json.dumps(hearing) for _, hearing, _ in said],
        "parts.tell": [[told] for *_, told in said],
    }
    async with scripted(tmp_path, script) as (session, model):
        turns = [await session.turn(message) for message, *_ in said]
        return turns[-1], str(model.seen[-1].messages[-1].content)


async def test_a_model_number_told_alone_says_which_of_the_parts_shown_is_listed(
    tmp_path: Path,
) -> None:
    parts = [{"goal": "about_part", "part": one} for one in ("PS3406971", "PS90001548")]
    asks = "Both are in stock [r1.1, r1.2]. Which model is it?"
    turn, prompt = await heard(
        tmp_path,
        (BOTH[0], {"wishes": parts}, asks),
        (BOTH[1], {"language": "en"}, "Let me see."),
    )
    assert "PS3406971 | WDT780SAEM1 | listed" in prompt
    assert "PS90001548 | WDT780SAEM1 | not listed" in prompt
    assert "✓ PS3406971" in turn.reply
    assert "PS90001548 (Bosch Dishwasher Drain Pump)" in turn.reply


async def test_the_same_is_told_without_a_model(talk: Talk) -> None:
    *_, turn = await talk(*BOTH)
    assert "PS3406971" in turn.reply
    assert "PS90001548" in turn.reply
    assert "is listed for model WDT780SAEM1" in turn.reply


async def test_parts_shown_have_their_fit_beside_another_question_that_tells_the_model(
    tmp_path: Path,
) -> None:
    first = {"wishes": [{"goal": "price_and_stock", "part": "PS3406971"}]}
    then = {"wishes": [{"goal": "price_and_stock", "part": "PS90001411"}]}
    _, prompt = await heard(
        tmp_path,
        ("What is PS3406971?", first, "Good."),
        ("It's a WDT780SAEM1. And PS90001411, how much?", then, "Good."),
    )
    shown = prompt[prompt.index("parts shown before") :]
    assert "| listed for WDT780SAEM1 |" in shown


@pytest.mark.parametrize("told", ["It's listed for your WDT780SAEM1 [r1.1].", "Please go out."])
async def test_a_fit_asked_beside_a_danger_is_answered_below_the_warning(
    told: str, tmp_path: Path
) -> None:
    says = "theres sparks at the plug, WDT780SAEM1. mom says order PS3406971, does it fit"
    hearing = {
        "wishes": [
            {"goal": "diagnose_repair", "model": "WDT780SAEM1"},
            {"goal": "check_compatibility", "part": "PS3406971", "model": "WDT780SAEM1"},
        ],
        "symptoms": [{"quote": "theres sparks at the plug", "symptom": ""}],
        "hazard": {"kind": "sparks", "quote": "sparks"},
    }
    turn, prompt = await heard(tmp_path, (says, hearing, told))
    assert "PS3406971 | WDT780SAEM1 | listed" in prompt
    assert turn.reply.startswith("⚠")
    assert "listed for" in turn.reply
    assert [e["type"] for e in turn.events].count("ToolReturned") == 1, "the cause has to wait"


def _found(goal: Goal, *numbers: str, **args: object) -> ToolReturned:
    cards = tuple(Card(number=one, row="1", model="M1", symptoms=("Noisy",)) for one in numbers)
    told = {"model": "M1", **args}
    return ToolReturned(tool="find_part", goal=goal, args=told, cards=cards, verdict="")


def _musts(shown: tuple[str, ...], *found: ToolReturned) -> list[tuple[str, tuple[str, ...]]]:
    numbers = dict.fromkeys(card.number for one in found for card in one.cards)
    lines = [Line(id=f"card:{one}", says=one, block=True, found=True) for one in numbers]
    before = [Card(number=one, row="1") for one in shown]
    tables = tables_of(State(), found, lines, before)
    lists = [one for one in tables if one.title.startswith("parts that may help")]
    return [(must.line, must.unless) for table in lists for must in table.musts]


def test_parts_shown_before_are_not_told_again_beside_new_ones() -> None:
    found = _found(Goal.DIAGNOSE, "P1", "P2", "P3")
    assert _musts(("P1", "P2"), found) == [("P3", ())]
    assert _musts(("P1", "P2", "P3"), found) == [("1. P1\n2. P2\n3. P3", ())], "they are asked for"


def test_a_part_that_two_tables_have_is_told_for_both_by_its_number() -> None:
    every, light = _found(Goal.DIAGNOSE, "P1", "P4"), _found(Goal.FIND, "P4")
    assert _musts(("P1",), every, light) == [("P4", ("P1", "P4")), ("P4", ("P4",))]


async def test_a_part_told_from_either_table_is_not_printed_again(tmp_path: Path) -> None:
    too = {
        "wishes": [
            {"goal": "diagnose_repair"},
            {"goal": "find_part", "words": "a water inlet valve"},
        ],
        "symptoms": [{"quote": "won't fill", "symptom": "Will not fill with water"}],
    }
    told = "There is the valve PS90002507, known to fix that, at $39.14 [r2.1]."
    turn, prompt = await heard(
        tmp_path,
        ("My WDT780SAEM1 leaks", LEAKS, "Look at the gasket PS90001822 first [r1.1]."),
        ("it won't fill either, got a water inlet valve?", too, told),
    )
    assert "[r2] parts that may help" in prompt
    assert turn.reply.count("PS90002507") == 1
    assert "PS90001822" not in turn.reply


def test_no_note_says_of_a_problem_of_both_that_none_fixes_it_where_one_fixes_either() -> None:
    stated = ["Noisy", "Fridge and Freezer are too warm"]
    card = Card(number="P1", row="1", model="M1", symptoms=("Fridge too warm",), fixes=("Noisy",))
    for symptoms, none in ((stated, False), (["Noisy", "Leaking"], True)):
        args = {"model": "M1", "symptoms": symptoms}
        found = ToolReturned(
            tool="diagnose_repair", goal=Goal.DIAGNOSE, args=args, cards=(card,), verdict=""
        )
        notes = [note for table in tables_of(State(), [found], []) for note in table.notes]
        assert any("None of these parts" in note for note in notes) is none


async def test_a_price_of_something_for_a_problem_asks_for_no_part_number(tmp_path: Path) -> None:
    says = "My WDT780SAEM1 leaks, have you something for that, and how much?"
    prices = {"goal": "price_and_stock", "words": "something for that"}
    hearing = {**LEAKS, "wishes": [*LEAKS["wishes"], prices]}
    turn, prompt = await heard(tmp_path, (says, hearing, "The gasket PS90001822 first [r1.1]."))
    assert "the part number" not in prompt
    assert "the part number" not in turn.reply


async def test_after_a_smell_of_gas_one_stays_out(talk: Talk) -> None:
    *_, turn = await talk("I smell gas near the oven", "it's off, I called. PS3406971, price?")
    assert turn.reply.startswith("⚠ Stay out")
    assert "unplugged" not in turn.reply
    assert "$12.13" in turn.reply


def test_what_is_nearly_called_so_stands_in_no_table_of_what_is_missing() -> None:
    lines = [
        Line(id="near:seal", says="Nearest to your “seal”:"),
        Line(id="none:M1:bulb", says="No bulb."),
    ]
    tables = {one.title: one.rows for one in tables_of(State(), [], lines)}
    assert tables["looked for, and not in the catalog"] == (("No bulb.",),)
    assert tables["looked for; parts with nearly that name"] == (("Nearest to your “seal”:",),)


@pytest.mark.parametrize(("count", "ends"), [(12, "W11"), (15, "(and 3 more)")])
def test_a_list_of_replaced_numbers_that_is_cut_says_how_many_more(count: int, ends: str) -> None:
    replaces = tuple(f"W{n}" for n in range(count))
    part = Part(number="P1", row="1", replaces=replaces)
    known = card(part, model="", fit="")
    (table,) = [one for one in tables_of(State(), [], [], [known]) if "shown" in one.title]
    assert str(table.rows[0][-1]).endswith(ends)


def test_a_replaced_number_that_is_asked_about_is_never_cut() -> None:
    known = card(
        Part(number="P1", row="1", replaces=tuple(f"W{n}" for n in range(15))), model="", fit=""
    )
    assert with_number(known, "w14").replaces[0] == "w14"
    assert with_number(known, "W3").replaces.count("W3") == 1
