"""The tools on real logs, against a slow reading that shares no code with the product."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.agents.raid import naive
from tests.samples import some
from tests.shared import shared_data

from ruleplay.agents.raid.adapters.log_import import import_logs
from ruleplay.agents.raid.adapters.reports import Reports, open_reports
from ruleplay.agents.raid.tools.registry import TOOLS, run_tool

LOGS = {"era_1.15.1_raid.txt": 16, "naxxramas_3.3.5a_part.txt": 0}


@pytest.fixture(scope="module", params=some(sorted(LOGS), 1))
def log(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    home = tmp_path_factory.mktemp("home")
    path: Path = shared_data("raid") / request.param
    assert import_logs([path], home).unparsed == 0
    reports = open_reports(home)
    yield reports, naive.read(path.read_text("utf-8", "replace"), LOGS[request.param])
    reports.close()


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
