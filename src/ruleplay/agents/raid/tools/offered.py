"""Tools and prompts offered to other programs' models, with addresses of the cited lines."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from ruleplay.agents.raid.domain.tool_result import Ranges, ToolOutcome
from ruleplay.agents.raid.domain.toolbox import SPECS
from ruleplay.agents.raid.tools.registry import run_tool
from ruleplay.errors import UserError
from ruleplay.kernel.toolbox import SCHEME, Answer, Source, Starter, Tool, Toolbox

if TYPE_CHECKING:
    from ruleplay.agents.raid.adapters.nights import Nights
    from ruleplay.agents.raid.domain.arguments import Arguments

LINES = 500
"""Maximum number of log lines per answer."""
SOURCES = 10
"""Maximum number of line ranges cited per answer."""
COMMON = {
    "list_reports": "raid_reports",
    "list_pulls": "raid_pulls",
    "get_wipe_cause": "raid_wipe_cause",
    "get_death_analysis": "raid_deaths",
    "get_fight_details": "raid_fight",
    "get_avoidable_damage": "raid_avoidable_damage",
    "get_missed_interrupts": "raid_interrupts",
    "get_next_pull_fixes": "raid_fixes",
    "compare_players": "raid_compare",
}
"""The most requested tools, with the names that distinguish them from other agents'."""


class LinesQuestion(BaseModel):
    """Lines of a report's log."""

    report: str = Field(max_length=80, description="the report's code")
    first: int = Field(ge=1)
    last: int = Field(ge=1, description=f"at most {LINES} lines in all")


class ToolQuestion(BaseModel):
    """Another tool, by its name."""

    tool: str = Field(max_length=80, description="a name that raid_find_tools gave")
    arguments: dict[str, str | int | bool] = Field(default_factory=dict)


class WordsQuestion(BaseModel):
    """What a tool is to be about."""

    words: str = Field(default="", max_length=200, description="empty for all tools")


def _named(tool: str, nights: Nights, asked: Arguments) -> Answer:
    return _answer(run_tool(nights.reports, tool, asked.model_dump(exclude_unset=True)))


def _run(nights: Nights, asked: ToolQuestion) -> Answer:
    return _answer(run_tool(nights.reports, asked.tool, asked.arguments))


def _answer(outcome: ToolOutcome) -> Answer:
    sources = [*_sources(outcome.report, outcome.lines)]
    for report, ranges in outcome.elsewhere:
        sources += _sources(report, ranges)
    content = outcome.model_dump(mode="json", exclude={"problem"})
    return Answer(content=content, sources=tuple(sources[:SOURCES]), problem=outcome.problem)


def _sources(report: str, ranges: Ranges) -> list[Source]:
    return [
        Source(
            uri=f"{SCHEME}raid/{report}/lines/{first}-{min(last, first + LINES - 1)}",
            title=f"{report}, lines {first} to {last}",
        )
        for first, last in ranges
    ]


def _lines(nights: Nights, asked: LinesQuestion) -> Answer:
    if not asked.first <= asked.last < asked.first + LINES:
        raise UserError(f"from the first to the last line, {LINES} at most")
    found = nights.raw_lines(asked.report, asked.first, asked.last)
    return Answer(content={"report": asked.report, "first": asked.first, "lines": [*found]})


def _search(nights: Nights, asked: WordsQuestion) -> Answer:
    words = asked.words.casefold().split()

    def fits(name: str, description: str) -> int:
        return sum(word in f"{name} {description}".casefold() for word in words)

    ranked = sorted(SPECS, key=lambda spec: -fits(spec.name, spec.description))
    chosen = [spec for spec in ranked if not words or fits(spec.name, spec.description)]
    return Answer(
        content={
            "tools": [
                {
                    "tool": spec.name,
                    "description": spec.description,
                    "arguments": [*spec.arguments.model_fields],
                }
                for spec in chosen
            ]
        }
    )


def _tools() -> tuple[Tool, ...]:
    by_name = {spec.name: spec for spec in SPECS}
    common = [
        Tool(name, by_name[tool].description, by_name[tool].arguments, partial(_named, tool))
        for tool, name in COMMON.items()
    ]
    others = [
        Tool(
            f"raid_{spec.name.removeprefix('get_')}",
            spec.description,
            spec.arguments,
            partial(_named, spec.name),
            common=False,
        )
        for spec in SPECS
        if spec.name not in COMMON
    ]
    general = [
        Tool("raid_find_tools", "More tools over the reports, by words.", WordsQuestion, _search),
        Tool("raid_run_tool", "Run a tool that raid_find_tools gave.", ToolQuestion, _run),
        Tool(
            "raid_lines",
            "Lines of a report's combat log as they were written: what an answer rests on.",
            LinesQuestion,
            _lines,
            template=f"{SCHEME}raid/{{report}}/lines/{{first}}-{{last}}",
        ),
    ]
    return (*common, *general, *others)


TOOLBOX = Toolbox(
    tools=_tools(),
    starters=(
        Starter(
            "why_wipe",
            "Why the raid wiped on a boss",
            "Use the Ruleplay raid tools to say why the raid wiped on {boss}, and cite log lines.",
            (("boss", "the boss"),),
        ),
        Starter(
            "night_report",
            "What happened in a night",
            "Use the Ruleplay raid tools to sum up the night of report {report}: pulls, causes of"
            " the wipes, and what to do better.",
            (("report", "the report's code"),),
        ),
    ),
)
