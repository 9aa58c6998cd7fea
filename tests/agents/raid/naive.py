"""A slow reading of combat logs that shares nothing with the product: one dict per line.

It fills the tables that the tools read, and is what their sums are recomputed from.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import duckdb
import polars as pl

from ruleplay.agents.raid.domain.columns import SLOTS, TABLES

SPELLED = ("SPELL", "RANGE", "DAMAGE_SHIELD", "DAMAGE_SPLIT")
POLARS: dict[str, Any] = {
    "u8": pl.UInt8,
    "u16": pl.UInt16,
    "u32": pl.UInt32,
    "u64": pl.UInt64,
    "i64": pl.Int64,
    "f32": pl.Float32,
    "bool": pl.Boolean,
    "str": pl.String,
    "list[u32]": pl.List(pl.UInt32),
}
Line = dict[str, Any]


def number(text: str) -> int:
    return 0 if text in ("nil", "") else int(text, 0)


def stamp(text: str) -> float:
    day, clock = text.split(" ")
    clock = clock.partition("+")[0]
    if clock.count("-"):
        clock = clock.partition("-")[0]
    parts = [int(p) for p in day.split("/")]
    month, date, year = (*parts, 2024)[:3]
    hours, minutes, seconds = clock.split(":")
    at = datetime(year, month, date, int(hours), int(minutes))  # noqa: DTZ001
    return at.timestamp() * 1000 + round(float(seconds) * 1000)


def read(text: str, wide: int) -> list[Line]:
    """Return the lines as dicts; `wide` is the width of the advanced block, 0 for 3.3.5a."""
    found: list[Line] = []
    first: float | None = None
    for place, raw in enumerate(text.splitlines(), 1):
        when, _, body = raw.partition("  ")
        ms = stamp(when)
        first = ms if first is None else first
        line: Line = {"line": place, "ms": int(ms - first), "raw": body}
        fields = next(csv.reader([body]))
        line["event"] = fields[0]
        if fields[0] not in HEADERS:
            _unit(line, fields, wide)
        line["fields"] = fields
        found.append(line)
    return found


HEADERS = {
    *("COMBAT_LOG_VERSION", "ZONE_CHANGE", "MAP_CHANGE", "ENCOUNTER_START", "ENCOUNTER_END"),
    "COMBATANT_INFO",
}


def _unit(line: Line, fields: list[str], wide: int) -> None:
    base = 8 if wide else 6
    step = base // 2
    line["source"], line["source_name"], line["source_flags"] = fields[1], fields[2], fields[3]
    line["target"], line["target_name"] = fields[1 + step], fields[2 + step]
    line["target_flags"] = fields[3 + step]
    rest = fields[1 + base :]
    event = fields[0]
    if event.startswith(SPELLED) and event != "SPELL_ABSORBED":
        line["spell_id"], line["spell"], line["school"] = number(rest[0]), rest[1], number(rest[2])
        rest = rest[3:]
    _suffix(line, event, rest, wide)


ADVANCED = ("_DAMAGE", "_HEAL", "_ENERGIZE", "_DRAIN", "_LEECH", "_CAST_SUCCESS", "_LANDED")


def _suffix(line: Line, event: str, rest: list[str], wide: int) -> None:
    if wide and (event.endswith(ADVANCED) or event in ("DAMAGE_SHIELD", "DAMAGE_SPLIT")):
        block, rest = rest[:wide], rest[wide:]
        power = block[wide - 9 : wide - 6]
        line |= {"info": block[0], "owner_guid": block[1]}
        line |= {"hp": number(block[2]), "hp_max": number(block[3])}
        line["power_type"], line["power"], line["power_max"] = (
            number(p.partition("|")[0]) for p in power
        )
    if event == "ENVIRONMENTAL_DAMAGE":
        line["spell"], rest = rest[0], rest[1:]
    if event.endswith(("_DAMAGE", "_LANDED")) or event in ("DAMAGE_SHIELD", "DAMAGE_SPLIT"):
        amounts = rest[:1] + rest[2 if wide else 1 :]
        line |= {"amount": number(amounts[0]), "over": max(number(amounts[1]), 0)}
        line |= {"absorbed": number(amounts[5]), "critical": amounts[6] == "1"}
    elif event.endswith("_HEAL"):
        amounts = rest[:1] + rest[2 if wide else 1 :]
        line |= {"amount": number(amounts[0]), "over": number(amounts[1])}
        line["critical"] = amounts[3] == "1"
    elif event.endswith("_ENERGIZE"):
        line["amount"] = int(float(rest[0]))
        line["over"] = int(float(rest[1])) if wide else 0
        line["power_type"] = number(rest[2 if wide else 1])
    elif "_AURA_" in event:
        if "BROKEN" in event:
            line["aura_type"] = rest[-1]
        else:
            line["aura_type"] = rest[0]
            line["stacks"] = number(rest[1]) if "_DOSE" in event else None
    elif event.endswith(("_INTERRUPT", "_DISPEL", "_STOLEN")):
        line["extra_spell_id"], line["extra_spell"] = number(rest[0]), rest[1]
        line["aura_type"] = rest[3] if len(rest) > 3 else None


@dataclass
class Night:
    """A log in the tables of a report."""

    lines_read: list[Line]
    code: str = "naive"
    started: str = "2026-11-12T20:00:00"
    start_clock_ms: int = 0
    ids: dict[str, int] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    flags: dict[str, int] = field(default_factory=dict)
    pulls: list[Line] = field(default_factory=list)
    classes: dict[str, tuple[str, str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._meet()
        self._pair()
        self.connection = duckdb.connect(":memory:")
        self._fill()

    @property
    def lines(self) -> int:
        return len(self.lines_read)

    @property
    def manifest(self) -> SimpleNamespace:
        told = {"file": "naive.txt", "zone": "", "started_at": self.started, "first_date": ""}
        return SimpleNamespace(**told, last_ms=self.lines_read[-1]["ms"])

    def cursor(self) -> duckdb.DuckDBPyConnection:
        return self.connection.cursor()

    def query(self, sql: str, given: dict[str, object]) -> tuple[list[str], list[tuple[Any, ...]]]:
        cursor = self.connection.cursor()
        cursor.execute(sql, given or None)
        return [column[0] for column in cursor.description or ()], cursor.fetchall()

    def _meet(self) -> None:
        for line in self.lines_read:
            for side in ("source", "target"):
                guid = line.get(side)
                if guid and guid.strip("0x"):
                    self.ids.setdefault(guid, len(self.ids) + 1)
                    self.names.setdefault(guid, line[f"{side}_name"])
                    flags = int(line[f"{side}_flags"], 16)
                    self.flags[guid] = self.flags.get(guid, 0) | flags
            if line["event"] == "SPELL_SUMMON":
                self.owners[line["target"]] = line["source"]
            owner = line.get("owner_guid")
            if owner and owner.strip("0") and line["info"] != owner:
                self.owners[line["info"]] = owner

    def is_player(self, guid: str | None) -> bool:
        return bool(guid) and bool(self.flags.get(guid or "", 0) & 0x400)

    def owner(self, guid: str | None) -> str | None:
        seen = 0
        while guid in self.owners and seen < 5:
            guid, seen = self.owners[guid], seen + 1
        return guid if seen and self.is_player(guid) else None

    def _pair(self) -> None:
        """Mark one of each swing and its landing within half a second: if unequal, the swing."""
        landings = []
        for line in self.lines_read:
            line["counts"] = True
            if line["event"] == "SWING_DAMAGE_LANDED":
                landings.append(line)
        for keys in (("source", "target", "amount"), ("source", "target")):
            open_: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
            for line in self.lines_read:
                if line["event"] == "SWING_DAMAGE" and not line.get("paired"):
                    open_.setdefault(tuple(line[key] for key in keys), []).append(line)
            for line in landings:
                swings = open_.get(tuple(line[key] for key in keys), [])
                near = [one for one in swings if abs(line["ms"] - one["ms"]) <= 500]
                if not line.get("paired") and near:
                    swings.remove(near[0])
                    near[0]["paired"] = line["paired"] = True
                    (line if "amount" in keys else near[0])["counts"] = False

    def _fill(self) -> None:
        self._find_pulls()
        rows: dict[str, list[dict[str, Any]]] = {table.name: [] for table in TABLES}
        for line in self.lines_read:
            rows["events"].append(self._event(line))
            if line["event"] == "COMBATANT_INFO":
                self._combatant(line, rows)
        rows["actors"] = [self._actor(guid) for guid in self.ids]
        rows["encounters"] = self.pulls
        for table in TABLES:
            schema = {c.name: POLARS[c.kind] for c in table.columns}
            told = {c.name: [row.get(c.name) for row in rows[table.name]] for c in table.columns}
            with TemporaryDirectory() as folder:
                path = f"{folder}/{table.name}.parquet"
                pl.DataFrame(told, schema=schema).write_parquet(path)
                self.connection.execute(
                    f"CREATE TABLE {table.name} AS SELECT * FROM read_parquet(?)", [path]
                )

    def _event(self, line: Line) -> dict[str, Any]:
        row = {**line, "offset": 0}
        for side in ("source", "target", "info"):
            row[side] = self.ids.get(line.get(side) or "")
            flags = line.get(f"{side}_flags")
            row[f"{side}_flags"] = int(flags, 16) if flags else None
        owner = self.owner(line.get("source"))
        row["owner"] = self.ids.get(owner) if owner else None
        row["fight"] = next(
            (p["fight"] for p in self.pulls if p["start_line"] <= line["line"] <= p["end_line"]),
            None,
        )
        row.setdefault("over", 0)
        return row

    def _actor(self, guid: str) -> dict[str, Any]:
        flags = self.flags[guid]
        kind = "player" if flags & 0x400 else "pet" if flags & 0x3000 else "npc"
        class_, spec, role = self.classes.get(guid, (None, None, None))
        npc = guid.split("-")
        return {
            "id": self.ids[guid],
            "guid": guid,
            "name": self.names[guid],
            "kind": kind,
            "npc_id": int(npc[5]) if len(npc) > 5 and npc[5].isdecimal() else None,
            "owner": self.ids.get(self.owner(guid) or ""),
            "class": class_,
            "spec": spec,
            "role": role,
            "friendly": bool(flags & 0x10),
        }

    def _find_pulls(self) -> None:
        for line in self.lines_read:
            fields = line["fields"]
            if line["event"] == "ENCOUNTER_START":
                self.pulls.append(self._pull(line, int(fields[1]), fields[2]))
            elif line["event"] == "ENCOUNTER_END" and self.pulls:
                kill = fields[5] == "1"
                self._end(line, kill=kill)

    def _pull(self, line: Line, encounter: int, name: str) -> dict[str, Any]:
        return {
            "fight": len(self.pulls) + 1,
            "encounter_id": encounter,
            "name": name,
            "start_line": line["line"],
            "end_line": self.lines,
            "start_ms": line["ms"],
            "end_ms": self.lines_read[-1]["ms"],
            "kill": False,
            "ended": "unfinished",
            "derived": False,
            "bosses": [],
            "players": 0,
        }

    def _end(self, line: Line, *, kill: bool) -> None:
        pull = self.pulls[-1]
        pull |= {"end_line": line["line"], "end_ms": line["ms"], "kill": kill}
        pull["ended"] = "kill" if kill else "wipe"
        part = self.lines_read[pull["start_line"] - 1 : pull["end_line"]]
        bosses = {
            self.ids[guid]
            for one in part
            for guid in (one.get("source"), one.get("target"))
            if guid in self.ids and self.names[guid] in pull["name"]
        }
        pull["bosses"] = sorted(bosses)
        pull["players"] = sum(one["event"] == "COMBATANT_INFO" for one in part)

    def _combatant(self, line: Line, rows: dict[str, list[dict[str, Any]]]) -> None:
        fight, guid = self.pulls[0], line["fields"][1]
        fight = next(p for p in self.pulls if p["start_line"] <= line["line"] <= p["end_line"])
        actor = self.ids.setdefault(guid, len(self.ids) + 1)
        self.names.setdefault(guid, guid)
        self.flags[guid] = self.flags.get(guid, 0) | 0x510
        row = {"fight": fight["fight"], "line": line["line"], "actor": actor}
        rows["combatants"].append({**row, "talents": []})
        gear = re.findall(r"\((\d+),(\d+),\(([^)]*)\),\(([^)]*)\),\(([^)]*)\)\)", line["raw"])
        for slot, (item, level, enchants, _, gems) in zip(SLOTS, gear, strict=False):
            enchant, temporary = [*(int(e) for e in enchants.split(",") if e), 0, 0][:2]
            rows["gear"].append(
                {
                    **row,
                    "slot": slot,
                    "item_id": int(item),
                    "item_level": int(level),
                    "enchant": enchant or None,
                    "temporary_enchant": temporary or None,
                    "gems": [int(g) for g in gems.split(",") if g][::2],
                }
            )
        auras = re.search(r"\)\],\[([^\]]*)\]", line["raw"])
        cells = auras.group(1).split(",") if auras and auras.group(1) else []
        for caster, spell in zip(cells[::2], cells[1::2], strict=True):
            told = {**row, "caster": self.ids.get(caster), "spell_id": int(spell)}
            rows["pull_auras"].append(told)


@dataclass
class Shelf:
    """Reports as the tools open them, the newest first."""

    nights: list[Night]
    home: Path

    def codes(self) -> tuple[str, ...]:
        return tuple(night.code for night in self.nights)

    def open(self, code: str) -> Night:
        return next(night for night in self.nights if night.code == code)
