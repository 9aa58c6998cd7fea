"""Splits a message into clauses that each ask one thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ruleplay.agents.parts.domain.intents import Intent, read_intents
from ruleplay.agents.parts.domain.reader import POSSIBLE, readings
from ruleplay.agents.parts.domain.references import joined
from ruleplay.agents.parts.domain.slots import Goal
from ruleplay.agents.parts.domain.understanding import Understood

ASKING = ("goal", "price", "stock")
"""Kinds of intents that ask about something."""
_APART = 12
"""Most characters between words that belong to one question."""


class Clause(NamedTuple):
    """A stretch of the message with the goal it is about."""

    goal: Goal
    start: int
    end: int

    def holds(self, start: int) -> bool:
        """Whether a position lies in it."""
        return self.start <= start < self.end


def clauses(heard: Understood) -> Iterator[Clause]:
    """Split the message where another question begins: after punctuation or an "and".

    Goals that are not separated so share a clause. A question about effort is not also a request
    for the steps.
    """
    asking = _telling([one for one in heard.intents if one.kind in ASKING])
    # "How hard is it to install" contains the words of a request for the steps.
    efforts = [one for one in asking if one.value == Goal.EFFORT]
    goals = [one for one in asking if one.value != Goal.INSTALL or not _overlaps(one, efforts)]
    cuts = [0, *(one.start for one in goals[1:] if _begins(heard, one.start))]
    ends = [*cuts[1:], len(heard.message) + 1]
    seen: set[Goal] = set()
    for intent in goals:
        start, end = max((c, e) for c, e in zip(cuts, ends, strict=True) if c <= intent.start)
        # A goal that is named twice is one question.
        if _goal(intent) not in seen:
            yield Clause(_goal(intent), start, end)
        seen.add(_goal(intent))


def _telling(asking: Sequence[Intent]) -> list[Intent]:
    """Drop "what is" where adjacent words ask more specifically: "what is the price of it"."""
    narrow = [one for one in asking if one.value not in (Goal.ABOUT, Goal.FIND)]
    return [one for one in asking if one.value != Goal.ABOUT or not _near(one, narrow)]


def _near(intent: Intent, others: Sequence[Intent]) -> bool:
    return any(
        other.start - intent.end <= _APART and intent.start - other.end <= _APART
        for other in others
    )


def _overlaps(intent: Intent, others: Sequence[Intent]) -> bool:
    return any(intent.start < other.end and other.start < intent.end for other in others)


def _begins(heard: Understood, start: int) -> bool:
    before = heard.message[:start].rstrip()
    tail = before[-12:].split()
    return before.endswith((".", "?", "!", ",", ";", ":")) or joined(
        " ".join(tail[-1:]), heard.language
    )


def _goal(intent: Intent) -> Goal:
    return Goal(intent.value) if intent.kind == "goal" else Goal.PRICE


def lacks_model(heard: Understood) -> bool:
    """Whether the customer's own machine is meant, whose number is not at hand."""
    return any(one in heard.perhaps for one in ("wherenumber", "away"))


def grieves(heard: Understood) -> bool:
    """Whether a message tells of something broken or complains: "it snapped AGAIN, refund me"."""
    broken = heard.description is not None and heard.description.broken
    said = read_intents(heard.message, None, heard.language)
    read = readings(heard.message, heard.found)
    broken = broken or any(one.kind == "complaint" for one in said)
    return broken or any(one.shares.get("complaint", 0) >= POSSIBLE for one in read)


def ranked_before(heard: Understood, clause: Clause) -> bool:
    """Whether the price is asked of before the effort: "which is cheapest, and could he do it?"."""
    asked = [one.start for one in heard.intents if one.value == clause.goal.value]
    ranked = [one for one in heard.references if one.way in ("cheapest", "dearest")]
    return any(one.end <= start for one in ranked for start in asked)
