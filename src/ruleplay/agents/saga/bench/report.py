"""`ruleplay bench saga`: what a turn of a long saga costs, and that prompts stay of one size."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from pydantic import BaseModel, ConfigDict

from ruleplay.agents.saga import prompts
from ruleplay.agents.saga.adapters.library import Library
from ruleplay.agents.saga.agent import AGENT
from ruleplay.agents.saga.domain import journey, skirmish
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.understanding import scope_of, understand
from ruleplay.agents.saga.policy.facts import tell_events
from ruleplay.agents.saga.policy.replies import known_so_far
from ruleplay.agents.saga.state import Draft, History, State, channel_of, event_of
from ruleplay.foundation.agent import Given
from ruleplay.foundation.events import Event
from ruleplay.foundation.host import Host
from ruleplay.foundation.session import Session
from ruleplay.foundation.settings import Settings

TURNS, BLOCK = 500, 100
Progress = Callable[[int, int], None]


class SagaBench(BaseModel):
    """Milliseconds and characters: medians of the first and the last block of turns of a session.

    `engine_ms` is understanding, rules and templates of a turn, without graph, store or model.
    """

    model_config = ConfigDict(frozen=True)

    turns: int
    first_block_ms: float
    last_block_ms: float
    ratio: float
    engine_ms_median: float
    engine_ms_most: float
    prompt_first_block: int
    prompt_last_block: int
    prompt_most: int


async def bench_saga(
    turns: int = TURNS, on_progress: Progress = lambda done, of: None
) -> SagaBench:
    """Play one session of so many turns with model `rules`, and measure beside it."""
    with TemporaryDirectory(prefix="ruleplay-bench-") as scratch:
        settings = Settings(home=Path(scratch), db="", model="rules")
        host = await Host.open(settings, lambda name: AGENT)
        try:
            session = Session(host, (await host.create("saga", seed="bench")).id)
            measured = await _measure(session, turns, on_progress)
        finally:
            await host.close()
    return measured


async def _measure(session: Session, turns: int, on_progress: Progress) -> SagaBench:
    rng, library = Random("bench/saga"), Library()
    whole: list[float] = []
    engine: list[float] = []
    prompt: list[int] = []
    for number in range(turns):
        state = await _state(session)
        if state.game.ending:
            state = await _reopened(session)
        given = AGENT.rehearse(state, rng)
        channel = channel_of(state.game)
        head = await session.head()
        lines = await session.host.store.messages(head.head, channel, prompts.LINES)
        history = History(kind=state.game.mode, channel=channel, lines=lines)
        ms, size = _engine(library, state, given, history)
        engine.append(ms)
        prompt.append(size)
        began = perf_counter()
        await session.turn(given.message)
        whole.append((perf_counter() - began) * 1000)
        on_progress(number + 1, turns)
        await asyncio.sleep(0)
    first, last = median(whole[:BLOCK]), median(whole[-BLOCK:])
    return SagaBench(
        turns=turns,
        first_block_ms=round(first, 2),
        last_block_ms=round(last, 2),
        ratio=round(last / first, 2),
        engine_ms_median=round(median(engine), 2),
        engine_ms_most=round(max(engine), 2),
        prompt_first_block=round(median(prompt[:BLOCK])),
        prompt_last_block=round(median(prompt[-BLOCK:])),
        prompt_most=max(prompt),
    )


async def _state(session: Session) -> State:
    head = await session.head()
    return State.model_validate_json(head.state)


async def _reopened(session: Session) -> State:
    """Take the turn that ended the story back: the session goes on growing."""
    await session.undo()
    return await _state(session)


def _engine(library: Library, state: State, given: Given, history: History) -> tuple[float, int]:
    """Return the milliseconds of a turn's rules and templates, and the prompt's size."""
    began = perf_counter()
    book = library.book(state.scenario, state.source)
    play = Play(state.game, book)
    intents = understand(given.message, scope_of(state.game, book))
    if state.game.fight:
        skirmish.fight_on(play, intents, {})
    else:
        journey.follow(play, intents)
    events: list[Event] = [event_of(one) for one in play.done]
    telling = tell_events(state.game, events, book)
    spent = (perf_counter() - began) * 1000
    draft = Draft(before=state, given=given, seat="player", events=events, history=history)
    chronicle = known_so_far(state.game, book)
    asked = prompts.narrate(draft, chronicle, telling.passages, telling.facts)
    lines = sum(len(line.text) for line in asked.history)
    return spent, len(asked.system) + len(asked.user) + lines
