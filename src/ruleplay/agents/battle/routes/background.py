"""Battles that the server plays in the background."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

from ruleplay.agents.battle.routes.shapes import NewBattle, Result, Status
from ruleplay.errors import Conflict, NotFound, Unavailable
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import Session
from ruleplay.server.errors import Problem, problem_of

if TYPE_CHECKING:
    from starlette.types import Receive

    from ruleplay.agents.battle.adapters.arena import Opponent
    from ruleplay.agents.battle.adapters.duel import PersonSeat
    from ruleplay.agents.battle.adapters.exhibition import Venue
    from ruleplay.agents.battle.adapters.review import Review
    from ruleplay.agents.battle.adapters.review_process import Asked

AT_ONCE = 2
"""Battles that may run at the same time."""
REMEMBERED = 50
"""Finished battles that can still be looked up."""
REVIEWS = 2
"""Reviews that may run at the same time; others wait."""
WAIT_SECONDS = 15
"""How long a request for a seat waits for news."""
ROLLS = 2
"""Damage simulations that may run at the same time."""
LEFT_SECONDS = 60
"""A person's battle makes room for another one after this time without a request."""


@dataclass
class BackgroundBattle:
    """A battle since its request; `session` is set once it has begun."""

    id: str
    given: NewBattle
    task: asyncio.Task[Result]
    session: str = ""
    seat: PersonSeat | None = None
    looking: int = 0
    looked: float = field(default_factory=monotonic)

    @property
    def left(self) -> bool:
        """Whether its person has not asked for it for a while."""
        away = not self.looking and monotonic() - self.looked > LEFT_SECONDS
        return self.seat is not None and away

    @property
    def running(self) -> bool:
        """Whether it is still going on."""
        return not self.task.done()

    @property
    def status(self) -> Status:
        """Its progress."""
        if self.running:
            return "running" if self.session else "starting"
        if self.task.cancelled():
            return "cancelled"
        return "failed" if self.task.exception() else "finished"

    @property
    def result(self) -> Result | None:
        """The result from our view, if it was played to the end."""
        return self.task.result() if self.status == "finished" else None

    @property
    def problem(self) -> Problem | None:
        """Why it failed."""
        error = self.task.exception() if self.status == "failed" else None
        return problem_of(error) if error else None


class BackgroundBattles:
    """The battles of this server process.

    A local Showdown server runs as long as one of them does.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self._bouts: OrderedDict[str, BackgroundBattle] = OrderedDict()
        self._venue: Venue | None = None
        self.rolling = asyncio.Semaphore(ROLLS)
        """Simulators that roll damage; each is a process."""
        self._slots = asyncio.Semaphore(REVIEWS)
        self._reviews: set[asyncio.Task[Review]] = set()

    async def start(self, given: NewBattle) -> BackgroundBattle:
        """Start a battle; a battle that its person has left is given up for it.

        Raises Conflict if AT_ONCE are running, Unavailable without the agent's packages.
        """
        await asyncio.to_thread(self._host.find_agent, "battle")
        running = [bout for bout in self._bouts.values() if bout.running]
        if len(running) >= AT_ONCE:
            left = next((bout for bout in running if bout.left), None)
            if left is None:
                raise Conflict(f"{AT_ONCE} battles run already; stop one, or wait for its end")
            await self.cancel(left.id)
        ident = secrets.token_hex(8)
        seat = _seat() if given.opponent == "you" else None
        playing = asyncio.create_task(self._play(ident, given, seat))
        bout = BackgroundBattle(ident, given, playing, seat=seat)
        self._bouts[ident] = bout
        bout.task.add_done_callback(_retrieve)
        for old in [i for i, b in self._bouts.items() if not b.running][:-REMEMBERED]:
            del self._bouts[old]
        return bout

    def newest_first(self) -> list[BackgroundBattle]:
        """List the battles that are remembered."""
        return [*reversed(self._bouts.values())]

    def find(self, ident: str) -> BackgroundBattle:
        """Look up a battle; NotFound if there is none."""
        if bout := self._bouts.get(ident):
            return bout
        raise NotFound(f"no battle {ident!r} was started here; a session has its own address")

    async def cancel(self, ident: str) -> BackgroundBattle:
        """Stop a battle and wait for its end; Conflict if it is over."""
        bout = self.find(ident)
        if not bout.running:
            raise Conflict(f"battle {ident!r} is over: {bout.status}")
        bout.task.cancel()
        await asyncio.wait({bout.task})
        return bout

    async def review(self, asked: Asked, receive: Receive) -> Review:
        """Review a file as long as the client is connected.

        Raises Unavailable when the client leaves or the server stops.
        """
        reviewing = asyncio.create_task(self._review(asked))
        self._reviews.add(reviewing)
        leaving = asyncio.create_task(_left(receive))
        try:
            await asyncio.wait({reviewing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
            reviewing.cancel()  # no effect on a finished task
            await asyncio.wait({reviewing, leaving})
            self._reviews.discard(reviewing)
        if reviewing.cancelled():
            raise Unavailable("the review was stopped")
        return reviewing.result()

    async def _review(self, asked: Asked) -> Review:
        from ruleplay.agents.battle.adapters.review_process import kept_or_made

        async with self._slots:
            return await kept_or_made(asked)

    def stop_reviews(self) -> None:
        """Stop all reviews, which can be repeated without loss, and end all waits at seats."""
        for reviewing in self._reviews:
            reviewing.cancel()
        for bout in self._bouts.values():
            if bout.seat is not None:
                bout.seat.wake()

    async def end(self) -> None:
        """Stop all battles and the local server."""
        running = [bout.task for bout in self._bouts.values() if bout.running]
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)
        if self._venue is not None:
            await self._venue.close()

    async def seat(self, ident: str, after: int) -> tuple[BackgroundBattle, PersonSeat]:
        """Look up a battle and its person's seat, once there is news after version `after`.

        It returns without news when the battle ends, or after WAIT_SECONDS.
        """
        bout = self.find(ident)
        if bout.seat is None:
            raise NotFound(f"nobody plays battle {ident!r} here: it is one to watch")
        waiting = asyncio.create_task(bout.seat.news(after))
        done: set[asyncio.Future[Result] | asyncio.Future[None]] = {waiting, bout.task}
        bout.looking += 1
        try:
            await asyncio.wait(done, timeout=WAIT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
            bout.looking -= 1
            bout.looked = monotonic()
        return bout, bout.seat

    async def chance(self, bout: BackgroundBattle) -> float | None:
        """Compute the person's winning chance from our last search."""
        if not bout.session:
            return None
        chances = (await Session(self._host, bout.session).view())["chances"]
        last = chances[-1] if isinstance(chances, list) and chances else None
        ours = last[1] if isinstance(last, list) else None
        return 1 - ours if isinstance(ours, int | float) else None

    async def _play(self, ident: str, given: NewBattle, seat: PersonSeat | None) -> Result:
        """Play a battle on the local server to its end."""
        from ruleplay.agents.battle.adapters.exhibition import Venue, play_exhibition
        from ruleplay.agents.battle.adapters.player import PlaySettings, battle_world

        self._venue = self._venue or Venue(self._host.settings.home)
        async with self._venue.open() as url:
            world = await battle_world(self._host)
            await world.prepare(given.format)
            outcome = await play_exhibition(
                self._host,
                url,
                seat or _rival(given),
                PlaySettings(
                    search_ms=given.search_ms, hold=0 if seat else given.hold, lang=given.lang
                ),
                lambda session: self._began(ident, session),
                format=given.format,
            )
        results: dict[bool | None, Result] = {True: "win", False: "loss", None: "tie"}
        return results[outcome.won]

    def _began(self, ident: str, session: str) -> None:
        self._bouts[ident].session = session


def _seat() -> PersonSeat:
    from ruleplay.agents.battle.adapters.duel import PersonSeat

    return PersonSeat()


def _rival(given: NewBattle) -> Opponent:
    if given.opponent == "you":
        raise Conflict("a person needs a seat")
    return given.opponent


async def _left(receive: Receive) -> None:
    """Wait until the client disconnects."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _retrieve(task: asyncio.Task[Result]) -> None:
    """Retrieve a task's exception, which asyncio would otherwise log as never retrieved."""
    if not task.cancelled():
        task.exception()
