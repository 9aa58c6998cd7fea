"""Chat models behind the OpenAI wire format: any compatible server, and the embedded one.

Importing it imports LangChain's OpenAI client, so `models.open_model` does so only when needed.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import lru_cache
from typing import Any

from langchain_core.callbacks import (
    AsyncCallbackManagerForLLMRun,
    CallbackManagerForLLMRun,
)
from langchain_core.language_models import BaseChatModel, ModelProfile
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai.chat_models.base import BaseChatOpenAI
from openai import DefaultAsyncHttpxClient, DefaultHttpxClient
from pydantic import SecretStr

from ruleplay.errors import ModelError
from ruleplay.models import embedded
from ruleplay.models.embedded import UNUSED
from ruleplay.system.loopback import is_loopback_url

# One read may wait until a local server has evaluated a whole prompt. Callers bound the turn by
# their own deadline, which may be set longer than any read of a hosted model takes.
READ_SECONDS = 3_600.0
# A small model that rambles would otherwise fill its whole context before it stops.
EMBEDDED_TOKENS = 512


class CompatibleChat(BaseChatOpenAI):
    """A server that speaks chat completions, with what LangChain's own client leaves out.

    It keeps `reasoning_content` (DeepSeek, vLLM and llama.cpp stream it beside `content`) and
    treats a stream that ends without a finish reason as cut off.
    """

    @property
    def _llm_type(self) -> str:
        return "openai-compatible"

    def _convert_chunk_to_generation_chunk(
        self,
        chunk: dict[str, object],
        default_chunk_class: type,
        base_generation_info: dict[str, object] | None,
    ) -> ChatGenerationChunk | None:
        made = super()._convert_chunk_to_generation_chunk(
            chunk, default_chunk_class, base_generation_info
        )
        if made is not None and (reasoning := _reasoning_delta(chunk)):
            made.message.additional_kwargs["reasoning_content"] = reasoning
        return made

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        *,
        stream_usage: bool | None = None,
        **kwargs: object,
    ) -> AsyncIterator[ChatGenerationChunk]:
        finished = False
        if "response_format" in kwargs:
            # As an argument, the client would parse the reply itself and raise where it is cut.
            kwargs["extra_body"] = {"response_format": kwargs.pop("response_format")}
        async for chunk in super()._astream(
            messages, stop, run_manager, stream_usage=stream_usage, **kwargs
        ):
            finished = finished or bool((chunk.generation_info or {}).get("finish_reason"))
            yield chunk
        if not finished:
            raise ModelError(f"{self.model_name!r} ended its stream without saying why")


def _reasoning_delta(chunk: dict[str, object]) -> str:
    """Return the reasoning of a raw chunk, whichever of its two usual names it goes by."""
    choices = chunk.get("choices")
    delta = choices[0].get("delta") if isinstance(choices, list) and choices else None
    if not delta:
        return ""
    return str(delta.get("reasoning_content") or delta.get("reasoning") or "")


def connect(
    url: str, model: str, key: str, *, tools: bool = True, seconds: float = READ_SECONDS
) -> CompatibleChat:
    """Return a chat model for the server at `url` (ending in `/v1`); nothing is sent yet.

    `tools` says whether the server's chat template can offer tools; `seconds` bounds each wait for
    the server to send something.
    """
    return CompatibleChat(
        model=model,
        base_url=url,
        # Never left out: the client would then send OPENAI_API_KEY to whoever this server is.
        api_key=SecretStr(key),
        timeout=seconds,
        stream_chunk_timeout=UNUSED,
        max_retries=0,
        stream_usage=True,
        # A kept-alive connection belongs to one event loop, the cached model to the whole process.
        default_headers={"Connection": "close"},
        http_async_client=_async_client(is_loopback_url(url)),
        http_client=_client(is_loopback_url(url)),
        profile=ModelProfile(structured_output=True, tool_calling=tools),
    )


def _async_client(local: bool) -> DefaultAsyncHttpxClient:
    # A proxy from the environment cannot reach this machine's own loopback.
    return DefaultAsyncHttpxClient(trust_env=not local)


def _client(local: bool) -> DefaultHttpxClient:
    return DefaultHttpxClient(trust_env=not local)


@lru_cache(maxsize=4)
def _chat_over(weights: str) -> CompatibleChat:
    served = embedded.serve(weights)
    return connect(f"{served.address}/v1", "embedded", served.key, tools=False)


class EmbeddedChat(BaseChatModel):
    """A GGUF file run inside this process; its server starts with the first call, in a thread."""

    weights: str
    max_tokens: int = EMBEDDED_TOKENS
    # Its chat template has no place for tools: they are offered as a JSON schema instead.
    profile: ModelProfile | None = ModelProfile(
        structured_output=True, tool_calling=False, max_input_tokens=embedded.CONTEXT_TOKENS
    )

    @property
    def _llm_type(self) -> str:
        return "embedded"

    def _settings(self, given: dict[str, object]) -> dict[str, object]:
        return {"max_tokens": self.max_tokens, "temperature": 0.2, "seed": 0} | given

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: object,
    ) -> ChatResult:
        return _chat_over(self.weights)._generate(messages, stop, None, **self._settings(kwargs))

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: object,
    ) -> ChatResult:
        chat = await asyncio.to_thread(_chat_over, self.weights)
        return await chat._agenerate(messages, stop, None, **self._settings(kwargs))

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: object,
    ) -> AsyncIterator[ChatGenerationChunk]:
        chat = await asyncio.to_thread(_chat_over, self.weights)
        options: Any = self._settings(kwargs)  # typed by the wire format, not here
        async for chunk in chat._astream(messages, stop, None, **options):
            yield chunk
