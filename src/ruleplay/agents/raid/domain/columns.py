"""The schema: every table of a stored report, with the meaning and unit of each column.

A report is one folder with a Parquet file per table; DuckDB sees each as a view of the same name.

Times (`ms`, `start_ms`, `end_ms`) are milliseconds since the report's first line. They pass
midnight and New Year; they go back only where the log itself does (lines written late, joined
files), so they may be negative. Wall clock: `(report.start_clock_ms + ms) % 86_400_000`.

Damage that a player did: `sum(amount - over + absorbed)` of rows of DAMAGE_EVENTS that count and
are not `apart`, with `source = player`, and the `amount` of misses by ABSORB; of the player's pets:
the same with `owner = player`. Healing: `sum(amount - over + absorbed)` of HEAL_EVENTS, and the
`amount` of SPELL_ABSORBED by `absorber`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["u8", "u16", "u32", "u64", "i64", "f32", "bool", "str", "list[u32]"]

SCHEMA_VERSION = 3
"""Reports stored under another version are imported anew from their raw lines."""


@dataclass(frozen=True)
class Column:
    """A column: its name, its kind, whether it may be null, and what it means."""

    name: str
    kind: Kind
    nullable: bool
    meaning: str


@dataclass(frozen=True)
class Table:
    """A table: its name (also of its Parquet file and its view), its columns, what a row is."""

    name: str
    columns: tuple[Column, ...]
    row: str

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names, in their stored order."""
        return tuple(column.name for column in self.columns)


def _must(name: str, kind: Kind, meaning: str) -> Column:
    return Column(name, kind, nullable=False, meaning=meaning)


def _may(name: str, kind: Kind, meaning: str) -> Column:
    return Column(name, kind, nullable=True, meaning=meaning)


EVENTS = Table(
    "events",
    (
        _must("line", "u32", "1-based line number in the log"),
        _must("offset", "u64", "byte at which the line starts"),
        _must("ms", "i64", "milliseconds since the report's first line"),
        _may("fight", "u16", "number of the pull, 1..n; null is trash or between pulls"),
        _must("event", "str", "the event's name as logged, e.g. SPELL_DAMAGE"),
        _may("source", "u32", "actor that acts; null where the log has the null unit"),
        _may("target", "u32", "actor that is acted on; null where the log has the null unit"),
        _may("source_flags", "u32", "unit flags of the source"),
        _may("target_flags", "u32", "unit flags of the target"),
        _may("source_raid_flags", "u8", "raid marker of the source (bit mask)"),
        _may("target_raid_flags", "u8", "raid marker of the target (bit mask)"),
        _may("spell_id", "u32", "the spell; null for swings and the environment"),
        _may("spell", "str", "the spell's name; the kind of harm for ENVIRONMENTAL_DAMAGE"),
        _may("school", "u16", "school mask of the damage, else of the spell"),
        _may(
            "amount",
            "i64",
            "damage, heal (with its overheal), energy, drained power, absorbed damage of "
            "SPELL_ABSORBED, missed damage of _MISSED, size of an absorbing aura, extra attacks",
        ),
        _may("base_amount", "i64", "before modifiers; the whole hit of SPELL_ABSORBED and _MISSED"),
        _may("over", "i64", "overkill, overheal or over-energize, 0 when none"),
        _may("resisted", "i64", "part of the damage that was resisted"),
        _may("blocked", "i64", "part of the damage that was blocked"),
        _may("absorbed", "i64", "part of the damage or heal that was absorbed"),
        _may("critical", "bool", "a critical hit or heal"),
        _may("glancing", "bool", "a glancing blow"),
        _may("crushing", "bool", "a crushing blow"),
        _may("offhand", "bool", "an off-hand blow, where logged"),
        _may("miss_type", "str", "why it missed: MISS, DODGE, PARRY, ABSORB, …"),
        _may("aura_type", "str", "BUFF or DEBUFF"),
        _may("stacks", "u16", "the aura's stacks after a _DOSE event"),
        _may("extra_spell_id", "u32", "interrupted, dispelled, breaking or absorbing spell; item"),
        _may("extra_spell", "str", "its name"),
        _may("extra_school", "u16", "its school mask"),
        _may(
            "absorber",
            "u32",
            "who cast the shield of a SPELL_ABSORBED, healed in a SPELL_HEAL_ABSORBED, supports in"
            " a _SUPPORT event",
        ),
        _may("power_type", "i64", "power gained, drained or shown: 0 mana, 1 rage, 3 energy, …"),
        _may("extra_amount", "i64", "what the drainer gained, or the cost shown beside the power"),
        _may("info", "u32", "the actor whom the following seven columns speak of"),
        _may("hp", "i64", "its health: a percentage for players in Classic, absolute for others"),
        _may("hp_max", "i64", "its maximum: 100 where health is a percentage"),
        _may("power", "i64", "its power (of the first kind where it has several)"),
        _may("power_max", "i64", "its most power"),
        _may("x", "f32", "its position in yards"),
        _may("y", "f32", "its position in yards"),
        _may("owner", "u32", "player who is credited with the action of a pet or guardian"),
        _must(
            "counts",
            "bool",
            "false for a SWING_DAMAGE_LANDED whose SWING_DAMAGE is there, and a death that is none",
        ),
        _must("apart", "bool", "damage to oneself or to one's own side"),
        _may("note", "str", "rare extras: a failed cast's reason, AOE or ST, arguments of headers"),
    ),
    "a parsed line of the log",
)

ACTORS = Table(
    "actors",
    (
        _must("id", "u32", "number of the actor in this report, from 1"),
        _must("guid", "str", "as logged"),
        _must("name", "str", "as logged, with realm where it has one; the GUID when never named"),
        _must("kind", "str", "player, pet, guardian, npc, object or none"),
        _may("npc_id", "u32", "the creature's id, from its GUID"),
        _may("owner", "u32", "actor that owns this pet or guardian"),
        _may("class", "str", "e.g. Warlock; null when no spell tells"),
        _may("spec", "str", "e.g. Affliction; null when neither talents nor spells tell"),
        _may("role", "str", "tank, healer or damage; null for what is no player"),
        _may("class_evidence", "u32", "line of the first spell that tells the class"),
        _may("spec_evidence", "u32", "line that tells the spec (COMBATANT_INFO, or a spell)"),
        _must("friendly", "bool", "seen as friendly to the one who logged"),
    ),
    "a unit of the log",
)

ENCOUNTERS = Table(
    "encounters",
    (
        _must("fight", "u16", "number of the pull in this report, from 1"),
        _may("encounter_id", "u32", "the game's id; null when derived and not known"),
        _must("name", "str", "as logged (localised), or the boss's name"),
        _must("start_line", "u32", "first line of the pull"),
        _must("end_line", "u32", "last line of the pull"),
        _must("start_ms", "i64", "milliseconds since the report's first line"),
        _must("end_ms", "i64", "milliseconds since the report's first line"),
        _must("kill", "bool", "the boss died"),
        _must(
            "ended",
            "str",
            "kill, wipe, reset (boss left, raid alive) or unfinished (log ends); of a match won,"
            " lost or over",
        ),
        _may("difficulty", "u16", "as logged"),
        _may("size", "u16", "group size as logged"),
        _must("derived", "bool", "from what was done: the log has no lines for it"),
        _must("kind", "str", "boss, arena or battleground"),
        _may("run", "u16", "the keystone run that it belongs to"),
        _must("bosses", "list[u32]", "actors that are its bosses"),
        _may("boss_hp", "f32", "lowest health of the healthiest boss at the end, 0..1, if logged"),
        _must("players", "u16", "players that took part"),
    ),
    "a pull",
)

RUNS = Table(
    "runs",
    (
        _must("run", "u16", "number of the keystone run in this report, from 1"),
        _must("name", "str", "the dungeon, as logged"),
        _may("instance", "u32", "the game's id of it"),
        _may("level", "u16", "level of the keystone"),
        _must("affixes", "list[u32]", ""),
        _must("start_line", "u32", "its first line"),
        _must("end_line", "u32", "its last line"),
        _must("start_ms", "i64", "milliseconds since the report's first line"),
        _must("end_ms", "i64", "milliseconds since the report's first line"),
        _must("completed", "bool", "an end line says success"),
        _may("timer_ms", "i64", "the time that the end line says"),
    ),
    "a keystone run",
)

COMBATANTS = Table(
    "combatants",
    (
        _must("fight", "u16", "the pull"),
        _must("line", "u32", "its COMBATANT_INFO line"),
        _must("actor", "u32", "the player"),
        _may("faction", "u8", "0 Horde, 1 Alliance; the team in an arena"),
        _must("spec_id", "u16", "specialisation as the client numbers it, 0 in Classic"),
        _may("strength", "i64", ""),
        _may("agility", "i64", ""),
        _may("stamina", "i64", ""),
        _may("intellect", "i64", ""),
        _may("spirit", "i64", ""),
        _may("armor", "i64", ""),
        _must("talents", "list[u32]", "points in the three trees; elsewhere the client's ids"),
    ),
    "a player at the start of a pull",
)

GEAR = Table(
    "gear",
    (
        _must("fight", "u16", "the pull"),
        _must("line", "u32", "its COMBATANT_INFO line"),
        _must("actor", "u32", "the player"),
        _must("slot", "str", "head, neck, …, tabard (SLOTS)"),
        _must("item_id", "u32", "0 for an empty slot"),
        _must("item_level", "u16", ""),
        _may("enchant", "u32", "permanent enchantment, null when none"),
        _may("temporary_enchant", "u32", "oil, stone, poison; null when none"),
        _may("on_use_enchant", "u32", "null when none"),
        _must("gems", "list[u32]", "item ids of the gems"),
    ),
    "an item that a player wears at the start of a pull",
)

AURAS = Table(
    "pull_auras",
    (
        _must("fight", "u16", "the pull"),
        _must("line", "u32", "its COMBATANT_INFO line"),
        _must("actor", "u32", "the player who has it"),
        _may("caster", "u32", "who cast it, where the log knows that unit"),
        _must("spell_id", "u32", "the aura"),
    ),
    "an aura that a player has at the start of a pull",
)

UNPARSED = Table(
    "unparsed",
    (
        _must("line", "u32", "1-based line number"),
        _must("offset", "u64", "byte at which the line starts"),
        _must("text", "str", "the line's first 500 characters, unreadable bytes escaped"),
        _must("reason", "str", "why it could not be read"),
    ),
    "a line that is not in events",
)

TABLES = (EVENTS, ACTORS, ENCOUNTERS, RUNS, COMBATANTS, GEAR, AURAS, UNPARSED)

SLOTS = (
    "head",
    "neck",
    "shoulder",
    "shirt",
    "chest",
    "waist",
    "legs",
    "feet",
    "wrist",
    "hands",
    "ring1",
    "ring2",
    "trinket1",
    "trinket2",
    "back",
    "mainhand",
    "offhand",
    "ranged",
    "tabard",
)
"""Slots of COMBATANT_INFO's gear list, in its order."""

DAMAGE_EVENTS = (
    "SWING_DAMAGE",
    "SWING_DAMAGE_LANDED",
    "RANGE_DAMAGE",
    "SPELL_DAMAGE",
    "SPELL_PERIODIC_DAMAGE",
    "DAMAGE_SHIELD",
)
"""Events that are a source's damage; DAMAGE_SPLIT repeats damage, so it is not among them."""

MISS_EVENTS = (
    "SWING_MISSED",
    "RANGE_MISSED",
    "SPELL_MISSED",
    "SPELL_PERIODIC_MISSED",
    "DAMAGE_SHIELD_MISSED",
)
"""Events of blows that did nothing; of those by ABSORB `amount` is what a shield took."""

NO_HEALING = (115069, 31230, 31850, 86949, 114556, 209258)
"""What is written as a shield and heals nobody: Stagger puts damage off; Cheat Death, Ardent
Defender, Cauterize, Purgatory and Last Resort stop a deadly blow, however large it was."""

HEAL_EVENTS = ("SPELL_HEAL", "SPELL_PERIODIC_HEAL")
"""Events that heal: by `amount - over`, and by `absorbed`, which a debuff ate."""
