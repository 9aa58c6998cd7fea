"""The turns that the server's benchmark plays: a model that writes down the time, and tells it."""

from __future__ import annotations

from random import Random
from time import monotonic_ns
from typing import TYPE_CHECKING, ClassVar

from ruleplay.kernel.agent import Agent, Config, Draft, State, Update
from ruleplay.kernel.context import Context, Prompt
from ruleplay.kernel.graph import END, START, Graph, Runtime
from ruleplay.kernel.tell import tell
from ruleplay.models.scripted import Asked, Rehearsal, Reply
from ruleplay.records.events import Event, Json
from ruleplay.settings import Settings
from ruleplay.telling.citing import Reader

if TYPE_CHECKING:
    from ruleplay.kernel.graph import Graph

STOPWATCH = "stopwatch"
"""The agent's name, and that of the model that speaks for it."""
REST = 0.1
"""Seconds that the model takes for the rest of its text."""


LETTERS = str.maketrans("0123456789", "abcdefghij")
"""A number without a row would be refused; letters are a view."""


def spelled(number: int) -> str:
    """Return a number in letters."""
    return str(number).translate(LETTERS)


def unspelled(letters: str) -> int:
    """Return the number that letters stand for."""
    return int("".join(str(ord(letter) - ord("a")) for letter in letters))


class Chronometer(Rehearsal):
    """Writes one sentence with the time of its writing, by this machine's clock; the rest later."""

    def reply(self, asked: Asked) -> Reply:
        """Return the two sentences."""
        return Reply(
            (
                f"This was written at nanosecond {spelled(monotonic_ns())} of the clock. ",
                "And ",
                REST,
                "this later.",
            )
        )


class StopwatchState(State):
    """Nothing."""

    def apply(self, event: Event) -> StopwatchState:
        """There are no events."""
        raise TypeError(type(event).__name__)


class StopwatchDraft(Draft[StopwatchState]):
    """The draft of one turn."""


class Stopwatch(Agent[Config, StopwatchState, None]):
    """Lets the model speak, and does nothing else."""

    name: ClassVar[str] = STOPWATCH
    title: ClassVar[str] = "A stopwatch"
    seats: ClassVar[tuple[str, ...]] = ("reader",)
    events: ClassVar[tuple[type[Event], ...]] = ()
    config_type = Config
    state_type = StopwatchState
    draft_type = StopwatchDraft

    def new(self, config: Config, rng: Random) -> StopwatchState:
        """Return the only state."""
        return StopwatchState()

    def build_graph(self, config: Config) -> Graph:
        """Compile the one node."""
        builder = Graph(StopwatchDraft)
        builder.add_node("speak", speak)
        builder.add_edge(START, "speak")
        builder.add_edge("speak", END)
        return builder.compile(Update)

    def view(self, state: StopwatchState, seat: str) -> Json:
        """Return nothing."""
        return {}

    def open_world(self, settings: Settings) -> None:
        """There is none."""


async def speak(state: StopwatchDraft, runtime: Runtime[Context[None]]) -> Update:
    """Stream what the model writes; a view, since there is nothing to cite."""
    told = await tell(
        runtime.context,
        f"{STOPWATCH}.voice",
        prompt=lambda: Prompt(system="Tell the time.", user=state.given.message),
        facts=(),
        check=lambda: Reader(()),
        otherwise=lambda: "The model did not speak.",
    )
    return {"reply": told.text}
