"""`/v1/responses`: a response `resp_TURN` is a turn, a conversation `conv_SESSION` a session."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, JsonValue
from sse_starlette import ServerSentEvent

from ruleplay.kernel.host import Host
from ruleplay.records.events import Json
from ruleplay.records.turns import whole_reply
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
from ruleplay.server.openai.finding import Asked
from ruleplay.server.openai.live_replies import LiveReply
from ruleplay.server.openai.requests import (
    Conversation,
    Ident,
    Named,
    ResponseRequest,
    Retries,
    read_asked,
    refuse_format,
)
from ruleplay.server.wiring import Key, TheHost

routes = APIRouter(prefix="/v1", tags=["openai"], responses=answers(401, 403, 500))
PATH = "/v1/responses"
RESPONSE, CONVERSATION = "resp_", "conv_"


class ConversationAnswer(BaseModel):
    """The session."""

    id: str


class ResponseAnswer(BaseModel):
    """A response, with one message as `output`."""

    id: str
    object: str
    created_at: int
    status: str
    model: str
    output: list[dict[str, JsonValue]]
    previous_response_id: str | None
    conversation: ConversationAnswer | None
    usage: dict[str, JsonValue] | None
    error: dict[str, JsonValue] | None


ANSWERS: dict[int | str, dict[str, object]] = {
    200: {
        "model": ResponseAnswer,
        "description": "The turn's reply; its events, when a stream is asked for",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    },
    **answers(400, 404, 409, 413, 415, 422, 429, 502, 503),
}


@routes.post("/responses", responses=ANSWERS)
async def create_response(
    given: ResponseRequest,
    request: Request,
    host: TheHost,
    access: TheAccess,
    replies: TheReplies,
    key: Key = None,
    session: Named = "",
    retries: Retries = 0,
) -> Response:
    """Play the last message as a turn.

    It follows an earlier response, a conversation's newest turn, or what the messages lead to.
    """
    refuse_format(given.text.format if given.text else None)
    asked = await read_asked(host, request, given.model, given.items, given.user)
    asked = replace(asked, session=session, key=key, retried=retries > 0)
    asked = await _placed(host, given, asked)
    live = await answer(replies, asked, access)
    writer = _ResponseWriter(live, given)
    if given.stream:
        return ReplyStream(live, writer.events(), writer.beat)
    text = await whole(live, request)
    return JSONResponse(writer.body("completed", text), headers=headers(live))


@routes.get(
    "/responses/{response}", responses={200: {"model": ResponseAnswer}, **answers(404, 422)}
)
async def show_response(response: Ident, host: TheHost, access: TheAccess) -> JSONResponse:
    """Show an earlier response, as far as the client may read it."""
    turn = await host.store.turn(response.removeprefix(RESPONSE))
    head, _ = await host.store.read(turn.session)
    seat = await access.reading_turn(turn.session, "", turn)
    live = LiveReply.saying(whole_reply(turn, seat), turn.session)
    live.ident, live.created, live.turn = turn.id, int(turn.at.timestamp()), turn
    given = ResponseRequest(model=head.agent, input="", previous_response_id=turn.parent)
    return JSONResponse(_ResponseWriter(live, given).body("completed", live.text))


async def _placed(host: Host, given: ResponseRequest, asked: Asked) -> Asked:
    """Add the turn that a request names by an earlier response or a conversation."""
    before, conversation = given.previous_response_id, given.conversation
    if before and conversation:
        detail = "name a previous response or a conversation, not both"
        raise Refusal(400, detail, "mutually_exclusive", "conversation")
    if before:
        return replace(asked, turn=before.removeprefix(RESPONSE))
    if not conversation:
        return asked
    named = conversation.id if isinstance(conversation, Conversation) else conversation
    head, _ = await host.store.read(named.removeprefix(CONVERSATION))
    # A conversation continues after its newest turn, whatever messages are sent with it.
    return replace(asked, session=head.id, turn=head.head or "")


class _ResponseWriter:
    """Presents a live reply as a response object, and as the events of a stream."""

    def __init__(self, live: LiveReply, given: ResponseRequest) -> None:
        self._live, self._given = live, given
        self._number = -1

    def body(self, status: str, text: str | None = None, error: Json | None = None) -> Json:
        """Make the response object in its current status."""
        live, before = self._live, self._given.previous_response_id
        return {
            "id": f"{RESPONSE}{live.ident}",
            "object": "response",
            "created_at": live.created,
            "status": status,
            "model": self._given.model,
            "output": [] if text is None else [self._item("completed", text)],
            "previous_response_id": before,
            "conversation": {"id": f"{CONVERSATION}{live.session}"} if live.session else None,
            "usage": self._usage() if text is not None else None,
            "error": error,
            "incomplete_details": None,
            "instructions": None,
            "metadata": self._given.metadata or {},
            "parallel_tool_calls": False,
            "temperature": None,
            "tool_choice": "none",
            "tools": [],
            "top_p": None,
        }

    def beat(self) -> Json:
        """Make the event that is sent while the turn is silent."""
        return self._event("response.in_progress", response=self.body("in_progress"))

    async def events(self) -> AsyncIterator[ServerSentEvent]:
        """Yield the stream's events in the order that OpenAI's API defines."""
        live = self._live
        for kind in ("response.created", "response.in_progress"):
            yield self._sent(kind, response=self.body("in_progress"))
        for event in self._opening():
            yield event
        try:
            async for piece in live.deltas():
                yield self._sent("response.output_text.delta", **self._at(), delta=piece)
        except Exception as error:  # noqa: BLE001  # the stream is the only way to report it
            found = stream_error(error)["error"]
            said = found if isinstance(found, dict) else {}
            failed: Json = {"code": "server_error", "message": said.get("message")}
            yield self._sent("response.failed", response=self.body("failed", error=failed))
            return
        for event in self._closing(live.text):
            yield event

    def _opening(self) -> Iterator[ServerSentEvent]:
        item = {**self._item("in_progress", ""), "content": []}
        yield self._sent("response.output_item.added", output_index=0, item=item)
        yield self._sent("response.content_part.added", **self._at(), part=_part(""))

    def _closing(self, text: str) -> Iterator[ServerSentEvent]:
        yield self._sent("response.output_text.done", **self._at(), text=text)
        yield self._sent("response.content_part.done", **self._at(), part=_part(text))
        item = self._item("completed", text)
        yield self._sent("response.output_item.done", output_index=0, item=item)
        yield self._sent("response.completed", response=self.body("completed", text))

    def _at(self) -> Json:
        return {"item_id": f"msg_{self._live.ident}", "output_index": 0, "content_index": 0}

    def _item(self, status: str, text: str) -> Json:
        return {
            "id": f"msg_{self._live.ident}",
            "type": "message",
            "status": status,
            "role": "assistant",
            "content": [_part(text)],
        }

    def _usage(self) -> Json:
        none: Json = {"cached_tokens": 0}
        return {
            **usage(self._live, "input_tokens", "output_tokens"),
            "input_tokens_details": none,
            "output_tokens_details": {"reasoning_tokens": 0},
        }

    def _event(self, kind: str, **fields: JsonValue) -> Json:
        self._number += 1
        return {"type": kind, "sequence_number": self._number, **fields}

    def _sent(self, kind: str, **fields: JsonValue) -> ServerSentEvent:
        return sent(self._event(kind, **fields), kind)


def _part(text: str) -> Json:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
