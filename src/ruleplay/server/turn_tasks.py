"""The tasks of turns, which run independently of the requests that started them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from ruleplay.errors import Conflict, NotFound, UserError
from ruleplay.kernel.agent import Move
from ruleplay.kernel.host import Host
from ruleplay.kernel.turn import HEAD, same_input
from ruleplay.records.given import Given, check_given
from ruleplay.records.turns import Turn
from ruleplay.server.errors import Problem, problem, problem_of

REMEMBERED = 1_000
"""Outcomes of ended turns that are kept; failed turns are recorded nowhere else."""

ELSEWHERE = 5.0
"""Seconds that another process has to cancel its turn."""


@dataclass(frozen=True)
class Started:
    """A turn running in this process; `given` is None if it repeats an earlier turn's input."""

    session: str
    key: str | None
    given: Given | None
    seat: str
    task: asyncio.Task[Turn]

    @property
    def id(self) -> str:
        """The turn's id. If its key turns out to be used, the earlier turn has another one."""
        return self.task.get_name()


@dataclass(frozen=True)
class Ended:
    """The outcome of a turn that this process started.

    `turn` is the committed turn, an earlier one if the key had been used, or "" if `problem` says
    why there is none.
    """

    session: str
    seat: str
    turn: str = ""
    problem: Problem | None = None
    cancelled: bool = False


class TurnTasks:
    """The turns that this process has started: running ones, and outcomes of the latest."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._started: dict[str, Started] = {}
        self._ended: OrderedDict[str, Ended] = OrderedDict()
        self._stop: asyncio.TimerHandle | None = None

    async def play(
        self,
        session: str,
        given: Given,
        seat: str,
        key: str | None,
        after: str | None = HEAD,
    ) -> Started | Turn:
        """Start a turn, or return the running or committed one of the same key.

        `after` is the turn to follow instead of the head. Raises at once what can be refused before
        the turn starts.
        """
        check_given(given)
        if not given.message and given.action is None:
            raise UserError("send a message or an action")
        head, committed = await self._host.store.read(session, key)
        agent = self._host.find_agent(head.agent)
        if earlier := self._keyed(session, key, committed, given, seat):
            return earlier
        state, _number = await self._host.state(head, head.head if after == HEAD else after)
        seat = seat or agent.acting_seat(state)
        # While another turn runs, this one has to wait, and its state is not known yet.
        if not self._host.bus.running(session):
            agent.admit(state, seat, given)
        task = self._host.start(session, given, seat=seat, key=key, after=after)
        return self._watch(Started(session, key, given, seat, task))

    def move(self, session: str, move: Move, version: int) -> asyncio.Task[Turn]:
        """Start an automatic move, which fails if the session has changed since `version`."""
        task = self._host.start(session, move.given, seat=move.seat, version=version)
        return self._watch(Started(session, None, move.given, move.seat, task)).task

    async def play_again(
        self,
        session: str,
        key: str | None,
        start: Callable[[], Awaitable[asyncio.Task[Turn]]],
        given: Given | None = None,
    ) -> Started | Turn:
        """Start a sibling of an earlier turn, or return the running or committed one of its key.

        Without `given` it repeats the earlier turn's input. Raises NotFound for an unknown session.
        """
        _, committed = await self._host.store.read(session, key)
        if earlier := self._keyed(session, key, committed, given):
            return earlier
        return self._watch(Started(session, key, given, "", await start()))

    def _keyed(
        self,
        session: str,
        key: str | None,
        committed: Turn | None,
        given: Given | None,
        seat: str = "",
    ) -> Started | Turn | None:
        """Return the turn of a key, if there is one; Conflict if it had another input or seat."""
        if committed is not None:
            return same_input(committed, given or committed.given, seat or committed.seat)
        if key is None:
            return None
        running = next((s for s in self._running() if (s.session, s.key) == (session, key)), None)
        seats = (running.seat, "") if running else ()
        if running and given and (running.given != given or seat not in seats):
            raise Conflict(f"the key {key!r} is in use for another message; take a new key")
        return running

    def _watch(self, started: Started) -> Started:
        """Keep track of a turn until it ends."""
        self._started[started.id] = started
        started.task.add_done_callback(lambda _: self._end(started))
        return started

    def _end(self, started: Started) -> None:
        """Replace a turn by its outcome: the task would keep the whole turn in memory."""
        if self._started.pop(started.id, None) is None:
            return
        self._ended[started.id] = ended(started)
        if len(self._ended) > REMEMBERED:
            self._ended.popitem(last=False)

    def find(self, session: str, turn: str) -> Started | Ended | None:
        """Look up a turn of a session that this process has started, if it is still known."""
        started = self._started.get(turn)
        if started and started.task.done():
            self._end(started)
        found = self._started.get(turn) or self._ended.get(turn)
        return found if found and found.session == session else None

    async def cancel(self, session: str, turn: str) -> None:
        """Cancel a running turn and wait for its end; Conflict if it has ended before."""
        started = self.find(session, turn)
        if started is None and self._host.bus.running(session) == turn:
            await self._cancel_elsewhere(session, turn)
            return
        if started is None:
            await stored(self._host, session, turn)
            raise Conflict(f"turn {turn!r} is committed; undo takes it back")
        if isinstance(started, Started):
            started.task.cancel()
            await asyncio.wait({started.task})
            started = ended(started)
        if not started.cancelled:
            how = "failed" if started.problem else "is committed; undo takes it back"
            raise Conflict(f"turn {turn!r} {how}")

    async def _cancel_elsewhere(self, session: str, turn: str) -> None:
        """Ask another process to cancel its turn; Conflict if it has ended or does not answer."""
        if self._host.relay:
            self._host.relay.stop_turn(turn)
        with suppress(TimeoutError), self._host.bus.reading(session) as reader:
            async with asyncio.timeout(ELSEWHERE):
                async for _ in reader:
                    if self._host.bus.running(session) != turn:
                        break
        with suppress(NotFound):
            await stored(self._host, session, turn)
            raise Conflict(f"turn {turn!r} is committed; undo takes it back")
        if self._host.bus.running(session) == turn:
            raise Conflict(f"turn {turn!r} runs in another process, which does not answer")

    def drain(self, seconds: float) -> None:
        """Close all readers now, and cancel the turns that still run after `seconds`."""
        self._host.bus.close()
        self._host.hand_back()
        loop = asyncio.get_running_loop()
        self._stop = loop.call_later(seconds, self._stop_all)

    async def drained(self) -> None:
        """Wait until no turn runs; without an earlier `drain` they are cancelled at once."""
        if self._stop is None:
            self._stop_all()
        while running := self._running():
            await asyncio.wait({started.task for started in running})
        if self._stop:
            self._stop.cancel()

    def _stop_all(self) -> None:
        for started in self._running():
            started.task.cancel()

    def _running(self) -> list[Started]:
        return [started for started in self._started.values() if not started.task.done()]


async def stored(host: Host, session: str, turn: str) -> Turn:
    """Load a committed turn of a session, or of the part of its parent that it was forked from.

    NotFound for turns of other sessions: knowing a turn's id must not give access to it.
    """
    head, _ = await host.store.read(session)
    found = await host.store.turn(turn)
    if found.session != session:
        shared = await host.store.lineage(head.forked)
        if turn not in {ancestor.id for ancestor in shared}:
            raise NotFound(f"no turn {turn!r} in this session")
    return found


def ended(started: Started) -> Ended:
    """Return the outcome of a turn whose task is done."""
    of = (started.session, started.seat)
    if started.task.cancelled():
        return Ended(*of, problem=problem(409, "the turn was cancelled"), cancelled=True)
    if error := started.task.exception():
        return Ended(*of, problem=problem_of(error))
    return Ended(*of, turn=started.task.result().id)
