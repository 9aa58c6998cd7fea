"""The request bodies of OpenAI's APIs: the fields that are used. All others are ignored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from fastapi import Header, Request
from pydantic import BaseModel, Field, JsonValue

from ruleplay.kernel.host import Host
from ruleplay.records.given import check_message
from ruleplay.server.openai.errors import Refusal
from ruleplay.server.openai.finding import Asked
from ruleplay.server.openai.history import Said, read_history
from ruleplay.server.openai.models import find_speaker
from ruleplay.server.shapes import Plain

SESSION = "Ruleplay-Session"
TEXTS = ("text", "input_text", "output_text", "refusal")
NAME_LIMIT = 300
"""Characters of a chat's or a person's name that are used."""


Ident = Annotated[Plain, Field(max_length=80)]


class Lenient(BaseModel, frozen=True, extra="ignore"):
    """A body whose unknown fields are ignored."""


class Part(Lenient):
    """A piece of a message's content."""

    type: str = "text"
    text: str | None = None
    refusal: str | None = None


class SentMessage(Lenient):
    """A message; only those of users and assistants are used."""

    role: str
    content: str | list[Part] | None = None

    @property
    def text(self) -> str:
        """The text of all its parts."""
        if self.content is None or isinstance(self.content, str):
            return self.content or ""
        texts = (part.text or part.refusal for part in self.content if part.type in TEXTS)
        return "\n".join(text for text in texts if text)

    @property
    def has_files(self) -> bool:
        """Whether it has parts other than text."""
        parts = self.content if isinstance(self.content, list) else ()
        return any(part.type not in TEXTS for part in parts)


class StreamOptions(Lenient):
    """Options of a stream."""

    include_usage: bool | None = None


class Format(Lenient):
    """The requested format of the reply."""

    type: str = "text"


class ChatRequest(Lenient):
    """A request for a chat completion."""

    model: Plain = Field(max_length=NAME_LIMIT, examples=["parts"])
    messages: list[SentMessage] = Field(
        min_length=1, examples=[[{"role": "user", "content": "My dishwasher leaks."}]]
    )
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    n: int | None = None
    response_format: Format | None = None
    user: str | None = None


class Item(SentMessage):
    """An item of a response's input; only messages are used."""

    role: str = ""
    type: str = "message"


class TextFormat(Lenient):
    """The requested format of text."""

    format: Format | None = None


class Conversation(Lenient):
    """A conversation, by its id."""

    id: Ident


class ResponseRequest(Lenient):
    """A request for a response."""

    model: Plain = Field(max_length=NAME_LIMIT, examples=["parts"])
    input: str | list[Item] = Field(examples=["My dishwasher leaks."])
    previous_response_id: Ident | None = None
    conversation: Ident | Conversation | None = None
    stream: bool | None = None
    text: TextFormat | None = None
    user: str | None = None
    metadata: dict[str, JsonValue] | None = None

    @property
    def items(self) -> list[SentMessage]:
        """The messages of the input."""
        if isinstance(self.input, str):
            return [SentMessage(role="user", content=self.input)]
        return [item for item in self.input if item.type == "message" and item.role]


Retries = Annotated[int, Header(alias="x-stainless-retry-count", ge=0, le=1_000)]
Named = Annotated[str, Header(alias=SESSION, max_length=64, description="The session to play in.")]


def refuse_format(format_: Format | None) -> None:
    """Raise 400 for a reply format other than text."""
    if format_ and format_.type != "text":
        detail = "replies are text here; leave the response format out"
        raise Refusal(400, detail, "unsupported_parameter", "response_format")


async def read_asked(
    host: Host, request: Request, model: str, messages: list[SentMessage], user: str | None
) -> Asked:
    """Interpret a request; 400 unless its last message is a user's and only text."""
    if not messages or messages[-1].role != "user":
        detail = "the last message has to be the user's"
        raise Refusal(400, detail, "invalid_messages", "messages")
    if messages[-1].has_files:
        detail = "agents read text only; send the message without images and files"
        raise Refusal(400, detail, "unsupported_content", "messages")
    settings, history = host.settings, read_history(list(_said(messages)))
    if history.command:
        check_message(history.last)
    return Asked(
        speaker=await find_speaker(host, model),
        history=history,
        caller=_named(request, settings.caller_headers) or (user or "")[:NAME_LIMIT],
        chat=_named(request, settings.chat_headers),
    )


def _said(messages: list[SentMessage]) -> Iterator[Said]:
    for message in messages:
        if message.role == "user":
            yield Said("user", message.text)
        elif message.role == "assistant" and message.text:
            yield Said("assistant", message.text)


def _named(request: Request, headers: tuple[str, ...]) -> str:
    found = (request.headers.get(name, "") for name in headers)
    return next((value[:NAME_LIMIT] for value in found if value), "")
