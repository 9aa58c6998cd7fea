"""`ruleplay bench saga`: what turns of a long saga cost, the prompts' size, how hard fights are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from benchmarks.saga.fights import FightFigures, fight_figures
from pydantic import BaseModel, ConfigDict

from ruleplay.agents.saga import prompts
from ruleplay.agents.saga.adapters.library import Library, shipped_scenarios
from ruleplay.agents.saga.agent import AGENT
from ruleplay.agents.saga.domain import skirmish
from ruleplay.agents.saga.domain.intents import Intent
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.nodes import hear
from ruleplay.agents.saga.policy.lines import script_of
from ruleplay.agents.saga.policy.parsing import parse
from ruleplay.agents.saga.policy.recap import known_so_far
from ruleplay.agents.saga.state import Draft, History, State, channel_of, event_of
from ruleplay.kernel.context import Prompt
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import Session
from ruleplay.records.events import Event
from ruleplay.records.given import Given
from ruleplay.settings import Settings

TURNS, BLOCK = 500, 100
Progress = Callable[[int, int], None]


class SagaBench(BaseModel):
    """What turns of one long session cost, in milliseconds, and its prompts, in characters.

    `fresh_block_ms` is a fresh session's block, played turn about with the last one, and `ratio`
    compares the two. `engine_ms` is processor time of understanding, rules and templates.
    """

    model_config = ConfigDict(frozen=True)

    turns: int
    fresh_block_ms: float
    last_block_ms: float
    ratio: float
    engine_ms_median: float
    engine_ms_most: float
    prompt_first_block: int
    prompt_last_block: int
    prompt_most: int
    fights: tuple[FightFigures, ...]


async def bench_saga(
    turns: int = TURNS, on_progress: Progress = lambda done, of: None
) -> SagaBench:
    """Play one session of so many turns with model `rules`, and a fresh one beside its end."""
    with TemporaryDirectory(prefix="ruleplay-bench-") as scratch:
        settings = Settings(home=Path(scratch), db="", model="rules")
        host = await Host.open(settings, lambda name: AGENT)
        try:
            long, fresh = [await _Played.begin(host) for _ in range(2)]
            for number in range(turns):
                await long.turn()
                if number >= turns - BLOCK:
                    await fresh.turn()
                on_progress(number + 1, turns)
        finally:
            await host.close()
    return _figures(long, fresh)


def _figures(long: _Played, fresh: _Played) -> SagaBench:
    last, beside = median(long.whole[-BLOCK:]), median(fresh.whole)
    return SagaBench(
        turns=len(long.whole),
        fresh_block_ms=round(beside, 2),
        last_block_ms=round(last, 2),
        ratio=round(last / beside, 2),
        engine_ms_median=round(median(long.engine), 2),
        engine_ms_most=round(max(long.engine), 2),
        prompt_first_block=round(median(long.prompt[:BLOCK])),
        prompt_last_block=round(median(long.prompt[-BLOCK:])),
        prompt_most=max(long.prompt),
        fights=tuple(_fights()),
    )


def _fights() -> Iterator[FightFigures]:
    library = Library()
    for key in shipped_scenarios():
        yield from fight_figures(library.book(key, "", ""))


@dataclass
class _Played:
    """One session while it is played, and what its turns cost."""

    session: Session
    rng: Random
    whole: list[float] = field(default_factory=list)
    engine: list[float] = field(default_factory=list)
    prompt: list[int] = field(default_factory=list)

    @classmethod
    async def begin(cls, host: Host) -> _Played:
        return cls(Session(host, (await host.create("saga", seed="bench")).id), Random("bench"))

    async def turn(self) -> None:
        """Play one turn; a story that has ended goes on from the turn before."""
        state = await _state(self.session)
        if state.game.ending:
            await self.session.undo()
            state = await _state(self.session)
        given, channel = AGENT.rehearse(state, self.rng), channel_of(state.game)
        store, head = self.session.host.store, await self.session.head()
        last = min(prompts.LINES, state.lines_in(channel))
        lines = await store.messages(head.head, channel, last) if last else ()
        history = History(kind=state.game.mode, channel=channel, lines=lines)
        ms, size = _engine(Library(), state, given, history)
        self.engine.append(ms)
        self.prompt.append(size)
        began = perf_counter()
        await self.session.turn(given.message)
        self.whole.append((perf_counter() - began) * 1000)


async def _state(session: Session) -> State:
    return State.model_validate_json((await session.head()).state)


def _engine(library: Library, state: State, given: Given, history: History) -> tuple[float, int]:
    """Return the milliseconds of a turn's rules and templates, and the prompt's size."""
    began = process_time()
    book = library.book(state.scenario, state.source, state.rules)
    play = Play(state.game, book)
    reading = parse(given.message, state.game, book)
    if state.game.fight:
        skirmish.fight_on(play, reading.intents or (Intent(act="status"),), {})
    else:
        hear(play, reading)
    events: list[Event] = [event_of(one) for one in play.done]
    beats = script_of(state.game, events, book).beats()
    spent = (process_time() - began) * 1000
    draft = Draft(before=state, given=given, seat="player", events=events, history=history)
    chronicle = known_so_far(state.game, book)
    told = prompts.tell(draft, book, beats, "", chronicle)
    read = prompts.read(given.message, state.game, book, history)
    return spent, max(_size(told), _size(read))


def _size(asked: Prompt) -> int:
    return len(asked.system) + len(asked.user) + sum(len(line.text) for line in asked.history)
