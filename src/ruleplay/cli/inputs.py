"""Reads what users pass to commands: JSON, messages, and the session to continue."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from ruleplay.errors import UserError

if TYPE_CHECKING:
    from ruleplay.kernel.host import Host
    from ruleplay.records.events import Json
    from ruleplay.records.turns import Head


async def open_head(host: Host, agent: str, session: str, config: str) -> Head:
    """Load a session, or create one if no id is given; UserError if it is another agent's."""
    if not session:
        return await host.create(agent, read_object("--config", config) if config else None)
    if config:
        raise UserError("--config is for new sessions; leave it out with --session")
    head, _ = await host.store.read(session)
    if head.agent != agent:
        raise UserError(f"session {session!r} belongs to agent {head.agent!r}, not {agent!r}")
    return head


def read_object(option: str, text: str) -> Json:
    """Parse an option's JSON object; UserError if it is anything else."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{option} is not valid JSON: {error}") from error
    if not isinstance(value, dict):
        raise UserError(f"{option} takes a JSON object such as {{}}, not {text[:80]!r}")
    return value


def read_text(message: str) -> str:
    """Return a message; `-` reads it from standard input, without the final newline."""
    if message != "-":
        return message
    try:
        return sys.stdin.read().removesuffix("\n")
    except UnicodeDecodeError as error:
        raise UserError(f"standard input is not UTF-8 text: {error.reason}") from error
