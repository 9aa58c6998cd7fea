"""The models of a session: which one each role uses, what calls cost, and the calls themselves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing
from decimal import Decimal
from typing import TYPE_CHECKING

from ruleplay.errors import ModelError, SpendingCap
from ruleplay.models.briefing import Briefing
from ruleplay.models.embedded import CONTEXT_TOKENS as EMBEDDED_TOKENS
from ruleplay.models.names import RULES, Limit, Selection, open_model
from ruleplay.models.offer import Offer, shown_name
from ruleplay.models.piece import Piece
from ruleplay.models.pricing import price
from ruleplay.models.reply import stream_reply
from ruleplay.records.tape import Reply, ToolCall
from ruleplay.settings import Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage

UNKNOWN_PRICE = (Decimal(15), Decimal(75))
"""US dollars per million tokens, in and out, for unknown models: high, to err on the safe side."""
TEXT_LIMIT = 200_000
"""Characters after which a reply is cut off, so that a runaway model cannot fill the memory."""


class ReplyCollector:
    """Collects a streamed reply, and passes its text on to `on_text` as it comes."""

    def __init__(self, on_text: Callable[[str], None]) -> None:
        self._on_text = on_text
        self._text: list[str] = []
        self._length = 0
        self._tool_calls: list[ToolCall] = []
        self._end, self._error = "stop", ""
        self.input_tokens = self.output_tokens = 0

    def take(self, piece: Piece) -> bool:
        """Add the next piece; False once the reply exceeds `TEXT_LIMIT`."""
        if piece.text:
            self._text.append(piece.text)
            self._length += len(piece.text)
            self._on_text(piece.text)
        elif call := piece.tool_call:
            self._tool_calls.append(ToolCall(name=call.name, arguments=call.args_json, id=call.id))
        elif end := piece.end:
            self._end = end.reason
            self.input_tokens, self.output_tokens = end.input_tokens, end.output_tokens
        if self._length > TEXT_LIMIT:
            self.fail("error", f"the reply passed {TEXT_LIMIT:,} characters")
        return self._length <= TEXT_LIMIT

    def fail(self, end: str, error: str) -> None:
        """Record that the reply is incomplete: `end` and `error` are those of `Reply`."""
        self._end, self._error = end, error

    def reply(self, cost: Decimal) -> Reply:
        """Build the reply from what has arrived, complete or not."""
        return Reply(
            text="".join(self._text),
            tool_calls=tuple(self._tool_calls),
            end=self._end,
            error=self._error,
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
            cost=cost,
        )


class Models:
    """The models of a process: its defaults, prices and limit of concurrent calls.

    `stand_ins` maps names to the caller's own chat models, such as scripted ones; they take
    precedence over providers' models. With `guarded`, which servers set because clients choose
    models there, only models that the owner has offered or configured are opened.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.offer = Offer(settings)
        self.guarded = False
        self.limit = Limit(settings.model_calls)
        self.stand_ins: dict[str, BaseChatModel] = {}
        self._default = {"": settings.model, **settings.models}

    def for_session(self, overrides: dict[str, str]) -> SessionModels:
        """Return the models of a session, whose choices override those of the process.

        If a session sets a default (""), nothing of the process's configuration applies.
        """
        return SessionModels(self, overrides if "" in overrides else self._default | overrides)

    def told(self, name: str) -> str:
        """Return a model's name for display; on a server without the address or path in it."""
        return shown_name(name) if self.guarded and name not in self.stand_ins else name

    def price(self, name: str, input_tokens: int, output_tokens: int) -> Decimal | None:
        """Return a call's price in US dollars, or None if it is unknown."""
        prices = self.settings.prices
        model = name if name in prices else self.offer.behind(name)
        return price(model, input_tokens, output_tokens, prices)

    def open(self, name: str) -> BaseChatModel | None:
        """Return the chat model of a name or alias, None for `rules` (ModelError, Unavailable)."""
        if name in self.stand_ins:
            return self.stand_ins[name]
        if self.guarded and not self.offer.allows(name):
            raise ModelError(f"the session's model is {self.offer.refusal()}")
        model = self.offer.behind(name)
        return open_model(model, keyed=self.offer.keyed(model))


class SessionModels:
    """The models of one session."""

    def __init__(self, models: Models, chosen: dict[str, str]) -> None:
        self._models = models
        self._selection = Selection(entries=tuple(sorted(chosen.items())))
        self.propose_seconds = models.settings.propose_seconds
        self.tell_seconds = models.settings.tell_seconds

    def for_role(self, role: str) -> str:
        """Return the model name or alias of a role."""
        name = self._selection.for_role(role)
        return RULES if self._models.offer.behind(name) == RULES else name

    def thinks_first(self, role: str) -> bool:
        """Whether the role's model starts inside its reasoning, so without an opening tag.

        Some chat templates end with `<think>`, which is then part of the prompt.
        """
        name, first = self.for_role(role), self._models.settings.thinks_first
        return name in first or self._models.offer.behind(name) in first

    def context_tokens(self, role: str) -> int:
        """Return the context length of the role's model in tokens, or 0 if it is unknown."""
        behind = self._models.offer.behind(self.for_role(role))
        if behind.startswith("embedded"):
            return EMBEDDED_TOKENS
        compatible = behind.startswith("openai-compatible:")
        return self._models.settings.compatible_context if compatible else 0

    def check_budget(self, spent: Decimal) -> None:
        """Raise SpendingCap once the session has used up its spending cap."""
        cap = self._models.settings.spending_cap
        if cap is not None and spent >= cap:
            raise SpendingCap(f"the session's spending cap of {cap} US dollars is used up")

    def cost(self, name: str, input_tokens: int, output_tokens: int) -> Decimal:
        """Return a call's price in US dollars, or a high estimate if it is unknown."""
        if name in self._models.stand_ins:
            return Decimal(0)
        if (known := self._models.price(name, input_tokens, output_tokens)) is not None:
            return known
        per_million = UNKNOWN_PRICE[0] * input_tokens + UNKNOWN_PRICE[1] * output_tokens
        return per_million / 1_000_000

    async def listen(
        self, name: str, messages: Sequence[BaseMessage], ears: ReplyCollector, briefing: Briefing
    ) -> None:
        """Stream one reply into `ears`; ModelError when the model fails."""
        async with self._models.limit:
            # In a thread: opening imports a provider's package, or starts the embedded server.
            model = await asyncio.to_thread(self._models.open, name)
            if model is None:
                raise ModelError("model 'rules' writes no text")
            pieces = stream_reply(
                model,
                messages,
                schema=dict(briefing.schema) if briefing.schema else None,
                tools=[dict(tool) for tool in briefing.tools],
                briefing=briefing,
            )
            async with aclosing(pieces):
                async for piece in pieces:
                    if not ears.take(piece):
                        return
