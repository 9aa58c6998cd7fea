"""Seats for chat programs, which cannot store a seat's token.

If the program sends the chat's id, the token is derived from it. Otherwise the token is written in
the chat, from where the program sends it back with the conversation.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ruleplay.errors import Conflict
from ruleplay.kernel.host import Host
from ruleplay.records.turns import Head
from ruleplay.server.access import MOST, Access, SeatAccess, hash_of
from ruleplay.server.keys import Key
from ruleplay.server.openai.errors import Refusal
from ruleplay.server.openai.finding import Asked
from ruleplay.server.turn_tasks import TurnTasks
from ruleplay.server.turns import until_settled

if TYPE_CHECKING:
    from ruleplay.kernel.agent import AnyAgent

TOKEN_BYTES = 32


@dataclass(frozen=True)
class Stand:
    """Where a request continues: the session, its seats at `parent`, and the turn before it.

    `notice` is to be shown before the reply.
    """

    head: Head
    table: SeatAccess
    parent: str | None
    notice: str = ""


@dataclass(frozen=True)
class Seating:
    """Loads sessions with the seats that a request may use, and seats people."""

    host: Host
    turn_tasks: TurnTasks
    key: Key

    async def stand(
        self, asked: Asked, access: Access, head: Head, parent: str | None, extra: str = ""
    ) -> Stand:
        """Load a session at a turn, with all seat tokens that the request has for it."""
        state, _number = await self.host.state(head, parent)
        codes = (token for session, token in asked.history.codes if session == head.id)
        made = (self._made(asked, head.id),) if asked.chat else ()
        tokens = tuple(t for t in (extra, *access.tokens, *made, *reversed([*codes])) if t)
        return Stand(head, SeatAccess(self._agent(head), head, state, tokens[:MOST]), parent)

    async def sit_down(self, asked: Asked, access: Access, stand: Stand, seat: str) -> Stand:
        """Take a seat for the request's person, in a turn of its own; Conflict if it is taken."""
        table = stand.table
        if seat not in table.agent.seats_of(table.state) or seat == table.agent.public_seat:
            raise Refusal(404, f"no seat {seat!r} here; there are {seat_list(table)}")
        if table.token(seat):
            return stand
        if table.guard(seat):
            raise Conflict(f"somebody sits on {seat!r}; take another seat")
        session = stand.head.id
        token = self._made(asked, session) if asked.chat else secrets.token_urlsafe(TOKEN_BYTES)
        given = table.agent.sit(table.state, seat, hash_of(token), "")
        turn = await until_settled(
            await self.turn_tasks.play(session, given, seat, None, stand.parent)
        )
        head, _ = await self.host.store.read(session)
        seated = await self.stand(asked, access, head, turn.id, token)
        if not seated.table.token(seat):
            raise Conflict(f"{seat!r} was taken meanwhile; look again")
        return replace(seated, notice=seat_notice(session, seat, "" if asked.chat else token))

    def _made(self, asked: Asked, session: str) -> str:
        return self.key.token("seat", session, asked.caller, asked.chat)

    def _agent(self, head: Head) -> AnyAgent:
        return self.host.find_agent(head.agent)


def seat_notice(session: str, seat: str, token: str) -> str:
    """Write the notice for a person who has sat down, with the token if they must keep it."""
    if not token:
        return f"You sit on {seat}."
    return (
        f"You sit on {seat}. Leave this line in the chat, it is your ticket: seat:{session}:{token}"
    )


def seat_list(table: SeatAccess) -> str:
    """List the seats that people can take, separated by commas."""
    seats = table.agent.seats_of(table.state)
    return ", ".join(seat for seat in seats if seat != table.agent.public_seat)


def no_seat(agent: str, seats: str) -> Refusal:
    """Make the refusal of a message that comes from no seat."""
    first = seats.partition(",")[0]
    detail = (
        f"who is speaking? Take a seat as the model, such as '{agent}@{first}', or write "
        f"'!seat {first}'; the seats are {seats}"
    )
    return Refusal(403, detail, "seat_required", "model")
