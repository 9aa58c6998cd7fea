"""The party agent: what the kernel and the catalog know of it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, ClassVar, TypeGuard

from ruleplay.agents.party.adapters.library import open_book
from ruleplay.agents.party.adapters.srd_source import DATA
from ruleplay.agents.party.adapters.tables import Library, lay_table, turn_queue
from ruleplay.agents.party.domain.admission import admit, audience_of
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.comparing import differences
from ruleplay.agents.party.domain.happenings.table import Acted, Spoke, TakenBack
from ruleplay.agents.party.domain.happenings.tale import AskedBack, Did
from ruleplay.agents.party.domain.invariants import broken_rules
from ruleplay.agents.party.domain.seats import DM, TABLE, own_words
from ruleplay.agents.party.policy import rehearsal
from ruleplay.agents.party.policy.refusals import said_no
from ruleplay.agents.party.state import EVENTS, Config, Draft, Happened, State
from ruleplay.agents.party.view import view
from ruleplay.errors import Conflict, UserError
from ruleplay.kernel.agent import Agent, Difference, Move
from ruleplay.kernel.agent import Draft as AnyDraft
from ruleplay.kernel.autoplay import Pace, play_on
from ruleplay.kernel.offers import Benchmark
from ruleplay.kernel.session import Session
from ruleplay.records.events import Event, Json
from ruleplay.records.given import Given, Message
from ruleplay.records.turns import Turn
from ruleplay.settings import Settings

if TYPE_CHECKING:
    from ruleplay.kernel.graph import Graph

LOG = "log"
"""Channel of the log of everything said, which only the DM may read."""


class PartyAgent(Agent[Config, State, Library]):
    """Plays a D&D table: a DM and characters in rounds, and humans at any seat."""

    name = "party"
    hears = True
    title = "Party"
    seats = (DM, TABLE)
    public_seat = TABLE
    log = (LOG, DM)
    rehearsal = 100
    edition: ClassVar[int] = 29
    rules = DATA
    events = EVENTS
    config_type = Config
    state_type = State
    draft_type = Draft

    def new(self, config: Config, rng: Random) -> State:
        """Create a party at the start of its adventure (UserError names what is wrong)."""
        return lay_table(config, rng)

    def graph_key(self, config: Config) -> str:
        """Return the turn queue as a key; tables with equal queues share a graph."""
        return " ".join(turn_queue(config))

    def build_graph(self, config: Config) -> Graph:
        """Compile the turn's graph."""
        from ruleplay.agents.party.graph import create_game_workflow

        return create_game_workflow(turn_queue(config))

    def open_world(self, settings: Settings) -> Library:
        """Open the library of adventures and characters."""
        return Library()

    def view(self, state: State, seat: str) -> Json:
        """Return what a seat may see."""
        return view(state, seat, _book(state))

    def may_be_taken_back(self, given: Given, events: Sequence[Event]) -> bool:
        """Whether a turn did something: not if it changed seats, or only asked the player back."""
        sits = given.action is not None and given.action.get("do") == "hold"
        asked = any(isinstance(one, AskedBack) for one in events)
        did = any(
            isinstance(one, Spoke | Did) or (isinstance(one, Acted) and one.seat != DM)
            for one in events
        )
        return not sits and (did or not asked)

    def takes_back(self, events: Sequence[Event]) -> bool:
        """Whether a person has undone their last turn."""
        return any(isinstance(event, TakenBack) for event in events)

    def instead(self, events: Sequence[Event]) -> Given | None:
        """Return what a person does in place of their last turn, if they said so."""
        taken = (one for one in events if isinstance(one, TakenBack))
        words = next((str(getattr(one, "instead", "")) for one in taken), "")
        return Given(message=words, action={"do": "instead", "text": words}) if words else None

    def seats_of(self, state: State) -> tuple[str, ...]:
        """Return the table's seats, the DM's first and the spectators' last."""
        return (*state.table.turn_queue, TABLE)

    def next_move(self, state: State) -> Move | None:
        """Return whose move it is; the game waits for humans, until their time is up."""
        table = state.table
        if table.paused or table.mode == "ended":
            return None
        given = Given(action={"do": "round"})
        for seat in table.onlookers[:1]:
            return Move(seat=seat, given=given, waits=True, round=table.round)
        held = table.is_held(table.current_turn)
        given = Given(action={"do": "timeout"}) if held else given
        return Move(seat=table.current_turn, given=given, waits=held, round=table.round)

    def admit(self, state: State, seat: str, given: Given) -> None:
        """Refuse an input that a seat may not send now (Conflict), or that is malformed."""
        refused = admit(state.table, _book(state), seat, given.message, given.action)
        if refused:
            raise (UserError if refused.malformed else Conflict)(said_no(refused, state.table))

    def audience(self, state: State, seat: str, given: Given) -> tuple[str, ...]:
        """Return who may read an input: whispers only some seats, tokens' hashes nobody."""
        return audience_of(state.table, _book(state), seat, given.message, given.action)

    def seat_guard(self, state: State, seat: str) -> str:
        """Return the SHA-256 of the token of the human who holds a seat; empty if nobody does."""
        found = state.table.seats.get(seat)
        return found.key if found and found.held else ""

    def sit(self, state: State, seat: str, guard: str, name: str) -> Given:
        """Return the input that gives a seat to a human."""
        return Given(action={"do": "hold", "seat": seat, "by": "human", "key": guard})

    def leave(self, state: State, seat: str) -> Given:
        """Return the input by which a human leaves a seat to its model or the policy."""
        relief = state.table.seats[seat].relief if seat in state.table.seats else "policy"
        return Given(action={"do": "hold", "seat": seat, "by": relief})

    def messages(self, draft: AnyDraft[State]) -> tuple[Message, ...]:
        """Return the turn's lines: the reply, asides by seat, what was typed, and the log."""
        lines = [Message(role="assistant", text=draft.reply, channel=TABLE)] if draft.reply else []
        for aside in draft.asides:
            lines += [
                Message(role="assistant", text=aside.text, channel=seat)
                for seat in draft.before.table.turn_queue
                if seat in aside.audience
            ]
        if said := draft.given.message.strip():
            lines.append(Message(role="user", text=said[:1_000], channel=own_words(draft.seat)))
        log = draft.ground_truth_log if isinstance(draft, Draft) else []
        return (*lines, *(Message(role="assistant", text=line, channel=LOG) for line in log))

    def problems(self, before: State, events: list[Event], after: State) -> tuple[str, ...]:
        """List the invariants that a turn broke; for tests and fuzzing."""
        happened = [event for event in events if _is_happening(event)]
        return tuple(broken_rules(before.table, happened, after.table, _book(before)))

    def differences(self, one: State, other: State, seat: str) -> tuple[Difference, ...]:
        """List the differences of two branches that everybody may know."""
        found = differences(one.table, other.table, _book(one))
        return tuple(Difference.model_validate(row._asdict()) for row in found)

    def benchmarks(self) -> tuple[Benchmark, ...]:
        """Return party's benchmarks."""
        return (
            Benchmark(
                "party",
                "benchmarks.party.report:bench_party",
                "turns, prompts and state of one long game at a table",
                "turns",
            ),
        )

    def rehearse(self, state: State, rng: Random) -> Given:
        """Return a plausible next input of the seat whose move it is."""
        return self.rehearse_seat(state, rng)[1]

    def rehearse_seat(self, state: State, rng: Random) -> tuple[str, Given]:
        """Return a seat and a plausible input of it, not only of the one whose move it is."""
        return rehearsal.turn(state, _book(state), rng)


async def run_single_round(session: Session) -> tuple[Turn, ...]:
    """Play the turns of one round and return them; stop at a human's seat and at the end.

    A round is over once everybody who can act has acted, also if a fight begins or ends in it.
    """
    turns: list[Turn] = []
    acted: set[str] = set()
    async for step in play_on(session.host, session.id, Pace()):
        if step.stage == "waiting":
            break
        if step.turn:
            turns.append(step.turn)
            acted |= {str(one["seat"]) for one in step.turn.events if one["type"] == "Acted"}
            state = State.model_validate_json((await session.head()).state)
            if _all_acted(state, acted):
                break
    return tuple(turns)


def _all_acted(state: State, acted: set[str]) -> bool:
    """Whether everybody at a table who can act has done so."""
    table = state.table
    waiting = [one for one in table.characters if not table.is_fallen(one) and one not in acted]
    return not waiting and (DM in acted or table.cast.fight is None)


async def ground_truth_log(session: Session, last: int = 200) -> tuple[str, ...]:
    """Return the newest lines of the DM's log of everything said: `[DM]: …`, `[Thorin]: …`."""
    head = await session.head()
    lines = await session.host.store.messages(head.head, LOG, last)
    return tuple(line.text for line in lines)


def _is_happening(event: Event) -> TypeGuard[Happened]:
    return isinstance(event, Happened)


def _book(state: State) -> Book:
    """Open the adventure and rules of a session."""
    return open_book(state.adventure, state.source, state.rules)


AGENT = PartyAgent()
