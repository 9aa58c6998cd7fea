"""The reference tables: each row has a source, and names are those that real logs show."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest
from benchmarks.raid.nights import tables as nights
from tests.shared import shared_data

from ruleplay.agents.raid.domain.reference import tables

SPELLS = re.compile(rb',(\d+),"([^"]+)",0x[0-9a-fA-F]+')
RENAMED = {22959: "Improved Scorch", 1038: "Hand of Salvation"}
"""Spells that the 3.3.5a and 1.15 clients call otherwise than the TBC client."""


def table(name: str, package: str = "reference") -> list[dict[str, str]]:
    """Return the rows of one table."""
    place = (
        "benchmarks.raid.nights" if package == "nights" else "ruleplay.agents.raid.domain.reference"
    )
    folder = files(place)
    return list(csv.DictReader(folder.joinpath(name).read_text("utf-8").splitlines()))


def used_by_nights() -> Iterator[tuple[str, int, str]]:
    """Yield each (kind, id, name) that the nights write; an empty name is one they never show."""
    for zone in nights.zones().values():
        yield from (("npc", number, name) for number, name, _ in zone.trash)
    for boss in nights.bosses().values():
        yield from (("npc", unit.npc, unit.name) for unit in boss.units)
        yield from (("spell", spell.id, spell.name) for spell in boss.spells)
        yield from (("npc", spell.npc, spell.unit) for spell in boss.spells if spell.npc)
        yield from (("spell", one.spell, one.cast) for one in boss.phases if one.spell)
    for spec in nights.specs().values():
        yield from (("spell", spell.id, spell.name) for spell in spec.spells)
        yield from (("spell", number, name) for number, name, *_ in spec.cooldowns)
        for pair in (spec.interrupt, spec.dispel, spec.pet and spec.pet.spell):
            if pair:
                yield "spell", pair[0], pair[1]
        if spec.pet:
            yield "npc", spec.pet.npc, ""
    gear = nights.preparation()
    yield from (("spell", number, name) for number, name in gear.potion.values())
    buffs = {*gear.food.values(), *gear.flask.values(), *gear.raid_buffs}
    yield from (("spell", number, "") for number in buffs)
    yield from (("enchant", number, "") for number in gear.oil.values())
    for kits in gear.enchants.values():
        yield from (("enchant", number, "") for number in kits.values())
    for gems in gear.gems.values():
        yield from (("gem", number, "") for number in gems)
    for items in (*gear.tier.values(), gear.rest.values()):
        yield from (("item", number, "") for number in items)


def test_everything_in_the_nights_has_a_source() -> None:
    known = {source.key for source in tables.sources()}
    listed = {(row["kind"], int(row["id"])): row for row in table("sources.csv", "nights")}
    used = list(used_by_nights())
    assert {(kind, number) for kind, number, _ in used} == set(listed)
    for kind, number, name in used:
        row = listed[kind, number]
        assert not name or row["name"] == name, row
        assert {part.split()[0] for part in row["source"].split(";")} <= known, row


def test_names_in_the_nights_are_those_of_the_tables_and_of_real_logs() -> None:
    known = logged(shared_data("raid"))
    named = {int(row["spell_id"]): row["name"] for _, row in rows() if row.get("spell_id", "")}
    named |= {28515: "Ironshield"}
    compared = 0
    for row in table("sources.csv", "nights"):
        number = int(row["id"])
        if row["kind"] != "spell":
            continue
        assert named.get(number, row["name"]) == row["name"], row
        if number in known:
            assert {row["name"], RENAMED.get(number, "")} & known[number], (row, known[number])
            compared += 1
    assert compared >= 20


def rows() -> Iterator[tuple[str, dict[str, str]]]:
    folder = files("ruleplay.agents.raid.domain.reference")
    for file in folder.iterdir():
        if file.name.endswith(".csv") and file.name != "sources.csv":
            for row in csv.DictReader(file.read_text("utf-8").splitlines()):
                yield file.name, row


def test_every_row_names_a_known_source() -> None:
    known = {source.key for source in tables.sources()}
    seen = 0
    for name, row in rows():
        keys = [part.split()[0] for part in row["source"].split(";")]
        assert keys, (name, row)
        assert set(keys) <= known, (name, row)
        seen += 1
    assert seen > 500


def test_keys_are_unique() -> None:
    for name, keys in (
        ("bosses.csv", ("encounter_id",)),
        ("encounters.csv", ("encounter_id",)),
        ("boss_names.csv", ("name",)),
        ("battlegrounds.csv", ("instance",)),
        ("specializations.csv", ("spec_id",)),
        ("revivals.csv", ("spell_id",)),
        ("pet_spells.csv", ("name",)),
        ("creatures.csv", ("npc_id",)),
        ("boss_spells.csv", ("encounter_id", "spell_id")),
        ("phases.csv", ("encounter_id", "phase")),
        ("cooldowns.csv", ("spell_id",)),
        ("consumables.csv", ("spell_id",)),
        ("bloodlust.csv", ("spell_id",)),
        ("dots.csv", ("spell_id",)),
        ("interrupts.csv", ("spell_id",)),
        ("raid_auras.csv", ("spell_id",)),
        ("enchants.csv", ("enchant_id",)),
        ("weapon_enchants.csv", ("enchant_id",)),
        ("gems.csv", ("item_id",)),
        ("sockets.csv", ("item_id",)),
        ("specs.csv", ("class", "tree")),
        ("sources.csv", ("key",)),
    ):
        ids = [tuple(row[key] for key in keys) for row in table(name)]
        assert ids, name
        assert len(ids) == len(set(ids)), name


def test_all_raids_of_the_expansion_are_there_and_wraths_first() -> None:
    zones: dict[str, int] = defaultdict(int)
    for boss in tables.bosses().values():
        zones[boss.zone] += 1
    assert zones == {
        "Karazhan": 11,
        "Gruul's Lair": 2,
        "Magtheridon's Lair": 1,
        "Serpentshrine Cavern": 6,
        "Tempest Keep": 4,
        "Hyjal Summit": 5,
        "Black Temple": 9,
        "Zul'Aman": 6,
        "Sunwell Plateau": 6,
        "Naxxramas": 15,
        "The Obsidian Sanctum": 1,
        "The Eye of Eternity": 1,
        "Vault of Archavon": 4,
        "Ulduar": 14,
        "Trial of the Crusader": 5,
        "Icecrown Citadel": 11,
        "The Ruby Sanctum": 1,
    }


def test_rows_refer_to_known_encounters_and_creatures() -> None:
    known = set(tables.bosses())
    creatures = tables.creatures()
    assert {one.encounter_id for one in creatures.values()} <= known
    assert {one.encounter_id for one in tables.boss_spells()} <= known
    for boss in tables.bosses().values():
        listed = [npc for npc in boss.npcs if npc != 17548 and "client-tables" not in boss.source]
        assert all(creatures[npc].role == "boss" for npc in listed), boss
        assert set(boss.kill) <= set(boss.npcs), boss
    for phase in tables.phases():
        assert phase.encounter_id in known
        assert phase.npc_id is None or phase.npc_id in creatures, phase


@pytest.mark.parametrize("phase", tables.phases(), ids=lambda p: f"{p.encounter_id}-{p.phase}")
def test_a_phase_has_what_its_trigger_needs(phase: tables.Phase) -> None:
    needs = {
        "pull": (),
        "seen": ("npc_id",),
        "acts": ("npc_id",),
        "hp": ("npc_id", "value"),
        "cast": ("spell_id",),
        "aura": ("spell_id",),
        "deaths": ("npc_id", "value"),
    }
    assert all(getattr(phase, name) is not None for name in needs[phase.trigger])
    if phase.trigger == "hp":
        assert 0 < (phase.value or 0) < 1


def test_dispellable_spells_name_their_kind() -> None:
    for spell in tables.boss_spells():
        if spell.kind == "dispellable":
            assert spell.detail in {"magic", "curse", "poison", "disease"}, spell
        if spell.kind == "avoidable":
            assert spell.detail, spell


@cache
def logged(folder: Path) -> dict[int, frozenset[str]]:
    """Return the names under which real logs show each spell."""
    names: dict[int, set[str]] = defaultdict(set)
    for file in sorted(folder.glob("*.txt")):
        for number, name in set(SPELLS.findall(file.read_bytes())):
            names[int(number)].add(name.decode())
    return {number: frozenset(found) for number, found in names.items()}


def test_spell_names_are_those_of_real_logs() -> None:
    known = logged(shared_data("raid"))
    compared = 0
    for name, row in rows():
        number = int(row.get("spell_id") or 0)
        if "name" not in row or name == "phases.csv" or number not in known:
            continue
        allowed = {row["name"], RENAMED.get(number, row["name"])}
        assert allowed & known[number], (name, row, known[number])
        compared += 1
    assert compared >= 45


def test_25218_is_power_word_shield() -> None:
    """The id that an earlier tool took for Vampiric Touch."""
    assert tables.raid_auras()[25218].name == "Power Word: Shield"
    assert tables.dots()[34917].name == "Vampiric Touch"
    assert 25218 not in tables.dots()
