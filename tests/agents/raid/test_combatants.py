"""COMBATANT_INFO of every client: read as published, and no number in it ends an import."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agents.raid import logs
from tests.agents.raid.test_import_logs import opened, take_in
from tests.samples import sample, some
from tests.shared import shared_data

from ruleplay.agents.raid.adapters.report_tables import auras_of, combatants_of, gear_of
from ruleplay.agents.raid.domain.combatants import read_combatant
from ruleplay.agents.raid.domain.encounters import Encounters
from ruleplay.agents.raid.domain.lines import BadLine, split_fields

WITH_COMBATANTS = (
    "era_1.15.1_raid.txt",
    "retail_7.3_legion_encounters_only.txt",
    "retail_9.0.2_torghast.txt",
    "retail_12.0_arena_round.txt",
    "retail_12.0_raid_dimensius_two_short_wipes.txt",
    "retail_12.0_raid_fractillus_kill.txt",
)
HEADERS = "COMBATANT_INFO|ENCOUNTER_|CHALLENGE_MODE_|ARENA_MATCH_|ZONE_CHANGE|MAP_CHANGE|COMBAT_LOG"
SIZES = (4, 8, 16, 31, 32, 60, 63, 64, 128)
NUMBER = re.compile(r"(?<![-\w.\"])-?\d+(?![-\w.\"])")
"""A number of its own: no part of a GUID, a time or a name."""
BROKEN = st.sampled_from(
    [
        *(str(sign * 2**size + step) for size in SIZES for sign in (1, -1) for step in (-1, 0)),
        *("3875", "65535.5", "1e9", "0x1F", "-0", "007", "", "nil", "٣", "²", "+1", "9" * 400),
    ]
)


def worn(slots: int, *, enchanted: str = "(2523,0,0)", gems: str = "(32409,115)") -> str:
    """Return a list of gear as every client writes it."""
    return "[" + ",".join(f"({28963 + n},115,{enchanted},(),{gems})" for n in range(slots)) + "]"


def published(guid: str, ratings: int, talents: str, slots: int, auras: str, tail: str) -> str:
    """Return a line of a Classic client: faction, five attributes, ratings, armor, spec, lists."""
    numbers = ",".join(("1", "144", "217", "221", "35", "48", *("0",) * ratings, "1489", "0"))
    return f"COMBATANT_INFO,{guid},{numbers},{talents},{worn(slots)},[{auras}],{tail}"


GUID = "Player-4395-01A2B3C4"
PAIRS, TRIPLES = f"{GUID},25898,{GUID},27127", f"{GUID},115921,1,{GUID},19506,2"
PUBLISHED = {
    "2.5": published(GUID, 15, "(40,0,21),()", 19, PAIRS, "0,0,()"),
    "3.4": published(GUID, 15, "(57,14,0),()", 19, PAIRS, "0,0,(54292,55439)"),
    "4.4": published(GUID, 16, "(3,7,31),()", 19, PAIRS, "0,0,(54292,55439)"),
    "5.5": published(GUID, 17, "(,2,2,0,1,2,1,-1),()", 18, TRIPLES, "0,0,(54292,55439)"),
}
NEXT = published("Player-4395-0A0B0C0D", 15, "(40,0,21),()", 19, PAIRS, "0,0,()")


@pytest.mark.parametrize("version", PUBLISHED)
def test_a_line_as_published_has_its_numbers_gear_and_auras(version: str) -> None:
    found = read_combatant(split_fields(PUBLISHED[version].encode())[1:])
    assert (found.faction, found.attributes) == (1, (144, 217, 221, 35, 48))
    assert (found.armor, found.spec_id) == (1489, 0)
    assert found.trees is (version != "5.5")
    assert sum(found.talents) == (8 if version == "5.5" else sum(found.talents[:3]))
    slots = [item.slot for item in found.gear]
    assert (len(slots), slots[0], slots[-1]) == (18 if version == "5.5" else 19, "head", "tabard")
    assert ("ranged" in slots) is (version != "5.5")
    assert {(item.enchants, item.gems) for item in found.gear} == {((2523, None, None), (32409,))}
    assert [caster for caster, _ in found.auras] == [GUID, GUID]


@cache
def headers(name: str) -> tuple[str, ...]:
    """Return the bodies of a real log's lines that hold bare numbers."""
    text = (shared_data("raid") / name).read_text("utf-8", "replace")
    return tuple(re.findall(rf"  ((?:{HEADERS}).*)$", text, re.MULTILINE))


def damaged(body: str, value: str, rng: random.Random) -> str:
    """Put a value in the place of one number of a line."""
    places = list(NUMBER.finditer(body))
    at = rng.choice(places) if places else re.search("$", body)
    assert at is not None
    return body[: at.start()] + value + body[at.end() :]


def outlived(body: str, value: str) -> None:
    """Import a damaged line in a pull, before a whole one of another player."""
    pull = 'ENCOUNTER_START,649,"Gruul the Dragonkiller",4,25,565'
    lines = [pull, body, NEXT, logs.strike(16), pull.replace("START", "END") + ",1,90000"]
    with TemporaryDirectory() as folder:
        report = take_in(Path(folder), logs.stamped(lines))
        stored = opened(Path(folder), report)
        whole = "SELECT stamina, armor, talents FROM combatants WHERE line = 3"
        worn = "SELECT count(*), sum(item_level)::INT FROM gear WHERE line = 3"
        seen = [stored.query(asked)[1] for asked in (whole, worn)]
        stored.query("SELECT * FROM combatants, gear, pull_auras, encounters, runs")
        stored.close()
    assert report.events + report.unparsed == report.lines, value
    assert {line.line for line in report.unparsed_lines} <= {2}, value
    assert all(line.reason for line in report.unparsed_lines)
    if body.startswith("COMBATANT_INFO"):
        assert seen == [[(221, 1489, [40, 0, 21])], [(19, 19 * 115)]], value


@pytest.mark.parametrize("name", WITH_COMBATANTS)
@given(value=BROKEN, seed=st.integers(0, 1 << 30))
@settings(max_examples=sample(5, 12))
def test_no_number_in_a_real_line_ends_an_import(name: str, value: str, seed: int) -> None:
    rng = random.Random(seed)
    outlived(damaged(rng.choice(headers(name)), value, rng), value)


@pytest.mark.parametrize("version", PUBLISHED)
@given(value=BROKEN, seed=st.integers(0, 1 << 30))
@settings(max_examples=sample(5, 12))
def test_no_number_in_a_published_line_ends_an_import(version: str, value: str, seed: int) -> None:
    outlived(damaged(PUBLISHED[version], value, random.Random(seed)), value)


def kept(line: str) -> bool:
    """Read a line and put it into the tables; return whether it could be read."""
    try:
        combatant = read_combatant(split_fields(line.encode())[1:])
    except BadLine:
        return False
    roster = SimpleNamespace(actor_of=lambda guid: 1)
    present = [SimpleNamespace(fight=1, line=1, actor=1, combatant=combatant)]
    digest = SimpleNamespace(present=present, reader=SimpleNamespace(roster=roster))
    for table in (combatants_of, gear_of, auras_of):
        table(digest)  # type: ignore[arg-type]  # what a table needs of it
    return True


@pytest.mark.parametrize("name", some([*PUBLISHED, *WITH_COMBATANTS], 4))
def test_every_number_of_a_line_may_be_of_any_size(name: str) -> None:
    real = () if name in PUBLISHED else headers(name)
    body = PUBLISHED.get(name) or next(one for one in real if one.startswith("COMBATANT_INFO"))
    assert kept(body)
    for place in NUMBER.finditer(body):
        for size in (8, 16, 32, 60, 64):
            kept(body[: place.start()] + str(2**size) + body[place.end() :])


def run_lines(*lines: bytes) -> Encounters:
    """Return what begins and ends in some lines, a second apart each."""
    told = Encounters()
    for at, line in enumerate(lines, 1):
        event, *fields = line.split(b",")
        told.take(event.decode(), at, at * 100_000, fields)
    return told


def test_a_run_of_which_the_log_has_the_end_alone_begins_when_its_time_began() -> None:
    told = run_lines(
        b'ENCOUNTER_START,1792,"Naraxas",8,5,1458',
        b'ENCOUNTER_END,1792,"Naraxas",8,5,1',
        b'ENCOUNTER_START,1793,"Dargrul the Underking",8,5,1458',
        b'ENCOUNTER_END,1793,"Dargrul the Underking",8,5,1',
        b"CHALLENGE_MODE_END,1458,1,14,250000",
    )
    (run,) = told.runs
    assert (run.name, run.level, run.completed) == ("Neltharion's Lair", 14, True)
    assert (run.start_ms, run.end_ms, run.timer_ms) == (250_000, 500_000, 250_000)
    assert [pull.run for pull in told.pulls] == [None, 1]


def test_an_end_before_each_start_is_no_run() -> None:
    pull = (b'ENCOUNTER_START,1792,"Naraxas",8,5,1458', b'ENCOUNTER_END,1792,"Naraxas",8,5,1')
    assert run_lines(*pull, b"CHALLENGE_MODE_END,1458,0,0,0").runs == []
    assert run_lines(b"CHALLENGE_MODE_END,1458,1,14,250000").runs == []
