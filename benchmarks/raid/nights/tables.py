"""The tables behind the nights: raids, bosses, specialisations, preparation (TOML, sourced)."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Span = tuple[int, int]
"""The least and the most of something."""
Swing = tuple[int, int, float]
"""Least and most damage of an auto attack, and seconds between two; 0 seconds: none."""

BossKind = Literal[
    "strike",
    "raidwide",
    "avoidable",
    "channel",
    "cast",
    "curse",
    "silence",
    "grow",
    "summon",
    "shield",
    "shatter",
    "nova",
]
AVOIDABLE = frozenset({"avoidable", "channel", "shatter", "nova"})
"""Kinds of boss spells whose damage a player need not have taken."""


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Zone(_Row):
    """A raid instance: its id, name and map, and its trash as (npc id, name, health)."""

    instance: int
    name: str
    map: int
    trash: tuple[tuple[int, str, int], ...]


class UnitRow(_Row):
    """An enemy of an encounter; a `released` one joins when the others are dead or it is time."""

    npc: int
    name: str
    hp: int
    swing: Swing
    count: int = 1
    boss: bool = False
    council: bool = False
    released: bool = False


class BossSpell(_Row):
    """A boss's spell; the fields are explained at the head of bosses.toml."""

    by: int
    kind: BossKind
    id: int
    name: str
    school: int
    first: float
    every: float
    hit: Span = (0, 0)
    heal: int = 0
    cast: float = 0.0
    seconds: float = 0.0
    ticks: int = 1
    tick: float = 3.0
    targets: int = 0
    dispel: str = ""
    npc: int = 0
    unit: str = ""
    hp: int = 0
    swing: Swing = (0, 0, 0.0)
    count: int = 1
    below: float = 1.0
    held: bool = False
    second: bool = False
    melee: bool = False


class Phase(_Row):
    """A phase and what begins it: health below a fraction, the release; the first has neither."""

    name: str
    unit: int = 0
    below: float = 0.0
    released: bool = False
    spell: int = 0
    cast: str = ""


class Boss(_Row):
    """An encounter; `wipes` names the stories by which a raid can lose it."""

    id: int
    name: str
    instance: int
    units: tuple[UnitRow, ...]
    spells: tuple[BossSpell, ...]
    phases: tuple[Phase, ...]
    wipes: tuple[str, ...]


class Spell(_Row):
    """A player's spell; the fields are explained at the head of specs.toml."""

    id: int
    name: str
    school: int
    kind: Literal["hit", "shot", "dot", "debuff", "heal", "hot", "splash"]
    every: float
    hit: Span = (0, 0)
    cast: float = 0.0
    ticks: int = 0
    tick: float = 0.0
    seconds: float = 0.0
    targets: int = 1


class Pet(_Row):
    """A pet: npc id, names to choose from, its spell (id, name, school), hits and swing."""

    npc: int
    name: tuple[str, ...]
    spell: tuple[int, str, int]
    hit: Span
    swing: Swing


class Spec(_Row):
    """A specialisation; cooldowns are (id, name, seconds, seconds of its aura or 0)."""

    name: str
    class_: str = Field(alias="class")
    role: Literal["tank", "healer", "damage"]
    talents: tuple[int, int, int]
    power: int
    health: int
    mana: int = 0
    melee: bool = False
    swing: Swing = (0, 0, 0.0)
    pet: Pet | None = None
    interrupt: tuple[int, str, float] | None = None
    dispel: tuple[int, str] | None = None
    cooldowns: tuple[tuple[int, str, float, float], ...]
    spells: tuple[Spell, ...]

    @property
    def kit(self) -> str:
        """What they prepare as: tank, healer, melee or caster."""
        if self.role != "damage":
            return self.role
        return "melee" if self.melee or self.class_ == "Hunter" else "caster"


class Preparation(_Row):
    """Buffs, enchants, gems and gear by kit (tank, healer, melee, caster) or class."""

    food: dict[str, int]
    flask: dict[str, int]
    oil: dict[str, int]
    raid_buffs: tuple[int, ...]
    potion: dict[str, tuple[int, str]]
    enchants: dict[str, dict[str, int]]
    gems: dict[str, tuple[int, ...]]
    tier: dict[str, tuple[int, ...]]
    rest: dict[str, int]


def _read(name: str) -> dict[str, object]:
    folder = files("benchmarks.raid.nights")
    return tomllib.loads(folder.joinpath(name).read_text("utf-8"))


class _Bosses(_Row):
    zone: tuple[Zone, ...]
    boss: tuple[Boss, ...]


class _Specs(_Row):
    spec: tuple[Spec, ...]


@cache
def zones() -> dict[int, Zone]:
    """Return the raids by instance id."""
    return {zone.instance: zone for zone in _Bosses.model_validate(_read("bosses.toml")).zone}


@cache
def bosses() -> dict[int, Boss]:
    """Return the encounters by id."""
    return {boss.id: boss for boss in _Bosses.model_validate(_read("bosses.toml")).boss}


@cache
def specs() -> dict[tuple[str, str], Spec]:
    """Return the specialisations by (class, name)."""
    found = _Specs.model_validate(_read("specs.toml")).spec
    return {(spec.class_, spec.name): spec for spec in found}


@cache
def preparation() -> Preparation:
    """Return what raiders bring."""
    return Preparation.model_validate(_read("preparation.toml"))
