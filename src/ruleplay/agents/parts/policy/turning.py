"""Finds the machine that a message turns to: another one, or the same by its right number."""

from __future__ import annotations

from collections.abc import Iterator

from ruleplay.agents.parts.domain.references import RANKED, says_machine
from ruleplay.agents.parts.domain.slots import (
    CARD_GOALS,
    OF_PARTS,
    Evidence,
    Goal,
    Question,
    VerifiedModel,
)
from ruleplay.agents.parts.domain.tokens import read_words
from ruleplay.agents.parts.domain.understanding import Understood
from ruleplay.agents.parts.policy.pointing import description_slot, part_of, surely_called, told_of
from ruleplay.agents.parts.policy.unasked import Numbers
from ruleplay.agents.parts.state import State

_ALIKE = 2
"""Most characters in which a model's number differs from a wrong reading of it."""


def turns_to_machine(state: State, heard: Understood, numbers: Numbers) -> bool:
    """Whether a message only switches to another machine: "and for the dishwasher, then?".

    What was ruled out or is wanted cheap is part of that: "now the other one, the cheapest cause?".
    """
    model, asked = state.slots.model, {*heard.goals}
    if numbers.parts or numbers.models or heard.symptoms or _again_asked(state, heard):
        return False
    if (heard.named and not heard.tried) or not isinstance(model, VerifiedModel):
        return False
    spoken = [card.model for card in state.cards if card.number in state.focus]
    elsewhere = bool(spoken) and model.value not in spoken and bool(state.slots.symptoms)
    cheap = any(one.way in RANKED for one in heard.references)
    goals = {Goal.MODELS, Goal.CHECK, Goal.ABOUT, Goal.FIND, Goal.DIAGNOSE}
    return elsewhere and asked <= goals | ({Goal.PRICE} if cheap else set())


def _again_asked(state: State, heard: Understood) -> bool:
    """Whether the parts of the machine that a message turns to were shown, and are asked about."""
    model = state.slots.model.value if state.slots.model else ""
    shown = bool(model) and any(card.model == model for card in state.cards)
    ranks = any(one.way in RANKED for one in heard.references)
    return shown and state.goal in OF_PARTS and not (heard.goals or heard.tried or ranks)


def alike(one: str, other: str) -> bool:
    """Whether two different numbers are so alike that one may be a wrong reading of the other."""
    wrong = [a for a, b in zip(one, other, strict=False) if a != b]
    return len(one) == len(other) and 0 < len(wrong) <= _ALIKE


def fits_of_corrected(
    state: State, heard: Understood, numbers: Numbers, turn: int
) -> Iterator[Question]:
    """Check again what was told last, for a number of the model that corrects the one before.

    "Oops, it's 4712: does that change anything?"
    """
    model, before = next(iter(numbers.models), None), state.slots.model
    known = isinstance(before, VerifiedModel) and isinstance(model, VerifiedModel)
    if not (known and before and model and len(numbers.models) == 1) or numbers.parts:
        return
    corrects = heard.has("correction") and {*heard.goals} <= {Goal.CHECK, Goal.DIAGNOSE}
    asks = corrects or heard.perhaps[:1] == ("check",)
    known_symptoms = {one.value for one in state.slots.symptoms}
    if not (asks and alike(before.value, model.value)) or heard.tried:
        return
    if any(one.symptom not in known_symptoms for one in heard.symptoms):
        return
    said = Evidence(turn=turn, start=0, end=0, text="")
    told = told_of(state)
    slots = [description_slot(heard, noun, turn) for noun in heard.named]
    named = any(surely_called(card.name, slot) for card in told for slot in slots)
    for card in told if len(told) == 1 and not named else ():
        yield Question(goal=Goal.CHECK, part=part_of(card, said), model=model, how="corrected")


def spoken_of_another(state: State) -> bool:
    """Whether the parts spoken of last are of another machine of the conversation."""
    model = state.slots.model
    machines = {one.slots.model.value for one in state.others if one.slots.model}
    spoken = {card.model for card in state.cards if card.number in state.focus}
    return bool(model and spoken) and spoken <= machines - {model.value if model else ""}


def other_machine_meant(state: State, heard: Understood) -> int | None:
    """Find the case of "the other one", unless that may mean one of the parts shown."""
    machines = [file for file in state.others if isinstance(file.slots.model, VerifiedModel)]
    other = any(one.way == "other" for one in heard.references)
    if not other or heard.found or len(machines) != 1:
        return None
    if says_machine(heard.message, heard.references, heard.language):
        return machines[0].number
    if not heard.named:  # "and now the other one" asks nothing of a part
        return None
    if heard.goals == (Goal.CHECK,):  # "does the motor fit the other one"
        return machines[0].number
    shown = {word.text for card in state.cards for word in read_words(card.name)}
    named = {term for noun in heard.named for term in noun.terms}
    return None if any(word.startswith(tuple(named)) for word in shown) else machines[0].number


def of_its_machine(state: State, asked: Question) -> Question:
    """Ask of a part in the case of the machine that it was shown for."""
    if asked.model or asked.case or asked.part is None or asked.goal not in CARD_GOALS:
        return asked
    shown = {card.model for card in state.cards if card.number == asked.part.value}
    cases = {one.slots.model.value: one.number for one in state.others if one.slots.model}
    case = cases.get(shown.pop(), 0) if len(shown) == 1 else 0
    return asked.model_copy(update={"case": case}) if case else asked
