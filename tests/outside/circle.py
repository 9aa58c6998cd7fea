"""A circle of story tellers who speak in turn: guarded seats, whispers and rounds."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, ClassVar

from ruleplay.errors import Conflict, UserError
from ruleplay.kernel.agent import Agent, Config, Draft, Move, State, Update
from ruleplay.kernel.context import Context
from ruleplay.kernel.graph import END, START, Graph, Runtime
from ruleplay.records.events import EVERYONE, Aside, Event, Json
from ruleplay.records.given import Given

if TYPE_CHECKING:
    from ruleplay.kernel.graph import Graph
    from ruleplay.settings import Settings

NOBODY: tuple[str, ...] = ()


class Tellers(Config):
    """Who sits in the circle, in order, and how long those think whom nobody plays."""

    tellers: tuple[str, ...] = ("ada", "ben", "cyd")
    seconds: float = 0
    rounds: int = 1_000


class Seated(Event):
    """Somebody sat down (`guard` is the hash of their token) or left (empty)."""

    seat: str
    guard: str


class Spoke(Event):
    """A teller's turn is over; without words they let it pass or were not there."""

    seat: str
    words: str
    how: str


class Whispered(Event):
    """Words that do not use up a turn."""

    seat: str
    words: str


class Ring(State):
    """The circle between turns; `turns` counts what was told."""

    tellers: tuple[str, ...]
    seconds: float
    rounds: int
    guards: tuple[tuple[str, str], ...] = ()
    turns: int = 0
    told: tuple[tuple[str, str], ...] = ()
    whispers: tuple[tuple[tuple[str, ...], str], ...] = ()

    def apply(self, event: Event) -> Ring:
        """Return the circle after an event."""
        match event:
            case Seated(seat=seat, guard=guard):
                kept = tuple(pair for pair in self.guards if pair[0] != seat)
                mine = ((seat, guard),) if guard else ()
                return self.model_copy(update={"guards": kept + mine})
            case Spoke(seat=seat, words=words):
                told = (*self.told, (seat, words))[-1_000:]
                return self.model_copy(update={"turns": self.turns + 1, "told": told})
            case Whispered(words=words, audience=audience):
                return self.model_copy(
                    update={"whispers": (*self.whispers, (audience, words))[-100:]}
                )
            case _:
                raise TypeError(type(event).__name__)

    @property
    def moves(self) -> str:
        """Who speaks next."""
        return self.tellers[self.turns % len(self.tellers)]

    @property
    def round(self) -> int:
        """The running round, from 1."""
        return self.turns // len(self.tellers) + 1


@dataclass(kw_only=True)
class Telling(Draft[Ring]):
    """A turn in the making."""


class Circle(Agent[Tellers, Ring, None]):
    """Tellers speak one after the other; who holds a seat speaks for themselves."""

    name: ClassVar[str] = "circle"
    title: ClassVar[str] = "A circle of story tellers"
    seats: ClassVar[tuple[str, ...]] = Tellers().tellers
    public_seat: ClassVar[str] = "gallery"
    events = (Seated, Spoke, Whispered)
    config_type = Tellers
    state_type = Ring
    draft_type = Telling

    def new(self, config: Tellers, rng: Random) -> Ring:
        """Return an empty circle."""
        return Ring(tellers=config.tellers, seconds=config.seconds, rounds=config.rounds)

    def build_graph(self, config: Tellers) -> Graph:
        """Compile the graph: one step."""
        builder = Graph(Telling)
        builder.add_node("speak", speak)
        builder.add_edge(START, "speak")
        builder.add_edge("speak", END)
        return builder.compile(Update)

    def open_world(self, settings: Settings) -> None:
        """Nothing is outside."""

    def view(self, state: Ring, seat: str) -> Json:
        """Return what was told, and the whispers that this seat heard."""
        heard = [words for audience, words in state.whispers if seat in audience]
        return {
            "moves": state.moves,
            "round": state.round,
            "told": [list(pair) for pair in state.told],
            "held": [seat for seat, _ in state.guards],
            "whispers": [*heard],
            "seat": seat,
        }

    def seats_of(self, state: Ring) -> tuple[str, ...]:
        """Return the tellers."""
        return state.tellers

    def seat_guard(self, state: Ring, seat: str) -> str:
        """Return the hash of the token of who sits there."""
        return dict(state.guards).get(seat, "")

    def sit(self, state: Ring, seat: str, guard: str, name: str) -> Given:
        """Return the input that seats a person."""
        return Given(action={"do": "sit", "guard": guard})

    def leave(self, state: Ring, seat: str) -> Given:
        """Return the input that frees a seat."""
        return Given(action={"do": "leave"})

    def next_move(self, state: Ring) -> Move | None:
        """Return whose word it is: a person is waited for."""
        if state.round > state.rounds:
            return None
        held = bool(self.seat_guard(state, state.moves))
        given = Given(action={"do": "timeout" if held else "speak"})
        return Move(seat=state.moves, given=given, waits=held, round=state.round)

    def audience(self, state: Ring, seat: str, given: Given) -> tuple[str, ...]:
        """Return who may read an input: nobody a token's hash, few a whisper."""
        if _do(given) == "sit":
            return NOBODY
        return (seat, *_whom(given)) if _do(given) == "whisper" else (EVERYONE,)

    def admit(self, state: Ring, seat: str, given: Given) -> None:
        """Refuse who is not to speak, and whom a model may not speak for."""
        do, held = _do(given), bool(self.seat_guard(state, seat))
        if seat not in state.tellers:
            raise Conflict(f"no seat {seat!r} here")
        if do == "sit" and held:
            raise Conflict(f"somebody sits on {seat!r}")
        if do in ("sit", "leave", "whisper"):
            return
        if state.moves != seat:
            raise Conflict(f"it is the word of {state.moves!r}")
        if do == "speak" and held:
            raise Conflict(f"{seat!r} speaks for themselves")

    def rehearse(self, state: Ring, rng: Random) -> Given:
        """Return what moves the circle on."""
        move = self.next_move(state)
        return move.given if move else Given(message="The end.")


def _do(given: Given) -> str:
    return str((given.action or {}).get("do", "say"))


def _whom(given: Given) -> tuple[str, ...]:
    to = (given.action or {}).get("to")
    return tuple(str(seat) for seat in to) if isinstance(to, list) else ()


async def speak(state: Telling, runtime: Runtime[Context[None]]) -> Update:
    """Do what the input says."""
    seat, do, action = state.seat, _do(state.given), state.given.action or {}
    match do:
        case "sit" | "leave":
            guard = str(action.get("guard", ""))
            verb = "sits down" if guard else "leaves"
            seated = Seated(seat=seat, guard=guard, audience=NOBODY)
            return {"events": [seated], "reply": f"Somebody {verb}: {seat}."}
        case "whisper":
            audience, words = (seat, *_whom(state.given)), str(action["text"])
            runtime.context.say(words, audience)
            whispered = Whispered(seat=seat, words=words, audience=audience)
            return {"events": [whispered], "asides": [Aside(text=words, audience=audience)]}
        case "speak":
            await asyncio.sleep(state.now.seconds)
            words = f"Once upon a time, says {seat}."
        case "timeout" | "pass":
            words = ""
        case _:
            words = state.given.message
    if seat == "broken":
        raise UserError(f"{seat!r} has no voice")
    reply = words or f"{seat} is silent."
    runtime.context.say(reply)
    return {"events": [Spoke(seat=seat, words=words, how=do)], "reply": reply}


AGENT = Circle()
