"""Every client's lines: widths, names with commas, combatants, matches, runs, false deaths."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.raid.mutations import import_damaged
from benchmarks.raid.truth import compare
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agents.raid import logs
from tests.agents.raid.test_import_logs import one, opened, take_in
from tests.samples import sample, some
from tests.shared import shared_data

from ruleplay.agents.raid.adapters.reports import open_reports
from ruleplay.agents.raid.tools.registry import run_tool

MOB = 'Creature-0-1-544-1-99-0000000009,"Mob",0xa48,0x0'
BLOCK = logs.advanced(19, "Creature-0-1-544-1-99-0000000009", 5, 10)
HIT = "100,110,20,1,0,0,30,nil,nil,nil"


ADOPTED = {"naxxramas_3.3.5a_part.txt": {"Shaaghun": "Nule"}}
"""Pets that no line gives an owner; the sums hold them, and the count names the one concluded."""


@pytest.mark.parametrize("name", some(logs.REAL, 5))
def test_the_tools_equal_a_second_count_of_every_log(name: str) -> None:
    folder, told = logs.imported(name)
    reports = open_reports(folder / "home")
    found = compare(shared_data("raid") / name, reports, told.report, most=sample(4, 1_000))
    reports.close()
    assert not found.differences
    assert found.equal > 100 or name.startswith("retail_9")
    assert ADOPTED.get(name, {}).items() <= found.adopted.items()


def test_a_channel_that_is_cut_short_was_not_missed() -> None:
    """Logs tell the success of a channelled spell when it begins, and its interrupt afterwards."""
    reports = open_reports(logs.imported("era_1.15.1_raid.txt")[0] / "home")
    found = [
        row
        for pull in run_tool(reports, "list_pulls", {}).rows
        for row in run_tool(reports, "get_missed_interrupts", {"fight_id": str(pull["fight"])}).rows
        if row.get("spell_id") == 438732 and "casts" in row
    ]
    reports.close()
    counted = [(row["casts"], row["interrupted"], row["missed"]) for row in found]
    assert [sum(column) for column in zip(*counted, strict=True)] == [3, 3, 0]


@pytest.mark.parametrize("name", logs.REAL)
@given(seed=st.integers(0, 1 << 30))
@settings(max_examples=sample(1, 3), deadline=None, derandomize=True)
def test_damaged_lines_never_abort_an_import(name: str, seed: int) -> None:
    lines = (shared_data("raid") / name).read_bytes().splitlines()
    import_damaged(lines, sample(40, 100), seed)


def test_a_name_may_hold_a_comma_in_units_and_spells(tmp_path: Path) -> None:
    summon = f'SPELL_SUMMON,{logs.HERO},{MOB},123904,"Invoke Xuen, the White Tiger",0x8'
    boss = 'Creature-0-1-544-1-98-0000000008,"Dimensius, the All-Devouring",0xa48,0x0'
    cast = f'SPELL_CAST_START,{boss},{logs.NULL},5,"Void",0x20'
    report = take_in(tmp_path, logs.stamped([summon, cast]))
    assert report.unparsed == 0
    stored = opened(tmp_path, report)
    assert one(stored, "SELECT spell FROM events WHERE line = 1") == (
        "Invoke Xuen, the White Tiger",
    )
    assert one(stored, "SELECT name FROM actors WHERE npc_id = 98") == (
        "Dimensius, the All-Devouring",
    )


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (
            f'SPELL_DAMAGE_SUPPORT,{logs.HERO},{MOB},1,"A",0x4,{BLOCK},{HIT},Player-1-00000002',
            (100, 20, None),
        ),
        (
            f'SWING_DAMAGE_LANDED_SUPPORT,{logs.HERO},{MOB},1,"A",0x4,{BLOCK},{HIT},Player-1-00000002',
            (100, 20, None),
        ),
        (f"SWING_DAMAGE,{logs.HERO},{MOB},{BLOCK},{HIT},1", (100, 20, None)),
        (
            f'SPELL_HEAL_ABSORBED,{MOB},{logs.HERO},7,"Wound",0x20,{logs.PRIEST},8,"Heal",0x2,23,288',
            (23, None, "Heal"),
        ),
        (f'SPELL_EMPOWER_END,{logs.HERO},{logs.NULL},9,"Breath",0x4,3', (None, None, None)),
        (f'SPELL_INSTAKILL,{MOB},{logs.HERO},9,"Doom",0x4,0', (None, None, None)),
        ('EMOTE,Creature-0-1-1-1-1-0000000001,"Key",00,nil,He said "no, never', (None, None, None)),
        ("STAGGER_PREVENTED,Player-1-00000001,115069,500", (None, None, None)),
        ('MAP_FLOOR_START,1,2,"The Soulforges"', (None, None, None)),
        (f'SPELL_AURA_APPLIED,{logs.HERO},{logs.HERO},9,"Ward",0x4,BUFF,50,0', (50, None, None)),
    ],
)
def test_lines_of_newer_clients_are_read(
    tmp_path: Path, body: str, told: tuple[int | None, int | None, str | None]
) -> None:
    report = take_in(tmp_path, logs.stamped([body, logs.strike(16)]))
    assert [line.reason for line in report.unparsed_lines] == []
    stored = opened(tmp_path, report)
    assert one(stored, "SELECT amount, over, extra_spell FROM events WHERE line = 1") == told


def test_combatants_of_each_client_have_spec_gear_and_auras() -> None:
    for name, spec, slots, auras in (
        ("retail_7.3_legion_encounters_only.txt", 265, 18, True),
        ("retail_12.0_raid_fractillus_kill.txt", 251, 18, True),
        ("era_1.15.1_raid.txt", 0, 19, True),
    ):
        stored = opened(*logs.imported(name))
        first = "(SELECT min(line) FROM combatants)"
        found = one(
            stored, f"SELECT spec_id, armor > 0, stamina FROM combatants WHERE line = {first}"
        )
        assert found[:2] == (spec, True)
        assert one(stored, f"SELECT count(*) FROM gear WHERE line = {first}") == (slots,)
        assert (one(stored, "SELECT count(*) FROM pull_auras")[0] != 0) is auras
    fractillus = "SELECT class, spec, role FROM actors WHERE name LIKE 'Кастиэлка%'"
    stored = opened(*logs.imported("retail_12.0_raid_fractillus_kill.txt"))
    assert one(stored, fractillus) == ("Druid", "Restoration", "healer")


def test_matches_and_runs_can_be_asked_about() -> None:
    _, arena = logs.imported("wrath_3.4.3_arena_feign_death.txt")
    assert [(p.name, p.ended) for p in arena.encounters] == [("Nagrand Arena", "won")]
    _, shuffle = logs.imported("retail_12.0_arena_round.txt")
    assert [(p.name, p.ended) for p in shuffle.encounters] == [
        ("Nagrand Arena Rated Solo Shuffle", "won")
    ]
    _, field = logs.imported("wrath_3.4.0_battleground.txt")
    assert [p.name for p in field.encounters] == ["Warsong Gulch"]
    assert len(logs.imported("tbc_2.5.1_arenas.txt")[1].encounters) == 5
    legion = opened(*logs.imported("retail_7.3_legion_encounters_only.txt"))
    runs = legion.query("SELECT name, level, completed, timer_ms FROM runs ORDER BY run")[1]
    assert runs[0] == ("Black Rook Hold", 10, True, 1549983)
    inside = "SELECT count(*) FROM encounters WHERE run = 1"
    assert one(legion, inside) == (4,)


def test_a_pull_in_which_few_died_is_a_reset() -> None:
    _, found = logs.imported("retail_12.0_raid_dimensius_two_short_wipes.txt")
    assert [pull.ended for pull in found.encounters] == ["reset", "reset"]


def test_who_feigns_death_did_not_die() -> None:
    naxxramas = opened(*logs.imported("naxxramas_3.3.5a_part.txt"))
    died = (
        "SELECT a.name, count(*) FILTER (e.counts), count(*) FROM events e JOIN actors a ON"
        " a.id = e.target WHERE e.event = 'UNIT_DIED' AND a.kind = 'player' GROUP BY 1 ORDER BY 1"
    )
    assert naxxramas.query(died)[1] == [("Lutoscs", 0, 4), ("Redzepi", 1, 1)]
    arena = opened(*logs.imported("wrath_3.4.3_arena_feign_death.txt"))
    assert arena.query(died)[1] == [("Homerjayxx-Venoxis", 1, 4)]
    field = opened(*logs.imported("wrath_3.4.0_battleground.txt"))
    assert one(field, f"SELECT sum(#2)::INT, sum(#3)::INT FROM ({died})") == (18, 18)


def spirit(*bodies: str) -> str:
    return logs.stamped([*bodies, logs.strike(16)], step=2000)


PRIEST_DIED = f"UNIT_DIED,{logs.NULL},{logs.PRIEST}"
PRIEST_HEALS = f'SPELL_CAST_SUCCESS,{logs.PRIEST},{logs.HERO},2061,"Flash Heal",0x2,'
PRIEST_HEALS += logs.advanced(16, "Player-1-00000002")
SPIRIT = f'SPELL_AURA_APPLIED,{logs.PRIEST},{logs.PRIEST},27827,"Spirit of Redemption",0x2,BUFF'
REVIVED = f'SPELL_RESURRECT,{logs.HERO},{logs.PRIEST},20484,"Rebirth",0x8'


@pytest.mark.parametrize(
    ("bodies", "deaths"),
    [
        ((PRIEST_DIED, PRIEST_HEALS), 0),
        ((PRIEST_DIED, REVIVED, PRIEST_HEALS), 1),
        ((SPIRIT, PRIEST_DIED, PRIEST_HEALS), 1),
        ((SPIRIT, PRIEST_DIED, PRIEST_HEALS, PRIEST_DIED), 1),
        ((PRIEST_DIED,), 1),
    ],
)
def test_deaths_are_told_from_what_follows(
    tmp_path: Path, bodies: tuple[str, ...], deaths: int
) -> None:
    stored = opened(tmp_path, take_in(tmp_path, spirit(*bodies)))
    counted = "SELECT count(*) FROM events WHERE event = 'UNIT_DIED' AND counts"
    assert one(stored, counted) == (deaths,)


def test_what_a_boss_summons_is_nobodys_pet(tmp_path: Path) -> None:
    stored = opened(*logs.imported("naxxramas_3.3.5a_part.txt"))
    hostile = (
        "SELECT count(*) FROM events e JOIN actors a ON a.id = e.source"
        " WHERE e.owner IS NOT NULL AND a.kind <> 'player' AND e.source_flags & 64 > 0"
    )
    assert one(stored, hostile) == (0,)
    cloud = 'Creature-0-1-533-1-16363-0000000007,"Grobbulus Cloud",0xa48,0x0'
    summon = f'SPELL_SUMMON,{logs.HERO},{cloud},28240,"Poison Cloud",0x8'
    block = logs.advanced(16, "Player-1-00000002")
    harm = f'SPELL_DAMAGE,{cloud},{logs.PRIEST},28241,"Poison",0x8,{block},{HIT}'
    again = opened(tmp_path, take_in(tmp_path, logs.stamped([summon, harm])))
    assert one(again, "SELECT owner FROM events WHERE line = 2") == (None,)
