"""Rounds as the seed asks for them: the queue, the supervisor's router, one node for each seat."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from tests.agents.party.conftest import Open
from tests.agents.party.contexts import context_for
from tests.agents.party.gatherings import laid, sheets
from tests.agents.party.small import SMALL

from ruleplay.agents.party.adapters.tables import Library, lay_table, turn_queue
from ruleplay.agents.party.agent import AGENT, ground_truth_log, run_single_round
from ruleplay.agents.party.graph import create_game_workflow, route_to_next_agent
from ruleplay.agents.party.state import Config, Draft, State
from ruleplay.kernel.graph import END, Graph
from ruleplay.records.given import Given
from ruleplay.records.turns import Turn

QUIET = SMALL.replace('has: ["at:yard"', 'has: ["day:2", "at:yard"')
"""The small adventure without its quick end."""
PLAY = Given(action={"do": "play"})


def drafted(state: State, **fields: object) -> Draft:
    return Draft(before=state, given=PLAY, seat=state.current_turn, **fields)  # type: ignore[arg-type]


def acted(turns: Sequence[Turn]) -> list[object]:
    """Return the seats that acted in turns, in order."""
    return [event["seat"] for turn in turns for event in turn.events if event["type"] == "Acted"]


def at(state: State, seat: str, human: str = "") -> State:
    """Return a state in which it is a seat's turn, and a human holds one."""
    table = state.table.model_copy(update={"current_turn": seat})
    if human:
        held = table.seats[human].model_copy(update={"by": "human"})
        table = table.model_copy(update={"seats": {**table.seats, human: held}})
    return state.model_copy(update={"table": table})


@pytest.mark.parametrize("size", range(1, 7))
def test_every_seat_is_a_node_of_the_compiled_workflow(size: int) -> None:
    queue = turn_queue(Config(characters=sheets(size)))
    assert queue[0] == "dm"
    assert len(queue) == size + 1
    workflow = create_game_workflow(queue)
    nodes = set(workflow.nodes)
    assert {*queue, "human"} <= nodes
    assert all(seat == seat.lower() for seat in queue)


def test_without_a_queue_the_dm_sits_alone() -> None:
    assert {"dm", "human"} <= set(create_game_workflow().nodes)


@pytest.mark.parametrize("size", range(1, 7))
def test_the_router_goes_from_the_dm_through_the_characters_to_the_end(size: int) -> None:
    state, _ = laid(characters=sheets(size))
    queue = state.turn_queue
    found = [route_to_next_agent(drafted(at(state, seat))) for seat in queue]
    assert found == [*queue[1:], END]
    assert [route_to_next_agent(at(state, seat)) for seat in queue] == found


def test_a_held_seat_is_routed_to_the_human() -> None:
    state, _ = laid()
    seat = state.turn_queue[2]
    held = at(state, seat, human=seat)
    assert held.human_active
    assert held.controlled_character == seat
    assert route_to_next_agent(drafted(held)) == "human"


def test_with_nobody_there_nothing_goes_to_the_human() -> None:
    state, _ = laid()
    assert not state.human_active
    assert state.controlled_character is None
    assert route_to_next_agent(drafted(at(state, state.turn_queue[1]))) == state.turn_queue[2]


def test_the_graph_of_a_queue_is_compiled_once() -> None:
    four, three = Config(), Config(characters=sheets(3))
    assert AGENT.graph_key(four) == AGENT.graph_key(Config(lang="fr"))
    assert AGENT.graph_key(four) != AGENT.graph_key(three)


@pytest.mark.parametrize("size", range(1, 7))
async def test_a_round_goes_once_around_and_comes_back_to_the_dm(room: Open, size: int) -> None:
    queue = turn_queue(Config(characters=sheets(size)))
    table = await room(characters=sheets(size), source=QUIET)
    async with table.session() as session:
        turns = await run_single_round(session)
        log = await ground_truth_log(session)
    assert acted(turns) == [*queue]
    state = await table.state()
    assert (state.current_turn, state.table.round) == ("dm", 2)
    assert log[0].startswith("[DM]: ")
    told = "\n".join(log)
    assert all(state.table.name(seat) in told for seat in queue[1:])


async def test_the_state_says_whose_move_it_is_after_every_turn(room: Open) -> None:
    table = await room()
    for _ in range(12):
        state = await table.state()
        turn = await table.does({"do": "play"})
        assert turn.seat == state.current_turn
        after = (await table.state()).table
        assert (
            after.cast.fight
            or state.table.cast.fight
            or (after.current_turn == state.table.following(state.current_turn)[0])
        )


async def ended(workflow: Graph, draft: Draft) -> dict[str, Any]:
    """Return the fields of a draft at the end of a run."""
    return [values async for values in workflow.steps(draft, context_for(Library()))][-1]


async def test_a_state_is_never_changed_in_place() -> None:
    state = lay_table(Config(), Random(1))
    kept = state.model_dump_json()
    workflow = create_game_workflow(state.turn_queue)
    draft = drafted(state)
    found = await ended(workflow, draft)
    assert state.model_dump_json() == kept
    assert found["events"]
    assert Draft(**found).now.current_turn == state.turn_queue[1]


async def test_a_run_with_more_acts_plays_a_whole_round_in_memory() -> None:
    state = lay_table(Config(source=QUIET), Random(1))
    workflow = create_game_workflow(state.turn_queue)
    draft = drafted(state, acts=99)
    found = Draft(**await ended(workflow, draft))
    assert tuple(found.acted) == state.turn_queue
    assert found.now.table.round == 2


async def test_a_round_stops_at_a_humans_seat_and_goes_on_when_they_act(room: Open) -> None:
    table = await room(humans=["pell"])
    async with table.session() as session:
        turns = await run_single_round(session)
    assert acted(turns) == ["dm", "thorin"]
    assert (await table.view("pell"))["mine"]
    await table.says("I wait", "pell")
    async with table.session() as session:
        rest = await run_single_round(session)
    assert acted(rest) == ["sunniva", "zephrine", "dm", "thorin"]
    assert (await table.view("pell"))["mine"]
