"""The search engine: worlds become its states, its answers legal orders."""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random

import pytest

from ruleplay.agents.battle.adapters import engine
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.sets import SetPool, opponent_sets
from ruleplay.agents.battle.domain.worlds import sample_worlds
from ruleplay.foundation.errors import Unavailable

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
