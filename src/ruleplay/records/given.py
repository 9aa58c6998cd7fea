"""What comes into a turn, and the lines it leaves in a conversation."""

from __future__ import annotations

import json
import re
from typing import Literal

from pydantic import BaseModel

from ruleplay.errors import UserError
from ruleplay.records.events import Json

MESSAGE_LIMIT = 8_000
"""Characters a message may have; more is refused, never cut."""
ACTION_LIMIT = 64_000
"""Bytes an action may have as JSON."""
_CONTROL = re.compile(r"[^\n\r\t\x20-\x7e\x80-\ud7ff\ue000-\U0010ffff]")
"""Control characters, and halves of surrogate pairs."""


class Message(BaseModel, frozen=True):
    """One line of a channel's history."""

    role: Literal["user", "assistant"]
    text: str
    channel: str = "main"


class Given(BaseModel, frozen=True):
    """What comes into a turn: a message, or an action of the agent's own making."""

    message: str = ""
    action: Json | None = None


def check_message(message: str) -> None:
    """Refuse what no agent should read: over-long text and control characters (UserError)."""
    if len(message) > MESSAGE_LIMIT:
        raise UserError(
            f"the message has {len(message):,} characters; at most {MESSAGE_LIMIT:,} are read. "
            "Send the part that matters"
        )
    if bad := _CONTROL.search(message):
        raise UserError(f"the message contains the control character {bad[0]!r}; remove it")


def check_given(given: Given) -> None:
    """Refuse an input that no agent should read or that could not be stored (UserError)."""
    check_message(given.message)
    if given.action is None:
        return
    try:
        size = len(json.dumps(given.action, ensure_ascii=False, allow_nan=False).encode())
    except ValueError as error:  # NaN, infinity, half a surrogate pair
        raise UserError(f"the action is not JSON that can be kept: {error}") from error
    if size > ACTION_LIMIT:
        raise UserError(f"the action has {size:,} bytes; at most {ACTION_LIMIT:,} are read")
