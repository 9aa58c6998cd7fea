"""The package's spells: those that the rules can carry out in full, sentence by sentence.

A spell is read when every sentence of its text is one of those below, its sheet's numbers say the
same, and it is cast within a turn. One whose text promises anything else is passed over whole: a
spell that does half of what it says would be worse than none.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError

from ruleplay.agents.party.adapters.srd_sentences import Unread, read_text
from ruleplay.agents.party.adapters.srd_sheets import Name, Words, called, plain, sheets, whole
from ruleplay.agents.party.domain.creature import Damage
from ruleplay.agents.party.domain.rulebook import Spell
from ruleplay.agents.party.domain.terms import ROUNDS_A_MINUTE, ClassKey
from ruleplay.agents.party.domain.texts import Text

TEXT = Text(en="A spell of the SRD 5.2.", fr="Un sort du SRD 5.2.")
TOUCH = 5
MOST = 6
"""The most creatures that an area is taken to reach."""
SCHOOLS = {
    "abj": "abjuration",
    "con": "conjuration",
    "div": "divination",
    "enc": "enchantment",
    "evo": "evocation",
    "ill": "illusion",
    "nec": "necromancy",
    "trs": "transmutation",
}
ROUNDS = {"inst": 0, "round": 1, "minute": ROUNDS_A_MINUTE, "hour": 60 * ROUNDS_A_MINUTE}
"""Rounds of each unit of a duration; what lasts in another way is not for these rules."""
CLASSES: dict[str, tuple[ClassKey, ...]] = {
    "circle-of-death": ("sorcerer", "warlock", "wizard"),
    "greater-invisibility": ("bard", "sorcerer", "wizard"),
    "hold-monster": ("bard", "sorcerer", "warlock", "wizard"),
    "mass-cure-wounds": ("bard", "cleric", "druid"),
    "ray-of-sickness": ("sorcerer", "wizard"),
}
"""Who learns a spell, by the lists of the SRD 5.2; the package's sheets do not say it."""
RESISTS = "system.traits.dr.value"


class _Scaling(BaseModel):
    number: int | None = None


class _Part(BaseModel):
    number: int | None = None
    denomination: int | None = None
    bonus: str = ""
    types: list[str] = Field(default_factory=list)
    scaling: _Scaling = _Scaling()

    @property
    def dice(self) -> str:
        """The dice, with a constant; "" where there are none."""
        dice = f"{self.number}d{self.denomination}" if self.number and self.denomination else ""
        return f"{dice}+{self.bonus}" if dice and self.bonus.isdigit() else dice


class _Damage(BaseModel):
    on_save: str = "none"
    parts: Annotated[list[_Part], Field(max_length=4)] = Field(default_factory=list)


class _Kind(BaseModel):
    value: str = ""


class _Attack(BaseModel):
    type: _Kind = _Kind()


class _Save(BaseModel):
    ability: list[str] = Field(default_factory=list)


class _Template(BaseModel):
    size: str = ""


class _Target(BaseModel):
    template: _Template = _Template()


class _Activity(BaseModel):
    kind: str
    attack: _Attack = _Attack()
    damage: _Damage = _Damage()
    save: _Save = _Save()
    healing: _Part = _Part()
    target: _Target = _Target()


class _Change(BaseModel):
    key: str
    value: str = ""


class _Effect(BaseModel):
    statuses: list[str] = Field(default_factory=list)
    changes: list[_Change] = Field(default_factory=list)


class _Span(BaseModel):
    """A time or a distance: a number of units."""

    unit: str = ""
    units: str = ""
    value: Annotated[int, Field(ge=0, le=10_000)] | None = None


class _Materials(BaseModel):
    consumed: bool = False


class _Sheet(BaseModel):
    """A spell's file, as far as it is read."""

    name: Name
    description: Words
    level: Annotated[int, Field(ge=0, le=9)]
    school: str
    ritual: bool = False
    concentration: bool = False
    casting_time: _Span
    range: _Span
    duration: _Span
    materials: _Materials = _Materials()
    activities: Annotated[list[_Activity], Field(min_length=1, max_length=1)]
    passive_effects: Annotated[list[_Effect], Field(max_length=4)] = Field(default_factory=list)


def read_spells(folder: Path) -> dict[str, Spell]:
    """Return the spells of a folder that the rules carry out in full; others are passed over."""
    found: dict[str, Spell] = {}
    for key, sheet in sheets(folder, _Sheet):
        try:
            spell = _spell(key, sheet)
        except (Unread, ValidationError, ValueError, KeyError):
            continue
        if not list(_differences(spell, sheet)):
            found[key] = spell
    return found


def _spell(key: str, sheet: _Sheet) -> Spell:
    if sheet.materials.consumed or sheet.casting_time.unit not in ("action", "bonus"):
        raise Unread(sheet.name)
    read = read_text(plain(sheet.description), sheet.level)
    rounds = ROUNDS[sheet.duration.units] * (sheet.duration.value or 1)
    if read.pop("lasting", False) and not rounds:
        raise Unread(sheet.name)
    return Spell.model_validate(
        {
            "name": called(sheet.name),
            "text": TEXT,
            "level": sheet.level,
            "school": SCHOOLS[sheet.school],
            "classes": CLASSES.get(key, ()),
            "cost": sheet.casting_time.unit,
            "ritual": sheet.ritual,
            "concentration": sheet.concentration,
            "rounds": rounds,
            **_aim(sheet, read),
            **read,
        }
    )


def _aim(sheet: _Sheet, read: dict[str, object]) -> dict[str, object]:
    """Return range and area: an area is written as the number of creatures that it can reach."""
    units, feet = sheet.range.units, sheet.range.value or 0
    size, shape = whole(read.pop("size", 0)), read.pop("shape", "")
    if sheet.activities[0].target.template.size != (str(size) if size else ""):
        raise Unread(sheet.name)
    if units == "self" and not size and read.get("friendly"):
        return {"range": 0}
    if units == "self" and shape in ("cone", "cube", "line"):
        return {"radius": size, "from_self": True, "targets": min(MOST, -(-size // 10))}
    if units not in ("ft", "touch") or (units == "ft" and not feet):
        raise Unread(sheet.name)
    radius = size // 2 if shape == "cube" else size
    reach = {"radius": radius, "targets": max(1, min(MOST, radius // 5))} if size else {}
    return {"range": feet if units == "ft" else TOUCH, **reach}


def _differences(spell: Spell, sheet: _Sheet) -> Iterator[str]:
    """Yield where a sheet's numbers say something else than its text."""
    does = sheet.activities[0]
    parts = [Damage.model_validate(f"{one.dice} {one.types[0]}") for one in _parts(does.damage)]
    if tuple(parts) != spell.damage:
        yield "damage"
    kinds = {"melee": "attack", "ranged": "attack", "save": "save"}
    expected = kinds.get(spell.how, "heal" if spell.heal or spell.temp else "utility")
    if does.kind != expected:
        yield "kind"
    if expected == "attack" and does.attack.type.value != spell.how:
        yield "attack"
    if expected == "save" and spell.save not in does.save.ability:
        yield "save"
    if expected == "save" and spell.damage and spell.half != (does.damage.on_save == "half"):
        yield "half"
    yield from _healing_differences(spell, does.healing)
    yield from _upcast_differences(spell, does)
    yield from _effect_differences(spell, sheet.passive_effects)
    if spell.concentration and not spell.rounds:
        yield "duration"


def _parts(damage: _Damage) -> list[_Part]:
    return [one for one in damage.parts if one.dice and one.types]


def _healing_differences(spell: Spell, healing: _Part) -> Iterator[str]:
    if healing.dice != (spell.heal or spell.temp):
        yield "healing"
    if spell.heal_ability != (healing.bonus == "@mod"):
        yield "healing's ability"
    if (spell.heal or spell.temp) and healing.types != ["healing" if spell.heal else "temphp"]:
        yield "healing's kind"


def _upcast_differences(spell: Spell, does: _Activity) -> Iterator[str]:
    part = next(iter(_parts(does.damage)), does.healing)
    more = spell.upcast or spell.heal_upcast
    if more and more != f"{part.scaling.number}d{part.denomination}":
        yield "upcast"


def _effect_differences(spell: Spell, effects: list[_Effect]) -> Iterator[str]:
    given = spell.inflicts
    brought = {*given.conditions} if given else set()
    if not {status for one in effects for status in one.statuses} <= brought:
        yield "conditions"
    changes = [change for one in effects for change in one.changes]
    resisted = {*given.boon.resist} if given and given.boon else set()
    if {one.value for one in changes} != resisted or any(one.key != RESISTS for one in changes):
        yield "changes"
