"""The database's tables, and the conversion of sessions and turns to rows and back."""

from __future__ import annotations

from typing import TypeVar

from pydantic import JsonValue, TypeAdapter
from sqlalchemy import (
    Column,
    Double,
    Index,
    Integer,
    MetaData,
    RowMapping,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from ruleplay.records.events import EVERYONE, Aside, Json
from ruleplay.records.given import Given, Message
from ruleplay.records.tape import Call
from ruleplay.records.turns import Head, Turn
from ruleplay.telling.citing import Span

AUDIENCE_OF_OLD = f'["{EVERYONE}"]'
"""Turns stored before inputs had an audience were for everyone."""

metadata = MetaData()
sessions = Table(
    "sessions",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("agent", String(64), nullable=False),
    Column("title", Text, nullable=False),
    Column("config", Text, nullable=False),
    Column("seed", String(64), nullable=False),
    Column("models", Text, nullable=False),
    Column("head", String(64)),
    Column("number", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("state_version", Integer, nullable=False),
    Column("spent", String(32), nullable=False),
    Column("origin", String(64)),
    Column("forked", String(64)),
    Column("created", String(40), nullable=False),
    Column("updated", String(40), nullable=False),
)
turns = Table(
    "turns",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("session", String(64), nullable=False),
    Column("parent", String(64), index=True),
    Column("number", Integer, nullable=False),
    Column("seat", String(128), nullable=False),
    Column("key", String(200)),
    Column("at", String(40), nullable=False),
    Column("given", Text, nullable=False),
    Column("events", Text, nullable=False),
    Column("reply", Text, nullable=False),
    Column("cites", Text, nullable=False),
    Column("messages", Text, nullable=False),
    Column("calls", Text, nullable=False),
    Column("outside", Text, nullable=False),
    Column("state_hash", String(64), nullable=False),
    Column("state", Text),
    Column("state_version", Integer),
    Column("ms", Integer, nullable=False),
    Column("audience", Text, nullable=False, server_default=AUDIENCE_OF_OLD),
    Column("asides", Text, nullable=False, server_default="[]"),
    Column("spans", Text, nullable=False, server_default="[]"),
    Column("edition", Integer, nullable=False, server_default="1"),
    UniqueConstraint("session", "key", name="turns_key"),
    Index("turns_session", "session", "number"),
)
prompts = Table(
    "prompts",
    metadata,
    Column("hash", String(32), primary_key=True),
    Column("text", Text, nullable=False),
)
rule_data = Table(
    "rule_data",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("texts", Text, nullable=False),
)
histories = Table(
    "histories",
    metadata,
    Column("hash", String(32), primary_key=True),
    Column("session", String(64), primary_key=True),
    Column("turn", String(64), primary_key=True),
    Column("at", Double, nullable=False),
    Index("histories_hash", "hash", "at"),
    Index("histories_session", "session"),
    sqlite_with_rowid=False,
)
leases = Table(
    "leases",
    metadata,
    Column("session", Text, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("until", Double, nullable=False),
)

Value = TypeVar("Value")
EVENTS: TypeAdapter[tuple[Json, ...]] = TypeAdapter(tuple[Json, ...])
RULES: TypeAdapter[dict[str, str]] = TypeAdapter(dict[str, str])
SEATS: TypeAdapter[tuple[str, ...]] = TypeAdapter(tuple[str, ...])
_ASIDES: TypeAdapter[tuple[Aside, ...]] = TypeAdapter(tuple[Aside, ...])
_SPANS: TypeAdapter[tuple[Span, ...]] = TypeAdapter(tuple[Span, ...])
_CITES: TypeAdapter[tuple[str, ...]] = TypeAdapter(tuple[str, ...])
MESSAGES: TypeAdapter[tuple[Message, ...]] = TypeAdapter(tuple[Message, ...])
_CALLS: TypeAdapter[tuple[Call, ...]] = TypeAdapter(tuple[Call, ...])
_OUTSIDE: TypeAdapter[dict[str, list[JsonValue]]] = TypeAdapter(dict[str, list[JsonValue]])
_CONFIG: TypeAdapter[Json] = TypeAdapter(Json)
_MODELS: TypeAdapter[dict[str, str]] = TypeAdapter(dict[str, str])


def _dump(adapter: TypeAdapter[Value], value: Value) -> str:
    # Defaults are left out: most turns carry few of the optional fields of calls and messages.
    return adapter.dump_json(value, exclude_defaults=True).decode()


def session_row(head: Head) -> dict[str, object]:
    """Convert a session to its row."""
    return {
        **head.model_dump(include={"id", "agent", "title", "seed", "head", "number", "version"}),
        **head.model_dump(include={"state", "state_version", "origin", "forked"}),
        "config": _dump(_CONFIG, head.config),
        "models": _dump(_MODELS, head.models),
        "spent": str(head.spent),
        "created": head.created.isoformat(),
        "updated": head.updated.isoformat(),
    }


def read_head(row: RowMapping) -> Head:
    """Convert a row to a session."""
    return Head.model_validate(
        {
            **row,
            "config": _CONFIG.validate_json(row["config"]),
            "models": _MODELS.validate_json(row["models"]),
        }
    )


def turn_row(turn: Turn) -> dict[str, object]:
    """Convert a turn to its row, without `state` and `state_version`, which `Store` adds."""
    return {
        **turn.model_dump(include={"id", "session", "parent", "number", "seat", "key", "reply"}),
        "at": turn.at.isoformat(),
        "given": turn.given.model_dump_json(exclude_defaults=True),
        "events": _dump(EVENTS, turn.events),
        "cites": _dump(_CITES, turn.cites),
        "messages": _dump(MESSAGES, turn.messages),
        "calls": _dump(_CALLS, turn.calls),
        "outside": _dump(_OUTSIDE, turn.outside),
        "state_hash": turn.state_hash,
        "ms": round(turn.ms),
        "audience": _dump(SEATS, turn.audience),
        "asides": _dump(_ASIDES, turn.asides),
        "spans": _dump(_SPANS, turn.spans),
        "edition": turn.edition,
    }


def read_turn(row: RowMapping) -> Turn:
    """Convert a row to a turn."""
    return Turn.model_validate(
        {
            **{k: row[k] for k in ("id", "session", "parent", "number", "seat", "key", "at")},
            "given": Given.model_validate_json(row["given"]),
            "events": EVENTS.validate_json(row["events"]),
            "reply": row["reply"],
            "cites": _CITES.validate_json(row["cites"]),
            "messages": MESSAGES.validate_json(row["messages"]),
            "calls": _CALLS.validate_json(row["calls"]),
            "outside": _OUTSIDE.validate_json(row["outside"]),
            "state_hash": row["state_hash"],
            "ms": row["ms"],
            "audience": SEATS.validate_json(row["audience"]),
            "asides": _ASIDES.validate_json(row["asides"]),
            "spans": _SPANS.validate_json(row["spans"]),
            "edition": row["edition"],
        }
    )
