"""`/v1/chat/completions`: agents as chat models, for any program that uses OpenAI's API."""

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
    ReplyStream,
    TheReplies,
    answer,
    headers,
    sent,
    stream_error,
    usage,
    whole,
)
from ruleplay.server.openai.errors import Refusal, answers
from ruleplay.server.openai.live_replies import LiveReply
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
    """The only choice of a completion."""

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
    """A chat completion; its `id` contains the turn's."""

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
    replies: TheReplies,
    key: Key = None,
    session: Named = "",
    retries: Retries = 0,
) -> Response:
    """Play the last message as a turn, after the turn that the messages before it lead to.

    Regenerated and edited messages become siblings in the tree. The session is given by the header
    `Ruleplay-Session` or a header with the chat's id; otherwise it is found by the messages.
    """
    if given.n not in (None, 1):
        raise Refusal(400, "a turn has one reply; leave n out", "unsupported_value", "n")
    refuse_format(given.response_format)
    asked = await read_asked(host, request, given.model, given.messages, given.user)
    asked = replace(asked, session=session, key=key, retried=retries > 0)
    live = await answer(replies, asked, access)
    if given.stream:
        with_usage = bool(given.stream_options and given.stream_options.include_usage)
        return ReplyStream(
            live, _chunks(live, given.model, with_usage), lambda: _chunk(live, given.model, {})
        )
    text = await whole(live, request)
    return JSONResponse(_completion(live, given.model, text), headers=headers(live))


def _completion(live: LiveReply, model: str, text: str) -> Json:
    message: Json = {"role": "assistant", "content": text, "refusal": None}
    return {
        "id": f"chatcmpl-{live.ident}",
        "object": "chat.completion",
        "created": live.created,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
        "usage": usage(live, "prompt_tokens", "completion_tokens"),
    }


def _chunk(live: LiveReply, model: str, delta: Json, reason: str | None = None) -> Json:
    return {
        "id": f"chatcmpl-{live.ident}",
        "object": "chat.completion.chunk",
        "created": live.created,
        "model": model,
        "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
    }


async def _chunks(live: LiveReply, model: str, with_usage: bool) -> AsyncIterator[ServerSentEvent]:
    yield sent(_chunk(live, model, {"role": "assistant", "content": ""}))
    try:
        async for piece in live.deltas():
            yield sent(_chunk(live, model, {"content": piece}))
    except Exception as error:  # noqa: BLE001  # the stream is the only way to report it
        yield sent(stream_error(error))
        return
    yield sent(_chunk(live, model, {}, "stop"))
    if with_usage:
        tokens = usage(live, "prompt_tokens", "completion_tokens")
        yield sent({**_chunk(live, model, {}), "choices": [], "usage": tokens})
    yield ServerSentEvent("[DONE]", sep="\n")
