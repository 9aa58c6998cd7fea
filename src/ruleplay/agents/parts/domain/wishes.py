"""A customer's question as a model reads it: a goal and quotes of what it is about."""

from __future__ import annotations

from pydantic import Field

from ruleplay.agents.parts.domain.frozen import Frozen
from ruleplay.agents.parts.domain.slots import Goal


class Wish(Frozen):
    """One question; empty where the message does not say.

    `part` and `model` quote numbers, `words` what describes or points at the part ("the drain
    pump", "the cheaper one", "it"); `shown` counts the part meant in the list that the model was
    given, from 1; `machine` is the number or the kind of the machine it is about. `count` is how
    many are wanted, as the words `counted` say; `cheapest` says that the least to pay decides.
    """

    goal: Goal
    part: str = Field(default="", max_length=80)
    model: str = Field(default="", max_length=80)
    words: str = Field(default="", max_length=200)
    shown: int | None = None
    machine: str = Field(default="", max_length=40)
    count: int | None = Field(default=None, ge=1, le=99)
    counted: str = Field(default="", max_length=80)
    cheapest: bool = False

    def quotes(self) -> list[str]:
        """List everything that must occur in the message word for word."""
        return [quote for quote in (self.part, self.model, self.words, self.counted) if quote]
