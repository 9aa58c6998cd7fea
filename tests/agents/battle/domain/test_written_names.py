"""What people read is written as people write it: items and abilities by their names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ruleplay.agents.battle.domain.dex import ability_name
from ruleplay.agents.battle.domain.items import item_name

SETS = Path(__file__).parent / "sets.json"


@pytest.mark.parametrize(
    ("item", "name"),
    [
        ("lifeorb", "Life Orb"),
        ("heavydutyboots", "Heavy-Duty Boots"),
        ("kingsrock", "King's Rock"),
        ("nosuchthing", "nosuchthing"),
        ("", ""),
    ],
)
def test_an_item_is_written_out(item: str, name: str) -> None:
    assert item_name(item) == name


def test_an_ability_is_written_out() -> None:
    assert ability_name("magicguard") == "Magic Guard"
    assert ability_name("nosuchthing") == "nosuchthing"


def test_every_item_and_ability_of_the_sets_has_a_name() -> None:
    sets = json.loads(SETS.read_text(encoding="utf-8"))["sets"]
    items = {row[1] for rows in sets.values() for row in rows} - {""}
    abilities = {row[2] for rows in sets.values() for row in rows} - {""}
    assert len(items) > 10
    assert [item for item in items if item_name(item) == item] == []
    assert [ability for ability in abilities if ability_name(ability) == ability] == []
