"""The stored records: sessions, and the turns that form their trees."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from pydantic import BaseModel, Field, JsonValue

from ruleplay.records.events import EVERYONE, Aside, Json, known_to
from ruleplay.records.given import Given, Message
from ruleplay.records.tape import Call
from ruleplay.telling.citing import Span


class Turn(BaseModel, frozen=True):
    """One committed turn: `parent` is the turn before, `number` its depth in the tree, from 1.

    Only the seats of `audience` may read the input. `reply` is for everyone, `asides` for some
    seats. `key` is the client's idempotency key. `spans` say who vouches for each piece of the
    reply; `edition` is the version of the agent's behaviour that played the turn.
    """

    id: str
    session: str
    parent: str | None
    number: int
    seat: str
    key: str | None
    at: datetime
    given: Given
    events: tuple[Json, ...]
    reply: str
    audience: tuple[str, ...] = (EVERYONE,)
    asides: tuple[Aside, ...] = ()
    spans: tuple[Span, ...] = ()
    edition: int = 1
    cites: tuple[str, ...] = ()
    messages: tuple[Message, ...] = ()
    calls: tuple[Call, ...] = ()
    outside: dict[str, list[JsonValue]] = Field(default_factory=dict)
    state_hash: str
    ms: float = 0


def heard_by(seat: str | None, turn: Turn) -> tuple[Aside, ...]:
    """Select the asides of a turn for a seat; None gets all."""
    return tuple(a for a in turn.asides if seat is None or known_to(seat, a.audience))


def whole_reply(turn: Turn, seat: str | None) -> str:
    """Join the reply with the asides for a seat; None gets all."""
    asides = heard_by(seat, turn)
    before, after = ([one.text for one in asides if one.first is first] for first in (True, False))
    return "\n\n".join(text for text in (*before, turn.reply, *after) if text)


class Head(BaseModel, frozen=True):
    """A session: its settings, the turn its head points at (if any), and the state there.

    `version` increases with every change, for optimistic locking. `state` is JSON of the agent's
    State in version `state_version`. `spent` is in US dollars. A fork has an `origin`, the parent
    session, and `forked`, the turn at which it branched off.
    """

    id: str
    agent: str
    title: str
    config: Json
    seed: str
    models: dict[str, str]
    head: str | None
    number: int
    version: int
    state: str
    state_version: int
    spent: Decimal = Decimal(0)
    origin: str | None = None
    forked: str | None = None
    created: datetime
    updated: datetime


class Branch(BaseModel, frozen=True):
    """A turn's place in the tree, with its input only; `message` is for its `audience`."""

    id: str
    parent: str | None
    number: int
    seat: str
    message: str
    audience: tuple[str, ...] = (EVERYONE,)
