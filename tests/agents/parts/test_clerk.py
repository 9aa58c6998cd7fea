"""Answers read like a shop clerk's: what was asked first, each part once, nothing of machinery."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.agents.parts.conftest import Talk

from ruleplay.agents.parts.adapters.catalog import Catalog, open_catalog
from ruleplay.agents.parts.adapters.catalog_import import import_catalog
from ruleplay.agents.parts.domain.cards import Card, Spread
from ruleplay.agents.parts.domain.catalog import Hit, Part
from ruleplay.agents.parts.domain.descriptions import parts_named, roundabout
from ruleplay.agents.parts.domain.slots import DescriptionSlot, Evidence, Find, Goal, VerifiedModel
from ruleplay.agents.parts.domain.voice import voice
from ruleplay.agents.parts.policy.apart import compared
from ruleplay.agents.parts.policy.rows import Background, reader, tables_of, text
from ruleplay.agents.parts.policy.weighing import elsewhere
from ruleplay.agents.parts.state import CaseFile, Line, State
from ruleplay.agents.parts.tools import find_part, meant, symptoms_of
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
    assert "please tell me your appliance's model number" in turn.reply
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


async def test_a_sum_that_was_asked_for_opens_the_reply(talk: Talk) -> None:
    *_, turn = await talk("how much is PS3406971 and PS90001822 in total, and do you ship to Ohio?")
    assert "$54.67 in total" in turn.reply.split("\n\n")[0]


async def test_the_fit_of_a_further_number_is_told_like_that_of_the_first(talk: Talk) -> None:
    *_, turn = await talk("does PS3406971 fit my WDT780SAEM1?", "hm okay and PS90001822?")
    assert turn.reply.startswith("✓ PS90001822")


async def test_the_other_one_is_asked_what_was_asked_of_the_first(talk: Talk) -> None:
    compared = "does PS3406971 fit my WDT780SAEM1, and PS90001822?"
    *_, turn = await talk(compared, "is PS3406971 hard to put in?", "and the other one?")
    assert "PS90001822 (Whirlpool Dishwasher Door Gasket) is rated" in turn.reply


async def test_a_part_found_by_its_name_is_told_with_its_price(talk: Talk) -> None:
    (turn,) = await talk("does a silverware basket fit my WDT780SAEM1?")
    verdict, card = turn.reply.split("\n\n")[:2]
    assert verdict.startswith("✓ PS90004014")
    assert "$42.07" in card


async def test_a_further_part_is_added_to_the_one_just_told_of(talk: Talk) -> None:
    *_, turn = await talk(
        "does PS3406971 fit my WDT780SAEM1?", "and PS90001822, how much in total?"
    )
    assert "$54.67 in total" in turn.reply.split("\n\n")[0]


def test_the_cheapest_is_of_all_parts_and_not_of_those_shown() -> None:
    def bin_at(number: int, price: str) -> Card:
        told = {"name": "Door Bin", "price": Decimal(price), "availability": "In Stock"}
        return Card(number=f"PS{number}", row="1", **told)

    low, high = bin_at(1, "9.50"), bin_at(40, "80")
    spread = Spread(cards=(low, bin_at(2, "20")), count=40, least=low, most=high)
    said = elsewhere("bin", spread, "", voice("en")).says
    assert "40 parts" in said
    assert "from PS1 (Door Bin) at $9.50 to PS40 at $80.00" in said
    behind = Background(spreads=[(CaseFile(number=1, appliance="refrigerator"), spread)])
    (table, *_) = tables_of(State(goal=Goal.PRICE), (), (), behind=behind)
    assert "The cheapest of all 40 is PS1." in table.notes


class Shelf:
    """A catalog of nine pumps, the dearest first, for dishwashers; it also lists ovens."""

    stamp = SimpleNamespace(name="shelf", imported_on=date(2025, 6, 1))

    def find(self, *_: object, **__: object) -> list[Hit]:
        every = (
            Part(number=f"PS{n}", row="1", name="Drain Pump", price=Decimal(90 - n))
            for n in range(9)
        )
        return [Hit(part=part, matched=("pump",), score=1) for part in every]

    def kinds(self) -> tuple[str, ...]:
        return ("dishwasher",)

    def symptoms_by_kind(self) -> dict[str, list[str]]:
        return {"Gas igniter glows": ["range"], "Leaking": ["dishwasher", "microwave"]}


def test_the_cheapest_of_more_than_are_shown_leads() -> None:
    pump = DescriptionSlot(value="pump", terms=("pump",), strong=("pump",), evidence=NOWHERE)
    request = Find(description=pump, model=VerifiedModel(value="M1", row="1", evidence=NOWHERE))
    cheapest = request.model_copy(update={"by_price": True})
    shelf = cast(Catalog, Shelf())
    assert find_part(request, shelf).cards[0].number == "PS0"
    assert [one.number for one in find_part(cheapest, shelf).cards][:2] == ["PS8", "PS7"]


def test_symptoms_of_machines_that_are_not_sold_are_not_offered() -> None:
    context = SimpleNamespace(world=Shelf(), outside=lambda _name, _about, ask, _type: ask())
    assert symptoms_of(cast(Any, context)) == {"Leaking": ["dishwasher"]}


def test_equal_prices_are_said_before_all_else() -> None:
    cards = [Card(number=f"PS{n}", row="1", price=Decimal("62.38")) for n in (1, 2)]
    lines = compared(cards, voice("en"))
    assert text(lines).startswith("PS1 and PS2 cost the same: $62.38 each.")


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


def test_what_a_special_order_is_stands_beside_parts_shown_before() -> None:
    shown = [Card(number="PS1", row="parts:2", availability="Special Order")]
    (table,) = tables_of(State(), (), (), before=shown)
    assert "ordered from the manufacturer" in table.notes[0]


def test_one_of_a_choice_is_never_told_as_the_only_one() -> None:
    pump = Card(number="PS90001411", row="parts:1", name="Drain Pump", fixes=("Not draining",))
    spread = Spread(cards=(pump,), count=1, brand="LG", brands=("LG", "Bosch"))
    behind = Background(spreads=[(CaseFile(number=1, appliance="dishwasher"), spread)])
    tables = tables_of(State(goal=Goal.PRICE), (), (), behind=behind)
    assert "(1 rows)" in tables[0].prompt(), "what is counted is what was named: LG"
    assert "There are others, for Bosch." in tables[0].notes
    judge = reader(tables, State(), "").judge
    assert judge("The only part I have for it is PS90001411 [r1.1].").refused
    assert not judge("For LG I have PS90001411 [r1.1].").refused
    assert judge("It is the only one there is.").refused


DIRTY = "my WDT780SAEM1 dishwasher is not cleaning dishes properly"
LEAKS = "my WDT780SAEM1 dishwasher is leaking"
WARM = "my fridge is too warm but the freezer is ok"


@pytest.mark.parametrize(
    ("messages", "says", "silent"),
    [
        pytest.param(
            [DIRTY, "and the soap tab is still in its cup when it's done"],
            ["PS90003329", "it alone is known for all of it", "$75.05"],
            ["2. ", "PS3406971"],
            id="a part that explains all is told of alone",
        ),
        pytest.param(
            [DIRTY, "and it does not dispense detergent", "is it easy to change?"],
            ["PS90003329", "rated easy", "pull the plug"],
            ["Which"],
            id="and is the subject of what follows",
        ),
        pytest.param(
            [LEAKS, "is it hard to put in?"],
            ["The likeliest, PS90001822", "really easy", "Which one are you thinking of?"],
            ["None of these"],
            id="how hard several are is compared",
        ),
        pytest.param(
            [DIRTY, "I want the soap dispenser from that list, two of them"],
            ["2 × PS90003329", "$150.10 in total", "in stock"],
            ["I see no"],
            id="another word for a part of the list, and a number of pieces",
        ),
        pytest.param(
            [DIRTY, "I want the soap dispenser, two of them", "scratch that, just the one"],
            ["PS90003329", "$75.05"],
            ["150.10", "anything else"],
            id="fewer pieces take nothing else back",
        ),
        pytest.param(
            [DIRTY, "say I buy the pump at 179 bucks and that wasn't it, can I return it?"],
            ["Returns", "PS90003603", "special order"],
            ["PS90002233", "manufacturer's number", "I can't take"],
            id="a return of one part is no list of prices",
        ),
        pytest.param(
            ["is PS11752778 right for the dishwasher WDT780SAEM1?"],
            ["not among the parts listed for WDT780SAEM1", "what the dishwasher does"],
            ["come back to"],
            id="a number that nobody knows is not listed either",
        ),
        pytest.param(
            ["a guy quoted me 340 to change the circulation pump in my WDT780SAEM1, is it fair?"],
            ["$340", "$179.45", "$160.55"],
            [],
            id="a price for the work is reckoned with",
        ),
        pytest.param(
            [WARM, "I'm not home so I can't look at the sticker. is it the fan?"],
            ["No hurry", "evaporator fan motor", "also door gasket"],
            ["The label lists"],
            id="who cannot read the number now is told what may be",
        ),
        pytest.param(
            ["do you do dryers too? mine squeals like a stuck pig"],
            ["Yes, I have parts for that", "noisy"],
            ["only"],
            id="another machine is said to be carried",
        ),
        pytest.param(
            [WARM.replace("ok", "fine???") + " light works too"],
            ["fridge too warm"],
            ["come back to"],
            id="what works is not looked for",
        ),
        pytest.param(
            ["the thing that holds the cutlery in my WDT780SAEM1 is broken"],
            ["PS90004014"],
            ["I see no"],
            id="a part told by what it is for",
        ),
        pytest.param(
            ["there is a burning smell from the dishwasher, can I let the cycle finish?"],
            ["Don't let it run on"],
            ["model number"],
            id="nothing that smells of burning runs on",
        ),
        pytest.param(
            ["how much is the drain pump of the WDT780SAEM1 and the gasket together"],
            ["PS90001411", "PS90001822"],
            [],
            id="a part behind an and belongs to none before it",
        ),
        pytest.param(
            ["how much is the upper rack for my WDT780SAEM1"],
            ["PS90003466", "$42.74", "I take “upper rack” to be"],
            ["None of these"],
            id="the only one that has the words of a description is taken for it",
        ),
        pytest.param(
            ["how much is the drain pump for WDT780SAEM1? and what do two pumps come to?"],
            ["2 × PS90001411", "$120.46"],
            ["Which one"],
            id="a bare word takes up what was named more fully",
        ),
        pytest.param(
            [WARM, "the label is half gone, it may be 10640262010"],
            ["I don't find 10640262010", "evaporator fan motor"],
            ["Send it to me"],
            id="who tells a number is told what is known without it",
        ),
        pytest.param(
            ["sorry for my english, I have an oven, the glass door is broken. you have?"],
            ["glass door"],
            ["I speak"],
            id="no word of languages beside a question",
        ),
    ],
)
async def test_a_clerk_answers_what_was_meant(
    messages: list[str], says: list[str], silent: list[str], talk: Talk
) -> None:
    *_, turn = await talk(*messages)
    assert [one for one in says if one not in turn.reply] == [], turn.reply
    assert [one for one in silent if one in turn.reply] == [], turn.reply
