"""The tape: everything that came into a turn from outside, recorded so that it can be replayed."""

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
    """A tool call as the model wrote it, not validated."""

    name: str
    arguments: str
    id: str = ""


class Reply(BaseModel, frozen=True):
    """The result of one model call, complete or not.

    `end` is the provider's finish reason (`stop`, `length`, `tool_calls`) or one of ours:
    `deadline`, `cap` (spending cap), `error`. `text` includes what arrived before an early end.
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
        """Why this reply is incomplete; "" if it is not."""
        if self.end == "length":
            return "cut off at the token limit"
        return self.error


class Call(BaseModel, frozen=True):
    """One question to a role: who answered it, what was refused, and all replies of the model.

    `source` is `policy` if there is no model, or none of its replies could be used in time.
    """

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
    """Milliseconds since a reading of `perf_counter`, rounded to one decimal."""
    return round((perf_counter() - started) * 1000, 1)


class Tape:
    """Records what comes into a turn, or plays it back if it was loaded with a turn's calls.

    Model replies are found by role and position, outside answers by question and position, so that
    parallel branches cannot swap them. After `resume` the tape plays what a crashed run of the
    turn had received, and records from there on.
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
        """Load what a crashed run of this turn had received, by role and by question."""
        self._replies |= {role: list(received) for role, received in replies.items()}
        self._answers |= {key: list(values) for key, values in outside.items()}

    def model_of(self, role: str) -> str:
        """Return the model that the recorded turn used for a role."""
        return self._models.get(role, "rules")

    def thinks_first(self, role: str) -> bool:
        """Whether a role's recorded replies began inside the reasoning."""
        return role in self._thinking

    def next_reply(self, role: str) -> Reply | None:
        """Return the next recorded reply of a role; None if the model has to be called.

        A replay never calls a model: a reply that is missing is returned as an error.
        """
        if replies := self._replies.get(role):
            return replies.pop(0)
        return Reply(end="error", error="not on the tape") if self.playing else None

    def holds(self, key: str) -> bool:
        """Whether the next answer to a question comes from the tape; in a replay it always does."""
        return self.playing or bool(self._answers.get(key))

    def next_answer(self, key: str) -> JsonValue:
        """Return the next recorded answer to a question; LookupError if there is none."""
        if not self._answers.get(key):
            raise LookupError(f"the recording has no answer to {key!r}")
        answer = self._answers[key].pop(0)
        if not self.playing:
            self.outside[key].append(answer)
        return answer


def question_key(name: str, question: JsonValue) -> str:
    """Build the tape's key of an outside question; equal questions have equal keys."""
    return f"{name} {json.dumps(question, sort_keys=True, ensure_ascii=False)}"
