"""Replies in progress: a turn for each distinct request, whatever number of clients wait for it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import suppress
from random import Random
from time import time

from ruleplay.errors import Conflict, RuleplayError
from ruleplay.kernel.autoplay import Pace, play_on
from ruleplay.kernel.host import Host
from ruleplay.kernel.turn import HEAD
from ruleplay.records.given import MESSAGE_LIMIT, Given
from ruleplay.records.turns import Head, Turn, whole_reply
from ruleplay.server.access import Access, check_branching
from ruleplay.server.keys import Key
from ruleplay.server.openai.finding import AFTER, Asked, Spot, find_spot
from ruleplay.server.openai.history import normal
from ruleplay.server.openai.seating import Seating, Stand, no_seat, seat_list
from ruleplay.server.sse import remaining_text
from ruleplay.server.turn_tasks import Started, TurnTasks
from ruleplay.server.turns import until_settled
from ruleplay.storage.histories import Histories, digest

MOST_MOVES = 64
"""Maximum of other seats' moves that are played for one request."""
RETRIED_WITHIN = 600.0
"""Seconds in which a client's retry gets the turn that its first attempt has committed."""
LOST = (
    "I do not find what was said before in any session here, so this is the beginning of a new one."
)
LOST_HERE = "I do not find what was said before in this session; this goes on from its latest turn."
PARTED = "\n\n"
NOTHING = "…"
"""The reply of a turn without any text: some clients drop empty replies."""


class LiveReply:
    """One reply in progress; when the last of its clients leaves, its turn is cancelled."""

    def __init__(self) -> None:
        self.created = int(time())
        self.ident = secrets.token_hex(12)
        self.session = ""
        self.seat = ""
        self.turn: Turn | None = None
        self.pieces: list[str] = []
        self.error: BaseException | None = None
        self.opened = asyncio.Event()
        self.task: asyncio.Task[None] | None = None
        self.started: Started | Turn | None = None
        self.over = False
        self.listeners = 0
        self._changed = asyncio.Event()

    @classmethod
    def saying(cls, text: str, session: str = "") -> LiveReply:
        """Make a finished reply that does not come from a turn."""
        live = cls()
        live.session = session
        live.say(text)
        live.end()
        return live

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self.pieces)

    def say(self, text: str) -> None:
        """Add a piece of text, and wake all clients."""
        if text:
            self.pieces.append(text)
            self._wake()

    def end(self, error: BaseException | None = None) -> None:
        """Finish the reply, perhaps with an error, and wake all clients."""
        self.error, self.over = error, True
        self.opened.set()
        self._wake()

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def deltas(self) -> AsyncIterator[str]:
        """Yield the pieces of text from the beginning on; raises the error of a failed turn."""
        sent = 0
        while True:
            while sent < len(self.pieces):
                sent += 1
                yield self.pieces[sent - 1]
            if self.over:
                break
            await self._changed.wait()
        if self.error:
            raise self.error

    def join(self) -> None:
        """Count one more client."""
        self.listeners += 1

    def leave(self) -> None:
        """Count one client less, and cancel the turn if there are none."""
        self.listeners -= 1
        if self.listeners or self.over:
            return
        if isinstance(self.started, Started):
            self.started.task.cancel()
        elif self.task and self.started is None:
            self.task.cancel()


class LiveReplies:
    """All replies in progress, and the way from a request to its turn."""

    def __init__(self, host: Host, turn_tasks: TurnTasks) -> None:
        self.host, self.turn_tasks = host, turn_tasks
        self.histories = Histories(host.store.database)
        self.seating = Seating(host, turn_tasks, Key.of(host.settings.home))
        self._running: dict[str, LiveReply] = {}

    @property
    def listeners(self) -> int:
        """The number of clients that wait for replies."""
        return sum(live.listeners for live in self._running.values())

    async def open(self, asked: Asked, access: Access) -> LiveReply:
        """Return the reply to a request once its turn has started; raises if it cannot start.

        A client that repeats a request in progress gets the same reply. The caller has joined the
        reply and must call `leave`.
        """
        name = _name(asked, access.tokens)
        live = self._running.get(name)
        if live is None or not (asked.placed or asked.retried):
            live = self._begin(name, asked, access)
        live.join()
        try:
            await live.opened.wait()
        except BaseException:
            live.leave()
            raise
        if live.error and live.started is None:
            live.leave()
            raise live.error
        return live

    def _begin(self, name: str, asked: Asked, access: Access) -> LiveReply:
        live = self._running[name] = LiveReply()

        def forget(_: asyncio.Task[None]) -> None:
            if self._running.get(name) is live:
                del self._running[name]

        live.task = asyncio.create_task(self._run(live, asked, access))
        live.task.add_done_callback(forget)
        return live

    async def _run(self, live: LiveReply, asked: Asked, access: Access) -> None:
        """Play the turn to its end, and index it before the clients learn that it has ended.

        They could send the next message at once. All errors, and cancellation, go to the clients.
        """
        try:
            await self._start(live, asked, access)
            await self._follow(live, asked)
        except asyncio.CancelledError:
            live.end(Conflict("the turn was cancelled"))
        except BaseException as error:  # noqa: BLE001  # raised in all clients' requests
            live.end(error)
        else:
            live.end()

    async def _start(self, live: LiveReply, asked: Asked, access: Access) -> None:
        spot = await find_spot(self.host, self.histories, asked)
        if asked.retried and (earlier := await self._committed(asked, spot)):
            live.session, live.started, live.ident = earlier.session, earlier, earlier.id
            live.seat = asked.speaker.seat or earlier.seat
            live.opened.set()
            return
        stand = await self.stand(asked, access, spot)
        acting = stand.table.acting(asked.speaker.seat)
        live.session, live.seat = stand.head.id, stand.table.reading(acting)
        lost = (LOST_HERE if spot.session else LOST) if spot.lost else ""
        for notice in (lost, stand.notice):
            live.say(f"*{notice}*\n\n" if notice else "")
        parent = stand.parent
        if stand.table.guarded and parent == stand.head.head:
            # Other seats may have to move before the person can.
            parent = await self._others(live) or parent
        live.started = await self.turn_tasks.play(
            stand.head.id, Given(message=_message(asked)), acting, asked.key, parent
        )
        live.ident = live.started.id
        live.opened.set()

    async def stand(self, asked: Asked, access: Access, spot: Spot) -> Stand:
        """Load the session and seats that a request continues with, creating a new session.

        If the model's name has a seat, the person sits down there when the game begins.
        """
        seat = asked.speaker.seat
        head = await self._session(asked, spot)
        parent = head.head if spot.parent == HEAD else spot.parent
        stand = await self.seating.stand(asked, access, head, parent)
        if not spot.chat_known:
            await self._remember(asked, head.id)
        if not stand.table.guarded:
            await check_branching(self.host, stand.table, stand.parent)
            return stand
        if not seat and not stand.table.mine:
            raise no_seat(asked.speaker.agent, seat_list(stand.table))
        if seat and parent is None and not stand.table.guard(seat):
            await check_branching(self.host, stand.table, stand.parent)
            stand = await self.seating.sit_down(asked, access, stand, seat)
            await self.histories.keep([asked.address.said], head.id, str(stand.parent))
            return stand
        await check_branching(self.host, stand.table, stand.parent)
        return stand

    async def _session(self, asked: Asked, spot: Spot) -> Head:
        if spot.session:
            return (await self.host.store.read(spot.session))[0]
        speaker = asked.speaker
        agent = self.host.find_agent(speaker.agent)
        if agent.public_seat and not speaker.seat and asked.history.command is None:
            state = agent.new(agent.demo(), Random(agent.name))
            seats = (seat for seat in agent.seats_of(state) if seat != agent.public_seat)
            raise no_seat(speaker.agent, ", ".join(seats))
        return await self.host.create(speaker.agent, speaker.config)

    async def _remember(self, asked: Asked, session: str) -> None:
        """Record the session of a chat's id, and of an idempotency key."""
        if asked.chat:
            hashed = asked.address.chat(asked.chat)
            await self.histories.keep([hashed], session, str(asked.history.renewed))
        if asked.key and not asked.history.exchanges:
            await self.histories.keep([asked.address.key(asked.key)], session, "")

    async def _committed(self, asked: Asked, spot: Spot) -> Turn | None:
        """Find the turn that an earlier attempt of the same request has committed."""
        within = (spot.session,) if spot.session else None
        for place in await self.histories.places(asked.address.asked_now, within):
            if time() - place.at > RETRIED_WITHIN:
                break
            turn = await self.host.store.turn(place.turn)
            if spot.parent in (HEAD, turn.parent) or (not spot.session and turn.number <= 2):
                return turn
        return None

    async def _follow(self, live: LiveReply, asked: Asked) -> None:
        """Pass on what the turn streams, then the rest of its reply, and index it."""
        started, before = live.started, live.text
        if isinstance(started, Started):
            with self.host.bus.reading(live.session, live.seat or None) as reader:
                started.task.add_done_callback(lambda _: reader.close())
                async for item in reader:
                    if item.turn == started.id and item.name == "text":
                        live.say(str(item.body["text"]))
        turn = await until_settled(started) if started else None
        if turn is None:
            return
        live.turn, live.ident = turn, turn.id
        reply = whole_reply(turn, live.seat or None) or NOTHING
        live.say(remaining_text(reply, live.text[len(before) :]))
        self._keep(asked, turn, turn.id, live.text, reply)
        agent = self.host.find_agent(asked.speaker.agent)
        if not agent.public_seat or isinstance(started, Turn):
            return
        if last := await self._others(live, PARTED):
            self._keep(asked, turn, last, live.text)

    async def _others(self, live: LiveReply, between: str = "") -> str:
        """Play the moves of other seats up to a person's; returns the last turn's id, or "".

        Chat programs have no way to start autoplay, so it happens with each message.
        """
        last = ""
        steps = play_on(
            self.host,
            live.session,
            Pace(moves=MOST_MOVES),
            lambda move, version: self.turn_tasks.move(live.session, move, version),
        )
        with suppress(RuleplayError):  # the turns before are committed, and can be continued
            async for step in steps:
                if step.stage == "waiting" or step.ended:
                    break
                if step.turn:
                    last = step.turn.id
                    text = whole_reply(step.turn, live.seat or None)
                    live.say(f"{between}{text}{'' if between else PARTED}" if text else "")
        return last

    def _keep(self, asked: Asked, turn: Turn, last: str, *texts: str) -> None:
        """Index the texts of a reply to lead to `last`: this turn, or another seat's move after."""
        address = asked.address
        hashes = {hash_ for text in texts for hash_ in address.answered(text)}
        if not asked.turn:
            hashes.add(address.asked_now)
        if last != turn.id:
            hashes.add(digest(AFTER, turn.id))
        self.histories.note(sorted(hashes), turn.session, last)


def _message(asked: Asked) -> str:
    """Join the unanswered messages; only the last one if together they are too long."""
    whole = asked.history.asked
    return whole if len(whole) <= MESSAGE_LIMIT else asked.history.last


def _name(asked: Asked, tokens: tuple[str, ...]) -> str:
    """Hash what makes two requests the same."""
    address, speaker = asked.address, asked.speaker
    named = (asked.chat, asked.session, asked.turn, asked.key or "", speaker.name)
    return digest(address.asked_now, address.said, *named, *tokens, normal(asked.history.last))
