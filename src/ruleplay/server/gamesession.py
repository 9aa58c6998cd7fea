"""`POST /api/gamesession/play`: plays a message, streams the turn, and ends with its result.

The last event has everything about the turn in one object, for clients that use only this route.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack
from datetime import datetime

from fastapi import APIRouter
from pydantic import BaseModel, Field, JsonValue
from sse_starlette import ServerSentEvent

from ruleplay.kernel.host import Host
from ruleplay.kernel.session import played_json
from ruleplay.records.events import Json
from ruleplay.records.given import Given
from ruleplay.records.turns import Turn
from ruleplay.server.access import TheAccess
from ruleplay.server.cursors import END, Cursor
from ruleplay.server.errors import problems
from ruleplay.server.events import STREAM, EventStream, turn_events
from ruleplay.server.shapes import Body, Plain
from ruleplay.server.sse import TurnCache, event
from ruleplay.server.turn_tasks import Started
from ruleplay.server.wiring import Key, TheHost, TheTurnCache, TheTurnTasks
from ruleplay.story.beats import is_line

routes = APIRouter(prefix="/api/gamesession", tags=["turns"])


class PlayerMessage(Body):
    """A player's message.

    A session has one character, so `character_id` may be omitted, or be the hero's name.
    `timestamp` is accepted and ignored: a turn's time is the server's.
    """

    session_id: Plain = Field(max_length=64)
    character_id: Plain = Field(default="", max_length=64)
    content: str = Field(examples=["I search the ruins."])
    timestamp: datetime | None = None


class Line(BaseModel):
    """A message of the conversation, in the mode (narrative or combat) of the next turn."""

    role: str
    text: str


class DispatchResult(BaseModel):
    """The last event of a turn: the narration, the result, and the state of the game.

    `combat_state` is the view of a running fight: `participants` by name and status, the name of
    the `place`, and the lines of its `combat_log`. `last_combat_result` describes the last fight:
    experience, gold, loot by name, and what became of everybody.
    """

    session_id: str
    turn: str
    narration: str
    structured_output: Json
    history_kind: JsonValue = None
    session_mode: JsonValue = None
    conversation_history: list[Line] = Field(default_factory=list)
    combat_state: JsonValue = None
    last_combat_result: JsonValue = None
    errors: list[str] = Field(default_factory=list, description="what was refused, and why")


RESULT: dict[str, object] = {
    **STREAM,
    "description": "Events; the last one is `result`, a DispatchResult",
    "model": DispatchResult,
}
HISTORY_TURNS = 20
"""Turns whose messages make up `conversation_history`."""


@routes.post(
    "/play",
    status_code=200,
    response_class=EventStream,
    responses={200: RESULT, **problems(400, 401, 403, 404, 409, 413, 415, 422, 500, 503)},
)
async def play(
    given: PlayerMessage,
    host: TheHost,
    access: TheAccess,
    turn_tasks: TheTurnTasks,
    turn_cache: TheTurnCache,
    key: Key = None,
) -> EventStream:
    """Play a message: stream the turn's events, then `result` with everything in one object.

    `structured_output`, `history_kind`, `session_mode` and `combat_state` are set as far as the
    agent's view has them.
    """
    seat = await access.acting(given.session_id, "")
    started = await turn_tasks.play(given.session_id, Given(message=given.content), seat, key)
    opened = ExitStack()
    return EventStream(_events(opened, host, turn_cache, given.session_id, started), opened)


async def _events(
    opened: ExitStack, host: Host, turn_cache: TurnCache, session: str, started: Started | Turn
) -> AsyncIterator[ServerSentEvent]:
    if isinstance(started, Started):
        reader = opened.enter_context(host.bus.reading(session, started.seat or None))
        started.task.add_done_callback(lambda _: reader.close())
        async for sent in turn_events(reader, started, started.seat, turn_cache):
            yield sent
        await asyncio.wait({started.task})
        if started.task.cancelled() or started.task.exception():
            return
        turn = started.task.result()
    else:
        turn = started
    yield event("result", await dispatch_result(host, turn), Cursor(turn.id, END))


async def dispatch_result(host: Host, turn: Turn) -> Json:
    """Build the `DispatchResult` of a committed turn."""
    body = await played_json(host, turn)
    view = body["view"]
    shown = view if isinstance(view, dict) else {}
    output = shown.get("output")
    structured: Json = dict(output) if isinstance(output, dict) else {}
    lines = await _conversation(host, turn)
    return DispatchResult(
        session_id=turn.session,
        turn=turn.id,
        narration=turn.reply,
        structured_output={"narration": turn.reply, **structured},
        history_kind=shown.get("history_kind"),
        session_mode=shown.get("session_mode"),
        conversation_history=lines,
        combat_state=_with_log(shown.get("combat_state"), lines),
        last_combat_result=shown.get("last_combat_result"),
        errors=[why for call in turn.calls for why in call.refusals],
    ).model_dump(mode="json")


async def _conversation(host: Host, turn: Turn) -> list[Line]:
    """Collect the messages of the newest turns in the channel of the last one."""
    newest = turn.messages[-1].channel if turn.messages else ""
    newest_turns = await host.store.lineage(turn.id, HISTORY_TURNS)
    return [
        Line(role=line.role, text=line.text)
        for one in newest_turns
        for line in one.messages
        if line.channel == newest and line.text
    ]


def _with_log(combat: JsonValue, lines: list[Line]) -> JsonValue:
    """Add the lines that code printed about the fight to its state, as `combat_log`."""
    if not isinstance(combat, dict):
        return combat
    printed = [
        part
        for line in lines
        if line.role == "assistant"
        for part in line.text.split("\n\n")
        if is_line(part)
    ]
    return {**combat, "combat_log": [*printed]}
