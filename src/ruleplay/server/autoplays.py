"""Sessions that play on by themselves, people at the table or not, and stop with the server."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from time import monotonic

from ruleplay.errors import Conflict
from ruleplay.kernel.autoplay import Begin, Pace, Step, play_on
from ruleplay.kernel.host import Host
from ruleplay.kernel.turn import reason
from ruleplay.server.background import Background
from ruleplay.server.shapes import AutoplayAnswer, AutoplayState

AT_ONCE = 16
"""Sessions that play on at the same time; each may ask models."""
IDLE = Step("playing")


@dataclass
class Autoplay:
    """A session that plays on: how far it was asked to, and how far it has come."""

    pace: Pace
    step: Step = IDLE
    state: AutoplayState = "playing"
    problem: str = ""
    pausing: bool = False
    seen: float = field(default_factory=monotonic)
    task: asyncio.Task[None] | None = None

    @property
    def running(self) -> bool:
        """Whether it still plays."""
        return self.task is not None and not self.task.done()

    @property
    def answer(self) -> AutoplayAnswer:
        """How far it has come, as clients are told."""
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
    """The sessions of this server that play on, and those that did."""

    def __init__(self, host: Host, background: Background) -> None:
        self._host, self._background = host, background
        self._plays: dict[str, Autoplay] = {}
        self._stopped = False

    def answer(self, session: str) -> AutoplayAnswer:
        """Return how far a session plays on."""
        play = self._plays.get(session)
        return play.answer if play else Autoplay(Pace(), state="idle").answer

    def start(self, session: str, pace: Pace) -> AutoplayAnswer:
        """Let a session play on; Conflict when it does already, or too many do."""
        running = [ident for ident, play in self._plays.items() if play.running]
        if session in running:
            raise Conflict("the session plays on already; pause it first")
        if self._stopped or len(running) >= AT_ONCE:
            raise Conflict(f"{len(running)} sessions play on already; pause one first")
        play = Autoplay(pace)
        self._plays = {i: self._plays[i] for i in running} | {session: play}
        play.task = asyncio.create_task(self._play(session, play))
        self._tell(session, play)
        return play.answer

    def pause(self, session: str) -> AutoplayAnswer:
        """Stop after the running move; at once while a person is waited for."""
        play = self._plays.get(session)
        if play is None or not play.running:
            raise Conflict("the session does not play on by itself")
        play.pausing = True
        self._tell(session, play)
        return play.answer

    def stop(self) -> None:
        """Stop all, as the server stops; moves under way are for who ends turns."""
        self._stopped = True
        for play in self._plays.values():
            play.pausing = True

    async def ended(self) -> None:
        """Wait until none plays."""
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
        except Exception as error:  # noqa: BLE001  # told to the readers, whatever it was
            play.state, play.problem = "failed", reason(error)
        self._tell(session, play)

    def _unwatched(self, session: str, play: Autoplay) -> bool:
        """Tell whether nobody has looked for so long that playing on would be for no one."""
        if session in self._host.bus.read:
            play.seen = monotonic()
        longest = self._host.settings.unwatched
        return longest > 0 and monotonic() - play.seen > longest

    def _begin(self, session: str) -> Begin:
        return lambda move, version: self._background.move(session, move, version)

    def _tell(self, session: str, play: Autoplay) -> None:
        self._host.bus.tell_pace(session, play.answer.model_dump(mode="json"))
