"""What is stored: sessions, and the turns that form their trees."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from pydantic import BaseModel, Field, JsonValue

from ruleplay.records.events import EVERYONE, Aside, Json, known_to
from ruleplay.records.given import Given, Message
from ruleplay.records.tape import Call
from ruleplay.telling.citing import Span


class Turn(BaseModel, frozen=True):
    """One committed turn: `number` is its depth in the tree, from 1, `parent` the turn before.

    Only the seats of `audience` may read the input. `reply` is for everyone, `asides` for some.
    `spans` say who stands behind each piece of the reply, `edition` which edition of the agent
    played the turn.
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
    """Return the asides of a turn that a seat hears; None hears all."""
    return tuple(a for a in turn.asides if seat is None or known_to(seat, a.audience))


def whole_reply(turn: Turn, seat: str | None) -> str:
    """Return everything of a reply that a seat hears, as one text."""
    asides = (aside.text for aside in heard_by(seat, turn))
    return "\n\n".join(text for text in (turn.reply, *asides) if text)


class Head(BaseModel, frozen=True):
    """A session as it stands: its settings, the turn its head points at, and the state there.

    `version` rises with every change and guards against stale writes. `state_version` is that of
    the agent's State when `state` was written. A fork has an `origin`, the session it came from,
    and `forked`, the turn where it left it.
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
    """A turn's place in the tree, without its content; `message` is for its `audience`."""

    id: str
    parent: str | None
    number: int
    seat: str
    message: str
    audience: tuple[str, ...] = (EVERYONE,)
