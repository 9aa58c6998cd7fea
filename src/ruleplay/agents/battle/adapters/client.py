"""A user on a Showdown server who starts and plays battles: by challenge or on the ladder."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Self, TypeVar

from ruleplay.agents.battle.adapters.connection import Connection, user_id
from ruleplay.agents.battle.adapters.contest import LOG, BattleResult, Chooser, Contest
from ruleplay.errors import Conflict, Unavailable

Result = TypeVar("Result")
CHALLENGES_KEPT = 1_000
"""Open challenges that are remembered."""


class Client:
    """One user's battles in one format; `packed` is a team in the server's packed form, or "".

    Several battles may run at the same time, but they start one after another, as the server
    requires. Unless `timed`, the server's clock is not requested.
    """

    def __init__(
        self,
        connection: Connection,
        chooser: Callable[[], Chooser],
        *,
        format: str,  # noqa: A002
        packed: str = "",
        timed: bool = True,
    ) -> None:
        self.connection, self.chooser = connection, chooser
        self.format, self.packed, self.timed = format, packed, timed
        self.games: tuple[str, ...] = ()
        self.contests: dict[str, Contest] = {}
        self._begun: asyncio.Queue[Contest | str] = asyncio.Queue()
        self._challenges: dict[str, str] = {}
        self._challenged = asyncio.Event()
        self._starting = asyncio.Lock()
        self._waiting = False
        self._line: asyncio.Task[None] | None = None

    @property
    def name(self) -> str:
        """Our name on the server."""
        return self.connection.name

    async def __aenter__(self) -> Self:
        self._line = asyncio.create_task(self.connection.run(self._receive, self._rejoin))
        try:
            await self.unless_lost(self.connection.ready.wait())
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection."""
        if self._line is not None:
            self._line.cancel()
            await asyncio.gather(self._line, return_exceptions=True)

    async def unless_lost(self, doing: Coroutine[object, object, Result]) -> Result:
        """Await something that needs the connection, or raise what ended the connection first."""
        if self._line is None:
            doing.close()
            raise Unavailable("the client is not connected")
        task = asyncio.create_task(doing)
        try:
            await asyncio.wait({task, self._line}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            self._line.result()
            raise Unavailable("the connection has ended")
        finally:
            if not task.done():
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    async def challenge(self, user: str) -> BattleResult:
        """Challenge a user and play the battle (Conflict if it is declined)."""
        return await self._play(f"/challenge {user}, {self.format}")

    async def begin(self, user: str) -> Contest:
        """Challenge a user and return the battle once it has begun; `finish` plays it."""
        async with self._starting:
            return await self._begin(f"/challenge {user}, {self.format}", "/cancelchallenge")

    async def ladder(self) -> BattleResult:
        """Find an opponent on the ladder and play the battle."""
        return await self._play(f"/search {self.format}", cancel="/cancelsearch")

    async def accept(self, user: str = "") -> BattleResult:
        """Wait for a challenge in our format, by `user` if given, and play the battle."""
        async with self._starting:
            challenger = await self.unless_lost(self._challenger(user_id(user)))
            self._challenges.pop(challenger, None)
            contest = await self._begin(f"/accept {challenger}")
        return await self.finish(contest)

    async def resume(self, room: str) -> BattleResult:
        """Resume a battle of ours that is running on the server."""
        async with self._starting:
            contest = self.contests.get(room) or await self._begin(f"/join {room}")
        return await self.finish(contest)

    async def _play(self, text: str, cancel: str = "/cancelchallenge") -> BattleResult:
        async with self._starting:
            contest = await self._begin(text, cancel)
        return await self.finish(contest)

    async def _begin(self, text: str, cancel: str = "") -> Contest:
        """Request a battle and wait until it has begun."""
        # Leftovers of an earlier attempt would be taken for this battle.
        while not self._begun.empty():
            self._begun.get_nowait()
        self._waiting = True
        try:
            # `/utm` sets the team for the next battle, so it comes before the request for one.
            await self.connection.send("", f"/utm {self.packed or 'null'}")
            await self.connection.send("", text)
            async with asyncio.timeout(self.connection.patience.start):
                begun = await self.unless_lost(self._begun.get())
        except TimeoutError as error:
            if cancel:
                await self.connection.send("", cancel)
            seconds = self.connection.patience.start
            raise Unavailable(f"no battle began within {seconds:g} s after {text!r}") from error
        finally:
            self._waiting = False
        if isinstance(begun, str):
            raise Conflict(f"the server would not begin a battle: {begun[:300]}")
        return begun

    async def finish(self, contest: Contest) -> BattleResult:
        """Play a battle that has begun to its end."""
        try:
            return await self.unless_lost(contest.play())
        finally:
            self.contests.pop(contest.room, None)
            await self.connection.send("", f"/leave {contest.room}")

    async def _challenger(self, wanted: str) -> str:
        """Wait for a challenge in our format, by `wanted` or anybody if that is ""."""
        while True:
            for user, format_ in self._challenges.items():
                if format_ == self.format and wanted in ("", user):
                    return user
            self._challenged.clear()
            await self._challenged.wait()

    async def _rejoin(self) -> None:
        """Rejoin all battles after a reconnection."""
        for room in tuple(self.contests):
            await self.connection.send("", f"/join {room}")

    async def _receive(self, room: str, lines: list[str]) -> None:
        if room.startswith("battle-"):
            await self._to_contest(room, lines)
        elif not room:
            for line in lines:
                self._hear(line)

    async def _to_contest(self, room: str, lines: list[str]) -> None:
        contest = self.contests.get(room)
        if contest is None:
            # A late frame of a battle that we have left.
            if not any(line.startswith("|init|battle") for line in lines):
                return
            contest = self._open(room)
        contest.put(lines)

    def _open(self, room: str) -> Contest:
        format_ = room.split("-")[1]
        contest = Contest(
            room=room,
            name=self.name,
            format=format_,
            chooser=self.chooser(),
            send=self.connection.send,
            silence=self.connection.patience.silence,
            timed=self.timed,
        )
        self.contests[room] = contest
        self._begun.put_nowait(contest)
        return contest

    def _hear(self, line: str) -> None:
        """Process a line outside of rooms: challenges, running games, refusals."""
        kind, _, rest = line.removeprefix("|").partition("|")
        if kind == "pm":
            self._hear_message(rest)
        elif kind == "popup":
            # `||` is a line break in popups.
            self._problem(rest.replace("||", " "))
        elif kind in ("updatechallenges", "updatesearch"):
            told = _object(rest)
            for user, format_ in _items(told.get("challengesFrom")):
                self._note_challenge(user, format_)
            if "games" in told:
                self.games = tuple(room for room, _ in _items(told["games"]))

    def _hear_message(self, rest: str) -> None:
        sender, _, more = rest.partition("|")
        text = more.partition("|")[2]
        command, _, what = text.partition(" ")
        if user_id(sender) == user_id(self.name):
            if command == "/error":
                self._problem(what)
        elif command == "/challenge" and what:
            self._note_challenge(user_id(sender), what.split("|")[0])
        # A challenge without a format withdraws the one before.
        elif command == "/challenge":
            self._challenges.pop(user_id(sender), None)
        elif command in ("/nonotify", "/error", "/log") and "reject" in what:
            self._problem(what)

    def _note_challenge(self, user: str, format_: str) -> None:
        if len(self._challenges) < CHALLENGES_KEPT:
            self._challenges[user] = format_
            self._challenged.set()

    def _problem(self, text: str) -> None:
        LOG.info("the server says: %.300s", text)
        if self._waiting:
            self._begun.put_nowait(text)


def _object(text: str) -> dict[str, object]:
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def _items(value: object) -> list[tuple[str, str]]:
    return [(str(k), str(v)) for k, v in value.items()] if isinstance(value, dict) else []
