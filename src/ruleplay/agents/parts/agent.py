"""The parts assistant as an `Agent`: what the catalog of installed agents imports."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, ClassVar

from ruleplay.agents.parts.adapters.catalog import Catalog, open_catalog
from ruleplay.agents.parts.adapters.demo import ensure_demo
from ruleplay.agents.parts.domain.slots import Goal, UnknownId, VerifiedModel, VerifiedPart
from ruleplay.agents.parts.policy import rehearsal
from ruleplay.agents.parts.policy.subject_check import strange_subjects, unspoken_numbers
from ruleplay.agents.parts.state import (
    EVENTS,
    LEDGER_EVENTS,
    Draft,
    Revised,
    State,
    ToolReturned,
    mark_early,
)
from ruleplay.agents.parts.view import view
from ruleplay.kernel.agent import Agent, Config
from ruleplay.kernel.offers import Benchmark
from ruleplay.records.events import Event, Json, Upcaster
from ruleplay.records.given import Given
from ruleplay.settings import Settings

if TYPE_CHECKING:
    from ruleplay.kernel.graph import Graph
    from ruleplay.kernel.toolbox import Toolbox


class PartsAgent(Agent[Config, State, Catalog]):
    """Helps customers find out what is wrong, which part they need and whether it fits."""

    name = "parts"
    hears = True
    uploads: ClassVar[Mapping[str, int]] = {"/api/parts/files": 500_000_000}
    edition = 24
    title = "Appliance parts"
    seats = ("customer",)
    events = EVENTS
    upcasters: ClassVar[Mapping[tuple[str, int], Upcaster]] = {
        (event.__name__, 1): mark_early for event in EVENTS if issubclass(event, Revised)
    }
    config_type = Config
    state_type = State
    draft_type = Draft

    def new(self, config: Config, rng: Random) -> State:
        """Start with an empty conversation."""
        return State()

    def build_graph(self, config: Config) -> Graph:
        """Compile the turn's graph."""
        from ruleplay.agents.parts.graph import build_graph

        return build_graph()

    def open_world(self, settings: Settings) -> Catalog:
        """Open the imported catalog, or the demo catalog until there is one."""
        return open_catalog(catalog_file(settings), settings.home, imported_catalog(settings))

    def view(self, state: State, seat: str) -> Json:
        """Describe the conversation for the customer's screen."""
        return view(state)

    def problems(self, before: State, events: list[Event], after: State) -> tuple[str, ...]:
        """Check two invariants of a turn, for fuzzing and tests.

        Every argument of a tool call must come from a verified slot, and every event that belongs
        in the ledger must have made an entry there.
        """
        found: list[str] = []
        state = before
        for event in events:
            if isinstance(event, ToolReturned):
                found.extend(f"{event.tool}: {problem}" for problem in _unfounded(state, event))
            state = state.apply(event)
        noted = sum(isinstance(event, LEDGER_EVENTS) for event in events)
        if after.entries != before.entries + noted:
            found.append(f"{noted} ledger entries were due, {after.entries - before.entries} made")
        return tuple(found)

    def problems_told(
        self, before: State, given: Given, events: list[Event], reply: str, after: State
    ) -> tuple[str, ...]:
        """Also report answers about parts that the message neither named nor pointed at."""
        strange = strange_subjects(before, given.message, events)
        unsaid = unspoken_numbers(given.message, events, reply)
        return (*self.problems(before, events, after), *strange, *unsaid)

    def tools(self) -> Toolbox:
        """Offer the catalog's tools to other programs."""
        from ruleplay.agents.parts.tools import TOOLBOX

        return TOOLBOX

    def benchmarks(self) -> tuple[Benchmark, ...]:
        """List the benchmarks of this agent."""
        return (
            Benchmark(
                "parts",
                "benchmarks.parts.report:bench_parts",
                "ids, customers' words, catalog lookups and turns of parts",
                "data",
            ),
            Benchmark(
                "parts-subject",
                "benchmarks.parts.subjects:bench_subjects",
                "whether answers of parts are about what was asked, over generated dialogues",
                "turns",
            ),
        )

    def rehearse(self, state: State, rng: Random) -> Given:
        """Make up what a customer might say next."""
        return Given(message=rehearsal.message(state, rng))


def imported_catalog(settings: Settings) -> Path:
    """Tell at which path an import puts its catalog."""
    return settings.home / "parts.catalog"


def catalog_file(settings: Settings) -> Path:
    """Choose the catalog in use; builds the demo catalog when none was imported."""
    imported = imported_catalog(settings)
    return imported if imported.exists() else ensure_demo(settings.home / "parts-demo.catalog")


def _unfounded(state: State, returned: ToolReturned) -> list[str]:
    """List arguments of a tool call that were not verified slots when the tool ran."""
    slots, args = state.slots, returned.args
    checking = returned.goal is Goal.CHECK
    problems: list[str] = []
    kinds = {"model": VerifiedModel, "part": VerifiedPart}
    for name, kind in kinds.items():
        if name not in args:
            continue
        slot = getattr(slots, name)
        # A compatibility check alone may use a number that the catalog lacks and the customer
        # insists on.
        sure = isinstance(slot, kind) or (checking and isinstance(slot, UnknownId))
        if not sure or slot.value != args[name]:
            problems.append(f"{name} {args[name]!r} was not verified")
    if "symptoms" in args and args["symptoms"] != [slot.value for slot in slots.symptoms]:
        problems.append("symptoms were not those of the case")
    return problems


AGENT = PartsAgent()
