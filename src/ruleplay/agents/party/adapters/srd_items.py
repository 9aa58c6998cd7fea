"""Read the package's equipment: weapons, armour, healing potions, tools, gear.

Items that our rules cannot represent are skipped: magic that is more than a number, poisons, and
things with rules of their own. Weapon mastery (SRD 5.2) is ignored, as our rules have none.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError

from ruleplay.agents.party.adapters.srd_sheets import Name, Words, called, plain, sheets
from ruleplay.agents.party.domain.rulebook import Item

BUNDLES = {"needles": 50, "bullets-firearm": 10}
"""Number of missiles that the listed price buys (SRD 5.2, Equipment)."""
MISSILES = {"blowgun": "needles", "musket": "bullets-firearm", "pistol": "bullets-firearm"}
"""Ammunition of weapons that our own list lacks; the package's sheets do not name it."""
MELEE = 5
"""Reach of a melee weapon in feet."""
COPPER = 100
"""Copper pieces of a gold piece."""
_POTION = re.compile(
    r"Potion, [A-Z][A-Za-z ]+? You regain (\d+d\d+) \+ (\d+) Hit Points when you drink this"
    r" potion\."
    r"(?: Whatever its potency, the potion's red liquid glimmers when agitated\.)?"
)
_PROMISES = re.compile(
    r"\b(?:Advantage|Disadvantage|bonus|damage|saving throws?|Hit Points?|DC|stabilize|Poison"
    r"|Spell Scroll|Scroll|bundles|nourishment|Wondrous Item|Ring|Rod,|Wand,|Staff,"
    r"|Common|Uncommon|Rare|Legendary|twice)\b"
)
"""Words of a description by which an item has effects that plain gear has not."""


class _Part(BaseModel):
    dice: str
    damage_type: str


class _Range(BaseModel):
    kind: str
    value: int | None = None
    long: int | None = None


class _Activity(BaseModel):
    kind: str


class _Sheet(BaseModel):
    """A thing's file, as far as it is read."""

    item_kind: str
    name: Name
    description: Words = ""
    rarity: str
    weight: Annotated[float, Field(ge=0, le=10_000)] = 0
    cost_gp: Annotated[float, Field(ge=0, le=1_000_000)] | None = None
    requires_attunement: bool = False
    activities: Annotated[list[_Activity], Field(max_length=40)] = Field(default_factory=list)
    passive_effects: list[object] = Field(default_factory=list)
    weapon_category: str = ""
    damage_parts: list[_Part] = Field(default_factory=list)
    versatile_damage: _Part | None = None
    range: _Range | None = None
    properties: list[str] = Field(default_factory=list)
    magical_bonus: int = 0
    armor_category: str = ""
    base_ac: int = 0
    stealth_disadvantage: bool = False
    strength_min: int | None = None

    @property
    def plain(self) -> bool:
        """Whether the item is plain: common, priced, and without lasting effects."""
        worth = bool(self.cost_gp) and self.rarity == "common"
        return worth and not (self.passive_effects or self.requires_attunement)

    @property
    def does(self) -> set[str]:
        """The kinds of activities that the item is for."""
        return {one.kind for one in self.activities}

    @property
    def common(self) -> dict[str, object]:
        """The fields that all items have."""
        price = round((self.cost_gp or 0) * COPPER)
        return {"name": called(self.name), "price": price, "weight": self.weight}


def read_items(folder: Path, ours: Collection[str] = ()) -> dict[str, Item]:
    """Read the items of a folder that our rules can represent; others are skipped.

    A weapon's ammunition must be among them, or among `ours`.
    """
    found: dict[str, Item] = {}
    for key, sheet in sheets(folder, _Sheet):
        try:
            one = _item(key, sheet)
        except (ValidationError, ValueError):
            continue
        if one is not None:
            found[key] = one
    known = {*found, *ours}
    return {key: one for key, one in found.items() if not one.uses or one.uses in known}


def _item(key: str, sheet: _Sheet) -> Item | None:
    if heals := _POTION.fullmatch(plain(sheet.description)):
        worth = sheet.does == {"heal"} and not sheet.passive_effects
        made = {**sheet.common, "kind": "potion", "heals": f"{heals[1]}+{heals[2]}", "gender": "f"}
        return Item.model_validate(made) if worth else None
    if not sheet.plain:
        return None
    if sheet.item_kind == "weapon":
        return _weapon(key, sheet)
    if sheet.item_kind == "armor":
        return _armour(sheet)
    return _thing(key, sheet) if sheet.item_kind == "item" else None


def _weapon(key: str, sheet: _Sheet) -> Item | None:
    """Convert a weapon; None if its ammunition is unknown, or range or damage are missing."""
    category, _, how = sheet.weapon_category.partition("_")
    missiles = MISSILES.get(key, "")
    shoots = "ammunition" in sheet.properties
    if len(sheet.damage_parts) != 1 or sheet.range is None or shoots != bool(missiles):
        return None
    if sheet.magical_bonus or sheet.description or how not in ("melee", "ranged"):
        return None
    part, other = sheet.damage_parts[0], sheet.versatile_damage
    afar = how == "ranged" or "thrown" in sheet.properties
    feet = sheet.range.value or 0
    if afar and not feet:
        return None
    reach = MELEE if afar else feet or MELEE
    return Item.model_validate(
        {
            **sheet.common,
            "kind": "weapon",
            "category": category,
            "damage": {"dice": part.dice, "type": part.damage_type},
            "versatile": other.dice if other else "",
            "reach": 0 if how == "ranged" else reach,
            "range": feet if afar else 0,
            "long": (sheet.range.long or feet) if afar else 0,
            "properties": tuple(sorted(one.replace("_", "-") for one in sheet.properties)),
            "uses": missiles,
        }
    )


def _armour(sheet: _Sheet) -> Item | None:
    shield = sheet.armor_category == "shield"
    if sheet.magical_bonus or sheet.activities or not sheet.base_ac:
        return None
    return Item.model_validate(
        {
            **sheet.common,
            "kind": "shield" if shield else "armour",
            "category": "" if shield else sheet.armor_category,
            "ac": sheet.base_ac,
            "strength": sheet.strength_min or 0,
            "noisy": sheet.stealth_disadvantage,
            "gender": "m" if shield else "f",
        }
    )


def _thing(key: str, sheet: _Sheet) -> Item | None:
    """Convert gear, a tool, or ammunition by the piece; None if its text has special effects."""
    if key in BUNDLES:
        name = called(sheet.name.removesuffix("s").replace("s,", ","))
        price = round((sheet.cost_gp or 0) * COPPER / BUNDLES[key])
        made = {**sheet.common, "name": name, "price": price, "kind": "ammunition"}
        return Item.model_validate(made)
    if sheet.does == {"check"}:
        return Item.model_validate({**sheet.common, "kind": "tool"})
    text = plain(sheet.description)
    if sheet.does - {"utility"} or not text or _PROMISES.search(text):
        return None
    return Item.model_validate({**sheet.common, "kind": "gear"})
