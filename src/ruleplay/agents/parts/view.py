"""The part of a conversation's state that a customer's screen shows."""

from __future__ import annotations

from pydantic import BaseModel

from ruleplay.agents.parts.domain.slots import MENU, Goal
from ruleplay.agents.parts.domain.voice import voice
from ruleplay.agents.parts.state import State
from ruleplay.records.events import Json


def view(state: State) -> Json:
    """Build the JSON: slots with evidence, missing slots, ledger, part cards, quick replies."""
    slots = state.slots
    return {
        "goal": state.goal.value if state.goal else None,
        "case": state.case,
        "appliance": state.appliance,
        "slots": {
            "model": _json(slots.model),
            "part": _json(slots.part),
            "symptoms": [slot.model_dump(mode="json") for slot in slots.symptoms],
            "description": _json(slots.description),
        },
        "missing": list(state.missing),
        "queue": [question.goal.value for question in state.queue],
        "cases": [
            {"case": file.number, "appliance": file.appliance, "model": _json(file.slots.model)}
            for file in state.others
        ],
        "language": state.language,
        "ledger": [entry.model_dump(mode="json") for entry in state.ledger],
        "entries": state.entries,
        "cards": [card.model_dump(mode="json") for card in state.cards],
        "quick_replies": list(quick_replies(state)),
        "handed_over": state.handed_over,
    }


def quick_replies(state: State) -> tuple[str, ...]:
    """List the replies that a customer can click instead of typing."""
    if state.hazard:
        over = voice(state.language).say("danger_over")
        return (over, *_offered(state))
    return _offered(state)


def _offered(state: State) -> tuple[str, ...]:
    """List answers to the open question or, if all is answered, the other goals."""
    asked, words = state.asked, voice(state.language)
    person = (words.say("to_person"),) if asked and asked.person else ()
    if asked and asked.options:
        return asked.options
    if asked and asked.kind == "model":
        return (words.say("unknown_number"), *person)
    if asked and asked.kind == "confirm":
        sure = (words.say("use_it"),) if state.goal is Goal.CHECK else ()
        return (*sure, *person)
    if state.done and not asked:
        return tuple(words.named("menu", goal) for goal in MENU if goal is not state.goal)
    return ()


def _json(slot: BaseModel | None) -> Json | None:
    return slot.model_dump(mode="json") if slot else None
