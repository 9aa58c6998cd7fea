"""Checks a turn against the promise that answers are about what was asked.

It looks only at the message and the events, and is independent of how subjects are found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ruleplay.agents.parts.domain.catalog import Verdict
from ruleplay.agents.parts.domain.numbers import normal
from ruleplay.agents.parts.domain.slots import Goal, Question
from ruleplay.agents.parts.state import (
    Declined,
    HandedOver,
    PartFilled,
    QuestionTaken,
    SafetyStopped,
    State,
    ToolReturned,
)
from ruleplay.records.events import Event

# Numbers of this form are certainly meant as part numbers.
_NUMBER = re.compile(r"\bps ?\d{5,12}\b", re.IGNORECASE)
_SETTLED = (Declined, HandedOver, SafetyStopped)


def strange_subjects(before: State, message: str, events: Sequence[Event]) -> Iterator[str]:
    """Yield answers about a part that neither the message nor what preceded it justifies."""
    for event in events:
        part = str(event.args.get("part", "")) if isinstance(event, ToolReturned) else ""
        if part and not any(ground(before, message, events, part) for ground in _GROUNDS):
            yield f"an answer about {part}, which the message neither names nor points at"


def unspoken_numbers(message: str, events: Sequence[Event], reply: str) -> Iterator[str]:
    """Yield part numbers of the message that the turn ignores."""
    if any(isinstance(event, _SETTLED) for event in events):
        return
    told = normal(reply + "".join(event.model_dump_json() for event in events))
    for number in _NUMBER.findall(message):
        if normal(number) not in told:
            yield f"nothing is said about {number}"


def _named(before: State, message: str, events: Sequence[Event], part: str) -> bool:
    """Whether the message has the part's number."""
    slots = [event.slot for event in events if isinstance(event, PartFilled)]
    said = normal(message)
    return any(
        slot.value == part and slot.evidence.text and normal(slot.evidence.text) in said
        for slot in slots
    )


def _shown(before: State, message: str, events: Sequence[Event], part: str) -> bool:
    """Whether words of the message pick the part among those shown, or among all of the model."""
    known = {card.number for card in (*before.cards, *before.spoken)}
    return any(
        slot.value == part and slot.evidence.text and slot.evidence.text in message
        for question in _taken(before, events)
        if (slot := question.part) and (part in known or question.how == "listed")
    )


def _antecedent(before: State, message: str, events: Sequence[Event], part: str) -> bool:
    """Whether it is the only part mentioned last, and the message has no part number.

    Of several whose fit was just told, that is the only one listed for the model.
    """
    fits = {card.number: card.fit for card in before.cards if card.number in before.focus}
    told = before.goal is Goal.CHECK and {*fits.values()} == {Verdict.LISTED, Verdict.NOT_LISTED}
    listed = [number for number, fit in fits.items() if fit == Verdict.LISTED]
    alone = before.focus == (part,) or (told and listed == [part])
    return alone and not _NUMBER.search(message)


def _pending(before: State, message: str, events: Sequence[Event], part: str) -> bool:
    """Whether the open question is about it, and this message completes that question."""
    options = " ".join(before.asked.options) if before.asked else ""
    waiting = [slot.value for slot in (before.slots.part,) if slot and not before.done]
    waiting += [question.part.value for question in before.queue if question.part]
    described = [before.slots.description, *(question.description for question in before.queue)]
    filled = [event.slot for event in events if isinstance(event, PartFilled)]
    found = any(
        slot.value == part and one and slot.evidence == one.evidence
        for slot in filled
        for one in described
    )
    return part in options or part in waiting or found


_GROUNDS = (_named, _shown, _antecedent, _pending)


def _taken(before: State, events: Sequence[Event]) -> list[Question]:
    found, state = [], before
    for event in events:
        if isinstance(event, QuestionTaken):
            found.append(state.queue[event.place])
        state = state.apply(event)
    return found
