"""Chooses the next question of a turn, and closes those about numbers that nobody knows."""

from __future__ import annotations

from ruleplay.agents.parts import state as did
from ruleplay.agents.parts.domain.slots import (
    Goal,
    Question,
    Request,
    VerifiedModel,
    VerifiedPart,
    missing,
    request_for,
)
from ruleplay.agents.parts.policy import asking
from ruleplay.agents.parts.state import Line, State
from ruleplay.records.events import Event


def unknown_closed(now: State) -> tuple[list[Event], Line | None]:
    """Close queued questions about unknown parts that others would hide, and say so in one line."""
    events: list[Event] = []
    strange = asking.strange_parts(now) if _hidden(now) else []
    while strange and (found := asking.next_strange(now)):
        place, value = found
        for event in (did.QuestionTaken(place=place), did.SubjectMissing(name=value)):
            events.append(event)
            now = now.apply(event)
    return events, asking.unknown(strange, now) if events else None


def _hidden(now: State) -> bool:
    """Whether unknown numbers wait beside questions that may end in one of their own."""
    free = (now.done or now.goal is None) and isinstance(now.slots.model, VerifiedModel)
    others = (one for one in now.queue if not asking.is_strange(one.part))
    return free and any(not isinstance(one.part, VerifiedPart) for one in others)


def take(now: State) -> list[Event]:
    """Choose the next question; those that can be answered at once come first."""
    if not now.queue or not (now.done or now.goal is None):
        return []
    waiting = list(enumerate(now.queue))
    sure = next((i for i, one in waiting if isinstance(one.part, VerifiedPart)), 0)
    place = next((i for i, one in waiting if _answerable(now, one)), sure)
    case = now.queue[place].case
    away = any(file.number == case for file in now.others)
    back = [did.CaseResumed(case=case)] if case != now.case and away else []
    return [*back, did.QuestionTaken(place=place)]


def due_below_warning(
    now: State, *, priced: bool
) -> tuple[did.QuestionTaken, Goal, Request] | None:
    """Choose the next question that is answered even below a warning: a fit or a price.

    Of a price only where it may be told: `priced`.
    """
    asked = (Goal.CHECK, Goal.PRICE) if priced else (Goal.CHECK,)
    for place, one in enumerate(now.queue if now.done or now.goal is None else ()):
        own = one.goal in asked and one.case in (0, now.case)
        if own and isinstance(one.part, VerifiedPart):
            request = request_for(one.goal, now.slots.of(one))
            if not isinstance(request, tuple):
                return did.QuestionTaken(place=place), one.goal, request
    return None


def _answerable(now: State, question: Question) -> bool:
    files = [file.slots for file in now.others if file.number == question.case]
    slots = now.slots if question.case == now.case or not files else files[0]
    return not missing(question.goal, slots.of(question))
