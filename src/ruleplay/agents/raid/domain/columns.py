"""The schema: every table of a stored report, with the meaning and unit of each column.

A report is one folder with a Parquet file per table; DuckDB sees each as a view of the same name.

Times (`ms`, `start_ms`, `end_ms`) are milliseconds since the report's first line. They keep
growing past midnight and New Year, and decrease only where the log itself goes back (lines written
late, concatenated files), so they may be negative. Wall clock:
`(report.start_clock_ms + ms) % 86_400_000`.

Damage done by a player: `sum(amount - over + absorbed)` over DAMAGE_EVENTS that count, are not
`apart` and have `source = player`, plus `amount` of the misses of type ABSORB. Damage of the
player's pets: the same with `owner = player`. Healing: `sum(amount - over + absorbed)` over
HEAL_EVENTS, plus `amount` of SPELL_ABSORBED by `absorber`.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal, cast

Kind = Literal["u8", "u16", "u32", "u64", "i64", "f32", "bool", "str", "list[u32]"]

SCHEMA_VERSION = 6
"""Raised where columns, or what of a log counts, change: older reports are then read again from
their raw lines."""


@dataclass(frozen=True)
class Column:
    """A column: name, type, nullability and meaning."""

    name: str
    kind: Kind
    nullable: bool
    meaning: str


@dataclass(frozen=True)
class TableSchema:
    """A table: its name (shared by its Parquet file and its view), columns, and what a row is."""

    name: str
    columns: tuple[Column, ...]
    row: str

    @property
    def names(self) -> tuple[str, ...]:
        """Column names in stored order."""
        return tuple(column.name for column in self.columns)


def _table(name: str, row: str) -> TableSchema:
    """Build a table from its rows in `columns.csv`."""
    told = files("ruleplay.agents.raid.domain").joinpath("columns.csv").read_text("utf-8")
    columns = (
        Column(one["column"], cast(Kind, one["kind"]), bool(one["null"]), one["meaning"])
        for one in csv.DictReader(told.splitlines())
        if one["table"] == name
    )
    return TableSchema(name, tuple(columns), row)


EVENTS = _table("events", "a parsed line of the log")
ACTORS = _table("actors", "a unit of the log")
ENCOUNTERS = _table("encounters", "a pull")
RUNS = _table("runs", "a keystone run")
COMBATANTS = _table("combatants", "a player at the start of a pull")
GEAR = _table("gear", "an item that a player wears at the start of a pull")
AURAS = _table("pull_auras", "an aura that a player has at the start of a pull")
UNPARSED = _table("unparsed", "a line that is not in events")
TABLES = (EVENTS, ACTORS, ENCOUNTERS, RUNS, COMBATANTS, GEAR, AURAS, UNPARSED)

SLOTS = (
    *("head", "neck", "shoulder", "shirt", "chest", "waist", "legs", "feet", "wrist", "hands"),
    *("ring1", "ring2", "trinket1", "trinket2", "back", "mainhand", "offhand", "ranged", "tabard"),
)
"""Equipment slots in the order of COMBATANT_INFO's gear list."""

DAMAGE_EVENTS = (
    "SWING_DAMAGE",
    "SWING_DAMAGE_LANDED",
    "RANGE_DAMAGE",
    "SPELL_DAMAGE",
    "SPELL_PERIODIC_DAMAGE",
    "DAMAGE_SHIELD",
)
"""Events that deal damage. DAMAGE_SPLIT is excluded: it repeats damage logged elsewhere."""

MISS_EVENTS = (
    "SWING_MISSED",
    "RANGE_MISSED",
    "SPELL_MISSED",
    "SPELL_PERIODIC_MISSED",
    "DAMAGE_SHIELD_MISSED",
)
"""Events of attacks without effect; for type ABSORB, `amount` is what the shield absorbed."""

NO_HEALING = (115069, 31230, 31850, 86949, 114556, 209258)
"""Spells logged as absorbs that heal nobody. Stagger only delays damage; Cheat Death, Ardent
Defender, Cauterize, Purgatory and Last Resort prevent a killing blow of any size."""

SAVES = NO_HEALING[1:]
"""Those of them that take a blow which would have killed."""

HEAL_EVENTS = ("SPELL_HEAL", "SPELL_PERIODIC_HEAL")
"""Healing events: `amount - over`, plus `absorbed`, the part consumed by a heal-absorb debuff."""
