"""Chat models behind OpenAI's chat completions API: compatible servers, and the embedded one.

Importing this module loads LangChain's OpenAI client, so `open_model` imports it only when needed.
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
from ruleplay.models.embedded import NO_CHUNK_TIMEOUT, READ_SECONDS
from ruleplay.system.loopback import is_loopback_url

# Without a limit, a small model that rambles fills its whole context before it stops.
EMBEDDED_TOKENS = 512


class CompatibleChat(BaseChatOpenAI):
    """LangChain's chat completions client, with two additions.

    It keeps `reasoning_content`, which DeepSeek, vLLM and llama.cpp stream beside `content`, and
    raises ModelError when a stream ends without a finish reason, as it does if a server dies.
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
            # Passed as an argument, it makes the client parse the reply, and raise if it was cut.
            kwargs["extra_body"] = {"response_format": kwargs.pop("response_format")}
        async for chunk in super()._astream(
            messages, stop, run_manager, stream_usage=stream_usage, **kwargs
        ):
            finished = finished or bool((chunk.generation_info or {}).get("finish_reason"))
            yield chunk
        if not finished:
            raise ModelError(f"{self.model_name!r} ended its stream without saying why")


def _reasoning_delta(chunk: dict[str, object]) -> str:
    """Return the reasoning in a raw chunk, which servers send under one of two names."""
    choices = chunk.get("choices")
    delta = choices[0].get("delta") if isinstance(choices, list) and choices else None
    if not delta:
        return ""
    return str(delta.get("reasoning_content") or delta.get("reasoning") or "")


def connect(
    url: str, model: str, key: str, *, tools: bool = True, seconds: float = READ_SECONDS
) -> CompatibleChat:
    """Make a chat model for the server at `url` (ending in `/v1`), without sending anything.

    `tools` tells whether the server's chat template supports tools; `seconds` is the read timeout.
    """
    return CompatibleChat(
        model=model,
        base_url=url,
        # Always set: without it the client sends OPENAI_API_KEY, whatever server this is.
        api_key=SecretStr(key),
        timeout=seconds,
        stream_chunk_timeout=NO_CHUNK_TIMEOUT,
        max_retries=0,
        stream_usage=True,
        # The model is cached for the process, but a kept-alive connection is bound to the event
        # loop that opened it, and a process may run several.
        default_headers={"Connection": "close"},
        http_async_client=_async_client(is_loopback_url(url)),
        http_client=_client(is_loopback_url(url)),
        profile=ModelProfile(structured_output=True, tool_calling=tools),
    )


def _async_client(local: bool) -> DefaultAsyncHttpxClient:
    # HTTP_PROXY and the like must not apply: a proxy cannot reach this machine's loopback.
    return DefaultAsyncHttpxClient(trust_env=not local)


def _client(local: bool) -> DefaultHttpxClient:
    return DefaultHttpxClient(trust_env=not local)


@lru_cache(maxsize=4)
def _chat_over(weights: str) -> CompatibleChat:
    served = embedded.serve(weights)
    return connect(f"{served.address}/v1", "embedded", served.key, tools=False)


class EmbeddedChat(BaseChatModel):
    """A GGUF file run inside this process; the first call starts its server, in a thread."""

    weights: str
    max_tokens: int = EMBEDDED_TOKENS
    # SmolLM2's chat template does not support tools; they are emulated (see tool_union).
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
