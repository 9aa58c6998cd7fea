"""The turn's graph: its stations, its routers, and the table of what a goal needs."""

from __future__ import annotations

import pytest
from pydantic import ValidationError
from tests.agents.parts.conftest import Talk

from ruleplay.agents.parts.domain.slots import (
    MENU,
    REQUIREMENTS,
    Check,
    Diagnose,
    Evidence,
    Find,
    Goal,
    Install,
    Slots,
    UnconfirmedId,
    UnknownId,
    missing,
    request_for,
)
from ruleplay.agents.parts.graph import build_graph
from ruleplay.kernel.session import Session

SAID = Evidence(turn=1, start=0, end=3, text="ABC")
DOUBTED = UnconfirmedId(value="ABC", evidence=SAID)
UNKNOWN = UnknownId(value="ABC", evidence=SAID)


def leads(station: str) -> set[str]:
    return {edge.end for edge in build_graph().ways() if edge.start == station}


def test_the_documents_stations_are_there() -> None:
    stations = {*build_graph().nodes}
    assert {"extract", "ask_goal", "check_requirements", "ask_info", "execute_tool"} <= stations


def test_routers_go_where_the_document_says() -> None:
    assert leads("__start__") == {"extract"}
    assert {"ask_goal", "check_requirements"} <= leads("extract")
    assert leads("check_requirements") == {"ask_info", "execute_tool"}
    assert "tell" in leads("execute_tool")


def test_questions_end_the_turn() -> None:
    assert (leads("ask_goal"), leads("ask_info")) == ({"tell"}, {"tell"})
    assert leads("tell") == {"__end__"}


def test_the_menu_has_the_documents_goals() -> None:
    assert MENU == (Goal.INSTALL, Goal.CHECK, Goal.DIAGNOSE, Goal.FIND)


@pytest.mark.parametrize(
    ("goal", "needs", "not_needed"),
    [
        (Goal.INSTALL, {"model", "part"}, "symptoms"),
        (Goal.CHECK, {"model", "part"}, "symptoms"),
        (Goal.DIAGNOSE, {"model", "symptoms"}, "part"),
    ],
)
def test_requirements_are_the_documents(goal: Goal, needs: set[str], not_needed: str) -> None:
    assert {*REQUIREMENTS[goal]} == needs == {*missing(goal, Slots())}
    assert not_needed not in REQUIREMENTS[goal]
    assert {*REQUIREMENTS} == {*Goal}


@pytest.mark.parametrize("slot", [DOUBTED, UNKNOWN, None], ids=["doubted", "unknown", "empty"])
@pytest.mark.parametrize("goal", [Goal.INSTALL, Goal.DIAGNOSE, Goal.FIND, Goal.CHECK])
def test_no_request_is_made_of_what_is_not_verified(
    goal: Goal, slot: UnconfirmedId | UnknownId | None
) -> None:
    found = request_for(goal, Slots(model=slot, part=slot))
    if goal is Goal.CHECK and slot is UNKNOWN:
        assert isinstance(found, Check)  # the customer insists, and the answer says "unknown"
        return
    assert isinstance(found, tuple)
    assert "model" in found
    for request in (Diagnose, Install, Find):
        with pytest.raises(ValidationError):
            request.model_validate({"model": slot, "part": slot, "symptoms": ()})


async def test_no_station_but_reading_and_telling_asks_a_model(talk: Talk) -> None:
    turns = await talk("hello", "1", "PS3406971", "WDT780SAEM1", "and is it in stock?")
    asked = {call.role for turn in turns for call in turn.calls}
    assert asked <= {"parts.extract", "parts.tell"}
    assert all(len(turn.calls) <= 2 for turn in turns)


async def test_a_missing_part_is_asked_for_with_an_example(session: Session) -> None:
    turn = await session.turn("How do I install it in my WDT780SAEM1?")
    assert "part number" in turn.reply.lower()
    assert (await session.view())["goal"] == "install_instruction"


@pytest.mark.parametrize(
    "message", ["I want to install a part", "I would like to install a part in my dishwasher"]
)
async def test_wanting_to_install_is_an_installation(session: Session, message: str) -> None:
    turn = await session.turn(message)
    assert (await session.view())["goal"] == "install_instruction"
    assert "model number" in turn.reply


async def test_the_demo_has_a_part_with_a_video(session: Session) -> None:
    turn = await session.turn("How do I install PS90001274 in GDT645QYNFS?")
    assert "https://shop.example/videos/PS90001274" in turn.reply
    other = await session.turn("How do I install PS3406971 in WDT780SAEM1?")
    assert "Video for" not in other.reply
