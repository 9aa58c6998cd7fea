"""All runnable tools, and the single entry point for running one by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from pydantic import ValidationError

from ruleplay.agents.raid.adapters.reports import Reports
from ruleplay.agents.raid.domain.arguments import Arguments, snake
from ruleplay.agents.raid.domain.tool_result import Metric, ToolOutcome
from ruleplay.agents.raid.domain.toolbox import BY_NAME, SPECS
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
    tally,
    wipes,
)
from ruleplay.agents.raid.tools.book import Book
from ruleplay.agents.raid.tools.library import open_book
from ruleplay.agents.raid.tools.sides import with_sides
from ruleplay.errors import NotFound, UserError, first_invalid

Run = Callable[["Reports", Arguments], ToolOutcome]


@dataclass(frozen=True)
class RaidTool:
    """A tool: its description for models, the meaning of its numbers, and its function."""

    name: str
    description: str
    arguments: type[Arguments]
    run: Run
    metrics: tuple[Metric, ...] = ()


_MODULES = (
    adds, auras, bloodlust, casts, comparison, deaths, evening, finding, mechanics, performance,
    phases, preparation, progress, rankings, resources, score, tally, wipes,
)  # fmt: skip


def _tools() -> tuple[RaidTool, ...]:
    runs = {name: run for module in _MODULES for name, run in vars(module).items()}
    return tuple(
        RaidTool(one.name, one.description, one.arguments, runs[one.name], one.metrics)
        for one in SPECS
    )


TOOLS: tuple[RaidTool, ...] = _tools()


def _completed(book: Book, told: ToolOutcome, tool: RaidTool) -> ToolOutcome:
    """Add whose side people are on, and that a log without blows cannot tell of any."""
    blind = not told.rows and not book.logs_blows and "deaths" not in BY_NAME[tool.name].marks
    return with_sides(book, told.model_copy(update={"unknown": told.unknown or blind}))


def run_tool(reports: Reports, name: str, given: Mapping[str, object]) -> ToolOutcome:
    """Run a tool with arguments in any spelling; errors in them are returned as `problem`."""
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
        told = tool.run(reports, arguments)
        return _completed(open_book(reports, told.report), told, tool) if told.report else told
    except UserError as error:
        return ToolOutcome(problem=f"{tool.name}: {error}", absent=isinstance(error, NotFound))
