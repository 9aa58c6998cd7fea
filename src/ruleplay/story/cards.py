"""Read and write SillyTavern's character cards (v2 and v3, JSON or in a PNG) and lorebooks.

Formats: https://github.com/malfoyslastname/character-card-spec-v2 and
https://github.com/kwaroran/character-card-spec-v3. A PNG holds the card as base64 in a `tEXt`
chunk with the keyword `chara` (v2) or `ccv3` (v3).
"""

from __future__ import annotations

import base64
import binascii
import json
import struct
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

PNG = b"\x89PNG\r\n\x1a\n"
LIMIT = 20_000_000
"""Most bytes of a card."""
ENTRIES = 200
"""Most entries read of a lorebook."""
KEYWORDS = ("ccv3", "chara")
"""Keywords of text chunks that hold a card, the newer format first."""


class Entry(BaseModel):
    """One entry of a lorebook: the words it comes up with, and what it says."""

    model_config = ConfigDict(frozen=True)

    keys: tuple[str, ...] = ()
    content: str = ""
    enabled: bool = True


class Card(BaseModel):
    """A character: who they are, how they speak, what they know."""

    model_config = ConfigDict(frozen=True)

    name: str = Field(min_length=1, max_length=120)
    description: str = ""
    personality: str = ""
    scenario: str = ""
    first_mes: str = ""
    mes_example: str = ""
    creator_notes: str = ""
    tags: tuple[str, ...] = ()
    lore: tuple[Entry, ...] = Field(default=(), max_length=ENTRIES)


def read_card(data: bytes) -> Card:
    """Read a card from a file's bytes (ValueError if it is none)."""
    if len(data) > LIMIT:
        raise ValueError(f"{len(data):,} bytes; a card has at most {LIMIT:,}")
    text = _from_png(data) if data.startswith(PNG) else data
    try:
        found = json.loads(text)
    except ValueError as error:
        raise ValueError("this is neither JSON nor a PNG with a character inside") from error
    if not isinstance(found, dict):
        raise ValueError("a card is a JSON object")
    # Version 1 has the fields at the top level, later versions have them in `data`.
    inner = found.get("data")
    body: dict[str, Any] = inner if isinstance(inner, dict) else found
    try:
        return Card.model_validate({**body, "lore": _entries(body)})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"{where}: {first['msg']}") from error


def read_lorebook(data: bytes) -> tuple[Entry, ...]:
    """Read a separate lorebook, also called world info (ValueError if it is none)."""
    try:
        found = json.loads(data)
        return tuple(Entry.model_validate(one) for one in _entries({"character_book": found}))
    except (ValueError, AttributeError) as error:
        raise ValueError("this is no lorebook") from error


def _entries(body: dict[str, Any]) -> list[dict[str, Any]]:
    book = body.get("character_book") or {}
    listed = book.get("entries", []) if isinstance(book, dict) else []
    # In world info files the entries are an object by number, and `keys` is called `key`.
    rows = list(listed.values()) if isinstance(listed, dict) else listed
    return [
        {
            "keys": row.get("keys") or row.get("key") or [],
            "content": row.get("content", ""),
            "enabled": row.get("enabled", not row.get("disable", False)),
        }
        for row in rows[:ENTRIES]
        if isinstance(row, dict)
    ]


def _from_png(data: bytes) -> bytes:
    """Extract a card's JSON from a PNG's text chunks, the newer format if there are both."""
    # A chunk is length, type, body and a CRC of four bytes each but for the body.
    found: dict[str, bytes] = {}
    at = len(PNG)
    while at + 12 <= len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + size]
        at += 12 + size
        if kind == b"tEXt":
            keyword, _, text = body.partition(b"\x00")
            found[keyword.decode("latin-1").lower()] = text
        elif kind == b"IEND":
            break
    for known in KEYWORDS:
        if known in found:
            try:
                return base64.b64decode(found[known], validate=False)
            except binascii.Error as error:
                raise ValueError("the PNG's character is broken off") from error
    raise ValueError("the PNG holds no character")


def written(card: Card, *, version: int = 2) -> str:
    """Write a card as JSON of version 2 or 3; required fields that we lack are empty."""
    book = {
        "entries": [
            {
                "keys": [*entry.keys],
                "content": entry.content,
                "enabled": entry.enabled,
                "insertion_order": at,
                "extensions": {},
                **({"use_regex": False} if version == 3 else {}),
            }
            for at, entry in enumerate(card.lore)
        ],
        "extensions": {},
    }
    fields = card.model_dump(mode="json", exclude={"lore"})
    data = {
        **fields,
        "system_prompt": "",
        "post_history_instructions": "",
        "alternate_greetings": [],
        "creator": "",
        "character_version": "1",
        "extensions": {},
        **({"character_book": book} if card.lore else {}),
        **({"group_only_greetings": []} if version == 3 else {}),
    }
    spec = {"spec": f"chara_card_v{version}", "spec_version": f"{version}.0", "data": data}
    return json.dumps(spec, ensure_ascii=False, indent=2)
