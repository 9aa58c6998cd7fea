"""How fast the tools answer over a report."""

from __future__ import annotations

import time
from pathlib import Path
from statistics import quantiles

from ruleplay.agents.raid.adapters.reports import open_reports
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.tools.registry import TOOLS, RaidTool, run_tool
from ruleplay.errors import RuleplayError

PULLS = 5
"""Pulls that each tool is asked about, spread over the report."""


def time_tools(home: Path) -> float:
    """Return the 95th percentile of the wall time of a tool call in milliseconds.

    Every tool is called on PULLS pulls of the newest report, first calls included; of one report
    alone, a tool that compares two says so at once.
    """
    reports = open_reports(home)
    try:
        pulls = run_tool(reports, "list_pulls", {}).rows
        players = run_tool(reports, "get_fight_details", {}).rows
        chosen = pulls[:: max(len(pulls) // PULLS, 1)][:PULLS]
        spent = []
        for tool in TOOLS:
            for pull in chosen:
                given = _arguments(tool, pull, players)
                started = time.perf_counter()
                outcome = run_tool(reports, tool.name, given)
                spent.append((time.perf_counter() - started) * 1000)
                if outcome.problem and "two reports" not in outcome.problem:
                    raise RuleplayError(f"{tool.name} failed: {outcome.problem}")
        return round(quantiles(spent, n=20)[-1], 1)
    finally:
        reports.close()


def _arguments(tool: RaidTool, pull: Row, players: tuple[Row, ...]) -> dict[str, object]:
    told: dict[str, object] = {
        "fight_id": pull["fight"],
        "encounter_name": pull["encounter"],
        "player_name": players[0]["player"],
        "character_name": players[0]["player"],
        "player_a": players[0]["player"],
        "player_b": players[1]["player"],
        "class_name": players[0]["class"],
    }
    fields = tool.arguments.model_fields
    return {
        name: value
        for name, value in told.items()
        if name in fields and (fields[name].is_required() or name == "fight_id")
    }
