"""Guests: visitors of other sites, who talk to an embedded agent with a short-lived token.

A token is signed instead of stored, and valid for one agent, one embedding origin and one session,
which starts with the first message. It contains a random id and no session's, so that a guest
cannot reach any other session.
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
"""Seconds until a guest's token expires."""
GUESTS_RATE = 0.5
"""New guests per second and address; bursts of ten seconds' worth are allowed."""
TURNS_RATE = 0.5
"""Turns per second and guest, with the same bursts."""
_TOKEN = re.compile(r"guest\.(\d{1,12})\.([0-9a-f]{32})\.([\w-]{43})")


@dataclass(frozen=True)
class Guest:
    """The visitor that a token identifies, on a page of `origin`, talking to `agent`."""

    ident: str
    agent: str
    origin: str


class Guests:
    """Issues and verifies guests' tokens, and finds their sessions."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._key = Key.of(host.settings.home)
        self._histories = Histories(host.store.database)
        self._arrivals, self._turns = Buckets(GUESTS_RATE), Buckets(TURNS_RATE)

    @property
    def origins(self) -> tuple[str, ...]:
        """The origins of the pages that may embed agents."""
        return self._host.settings.framed_by

    def invite(self, agent: str, origin: str, address: str) -> str:
        """Issue a token for a page of an origin; 403 unless the origin may embed agents."""
        if origin not in self.origins:
            raise HTTPException(403, f"pages of {origin!r} may not embed this server's agents")
        if seconds := self._arrivals.take(address):
            raise _too_many(seconds)
        until, ident = str(int(time()) + LIFETIME), secrets.token_hex(16)
        return f"guest.{until}.{ident}.{self._sign(until, ident, agent, origin)}"

    def read(self, token: str, agent: str) -> Guest:
        """Verify a token; 401 if it is forged, expired or for another agent."""
        found = _TOKEN.fullmatch(token)
        if found and int(found[1]) >= time():
            for origin in self.origins:
                if hmac.compare_digest(found[3], self._sign(found[1], found[2], agent, origin)):
                    return Guest(found[2], agent, origin)
        detail = "the guest's token is not valid here; reload the page"
        raise HTTPException(401, detail, {"WWW-Authenticate": "Bearer"})

    def admit_turn(self, guest: Guest) -> None:
        """Count a guest's turn; 429 if there are too many."""
        if seconds := self._turns.take(guest.ident):
            raise _too_many(seconds)

    async def session(self, guest: Guest) -> str:
        """Return the id of a guest's session, "" before the first message."""
        places = await self._histories.places(digest("guest", guest.ident))
        return places[0].session if places else ""

    async def begin(self, guest: Guest) -> str:
        """Return the id of a guest's session, creating it if there is none."""
        if session := await self.session(guest):
            return session
        made = await self._host.create(guest.agent)
        await self._histories.keep([digest("guest", guest.ident)], made.id, "")
        return made.id

    def _sign(self, until: str, ident: str, agent: str, origin: str) -> str:
        return self._key.token("guest", until, ident, agent, origin)


def _too_many(seconds: float) -> HTTPException:
    return HTTPException(429, "too many; wait a moment", {"Retry-After": str(int(seconds) + 1)})
