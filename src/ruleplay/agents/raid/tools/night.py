"""Gathers the contents of a whole night's document by running the tools over its pulls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ruleplay.agents.raid.adapters.nights import look_at
from ruleplay.agents.raid.adapters.rankings import read_parses
from ruleplay.agents.raid.domain.tool_result import ToolOutcome
from ruleplay.agents.raid.tools.library import open_book
from ruleplay.agents.raid.tools.registry import run_tool
from ruleplay.agents.raid.view.night import Page

if TYPE_CHECKING:
    from ruleplay.agents.raid.adapters.reports import Reports
    from ruleplay.agents.raid.domain.overview import Night

WHOLE = ("get_raid_execution", "get_trash_time")
PULL = (
    "get_fight_details",
    "get_damage_timeline",
    "get_wipe_cause",
    "get_death_analysis",
    "get_avoidable_damage",
    "get_missed_interrupts",
    "get_bloodlust_timing",
    "get_next_pull_fixes",
)
PREPARED = ("get_consumable_check", "get_enchant_gem_check")
"""Included once, for the last pull."""
PARSES = "parses"
"""Warcraft Logs rankings of the night's kills, if the report was imported from there."""
PULLS = 60
"""Maximum number of pulls described in full; of longer nights, the last ones."""
Progress = Callable[[int, int], None]


def gather_night(
    reports: Reports, code: str = "", on_progress: Progress = lambda done, total: None
) -> Page:
    """Gather the results for a report's document, by default the newest; may raise NotFound."""
    night = look_at(open_book(reports, code).report)
    told = told_pulls(night)
    pulls: dict[int, Mapping[str, ToolOutcome]] = {}
    for place, fight in enumerate(told, 1):
        pulls[fight] = gather_pull(reports, night.code, fight)
        on_progress(place, len(told))
    return Page(night, gather_whole(reports, night), pulls)


def told_pulls(night: Night) -> list[int]:
    """List the pulls that a night's document describes in full."""
    return [pull.fight for pull in night.pulls[-PULLS:]]


def gather_whole(reports: Reports, night: Night) -> Mapping[str, ToolOutcome]:
    """Gather the results that occur once per night."""
    whole = {tool: _run(reports, tool, {"report_code": night.code}) for tool in WHOLE}
    if told := told_pulls(night):
        last = {"report_code": night.code, "fight_id": str(told[-1])}
        whole |= {tool: _run(reports, tool, last) for tool in PREPARED}
    if ranked := read_parses(reports.home, night.code):
        rows = tuple(one.model_dump(exclude_none=True) for one in ranked)
        whole |= {PARSES: ToolOutcome(rows=rows, report=night.code)}
    return whole


def gather_pull(reports: Reports, code: str, fight: int) -> Mapping[str, ToolOutcome]:
    """Gather the results for one pull."""
    args = {"report_code": code, "fight_id": str(fight)}
    return {tool: _run(reports, tool, args) for tool in PULL}


def _run(reports: Reports, tool: str, args: Mapping[str, object]) -> ToolOutcome:
    return run_tool(reports, tool, args)
