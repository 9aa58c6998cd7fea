"""A small agent that lives outside the package: it keeps a count, and can be slow or break.

`hold AMOUNT FILE` adds once the file is there: whoever says so decides when the turn ends.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import BaseModel

from ruleplay.errors import Conflict, ModelError, Unavailable, UserError
from ruleplay.kernel.agent import Agent, Config, Draft, State, Update
from ruleplay.kernel.context import Context, Prompt
from ruleplay.kernel.graph import END, START, Graph, Runtime
from ruleplay.kernel.propose import propose
from ruleplay.records.events import Event, Json
from ruleplay.records.given import Given
from ruleplay.settings import Settings

if TYPE_CHECKING:
    from ruleplay.kernel.graph import Graph


class Start(Config):
    start: int = 0


class Added(Event):
    amount: int
    luck: int


class Whispered(Event):
    words: str


class Count(State):
    total: int = 0
    whispers: tuple[str, ...] = ()

    def apply(self, event: Event) -> Count:
        match event:
            case Added():
                return self.model_copy(update={"total": self.total + event.amount})
            case Whispered():
                return self.model_copy(update={"whispers": (*self.whispers, event.words)})
            case _:
                raise TypeError(type(event).__name__)


@dataclass(kw_only=True)
class Counting(Draft[Count]):
    """A turn in the making."""


class Amount(BaseModel):
    amount: int


class Adds(Agent[Start, Count, None]):
    name: ClassVar[str] = "tally"
    title: ClassVar[str] = "Tally *keeper*"
    seats = ("guest", "keeper")
    events = (Added, Whispered)
    config_type = Start
    state_type = Count
    draft_type = Counting

    def new(self, config: Start, rng: Random) -> Count:
        return Count(total=config.start)

    def build_graph(self, config: Start) -> Graph:
        builder = Graph(Counting)
        builder.add_node("read", read)
        builder.add_node("count", count)
        builder.add_edge(START, "read")
        builder.add_conditional_edges("read", after_read)
        builder.add_edge("count", END)
        return builder.compile(Update)

    def open_world(self, settings: Settings) -> None:
        return None

    def view(self, state: Count, seat: str) -> Json:
        shown: Json = {"total": state.total, "quick_replies": ["add 1", "add 20"]}
        return {**shown, "whispers": list(state.whispers)} if seat == "keeper" else shown

    def admit(self, state: Count, seat: str, given: Given) -> None:
        if given.action is None:
            super().admit(state, seat, given)
        if given.message == "not now":
            raise Conflict("come back later")

    def undo_problem(self, state: Count) -> str:
        return "a thousand stays a thousand" if state.total >= 1000 else ""

    def rehearse(self, state: Count, rng: Random) -> Given:
        return Given(message=f"add {rng.randrange(9)}")


async def read(state: Counting, runtime: Runtime[Context[None]]) -> Update:
    match state.given.message.split(" ", 1)[0]:
        case "wait":
            await asyncio.Event().wait()
        case "hold":
            while held(state.given.message):
                await asyncio.sleep(0.01)
        case "slow":
            await asyncio.sleep(0.3)
        case "break":
            raise RuntimeError("a secret of the machine")
        case "model-down":
            raise ModelError("the model is out")
        case "missing":
            raise Unavailable("install 'ruleplay[dice]'")
        case "refuse":
            raise UserError("that word is not allowed")
        case "whisper":
            return {"events": [Whispered(words=state.given.message[8:], audience=("keeper",))]}
    return {}


def held(message: str) -> bool:
    return not Path(message.split(" ", 2)[2]).exists()


def after_read(state: Counting) -> Literal["count", "__end__"]:
    return "__end__" if state.given.message == "silent" else "count"


async def count(state: Counting, runtime: Runtime[Context[None]]) -> Update:
    context = runtime.context
    found = re.search(r"\d+", str(state.given.action) + state.given.message)
    asked = int(found[0]) if found else 0
    chosen = await propose(
        context,
        "tally.read",
        prompt=lambda: Prompt(system="Read the amount.", user=state.given.message),
        schema=Amount,
        legal=lambda value: [] if value.amount == asked else ["that is not what was said"],
        otherwise=lambda: Amount(amount=asked),
    )
    added = Added(amount=chosen.value.amount, luck=context.rng("luck").randrange(100))
    total = state.now.total + added.amount
    if state.given.message.startswith("change"):  # a teller that thought again
        context.say("It will not change. ")
    context.say(f"The tally is {total}. ")
    context.say(f"You said: {state.given.message}")
    return {"events": [added], "reply": f"The tally is {total}. You said: {state.given.message}"}


AGENT = Adds()
