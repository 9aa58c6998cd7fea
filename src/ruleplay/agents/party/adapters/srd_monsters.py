"""Read the package's monsters: attacks, multiattack, and damaging actions with a saving throw.

Numbers are taken over; names stay English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from pydantic import AliasPath, BaseModel, Field, ValidationError

from ruleplay.agents.party.adapters.srd_sheets import Name, sheets
from ruleplay.agents.party.domain.creature import Attack, Damage, Power
from ruleplay.agents.party.domain.dice import average
from ruleplay.agents.party.domain.rulebook import Monster
from ruleplay.agents.party.domain.terms import (
    ABILITIES,
    CONDITIONS,
    DAMAGE_TYPES,
    Ability,
    modifier,
    proficiency_of_cr,
)
from ruleplay.story.texts import Text

TEXT = Text(en="A creature of the SRD 5.2.", fr="Une créature du SRD 5.2.")
Score = Annotated[int, Field(ge=1, le=30)]
Feet = Annotated[int, Field(ge=0, le=5_000)]
CONE_SHARE = 10
"""A cone is assumed to reach one creature for each so many feet of its length."""
COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_SEVERAL = re.compile(r"\b(one|two|three|four|five)\b[^{]*\{([^}]+)\}")


class _Part(BaseModel):
    number: int | None = None
    denomination: int | None = None
    types: list[str] = Field(default_factory=list)


class _Damage(BaseModel):
    on_save: str = "none"
    parts: list[_Part] = Field(default_factory=list)


class _AttackRoll(BaseModel):
    ability: str = ""
    how: str = Field(default="", validation_alias=AliasPath("type", "value"))


class _Save(BaseModel):
    ability: list[str] = Field(default_factory=list)
    by: str = Field(default="", validation_alias=AliasPath("dc", "calculation"))


class _Activity(BaseModel):
    kind: str
    attack: _AttackRoll | None = None
    damage: _Damage | None = None
    save: _Save | None = None
    feet: str | None = Field(default=None, validation_alias=AliasPath("range", "value"))
    size: str = Field(default="", validation_alias=AliasPath("target", "template", "size"))


class _Action(BaseModel):
    slug: str
    name: str
    kind: str
    description: str = ""
    recharge: str | None = None
    activities: list[_Activity] = Field(default_factory=list)


class _Sheet(BaseModel):
    """The fields read of a monster's file; missing speeds and senses are null there."""

    name: Name
    creature_type: str
    creature_size: str
    cr: float
    ac: int | None = None
    hp: int
    hp_dice: str
    ability_scores: dict[str, Score]
    saving_throws: dict[str, int | None] = Field(default_factory=dict)
    skills: dict[str, int | None] = Field(default_factory=dict)
    movement: dict[str, Feet | bool | None] = Field(default_factory=dict)
    senses: dict[str, Feet | None] = Field(default_factory=dict)
    damage_resistances: list[str] = Field(default_factory=list)
    damage_immunities: list[str] = Field(default_factory=list)
    damage_vulnerabilities: list[str] = Field(default_factory=list)
    condition_immunities: list[str] = Field(default_factory=list)
    actions: list[_Action] = Field(default_factory=list)

    def mod(self, ability: str) -> int:
        """Return an ability's modifier."""
        return modifier(self.ability_scores[ability])


def read_monsters(folder: Path) -> dict[str, Monster]:
    """Read the monsters of a folder that our rules can represent; others are skipped."""
    found: dict[str, Monster] = {}
    for key, sheet in sheets(folder, _Sheet):
        try:
            monster = _monster(sheet)
        except (ValidationError, ValueError, KeyError):
            continue
        # Hit points that differ from the average of the hit dice point to an error in the file.
        if monster.attacks and average(monster.hit_dice) == monster.hp:
            found[key] = monster
    return found


def _monster(sheet: _Sheet) -> Monster:
    attacks = tuple({one.key: one for one in _attacks(sheet)}.values())
    lower = sheet.name.lower()
    fly = sheet.movement.get("fly") or 0
    return Monster.model_validate(
        {
            "name": {"en": lower, "fr": lower},
            "text": TEXT,
            "type": sheet.creature_type,
            "size": sheet.creature_size,
            "cr": sheet.cr,
            "archetype": "brute" if attacks and attacks[0].reach else "archer",
            "ac": sheet.ac or 10,
            "hp": sheet.hp,
            "hit_dice": sheet.hp_dice.replace(" ", ""),
            "speed": sheet.movement.get("walk") or 0,
            "fly": fly,
            "darkvision": sheet.senses.get("darkvision") or 0,
            "abilities": tuple(sheet.ability_scores[one] for one in ABILITIES),
            "saves": tuple(one for one in ABILITIES if sheet.saving_throws.get(one) is not None),
            "skills": {
                key.replace("_", "-"): 1 for key, bonus in sheet.skills.items() if bonus is not None
            },
            "resist": _kinds(sheet.damage_resistances),
            "immune": _kinds(sheet.damage_immunities),
            "vulnerable": _kinds(sheet.damage_vulnerabilities),
            "condition_immune": [one for one in CONDITIONS if one in sheet.condition_immunities],
            "attacks": attacks,
            "multiattack": tuple(_multiattack(sheet, {one.key for one in attacks})),
            "powers": tuple({one.key: one for one in _powers(sheet)}.values()),
        }
    )


def _kinds(named: list[str]) -> list[str]:
    return [one for one in DAMAGE_TYPES if one in named]


def _attacks(sheet: _Sheet) -> Iterator[Attack]:
    for action in sheet.actions:
        for activity in action.activities:
            if activity.attack is None or activity.damage is None or action.kind != "action":
                continue
            ability = _ability(sheet, activity.attack)
            damage = tuple(_damage(activity.damage, sheet.mod(ability)))
            if not damage:
                continue
            feet = int(activity.feet or 5)
            afar = activity.attack.how == "ranged"
            yield Attack(
                key=action.slug,
                name=Text(en=action.name.lower(), fr=action.name.lower()),
                ability=ability,
                bonus=sheet.mod(ability) + proficiency_of_cr(sheet.cr),
                reach=0 if afar else feet,
                range=feet if afar else 0,
                long=feet if afar else 0,
                damage=damage,
            )


def _ability(sheet: _Sheet, attack: _AttackRoll) -> Ability:
    """Return an attack's ability: the one named, Dexterity if ranged, else the better one."""
    named = next((one for one in ABILITIES if one == attack.ability), None)
    if named is not None:
        return named
    if attack.how == "ranged":
        return "dex"
    return "dex" if sheet.mod("dex") > sheet.mod("str") else "str"


def _damage(damage: _Damage, extra: int) -> Iterator[Damage]:
    for place, part in enumerate(damage.parts):
        if not part.number or not part.denomination or not part.types:
            continue
        dice = f"{part.number}d{part.denomination}"
        bonus = f"{extra:+d}" if extra and not place else ""
        yield Damage.model_validate({"dice": dice + bonus, "type": part.types[0]})


def _multiattack(sheet: _Sheet, known: set[str]) -> Iterator[tuple[str, ...]]:
    for action in sheet.actions:
        if action.slug != "multiattack":
            continue
        rows = _SEVERAL.findall(action.description.lower())
        named = [(COUNTS[count], name.strip().replace(" ", "-")) for count, name in rows]
        pattern = tuple(key for count, key in named if key in known for _ in range(count))
        if pattern:
            yield pattern


def _powers(sheet: _Sheet) -> Iterator[Power]:
    for action in sheet.actions:
        for activity in action.activities:
            if activity.kind != "save" or activity.save is None or action.kind != "action":
                continue
            damage = tuple(_damage(activity.damage or _Damage(), 0))
            asked = next((one for one in ABILITIES if one in activity.save.ability), None)
            if not damage or asked is None or activity.attack:
                continue
            by = activity.save.by
            feet = int(activity.size or activity.feet or 5)
            yield Power(
                key=action.slug,
                name=Text(en=action.name.lower(), fr=action.name.lower()),
                range=feet,
                targets=max(1, min(6, feet // CONE_SHARE)),
                save=asked,
                dc=8 + proficiency_of_cr(sheet.cr) + sheet.mod(by if by in ABILITIES else "con"),
                damage=damage,
                half=activity.damage is not None and activity.damage.on_save == "half",
                recharge=int((action.recharge or "0").partition("-")[0] or 0),
            )
