"""Whom and what a question is about: a wing, a run with its trash, the asker, a role's own work."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.agents.raid.logs import BOSS, HERO, stamped, strike
from tests.agents.raid.test_answered_numbers import (
    DIMENSIUS,
    ERA,
    FRACTILLUS,
    NAXX,
    dialogue,
    nights,
)

from ruleplay.agents.raid import prompts
from ruleplay.agents.raid.adapters.log_import import import_logs
from ruleplay.agents.raid.adapters.nights import open_nights
from ruleplay.agents.raid.adapters.report_files import MANIFEST, manifests, reports_folder
from ruleplay.agents.raid.domain.columns import SCHEMA_VERSION
from ruleplay.agents.raid.domain.overview import Overview
from ruleplay.agents.raid.policy import rows
from ruleplay.agents.raid.state import ToolCalled, ToolReturned
from ruleplay.agents.raid.tools.registry import run_tool

LEGION = "retail_7.3_legion_encounters_only.txt"


@pytest.mark.timeout(120)
def test_a_wing_is_its_bosses_and_those_are_the_pulls_of_the_answer_before() -> None:
    times, lust = dialogue(
        NAXX, "how long did the arachnid quarter take us, boss by boss", "and did those get lust?"
    )
    for told in (times, lust):
        assert all(one in told for one in ("Anub'Rekhan", "Faerlina", "Maexxna"))
        assert not any(one in told for one in ("Loatheb", "Patchwerk", "Noth", "Heigan"))
    assert "46.8 s" in times
    assert "2 of 3 pulls" in lust


@pytest.mark.timeout(120)
def test_a_sum_over_a_wing_is_over_all_its_bosses() -> None:
    (told,) = dialogue(NAXX, "top healing in the plague wing")
    assert "over 3 pulls" in told
    assert "Several pulls may be meant" not in told


@pytest.mark.timeout(120)
def test_a_role_that_follows_is_told_by_what_it_does() -> None:
    _, told = dialogue(ERA, "top damage on thermaplugg?", "what about the healers?")
    assert "Reevs healed the most: 67,894" in told
    assert "did the most damage" not in told


@pytest.mark.timeout(120)
def test_of_a_death_told_by_a_role_only_that_death_is_told() -> None:
    _, told = dialogue(ERA, "who healed most?", "our top dps died near the end, no? to what")
    assert "Only Flakeshock died. Frozen Shrapnel (Frost Bomb) killed Flakeshock at 5:23" in told
    assert "Reevs" not in told


@pytest.mark.timeout(120)
def test_who_asks_is_told_the_own_place_below_a_ranking_that_stops_before() -> None:
    (told,) = dialogue(FRACTILLUS, "who topped the meters? and me Xamymage, where do I land")
    assert told.startswith("**Brunix did the most damage")
    assert "Xamymage (you): damage 956,034 (9,570 dps), place 14 of 24." in told
    (other,) = dialogue(FRACTILLUS, "who topped the meters?")
    assert "Xamymage" not in other


@pytest.mark.timeout(120)
def test_a_table_comes_only_where_a_list_is_asked_for() -> None:
    asked, most = dialogue(FRACTILLUS, "give me the top 4 dps", "who healed the most?")
    rows_ = [line for line in asked.splitlines() if line.startswith("| ")][2:]
    assert len(rows_) == 4
    assert "Then" not in asked.partition("\n")[0]
    assert "|" not in most


@pytest.mark.timeout(120)
def test_a_pull_in_which_nothing_was_done_says_so() -> None:
    (told,) = dialogue(DIMENSIUS, "how much damage did we do on dimensius, both pulls")
    assert "Without any damage by players: pull 1." in told


@pytest.mark.timeout(120)
def test_a_run_s_deaths_are_those_on_its_trash_too_and_no_other_run_is_told() -> None:
    (told,) = dialogue(LEGION, "how long was the +10 and how many of us died in it?")
    assert "25:50" in told
    assert "Exgrull 2" in told
    assert "6 deaths: " in told
    assert "Court of Stars" not in told
    reports = nights(LEGION).reports
    args = {"fights": "1-4", "trash": True}
    assert len([r for r in run_tool(reports, "get_night_deaths", args).rows if "where" in r]) == 6
    # The next run's first trash begins with that run, whoever died in between.
    second = run_tool(reports, "get_night_deaths", {"fights": "5-9", "trash": True})
    assert all("19:" not in str(row.get("clock")) for row in second.rows)


@pytest.mark.timeout(120)
def test_our_kill_is_the_hardest_and_a_log_without_damage_says_that_first() -> None:
    (told,) = dialogue(LEGION, "damage ranking of our kill of argus please")
    assert told.startswith("**This log holds pulls and deaths only")
    assert "Argus the Unmaker (normal)" in told


@pytest.mark.timeout(120)
def test_a_model_is_told_what_the_log_holds_and_which_dungeons_were_run() -> None:
    for log, blind in ((LEGION, True), (ERA, False)):
        night = nights(log).overview("who died?", "").night
        assert night
        asked = prompts.question("who died?", Overview(night=night), "")
        assert ("This log holds pulls and deaths only" in asked) is blind
    called = ToolCalled(result="r1", tool="get_keystone_runs", args={})
    outcome = run_tool(nights(LEGION).reports, "get_keystone_runs", {})
    night = nights(LEGION).overview("", "").night
    table, bosses = rows.tables_of([ToolReturned.of(called, outcome)], night, rows.Asked())
    assert "Black Rook Hold" in table.prompt()
    assert "| 1-4 |" in table.prompt()
    (last,) = [row for row in bosses.prompt(1, 60).split("\n") if "pull 112" in row]
    assert "Eye of Azshara | +16" in last, "a run's dungeon and level are cited with its bosses"
    assert "148.5" in last


def test_a_report_of_an_older_version_is_read_again_under_its_code(tmp_path: Path) -> None:
    log, home = tmp_path / "log.txt", tmp_path / "home"
    died = f"UNIT_DIED,0000000000000000,nil,0x80000000,0x80000000,{BOSS}"
    log.write_text(stamped([strike(), strike(), died]), "utf-8")
    done = import_logs((log,), home)
    path = reports_folder(home) / done.report / MANIFEST
    stored = json.loads(path.read_text("utf-8"))
    older = stored | {"schema_version": SCHEMA_VERSION - 1, "events": 0}
    path.write_text(json.dumps(older, indent=1), "utf-8")
    assert not manifests(home)
    reports = open_nights(home).reports
    (again,) = reports.all()
    assert (again.code, again.events) == (done.report, done.events)
    assert (again.imported_at, again.started_at) == (stored["imported_at"], stored["started_at"])
    query = "SELECT sum(amount) FROM events"
    assert reports.open(again.code).query(query)[1] == [(200,)]
    assert {one.name for one in path.parent.iterdir()} == {
        *(name for names in again.files.values() for name in names),
        *(raw.name for raw in again.raw),
        MANIFEST,
    }
    assert HERO.split(",")[1].strip('"') in {
        row[0] for row in reports.open(again.code).query("SELECT name FROM actors")[1]
    }
