"""The tools on a generated night, against what really happened in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from benchmarks.raid.nights.night import generate_night
from benchmarks.raid.nights.plan import NightPlan, PullPlan
from benchmarks.raid.nights.truth import GroundTruth, PullTruth

from ruleplay.agents.raid.adapters.log_import import import_logs
from ruleplay.agents.raid.adapters.reports import Reports, open_reports
from ruleplay.agents.raid.domain.tool_result import Row, ToolOutcome
from ruleplay.agents.raid.tools.registry import run_tool

PLAN = NightPlan(
    pulls=(
        PullPlan(649, "missed", at=0.55, trash=1, bloodlust=None),
        PullPlan(650, "tank", at=0.5, trash=1, bloodlust=25.0),
        PullPlan(650, "avoidable", at=0.5, trash=0, bloodlust=20.0),
        PullPlan(651, "kill", trash=1),
        PullPlan(731, "kill", trash=0),
    ),
    health=0.4,
)
DAMAGE = {
    *("SWING_DAMAGE", "SPELL_DAMAGE", "SPELL_PERIODIC_DAMAGE", "RANGE_DAMAGE", "DAMAGE_SHIELD"),
}
PULLS = range(1, len(PLAN.pulls) + 1)


@dataclass(frozen=True)
class World:
    reports: Reports
    truth: GroundTruth
    lines: list[str]

    def rows(self, tool: str, **given: object) -> list[Any]:
        return [*self.ask(tool, **given).rows]

    def ask(self, tool: str, **given: object) -> ToolOutcome:
        outcome = run_tool(self.reports, tool, given)
        assert not outcome.problem
        return outcome

    def pull(self, fight: int) -> PullTruth:
        return self.truth.pulls[fight - 1]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    home = tmp_path_factory.mktemp("home")
    lines, truth = generate_night(7, PLAN)
    log = home / "WoWCombatLog.txt"
    text = "".join(lines)
    log.write_text(text, "utf-8", newline="")
    assert import_logs([log], home).unparsed == 0
    reports = open_reports(home)
    yield World(reports, truth, text.splitlines())
    reports.close()


def near(one: float | None, other: float | None, within: float = 0.06) -> bool:
    return one == other if one is None or other is None else abs(one - other) <= within


@pytest.mark.parametrize("fight", PULLS)
def test_fight_details(world: World, fight: int) -> None:
    rows, totals = world.rows("get_fight_details", fight_id=fight), world.pull(fight).totals
    assert len(rows) == 25
    for row in rows:
        assert list(row) == [
            *("player", "class", "spec", "role", "damage", "pet_damage", "overkill"),
            *("friendly_fire", "healing", "absorbs", "heal_absorbed", "pet_healing", "overheal"),
            *("damage_taken", "deaths", "killing_blows", "interrupts", "dispels"),
            *("active_seconds", "casts", "total_damage", "total_healing", "dps", "hps"),
        ]
        true = totals[row["player"]]
        assert row["damage"] + row["overkill"] + row["friendly_fire"] == true.damage
        # The night's truth has the overkill of pets in it, which the tools leave out.
        assert 0 <= true.pet_damage - row["pet_damage"] <= 0.02 * true.pet_damage
        assert row["overkill"] == true.overkill
        assert row["healing"] - row["absorbs"] == true.healing
        assert row["overheal"] == true.overheal
        assert (row["damage_taken"], row["deaths"]) == (true.taken, true.deaths)
        assert near(row["active_seconds"], true.active, 0.11)
        assert (row["class"], row["spec"]) == world.truth.classes[row["player"]]
        assert row["role"] == world.truth.roles[row["player"]]


@pytest.mark.parametrize("fight", PULLS)
def test_deaths(world: World, fight: int) -> None:
    rows, deaths = world.rows("get_death_analysis", fight_id=fight), world.pull(fight).deaths
    assert [row["line"] for row in rows] == [death.line for death in deaths]
    for row, true in zip(rows, deaths, strict=True):
        assert (row["player"], row["killer"]) == (true.player, true.killer)
        assert (row["ability"], row["amount"]) == (true.spell, true.amount)
        assert (row["overkill"], row["damage_taken"]) == (true.overkill, true.burst)
        assert near(row["at"], true.seconds)
        assert near(row["heal_gap_seconds"], true.since_heal)
        assert "UNIT_DIED" in world.lines[row["line"] - 1]


@pytest.mark.parametrize("fight", PULLS)
def test_avoidable_damage(world: World, fight: int) -> None:
    found: dict[str, dict[str, int]] = {}
    sums: dict[str, int] = {}
    for row in world.rows("get_avoidable_damage", fight_id=fight):
        if row["ability"] == "(all)":
            sums[row["player"]] = row["damage_taken"]
        else:
            by_spell = found.setdefault(row["player"], {})
            by_spell[row["ability"]] = by_spell.get(row["ability"], 0) + row["damage_taken"]
    assert found == world.pull(fight).avoidable
    assert sums == {name: sum(of.values()) for name, of in found.items()}


@pytest.mark.parametrize("fight", PULLS)
def test_missed_interrupts(world: World, fight: int) -> None:
    missed: dict[str, int] = {}
    for cast in world.pull(fight).casts:
        missed[cast.spell] = missed.get(cast.spell, 0) + (not cast.stopped_by)
    rows = world.rows("get_missed_interrupts", fight_id=fight)
    found = {row["ability"]: row["missed"] for row in rows if "missed" in row}
    assert {k: v for k, v in found.items() if v} == {k: v for k, v in missed.items() if v}
    made: dict[str, int] = {}
    for row in rows:
        if "interrupts" in row:
            made[row["player"]] = made.get(row["player"], 0) + row["interrupts"]
    totals = world.pull(fight).totals
    assert made == {n: t.interrupts for n, t in totals.items() if t.interrupts}


@pytest.mark.parametrize("fight", PULLS)
def test_dispels_bloodlust_and_adds(world: World, fight: int) -> None:
    true = world.pull(fight)
    rows = world.rows("get_dispel_report", fight_id=fight)
    sums = {row["player"]: row["dispels"] for row in rows if row["aura"] == "(all)"}
    assert sums == {name: t.dispels for name, t in true.totals.items() if t.dispels}
    lust = world.rows("get_bloodlust_timing", fight_id=fight)
    assert [row["player"] for row in lust] == [use.player for use in true.bloodlust]
    assert all(near(r["at"], u.seconds) for r, u in zip(lust, true.bloodlust, strict=True))
    adds = world.rows("get_add_deaths", fight_id=fight)
    died = sorted((row["at"], row["name"]) for row in adds if row.get("at") is not None)
    really = sorted((e.seconds, e.name) for e in true.enemy_deaths if not e.boss)
    assert [name for _, name in died] == [name for _, name in really]
    assert all(near(a, b) for (a, _), (b, _) in zip(died, really, strict=True))
    kinds = {row["creature"]: row["deaths"] for row in adds if "creature" in row}
    names = [name for _, name in really]
    assert kinds == {name: names.count(name) for name in kinds}


@pytest.mark.parametrize("fight", PULLS)
def test_phases(world: World, fight: int) -> None:
    rows, true = world.rows("get_phase_analysis", fight_id=fight), world.pull(fight).phases
    if true[0].name == "Void Reaver":
        assert rows == []
        return
    assert [row["phase"] for row in rows] == [phase.name for phase in true]
    assert all(near(r["start"], p.seconds) for r, p in zip(rows, true, strict=True))
    assert sum(row["deaths"] for row in rows) == len(world.pull(fight).deaths)


@pytest.mark.parametrize("fight", PULLS)
def test_mana_and_uptimes(world: World, fight: int) -> None:
    true = world.pull(fight)
    mana = {row["player"]: row for row in world.rows("get_healer_mana", fight_id=fight)}
    assert set(mana) == {one.player for one in true.mana}
    for one in true.mana:
        assert near(mana[one.player]["lowest_percent"], 100 * one.lowest, 0.11)
        assert near(mana[one.player]["end_percent"], 100 * one.last, 0.11)
    rows = world.rows("get_debuff_uptimes", fight_id=fight)
    found = {(row["debuff"], row["target"]): row["uptime_seconds"] for row in rows}
    for up in true.uptimes:
        assert near(found[up.spell, up.target], up.seconds), up


@pytest.mark.parametrize("fight", PULLS)
def test_preparation(world: World, fight: int) -> None:
    rows, truth = world.rows("get_consumable_check", fight_id=fight), world.truth
    lacks = {k: {r["player"] for r in rows if k in r["missing"]} for k in ("flask", "food", "oil")}
    assert lacks["flask"] == set(truth.no_flask)
    assert lacks["food"] == set(truth.no_food)
    assert lacks["oil"] == set(truth.no_oil)
    assert sum(row["potions"] for row in rows) == len(world.pull(fight).potions)
    missing = world.rows("get_enchant_gem_check", fight_id=fight)
    bare = {(r["player"], r["slot"]) for r in missing if r["missing"] == "enchant"}
    empty = {(r["player"], r["slot"]) for r in missing if r["missing"] == "gem"}
    assert bare == set(truth.no_enchant)
    assert empty == set(truth.no_gem)


@pytest.mark.parametrize("fight", PULLS)
def test_cooldowns_and_activity(world: World, fight: int) -> None:
    rows, true = world.rows("get_cooldown_efficiency", fight_id=fight), world.pull(fight)
    used = sorted((r["player"], r["spell_id"]) for r in rows for _ in range(r["uses"]))
    assert used == sorted((use.player, use.spell_id) for use in true.cooldowns)
    unused = {(row["player"], row["spell_id"]) for row in rows if not row["uses"]}
    assert {(player, spell) for player, spell, _ in world.truth.unused} <= unused
    dead = {death.player for death in true.deaths}
    if world.truth.slow not in dead:
        dealers = [
            row
            for row in world.rows("get_activity_report", fight_id=fight)
            if row["role"] == "damage"
        ]
        assert dealers[0]["player"] == world.truth.slow


def test_trash_time(world: World) -> None:
    rows = world.rows("get_trash_time")
    assert near(rows[-1]["seconds"], world.truth.trash_seconds, 0.5)
    assert near(sum(row["seconds"] for row in rows[:-1]), rows[-1]["seconds"], 0.5)


def test_pulls(world: World) -> None:
    rows = world.rows("list_pulls")
    for row, true in zip(rows, world.truth.pulls, strict=True):
        assert (row["encounter"], row["outcome"] == "kill") == (true.name, true.kill)
        assert near(row["seconds"], true.seconds)
        assert row["deaths"] == len(true.deaths)
        if not true.kill:
            assert near(row["boss_hp_percent"], 100 * true.boss_hp, 1.0)


def test_the_wipe_by_a_tanks_death_is_told(world: World) -> None:
    cause = world.rows("get_wipe_cause", fight_id=2)[0]
    assert (cause["what"], cause["kind"]) == ("cause", "tank death")
    assert world.truth.roles[cause["player"]] == "tank"
    first = next(r for r in world.rows("get_wipe_cause", fight_id=2) if r["what"] == "first death")
    assert first["player"] == world.pull(2).deaths[0].player
    assert world.rows("get_wipe_cause", fight_id=4) == []


def test_the_wipe_by_avoidable_damage_is_told(world: World) -> None:
    cause = world.rows("get_wipe_cause", fight_id=3)[0]
    assert cause["kind"] == "avoidable damage"
    assert cause["ability"] in {d.spell for d in world.pull(3).deaths}


@pytest.mark.parametrize("fight", [1, 2, 3])
def test_three_fixes(world: World, fight: int) -> None:
    rows = world.rows("get_next_pull_fixes", fight_id=fight)
    assert [row["rank"] for row in rows] == [1, 2, 3]
    assert all(row["fix"] and row["evidence"] for row in rows)


def test_sums_agree_between_tools(world: World) -> None:
    for fight in PULLS:
        details = {r["player"]: r for r in world.rows("get_fight_details", fight_id=fight)}
        done: dict[str, int] = {}
        healed: dict[str, int] = {}
        for row in world.rows("get_ability_breakdown", fight_id=fight):
            done[row["player"]] = done.get(row["player"], 0) + row["damage"]
            healed[row["player"]] = healed.get(row["player"], 0) + row["healing"]
        for name, row in details.items():
            assert done.get(name, 0) == row["damage"] + row["pet_damage"]
            assert healed.get(name, 0) == row["healing"]
        steps = world.rows("get_damage_timeline", fight_id=fight)
        assert sum(step["damage"] for step in steps) == sum(done.values())
        over = world.rows("get_overheal_analysis", fight_id=fight)
        sums = {r["player"]: r["overheal"] for r in over if r["ability"] == "(all)"}
        assert sums == {n: r["overheal"] for n, r in details.items() if n in sums}
        taken: dict[str, int] = {}
        for row in world.rows("get_damage_taken", fight_id=fight):
            taken[row["player"]] = taken.get(row["player"], 0) + row["damage_taken"]
        assert all(taken.get(n, 0) == r["damage_taken"] for n, r in details.items())


def test_a_comparison_of_players_repeats_their_details(world: World) -> None:
    names = sorted(n for n, c in world.truth.classes.items() if c == ("Mage", "Fire"))
    rows = world.rows("compare_players", fight_id=5, player_a=names[0], player_b=names[1])
    for name, row in zip(names, rows, strict=False):
        assert (row["player"], row["damage"]) == (name, world.pull(5).totals[name].damage)


def test_lines_hold_what_the_result_rests_on(world: World) -> None:
    """Damage recounted from the cited raw lines alone gives the row."""
    outcome = world.ask("get_fight_details", fight_id=2)
    report = world.reports.newest()
    raw: list[str] = []
    for first, last in outcome.lines:
        for start in range(first, last + 1, 2000):
            raw += report.raw_lines(start, min(start + 1999, last))
    done: dict[str, int] = {}
    for line in raw:
        fields = line.partition("  ")[2].split(",")
        if fields[0] in DAMAGE:
            spot = 27 + 3 * (fields[0] != "SWING_DAMAGE")
            name = fields[2].strip('"')
            done[name] = done.get(name, 0) + int(fields[spot])
    rows: list[Row] = [*outcome.rows]
    assert rows
    apart = ("damage", "overkill", "friendly_fire")
    assert all(
        done.get(str(row["player"]), 0) == sum(int(str(row[column])) for column in apart)
        for row in rows
    )
