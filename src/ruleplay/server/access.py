"""Authorisation of seats: from which seat a request may read a session, and for which it may act.

Where an agent guards its seats, each needs a token. It is made when somebody sits down, and the
session stores its hash only. Clients send tokens in a header, browsers in cookies that scripts
cannot read. Without a token one reads from the public seat. Even free seats are closed, since the
models and policies that play them have secrets too. See docs/decisions/0017.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Header, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from ruleplay.errors import Conflict
from ruleplay.kernel.agent import State
from ruleplay.kernel.host import Host
from ruleplay.records.turns import Head, Turn
from ruleplay.server.login import MONTH
from ruleplay.server.wiring import TheHost

if TYPE_CHECKING:
    from ruleplay.kernel.agent import AnyAgent

HEADER = "Ruleplay-Seat-Token"
COOKIE = "ruleplay-seat-"
MOST = 16
"""Tokens of a request that are checked: more than any table has seats."""


@dataclass(frozen=True)
class SeatAccess:
    """A session's seats in one state, and the tokens that a request sent."""

    agent: AnyAgent
    head: Head
    state: State
    tokens: tuple[str, ...]

    @property
    def guarded(self) -> bool:
        """Whether seats need tokens in this session."""
        return bool(self.agent.public_seat)

    def guard(self, seat: str) -> str:
        """Return the hash of a seat's token, "" if nobody sits there."""
        known = seat in self.agent.seats_of(self.state)
        return self.agent.seat_guard(self.state, seat) if known else ""

    def token(self, seat: str) -> str:
        """Return the request's token for a seat, "" if it has none."""
        guard = self.guard(seat)
        fits = (token for token in self.tokens if guard and opens(token, guard))
        return next(fits, "")

    @property
    def mine(self) -> tuple[str, ...]:
        """The seats for which the request has tokens."""
        return tuple(seat for seat in self.agent.seats_of(self.state) if self.token(seat))

    def reading(self, seat: str) -> str:
        """Return the seat to read from: the requested one, or the agent's default; or raise 403."""
        if not self.guarded:
            return seat or self.agent.reading_seat(self.state)
        if seat in ("", self.agent.public_seat):
            return self.agent.public_seat
        return self.require_seat(seat)

    def acting(self, seat: str) -> str:
        """Return the seat to act for, "" to let the agent choose; or raise 403."""
        if not self.guarded:
            return seat
        if not seat and len(self.mine) == 1:
            return self.mine[0]
        if seat in ("", self.agent.public_seat):
            raise HTTPException(403, "name the seat that acts, and send its token; sit down first")
        return self.require_seat(seat)

    def require_seat(self, seat: str) -> str:
        """Return the seat if the request has its token, else raise 403."""
        if self.token(seat):
            return seat
        if self.guard(seat):
            raise HTTPException(403, f"somebody sits on {seat!r}; send its token in {HEADER}")
        raise HTTPException(403, f"you do not sit on {seat!r}; sit down there first")

    async def leads_here(self, host: Host, turn: Turn) -> bool:
        """Whether a turn is on the branch of the session's head."""
        deep = turn.number <= self.head.number
        return deep and (await host.numbered(self.head, turn.number)).id == turn.id

    def check_moving(self) -> None:
        """Raise 403 if somebody sits at the table, but not the sender of this request."""
        taken = any(self.guard(seat) for seat in self.agent.seats_of(self.state))
        if self.guarded and taken and not self.mine:
            raise HTTPException(403, f"only those who sit here may; send a token in {HEADER}")


@dataclass(frozen=True)
class Access:
    """What a request may do, according to the tokens it sent."""

    host: Host
    tokens: tuple[str, ...]

    async def table(self, session: str) -> SeatAccess:
        """Load a session's seats in the state at its head; NotFound."""
        head, _ = await self.host.store.read(session)
        state, _number = await self.host.state(head, head.head)
        return SeatAccess(self.host.find_agent(head.agent), head, state, self.tokens)

    async def reading(self, session: str, seat: str) -> str:
        """Return the seat to read from, or raise 403."""
        return (await self.table(session)).reading(seat)

    async def acting(self, session: str, seat: str) -> str:
        """Return the seat to act for, "" to let the agent choose; or raise 403."""
        return (await self.table(session)).acting(seat)

    async def moving(self, session: str, seat: str = "") -> str:
        """Return the seat to read from if the request may change head or pace, else raise 403."""
        table = await self.table(session)
        table.check_moving()
        return table.reading(seat)

    async def reading_turn(self, session: str, seat: str, turn: Turn) -> str:
        """Return the seat from which one turn may be read.

        A token is valid on the head's branch only. On another branch somebody else may have sat on
        the seat, so its turns are shown from the public seat.
        """
        table = await self.table(session)
        looking = table.reading(seat)
        if not table.guarded or await table.leads_here(self.host, turn):
            return looking
        return table.agent.public_seat

    async def stopping(self, session: str, seat: str) -> None:
        """Raise 403 unless the request may cancel a turn that a seat plays."""
        table = await self.table(session)
        if table.guarded and table.guard(seat):
            table.require_seat(seat)
        else:
            table.check_moving()


async def check_branching(host: Host, table: SeatAccess, parent: str | None) -> None:
    """Check that a turn may follow `parent` if that is not the head: it undoes the turns after.

    `table` has the seats as they were at `parent`, but those who sit at the head now decide. Raises
    403, or Conflict if the agent forbids undoing.
    """
    head, agent = table.head, table.agent
    if parent == head.head:
        return
    now, _number = await host.state(head, head.head)
    SeatAccess(agent, head, now, table.tokens).check_moving()
    if problem := agent.undo_problem(now):
        raise Conflict(problem)


def opens(token: str, guard: str) -> bool:
    """Whether a token matches a stored hash, compared in constant time."""
    return hmac.compare_digest(hash_of(token), guard)


def hash_of(token: str) -> str:
    """Hash a token for storage: SHA-256 in hex. Tokens are random, so they need no salt."""
    return sha256(token.encode(errors="replace")).hexdigest()


def keep(answer: Response, request: Request, session: str, seat: str, token: str) -> None:
    """Set a seat's token as a cookie, for this session's routes, which scripts cannot read."""
    answer.set_cookie(
        cookie_of(session, seat),
        token,
        max_age=MONTH,
        path=f"/api/sessions/{session}",
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )


def forget(answer: Response, session: str, seat: str) -> None:
    """Delete the cookie of a seat."""
    name, path = cookie_of(session, seat), f"/api/sessions/{session}"
    answer.delete_cookie(name, path=path, httponly=True, samesite="strict")


def cookie_of(session: str, seat: str) -> str:
    """Return the name of a seat's cookie; hashed, as a seat's name may have invalid characters."""
    return f"{COOKIE}{session}-{sha256(seat.encode(errors='replace')).hexdigest()[:12]}"


def _access(
    host: TheHost,
    request: Request,
    token: Annotated[
        str, Header(alias=HEADER, description="Opens a seat, where seats are guarded.")
    ] = "",
) -> Access:
    kept = (value for name, value in request.cookies.items() if name.startswith(COOKIE))
    tokens = tuple(found for found in (token, *kept) if found)
    return Access(host, tokens[:MOST])


TheAccess = Annotated[Access, Depends(_access)]
