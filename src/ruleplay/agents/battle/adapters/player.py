"""Plays battles as sessions: each request is a turn, whose order is sent once it is committed."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter

from ruleplay.agents.battle.adapters.contest import LOG, UNREADABLE, Contest
from ruleplay.agents.battle.adapters.world import World
from ruleplay.agents.battle.domain import orders
from ruleplay.agents.battle.domain.chronicle import Chronicle
from ruleplay.agents.battle.domain.phrases import say
from ruleplay.agents.battle.domain.position import Mon, Position
from ruleplay.agents.battle.domain.vantage import see
from ruleplay.agents.battle.state import OrderChosen, State, lean
from ruleplay.errors import Conflict, RuleplayError, Unavailable
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import Session
from ruleplay.records.events import Json
from ruleplay.records.given import Given
from ruleplay.records.turns import Turn

AGENT = "battle"
DECISION_SECONDS = 30
"""A turn's time limit, deadlines of models included; after it the first legal order is sent."""
RESERVE_SECONDS = 8
"""Seconds of the server's clock that are kept in reserve."""
MEMORY_SECONDS = 3
"""How long a decision waits for the memory update of the previous one."""
SESSIONS_SEARCHED = 200
"""Recent sessions among which a battle's session is looked for after a restart."""
LOOK_SECONDS = 0.25
"""How often a held order is checked for changes."""


@dataclass(frozen=True)
class PlaySettings:
    """How battles are played, and the resources of a decision.

    `hold` is how many seconds an order waits for a person on our side, who may change or send it.
    """

    search_ms: int = 100
    engine: str = "auto"
    workers: int = 0
    deadline: float = DECISION_SECONDS
    hold: float = 0
    lang: str = "en"


class SessionChooser:
    """Answers a battle's requests with turns of one session.

    Each request has a key (battle, request, refusals), so if it comes again, after a dropped
    connection or a crash, it gets the same order.
    """

    def __init__(
        self,
        host: Host,
        play: PlaySettings,
        on_session: Callable[[str, str], None] = lambda room, session: None,
    ) -> None:
        self._host, self._play, self._on_session = host, play, on_session
        self._session: Session | None = None
        self._witness = Witness()
        self._remembering: asyncio.Task[Turn] | None = None
        self._answered: dict[str, str] = {}

    async def begin(self, contest: Contest) -> None:
        """Open the battle's session: an existing one after a crash, else a new one."""
        found = await find_session(self._host, contest.room, contest.name)
        if not found:
            config: Json = {
                "battle": contest.room,
                "us": contest.name,
                "format": contest.format,
                "search_ms": self._play.search_ms,
                "engine": self._play.engine,
                "workers": self._play.workers,
                "lang": self._play.lang,
            }
            head = await self._host.create(AGENT, config, title=_title(self._play, contest))
            found = head.id
        self._session = Session(self._host, found)
        self._on_session(contest.room, found)

    async def choose(self, contest: Contest) -> str:
        """Decide by a turn of the session; if that fails, choose the first legal order."""
        await self._memory_settled()
        key = f"{contest.room}/{contest.request_id}/{len(contest.refused)}"
        if key in self._answered:
            return self._answered[key]
        position = self._position(contest)
        hold = self._hold_seconds(position)
        try:
            async with asyncio.timeout(self._seconds(position)):
                message = await self._decide(contest, position, key, hold=hold > 0)
            if hold > 0:
                message = await self._let_go(position, key, hold)
            if await self._given_up():
                return await contest.give_up()
        except (RuleplayError, TimeoutError) as error:
            LOG.warning("%s: no decision in time: %s", contest.room, error)
            kept = None
            with suppress(RuleplayError):
                kept = await self._kept(key)  # it may have been committed just before the timeout
            if kept is None:
                contest.tally.fallbacks += 1
                # Any legal order is better than losing on time.
                return position.wire(position.legal[0])
            message = sent_by(kept)
        self._answered = {key: message}
        return message

    async def _kept(self, key: str) -> Turn | None:
        """Load the turn committed under a key, if there is one."""
        _, turn = await self._host.store.read(self._opened.id, key)
        return turn

    def _position(self, contest: Contest) -> Position:
        """Build the position, without the orders that the server has refused."""
        position = self._witness.position(contest)
        left = tuple(o for o in position.legal if position.wire(o) not in contest.refused)
        return position.model_copy(
            update={"legal": left or (orders.DefaultOrder(),), "time_left": contest.time_left}
        )

    def _seconds(self, position: Position) -> float:
        if position.time_left is None:
            return self._play.deadline
        return max(1.0, min(self._play.deadline, position.time_left - RESERVE_SECONDS))

    def _hold_seconds(self, position: Position) -> float:
        """Compute how long an order waits for a person; 0 if there is no choice."""
        if len(position.legal) < 2:
            return 0
        if position.time_left is None:
            return self._play.hold
        # At most half of the time left, since the server's clock also covers later turns.
        return max(0.0, min(self._play.hold, position.time_left / 2 - RESERVE_SECONDS))

    async def _let_go(self, position: Position, key: str, hold: float) -> str:
        """Wait for a person to change or send the held order, then send what it is by then."""
        session, until = self._opened, perf_counter() + hold
        # Another process may run the person's turn, so polling is the only way to learn of it.
        while (left := until - perf_counter()) > 0 and await self._held(position):  # noqa: ASYNC110
            await asyncio.sleep(min(left, LOOK_SECONDS))
        action: Json = {"kind": "send", "request_id": position.request_id}
        with suppress(Conflict):  # the person has sent it already
            await session.turn(action=action, key=f"{key}/send")
        return (await self._order()).wire

    async def _held(self, position: Position) -> bool:
        order = await self._order()
        held = order.held and order.request_id == position.request_id
        return held and not await self._given_up()

    async def _given_up(self) -> bool:
        return (await self._state()).wants("forfeit")

    async def _order(self) -> OrderChosen:
        order = (await self._state()).order
        if order is None:
            raise Conflict("no order was chosen")
        return order

    async def _state(self) -> State:
        head = await self._opened.head()
        state, _ = await self._host.state(head, head.head)
        if not isinstance(state, State):
            raise Conflict("this is no battle's session")
        return state

    async def _decide(self, contest: Contest, position: Position, key: str, *, hold: bool) -> str:
        turn = await self._kept(key)
        if turn is None:
            action: Json = {"kind": "decide", "position": lean(position), "hold": hold}
            turn = await self._opened.turn(action=action, key=key)
        contest.tally.fallbacks += fell_back(turn)
        return sent_by(turn)

    @property
    def _opened(self) -> Session:
        if self._session is None:
            raise Conflict("the battle has not begun; `begin` opens its session")
        return self._session

    async def sent(self, contest: Contest) -> None:
        """Update the memory while the server and the opponent are busy."""
        key = f"{contest.room}/{contest.request_id}/memory"
        given = Given(action={"kind": "remember"})
        self._remembering = self._host.start(self._opened.id, given, key=key)

    async def _memory_settled(self) -> None:
        """Wait for the last memory update, and cancel it if it takes too long."""
        task, self._remembering = self._remembering, None
        if task is None:
            return
        await asyncio.wait({task}, timeout=MEMORY_SECONDS)
        task.cancel()
        (ended,) = await asyncio.gather(task, return_exceptions=True)
        if isinstance(ended, Exception):
            LOG.warning("the memory was not updated: %s", ended)

    async def end(self, contest: Contest) -> None:
        """Record the result of a finished battle; a battle that was left can still be resumed."""
        await self._memory_settled()
        outcome = contest.outcome
        if self._session is None or outcome is None:
            return
        result = {True: "win", False: "loss", None: "tie"}[outcome.won]
        action: Json = {
            "kind": "finish",
            "result": result,
            "turns": outcome.turns,
            "timed_out": outcome.tally.timed_out,
        }
        with suppress(Unavailable):  # what cannot be read is left as it was
            last = (await self._state()).position
            action |= {"position": lean(self._witness.closing(contest, last))} if last else {}
        with suppress(Conflict):  # it has been recorded already
            await self._session.turn(action=action, key=f"{contest.room}/end")


class Witness:
    """Builds positions from a contest's log, reading each line once."""

    def __init__(self) -> None:
        self._log: list[str] = []
        self._lines: list[list[str]] = []
        self._chronicle = Chronicle()

    def position(self, contest: Contest) -> Position:
        """Build the position of the open request; Unavailable if the messages make no sense."""
        return self._seen(contest, contest.role, contest.request or {})

    def closing(self, contest: Contest, last: Position) -> Position:
        """Update the last position with what happened up to the end of the battle."""
        seen = self._seen(contest, contest.role, {})
        # No request follows the end, so our team is read from the log like the opponent's.
        across = self._seen(contest, "p2" if contest.role == "p1" else "p1", {})
        stands = {mon.ident: mon for mon in across.theirs.team}
        team = tuple(_since(mon, stands.get(mon.ident)) for mon in last.ours.team)
        ours = last.ours.model_copy(update={"team": team})
        return last.model_copy(update={"ours": ours, "theirs": seen.theirs, "field": seen.field})

    def _seen(self, contest: Contest, role: str, request: Json) -> Position:
        if self._log is not contest.log:  # after a reconnection the log starts over
            self._log, self._lines, self._chronicle = contest.log, [], Chronicle()
        self._lines += [line.split("|") for line in self._log[len(self._lines) :]]
        try:
            self._chronicle.read(self._lines)
            return see(self._chronicle, role, request, battle=contest.room)
        except UNREADABLE as error:
            raise Unavailable(f"{contest.room} cannot be read: {error}") from error


def _since(mon: Mon, now: Mon | None) -> Mon:
    """Update one of ours with the health and status in the log."""
    if now is None:
        return mon
    points = round(now.hp * mon.hp_max) if mon.hp_max else mon.hp_now
    kept = {"active": now.active, "hp": now.hp, "hp_now": points, "status": now.status}
    return mon.model_copy(update=kept)


async def battle_world(host: Host) -> World:
    """Get the world of a host's battles: set pools and search."""
    world = await host.world(host.find_agent(AGENT))
    if not isinstance(world, World):
        raise TypeError(f"the battle agent's world is a {type(world).__name__}")
    return world


def sent_by(turn: Turn) -> str:
    """Extract the message to the server from a decision's turn."""
    return next(str(event["wire"]) for event in turn.events if event["type"] == "OrderChosen")


def fell_back(turn: Turn) -> bool:
    """Check whether the policy decided because the model was late or chose nothing legal."""
    return any(
        call.role == "battle.decide" and call.model != "rules" and call.source == "policy"
        for call in turn.calls
    )


async def find_session(host: Host, room: str, name: str) -> str:
    """Find the session in which this user plays a battle room; "" if there is none."""
    for head in await host.store.recent(SESSIONS_SEARCHED):
        known = (head.agent, head.config.get("battle"), head.config.get("us"))
        if known == (AGENT, room, name):
            return head.id
    return ""


def _title(play: PlaySettings, contest: Contest) -> str:
    """Title a battle's session by the server's number of the room."""
    found = re.search(r"-(\d+)", contest.room.removeprefix(f"battle-{contest.format}"))
    return say(play.lang, "titled", number=found[1] if found else contest.room)
