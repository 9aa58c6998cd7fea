"""Answers read like a shop clerk's: what was asked first, each part once, nothing of machinery."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.agents.parts.conftest import Talk

from ruleplay.agents.parts.adapters.catalog import open_catalog
from ruleplay.agents.parts.adapters.catalog_import import import_catalog
from ruleplay.agents.parts.domain.catalog import Hit, Part
from ruleplay.agents.parts.domain.descriptions import parts_named, roundabout
from ruleplay.agents.parts.domain.slots import DescriptionSlot, Evidence
from ruleplay.agents.parts.policy.rows import text
from ruleplay.agents.parts.state import Line
from ruleplay.agents.parts.tools import meant
from ruleplay.telling.table import Column, Table
from ruleplay.telling.tags import parse

NOWHERE = Evidence(turn=0, start=0, end=0, text="")


async def test_the_answer_names_the_model_and_the_problem_once(talk: Talk) -> None:
    (turn,) = await talk("My WDT780SAEM1 dishwasher is leaking")
    assert "Noted:" not in turn.reply
    assert "Model WDT780SAEM1:" not in turn.reply
    assert "For WDT780SAEM1 these parts are known to fix this (leaking)" in turn.reply


async def test_one_part_alone_has_no_number_in_a_list(talk: Talk) -> None:
    (turn,) = await talk("I need a silverware basket for my WDT780SAEM1")
    assert "\n\nPS90004014 (Whirlpool Dishwasher Silverware Basket): $42.07" in turn.reply


async def test_what_is_missing_alone_is_asked_in_a_sentence(talk: Talk) -> None:
    (turn,) = await talk("my dishwasher is leaking")
    assert "I still need your appliance's model number" in turn.reply
    assert "\n- " not in turn.reply


@pytest.mark.parametrize(
    ("message", "says"),
    [("put it in my cart", "you order by number"), ("je le commande", "vous commandez par numéro")],
)
async def test_who_orders_is_told_by_which_numbers(message: str, says: str, talk: Talk) -> None:
    price = "combien coûte PS90001822 ?" if "numéro" in says else "how much is PS90001822?"
    *_, turn = await talk(price, message)
    assert says in turn.reply
    assert "PS90001822 (Whirlpool Dishwasher Door Gasket)" in turn.reply


async def test_a_price_of_no_part_named_is_of_the_two_shown(talk: Talk) -> None:
    *_, turn = await talk("how hard is PS3406971 and PS90001822", "how much for everything")
    assert "$54.67 in total" in turn.reply


async def test_counts_by_part_numbers_ask_for_their_sum(talk: Talk) -> None:
    (turn,) = await talk("3 wheels PS3406971 and 1 gasket PS90001822, please")
    assert "$78.93 in total" in turn.reply


async def test_a_hello_beside_a_question_is_no_question(talk: Talk) -> None:
    (turn,) = await talk("hello, where do I find the model number of my dishwasher?")
    assert "tub" in turn.reply
    assert "What would you like help with" not in turn.reply


@pytest.mark.parametrize(
    ("said", "language", "begins"),
    [
        ("the plastic bit you push your cup on is gone", "en", "plastic bit"),
        ("a piece of the shelf broke", "en", None),
        ("the thing that holds the wheel", "en", "thing"),
        ("le truc qui tient la tablette", "fr", "truc"),
        ("un bout de la tablette", "fr", None),
        ("the wheel broke", "en", None),
    ],
)
def test_a_part_told_by_what_it_does(said: str, language: str, begins: str | None) -> None:
    (noun, *_) = parts_named(said, language)
    at = roundabout(said, noun, language)
    assert (said[at:].startswith(begins or "") if at is not None else None) is (
        True if begins else None
    )


def _hit(name: str, *matched: str) -> Hit:
    return Hit(part=Part(number=name, row="parts:1", name=name), matched=matched, score=1.0)


def test_the_ice_one_after_a_button_is_for_ice() -> None:
    button = _hit("Water Dispenser Button", "button", "water", "dispenser")
    lever, maker = _hit("Ice Dispenser Lever", "ice", "dispenser"), _hit("Ice Maker", "ice")
    wanted = DescriptionSlot(
        value="ice", terms=("button", "ice", "water", "dispenser"), strong=("button",),
        said=("ice",), own=("button",), sort="variant", evidence=NOWHERE,
    )  # fmt: skip
    assert meant([button, lever, maker], wanted) == [lever]
    assert meant([button], wanted) == []


def test_numbers_of_a_list_go_on_for_the_same_machine() -> None:
    def block(name: str) -> Line:
        return Line(id=f"card:{name}", says=name, block=True)

    def opening(model: str) -> Line:
        return Line(id=f"opening:{model}:x", says=f"For {model}:")

    told = text([opening("M1"), block("a"), block("b"), opening("M1"), block("c"), opening("M2"),
                 block("d")])  # fmt: skip
    assert told == "For M1:\n\n1. a\n2. b\n\nFor M1:\n\n3. c\n\nFor M2:\n\n1. d"
    assert text([opening("M1"), block("a")]) == "For M1:\n\na"


def test_a_number_without_digits_is_kept(tmp_path: Path) -> None:
    parts = tmp_path / "parts.csv"
    parts.write_text(
        'part_number,name,replaces\nPS1000,Water Filter,"ULTRAWFC, HAF-QIN, VERY EASY JOB"\n'
    )
    report = import_catalog(parts, into=tmp_path / "catalog")
    assert [row.reason for row in report.rejected_rows] == [
        "'VERY EASY JOB' is not a replaced number"
    ]
    with open_catalog(tmp_path / "catalog") as catalog:
        assert catalog.part("PS1000")[0].part.replaces == ("ULTRAWFC", "HAF-QIN")


def test_a_factor_of_a_formula_may_be_said() -> None:
    columns = (Column(name="part", unit="name"), Column(name="price", unit="$"))
    tables: Mapping[str, Table] = {
        "r1": Table(id="r1", title="parts", columns=columns, rows=(("PS1", 68.71),))
    }
    (formula,) = parse("[2*r1.1.price]", tables).formulas
    assert formula.said == (2.0,)
    (turned,) = parse("[r1.1.price/60]", tables).formulas
    assert turned.said == ()
