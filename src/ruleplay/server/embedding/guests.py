"""Guests' tokens: for one page's origin, one agent and one session, and not for long.

A token is signed and kept nowhere. It names no session that somebody else could have: its own
begins with the first message.
"""

from __future__ import annotations

import hmac
import re
import secrets
from dataclasses import dataclass
from time import time

from starlette.exceptions import HTTPException

from ruleplay.kernel.host import Host
from ruleplay.server.keys import Key
from ruleplay.server.limits import Buckets
from ruleplay.storage.histories import Histories, digest

LIFETIME = 12 * 3600
"""Seconds that a guest may go on for."""
GUESTS_RATE = 0.5
"""Guests a second of one address; ten seconds' worth may come at once."""
TURNS_RATE = 0.5
"""Turns a second of one guest."""
_TOKEN = re.compile(r"guest\.(\d{1,12})\.([0-9a-f]{32})\.([\w-]{43})")


@dataclass(frozen=True)
class Guest:
    """Whoever a token stands for, on a page of `origin`, with one agent."""

    ident: str
    agent: str
    origin: str


class Guests:
    """Makes guests' tokens and reads them."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._key = Key.of(host.settings.home)
        self._histories = Histories(host.store.database)
        self._arrivals, self._turns = Buckets(GUESTS_RATE), Buckets(TURNS_RATE)

    @property
    def origins(self) -> tuple[str, ...]:
        """The pages that may show agents."""
        return self._host.settings.framed_by

    def invite(self, agent: str, origin: str, address: str) -> str:
        """Return a token for a page of an origin; 403 for pages that may not show agents."""
        if origin not in self.origins:
            raise HTTPException(403, f"pages of {origin!r} may not show agents of this server")
        if seconds := self._arrivals.take(address):
            raise _too_many(seconds)
        until, ident = str(int(time()) + LIFETIME), secrets.token_hex(16)
        return f"guest.{until}.{ident}.{self._sign(until, ident, agent, origin)}"

    def read(self, token: str, agent: str) -> Guest:
        """Return whoever a token stands for; 401 for tokens of other agents, forged or old ones."""
        found = _TOKEN.fullmatch(token)
        if found and int(found[1]) >= time():
            for origin in self.origins:
                if hmac.compare_digest(found[3], self._sign(found[1], found[2], agent, origin)):
                    return Guest(found[2], agent, origin)
        detail = "the guest's token is not for this; load the page anew"
        raise HTTPException(401, detail, {"WWW-Authenticate": "Bearer"})

    def admit_turn(self, guest: Guest) -> None:
        """Count a turn of a guest; 429 when there are too many."""
        if seconds := self._turns.take(guest.ident):
            raise _too_many(seconds)

    async def session(self, guest: Guest) -> str:
        """Return a guest's session; empty before the first message."""
        places = await self._histories.places(digest("guest", guest.ident))
        return places[0].session if places else ""

    async def begin(self, guest: Guest) -> str:
        """Return a guest's session, made now if there is none."""
        if session := await self.session(guest):
            return session
        made = await self._host.create(guest.agent)
        await self._histories.keep([digest("guest", guest.ident)], made.id, "")
        return made.id

    def _sign(self, until: str, ident: str, agent: str, origin: str) -> str:
        return self._key.token("guest", until, ident, agent, origin)


def _too_many(seconds: float) -> HTTPException:
    return HTTPException(429, "too fast; wait a moment", {"Retry-After": str(int(seconds) + 1)})
