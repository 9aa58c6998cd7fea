"""Battles as sessions: each question of the server is a turn, sent only once it is committed."""

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
"""A turn may take this long, deadlines of models included; then the first legal order is sent."""
RESERVE_SECONDS = 8
"""Seconds of the server's clock that are never used."""
MEMORY_SECONDS = 3
"""How long the next decision waits for the memory of the last one."""
SESSIONS_SEARCHED = 200
LOOK_SECONDS = 0.25
"""How often a held order is looked at."""


@dataclass(frozen=True)
class PlaySettings:
    """How sessions of battles play: what a decision may use.

    `hold` are the seconds an order waits for a person at our side, who may change it or send it.
    """

    search_ms: int = 100
    engine: str = "auto"
    workers: int = 0
    deadline: float = DECISION_SECONDS
    hold: float = 0
    lang: str = "en"


class SessionChooser:
    """Answers a battle's questions with the turns of one session.

    A question keeps its key (battle, request, refusals), so one that comes again, after a dropped
    line or a crash, gets the order it got before.
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
        """Open the battle's session: the one it had before a crash, or a new one."""
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
        """Return what the session's turn decided, the first legal order when that fails."""
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
                kept = await self._kept(key)  # it may have held at the last moment
            if kept is None:
                contest.tally.fallbacks += 1
                return position.wire(position.legal[0])
            message = sent_by(kept)
        self._answered = {key: message}
        return message

    async def _kept(self, key: str) -> Turn | None:
        """Return the turn that was committed under a key."""
        _, turn = await self._host.store.read(self._opened.id, key)
        return turn

    def _position(self, contest: Contest) -> Position:
        """Read the position; orders that the server has refused are no longer legal."""
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
        """Return how long a person may have: nothing where there is nothing to choose."""
        if len(position.legal) < 2:
            return 0
        if position.time_left is None:
            return self._play.hold
        return max(0.0, min(self._play.hold, position.time_left / 2 - RESERVE_SECONDS))

    async def _let_go(self, position: Position, key: str, hold: float) -> str:
        """Wait for a person's word on the order that is held, then send what it has become."""
        session, until = self._opened, perf_counter() + hold
        # Another process may play the session's turns, so that looking is the only way to hear.
        while (left := until - perf_counter()) > 0 and await self._held(position):  # noqa: ASYNC110
            await asyncio.sleep(min(left, LOOK_SECONDS))
        action: Json = {"kind": "send", "request_id": position.request_id}
        with suppress(Conflict):  # they have sent it themselves
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
        """Let the memory be updated while the server and the opponent take their time."""
        key = f"{contest.room}/{contest.request_id}/memory"
        given = Given(action={"kind": "remember"})
        self._remembering = self._host.start(self._opened.id, given, key=key)

    async def _memory_settled(self) -> None:
        """Wait for the memory of the last decision, and stop it when it takes too long."""
        task, self._remembering = self._remembering, None
        if task is None:
            return
        await asyncio.wait({task}, timeout=MEMORY_SECONDS)
        task.cancel()
        (ended,) = await asyncio.gather(task, return_exceptions=True)
        if isinstance(ended, Exception):
            LOG.warning("the memory was not updated: %s", ended)

    async def end(self, contest: Contest) -> None:
        """Close the book on a finished battle; one that was left can still be gone on with."""
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
        with suppress(Conflict):  # it was closed before
            await self._session.turn(action=action, key=f"{contest.room}/end")


class Witness:
    """Reads a contest's log into a record, each line once, and positions out of it."""

    def __init__(self) -> None:
        self._log: list[str] = []
        self._lines: list[list[str]] = []
        self._chronicle = Chronicle()

    def position(self, contest: Contest) -> Position:
        """Return the position in which the open request is to be answered.

        Raises Unavailable when the server's messages make no sense.
        """
        return self._seen(contest, contest.role, contest.request or {})

    def closing(self, contest: Contest, last: Position) -> Position:
        """Return the position after a battle's last line: `last`, with what has happened since."""
        seen = self._seen(contest, contest.role, {})
        # Ours is exact in requests only, and none comes after the end: the log tells both alike.
        across = self._seen(contest, "p2" if contest.role == "p1" else "p1", {})
        stands = {mon.ident: mon for mon in across.theirs.team}
        team = tuple(_since(mon, stands.get(mon.ident)) for mon in last.ours.team)
        ours = last.ours.model_copy(update={"team": team})
        return last.model_copy(update={"ours": ours, "theirs": seen.theirs, "field": seen.field})

    def _seen(self, contest: Contest, role: str, request: Json) -> Position:
        if self._log is not contest.log:  # we have come back, and read from the beginning
            self._log, self._lines, self._chronicle = contest.log, [], Chronicle()
        self._lines += [line.split("|") for line in self._log[len(self._lines) :]]
        try:
            self._chronicle.read(self._lines)
            return see(self._chronicle, role, request, battle=contest.room)
        except UNREADABLE as error:
            raise Unavailable(f"{contest.room} cannot be read: {error}") from error


def _since(mon: Mon, now: Mon | None) -> Mon:
    """Return one of ours with the health and the state that the log tells of it."""
    if now is None:
        return mon
    points = round(now.hp * mon.hp_max) if mon.hp_max else mon.hp_now
    kept = {"active": now.active, "hp": now.hp, "hp_now": points, "status": now.status}
    return mon.model_copy(update=kept)


async def battle_world(host: Host) -> World:
    """Return what a host's battles reach outside: set pools and the search."""
    world = await host.world(host.find_agent(AGENT))
    if not isinstance(world, World):
        raise TypeError(f"the battle agent's world is a {type(world).__name__}")
    return world


def sent_by(turn: Turn) -> str:
    """Return what a decision's turn sends to the server."""
    return next(str(event["wire"]) for event in turn.events if event["type"] == "OrderChosen")


def fell_back(turn: Turn) -> bool:
    """Tell whether the policy decided because the model was late or brought nothing legal."""
    return any(
        call.role == "battle.decide" and call.model != "rules" and call.source == "policy"
        for call in turn.calls
    )


async def find_session(host: Host, room: str, name: str) -> str:
    """Return the id of the session in which this user plays a battle room, or ""."""
    for head in await host.store.recent(SESSIONS_SEARCHED):
        known = (head.agent, head.config.get("battle"), head.config.get("us"))
        if known == (AGENT, room, name):
            return head.id
    return ""


def _title(play: PlaySettings, contest: Contest) -> str:
    """Return what a battle's session is called: by the number that the server gave the room."""
    found = re.search(r"-(\d+)", contest.room.removeprefix(f"battle-{contest.format}"))
    return say(play.lang, "titled", number=found[1] if found else contest.room)
