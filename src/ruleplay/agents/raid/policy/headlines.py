"""The first sentence of an answer, per tool: what the rows come down to."""

from __future__ import annotations

from collections.abc import Callable

from ruleplay.agents.raid.domain.questions import Question
from ruleplay.agents.raid.policy.tables import Sheet

Headline = Callable[[Sheet, Question], str]

HEADLINES: dict[str, Headline] = {}
