"""The tools on real logs, against a slow reading that shares no code with the product."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.agents.raid import naive
from tests.shared import shared_data

from ruleplay.agents.raid.adapters.log_import import import_logs
from ruleplay.agents.raid.adapters.reports import Reports, open_reports
from ruleplay.agents.raid.tools.registry import TOOLS, run_tool

LOGS = {"era_1.15.1_raid.txt": 16, "naxxramas_3.3.5a_part.txt": 0}
DAMAGE = {
    *("SWING_DAMAGE", "SWING_DAMAGE_LANDED", "RANGE_DAMAGE", "SPELL_DAMAGE"),
    *("SPELL_PERIODIC_DAMAGE", "DAMAGE_SHIELD"),
}


@pytest.fixture(scope="module", params=sorted(LOGS))
def log(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    home = tmp_path_factory.mktemp("home")
    path: Path = shared_data("raid") / request.param
    assert import_logs([path], home).unparsed == 0
    reports = open_reports(home)
    yield reports, naive.read(path.read_text("utf-8", "replace"), LOGS[request.param])
    reports.close()


def test_totals_equal_a_naive_sum(log: tuple[Reports, list[naive.Line]]) -> None:
    reports, lines = log
    book = naive.Night(lines)
    for pull in run_tool(reports, "list_pulls", {}).rows:
        details = run_tool(reports, "get_fight_details", {"fight_id": pull["fight"]})
        first, last = details.lines[0]
        part = [line for line in book.lines_read if first <= line["line"] <= last]
        done, healed, over, taken, died = (Counter[str]() for _ in range(5))
        for line in part:
            who, whom = line.get("source_name") or "", line.get("target_name") or ""
            event = line["event"]
            if event in DAMAGE and line["counts"]:
                done[who] += line["amount"]
            if event in DAMAGE | {"ENVIRONMENTAL_DAMAGE"} and line["counts"]:
                taken[whom] += line["amount"]
            if event in ("SPELL_HEAL", "SPELL_PERIODIC_HEAL"):
                healed[who] += line["amount"] - line["over"]
                over[who] += line["over"]
            if event == "UNIT_DIED":
                died[whom] += 1
        assert details.rows
        for row in details.rows:
            name = str(row["player"])
            assert row["damage"] == done[name], name
            assert (row["healing"], row["overheal"]) == (healed[name], over[name])
            assert (row["damage_taken"], row["deaths"]) == (taken[name], died[name])


def test_every_tool_has_an_answer(log: tuple[Reports, list[naive.Line]]) -> None:
    reports, _ = log
    rows = run_tool(reports, "get_fight_details", {}).rows
    boss = run_tool(reports, "list_pulls", {}).rows[0]["encounter"]
    known = {
        "encounter_name": boss,
        "player_name": rows[0]["player"],
        "character_name": rows[0]["player"],
        "player_a": rows[0]["player"],
        "player_b": rows[1]["player"],
        "class_name": next(row["class"] for row in rows if row["class"]),
    }
    for tool in TOOLS:
        needed = {n for n, f in tool.arguments.model_fields.items() if f.is_required()}
        outcome = run_tool(reports, tool.name, {n: known[n] for n in needed})
        if tool.name in ("compare_two_raids", "get_gear_changes"):
            assert "two reports are needed" in outcome.problem
        else:
            assert not outcome.problem, (tool.name, outcome.problem)
            assert outcome.rows or outcome.notes, tool.name


def test_what_the_log_lacks_is_said(log: tuple[Reports, list[naive.Line]]) -> None:
    reports, lines = log
    mana = run_tool(reports, "get_healer_mana", {})
    gear = run_tool(reports, "get_enchant_gem_check", {})
    if lines[0]["event"] == "COMBAT_LOG_VERSION":
        assert gear.rows
        return
    assert not mana.rows
    assert any("not in the log" in note for note in mana.notes)
    assert any("not in the log" in note for note in gear.notes)
    assert any("names no encounters" in note for note in gear.notes)
