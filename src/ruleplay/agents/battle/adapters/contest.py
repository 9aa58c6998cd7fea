"""One battle on a server: keeps its messages and passes its requests to a chooser."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Protocol, TypeVar

from ruleplay.errors import Unavailable, UserError
from ruleplay.records.events import Json

if TYPE_CHECKING:
    from poke_env.battle import Battle, DoubleBattle

Content = TypeVar("Content")
LOG = logging.getLogger("ruleplay.battle")
FRAMES_WAITING = 2_000
"""Limits on what a server may send, so that a broken or hostile one cannot fill the memory."""
LOG_LINES = 60_000
"""Lines of a battle's log, and characters of a request, after which the server is given up."""
REQUEST_LIMIT = 200_000
GARBLED = 200
"""Unreadable lines after which a battle is given up."""
CHOICES = 4
"""Refusals of one request after which the choice is left to the server."""
LATE = ("Sorry, too late", "There's nothing to choose")
"""Errors that mean the turn went on without our choice."""
SILENT_KINDS = frozenset(
    (
        *("", "t:", "expire", "uhtml", "uhtmlchange", "raw", "html", "c", "c:", "chat", "debug"),
        *("j", "J", "l", "L", "n", "N", "join", "leave", "name", "title", "init", "deinit"),
        *("inactive", "inactiveoff", "tempnotify", "tempnotifyoff", "notify", "bigerror", "error"),
        *("askreg", "hidelines", "unlink", "sentchoice", "noinit", "win", "tie", "request"),
        *("controlshtml", "fieldhtml", "selectorhtml", "pagehtml"),
    )
)
"""Lines that do not concern the battle itself, or that are handled here."""
TIME = re.compile(r"(?:Time left: |has )(\d+) sec")
"""How the server announces the seconds left."""
# What parsing foreign text may raise; none of it may end a running battle.
UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, AssertionError, RuntimeError)


class Chooser(Protocol):
    """Answers a battle's requests."""

    async def begin(self, contest: Contest) -> None:
        """Get ready; called before the first request."""

    async def choose(self, contest: Contest) -> str:
        """Choose a message for the server (`/choose …`, `/team …`), without the request's id."""

    async def sent(self, contest: Contest) -> None:
        """Do what can wait until the choice has been sent."""

    async def end(self, contest: Contest) -> None:
        """Clean up; the battle has a result, or will never have one."""


@dataclass
class Tally:
    """Counters of a battle; `ms` are the times of our decisions, from request to sending."""

    decisions: int = 0
    invalid: int = 0
    unavailable: int = 0
    late: int = 0
    fallbacks: int = 0
    garbled: int = 0
    timed_out: bool = False
    ms: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class BattleResult:
    """A battle's result for us; `won` is None for a tie."""

    room: str
    won: bool | None
    opponent: str
    turns: int
    tally: Tally


@dataclass
class Contest:
    """A battle in progress; `refused` are choices the server did not accept for this request."""

    room: str
    name: str
    format: str
    chooser: Chooser
    send: Callable[[str, str], Awaitable[bool]]
    silence: float
    timed: bool = True
    tally: Tally = field(default_factory=Tally)
    log: list[str] = field(default_factory=list)
    request: Json | None = None
    refused: tuple[str, ...] = ()
    time_left: int | None = None
    outcome: BattleResult | None = None
    players: dict[str, str] = field(default_factory=dict)
    turn: int = 0
    _frames: asyncio.Queue[list[str]] = field(default_factory=asyncio.Queue)
    _battle: Battle | DoubleBattle | None = None
    _parsed: int = 0
    _due: bool = False
    _choice: str = ""

    @property
    def battle(self) -> Battle | DoubleBattle:
        """The battle as poke-env parses it: created on first use, then kept up to date."""
        if self._battle is None:
            self._battle, self._parsed = open_battle(self.room, self.name, self.format), 0
        for line in self.log[self._parsed :]:
            parts = line.split("|")
            if len(parts) > 1 and parts[1] not in SILENT_KINDS:
                self._parse(self._battle.parse_message, parts)
        self._parsed = len(self.log)
        if self.request is not None and self._battle.last_request is not self.request:
            self._parse(self._battle.parse_request, self.request)
        return self._battle

    @property
    def opponent(self) -> str:
        """The other player's name; "" until the server has sent it."""
        return next((name for name in self.players.values() if name != self.name), "")

    @property
    def role(self) -> str:
        """Our role, `p1` or `p2`."""
        side = (self.request or {}).get("side")
        told = side.get("id") if isinstance(side, dict) else None
        return told if isinstance(told, str) else "p1"

    @property
    def request_id(self) -> int:
        """The server's number for the open request; 0 without one."""
        number = (self.request or {}).get("rqid", 0)
        return number if isinstance(number, int) else 0

    def put(self, lines: list[str]) -> None:
        """Queue a frame; Unavailable if the server floods us."""
        if self._frames.qsize() >= FRAMES_WAITING:
            raise Unavailable(f"the server sends more than can be read in {self.room}")
        self._frames.put_nowait(lines)

    async def play(self) -> BattleResult:
        """Answer the battle's requests until it is over.

        Raises Unavailable if nothing comes for `silence` seconds, or only nonsense.
        """
        # Without the timer, an opponent who leaves would stall the battle.
        if self.timed:
            await self.send(self.room, "/timer on")
        await self.chooser.begin(self)
        try:
            while self.outcome is None:
                await self._follow()
        finally:
            await self.chooser.end(self)
        return self.outcome

    async def _follow(self) -> None:
        try:
            async with asyncio.timeout(self.silence):
                lines = await self._frames.get()
        except TimeoutError as error:
            raise Unavailable(
                f"nothing was heard of {self.room} for {self.silence:g} s; the battle is given up"
            ) from error
        for line in lines:
            self.read(line)
        # A queued frame may contain a newer request, which makes this one obsolete.
        if self._due and self._frames.empty() and self.outcome is None:
            await self._answer()

    def read(self, line: str) -> None:
        """Process one line of the protocol and add it to the log."""
        parts = line.split("|")
        kind = parts[1] if line.startswith("|") and len(parts) > 1 else ""
        rest = line.split("|", 2)[2] if len(parts) > 2 else ""
        if kind == "init":
            self._start_over()
        elif kind == "request":
            self._take_request(rest)
        # The server has our choice already, for example when we rejoin.
        elif kind == "sentchoice":
            self._due = False
        elif kind == "error":
            self._take_error(rest)
        elif kind in ("inactive", "inactiveoff"):
            self._read_clock(rest)
        elif kind in ("win", "tie"):
            self._finish(rest if kind == "win" else "")
        elif kind == "player" and len(parts) > 3 and parts[3]:
            self.players[parts[2]] = parts[3]
        elif kind == "noinit":
            raise Unavailable(f"the server has no battle {self.room!r}: {rest[:200]}")
        elif kind == "turn" and parts[2].isdecimal():
            self.turn = int(parts[2][:6])
        # Requests and errors go to us alone, so they are not part of a battle's log.
        self._keep(line, kind)

    def _keep(self, line: str, kind: str) -> None:
        if kind in ("request", "error", "sentchoice", "deinit"):
            return
        if len(self.log) >= LOG_LINES:
            raise Unavailable(f"{self.room} has more than {LOG_LINES:,} lines; it is given up")
        self.log.append(line)

    def _parse(self, parse: Callable[[Content], None], content: Content) -> None:
        try:
            parse(content)
        except (*UNREADABLE, NotImplementedError) as error:
            self._garbled(str(content), error)

    def _garbled(self, line: str, error: Exception) -> None:
        self.tally.garbled += 1
        LOG.info("%s: unreadable line %.200r: %s", self.room, line, error)
        if self.tally.garbled > GARBLED:
            raise Unavailable(f"the server sends nonsense in {self.room}; the battle is given up")

    def _start_over(self) -> None:
        """Reset at the beginning of a battle, which the server also sends after a reconnection."""
        self.log, self.request = [], None
        self._battle, self._due = None, False

    def _take_request(self, text: str) -> None:
        if not text:
            return
        try:
            if len(text) > REQUEST_LIMIT:
                raise ValueError(f"a request of {len(text):,} characters")
            request = json.loads(text)
            if not isinstance(request, dict):
                raise ValueError("a request that is no object")
        except (ValueError, RecursionError) as error:
            self._garbled(text, error)
            return
        self.request, self.refused = request, ()
        # A request with `wait` only shows our team while the opponent chooses.
        self._due = not request.get("wait")

    def _take_error(self, text: str) -> None:
        """Count a refusal and ask the chooser again.

        After [Unavailable choice] the server sends a new request by itself, with what it had
        concealed.
        """
        if text.startswith("[Unavailable choice]"):
            self.tally.unavailable += 1
        elif text.startswith("[Invalid choice]"):
            if any(word in text for word in LATE):
                self.tally.late += 1
                return
            self.tally.invalid += 1
            LOG.warning("%s: %r was refused: %s", self.room, self._choice, text)
            # The server does not repeat the request, so we answer the old one again.
            self.refused, self._due = (*self.refused, self._choice), True

    def _read_clock(self, text: str) -> None:
        ours = text.startswith(("Time left", self.name))
        if ours and (found := TIME.search(text)):
            self.time_left = int(found[1])
        if "lost due to inactivity" in text and text.startswith(self.name):
            self.tally.timed_out = True

    def _finish(self, winner: str) -> None:
        won = None if not winner else winner == self.name
        self.outcome = BattleResult(self.room, won, self.opponent, self.turn, self.tally)

    async def _answer(self) -> None:
        """Have the chooser choose, and send the choice."""
        self._due = False
        began = perf_counter()
        choice = await self._choose()
        self._choice = choice
        if await self.send(self.room, f"{choice}|{self.request_id}"):
            self.tally.decisions += 1
            self.tally.ms.append((perf_counter() - began) * 1000)
            await self.chooser.sent(self)

    async def give_up(self) -> str:
        """Forfeit the battle; returns an answer to the open request."""
        await self.send(self.room, "/forfeit")
        return "/choose default"

    async def _choose(self) -> str:
        # Even its own default was refused several times.
        if len(self.refused) >= 2 * CHOICES:
            raise Unavailable(f"the server takes none of our choices in {self.room}")
        if len(self.refused) >= CHOICES:
            return "/choose default"
        return await self.chooser.choose(self)


def open_battle(room: str, name: str, format: str) -> Battle | DoubleBattle:  # noqa: A002
    """Create poke-env's battle object for a room (UserError for a format we do not play)."""
    from poke_env.battle import Battle, DoubleBattle

    kind = DoubleBattle if is_double(format) else Battle
    return kind(room, name, LOG, gen=check_format(format))


def is_double(format: str) -> bool:  # noqa: A002
    """Check whether each side has two active Pokémon."""
    return any(word in format for word in ("double", "vgc"))


def check_format(format: str) -> int:  # noqa: A002
    """Extract a format's generation (UserError if it is neither single nor double)."""
    generation = re.match(r"gen(\d)", format)
    if generation is None or any(word in format for word in ("multi", "triple", "freeforall")):
        raise UserError(
            f"format {format!r}: only single and double battles such as gen9randombattle"
        )
    return int(generation[1])
