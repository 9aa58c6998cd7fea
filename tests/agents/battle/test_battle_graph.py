"""The turn's graph: which stations there are, what follows what, and who is asked in it."""

from __future__ import annotations

import pytest
from tests.agents.battle.test_battle_turns import REMEMBER, decide

from ruleplay.agents.battle.adapters.world import World
from ruleplay.agents.battle.domain.results import Expected, SearchVerdict
from ruleplay.agents.battle.graph import OPTIONS, build_graph
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import Session
from ruleplay.models.scripted import ScriptedModel
from ruleplay.records.events import Json

ASKED = ("battle.predict", "battle.decide")


def edges() -> set[tuple[str, str]]:
    return {(one.start, one.end) for one in build_graph().ways()}


def test_the_graph_flows_as_the_document_draws_it() -> None:
    found = edges()
    assert {
        ("__start__", "format_state"),
        ("format_state", "analyze_team"),
        ("analyze_team", "create_battle_strategy"),
        ("format_state", "fetch_opponent_sets"),
        ("fetch_opponent_sets", "matchup_calculator"),
        ("matchup_calculator", "expected_opponent_move"),
        ("decision", "parse_decision"),
        ("parse_decision", "__end__"),
    } <= found
    assert {source for source, target in found if target == "create_battle_strategy"} == {
        "analyze_team"
    }


def test_the_options_run_side_by_side_and_meet_in_the_decision() -> None:
    found = edges()
    assert set(OPTIONS) >= {"best_move_options", "best_switch_options", "tera_node"}
    assert {target for source, target in found if source == "expected_opponent_move"} == {*OPTIONS}
    assert {source for source, target in found if target == "decision"} == {*OPTIONS}


def test_remembering_has_a_run_of_its_own() -> None:
    found = edges()
    assert ("__start__", "battle_memory_update") in found
    assert ("battle_memory_update", "__end__") in found
    assert ("parse_decision", "battle_memory_update") not in found


async def asked(session: Session, *actions: Json) -> list[list[str]]:
    return [[call.role for call in (await session.turn(action=a)).calls] for a in actions]


async def test_a_first_question_asks_for_plan_prediction_and_choice(
    session: Session, question: Json
) -> None:
    first, remembered, second = await asked(session, decide(question), REMEMBER, decide(question))
    assert first == ["battle.strategy", *ASKED]
    assert remembered == ["battle.memory"]
    assert second == [*ASKED]


@pytest.mark.parametrize("role", ASKED)
async def test_each_role_may_have_a_model_of_its_own(host: Host, question: Json, role: str) -> None:
    host.models.stand_ins["scripted"] = ScriptedModel({role: ["{}", "{}"]})
    head = await host.create("battle", {"search_ms": 0}, models={role: "scripted"})
    turn = await Session(host, head.id).turn(action=decide(question))
    assert {call.role for call in turn.calls if call.replies} == {role}


async def test_the_search_is_told_what_they_are_expected_to_do(
    host: Host, question: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list[Expected]()

    async def search(self: World, *asked: object) -> SearchVerdict:
        told.extend(each for each in asked if isinstance(each, Expected))
        return SearchVerdict(engine="none", lines=())

    monkeypatch.setattr(World, "search", search)
    head = await host.create("battle", {"search_ms": 20})
    await Session(host, head.id).turn(action=decide(question))
    assert told
    assert told[0].predictions
