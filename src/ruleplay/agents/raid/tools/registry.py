"""Every tool ready to run, and the one way to run it by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from pydantic import ValidationError

from ruleplay.agents.raid.domain.arguments import Arguments, snake
from ruleplay.agents.raid.domain.outcomes import Metric, ToolOutcome
from ruleplay.agents.raid.domain.toolbox import SPECS
from ruleplay.agents.raid.tools import (
    adds,
    auras,
    bloodlust,
    casts,
    comparison,
    deaths,
    evening,
    finding,
    mechanics,
    performance,
    phases,
    preparation,
    progress,
    rankings,
    resources,
    score,
    wipes,
)
from ruleplay.errors import UserError, first_invalid

if TYPE_CHECKING:
    from ruleplay.agents.raid.adapters.reports import Reports

Run = Callable[["Reports", Arguments], ToolOutcome]


@dataclass(frozen=True)
class RaidTool:
    """A tool: how models see it, what its numbers mean, and what runs it."""

    name: str
    description: str
    arguments: type[Arguments]
    run: Run
    metrics: tuple[Metric, ...] = ()


_RUNS: tuple[Callable[..., ToolOutcome], ...] = (
    *(
        finding.list_reports,
        finding.list_pulls,
        finding.get_roster,
        finding.search_fights,
        finding.resolve_my_fights,
        finding.get_trash_time,
    ),
    *(
        performance.get_fight_details,
        performance.get_ability_breakdown,
        performance.get_overheal_analysis,
        performance.get_damage_taken,
        performance.get_damage_timeline,
        performance.get_activity_report,
    ),
    *(
        evening.get_night_totals,
        evening.get_night_deaths,
        evening.get_night_players,
        evening.get_wipe_causes,
        evening.get_keystone_runs,
    ),
    *(score.get_rotation_score,),
    *(
        deaths.get_death_analysis,
        deaths.get_tank_death_anatomy,
    ),
    *(
        wipes.get_wipe_cause,
        wipes.get_next_pull_fixes,
    ),
    *(
        adds.get_add_deaths,
        mechanics.get_avoidable_damage,
        mechanics.get_missed_interrupts,
        mechanics.get_dispel_report,
        bloodlust.get_bloodlust_timing,
    ),
    *(phases.get_phase_analysis,),
    *(
        auras.get_buff_analysis,
        auras.get_debuff_uptimes,
    ),
    *(
        casts.get_cooldown_efficiency,
        casts.get_cancelled_casts,
        casts.get_dot_management,
    ),
    *(
        resources.get_resource_usage,
        resources.get_healer_mana,
    ),
    *(
        preparation.get_consumable_check,
        preparation.get_enchant_gem_check,
        preparation.get_gear_changes,
    ),
    *(
        progress.get_my_performance,
        progress.get_progression,
        progress.get_wipe_progression,
        progress.get_regressions,
        progress.get_raid_execution,
        progress.get_deaths_and_mechanics,
    ),
    *(
        comparison.compare_two_raids,
        comparison.compare_players,
        comparison.get_spec_leaderboard,
        comparison.get_encounter_benchmarks,
        comparison.get_spec_benchmark,
    ),
    *(
        rankings.get_top_rankings,
        rankings.compare_to_top,
        rankings.compare_raid_to_top,
    ),
)


def _tools() -> tuple[RaidTool, ...]:
    runs = {run.__name__: run for run in _RUNS}
    return tuple(
        RaidTool(one.name, one.description, one.arguments, runs[one.name], one.metrics)
        for one in SPECS
    )


TOOLS: tuple[RaidTool, ...] = _tools()


def run_tool(reports: Reports, name: str, given: Mapping[str, object]) -> ToolOutcome:
    """Run a tool on arguments of any spelling; what is wrong with them comes back as `problem`."""
    known = {tool.name: tool for tool in TOOLS}
    tool = known.get(snake(name))
    if tool is None:
        near = ", ".join(get_close_matches(snake(name), known, 3)) or ", ".join(known)
        return ToolOutcome(problem=f"no tool {name[:80]!r}; there are {near}")
    try:
        arguments = tool.arguments.model_validate(dict(given))
    except ValidationError as error:
        where, what = first_invalid(error)
        takes = ", ".join(tool.arguments.model_fields) or "no arguments"
        return ToolOutcome(problem=f"{tool.name}: {where or 'arguments'}: {what}; it takes {takes}")
    try:
        return tool.run(reports, arguments)
    except UserError as error:
        return ToolOutcome(problem=f"{tool.name}: {error}")
