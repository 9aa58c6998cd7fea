"""Loads the reference tables: CSV files beside this module; each row cites its source."""

from __future__ import annotations

import csv
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal, TypeVar

from anyascii import anyascii
from pydantic import BaseModel, BeforeValidator, ConfigDict


def _numbers(given: object) -> object:
    return tuple(given.split()) if isinstance(given, str) else given


class Fact(BaseModel):
    """A row; `source` names keys of `sources.csv`, with the file where a source has several."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str


class Source(BaseModel):
    """Where rows come from."""

    model_config = ConfigDict(frozen=True)

    key: str
    page: str


class Boss(Fact):
    """An encounter: its id in the log, its zone and the creatures that are its bosses.

    In a log without ENCOUNTER lines, activity of `npcs` is the pull. It ends with the death of one
    of `kill` (of all `npcs` that were met, where there are none) or after `quiet` seconds without
    activity.
    """

    encounter_id: int
    name: str
    zone: str
    npcs: Annotated[tuple[int, ...], BeforeValidator(_numbers)] = ()
    kill: Annotated[tuple[int, ...], BeforeValidator(_numbers)] = ()
    quiet: int


class Encounter(Fact):
    """An encounter of any client: its id, its instance, its creatures."""

    encounter_id: int
    name: str
    instance: str = ""
    npcs: Annotated[tuple[int, ...], BeforeValidator(_numbers)] = ()
    expansion: str = ""


class SpellName(Fact):
    """How the French client calls a spell."""

    name: str
    fr: str


class BossName(Fact):
    """How the French and the German client call an encounter; "" where it is the English name."""

    name: str
    fr: str = ""
    de: str = ""


class BossAlias(Fact):
    """A nickname of an encounter."""

    alias: str
    name: str


class Battleground(Fact):
    """A map on which players fight players."""

    instance: int
    name: str
    kind: Literal["arena", "battleground"]


class Specialization(Fact):
    """A specialisation by the number that COMBATANT_INFO of retail has."""

    spec_id: int
    class_: str
    spec: str
    role: Literal["tank", "healer", "damage"]


class Creature(Fact):
    """A creature of an encounter."""

    npc_id: int
    name: str
    role: Literal["boss", "add"]
    encounter_id: int


Trigger = Literal["pull", "seen", "acts", "hp", "cast", "aura", "deaths"]


class Phase(Fact):
    """A phase and what starts it in the log.

    pull: the pull itself. seen: the first line of a creature. acts: the first line that a creature
    is the source of. hp: the creature's logged health falls under `value` (0..1). cast: the spell
    is cast (by the creature, if given). aura: the spell is applied. deaths: `value` deaths of the
    creature.
    """

    encounter_id: int
    phase: int
    name: str
    trigger: Trigger
    spell_id: int | None = None
    npc_id: int | None = None
    value: float | None = None


class BossSpell(Fact):
    """A spell of an encounter and what a raid does about it."""

    encounter_id: int
    spell_id: int
    name: str
    kind: Literal["avoidable", "interruptible", "dispellable", "purgeable", "none"]
    detail: str = ""


class Spell(Fact):
    """A spell with its name as the log writes it."""

    spell_id: int
    name: str


class ClassSpell(Spell):
    """A spell of a class; "" is any class."""

    class_: str = ""


class PetSpell(Fact):
    """A spell that the pets of one class alone have."""

    name: str
    class_: str


class Revival(Spell):
    """A spell that makes a death none, or ends it: Feign Death, Spirit of Redemption, Ankh."""

    kind: Literal["feign", "spirit", "revival"]


class Cooldown(ClassSpell):
    """A cooldown: its length without talents, the spec that has it ("" is all of the class)."""

    spec: str = ""
    seconds: int
    kind: Literal["damage", "mana", "defence", "rescue"]


class Consumable(Spell):
    """The aura or use of a consumable."""

    kind: Literal["flask", "battle elixir", "guardian elixir", "food", "potion", "rune", "drums"]


class RaidAura(ClassSpell):
    """A buff of the raid or a debuff on the boss that a raid wants up."""

    kind: Literal["buff", "debuff"]


class Enchant(Fact):
    """An enchantment by its effect id, as COMBATANT_INFO has it."""

    enchant_id: int
    name: str
    slot: str = ""
    kind: str = ""


class Gem(Fact):
    """A gem."""

    item_id: int
    name: str
    color: str
    quality: Literal["uncommon", "rare", "epic"]


class Sockets(Fact):
    """How many sockets an item has."""

    item_id: int
    slot: str
    sockets: int


class Spec(Fact):
    """A specialisation: the talent tree it is named after, and its usual role."""

    class_: str
    tree: int
    spec: str
    role: Literal["tank", "healer", "damage"]


Row = TypeVar("Row", bound=BaseModel)


def read_table(name: str, kind: type[Row]) -> tuple[Row, ...]:
    """Read a table; empty cells take the defaults. ValidationError if malformed."""
    folder = files("ruleplay.agents.raid.domain.reference")
    lines = folder.joinpath(name).read_text("utf-8").splitlines()
    return tuple(
        kind.model_validate(
            {"class_" if key == "class" else key: cell for key, cell in row.items() if cell}
        )
        for row in csv.DictReader(lines)
    )


def _listed(name: str, kind: type[Row]) -> Callable[[], tuple[Row, ...]]:
    """Make a function that reads a table once."""
    return cache(lambda: read_table(name, kind))


def _by(key: str, name: str, kind: type[Row]) -> Callable[[], dict[int, Row]]:
    """Make a function that reads a table once, keyed by one of its integer columns."""
    return cache(lambda: {getattr(one, key): one for one in read_table(name, kind)})


sources = _listed("sources.csv", Source)
"""The cited sources."""
bosses = _by("encounter_id", "bosses.csv", Boss)
"""Raid encounters by id."""
encounters = _by("encounter_id", "encounters.csv", Encounter)
"""Encounters of every client by id."""


@cache
def boss_names() -> dict[str, BossName]:
    """Map English encounter names to their French and German ones."""
    return {one.name: one for one in read_table("boss_names.csv", BossName)}


@cache
def translated_spells() -> dict[str, tuple[str, ...]]:
    """Map each known name of a spell to its names in the other languages, both ways."""
    found: dict[str, tuple[str, ...]] = {}
    for one in read_table("spell_translations.csv", SpellName):
        for own, other in ((one.name, one.fr), (one.fr, one.name)):
            found[own] = (*found.get(own, ()), other)
    return found


@cache
def translated_words() -> dict[str, frozenset[str]]:
    """Map a French word of spells to the English ones that it stands for in most of their names.

    Learnt from the pairs of names: words that mostly occur together translate each other.
    """
    pairs = [
        (_words(one.fr), _words(one.name))
        for one in read_table("spell_translations.csv", SpellName)
    ]
    both = Counter((a, b) for own, other in pairs for a in own for b in other)
    first = Counter(a for own, _ in pairs for a in own)
    second = Counter(b for _, other in pairs for b in other)
    found: dict[str, set[str]] = {}
    for (a, b), n in both.items():
        if 2 * n / (first[a] + second[b]) >= TOGETHER:
            found.setdefault(a, set()).add(b)
    return {word: frozenset(others) for word, others in found.items()}


def _words(name: str) -> set[str]:
    """Split a name into its words, without the short ones that join them, and plural endings."""
    said = re.findall(r"[a-z]+", anyascii(name).casefold())
    return {one for word in said if len(one := word.removesuffix("s")) > _JOINING}


TOGETHER = 0.3
"""How much of their occurrences two words must share (Dice's coefficient)."""
_JOINING = 2
"""Length up to which a word only joins others: "de", "of"."""
boss_aliases = _listed("boss_aliases.csv", BossAlias)
"""Nicknames of encounters."""
battlegrounds = _by("instance", "battlegrounds.csv", Battleground)
"""Arena and battleground maps by instance id."""
specializations = _by("spec_id", "specializations.csv", Specialization)
"""Retail specialisations by id."""
creatures = _by("npc_id", "creatures.csv", Creature)
"""Creatures of encounters by npc id."""
phases = _listed("phases.csv", Phase)
"""Phases of all encounters."""
boss_spells = _listed("boss_spells.csv", BossSpell)
"""Encounter spells that require a reaction of the raid."""
revivals = _by("spell_id", "revivals.csv", Revival)
"""Spells by id that distinguish false deaths from real ones."""
cooldowns = _by("spell_id", "cooldowns.csv", Cooldown)
"""Cooldowns by spell id."""
bloodlust = _by("spell_id", "bloodlust.csv", Spell)
"""Bloodlust and Heroism by spell id."""
consumables = _by("spell_id", "consumables.csv", Consumable)
"""Consumables by spell id."""
raid_auras = _by("spell_id", "raid_auras.csv", RaidAura)
"""Raid buffs and debuffs by spell id."""
interrupts = _by("spell_id", "interrupts.csv", ClassSpell)
"""Interrupting spells by spell id."""
dots = _by("spell_id", "dots.csv", ClassSpell)
"""Damage-over-time spells by spell id."""
enchants = _by("enchant_id", "enchants.csv", Enchant)
"""Permanent enchantments by effect id."""
weapon_enchants = _by("enchant_id", "weapon_enchants.csv", Enchant)
"""Oils and stones by effect id."""
gems = _by("item_id", "gems.csv", Gem)
"""Gems by item id."""


@cache
def sockets() -> dict[int, int]:
    """Map item ids to their number of sockets."""
    return {one.item_id: one.sockets for one in read_table("sockets.csv", Sockets)}


specs = _listed("specs.csv", Spec)
"""The specialisations."""


@cache
def spell_names() -> Mapping[str, tuple[str, ...]]:
    """List spell names by purpose, as English clients write them."""
    text = files(__package__).joinpath("spell_names.toml").read_text("utf-8")
    told = tomllib.loads(text).items()
    return {kind: tuple(names) for kind, names in told if isinstance(names, list)}
