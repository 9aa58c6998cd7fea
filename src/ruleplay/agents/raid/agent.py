"""The raid analyst, as the catalog of agents imports it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from ruleplay.agents.raid.adapters.nights import Nights, open_nights
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.domain.toolbox import BY_NAME
from ruleplay.agents.raid.policy import rehearsal
from ruleplay.agents.raid.policy.rows import ALL
from ruleplay.agents.raid.prompts import remembered
from ruleplay.agents.raid.state import (
    EVENTS,
    Answered,
    Draft,
    Finding,
    State,
    ToolCalled,
    ToolReturned,
)
from ruleplay.agents.raid.view.screen import view
from ruleplay.kernel.agent import Agent
from ruleplay.kernel.agent import Config as FoundationConfig
from ruleplay.kernel.agent import Draft as FoundationDraft
from ruleplay.kernel.offers import Benchmark, JobOffer
from ruleplay.records.events import Event, Json
from ruleplay.records.given import Given, Message
from ruleplay.settings import Settings
from ruleplay.system.finding import Finding as Doctored

if TYPE_CHECKING:
    from ruleplay.kernel.graph import Graph
    from ruleplay.kernel.toolbox import Toolbox


class Config(FoundationConfig):
    """What a conversation starts with: the report it is about, the newest when empty.

    `lang` is what questions are offered in until one was asked; what was asked last then decides.
    """

    report: str = Field(default="", max_length=80)
    lang: Literal["", "en", "fr"] = ""


class RaidAgent(Agent[Config, State, Nights]):
    """Says why the raid wiped, and whatever else a combat log tells."""

    name = "raid"
    hears = True
    uploads: ClassVar[Mapping[str, int]] = {"/api/raid/imports": 2_000_000_000}
    title = "Raid logs"
    seats = ("raider",)
    edition = 27
    events = EVENTS
    config_type = Config
    state_type = State
    draft_type = Draft

    def new(self, config: Config, rng: Random) -> State:
        """Start a conversation about a report."""
        return State(report=config.report, language=config.lang)

    def build_graph(self, config: Config) -> Graph:
        """Compile the turn's graph."""
        from ruleplay.agents.raid.graph import build_graph

        return build_graph()

    def open_world(self, settings: Settings) -> Nights:
        """Open the imported reports; if there are none, the demo reports are imported first."""
        return open_nights(settings.home)

    def view(self, state: State, seat: str) -> Json:
        """Describe what the screen shows."""
        return view(state)

    def messages(self, draft: FoundationDraft[State]) -> tuple[Message, ...]:
        """List the question and the answer as messages."""
        answered = [event for event in draft.events if isinstance(event, Answered)]
        by_model = any(event.source == "model" for event in answered)
        told = remembered(draft.reply, by_model=by_model)
        said = Message(role="user", text=draft.given.message)
        return (said, Message(role="assistant", text=told))

    def problems(self, before: State, events: list[Event], after: State) -> tuple[str, ...]:
        """List results without a call, unknown tools, and findings that no result contains."""
        called = {event.result: event for event in events if isinstance(event, ToolCalled)}
        returned = {event.result: event for event in events if isinstance(event, ToolReturned)}
        found = [f"{name} was never called" for name in returned.keys() - called.keys()]
        found += [f"no tool {one.tool!r}" for one in called.values() if one.tool not in BY_NAME]
        answered = [event for event in events if isinstance(event, Answered)]
        if len(answered) != 1:
            found.append(f"{len(answered)} answers to one question")
        for finding in (finding for event in answered for finding in event.findings):
            if not held(returned.get(finding.result), finding):
                found.append(f"{finding.metric} {finding.value!r} is in no result")
        return tuple(found)

    def tools(self) -> Toolbox:
        """Get the tools over the imported reports."""
        from ruleplay.agents.raid.tools.offered import TOOLBOX

        return TOOLBOX

    def findings(self, home: Path) -> Iterable[Doctored]:
        """Report which log reader is in use."""
        from ruleplay.agents.raid.adapters.compiled_reader import finding

        return (finding(),)

    def benchmarks(self) -> tuple[Benchmark, ...]:
        """List the agent's benchmarks."""
        return (
            Benchmark(
                "raid",
                "benchmarks.raid.import_speed:bench_raid",
                "how fast a combat log is imported, and in how much memory",
                "data",
            ),
            Benchmark(
                "raid-truth",
                "benchmarks.raid.truth:bench_truth",
                "the tools' numbers about a log against a second count of its lines",
                "data",
            ),
            Benchmark(
                "raid-mutations",
                "benchmarks.raid.mutations:bench_mutations",
                "what becomes of a log's lines when they are damaged at random",
                "data turns",
            ),
            Benchmark(
                "raid-questions",
                "benchmarks.raid.asking:bench_questions",
                "what raids ask, answered on nights whose truth is known",
                "turns",
            ),
        )

    def jobs(self) -> tuple[JobOffer, ...]:
        """List the long-running jobs that workers do for it."""
        return (
            JobOffer(
                "night", "The report of a whole raid night", "ruleplay.agents.raid.jobs.night:NIGHT"
            ),
        )

    def rehearse(self, state: State, rng: Random) -> Given:
        """Make up something a raider might ask next."""
        return Given(message=rehearsal.message(state, rng))


_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")


def held(returned: ToolReturned | None, finding: Finding) -> bool:
    """Whether a result contains a finding's value in a row about its subject, or sums to it."""
    if returned is None:
        return False
    rows = [row for row in returned.rows if not finding.player or _names(row, finding.player)]
    column = finding.metric.removesuffix("_total")
    if column != finding.metric:
        whole = [row for row in rows if ALL in (row.get("ability"), row.get("aura"))]
        sums = sum(float(str(row.get(column) or 0)) for row in whole or rows)
        return isinstance(finding.value, int | float) and abs(sums - finding.value) < 0.06
    if column == "rank":
        return any(finding.value in _ranks(returned.rows, row) for row in rows)
    cells: list[object] = [returned.seconds]
    for row in rows:
        for cell in row.values():
            cells += [*cell, ", ".join(map(str, cell))] if isinstance(cell, list) else [cell]
    # A prompt shortens "2026-11-19T20:00:03" to the minute.
    cells += [cell[:16].replace("T", " ") for cell in cells if isinstance(cell, str)]
    # A prompt unpacks "8.9 s from 41 s" to columns.
    packed = [
        float(one) for cell in cells if isinstance(cell, str) for one in _NUMBER.findall(cell)
    ]
    return finding.value in (*cells, *packed) or plain(finding.value) in map(plain, cells)


def _ranks(rows: Sequence[Row], own: Row) -> set[int]:
    """List the places that a row has among others, by each of its numbers."""
    return {
        1 + sum(_amount(row.get(name)) > _amount(cell) for row in rows)
        for name, cell in own.items()
        if isinstance(cell, int | float) and not isinstance(cell, bool)
    }


def _amount(cell: object) -> float:
    return float(cell) if isinstance(cell, int | float) else 0.0


def plain(cell: object) -> str:
    """Format a cell as answers do: yes and no, and names without realm."""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return re.sub(r"(?<=\w)-\w+", "", str(cell))


def _names(row: Row, who: str) -> bool:
    """Whether a row is about somebody, with or without the realm."""
    return any(cell == who or str(cell).partition("-")[0] == who for cell in row.values())


AGENT = RaidAgent()
