"""A user's connection to a Showdown server: login, rate limit, and reconnection.

poke-env has a client of its own, but its players wait on semaphores that a dropped socket never
releases, so only its parser is used (see `contest`). The protocol is described in PROTOCOL.md of
the server package.
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
"""The public server, and the service that confirms names for it."""
LOGIN_URL = "https://play.pokemonshowdown.com/api/"
FRAME_LIMIT = 4_000_000
"""Bytes of a frame."""
NAME_LIMIT = 18
"""Characters that the server allows in a user name."""
SPACING = 0.65
"""Seconds between two messages; the public server allows one every 0.6 s."""
STEADY_SECONDS = 30
"""A connection that lasted this long resets the number of failed attempts."""
LOG = logging.getLogger("ruleplay.battle")

Receive = Callable[[str, list[str]], Awaitable[None]]


@dataclass(frozen=True)
class Account:
    """Who we are on a server; a name without a password is a guest's."""

    name: str
    password: str = ""

    @classmethod
    def guest(cls, stem: str = "Ruleplay") -> Account:
        """Make up a unique name: one used before would rejoin its old battles."""
        return cls(f"{stem[:9]} {secrets.token_hex(4)}")


NAME_TRIES, NAME_PAUSE = 6, 0.5
"""How often a taken name is tried again, and the seconds between."""


@dataclass(frozen=True)
class Patience:
    """Time limits in seconds, and the number of reconnections.

    `login` limits connecting and logging in, `start` waiting for a battle to begin, and `silence` a
    battle in which nothing arrives: the server's timer ends a turn after 150 s at most.
    """

    login: float = 30
    start: float = 300
    silence: float = 330
    returns: int = 6


def server_url(name: str) -> str:
    """Convert a server's name to its address: `showdown`, ws(s)://… or http(s)://host:port."""
    if name in ("", "showdown"):
        return MAIN_SERVER
    parts = urlsplit(name if "://" in name else f"ws://{name}")
    scheme = {"http": "ws", "https": "wss"}.get(parts.scheme, parts.scheme)
    if scheme not in ("ws", "wss") or not parts.hostname:
        raise UserError(f"--server takes ws://HOST:PORT or `showdown`, not {name!r}")
    path = parts.path if parts.path.strip("/") else "/showdown/websocket"
    return f"{scheme}://{parts.netloc}{path}"


def user_id(name: str) -> str:
    """Convert a name to a user id as servers do: lower-case letters and digits."""
    return "".join(c for c in name.lower() if c.isascii() and c.isalnum())


class Connection:
    """A connection that is kept up: `run` reads frames until cancelled, or no attempt is left."""

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
        """Keep connected, and pass every frame to `receive` in order.

        Raises Unavailable if the server cannot be reached, refuses us or keeps disconnecting.
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
            # Exponential backoff, from half a second to eight.
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
                # A proxy from the environment cannot reach our loopback.
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
                # `asyncio.timeout` never fires while frames that have arrived are received.
                if left == 0:
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
        """Answer the messages of the login; all others are the receiver's."""
        for line in lines:
            kind, *rest = line.removeprefix("|").split("|")
            # The login server signs this challenge; `/trn NAME,AVATAR,TOKEN` then takes the name.
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
        """Check whether the server confirms our name for the first time on this socket."""
        named = user_id(told.partition("@")[0]) == user_id(self.name)
        return named and not self.ready.is_set()

    async def _keep_or_change_name(self, why: str) -> None:
        """Try our name again, and become another guest if it stays taken.

        It may be ours: a server takes a while to notice that an older connection of ours is dead,
        and under another name we could not rejoin our battles.
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
        """Ask the login server to confirm our identity; local servers do not require it."""
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
        """Send a message to a room ("" for none); False if the connection is down."""
        return self.ready.is_set() and await self._say(f"{room}|{text}")

    async def _say(self, text: str) -> bool:
        from websockets.exceptions import WebSocketException

        socket = self._socket
        async with self._sending:
            if not self._local:
                await asyncio.sleep(max(0.0, self._free_at - monotonic()))
                self._free_at = monotonic() + SPACING
            # The wait may have outlasted the socket; a message meant for the old one must not go to
            # a new one.
            if socket is None or socket is not self._socket:
                return False
            with suppress(WebSocketException, OSError):
                await socket.send(text)
                return True
        return False


def read_frame(frame: str | bytes) -> tuple[str, list[str]]:
    """Split a frame into its room ("" for none) and lines; a binary frame has none."""
    lines = frame.split("\n") if isinstance(frame, str) else []
    if lines and lines[0].startswith(">"):
        return lines[0][1:], lines[1:]
    return "", lines


def assertion(answer: str) -> str:
    """Extract the assertion from the login server's answer: plain, or JSON after a `]`."""
    if not answer.startswith("]"):
        return answer.strip()
    try:
        told = json.loads(answer[1:])
    except ValueError:
        return ""
    return str(told.get("assertion") or "") if isinstance(told, dict) else ""
