"""Decides what to ask the customer: the menu, a choice of numbers, or missing slots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from ruleplay.agents.parts import state as did
from ruleplay.agents.parts.domain.answers import Asked
from ruleplay.agents.parts.domain.slots import (
    Goal,
    ModelSlot,
    PartSlot,
    Question,
    Slots,
    UnconfirmedId,
    VerifiedModel,
)
from ruleplay.agents.parts.domain.unread import unknown_thing
from ruleplay.agents.parts.domain.voice import Voice, voice
from ruleplay.agents.parts.policy import replies, weighing
from ruleplay.agents.parts.policy.pointing import OFFERED
from ruleplay.agents.parts.state import Draft, Line, State

FILMED = 3
"""Most parts spoken of whose videos a model's text may speak of."""
_WEIGHED = (Goal.PRICE, Goal.EFFORT, Goal.INSTALL)
"""Goals that are answered briefly for each of several parts if it is unclear which is meant."""


def goal_asked(words: Voice) -> Asked:
    """Ask with the menu."""
    return Asked(kind="goal", options=replies.menu(words))


def number_asked(
    name: str, slot: UnconfirmedId, goal: Goal, now: State
) -> tuple[Asked, list[Line]]:
    """Word the question about an uncertain number, and record how to read the answer."""
    words, model = voice(now.language), now.slots.model
    if not slot.options:
        known = model if name == "part" and isinstance(model, VerifiedModel) else None
        both = (slot, *strange_parts(now)) if name == "part" else (slot,)
        also = model if name == "part" and is_strange(model) else None
        again = replies.ask_again(name, both, words, known, also=also)
        return Asked(kind="confirm"), [again]
    labels = [replies.label(option, words) for option in slot.options]
    asked = Asked(kind="choice", options=(*labels, words.say("none_of_these")))
    numbers = {option.number for option in slot.options}
    # More than can be offered may be meant: then all spoken of are weighed.
    meant = numbers if len(numbers) < OFFERED else {*now.focus} | numbers
    shown = [card for card in now.cards if card.number in meant]
    if (
        slot.pointed
        and not slot.value
        and goal in _WEIGHED
        and numbers <= {c.number for c in shown}
    ):
        return asked, weighing.weighed(goal, shown, words)
    return asked, replies.ask_choice(name, slot, words)


def open_question(now: State) -> tuple[Asked, list[Line]]:
    """Word what the goal still requires as a question, and record how to read the answer."""
    words = voice(now.language)
    if now.goal is None:
        return goal_asked(words), replies.ask_goal(words)
    # Settling an uncertain number comes before asking for anything else.
    for name in now.missing:
        if isinstance(slot := getattr(now.slots, name, None), UnconfirmedId):
            asked, lines = number_asked(name, slot, now.goal, now)
            waits = now.slots.description if name == "model" else None
            told = [replies.waits_for_model(waits.value, words)] if waits else []
            return asked, [*told, *lines]
    question = replies.ask_info(now.goal, now.missing, now)
    if "symptoms" in now.missing and now.suspected:
        labels = [words.label(slot.value) for slot in now.suspected]
        options = (*labels, words.say("none_of_these"))
        return Asked(kind="symptoms", options=options), question
    return Asked(kind=now.missing[0]), question


def still_unknown(state: Draft) -> list[Line]:
    """Ask for something else of a part whose number was not found before either."""
    part, goals = state.now.slots.part, (state.before.goal, state.now.goal)
    known = not (isinstance(part, UnconfirmedId) and part.strange)
    if known or part != state.before.slots.part or goals[0] in (None, goals[1]):
        return []
    words = voice(state.now.language)
    line = words.say("still_unknown", value=part.value if part else "")
    return [replies.said("ask:part", line, stuck=True)]


def of_nothing_known(state: Draft) -> str:
    """Find what a first message complains of that names no machine and nothing known of one."""
    now, slots = state.now, state.now.slots
    known = now.appliance or now.brand or now.suspected or slots != Slots() or now.hazard
    if now.goal is not Goal.DIAGNOSE or known or state.before.goal or state.led:
        return ""
    return unknown_thing(state.given.message, now.language)


def is_strange(slot: PartSlot | ModelSlot | None) -> TypeGuard[UnconfirmedId]:
    """Whether a number is one that the catalog knows nothing of."""
    return isinstance(slot, UnconfirmedId) and slot.strange


def repeated(state: Draft, question: Sequence[Line]) -> list[Line]:
    """Say again that a model is unknown where that holds up a new question."""
    raised = any(isinstance(one, did.QuestionRaised) for one in state.events)
    return [
        one.model_copy(update={"once": False}) if raised and one.id == "ask:model" else one
        for one in question
    ]


def strange_parts(now: State) -> list[UnconfirmedId]:
    """List the parts of queued questions that the catalog knows nothing of, each once."""
    own = now.slots.part.value if now.slots.part and not now.done else ""
    found = [one.part for one in now.queue if is_strange(one.part)]
    return [*{one.value: one for one in found if one.value != own}.values()]


def next_strange(now: State) -> tuple[int, str] | None:
    """Find the first queued question about an unknown part: its place and the part's number."""
    waiting = ((place, one.part) for place, one in enumerate(now.queue))
    return next(((place, part.value) for place, part in waiting if is_strange(part)), None)


def unknown(parts: Sequence[UnconfirmedId], now: State) -> Line:
    """Say that parts are not in the catalog, where another question follows."""
    model, words = now.slots.model, voice(now.language)
    known = model if isinstance(model, VerifiedModel) else None
    line = replies.ask_again("part", parts, words, known, also=model if is_strange(model) else None)
    return line.model_copy(update={"id": f"missing:{parts[0].value}", "place": "between"})


def unknown_beside(state: Draft) -> Line | None:
    """Say that a part of this message is not in the catalog, if the open question needs none."""
    filled = [one.slot for one in state.events if isinstance(one, did.PartFilled)]
    parts = [one for one in filled if is_strange(one)]
    return unknown(parts, state.now) if parts and "part" not in state.now.missing else None


def waiting(now: State, asked: Asked) -> list[Question]:
    """List the queued questions, except those that depend on the parts being asked about."""
    part, unknown = now.slots.part, asked.kind == "confirm"
    parts = {one.value for one in (part, *(strange_parts(now) if unknown else ())) if one}
    return [
        one
        for one in now.queue
        if not (isinstance(one.part, UnconfirmedId) and one.part.value in parts)
        and not (
            one.case == now.case
            and one.goal == now.goal
            and one.part is None
            and (unknown or part is None)
        )
    ]


def held_up(state: Draft) -> list[Question]:
    """Return the question that still waits for an unknown model, so that it is mentioned again."""
    slots, goal = state.now.slots, state.now.goal
    waits = isinstance(state.before.slots.model, UnconfirmedId)
    known = not is_strange(slots.part)
    if goal is None or not (waits and known and isinstance(slots.model, UnconfirmedId)):
        return []
    return [Question(goal=goal, part=slots.part, description=slots.description)]


def still_open(state: Draft) -> list[Line]:
    """Repeat the question that an aside interrupted, if one is open."""
    now = state.now
    if not now.asked or now.done or not (now.missing or now.goal is None):
        return []
    listed = now.asked.options or now.asked.kind == "part"
    if now.goal and listed:  # an earlier reply has the question, and nothing was said to it
        return []
    return open_question(now)[1]


def first_checks(state: Draft) -> list[Line]:
    """Say what to look at before buying, once a symptom is told."""
    told = [one.slot.evidence for one in state.events if isinstance(one, did.SymptomHeard)]
    new = any(slot.evidence in told for slot in state.now.slots.symptoms)
    diagnoses = new and state.now.goal is Goal.DIAGNOSE
    return replies.free_checks(state.now, voice(state.now.language)) if diagnoses else []


def _films_too(now: State, lines: Sequence[Line]) -> list[Line]:
    """Link to the videos of the parts spoken of, for a model's text that speaks of one."""
    linked, words = {one.id for one in lines}, voice(now.language)
    films = [line for card in now.mentioned[:FILMED] for line in replies.video(card, words)]
    return [
        one.model_copy(update={"beside": (word, word.casefold())})
        for one in films
        if one.id not in linked and (word := one.says.split()[0])
    ]


def not_in_sight(
    lines: Sequence[Line], returned: Sequence[did.ToolReturned], told: Sequence[str]
) -> list[Line]:
    """Leave out beside a model's text the videos that earlier replies, `told`, have.

    A video that nobody asked for stands only beside a text that speaks of it, and of several each
    beside one that has its part's number.
    """
    several = sum(line.id.startswith("video:") for line in lines) > 1
    work = any(one.goal in (Goal.EFFORT, Goal.INSTALL) for one in returned)
    kept: list[Line] = []
    for line in lines:
        if line.id.startswith("video:") and line.place == "end":
            url = line.says.split()[-1]
            if any(url in text for text in (told[-1:] if work else told)):
                continue
            word = line.says.split()[0]
            own = line.beside or (() if work else (word, word.casefold()))
            naming = line.id.partition(":")[2] if several and own else ""
            line = line.model_copy(update={"beside": own, "naming": naming})
        kept.append(line)
    return kept


def where_told(state: Draft, lines: Sequence[Line]) -> list[Line]:
    """Leave where the model number is to the model that replies, unless that was asked.

    Videos that its text may speak of are added.
    """
    topics = {event.topic for event in state.events if isinstance(event, did.Answered)}
    asked = "where_is_the_number" in topics
    lines = [*lines, *_films_too(state.now, lines)]
    return [one for one in lines if asked or one.id != "where:model"]
