"""The implementation of the core's tools: play a turn, show a session, undo."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from pydantic import JsonValue

from ruleplay.errors import UserError
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import Session, session_json, view_json
from ruleplay.kernel.turn import await_turn
from ruleplay.records.events import Json
from ruleplay.records.given import Given
from ruleplay.records.turns import Turn, whole_reply
from ruleplay.server.access import Access
from ruleplay.server.mcp.offer import PlayArguments, ShowArguments, UndoArguments
from ruleplay.telling.footnotes import lines_of

TURNS = 5
"""Turns that `show_session` returns."""
Progress = Callable[[str], Awaitable[None]]


async def play_turn(host: Host, asked: PlayArguments, progress: Progress) -> Json:
    """Play one turn, reporting its nodes by `progress`; cancelled if the caller is."""
    session = asked.session or await _begin(host, asked)
    table = await _access(host, asked.seat_token).table(session)
    if asked.agent and table.head.agent != asked.agent:
        raise UserError(f"session {session!r} belongs to {table.head.agent!r}")
    acting = table.acting(asked.seat)
    seat = table.reading(acting)
    given = Given(message=asked.message)
    with host.bus.reading(session, seat or None) as reader:
        task = host.start(session, given, seat=acting, key=asked.key or None)
        task.add_done_callback(lambda _: reader.close())
        try:
            async for item in reader:
                if item.turn == task.get_name() and item.body.get("state") == "running":
                    await progress(str(item.body["node"]))
            turn = await await_turn(task)
        except asyncio.CancelledError:
            task.cancel()
            raise
    return await _played(host, turn, seat)


async def _begin(host: Host, asked: PlayArguments) -> str:
    if not asked.agent:
        raise UserError("name an agent to begin a session, or the session to go on with")
    await asyncio.to_thread(host.find_agent, asked.agent)
    return (await host.create(asked.agent)).id


async def _played(host: Host, turn: Turn, seat: str) -> Json:
    head, _ = await host.store.read(turn.session)
    view = await view_json(host, head, turn.id, seat)
    choices = view.get("quick_replies")
    lines = lines_of(turn.spans)
    return {
        "session": turn.session,
        "turn": turn.id,
        "number": turn.number,
        "reply": whole_reply(turn, seat),
        "choices": choices if isinstance(choices, list) else [],
        "cites": list[JsonValue](turn.cites),
        "lines": list[JsonValue](lines),
    }


async def show_session(host: Host, asked: ShowArguments) -> Json:
    """Return a session's view from a seat and its last turns."""
    looking = await _access(host, asked.seat_token).reading(asked.session, asked.seat)
    whole = await session_json(Session(host, asked.session), looking)
    turns = whole["turns"] if isinstance(whole["turns"], list) else []
    shown = ("turn", "number", "seat", "input", "reply", "asides")
    last: list[JsonValue] = [
        {name: turn[name] for name in shown} for turn in turns[-TURNS:] if isinstance(turn, dict)
    ]
    kept: Json = {name: whole[name] for name in ("id", "agent", "title", "head", "seat", "view")}
    return {**kept, "last_turns": last}


async def undo_turn(host: Host, asked: UndoArguments) -> Json:
    """Undo the last turn."""
    await _access(host, asked.seat_token).moving(asked.session)
    head = await host.undo(asked.session)
    return {"session": head.id, "head": head.head, "number": head.number}


def _access(host: Host, token: str) -> Access:
    return Access(host, (token,) if token else ())
