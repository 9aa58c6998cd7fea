"""Positions, a battle and sets that local battles and Showdown's own generator made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.sets import SetPool

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def pool() -> SetPool:
    """Return a small set pool: the species of the recorded positions and a few more."""
    found = json.loads((HERE / "sets.json").read_text())
    return SetPool(found["format"], found["version"], found["sets"])


@pytest.fixture(scope="session")
def positions() -> list[Position]:
    """Return recorded positions: first turn, forced switch, tera open, weather, trap, endgame."""
    lines = (HERE / "positions.jsonl").read_text().splitlines()
    return [Position.model_validate_json(line) for line in lines]


@pytest.fixture(scope="session")
def battle() -> dict[str, Any]:
    """Return a whole recorded battle: its messages and both true teams."""
    return dict(json.loads((HERE / "battle.json").read_text()))
