"""The lists that a model cites: their order, each once, and what follows a text that cites them."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from pydantic import JsonValue
from tests.agents.parts.test_models import scripted

from ruleplay.agents.parts.adapters.catalog import Catalog
from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.catalog import Part
from ruleplay.agents.parts.domain.diagnosis import rank
from ruleplay.agents.parts.domain.slots import (
    Diagnose,
    Evidence,
    Goal,
    SymptomSlot,
    VerifiedModel,
)
from ruleplay.agents.parts.domain.voice import voice
from ruleplay.agents.parts.policy.asking import not_in_sight
from ruleplay.agents.parts.policy.replies import video
from ruleplay.agents.parts.policy.rows import tables_of
from ruleplay.agents.parts.state import Line, State, ToolReturned
from ruleplay.agents.parts.tools import diagnose_repair
from ruleplay.telling.table import Must

SAID = Evidence(turn=1, start=0, end=1, text="x")
PARTS = {
    "Grommet": ("11", "Fridge too warm"),
    "Defrost Timer": ("50", "Fridge too warm", "Freezer not defrosting"),
    "Defrost Heater": ("126", "Fridge too warm", "Freezer not defrosting", "Frost buildup"),
    "Hinge": ("47", "Fridge too warm"),
}
"""Names with prices and symptoms; ice is called by two names in the catalog."""


class Shelf:
    """A catalog with four parts for one fridge."""

    stamp = SimpleNamespace(name="shelf", imported_on=date(2025, 6, 1))

    def diagnose(self, model: str, stated: list[str], said: object = ()) -> object:
        parts = (
            Part(number=name, row="1", name=name, price=Decimal(price), symptoms=known)
            for name, (price, *known) in PARTS.items()
        )
        return rank(parts, stated)


@pytest.mark.parametrize(
    ("stated", "by_price", "order"),
    [
        (["Fridge too warm"], True, ["Grommet", "Hinge", "Defrost Timer", "Defrost Heater"]),
        (
            ["Fridge too warm", "Frost buildup"],
            False,
            ["Defrost Heater", "Defrost Timer", "Grommet", "Hinge"],
        ),
        (
            ["Fridge too warm", "Frost buildup"],
            True,
            ["Defrost Timer", "Defrost Heater", "Grommet", "Hinge"],
        ),
    ],
)
def test_what_fixes_more_of_what_is_wrong_comes_first(
    stated: list[str], by_price: bool, order: list[str]
) -> None:
    model = VerifiedModel(value="M1", row="1", evidence=SAID)
    slots = tuple(SymptomSlot(value=one, evidence=SAID) for one in stated)
    asked = Diagnose(model=model, symptoms=slots, by_price=by_price)
    found = diagnose_repair(asked, cast(Catalog, Shelf()))
    assert [card.number for card in found.cards] == order


async def test_by_price_says_so(tmp_path: Path) -> None:
    heard = {
        "wishes": [{"goal": "diagnose_repair", "model": "WDT780SAEM1", "cheapest": True}],
        "symptoms": [{"quote": "leaks", "symptom": "Leaking"}],
    }
    script: dict[str, list[object]] = {
        "parts.extract": [json.dumps(heard)],
        "parts.tell": [["Hm."]],
    }
    async with scripted(tmp_path, script) as (session, model):
        await session.turn("WDT780SAEM1 leaks, the cheapest thing that helps?")
        asked = str(model.seen[-1].messages[-1].content)
    assert "parts that may help, cheapest first" in asked
    prices = [float(row.split(" | ")[5]) for row in asked.splitlines()[2:5]]
    assert prices == sorted(prices)


def test_the_same_parts_found_in_two_ways_are_one_list() -> None:
    card = Card(number="PS1", row="1", name="Bulb", fit="listed", model="M1", fixes=("Dark",))
    known: dict[str, JsonValue] = {"model": "M1", "symptoms": ["Dark"]}
    found = [
        ToolReturned(tool="t", goal=goal, args=known, verdict="found", cards=(card,))
        for goal in (Goal.DIAGNOSE, Goal.FIND)
    ]
    line = Line(id="card:PS1", says="PS1 (Bulb)", block=True, found=True)
    tables = tables_of(State(goal=Goal.FIND), found, [line])
    assert [one.title for one in tables if one.title.startswith("parts that may help")] == [
        "parts that may help, best first"
    ]
    assert [must.line for table in tables for must in table.musts] == ["PS1 (Bulb)"]


def test_of_several_videos_those_of_parts_named_are_linked() -> None:
    filmed = [Card(number=f"PS{n}", row="1", name="Seal", video=f"http://v/{n}") for n in (1, 2)]
    lines = [line for card in filmed for line in video(card, voice("en"))]
    told = "PS1 is easy, there's a video."

    def linked(lines: list[Line]) -> list[str]:
        musts = own_lines_of(not_in_sight(lines, (), ()))
        return [must.line for must in musts if must.closes(told)]

    assert linked(lines) == ["Video for PS1: http://v/1"]
    assert linked(lines[1:]) == ["Video for PS2: http://v/2"], "a single one needs no number"


def own_lines_of(lines: list[Line]) -> list[Must]:
    return [must for table in tables_of(State(), (), lines) for must in table.musts]
