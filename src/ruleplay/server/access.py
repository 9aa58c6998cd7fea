"""Which seats a request may look from and act on: where seats are guarded, a token opens one.

A seat's token is made when somebody sits down; the session holds its hash alone. Requests bring
tokens in a header, browsers in cookies that scripts cannot read. Whoever brings none is a stranger
and looks from the public seat, also at seats that nobody holds: models and policies have secrets.
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
"""Tokens of one request that are looked at: more seats than any table has."""


@dataclass(frozen=True)
class Table:
    """A session's seats as they stand, and the tokens that a request brought."""

    agent: AnyAgent
    head: Head
    state: State
    tokens: tuple[str, ...]

    @property
    def guarded(self) -> bool:
        """Whether seats need tokens here."""
        return bool(self.agent.public_seat)

    def guard(self, seat: str) -> str:
        """Return the hash of the token that opens a seat; empty when nobody sits there."""
        known = seat in self.agent.seats_of(self.state)
        return self.agent.seat_guard(self.state, seat) if known else ""

    def token(self, seat: str) -> str:
        """Return the request's token that opens a seat; empty when it has none."""
        guard = self.guard(seat)
        fits = (token for token in self.tokens if guard and opens(token, guard))
        return next(fits, "")

    @property
    def mine(self) -> tuple[str, ...]:
        """The seats that the request's tokens open."""
        return tuple(seat for seat in self.agent.seats_of(self.state) if self.token(seat))

    def reading(self, seat: str) -> str:
        """Return the seat to look from: the one asked for, if it may be (403), or the agent's."""
        if not self.guarded:
            return seat or self.agent.reading_seat(self.state)
        if seat in ("", self.agent.public_seat):
            return self.agent.public_seat
        return self.held(seat)

    def acting(self, seat: str) -> str:
        """Return the seat to act on (403); empty where the agent may choose."""
        if not self.guarded:
            return seat
        if not seat and len(self.mine) == 1:
            return self.mine[0]
        if seat in ("", self.agent.public_seat):
            raise HTTPException(403, "name the seat that acts, and send its token; sit down first")
        return self.held(seat)

    def held(self, seat: str) -> str:
        """Return a seat that the request's token opens; 403 for any other."""
        if self.token(seat):
            return seat
        if self.guard(seat):
            raise HTTPException(403, f"somebody sits on {seat!r}; send its token in {HEADER}")
        raise HTTPException(403, f"you do not sit on {seat!r}; sit down there first")

    async def leads_here(self, host: Host, turn: Turn) -> bool:
        """Tell whether a turn is on the branch of the session's head."""
        deep = turn.number <= self.head.number
        return deep and (await host.numbered(self.head, turn.number)).id == turn.id

    def check_moving(self) -> None:
        """Refuse whoever does not sit at a table where somebody does (403)."""
        taken = any(self.guard(seat) for seat in self.agent.seats_of(self.state))
        if self.guarded and taken and not self.mine:
            raise HTTPException(403, f"only who sits here may do this; send a token in {HEADER}")


@dataclass(frozen=True)
class Access:
    """What one request may do, by the tokens it brought."""

    host: Host
    tokens: tuple[str, ...]

    async def table(self, session: str) -> Table:
        """Return a session's seats as they stand now (NotFound)."""
        head, _ = await self.host.store.read(session)
        state, _number = await self.host.state(head, head.head)
        return Table(self.host.find_agent(head.agent), head, state, self.tokens)

    async def reading(self, session: str, seat: str) -> str:
        """Return the seat to look from (403)."""
        return (await self.table(session)).reading(seat)

    async def acting(self, session: str, seat: str) -> str:
        """Return the seat to act on (403); empty where the agent may choose."""
        return (await self.table(session)).acting(seat)

    async def moving(self, session: str, seat: str = "") -> str:
        """Return the seat to look from for who may move in the tree, or set the pace (403)."""
        table = await self.table(session)
        table.check_moving()
        return table.reading(seat)

    async def reading_turn(self, session: str, seat: str, turn: Turn) -> str:
        """Return the seat from which one turn is looked at.

        A token opens a seat on the branch where its holder sits; what was said on others, where
        somebody else may have sat, is shown as strangers see it.
        """
        table = await self.table(session)
        looking = table.reading(seat)
        if not table.guarded or await table.leads_here(self.host, turn):
            return looking
        return table.agent.public_seat

    async def stopping(self, session: str, seat: str) -> None:
        """Refuse who may not stop a turn that a seat plays (403)."""
        table = await self.table(session)
        if table.guarded and table.guard(seat):
            table.held(seat)
        else:
            table.check_moving()


async def check_branching(host: Host, table: Table, parent: str | None) -> None:
    """Refuse to go on from `parent` where a session's newest turn may not be left (403, Conflict).

    `table` has the seats as they were at `parent`; leaving is for those who sit there now.
    """
    head, agent = table.head, table.agent
    if parent == head.head:
        return
    now, _number = await host.state(head, head.head)
    Table(agent, head, now, table.tokens).check_moving()
    if problem := agent.undo_problem(now):
        raise Conflict(problem)


def opens(token: str, guard: str) -> bool:
    """Tell whether a token's hash is the guard's, in a time that tells nothing about it."""
    return hmac.compare_digest(hash_of(token), guard)


def hash_of(token: str) -> str:
    """Return what a session keeps of a token."""
    return sha256(token.encode(errors="replace")).hexdigest()


def keep(answer: Response, request: Request, session: str, seat: str, token: str) -> None:
    """Give a browser the token of a seat, for this session's routes and no script."""
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
    """Take the cookie of a seat away."""
    name, path = cookie_of(session, seat), f"/api/sessions/{session}"
    answer.delete_cookie(name, path=path, httponly=True, samesite="strict")


def cookie_of(session: str, seat: str) -> str:
    """Return the name of a seat's cookie; a seat's own name may have letters that none takes."""
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
