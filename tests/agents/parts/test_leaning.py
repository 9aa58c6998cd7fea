"""Messages that lean on what was said: "for both", "the cheapest then", "which of them"."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from decimal import Decimal

import pytest

from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.catalog import Hit, Part
from ruleplay.agents.parts.domain.diagnosis import rank
from ruleplay.agents.parts.domain.ids import Choice, ModelFound, Option
from ruleplay.agents.parts.domain.references import Reference, foreign_words
from ruleplay.agents.parts.domain.slots import DescriptionSlot, Evidence, Slots, VerifiedModel
from ruleplay.agents.parts.domain.understanding import Understood
from ruleplay.agents.parts.policy.pointing import cards_meant
from ruleplay.agents.parts.policy.quantities import standing
from ruleplay.agents.parts.policy.rows import citable, own_lines, tables_of
from ruleplay.agents.parts.policy.unasked import said_before
from ruleplay.agents.parts.state import Line, State
from ruleplay.agents.parts.tools import meant
from ruleplay.records.turns import Turn

Talk = Callable[..., Awaitable[list[Turn]]]
NOWHERE = Evidence(turn=1, start=0, end=1, text="x")


def part(number: str, name: str, *symptoms: str) -> Part:
    return Part(number=number, row="1", name=name, symptoms=symptoms)


def model(number: str) -> VerifiedModel:
    return VerifiedModel(value=number, row="1", evidence=NOWHERE)


def types(turn: Turn) -> list[str]:
    return [str(event["type"]) for event in turn.events]


def test_of_equal_causes_those_spoken_of_come_first() -> None:
    door = "Door won't close"
    parts = [part("PS1", "Crisper Support", door), part("PS2", "Door Closing Cam", door)]
    assert [one.part.number for one in rank(parts, [door])] == ["PS2", "PS1"]
    parts = [part("PS1", "Upper Rack", "Noisy"), part("PS2", "Spray Arm", "Noisy")]
    assert [one.part.number for one in rank(parts, ["Noisy"], ["arm"])] == ["PS2", "PS1"]


def test_of_equal_causes_the_easy_and_cheap_come_first() -> None:
    def pump(number: str, price: str, difficulty: str) -> Part:
        one = part(number, "Pump", "Noisy")
        return one.model_copy(update={"price": Decimal(price), "difficulty": difficulty})

    parts = [pump("PS1", "64.05", "Easy"), pump("PS2", "9.50", "Difficult")]
    parts += [pump("PS3", "31.89", "Very Easy"), part("PS4", "Pump", "Noisy")]
    ranked = [one.part.number for one in rank(parts, ["Noisy"])]
    assert ranked == ["PS3", "PS1", "PS4", "PS2"]


def test_a_part_unknown_by_name_is_near_where_it_sits() -> None:
    wanted = DescriptionSlot(value="lid", terms=("lid", "dairy"), strong=("lid",), evidence=NOWHERE)
    dairy = Hit(part=part("PS1", "Dairy Door"), matched=("dairy",), score=1)
    other = Hit(part=part("PS2", "Drain Pump"), matched=(), score=1)
    assert meant([dairy, other], wanted) == [dairy]


@pytest.mark.parametrize(("number", "taken"), [("71072", True), ("7107", False)])
def test_a_number_made_like_the_model_is_one(number: str, taken: bool) -> None:
    option = Option(kind="model", number=number, row="1", appliance="refrigerator")
    span = {"text": number, "start": 0, "end": len(number)}
    doubted = Choice(**span, kind="model", reason="confirm", asked=number, options=(option,))
    heard = Understood(message=number)
    found = said_before(State(slots=Slots(model=model("71052"))), doubted, heard)
    assert (found == ModelFound(**span, model=option)) is taken


def test_the_right_one_is_the_one_spoken_of_last() -> None:
    cards = tuple(Card(number=n, row="1", fit="listed", model="M") for n in ("PS1", "PS2"))
    right = Reference(text="the right one", start=0, end=13, way="fitting")
    state = State(cards=cards, spoken=cards, focus=("PS1",))
    assert cards_meant(state, right) == [cards[0]]


@pytest.mark.parametrize(
    ("message", "counts"), [("they need 3 each", {3}), ("make it 4", {4}), ("2 weeks ago", set())]
)
def test_a_count_alone_is_told_from_other_numbers(message: str, counts: set[int]) -> None:
    assert standing(message) == counts


def test_what_is_not_there_can_be_cited() -> None:
    line = Line(id="none:M", says="For M I find no part that is known for “filter”.", stuck=True)
    tables = tables_of(State(), (), [line])
    assert [row for table in citable(tables) for row in table.rows] == [(line.says,)]
    assert not own_lines(tables).instead, "it is said once"


@pytest.mark.parametrize(
    ("language", "message"),
    [("fr", "quelle difficulté"), ("en", "done this week, thanks")],
)
def test_everyday_words_name_no_part(language: str, message: str) -> None:
    assert foreign_words(message, (), language, frozenset({"video"})) == ()


def test_words_that_nobody_knows_may_name_one() -> None:
    assert [one.text for one in foreign_words("the flurgel", (), "en", frozenset())] == ["flurgel"]


async def test_two_machines_of_a_message_are_both_kept(talk: Talk) -> None:
    first, both = await talk(
        "I have two dishwashers, WDT780SAEM1 and WDT742QPHM2, I need a gasket for each",
        "and a spray arm for both",
    )
    assert types(first).count("CaseOpened") == 1
    assert types(both).count("ToolReturned") == 2


async def test_a_list_says_how_many_parts_there_are(talk: Talk) -> None:
    (turn,) = await talk("all parts for WDT780SAEM1")
    listed = next(event for event in turn.events if event["type"] == "ToolReturned")
    count, cards = int(str(listed["explanation"])), listed["cards"]
    assert isinstance(cards, list)
    assert len(cards) == min(count, 7)
    assert count <= 7 or str(count) in turn.reply


async def test_a_complaint_is_held_against_the_part_spoken_of(talk: Talk) -> None:
    _, turn = await talk("what is PS3406971", "could that be why it is so noisy")
    assert "PS3406971" in turn.reply
    assert "is known to fix that: Noisy" in turn.reply


async def test_of_one_part_nothing_is_cheaper(talk: Talk) -> None:
    _, turn = await talk("price of PS3406971", "a cheaper one maybe")
    assert "I can't change a price" in turn.reply


async def test_which_of_them_lists_the_parts_of_the_model(talk: Talk) -> None:
    _, turn = await talk("my model is WDT780SAEM1", "which of them are in stock")
    assert "list_parts" in [event.get("goal") for event in turn.events]


async def test_a_word_before_a_stop_is_no_part_of_a_name(talk: Talk) -> None:
    _, turn = await talk("model WDT780SAEM1", "it is flurgly. filter or pump?")
    assert "flurgly. filter" not in turn.reply
