"""From a request to its answer: a task, a command or a turn; told at once or at the end."""

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
from ruleplay.server.openai.models import TASKS
from ruleplay.server.openai.plays import Play, Plays
from ruleplay.server.openai.requests import SESSION
from ruleplay.server.openai.tasks import do_task
from ruleplay.server.wiring import held

BEAT = 10
"""Seconds after which a stream says that it is still there: proxies close silent ones."""
ThePlays = Annotated[Plays, Depends(held(Plays, "plays"))]


async def answer(plays: Plays, asked: Asked, access: Access) -> Play:
    """Return the answer to a request, joined by its client; raises what no answer can tell."""
    if play := await do_task(plays, asked):
        play.join()
        return play
    if asked.history.command:
        play = await obey(plays, asked, asked.history.command, access)
        play.join()
        return play
    if asked.speaker.agent == TASKS:
        raise Refusal(400, "this model writes titles and tags only", "wrong_model", "model")
    return await plays.open(asked, access)


async def whole(play: Play, request: Request) -> str:
    """Return all that is said, in the end; a client that goes meanwhile leaves the turn."""
    left = asyncio.create_task(_left(request))
    listening = asyncio.create_task(_listened(play))
    try:
        await asyncio.wait({left, listening}, return_when=asyncio.FIRST_COMPLETED)
        if not listening.done():
            listening.cancel()
            return ""
        return listening.result()
    finally:
        left.cancel()
        play.leave()


async def _listened(play: Play) -> str:
    return "".join([piece async for piece in play.deltas()])


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def headers(play: Play) -> dict[str, str]:
    """Return what names the session and the turn to clients that look."""
    turn = {"Ruleplay-Turn": play.ident} if play.started else {}
    return {**({SESSION: play.session} if play.session else {}), **turn}


def usage(play: Play, given: str, got: str) -> Json:
    """Return the tokens of a turn's model calls, under the names that the wire has for them."""
    calls = play.turn.calls if play.turn else ()
    asked = sum(call.input_tokens for call in calls)
    said = sum(call.output_tokens for call in calls)
    return {given: asked, got: said, "total_tokens": asked + said}


def told_error(error: BaseException) -> Json:
    """Return an error as a stream that has begun tells it."""
    if isinstance(error, Refusal):
        return error_body(error.status_code, str(error.detail), error.code, error.param)
    told = problem_of(error)
    return error_body(told.status, told.detail)


def sent(body: Json, name: str | None = None) -> ServerSentEvent:
    """Return an event. ASCII, since a model's words may hold halves of characters."""
    return ServerSentEvent(json.dumps(body, separators=(",", ":")), event=name, sep="\n")


class PlayStream(Stream):
    """The stream of one answer: it begins at once, and beats while the turn thinks."""

    def __init__(
        self, play: Play, events: AsyncIterator[ServerSentEvent], beat: Callable[[], Json]
    ) -> None:
        opened = ExitStack()
        opened.callback(play.leave)
        super().__init__(events, opened)
        self.headers.update(headers(play))
        self.ping_interval = BEAT
        self.ping_message_factory = lambda: sent(beat())
