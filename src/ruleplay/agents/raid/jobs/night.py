"""A whole raid night's report as a job: its parts are pulls."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from ruleplay.agents.raid.adapters.nights import look_at, open_nights
from ruleplay.agents.raid.domain.tool_result import ToolOutcome
from ruleplay.agents.raid.tools.library import open_book
from ruleplay.agents.raid.tools.night import gather_pull, gather_whole, told_pulls
from ruleplay.agents.raid.view.night import Page, as_json, markdown
from ruleplay.durable.jobs import JobKind, OpenJob
from ruleplay.records.events import Json

if TYPE_CHECKING:
    from ruleplay.agents.raid.adapters.reports import Reports
    from ruleplay.agents.raid.domain.overview import Night
    from ruleplay.settings import Settings

WHOLE = "night"
"""The part that is not about one pull."""


class NightOptions(BaseModel):
    """What `ruleplay raid report` takes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    report: str = Field(default="", description="code of the report; the newest otherwise")


@dataclass
class OpenNight(OpenJob):
    """A report that is open."""

    reports: Reports
    night: Night

    async def plan(self) -> list[str]:
        """Return the pulls of a report, each with the report's code: the newest may change."""
        code = self.night.code
        return [f"{code} {part}" for part in (WHOLE, *map(str, told_pulls(self.night)))]

    async def part(self, name: str) -> Json:
        """Gather what is told of a pull, or of the whole night."""
        code, _, part = name.rpartition(" ")
        gathered = await asyncio.to_thread(self._gather, code, part)
        return {tool: outcome.model_dump(mode="json") for tool, outcome in gathered.items()}

    def _gather(self, code: str, part: str) -> Mapping[str, ToolOutcome]:
        if part == WHOLE:
            return gather_whole(self.reports, self._night(code))
        return gather_pull(self.reports, code, int(part))

    def _night(self, code: str) -> Night:
        return self.night if code == self.night.code else look_at(self.reports.open(code))

    def result(self, parts: Mapping[str, Json]) -> Json:
        """Return the document, as JSON and as Markdown."""
        whole: Mapping[str, ToolOutcome] = {}
        pulls: dict[int, Mapping[str, ToolOutcome]] = {}
        for name, gathered in parts.items():
            read = {tool: ToolOutcome.model_validate(one) for tool, one in gathered.items()}
            code, _, part = name.rpartition(" ")
            if part == WHOLE:
                whole = read
            else:
                pulls[int(part)] = read
        page = Page(self._night(code), whole, pulls)
        return {**as_json(page), "markdown": markdown(page)}


class NightKind(JobKind[NightOptions]):
    """The report of a whole raid night."""

    name = "night"
    title = "The report of a whole raid night"
    options = NightOptions

    @asynccontextmanager
    async def open(
        self, job: str, options: NightOptions, settings: Settings
    ) -> AsyncIterator[OpenJob]:
        """Open the report."""

        def opened() -> OpenNight:
            reports = open_nights(settings.home).reports
            return OpenNight(reports, look_at(open_book(reports, options.report).report))

        yield await asyncio.to_thread(opened)


NIGHT = NightKind()
