"""The route of game sessions: play a player's message and stream the turn, its result last.

A client that knows only this route gets, in the last event, everything of the turn in one object.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack
from datetime import datetime

from fastapi import APIRouter
from pydantic import Field
from sse_starlette import ServerSentEvent

from ruleplay.foundation.agent import Given
from ruleplay.foundation.events import Json
from ruleplay.foundation.host import Host
from ruleplay.foundation.session import played_json
from ruleplay.foundation.turns import Turn
from ruleplay.server.access import TheAccess
from ruleplay.server.background import Started
from ruleplay.server.errors import problems
from ruleplay.server.events import STREAM, EventStream, turn_events
from ruleplay.server.positions import END, Position
from ruleplay.server.shapes import Body, Plain
from ruleplay.server.telling import Played, event
from ruleplay.server.wiring import Key, TheBackground, TheHost, ThePlayed

routes = APIRouter(prefix="/api/gamesession", tags=["turns"])


class PlayerMessage(Body):
    """What a player says; `character_id` is kept for clients that send it: a session has one."""

    session_id: Plain = Field(max_length=64)
    character_id: Plain = Field(default="", max_length=64)
    content: str = Field(examples=["I search the ruins."])
    timestamp: datetime | None = None


@routes.post(
    "/play",
    status_code=200,
    response_class=EventStream,
    responses={200: STREAM, **problems(400, 401, 403, 404, 409, 413, 415, 422, 500, 503)},
)
async def play(
    given: PlayerMessage,
    host: TheHost,
    access: TheAccess,
    background: TheBackground,
    played: ThePlayed,
    key: Key = None,
) -> EventStream:
    """Play a message: the turn's events, then `result` with the whole of it.

    `result` holds `narration`, `structured_output`, `history_kind`, `session_mode` and
    `combat_state` as far as the agent's view has them.
    """
    seat = await access.acting(given.session_id, "")
    started = await background.play(given.session_id, Given(message=given.content), seat, key)
    opened = ExitStack()
    return EventStream(_events(opened, host, played, given.session_id, started), opened)


async def _events(
    opened: ExitStack, host: Host, played: Played, session: str, started: Started | Turn
) -> AsyncIterator[ServerSentEvent]:
    if isinstance(started, Started):
        reader = opened.enter_context(host.bus.reading(session, started.seat or None))
        started.task.add_done_callback(lambda _: reader.close())
        async for told in turn_events(reader, started, started.seat, played):
            yield told
        await asyncio.wait({started.task})
        if started.task.cancelled() or started.task.exception():
            return
        turn = started.task.result()
    else:
        turn = started
    yield event("result", await dispatch_result(host, turn), Position(turn.id, END))


async def dispatch_result(host: Host, turn: Turn) -> Json:
    """Return a committed turn as one object: what was told, its result, where things stand."""
    body = await played_json(host, turn)
    view = body["view"]
    shown = view if isinstance(view, dict) else {}
    output = shown.get("output")
    structured: Json = dict(output) if isinstance(output, dict) else {}
    return {
        "session_id": turn.session,
        "turn": turn.id,
        "narration": turn.reply,
        "structured_output": {"narration": turn.reply, **structured},
        "history_kind": shown.get("history_kind"),
        "session_mode": shown.get("session_mode"),
        "combat_state": shown.get("combat_state"),
        "last_combat_result": shown.get("last_combat_result"),
    }
