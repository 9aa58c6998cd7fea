"""What the two OpenAI APIs share: dispatching a request, waiting for the reply, streaming it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack
from typing import Annotated

from fastapi import Depends, Request
from sse_starlette import ServerSentEvent

from ruleplay.records.events import Json
from ruleplay.server.access import Access
from ruleplay.server.errors import problem_of
from ruleplay.server.events import EventStream as Stream
from ruleplay.server.openai.commands import obey
from ruleplay.server.openai.errors import Refusal, error_body
from ruleplay.server.openai.finding import Asked
from ruleplay.server.openai.live_replies import LiveReplies, LiveReply
from ruleplay.server.openai.models import TASKS
from ruleplay.server.openai.requests import SESSION
from ruleplay.server.openai.tasks import do_task
from ruleplay.server.wiring import from_app_state

BEAT = 10
"""Seconds of silence after which a stream sends an empty event, as proxies close idle ones."""
TheReplies = Annotated[LiveReplies, Depends(from_app_state(LiveReplies, "replies"))]


async def answer(replies: LiveReplies, asked: Asked, access: Access) -> LiveReply:
    """Answer a task, a command or a turn with a reply that the client has joined, or raise."""
    if live := await do_task(replies, asked):
        live.join()
        return live
    if asked.history.command:
        live = await obey(replies, asked, asked.history.command, access)
        live.join()
        return live
    if asked.speaker.agent == TASKS:
        raise Refusal(400, "this model writes titles and tags only", "wrong_model", "model")
    return await replies.open(asked, access)


async def whole(live: LiveReply, request: Request) -> str:
    """Wait for the whole text; returns "" and leaves the reply if the client disconnects."""
    left = asyncio.create_task(_left(request))
    listening = asyncio.create_task(_listened(live))
    try:
        await asyncio.wait({left, listening}, return_when=asyncio.FIRST_COMPLETED)
        if not listening.done():
            listening.cancel()
            return ""
        return listening.result()
    finally:
        left.cancel()
        live.leave()


async def _listened(live: LiveReply) -> str:
    return "".join([piece async for piece in live.deltas()])


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def headers(live: LiveReply) -> dict[str, str]:
    """Make the headers with the ids of session and turn, for clients that use them."""
    turn = {"Ruleplay-Turn": live.ident} if live.started else {}
    return {**({SESSION: live.session} if live.session else {}), **turn}


def usage(live: LiveReply, given: str, got: str) -> Json:
    """Count the tokens of a turn's model calls; `given` and `got` are the API's field names."""
    calls = live.turn.calls if live.turn else ()
    asked = sum(call.input_tokens for call in calls)
    said = sum(call.output_tokens for call in calls)
    return {given: asked, got: said, "total_tokens": asked + said}


def stream_error(error: BaseException) -> Json:
    """Convert an error for a stream that has started, when it is too late for an HTTP status."""
    if isinstance(error, Refusal):
        return error_body(error.status_code, str(error.detail), error.code, error.param)
    problem = problem_of(error)
    return error_body(problem.status, problem.detail)


def sent(body: Json, name: str | None = None) -> ServerSentEvent:
    """Make an event; ASCII, because a model's text may contain unpaired surrogates."""
    return ServerSentEvent(json.dumps(body, separators=(",", ":")), event=name, sep="\n")


class ReplyStream(Stream):
    """The stream of one reply: starts at once, and sends `beat()` while the turn is silent."""

    def __init__(
        self, live: LiveReply, events: AsyncIterator[ServerSentEvent], beat: Callable[[], Json]
    ) -> None:
        opened = ExitStack()
        opened.callback(live.leave)
        super().__init__(events, opened)
        self.headers.update(headers(live))
        self.ping_interval = BEAT
        self.ping_message_factory = lambda: sent(beat())
