"""The input of a turn, its limits, and the messages that a turn adds to a channel's history."""

from __future__ import annotations

import json
import re
from typing import Literal

from pydantic import BaseModel

from ruleplay.errors import UserError
from ruleplay.records.events import Json

MESSAGE_LIMIT = 8_000
"""Maximum characters of a message; a longer one is refused, never truncated."""
ACTION_LIMIT = 64_000
"""Maximum bytes of an action as JSON."""
_CONTROL = re.compile(r"[^\n\r\t\x20-\x7e\x80-\ud7ff\ue000-\U0010ffff]")
"""Control characters, and unpaired surrogates, which cannot be stored as UTF-8."""


class Message(BaseModel, frozen=True):
    """One message in the history of a channel, from which prompts are built."""

    role: Literal["user", "assistant"]
    text: str
    channel: str = "main"


class Given(BaseModel, frozen=True):
    """The input of a turn: a message, or an action in a format that the agent defines."""

    message: str = ""
    action: Json | None = None


def check_message(message: str) -> None:
    """Raise UserError for a message that is too long or contains control characters."""
    if len(message) > MESSAGE_LIMIT:
        raise UserError(
            f"the message has {len(message):,} characters; at most {MESSAGE_LIMIT:,} are read. "
            "Send the part that matters"
        )
    if bad := _CONTROL.search(message):
        raise UserError(f"the message contains the control character {bad[0]!r}; remove it")


def check_given(given: Given) -> None:
    """Raise UserError for an input that is too large or cannot be stored."""
    check_message(given.message)
    if given.action is None:
        return
    try:
        size = len(json.dumps(given.action, ensure_ascii=False, allow_nan=False).encode())
    except ValueError as error:  # NaN, infinity, an unpaired surrogate
        raise UserError(f"the action cannot be stored as JSON: {error}") from error
    if size > ACTION_LIMIT:
        raise UserError(f"the action has {size:,} bytes; at most {ACTION_LIMIT:,} are read")
