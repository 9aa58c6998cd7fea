"""Play a session automatically: all moves of models, and passes for people who stay away.

It works for agents that name the next move (`Agent.next_move`). People may play at the same time:
each move is for the session's version at which it was chosen, so it conflicts, and is dropped, if
somebody else has moved first.
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
"""Seconds between two checks whether a person has acted, here or in another process."""
PATIENCE = 60.0
"""Default seconds that a person has for a move."""
AWAY = 2
"""How often a person is passed over while nobody acts at all; after that the game stops."""

Stage = Literal["playing", "waiting", "done", "over", "away", "cancelled"]
Begin = Callable[[Move, int], "asyncio.Task[Turn]"]


@dataclass(frozen=True)
class Step:
    """How far automatic play has come.

    `playing` and `waiting` name the move's seat; `until` is when a person who is waited for will be
    passed over. The last step is `done` (as far as requested), `over` (no move follows), `away`
    (people were passed over repeatedly, and nobody else acts) or `cancelled` (a turn was).
    """

    stage: Stage
    moves: int = 0
    seat: str = ""
    round: int = 0
    until: datetime | None = None
    turn: Turn | None = None

    @property
    def ended(self) -> bool:
        """Whether this is the last step."""
        return self.stage in ("done", "over", "away", "cancelled")


@dataclass(frozen=True)
class Pace:
    """How far to play: most rounds and moves (0 is unlimited), and seconds to wait for a person."""

    rounds: int = 0
    moves: int = 0
    patience: float = PATIENCE


async def play_on(
    host: Host, session: str, pace: Pace, begin: Begin | None = None
) -> AsyncIterator[Step]:
    """Play moves and yield a step before each, and another with its turn once it is committed.

    While waiting for a person the same step is yielded repeatedly. Nothing runs while the consumer
    has a step, so it may stop at any. `begin` starts a move's turn for a version of the session;
    by default the host does. Raises what a turn raises.
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
            # The clock only restarts for a different move, not when other seats act meanwhile.
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
    """Return why to stop before a move, None to make it."""
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
    """Whether a move failed because somebody else had moved first."""
    if not isinstance(task.exception(), Conflict):
        return False
    return await _changed(host, head)


async def _changed(host: Host, head: Head) -> bool:
    return (await host.store.versions([head.id])).get(head.id) != head.version
