"""Autoplay: sessions that play on by themselves in this server, until they end or it stops."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from time import monotonic

from ruleplay.errors import Conflict
from ruleplay.kernel.autoplay import Begin, Pace, Step, play_on
from ruleplay.kernel.host import Host
from ruleplay.kernel.turn import reason
from ruleplay.server.shapes import AutoplayAnswer, AutoplayState
from ruleplay.server.turn_tasks import TurnTasks

AT_ONCE = 16
"""Maximum of sessions that play at the same time, as each may call models."""
IDLE = Step("playing")


@dataclass
class Autoplay:
    """The autoplay of a session: the requested pace, and its progress."""

    pace: Pace
    step: Step = IDLE
    state: AutoplayState = "playing"
    problem: str = ""
    pausing: bool = False
    seen: float = field(default_factory=monotonic)
    task: asyncio.Task[None] | None = None

    @property
    def running(self) -> bool:
        """Whether it is still playing."""
        return self.task is not None and not self.task.done()

    @property
    def answer(self) -> AutoplayAnswer:
        """The progress in the form that clients get."""
        return AutoplayAnswer(
            state="pausing"
            if self.pausing and self.state in ("playing", "waiting")
            else self.state,
            running=self.running and self.state in ("playing", "waiting"),
            moves=self.step.moves,
            rounds=self.pace.rounds,
            patience=self.pace.patience,
            seat=self.step.seat,
            round=self.step.round,
            until=self.step.until,
            problem=self.problem,
        )


class Autoplays:
    """The autoplays of this server, running or ended."""

    def __init__(self, host: Host, turn_tasks: TurnTasks) -> None:
        self._host, self._turn_tasks = host, turn_tasks
        self._plays: dict[str, Autoplay] = {}
        self._stopped = False

    def answer(self, session: str) -> AutoplayAnswer:
        """Return the autoplay progress of a session, `idle` if it has none."""
        play = self._plays.get(session)
        return play.answer if play else Autoplay(Pace(), state="idle").answer

    def start(self, session: str, pace: Pace) -> AutoplayAnswer:
        """Start autoplay in a session; Conflict if it plays already, or too many sessions do."""
        running = [ident for ident, play in self._plays.items() if play.running]
        if session in running:
            raise Conflict("the session plays by itself already; pause it first")
        if self._stopped or len(running) >= AT_ONCE:
            raise Conflict(f"{len(running)} sessions play by themselves already; pause one first")
        play = Autoplay(pace)
        self._plays = {i: self._plays[i] for i in running} | {session: play}
        play.task = asyncio.create_task(self._play(session, play))
        self._tell(session, play)
        return play.answer

    def pause(self, session: str) -> AutoplayAnswer:
        """Stop after the current move, or at once if it waits for a person."""
        play = self._plays.get(session)
        if play is None or not play.running:
            raise Conflict("the session does not play by itself")
        play.pausing = True
        self._tell(session, play)
        return play.answer

    def stop(self) -> None:
        """Stop all autoplays before a shutdown; `TurnTasks` ends the moves that are running."""
        self._stopped = True
        for play in self._plays.values():
            play.pausing = True

    async def ended(self) -> None:
        """Wait until all have ended."""
        if running := [play.task for play in self._plays.values() if play.task]:
            await asyncio.wait(running)

    async def _play(self, session: str, play: Autoplay) -> None:
        steps = play_on(self._host, session, play.pace, self._begin(session))
        try:
            async for step in steps:
                news, play.step = step != play.step, step
                if step.stage == "cancelled" or (play.pausing and not step.ended):
                    play.state = "paused"
                    break
                if self._unwatched(session, play) and not step.ended:
                    play.state = "unwatched"
                    break
                play.state = step.stage
                if news:
                    self._tell(session, play)
        except Exception as error:  # noqa: BLE001  # reported to the readers, whatever it was
            play.state, play.problem = "failed", reason(error)
        self._tell(session, play)

    def _unwatched(self, session: str, play: Autoplay) -> bool:
        """Whether the session has had no readers for too long: models cost money."""
        if session in self._host.bus.read:
            play.seen = monotonic()
        longest = self._host.settings.unwatched
        return longest > 0 and monotonic() - play.seen > longest

    def _begin(self, session: str) -> Begin:
        return lambda move, version: self._turn_tasks.move(session, move, version)

    def _tell(self, session: str, play: Autoplay) -> None:
        self._host.bus.tell_pace(session, play.answer.model_dump(mode="json"))
