"""The saga agent: what the kernel and the catalog know of it."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, TypeGuard

from pydantic import ValidationError

from ruleplay.agents.saga.adapters.library import Library, open_book
from ruleplay.agents.saga.adapters.rules_source import DATA
from ruleplay.agents.saga.domain.creation import creation_problems, make_sheet
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.happenings import Happening, TakenBack
from ruleplay.agents.saga.domain.invariants import broken_bounds, broken_rules
from ruleplay.agents.saga.domain.setting import roster
from ruleplay.agents.saga.policy import rehearsal
from ruleplay.agents.saga.state import EVENTS, NARRATIVE, Config, Draft, State, channel_of
from ruleplay.agents.saga.view import view
from ruleplay.errors import Conflict, UserError, first_invalid
from ruleplay.kernel.agent import Agent
from ruleplay.kernel.agent import Draft as AnyDraft
from ruleplay.kernel.offers import Benchmark
from ruleplay.records.events import Event, Json
from ruleplay.records.given import Given, Message
from ruleplay.settings import Settings
from ruleplay.story.acts import Reading, problems
from ruleplay.story.hearing import ear
from ruleplay.story.style import Style
from ruleplay.story.texts import Text

if TYPE_CHECKING:
    from ruleplay.kernel.graph import Graph


class SagaAgent(Agent[Config, State, Library]):
    """Plays a story that turns into d100 combat and back, in English or French."""

    name = "saga"
    hears = True
    edition = 23
    rules = DATA
    title = "Saga"
    seats = ("player",)
    events = EVENTS
    config_type = Config
    state_type = State
    draft_type = Draft

    def new(self, config: Config, rng: Random) -> State:
        """Create a hero at the start of a story (UserError if the hero breaks the rules)."""
        book = open_book(config.scenario, config.source, config.rules)
        made = (config.name, config.race, config.culture, config.stats, config.skills)
        if problems := creation_problems(book.rules, *made):
            cannot = Text(en="this hero cannot be made", fr="ce héros est impossible")
            told = "; ".join(problem.of(config.lang) for problem in problems)
            raise UserError(f"{cannot.of(config.lang)}: {told}")
        start = book.scenario.start
        game = Game(
            dice_seed=f"{rng.getrandbits(64):016x}",
            lang=config.lang,
            sheet=make_sheet(book.rules, *made),
            place=start,
            haven=start,
        )
        style = config.style if config.style != Style() else None
        return State(
            game=game,
            scenario=book.scenario.key,
            source=config.source,
            style=style,
            rules=config.rules,
        )

    def admit(self, state: State, seat: str, given: Given) -> None:
        """Refuse an input before the turn starts; a typed action needs no message."""
        if given.action is None:
            super().admit(state, seat, given)
            return
        if seat not in self.seats:
            raise Conflict(f"no seat {seat!r} here; the seats are {', '.join(self.seats)}")
        try:
            reading = Reading.model_validate(given.action)
        except ValidationError as error:
            where, what = first_invalid(error)
            raise UserError(f"the action: {where}: {what}") from error
        book = open_book(state.scenario, state.source, state.rules)
        if wrong := problems(reading, roster(state.game, book)):
            raise UserError(f"the action: {wrong[0]}")

    def build_graph(self, config: Config) -> Graph:
        """Compile the turn's graph."""
        from ruleplay.agents.saga.graph import build_graph

        return build_graph()

    def open_world(self, settings: Settings) -> Library:
        """Open the library of scenarios; runs in a thread, not on the event loop."""
        ear()  # loads the classifier, so that the first message need not wait for it
        return Library()

    def view(self, state: State, seat: str) -> Json:
        """Return what the player's page shows."""
        return view(state, open_book(state.scenario, state.source, state.rules))

    def title_of(self, state: State) -> str:
        """Return the story's title and the hero's name."""
        book = open_book(state.scenario, state.source, state.rules)
        return f"{book.scenario.title.of(state.game.lang)} · {state.game.sheet.name}"

    def seat_title(self, state: State, seat: str) -> str:
        """Return the hero's name, by which the player is shown."""
        return state.game.sheet.name

    def messages(self, draft: AnyDraft[State]) -> tuple[Message, ...]:
        """Return the turn's message and reply as lines for the history of its mode.

        A turn that starts a fight is recorded in the fight's history as well.
        """
        own = channel_of(draft.before.game)
        channels = (own, channel_of(draft.now.game)) if own == NARRATIVE else (own,)
        return tuple(
            line
            for channel in dict.fromkeys(channels)
            for line in (
                Message(role="user", text=draft.given.message, channel=channel),
                Message(role="assistant", text=draft.reply, channel=channel),
            )
        )

    def problems(self, before: State, events: list[Event], after: State) -> tuple[str, ...]:
        """List the invariants that a turn broke; for tests and fuzzing."""
        happened = [*filter(_is_happening, events)]
        book = open_book(before.scenario, before.source, before.rules)
        game = before.game
        # After an undo the remaining events apply to the earlier game.
        for at, one in enumerate(happened):
            if isinstance(one, TakenBack) and before.was:
                game, happened = before.was, happened[at + 1 :]
        bounds = broken_bounds(book, game, happened, after.game)
        return (*broken_rules(game, happened, after.game), *bounds)

    def benchmarks(self) -> tuple[Benchmark, ...]:
        """Return saga's benchmarks."""
        return (
            Benchmark(
                "saga",
                "benchmarks.saga.report:bench_saga",
                "turns, engine and prompts of one long saga, and how hard its fights are",
                "turns",
            ),
        )

    def rehearse(self, state: State, rng: Random) -> Given:
        """Return a random input such as a player might give next."""
        book = open_book(state.scenario, state.source, state.rules)
        return Given(message=rehearsal.message(state, book, rng))


def _is_happening(event: Event) -> TypeGuard[Happening]:
    return isinstance(event, Happening)


AGENT = SagaAgent()
