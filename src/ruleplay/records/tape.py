"""The tape: all that came into a turn from outside, recorded once and played back exactly."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from decimal import Decimal
from time import perf_counter
from typing import Literal

from pydantic import BaseModel, Field, JsonValue

from ruleplay.records.events import EVERYONE


class ToolCall(BaseModel, frozen=True):
    """A tool the model wants to use, as it wrote it: nothing here is checked yet."""

    name: str
    arguments: str
    id: str = ""


class Reply(BaseModel, frozen=True):
    """What one model call brought, and how it ended.

    `end` is the provider's word (`stop`, `length`, `tool_calls`) or ours: `deadline`, `cap`,
    `error`. `text` is everything received, also what came before a deadline cut it.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    end: str = "stop"
    error: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal = Decimal(0)

    @property
    def failure(self) -> str:
        """Say why this reply cannot be used whole; empty when it can."""
        if self.end == "length":
            return "cut off at the token limit"
        return self.error


class Call(BaseModel, frozen=True):
    """One question to a role: who answered, what was refused, and every model reply behind it."""

    role: str
    source: Literal["model", "policy"]
    model: str = "rules"
    thinks_first: bool = Field(default=False, description="replies began inside the reasoning")
    ms: float = 0
    refusals: tuple[str, ...] = ()
    audience: tuple[str, ...] = Field(default=(EVERYONE,), description="who may read refusals")
    asked: str = ""
    system: str = Field(default="", description="hash of the static prompt")
    replies: tuple[Reply, ...] = ()

    @property
    def input_tokens(self) -> int:
        """Tokens read by the model, all attempts."""
        return sum(reply.input_tokens for reply in self.replies)

    @property
    def cost(self) -> Decimal:
        """US dollars for all attempts."""
        return sum((reply.cost for reply in self.replies), Decimal(0))

    @property
    def output_tokens(self) -> int:
        """Tokens written by the model, all attempts."""
        return sum(reply.output_tokens for reply in self.replies)


def ms_since(started: float) -> float:
    """Return the milliseconds since a reading of `perf_counter`, as calls and nodes report them."""
    return round((perf_counter() - started) * 1000, 1)


class Tape:
    """The outside of one turn. Empty, it records; loaded with a turn's calls, it plays them back.

    Model replies are keyed by role and place, outside answers by question and place, so that
    parallel branches cannot swap them. A tape that is `resumed` plays what a run that died has
    heard, and records from there on.
    """

    def __init__(
        self,
        calls: tuple[Call, ...] | None = None,
        outside: Mapping[str, list[JsonValue]] | None = None,
    ) -> None:
        self.playing = calls is not None
        self.outside: dict[str, list[JsonValue]] = defaultdict(list)
        self._replies: dict[str, list[Reply]] = defaultdict(list)
        self._models: dict[str, str] = {}
        self._thinking: set[str] = set()
        for call in calls or ():
            self._replies[call.role].extend(call.replies)
            self._models.setdefault(call.role, call.model)
            if call.thinks_first:
                self._thinking.add(call.role)
        self._answers = {key: list(values) for key, values in (outside or {}).items()}

    def resume(
        self, replies: Mapping[str, list[Reply]], outside: Mapping[str, list[JsonValue]]
    ) -> None:
        """Play what an earlier run of this turn has heard, by role and by question, then record."""
        self._replies |= {role: list(heard) for role, heard in replies.items()}
        self._answers |= {key: list(values) for key, values in outside.items()}

    def model_of(self, role: str) -> str:
        """Return the model that a recorded turn used for a role."""
        return self._models.get(role, "rules")

    def thinks_first(self, role: str) -> bool:
        """Return whether a role's recorded replies began inside the reasoning."""
        return role in self._thinking

    def next_reply(self, role: str) -> Reply | None:
        """Play the next recorded reply of a role; None when it has to be asked.

        In a replay nobody is asked: a reply that is missing ends as an error.
        """
        if replies := self._replies.get(role):
            return replies.pop(0)
        return Reply(end="error", error="not on the tape") if self.playing else None

    def holds(self, key: str) -> bool:
        """Tell whether an outside answer is played, not asked for; in a replay it always is."""
        return self.playing or bool(self._answers.get(key))

    def next_answer(self, key: str) -> JsonValue:
        """Play the next recorded outside answer; LookupError when the recording has none."""
        if not self._answers.get(key):
            raise LookupError(f"the recording has no answer to {key!r}")
        answer = self._answers[key].pop(0)
        if not self.playing:
            self.outside[key].append(answer)
        return answer


def question_key(name: str, question: JsonValue) -> str:
    """Name an outside question for the tape: equal questions share a key."""
    return f"{name} {json.dumps(question, sort_keys=True, ensure_ascii=False)}"
