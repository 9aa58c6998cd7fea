"""Play a session on by itself: every move that no person makes, and a pass for who stays away.

For agents that name the next move (`Agent.next_move`). Whoever plays besides is never overtaken:
each move is for the session as it was when the move was chosen, and comes to nothing once it has
moved on.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from ruleplay.errors import Conflict
from ruleplay.kernel.agent import Move
from ruleplay.kernel.host import Host
from ruleplay.kernel.turn import now
from ruleplay.records.turns import Head, Turn

LOOK = 0.2
"""Seconds between two looks at whether a person has acted, here or in another process."""
PATIENCE = 60.0
"""Seconds that a person gets for a move."""
AWAY = 2
"""Times that a person is passed over while nobody acts; then the game waits for them."""

Stage = Literal["playing", "waiting", "done", "over", "away", "cancelled"]
Begin = Callable[[Move, int], "asyncio.Task[Turn]"]


@dataclass(frozen=True)
class Step:
    """How far a session has come by itself.

    `playing` and `waiting` name the seat of the move, `waiting` with the time when a person's move
    is passed over. At the end it is `done` with what was asked, `over` as nothing goes on by
    itself, `away` as a person was passed over again and again and nobody else is there, or
    `cancelled` with the turn that was.
    """

    stage: Stage
    moves: int = 0
    seat: str = ""
    round: int = 0
    until: datetime | None = None
    turn: Turn | None = None

    @property
    def ended(self) -> bool:
        """Whether nothing follows."""
        return self.stage in ("done", "over", "away", "cancelled")


@dataclass(frozen=True)
class Pace:
    """How far to go: so many rounds, so many moves, without end where 0; a person's `patience`."""

    rounds: int = 0
    moves: int = 0
    patience: float = PATIENCE


async def play_on(
    host: Host, session: str, pace: Pace, begin: Begin | None = None
) -> AsyncIterator[Step]:
    """Play a session on and yield each step: before a move, and with its turn when it is committed.

    While a person is waited for, their step comes again and again. Nothing runs at a step, so that
    a consumer may stop at any.
    `begin` starts a move's turn for the session's version. Raises what a turn raises.
    """
    start = begin or _begin(host, session)
    waiting: tuple[Move, datetime] | None = None
    last, moves, passed = 0, 0, Counter[str]()
    while True:
        head, move = await _next(host, session)
        if move is None:
            yield Step("over", moves)
            return
        last = last or move.round + pace.rounds - 1
        if ended := _ended(move, pace, moves, last, passed):
            yield Step(ended, moves, move.seat, move.round)
            return
        if move.waits:
            # Whispers and other seats' doings do not give a person more time.
            if waiting is None or waiting[0] != move:
                waiting = move, now() + timedelta(seconds=pace.patience)
            until = waiting[1]
            while now() < until and not await _changed(host, head):
                yield Step("waiting", moves, move.seat, move.round, until)
                await asyncio.sleep(min(LOOK, max(0, (until - now()).total_seconds())))
            if await _changed(host, head):
                passed.clear()
                continue
            passed[move.seat] += 1
        yield Step("playing", moves, move.seat, move.round)
        task = start(move, head.version)
        await asyncio.wait({task})
        if task.cancelled():
            yield Step("cancelled", moves, move.seat, move.round)
            return
        if await _overtaken(host, head, task):
            passed.clear()
            continue
        moves += 1
        yield Step("playing", moves, move.seat, move.round, turn=task.result())


def _ended(
    move: Move, pace: Pace, moves: int, last: int, passed: Counter[str]
) -> Literal["done", "away"] | None:
    """Return why a move is not made any more; None while it is."""
    if (pace.moves and moves >= pace.moves) or (pace.rounds and move.round > last):
        return "done"
    return "away" if move.waits and passed[move.seat] == AWAY else None


def _begin(host: Host, session: str) -> Begin:
    return lambda move, version: host.start(session, move.given, seat=move.seat, version=version)


async def _next(host: Host, session: str) -> tuple[Head, Move | None]:
    head, _ = await host.store.read(session)
    state, _number = await host.state(head, head.head)
    return head, host.find_agent(head.agent).next_move(state)


async def _overtaken(host: Host, head: Head, task: asyncio.Task[Turn]) -> bool:
    """Tell whether a move came to nothing because somebody else moved first."""
    if not isinstance(task.exception(), Conflict):
        return False
    return await _changed(host, head)


async def _changed(host: Host, head: Head) -> bool:
    return (await host.store.versions([head.id])).get(head.id) != head.version
