"""The battle agent's definition, as the catalog imports it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from ruleplay.agents.battle.adapters.dex_source import DATA
from ruleplay.agents.battle.adapters.findings import findings
from ruleplay.agents.battle.adapters.records import recorded_positions
from ruleplay.agents.battle.adapters.world import World
from ruleplay.agents.battle.policy.actions import Decide, Send, read_action
from ruleplay.agents.battle.policy.rehearsal import next_input
from ruleplay.agents.battle.state import (
    EVENTS,
    DecisionTrace,
    Draft,
    OrderChanged,
    OrderChosen,
    PositionRead,
    State,
)
from ruleplay.agents.battle.view import view
from ruleplay.errors import Conflict, UserError
from ruleplay.kernel.agent import Agent
from ruleplay.kernel.agent import Config as FoundationConfig
from ruleplay.kernel.agent import Draft as FoundationDraft
from ruleplay.kernel.offers import Benchmark, JobOffer
from ruleplay.records.events import Event, Json
from ruleplay.records.given import Given, Message
from ruleplay.settings import Settings
from ruleplay.system.finding import Finding

if TYPE_CHECKING:
    from ruleplay.kernel.graph import Graph
    from ruleplay.kernel.toolbox import Toolbox

PROBABILITY_SLIP = 1e-6
"""Tolerance for a sum of probabilities."""


class Config(FoundationConfig):
    """A battle's session: the server's room, our name there, and what a decision may use.

    `workers` are the processes that may search one decision; 0 takes those that are idle.
    `engine` is `auto` (the engine where it is installed), `poke-engine` or `python`.
    """

    battle: str = Field(default="", max_length=200)
    us: str = Field(default="", max_length=80)
    format: str = Field(default="gen9randombattle", max_length=80)
    search_ms: int = Field(default=100, ge=0, le=20_000)
    engine: str = Field(default="auto", pattern="^(auto|poke-engine|python)$")
    workers: int = Field(default=0, ge=0, le=16)
    lang: str = Field(default="en", pattern="^(en|fr)$")


class BattleAgent(Agent[Config, State, World]):
    """Plays Pokémon Showdown battles and explains its choices."""

    name = "battle"
    hears = True
    uploads: ClassVar[Mapping[str, int]] = {"/api/battle/reviews": 8_000_000}
    # Raised when decisions change: a replay applies the events of older turns, and does not decide
    # them again.
    edition = 17
    rules = DATA
    title = "Pokémon battles"
    seats = ("player",)
    events = EVENTS
    config_type = Config
    state_type = State
    draft_type = Draft

    def new(self, config: Config, rng: Random) -> State:
        """Create the state of a battle before its first request."""
        return State.model_validate(config.model_dump(exclude={"rules"}))

    def demo(self) -> Config:
        """Configure a session in which recorded positions can be played."""
        return Config(search_ms=20)

    def build_graph(self, config: Config) -> Graph:
        """Compile the turn's graph."""
        from ruleplay.agents.battle.graph import build_graph

        return build_graph()

    def open_world(self, settings: Settings) -> World:
        """Open the set pools and the search; this installs and generates nothing."""
        return World(settings.home)

    def messages(self, draft: FoundationDraft[State]) -> tuple[Message, ...]:
        """Keep what was said and chosen as history, but not memory notes.

        Notes are in the state and outdated a turn later.
        """
        notes = (draft.given.action or {}).get("kind") == "remember"
        return () if notes else super().messages(draft)

    def view(self, state: State, seat: str) -> Json:
        """Show the battle as pages draw it."""
        return view(state)

    def admit(self, state: State, seat: str, given: Given) -> None:
        """Refuse input that cannot be handled, such as an unreadable position."""
        if given.action is None:
            super().admit(state, seat, given)
            return
        if seat not in self.seats:
            raise Conflict(f"no seat {seat!r} here; the seats are {', '.join(self.seats)}")
        if given.message:
            raise UserError("a turn is an action or a message, not both")
        action = read_action(given.action)
        if state.result is not None:
            raise Conflict("this battle is over; a new one is a new session")
        if isinstance(action, Decide) and not action.position.legal:
            raise UserError("the position has no legal order to choose from")
        if isinstance(action, Send) and not _is_held(state, action):
            raise Conflict("no order is held for that question")

    def undo_problem(self, state: State) -> str:
        """Say why a sent decision cannot be undone: the server has it."""
        if not state.decisions:
            return ""
        return "what was sent to the server cannot be taken back; fork the battle to analyse it"

    def problems(self, before: State, events: list[Event], after: State) -> tuple[str, ...]:
        """List broken invariants: illegal orders, wrong wire messages, unsound numbers."""
        found: list[str] = []
        position = before.position
        for event in events:
            if isinstance(event, PositionRead):
                position = event.position
            elif isinstance(event, OrderChosen | OrderChanged):
                chosen = event.chosen if isinstance(event, OrderChanged) else event
                if position is None or chosen.order not in position.legal:
                    found.append(f"{chosen.wire!r} is not legal")
                elif chosen.wire != position.wire(chosen.order):
                    found.append(f"{chosen.wire!r} is not how {chosen.order!r} is sent")
            elif isinstance(event, DecisionTrace):
                found.extend(_unsound(event))
        return tuple(found)

    def benchmarks(self) -> tuple[Benchmark, ...]:
        """List the agent's benchmarks."""
        return (
            Benchmark(
                "battle",
                "benchmarks.battle.guesses:bench_guesses",
                "damage ranges and guessed sets, held against real battles",
                "turns",
            ),
            Benchmark(
                "battle-agreement",
                "benchmarks.battle.agreement:bench_agreement",
                "decisions of 200 ms, held against a long search of the same engine",
            ),
            Benchmark(
                "battle-choices",
                "benchmarks.battle.choices:bench_choices",
                "choices in six formats, and how many of them a server refuses",
            ),
        )

    def jobs(self) -> tuple[JobOffer, ...]:
        """List the long jobs that workers can run for it."""
        return (
            JobOffer(
                "arena",
                "Battles against a baseline, and how strong we are",
                "ruleplay.agents.battle.jobs.arena:ARENA",
            ),
        )

    def tools(self) -> Toolbox:
        """Offer damage, sets and reviews as tools."""
        from ruleplay.agents.battle.tools import TOOLBOX

        return TOOLBOX

    def findings(self, home: Path) -> Iterable[Finding]:
        """Check the Showdown server, the sets and the engine."""
        return findings(home)

    def rehearse(self, state: State, rng: Random) -> Given:
        """Draw a random input for fuzzing."""
        return next_input(state, recorded_positions(), rng)


def _is_held(state: State, action: Send) -> bool:
    order = state.order
    return order is not None and order.held and order.request_id == action.request_id


def _unsound(trace: DecisionTrace) -> list[str]:
    """List inconsistencies in a trace's numbers."""
    problems = []
    chances = [one.probability for one in trace.expected.predictions]
    if chances and abs(sum(chances) - 1) > PROBABILITY_SLIP:
        problems.append(f"the prediction's probabilities sum to {sum(chances)}")
    ranges = [option.damage for option in trace.moves.moves]
    problems += [f"a damage range from {d.low} to {d.high}" for d in ranges if d.low > d.high]
    return problems


AGENT = BattleAgent()
"""The instance that the catalog imports."""
