"""The search engine: worlds become its states, its answers legal orders."""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random
from typing import Literal

import pytest

from ruleplay.agents.battle.adapters import engine
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.results import Candidate, Expected
from ruleplay.agents.battle.domain.sets import SetPool, opponent_sets
from ruleplay.agents.battle.domain.worlds import sample_worlds
from ruleplay.errors import Unavailable

RECORDED = Path(__file__).parents[1] / "domain"


@pytest.fixture(scope="module")
def pool() -> SetPool:
    found = json.loads((RECORDED / "sets.json").read_text())
    return SetPool(found["format"], found["version"], found["sets"])


@pytest.fixture(scope="module")
def positions() -> list[Position]:
    lines = (RECORDED / "positions.jsonl").read_text().splitlines()
    return [Position.model_validate_json(line) for line in lines]


@pytest.fixture(autouse=True)
def _built() -> None:
    try:
        engine.probe()
    except Unavailable as err:
        if "engine" in os.environ.get("RULEPLAY_REQUIRE", ""):
            pytest.fail(str(err))
        pytest.skip(str(err))


def test_every_line_is_a_legal_order(positions: list[Position], pool: SetPool) -> None:
    for position in positions:
        found = engine.search(position, opponent_sets(position, pool), pool, 40, Random(1))
        if len(position.legal) < 2:
            continue
        assert {line.order for line in found.lines} <= set(position.legal)
        assert sum(line.share for line in found.lines) == pytest.approx(1)
        assert found.visits > 0


def test_a_state_carries_what_the_position_says(positions: list[Position], pool: SetPool) -> None:
    for position in positions:
        world = sample_worlds(position, opponent_sets(position, pool), pool, Random(1), 1)[0]
        made = engine.state(position, world)
        for side, ours in ((made.side_one, position.ours), (made.side_two, position.theirs)):
            assert ours.active is not None
            mon = side.pokemon[int(side.active_index)]
            assert mon.hp == 0 if ours.active.fainted else mon.hp > 0
            assert side.attack_boost == ours.active.boosts.atk
            assert side.side_conditions.stealth_rock == ours.layers("stealthrock")
            assert mon.terastallized == ours.active.terastallized
        assert (str(made.weather) != "none") == bool(position.field.sky)


def question(positions: list[Position]) -> Position:
    """Return a recorded question in which a move, a terastallization and a switch are open."""
    return next(
        each
        for each in positions
        if each.theirs.active
        and any(order.kind == "move" and order.tera for order in each.legal)
        and any(order.kind == "switch" for order in each.legal)
    )


def changed(position: Position, **changes: object) -> Position:
    """Return a position read anew with changes: what it has computed does not follow a copy."""
    return Position.model_validate(position.model_dump(mode="json") | changes)


def test_nobody_terastallizes_after_one_of_theirs_who_fell(
    positions: list[Position], pool: SetPool
) -> None:
    position = question(positions)
    ours = position.ours.model_dump(mode="json")
    fallen = next(mon for mon in ours["team"] if not mon["active"])
    fallen.update(hp=0, hp_now=0, status="fnt")
    ours["tera_used"] = True
    position = changed(position, ours=ours)
    world = sample_worlds(position, opponent_sets(position, pool), pool, Random(1), 1)[0]
    made = engine.state(position, world)
    assert [mon.terastallized for mon in made.side_one.pokemon].count(True) == 1
    found = engine.run([made.to_string()], engine.Effort(20))
    assert not [choice for choice, _, _ in found[0][0] if choice.endswith("-tera")]


def test_they_still_move_after_a_pivot(positions: list[Position], pool: SetPool) -> None:
    position = question(positions)
    away = [order.model_dump() for order in position.legal if order.kind == "switch"]
    pivot = changed(position, force_switch=True, legal=away)
    for to_move in (False, True):
        asked = changed(pivot, foe_to_move=to_move)
        world = sample_worlds(asked, opponent_sets(asked, pool), pool, Random(1), 1)[0]
        _, theirs, _ = engine.run([engine.state(asked, world).to_string()], engine.Effort(20))[0]
        assert (len(theirs) > 1) == to_move


@pytest.mark.parametrize(("milliseconds", "workers", "visits", "wanted"), [
    (100, 1, 0, 2), (200, 1, 0, 2), (400, 1, 0, 4), (400, 2, 0, 8), (4_000, 1, 0, 8),
    (300, 2, 0, 6), (0, 1, 25_000, 2), (0, 1, 100_000, 4), (500, 3, 0, 9),
])  # fmt: skip
def test_worlds_are_few_and_deep(milliseconds: int, workers: int, visits: int, wanted: int) -> None:
    assert engine.worlds_wanted(milliseconds, workers, visits) == wanted


def test_a_search_by_visits_is_repeatable(positions: list[Position], pool: SetPool) -> None:
    if not engine.is_tuned():
        pytest.skip("the published build takes no seed: run `ruleplay setup battle`")
    position = question(positions)
    inference = opponent_sets(position, pool)

    def found() -> object:
        verdict = engine.search(position, inference, pool, 0, Random(3), visits=8_000)
        return verdict.model_copy(update={"milliseconds": 0})

    assert len({repr(found()) for _ in range(3)}) == 1


@pytest.mark.parametrize(("kind", "action"), [("move", "mudshot"), ("switch", "")])
def test_they_act_as_expected_in_half_of_the_visits(
    positions: list[Position], pool: SetPool, kind: Literal["move", "switch"], action: str
) -> None:
    if not engine.takes("replies"):
        pytest.skip("an earlier build takes no replies: run `ruleplay setup battle`")
    position = next(each for each in positions if "mudshot" in str(opponent_sets(each, pool)))
    inference = opponent_sets(position, pool)
    chosen = Candidate(kind=kind, action=action, name="", probability=1.0)

    def coming(expected: Expected | None) -> float:
        found = engine.search(
            position, inference, pool, 0, Random(3), visits=8_000, expected=expected
        )
        # A switch to one not yet seen is to whoever that is in each world.
        names = action or "switch "
        return sum(share for name, share in found.reply if name.startswith(names))

    told = coming(Expected(predictions=(chosen,)))
    assert told == pytest.approx(engine.FORESEEN, abs=0.1)
    assert coming(None) < 0.2
    assert coming(Expected(predictions=())) == coming(None)


def test_a_narrow_search_goes_deep(positions: list[Position], pool: SetPool) -> None:
    if not engine.is_tuned():
        pytest.skip("the published build searches at one width: run `ruleplay setup battle`")
    texts = [
        engine.state(
            each, sample_worlds(each, opponent_sets(each, pool), pool, Random(1), 1)[0]
        ).to_string()
        for each in positions
        if each.theirs.active and len(each.legal) > 3
    ]

    def leading_share(exploration: float) -> float:
        found = engine.run(texts, engine.Effort(0, visits=8_000, exploration=exploration))
        shares = [max(visits for _, visits, _ in ours) / total for ours, _, total in found]
        return sum(shares) / len(shares)

    assert leading_share(0.1) > leading_share(2.0) + 0.1


def test_learnt_weights_value_what_the_position_shows(
    positions: list[Position], pool: SetPool
) -> None:
    import poke_engine  # type: ignore[import-untyped,import-not-found,unused-ignore]

    learnt = engine.weights()
    if not learnt:
        pytest.skip("the build is older than the weights: run `ruleplay setup battle`")
    names = [*json.loads(engine.WEIGHTS.read_text())["weights"]]
    for position in positions:
        world = sample_worlds(position, opponent_sets(position, pool), pool, Random(1), 1)[0]
        state = engine.state(position, world)
        seen = dict(zip(names, poke_engine.features(state), strict=True))
        sides = [[mon for mon in side.pokemon if mon.hp > 0] for side in
                 (state.side_one, state.side_two)]  # fmt: skip
        assert seen["alive"] == len(sides[0]) - len(sides[1])
        health = [sum(mon.hp / mon.maxhp for mon in side) for side in sides]
        assert seen["health"] == pytest.approx(health[0] - health[1], abs=1e-4)
        assert all(-6 <= seen[name] <= 6 for name in names[29:])
    with pytest.raises(ValueError, match="weights are needed"):
        poke_engine.monte_carlo_tree_search(state, iterations=1000, weights=[1.0])


def test_both_sides_see_the_same_worth(positions: list[Position], pool: SetPool) -> None:
    import poke_engine  # type: ignore[import-untyped,import-not-found,unused-ignore]

    if not engine.weights():
        pytest.skip("the build is older than the weights: run `ruleplay setup battle`")
    for position in positions:
        world = sample_worlds(position, opponent_sets(position, pool), pool, Random(1), 1)[0]
        state = engine.state(position, world)
        turned = poke_engine.State(
            side_one=state.side_two, side_two=state.side_one, trick_room=state.trick_room
        )
        mirrored = [-each for each in poke_engine.features(turned)]
        assert poke_engine.features(state) == pytest.approx(mirrored, abs=1e-4)
