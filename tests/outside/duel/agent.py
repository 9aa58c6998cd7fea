"""DUEL: what the entry point names."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, ClassVar

from duel.almanac import Almanac
from duel.graph import build_graph
from duel.state import (
    SEATS,
    BlowStruck,
    BoutEnded,
    DuelConfig,
    DuelDraft,
    DuelState,
    OmenSeen,
    StanceTaken,
)
from ruleplay.errors import Conflict
from ruleplay.kernel.agent import Agent
from ruleplay.records.events import Event, Json
from ruleplay.records.given import Given

if TYPE_CHECKING:
    from ruleplay.kernel.graph import Graph
    from ruleplay.settings import Settings


class Duel(Agent[DuelConfig, DuelState, Almanac]):
    """Two seats strike at each other with a twenty-sided die."""

    name: ClassVar[str] = "duel"
    title: ClassVar[str] = "A duel with a twenty-sided die"
    seats: ClassVar[tuple[str, ...]] = SEATS
    events: ClassVar[tuple[type[Event], ...]] = (StanceTaken, OmenSeen, BlowStruck, BoutEnded)
    config_type = DuelConfig
    state_type = DuelState
    draft_type = DuelDraft

    def new(self, config: DuelConfig, rng: Random) -> DuelState:
        """Return two duelists who stand; luck decides who has a point more."""
        whole = config.hit_points
        return DuelState(
            hit_points=whole,
            red=whole,
            blue=whole + rng.randint(0, 1),
            alternate=config.alternate,
            sudden_death=config.sudden_death,
        )

    def build_graph(self, config: DuelConfig) -> Graph:
        """Compile the graph of one blow."""
        return build_graph()

    def view(self, state: DuelState, seat: str) -> Json:
        """Return both duelists, and the omens that this seat saw."""
        mine = [sign for who, sign in state.omens if who == seat]
        return {"red": state.red, "blue": state.blue, "bouts": state.bouts, "omens": [*mine]}

    def open_world(self, settings: Settings) -> Almanac:
        """Open the almanac."""
        return Almanac()

    def admit(self, state: DuelState, seat: str, given: Given) -> None:
        """Refuse a duelist who strikes twice in a row where that is forbidden."""
        super().admit(state, seat, given)
        if state.alternate and state.moved_last == seat:
            raise Conflict(f"it is not the turn of {seat!r}; wait for the answer")

    def undo_problem(self, state: DuelState) -> str:
        """Forbid to take back a blow in a sudden-death duel."""
        return "a sudden-death duel is not taken back" if state.sudden_death else ""

    def problems(self, before: DuelState, events: list[Event], after: DuelState) -> tuple[str, ...]:
        """List broken rules: hit points out of range, damage without a hit."""
        found = []
        if not 0 <= after.red <= after.hit_points or not 0 <= after.blue <= after.hit_points + 1:
            found.append(f"hit points out of range: {after.red}, {after.blue}")
        blows = [event for event in events if isinstance(event, BlowStruck)]
        if len(blows) != 1:
            found.append(f"{len(blows)} blows in one turn")
        return tuple(found)

    def rehearse(self, state: DuelState, rng: Random) -> Given:
        """Return a challenge."""
        return Given(message=rng.choice(("Have at you!", "En garde!", "Yield!")))


DUEL = Duel()
