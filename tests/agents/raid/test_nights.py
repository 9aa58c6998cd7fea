"""The synthetic nights: grammatical, the same for the same seed, and true about themselves."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks import raid_totals
from benchmarks.raid.nights.night import generate_night
from benchmarks.raid.nights.plan import FULL_NIGHT, PullPlan
from benchmarks.raid.nights.tables import AVOIDABLE, bosses, specs
from benchmarks.raid.nights.truth import GroundTruth, Totals

SHORT = replace(FULL_NIGHT, health=0.12)
STAMP = re.compile(r"\d+/\d+/\d{4} \d\d:\d\d:\d\d\.\d{3}[+-]\d+$")
WIDTHS = {
    "SWING_DAMAGE": 8 + 18 + 10,
    "SWING_DAMAGE_LANDED": 8 + 18 + 10,
    "SPELL_DAMAGE": 8 + 3 + 18 + 11,
    "SPELL_PERIODIC_DAMAGE": 8 + 3 + 18 + 11,
    "RANGE_DAMAGE": 8 + 3 + 18 + 11,
    "DAMAGE_SHIELD": 8 + 3 + 18 + 10,
    "SPELL_HEAL": 8 + 3 + 18 + 5,
    "SPELL_PERIODIC_HEAL": 8 + 3 + 18 + 5,
    "SPELL_CAST_SUCCESS": 8 + 3 + 18,
    "SPELL_ENERGIZE": 8 + 3 + 18 + 4,
    "SPELL_CAST_START": 8 + 3,
    "SPELL_INTERRUPT": 8 + 3 + 3,
    "SPELL_DISPEL": 8 + 3 + 4,
    "SPELL_SUMMON": 8 + 3,
    "UNIT_DIED": 8 + 1,
    "PARTY_KILL": 8 + 1,
}
"""How many fields stand behind each event in the dialect of 2.5.6."""


@pytest.fixture(scope="module")
def night() -> tuple[list[str], GroundTruth]:
    lines, truth = generate_night(3, SHORT)
    return list(lines), truth


@pytest.fixture(scope="module")
def log(night: tuple[list[str], GroundTruth], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("night") / "WoWCombatLog.txt"
    path.write_text("".join(night[0]), encoding="utf-8")
    return path


def test_lines_have_the_widths_of_the_dialect(night: tuple[list[str], GroundTruth]) -> None:
    seen = Counter[str]()
    for line in night[0]:
        stamp, _, text = line.rstrip("\n").partition("  ")
        assert STAMP.match(stamp), line
        event, *parts = raid_totals.fields(text)
        seen[event] += 1
        assert WIDTHS.get(event, len(parts)) == len(parts), line
    assert WIDTHS.keys() - seen.keys() == set()
    assert seen["COMBATANT_INFO"] == 25 * len(SHORT.pulls)
    assert seen["SWING_DAMAGE"] == seen["SWING_DAMAGE_LANDED"]


def test_times_never_go_back(log: Path) -> None:
    times = [ms for _, ms, _, _ in raid_totals.rows(log)]
    assert times == sorted(times)


def test_truth_equals_an_independent_computation(
    night: tuple[list[str], GroundTruth], log: Path
) -> None:
    truth, found = night[1], raid_totals.sum_up(list(raid_totals.rows(log)))
    assert truth.totals
    for name, total in truth.totals.items():
        assert dict(found.players[name]) == nonzero(total), name
    for pull, told in zip(truth.pulls, found.pulls, strict=True):
        players = told["players"]
        assert isinstance(players, dict)
        assert {n: dict(p) for n, p in players.items()} == {
            n: nonzero(t) for n, t in pull.totals.items() if n in players
        }


def nonzero(total: Totals) -> dict[str, int]:
    names = {"taken": "damage_taken"} | {
        n: n for n in ("damage", "pet_damage", "overkill", "healing", "overheal", "deaths")
    }
    dealt = total.damage > 0
    healed = total.healing + total.overheal > 0
    found = {there: getattr(total, here) for here, there in names.items()}
    kept = {n for n, v in found.items() if v}
    kept |= {"overkill"} if dealt else set()
    kept |= {"healing", "overheal"} if healed else set()
    return {n: v for n, v in found.items() if n in kept}


def test_the_truth_points_at_its_lines(night: tuple[list[str], GroundTruth]) -> None:
    lines, truth = night
    for pull in truth.pulls:
        assert f"ENCOUNTER_START,{pull.encounter}," in lines[pull.start_line - 1]
        assert f"ENCOUNTER_END,{pull.encounter}," in lines[pull.end_line - 1]
        for death in pull.deaths:
            assert "UNIT_DIED" in lines[death.line - 1]
            assert death.player in lines[death.line - 1]
        for use in (*pull.bloodlust, *pull.cooldowns, *pull.potions):
            assert f'{use.spell_id},"{use.spell}"' in lines[use.line - 1]
    assert truth.lines == len(lines)


def test_pulls_end_as_planned(night: tuple[list[str], GroundTruth]) -> None:
    for pull, plan in zip(night[1].pulls, SHORT.pulls, strict=True):
        assert pull.kill is (plan.story == "kill")
        assert (pull.boss_hp == 0) is pull.kill
        if pull.kill:
            assert len(pull.deaths) <= plan.deaths
        else:
            assert len(pull.deaths) == 25


def test_a_night_has_what_raids_ask_about(night: tuple[list[str], GroundTruth]) -> None:
    truth = night[1]
    assert {len(truth.no_flask), len(truth.no_food), len(truth.no_oil)} == {SHORT.lacking}
    assert any(pull.dispels for pull in truth.pulls)
    assert any(cast.stopped_by for pull in truth.pulls for cast in pull.casts)
    assert any(not cast.stopped_by for pull in truth.pulls for cast in pull.casts)
    assert any(pull.avoidable for pull in truth.pulls)
    assert any(pull.potions for pull in truth.pulls)
    assert any(len(pull.phases) == 3 for pull in truth.pulls)
    assert any(total.pet_damage for total in truth.totals.values())
    assert any(total.absorbed for total in truth.totals.values())
    assert any(total.overkill for total in truth.totals.values())


def test_who_is_slow_acts_least(night: tuple[list[str], GroundTruth]) -> None:
    truth = night[1]
    dealers = [n for n, role in truth.roles.items() if role == "damage"]
    slowest = min(dealers, key=lambda name: truth.totals[name].active)
    assert slowest == truth.slow


def test_cooldowns_named_as_unused_are_never_used(night: tuple[list[str], GroundTruth]) -> None:
    truth = night[1]
    used = {(use.player, use.spell_id) for pull in truth.pulls for use in pull.cooldowns}
    assert used
    assert not {(player, spell) for player, spell, _ in truth.unused} & used


def test_the_same_seed_gives_the_same_bytes() -> None:
    plan = replace(SHORT, pulls=(PullPlan(650, "tank", at=0.5),))
    one, first = generate_night(11, plan)
    two, second = generate_night(11, plan)
    other, _ = generate_night(12, plan)
    assert list(one) == list(two) != list(other)
    assert first == second


@pytest.mark.parametrize("seed", range(4))
def test_no_kill_becomes_a_wipe_whatever_the_seed(seed: int) -> None:
    pulls = tuple(PullPlan(boss, "kill", trash=0) for boss in bosses())
    lines, truth = generate_night(seed, replace(SHORT, pulls=pulls))
    assert sum(1 for _ in lines) == truth.lines
    assert all(pull.kill for pull in truth.pulls)


def test_tables_hold_together() -> None:
    for boss in bosses().values():
        npcs = {unit.npc for unit in boss.units}
        assert {spell.by for spell in boss.spells} <= npcs
        assert sum(unit.boss for unit in boss.units) == 1
        assert any(spell.kind in AVOIDABLE for spell in boss.spells)
        assert "nova" not in boss.wipes or any(s.kind == "nova" for s in boss.spells)
    assert len({spec.role for spec in specs().values()}) == 3
