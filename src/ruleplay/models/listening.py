"""Which model speaks for a role in a session, and listening to it within the limits."""

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
"""US dollars per million tokens, in and out, assumed for a model whose price nobody knows."""
TEXT_LIMIT = 200_000
"""Characters of one reply that are kept; a model that writes on is cut off there."""


class Ears:
    """Collects one model reply as it streams in."""

    def __init__(self, on_text: Callable[[str], None]) -> None:
        self._on_text = on_text
        self._text: list[str] = []
        self._length = 0
        self._tool_calls: list[ToolCall] = []
        self._end, self._error = "stop", ""
        self.input_tokens = self.output_tokens = 0

    def take(self, piece: Piece) -> bool:
        """Take the next piece; False once the reply is longer than anyone needs."""
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
        """Note that the reply did not come whole."""
        self._end, self._error = end, error

    def reply(self, cost: Decimal) -> Reply:
        """Return what was heard."""
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
    """The models of a process: who speaks by default, how many calls at once, what they cost.

    `stand_ins` are chat models of the caller's own by name, such as a scripted one; they win over
    names that a provider knows. Where `guarded`, sessions may hold what clients chose, and only
    models that the owner offers or has configured are opened.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.offer = Offer(settings)
        self.guarded = False
        self.limit = Limit(settings.model_calls)
        self.stand_ins: dict[str, BaseChatModel] = {}
        self._default = {"": settings.model, **settings.models}

    def for_session(self, overrides: dict[str, str]) -> SessionModels:
        """Return the models of one session; its own choices win over the process's.

        A session that names a default takes nothing over from the process.
        """
        return SessionModels(self, overrides if "" in overrides else self._default | overrides)

    def told(self, name: str) -> str:
        """Return how a model is called: to clients without its address or path."""
        return shown_name(name) if self.guarded and name not in self.stand_ins else name

    def price(self, name: str, input_tokens: int, output_tokens: int) -> Decimal | None:
        """Return a call's price in US dollars; None where nobody knows it."""
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
        """Return the model string of a role, which may be an alias."""
        name = self._selection.for_role(role)
        return RULES if self._models.offer.behind(name) == RULES else name

    def thinks_first(self, role: str) -> bool:
        """Whether the role's model starts inside its reasoning, without an opening tag."""
        name, first = self.for_role(role), self._models.settings.thinks_first
        return name in first or self._models.offer.behind(name) in first

    def context_tokens(self, role: str) -> int:
        """Return how many tokens the role's model reads at once; 0 where that is not known."""
        behind = self._models.offer.behind(self.for_role(role))
        if behind.startswith("embedded"):
            return EMBEDDED_TOKENS
        compatible = behind.startswith("openai-compatible:")
        return self._models.settings.compatible_context if compatible else 0

    def check_budget(self, spent: Decimal) -> None:
        """Refuse a call once the session has used up its spending cap (SpendingCap)."""
        cap = self._models.settings.spending_cap
        if cap is not None and spent >= cap:
            raise SpendingCap(f"the session's spending cap of {cap} US dollars is used up")

    def cost(self, name: str, input_tokens: int, output_tokens: int) -> Decimal:
        """Return a call's price in US dollars; a high guess where nobody knows it."""
        if name in self._models.stand_ins:
            return Decimal(0)
        if (known := self._models.price(name, input_tokens, output_tokens)) is not None:
            return known
        per_million = UNKNOWN_PRICE[0] * input_tokens + UNKNOWN_PRICE[1] * output_tokens
        return per_million / 1_000_000

    async def listen(
        self, name: str, messages: Sequence[BaseMessage], ears: Ears, briefing: Briefing
    ) -> None:
        """Stream one reply into `ears`; ModelError when the model fails."""
        async with self._models.limit:
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
