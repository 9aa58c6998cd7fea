"""Requests while they are answered: one turn each, however many clients wait for it."""

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
from ruleplay.server.background import Background, Started
from ruleplay.server.keys import Key
from ruleplay.server.openai.finding import AFTER, Asked, Spot, find_spot
from ruleplay.server.openai.history import normal
from ruleplay.server.openai.seating import Seating, Stand, no_seat, seats_told
from ruleplay.server.sse import left_of
from ruleplay.server.turns import until_settled
from ruleplay.storage.histories import Histories, digest

MOST_MOVES = 64
"""Moves of others that are played for one request."""
RETRIED_WITHIN = 600.0
"""Seconds in which a client that asks once more gets the turn that was committed meanwhile."""
LOST = (
    "I do not find what was said before in any session here, so this is the beginning of a new one."
)
LOST_HERE = "I do not find what was said before in this session; this goes on from its latest turn."
PARTED = "\n\n"
NOTHING = "…"
"""What is told of a turn in which nothing was said: some clients drop empty replies."""


class Play:
    """One answer in the making. Clients listen to it; when the last one leaves, it is cancelled."""

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
    def saying(cls, text: str, session: str = "") -> Play:
        """Return an answer that is no turn."""
        play = cls()
        play.session = session
        play.say(text)
        play.end()
        return play

    @property
    def text(self) -> str:
        """All that was said so far."""
        return "".join(self.pieces)

    def say(self, text: str) -> None:
        """Tell all clients the next piece."""
        if text:
            self.pieces.append(text)
            self._wake()

    def end(self, error: BaseException | None = None) -> None:
        """Tell all clients that there is no more."""
        self.error, self.over = error, True
        self.opened.set()
        self._wake()

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def deltas(self) -> AsyncIterator[str]:
        """Yield what is said, from the beginning on; raises what made the turn fail."""
        told = 0
        while True:
            while told < len(self.pieces):
                told += 1
                yield self.pieces[told - 1]
            if self.over:
                break
            await self._changed.wait()
        if self.error:
            raise self.error

    def join(self) -> None:
        """Take note of a client more."""
        self.listeners += 1

    def leave(self) -> None:
        """Take note that a client has gone; a turn nobody waits for is stopped."""
        self.listeners -= 1
        if self.listeners or self.over:
            return
        if isinstance(self.started, Started):
            self.started.task.cancel()
        elif self.task and self.started is None:
            self.task.cancel()


class Plays:
    """The answers in the making, and the way from a request to its turn."""

    def __init__(self, host: Host, background: Background) -> None:
        self.host, self.background = host, background
        self.histories = Histories(host.store.database)
        self.seating = Seating(host, background, Key.of(host.settings.home))
        self._running: dict[str, Play] = {}

    @property
    def listeners(self) -> int:
        """How many clients wait for answers."""
        return sum(play.listeners for play in self._running.values())

    async def open(self, asked: Asked, access: Access) -> Play:
        """Return the answer to a request, once its turn runs; raises why it may not.

        A client that asks the same again while it is answered listens to the same turn. The caller
        has joined it, and has to leave.
        """
        name = _name(asked, access.tokens)
        play = self._running.get(name)
        if play is None or not (asked.placed or asked.retried):
            play = self._begin(name, asked, access)
        play.join()
        try:
            await play.opened.wait()
        except BaseException:
            play.leave()
            raise
        if play.error and play.started is None:
            play.leave()
            raise play.error
        return play

    def _begin(self, name: str, asked: Asked, access: Access) -> Play:
        play = self._running[name] = Play()

        def forget(_: asyncio.Task[None]) -> None:
            if self._running.get(name) is play:
                del self._running[name]

        play.task = asyncio.create_task(self._run(play, asked, access))
        play.task.add_done_callback(forget)
        return play

    async def _run(self, play: Play, asked: Asked, access: Access) -> None:
        """Play the turn to its end, and keep its address before clients are told that it is over.

        Whatever goes wrong is told to all who listen, cancellation too.
        """
        try:
            await self._start(play, asked, access)
            await self._follow(play, asked)
        except asyncio.CancelledError:
            play.end(Conflict("the turn was cancelled"))
        except BaseException as error:  # noqa: BLE001  # told to all who listen
            play.end(error)
        else:
            play.end()

    async def _start(self, play: Play, asked: Asked, access: Access) -> None:
        spot = await find_spot(self.host, self.histories, asked)
        if asked.retried and (earlier := await self._committed(asked, spot)):
            play.session, play.started, play.ident = earlier.session, earlier, earlier.id
            play.seat = asked.speaker.seat or earlier.seat
            play.opened.set()
            return
        stand = await self.stand(asked, access, spot)
        acting = stand.table.acting(asked.speaker.seat)
        play.session, play.seat = stand.head.id, stand.table.reading(acting)
        lost = (LOST_HERE if spot.session else LOST) if spot.lost else ""
        for told in (lost, stand.told):
            play.say(f"*{told}*\n\n" if told else "")
        parent = stand.parent
        if stand.table.guarded and parent == stand.head.head:
            # Whoever has just sat down hears what the others do before.
            parent = await self._others(play) or parent
        play.started = await self.background.play(
            stand.head.id, Given(message=_message(asked)), acting, asked.key, parent
        )
        play.ident = play.started.id
        play.opened.set()

    async def stand(self, asked: Asked, access: Access, spot: Spot) -> Stand:
        """Return where a request goes on, after making the session where there is none.

        Whoever chose a seat as the model sits down there, where the game begins.
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
            raise no_seat(asked.speaker.agent, seats_told(stand.table))
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
        """Keep which session a chat or a key stands for."""
        if asked.chat:
            hashed = asked.address.chat(asked.chat)
            await self.histories.keep([hashed], session, str(asked.history.renewed))
        if asked.key and not asked.history.exchanges:
            await self.histories.keep([asked.address.key(asked.key)], session, "")

    async def _committed(self, asked: Asked, spot: Spot) -> Turn | None:
        """Return the turn that a client asks for once more, if it was committed just now."""
        within = (spot.session,) if spot.session else None
        for place in await self.histories.places(asked.address.asked_now, within):
            if time() - place.at > RETRIED_WITHIN:
                break
            turn = await self.host.store.turn(place.turn)
            if spot.parent in (HEAD, turn.parent) or (not spot.session and turn.number <= 2):
                return turn
        return None

    async def _follow(self, play: Play, asked: Asked) -> None:
        """Tell what the turn says, then what is left of its reply, and keep its address."""
        started, before = play.started, play.text
        if isinstance(started, Started):
            with self.host.bus.reading(play.session, play.seat or None) as reader:
                started.task.add_done_callback(lambda _: reader.close())
                async for item in reader:
                    if item.turn == started.id and item.name == "text":
                        play.say(str(item.body["text"]))
        turn = await until_settled(started) if started else None
        if turn is None:
            return
        play.turn, play.ident = turn, turn.id
        reply = whole_reply(turn, play.seat or None) or NOTHING
        play.say(left_of(reply, play.text[len(before) :]))
        self._keep(asked, turn, turn.id, play.text, reply)
        agent = self.host.find_agent(asked.speaker.agent)
        if not agent.public_seat or isinstance(started, Turn):
            return
        if last := await self._others(play, PARTED):
            self._keep(asked, turn, last, play.text)

    async def _others(self, play: Play, between: str = "") -> str:
        """Play the moves that no person makes, and tell them; return the last one's turn, if any.

        A chat program has no way to let a game play on, so whoever sits in one waits for nothing
        but people.
        """
        last = ""
        steps = play_on(
            self.host,
            play.session,
            Pace(moves=MOST_MOVES),
            lambda move, version: self.background.move(play.session, move, version),
        )
        with suppress(RuleplayError):  # what was played before it holds
            async for step in steps:
                if step.stage == "waiting" or step.ended:
                    break
                if step.turn:
                    last = step.turn.id
                    told = whole_reply(step.turn, play.seat or None)
                    play.say(f"{between}{told}{'' if between else PARTED}" if told else "")
        return last

    def _keep(self, asked: Asked, turn: Turn, last: str, *told: str) -> None:
        """Keep that a reply, as it was told, leads to a turn: this one, or the last after it."""
        address = asked.address
        hashes = {hash_ for text in told for hash_ in address.answered(text)}
        if not asked.turn:
            hashes.add(address.asked_now)
        if last != turn.id:
            hashes.add(digest(AFTER, turn.id))
        self.histories.note(sorted(hashes), turn.session, last)


def _message(asked: Asked) -> str:
    """Return what is asked; only the last message, where unanswered ones make it too long."""
    whole = asked.history.asked
    return whole if len(whole) <= MESSAGE_LIMIT else asked.history.last


def _name(asked: Asked, tokens: tuple[str, ...]) -> str:
    """Return a hash that equal requests share."""
    address, speaker = asked.address, asked.speaker
    named = (asked.chat, asked.session, asked.turn, asked.key or "", speaker.name)
    return digest(address.asked_now, address.said, *named, *tokens, normal(asked.history.last))
