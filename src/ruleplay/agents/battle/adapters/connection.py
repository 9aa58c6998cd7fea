"""One user's line to a Showdown server: login, pacing, and coming back after a dropped socket.

poke-env has a client of its own, but its players wait on semaphores that a dropped socket never
releases, so only its parser is used (see `contest`). The protocol is described in the server
package's PROTOCOL.md.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ruleplay.errors import Unavailable, UserError
from ruleplay.system.loopback import is_loopback

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

MAIN_SERVER = "wss://sim3.psim.us/showdown/websocket"
LOGIN_URL = "https://play.pokemonshowdown.com/api/"
FRAME_LIMIT = 4_000_000
NAME_LIMIT = 18
"""Characters the server allows in a user's name."""
SPACING = 0.65
"""Seconds between two messages; the public server allows one in 0.6 s."""
STEADY_SECONDS = 30
"""A socket that held this long counts as a good one: attempts to come back start afresh."""
LOG = logging.getLogger("ruleplay.battle")

Receive = Callable[[str, list[str]], Awaitable[None]]


@dataclass(frozen=True)
class Account:
    """Who we are on a server; without a password the name is a guest's."""

    name: str
    password: str = ""

    @classmethod
    def guest(cls, stem: str = "Ruleplay") -> Account:
        """Return a name nobody else has: a name used twice rejoins the battles of its past."""
        return cls(f"{stem[:9]} {secrets.token_hex(4)}")


NAME_TRIES, NAME_PAUSE = 6, 0.5
"""How often a taken name is asked for again, and after how many seconds."""


@dataclass(frozen=True)
class Patience:
    """How long things may take, in seconds, and how often we come back.

    `login` bounds connecting and logging in, `start` waiting for a battle to begin, `silence` a
    battle in which nothing comes: a running timer ends a turn after 150 s at most.
    """

    login: float = 30
    start: float = 300
    silence: float = 330
    returns: int = 6


def server_url(name: str) -> str:
    """Return the websocket address of a server: `showdown`, ws(s)://… or http(s)://host:port."""
    if name in ("", "showdown"):
        return MAIN_SERVER
    parts = urlsplit(name if "://" in name else f"ws://{name}")
    scheme = {"http": "ws", "https": "wss"}.get(parts.scheme, parts.scheme)
    if scheme not in ("ws", "wss") or not parts.hostname:
        raise UserError(f"--server takes ws://HOST:PORT or `showdown`, not {name!r}")
    path = parts.path if parts.path.strip("/") else "/showdown/websocket"
    return f"{scheme}://{parts.netloc}{path}"


def user_id(name: str) -> str:
    """Return a user's id as servers form it: lower-case letters and digits."""
    return "".join(c for c in name.lower() if c.isascii() and c.isalnum())


class Connection:
    """A line that stays up: `run` reads frames until it is cancelled or the server is given up."""

    def __init__(self, url: str, account: Account, patience: Patience | None = None) -> None:
        self.url, self.account, self.patience = url, account, patience or Patience()
        self.ready = asyncio.Event()
        self.logins = 0
        self._local = is_loopback(urlsplit(url).hostname or "")
        self._socket: ClientConnection | None = None
        self._sending = asyncio.Lock()
        self._free_at = 0.0
        self._refused = 0

    @property
    def name(self) -> str:
        """Our name on the server."""
        return self.account.name

    async def run(self, receive: Receive, on_login: Callable[[], Awaitable[None]]) -> None:
        """Hold the line: hand every frame of a room to `receive`, in order.

        Raises Unavailable when the server cannot be reached, refuses us or keeps dropping us.
        """
        failures, problem = 0, "it closed the connection"
        while failures <= self.patience.returns:
            since = monotonic()
            try:
                await self._hold(receive, on_login)
            except (OSError, TimeoutError) as error:
                problem = str(error) or type(error).__name__
            finally:
                self.ready.clear()
                self._socket = None
            failures = 1 if monotonic() - since > STEADY_SECONDS else failures + 1
            LOG.info("connection to %s lost: %s", self.url, problem)
            await asyncio.sleep(min(8, 0.25 * 2**failures))
        raise Unavailable(
            f"the Showdown server at {self.url} cannot be used: {problem[:200]}; "
            "check the address and that it runs (`ruleplay battle server` starts one)"
        )

    async def _hold(self, receive: Receive, on_login: Callable[[], Awaitable[None]]) -> None:
        """Connect, log in and read until the socket closes (OSError, TimeoutError)."""
        from websockets.asyncio.client import connect
        from websockets.exceptions import WebSocketException

        try:
            async with connect(
                self.url,
                open_timeout=self.patience.login,
                close_timeout=1,
                max_size=FRAME_LIMIT,
                max_queue=None,
                ping_interval=20,
                ping_timeout=60,
                proxy=None if self._local else True,
            ) as socket:
                self._socket = socket
                await self._read(socket, receive, on_login)
        except WebSocketException as error:
            raise ConnectionError(str(error)) from error

    async def _read(
        self, socket: ClientConnection, receive: Receive, on_login: Callable[[], Awaitable[None]]
    ) -> None:
        deadline = monotonic() + self.patience.login
        while True:
            left = None if self.ready.is_set() else max(0.0, deadline - monotonic())
            try:
                if left == 0:  # what is there already is received without looking at the time
                    raise TimeoutError
                async with asyncio.timeout(left):
                    frame = await socket.recv()
            except TimeoutError as error:
                raise TimeoutError(f"no login within {self.patience.login:g} s") from error
            room, lines = read_frame(frame)
            if not room:
                await self._greet(lines, on_login)
            await receive(room, lines)

    async def _greet(self, lines: list[str], on_login: Callable[[], Awaitable[None]]) -> None:
        """Answer the login's questions; everything else is the receiver's."""
        for line in lines:
            kind, *rest = line.removeprefix("|").split("|")
            if kind == "challstr":
                token = await self._assertion("|".join(rest))
                await self._say(f"|/trn {self.name},0,{token}")
            elif kind == "nametaken":
                await self._keep_or_change_name("|".join(rest[1:]))
                await self._say(f"|/trn {self.name},0,")
            elif kind == "updateuser" and rest and self._is_us(rest[0]):
                self.logins += 1
                self._refused = 0
                self.ready.set()
                await on_login()

    def _is_us(self, told: str) -> bool:
        """Tell whether the server calls us by our name for the first time on this socket."""
        named = user_id(told.partition("@")[0]) == user_id(self.name)
        return named and not self.ready.is_set()

    async def _keep_or_change_name(self, why: str) -> None:
        """Ask for our name again, and for another guest's when it stays taken.

        It may be ours: a server takes a while to notice that an older line of ours has died, and
        under another name we would not find the battles that wait for us.
        """
        if self.account.password or not self._local or self.ready.is_set():
            raise Unavailable(f"the server refused the name {self.name!r}: {why[:200]}")
        self._refused += 1
        if self._refused <= NAME_TRIES:
            await asyncio.sleep(NAME_PAUSE)
            return
        self._refused = 0
        self.account = Account.guest()

    async def _assertion(self, challenge: str) -> str:
        """Return the login server's word that we are who we say; local servers ask for none."""
        if self._local:
            return ""
        import httpx

        body = {"challstr": challenge, "userid": user_id(self.name)}
        if self.account.password:
            body |= {"name": self.name, "pass": self.account.password}
        action = "login" if self.account.password else "getassertion"
        try:
            async with httpx.AsyncClient(timeout=self.patience.login) as http:
                answer = await http.post(LOGIN_URL + action, data=body)
        except httpx.HTTPError as error:
            raise ConnectionError(f"the login server did not answer: {error}") from error
        token = assertion(answer.text)
        if not token or token.startswith(";"):
            raise Unavailable(
                f"the login server refused {self.name!r}; check the account under "
                "RULEPLAY_ACCOUNTS, or leave it out to play as a guest"
            )
        return token

    async def send(self, room: str, text: str) -> bool:
        """Send one message to a room ("" for none); False when the line is down just now."""
        return self.ready.is_set() and await self._say(f"{room}|{text}")

    async def _say(self, text: str) -> bool:
        from websockets.exceptions import WebSocketException

        socket = self._socket
        async with self._sending:
            if not self._local:
                await asyncio.sleep(max(0.0, self._free_at - monotonic()))
                self._free_at = monotonic() + SPACING
            if socket is None or socket is not self._socket:
                return False
            with suppress(WebSocketException, OSError):
                await socket.send(text)
                return True
        return False


def read_frame(frame: str | bytes) -> tuple[str, list[str]]:
    """Return a frame's room ("" for none) and its lines; a binary frame has none."""
    lines = frame.split("\n") if isinstance(frame, str) else []
    if lines and lines[0].startswith(">"):
        return lines[0][1:], lines[1:]
    return "", lines


def assertion(answer: str) -> str:
    """Return the assertion in a login server's answer: bare, or in JSON behind a `]`."""
    if not answer.startswith("]"):
        return answer.strip()
    try:
        told = json.loads(answer[1:])
    except ValueError:
        return ""
    return str(told.get("assertion") or "") if isinstance(told, dict) else ""
