"""`/v1/chat/completions`: an agent's turns for every program that talks to a chat model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Literal

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel
from sse_starlette import ServerSentEvent

from ruleplay.records.events import Json
from ruleplay.server.access import TheAccess
from ruleplay.server.openai.answering import (
    PlayStream,
    ThePlays,
    answer,
    headers,
    sent,
    told_error,
    usage,
    whole,
)
from ruleplay.server.openai.errors import Refusal, answers
from ruleplay.server.openai.plays import Play
from ruleplay.server.openai.requests import ChatRequest, Named, Retries, read_asked, refuse_format
from ruleplay.server.wiring import Key, TheHost

routes = APIRouter(prefix="/v1", tags=["openai"], responses=answers(401, 403, 500))
PATH = "/v1/chat/completions"


class ReplyMessage(BaseModel):
    """What the agent said."""

    role: Literal["assistant"]
    content: str
    refusal: None


class Choice(BaseModel):
    """The one reply there is."""

    index: int
    message: ReplyMessage
    finish_reason: Literal["stop"]
    logprobs: None


class Usage(BaseModel):
    """Tokens of the turn's model calls."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class Completion(BaseModel):
    """A chat completion; `id` holds the turn's."""

    id: str
    object: Literal["chat.completion"]
    created: int
    model: str
    choices: list[Choice]
    usage: Usage


ANSWERS: dict[int | str, dict[str, object]] = {
    200: {
        "model": Completion,
        "description": "The turn's reply; its pieces, when a stream is asked for",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    },
    **answers(400, 404, 409, 413, 415, 422, 429, 502, 503),
}


@routes.post("/chat/completions", responses=ANSWERS)
async def complete_chat(
    given: ChatRequest,
    request: Request,
    host: TheHost,
    access: TheAccess,
    plays: ThePlays,
    key: Key = None,
    session: Named = "",
    retries: Retries = 0,
) -> Response:
    """Play the last message as a turn, after the turn that the messages before it lead to.

    Regenerated and edited messages become siblings in the tree. `Ruleplay-Session`, or a chat's id
    in a header, names the session; otherwise what was said does.
    """
    if given.n not in (None, 1):
        raise Refusal(400, "there is one reply to a turn; leave n out", "unsupported_value", "n")
    refuse_format(given.response_format)
    asked = await read_asked(host, request, given.model, given.messages, given.user)
    asked = replace(asked, session=session, key=key, retried=retries > 0)
    play = await answer(plays, asked, access)
    if given.stream:
        with_usage = bool(given.stream_options and given.stream_options.include_usage)
        return PlayStream(
            play, _chunks(play, given.model, with_usage), lambda: _chunk(play, given.model, {})
        )
    text = await whole(play, request)
    return JSONResponse(_completion(play, given.model, text), headers=headers(play))


def _completion(play: Play, model: str, text: str) -> Json:
    message: Json = {"role": "assistant", "content": text, "refusal": None}
    return {
        "id": f"chatcmpl-{play.ident}",
        "object": "chat.completion",
        "created": play.created,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
        "usage": usage(play, "prompt_tokens", "completion_tokens"),
    }


def _chunk(play: Play, model: str, delta: Json, reason: str | None = None) -> Json:
    return {
        "id": f"chatcmpl-{play.ident}",
        "object": "chat.completion.chunk",
        "created": play.created,
        "model": model,
        "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
    }


async def _chunks(play: Play, model: str, with_usage: bool) -> AsyncIterator[ServerSentEvent]:
    yield sent(_chunk(play, model, {"role": "assistant", "content": ""}))
    try:
        async for piece in play.deltas():
            yield sent(_chunk(play, model, {"content": piece}))
    except Exception as error:  # noqa: BLE001  # the client has to learn of it in the stream
        yield sent(told_error(error))
        return
    yield sent(_chunk(play, model, {}, "stop"))
    if with_usage:
        tokens = usage(play, "prompt_tokens", "completion_tokens")
        yield sent({**_chunk(play, model, {}), "choices": [], "usage": tokens})
    yield ServerSentEvent("[DONE]", sep="\n")
