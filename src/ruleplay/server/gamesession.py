"""The route of game sessions: play a player's message and stream the turn, its result last.

A client that knows only this route gets, in the last event, everything of the turn in one object.
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
from ruleplay.server.background import Started
from ruleplay.server.cursors import END, Cursor
from ruleplay.server.errors import problems
from ruleplay.server.events import STREAM, EventStream, turn_events
from ruleplay.server.shapes import Body, Plain
from ruleplay.server.sse import Played, event
from ruleplay.server.wiring import Key, TheBackground, TheHost, ThePlayed
from ruleplay.story.beats import is_line

routes = APIRouter(prefix="/api/gamesession", tags=["turns"])


class PlayerMessage(Body):
    """What a player says.

    A session has one character: `character_id` may be left out, or be the hero's name. The time of
    a turn is the server's; `timestamp` is taken for clients that send it, and not used.
    """

    session_id: Plain = Field(max_length=64)
    character_id: Plain = Field(default="", max_length=64)
    content: str = Field(examples=["I search the ruins."])
    timestamp: datetime | None = None


class Line(BaseModel):
    """A line of the conversation, in the history of the mode that the next turn is in."""

    role: str
    text: str


class DispatchResult(BaseModel):
    """The last event of a turn: what was told, its result, where things stand.

    `combat_state` is the agent's view of a running fight, with `participants` by name and status,
    the `place` by name, and the lines of its `combat_log`; `last_combat_result` of the last one,
    with experience, gold, loot by name and what became of everybody.
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
TOLD = 20
"""Turns whose lines are the conversation's history."""


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
    yield event("result", await dispatch_result(host, turn), Cursor(turn.id, END))


async def dispatch_result(host: Host, turn: Turn) -> Json:
    """Return a committed turn as one object."""
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
    """Return the lines of the newest turns in the channel of the last one."""
    newest = turn.messages[-1].channel if turn.messages else ""
    told = await host.store.lineage(turn.id, TOLD)
    return [
        Line(role=line.role, text=line.text)
        for one in told
        for line in one.messages
        if line.channel == newest and line.text
    ]


def _with_log(combat: JsonValue, lines: list[Line]) -> JsonValue:
    """Return the combat state with what was printed of it, in order."""
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
