"""Matchups, predictions, options, tera, the choice and the memory, on recorded positions."""

from __future__ import annotations

import itertools
import time
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleplay.agents.battle.domain.analysis import analyze_team, plan
from ruleplay.agents.battle.domain.boards.board import PASS
from ruleplay.agents.battle.domain.decision import decide
from ruleplay.agents.battle.domain.faceoff import face_off, move_chances
from ruleplay.agents.battle.domain.lookahead import look_ahead
from ruleplay.agents.battle.domain.matchups import matchups
from ruleplay.agents.battle.domain.memory import Memory, remember
from ruleplay.agents.battle.domain.options import hazard_share, rank_moves, rank_switches
from ruleplay.agents.battle.domain.orders import Order
from ruleplay.agents.battle.domain.position import Position, Side, Timed
from ruleplay.agents.battle.domain.prediction import predict
from ruleplay.agents.battle.domain.results import Decision, Line, Matchups, SearchVerdict
from ruleplay.agents.battle.domain.sets import SetPool, opponent_sets
from ruleplay.agents.battle.domain.simulation import Simulation
from ruleplay.agents.battle.domain.strikes import Scene
from ruleplay.agents.battle.domain.tera import weigh_tera
from ruleplay.agents.battle.domain.worlds import our_fighters, sample_worlds


def decided(position: Position, pool: SetPool, verdict: SearchVerdict | None = None) -> Decision:
    sets = opponent_sets(position, pool)
    pairs = matchups(position, sets)
    expected = predict(position, sets, pairs)
    moves = rank_moves(position, sets, expected, pairs)
    switches = rank_switches(position, sets, expected, pairs)
    tera = weigh_tera(position, sets, expected)
    return decide(position, moves, switches, tera, expected, verdict)


def test_every_legal_order_gets_a_score_and_the_best_is_chosen(
    positions: list[Position], pool: SetPool
) -> None:
    for position in positions:
        made = decided(position, pool)
        assert {each.order for each in made.scores} == set(position.legal)
        assert made.order == max(made.scores, key=lambda each: each.score).order
        assert made.summary.endswith(".")


def test_a_searchs_share_leads_the_choice(positions: list[Position], pool: SetPool) -> None:
    for position in positions:
        last = position.legal[-1]
        verdict = SearchVerdict(engine="x", lines=(Line(order=last, share=1.0, value=0.9),))
        assert decided(position, pool, verdict).order == last


def test_predictions_sum_to_one_and_name_what_can_be(
    positions: list[Position], pool: SetPool
) -> None:
    for position in positions:
        sets = opponent_sets(position, pool)
        for habit in ({}, {"switch_rate": 0.9}):
            found = predict(position, sets, matchups(position, sets), habit)
            assert sum(each.probability for each in found.predictions) == pytest.approx(1)
            chances = [each.probability for each in found.predictions]
            assert chances == sorted(chances, reverse=True)
            bench = {mon.ident for mon in position.theirs.bench} | {""}
            assert {e.action for e in found.predictions if e.kind == "switch"} <= bench


def test_only_stale_pairs_are_played_out_again(positions: list[Position], pool: SetPool) -> None:
    position = next(p for p in positions if p.ours.active and p.theirs.active)
    sets = opponent_sets(position, pool)
    first = matchups(position, sets)
    assert first.recomputed == len(first.pairs) > 0
    assert matchups(position, sets, first).recomputed == 0
    hurt = position.ours.team[0].model_copy(update={"hp": 0.1, "hp_now": 20, "status": "brn"})
    side = position.ours.model_copy(update={"team": (hurt, *position.ours.team[1:])})
    again = matchups(position.model_copy(update={"ours": side}), sets, first)
    assert again.recomputed == len({pair.theirs for pair in first.pairs})


def test_hazards_take_what_the_rules_say(positions: list[Position]) -> None:
    us = our_fighters(positions[0])[0]
    floor = Side(conditions=(Timed(id="stealthrock"), Timed(id="spikes", layers=3)))
    from dataclasses import replace

    plain = replace(us, types=("fire", "ground"), item="", ability="", volatiles=frozenset())
    assert hazard_share(floor, plain, Scene()) == pytest.approx(1 / 8 + 1 / 4)
    winged = replace(plain, types=("fire", "flying"))
    assert hazard_share(floor, winged, Scene()) == pytest.approx(1 / 2)
    assert hazard_share(floor, replace(plain, item="heavydutyboots"), Scene()) == 0


def test_the_team_is_analysed_and_planned_for(positions: list[Position]) -> None:
    position = positions[0]
    found = analyze_team(position)
    named = {mon.ident for mon in position.ours.team}
    assert set(found.preserve) | set(found.expendable) <= named
    assert not set(found.preserve) & set(found.expendable)
    assert all(count >= 3 for _, count in found.shared_weaknesses)
    assert plan(position, found).text


def test_memory_is_bounded_and_takes_a_position_in_once(
    positions: list[Position], pool: SetPool
) -> None:
    memory = Memory()
    for position in itertools.chain.from_iterable(itertools.repeat(positions, 4)):
        memory = remember(memory, position, opponent_sets(position, pool))
    again = remember(memory, positions[-1], opponent_sets(positions[-1], pool))
    assert again == memory
    assert len(memory.log) <= 60
    assert len(memory.model_dump_json()) < 40_000
    assert {each.ident for each in memory.revealed} == {m.ident for m in positions[-1].theirs.team}


def test_the_lookahead_answers_in_time_with_legal_orders_only(
    positions: list[Position], pool: SetPool
) -> None:
    for position in positions:
        began = time.process_time()
        found = look_ahead(position, opponent_sets(position, pool), pool, 0.05, Random(2))
        assert time.process_time() - began < 5
        if len(position.legal) > 1:
            assert sum(line.share for line in found.lines) == pytest.approx(1)
            assert {line.order for line in found.lines} <= set(position.legal)


def test_the_lookahead_takes_a_sure_win(positions: list[Position], pool: SetPool) -> None:
    """Their last one stands at one point of health, ours is faster with sure moves: attack."""
    position = next(p for p in positions if not p.force_switch and p.theirs.active)
    last = position.theirs.active
    assert last is not None
    dying = last.model_copy(update={"hp": 0.01, "status": "par", "item": "", "ability": "none",
                                    "volatiles": (), "types": ("normal",)})  # fmt: skip
    fallen = tuple(
        mon.model_copy(update={"hp": 0.0, "status": "fnt"})
        for mon in position.theirs.team if mon.ident != last.ident
    )  # fmt: skip
    theirs = position.theirs.model_copy(update={"team": (dying, *fallen), "size": len(fallen) + 1})
    endgame = position.model_copy(update={"theirs": theirs})
    found = look_ahead(endgame, opponent_sets(endgame, pool), pool, 0.3, Random(2))
    assert found.lines[0].order.kind == "move"
    assert found.lines[0].value > 0.8


def _play(simulation: Simulation, rng: Random, turns: int) -> None:
    board = simulation.start
    for _ in range(turns):
        if board.over:
            return
        mine, yours = simulation.choices(board, 0), simulation.choices(board, 1)
        assert mine
        assert yours
        before = [[body.hp for body in half.bodies] for half in board.halves]
        after = simulation.step(board, rng.choice(mine), rng.choice(yours), rng)
        assert [[body.hp for body in half.bodies] for half in board.halves] == before
        for side, half in enumerate(after.halves):
            for place, body in enumerate(half.bodies):
                assert 0 <= body.hp <= simulation.teams[side][place].hp_max
                assert all(-6 <= stage <= 6 for stage in body.stages)
        board = after


@settings(deadline=None)
@given(seed=st.integers(0, 2**16))
def test_the_model_keeps_health_and_stages_in_bounds_and_old_boards_as_they_were(
    seed: int, positions: list[Position], pool: SetPool
) -> None:
    rng = Random(seed)
    position = rng.choice(positions)
    world = sample_worlds(position, opponent_sets(position, pool), pool, rng, 1)[0]
    _play(Simulation(position, world), rng, 12)


def test_nobody_who_fell_can_choose_more_than_to_be_replaced(
    positions: list[Position], pool: SetPool
) -> None:
    position = positions[0]
    world = sample_worlds(position, opponent_sets(position, pool), pool, Random(1), 1)[0]
    simulation = Simulation(position, world)
    board = simulation.start
    for body in board.halves[0].bodies:
        body.hp = 0
    assert simulation.choices(board, 0) == [PASS]
    assert board.over


def test_scores_are_orders_of_the_request(positions: list[Position], pool: SetPool) -> None:
    chosen: list[Order] = [decided(position, pool).order for position in positions]
    wires = [p.wire(order) for p, order in zip(positions, chosen, strict=True)]
    assert all(each.startswith("/choose ") for each in wires)


def test_a_move_is_expected_no_oftener_than_sets_carry_it(
    positions: list[Position], pool: SetPool
) -> None:
    seen = 0
    for position in positions:
        inference = opponent_sets(position, pool)
        foe = position.theirs.active
        found = predict(position, inference, matchups(position, inference, Matchups(pairs=())))
        if foe is None or foe.fainted:
            continue
        carried = dict(move_chances(inference.guesses[foe.ident]))
        for one in found.predictions:
            if one.kind == "move" and one.action in carried:
                seen += 1
                assert one.probability <= carried[one.action] + 1e-9
    assert seen > 3


def test_a_pair_is_told_by_chances_that_count_misses(
    positions: list[Position], pool: SetPool
) -> None:
    chances = []
    for position in positions:
        inference = opponent_sets(position, pool)
        foe = position.theirs.active
        for us in position.ours.team:
            if foe and not (us.fainted or foe.fainted):
                pair = face_off(position, us, foe, inference.guesses[foe.ident])
                assert 0 <= pair.wins <= 1
                assert pair.wins + pair.loses <= 1 + 1e-6
                chances.append(pair.wins)
    assert any(0.02 < chance < 0.98 for chance in chances)
