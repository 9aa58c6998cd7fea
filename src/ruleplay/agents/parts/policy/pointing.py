"""Which of the parts shown words mean that only point: "the second", "the cheaper of those two"."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.catalog import Verdict
from ruleplay.agents.parts.domain.ids import ModelFound, Option
from ruleplay.agents.parts.domain.references import Reference, difficulty, minutes
from ruleplay.agents.parts.domain.slots import (
    OF_PARTS,
    DescriptionSlot,
    Evidence,
    PartSlot,
    UnconfirmedId,
    VerifiedModel,
    VerifiedPart,
)
from ruleplay.agents.parts.domain.understanding import Understood
from ruleplay.agents.parts.state import State

OFFERED = 5
"""Parts that are offered to choose from."""
TIED = 3
"""Parts that share a rank and are all told of; of more, the customer is asked."""


class Subject(NamedTuple):
    """One subject: a part, or a part only described."""

    part: PartSlot | None = None
    description: DescriptionSlot | None = None
    how: str = ""


def of_machine(state: State, heard: Understood) -> State:
    """Leave out the parts for another machine where the message says which it is about."""
    if not isinstance(state.slots.model, VerifiedModel):
        return state
    if heard.appliance is None and not any(isinstance(one, ModelFound) for one in heard.found):
        return state
    own = ("", state.slots.model.value)
    cards = tuple(card for card in state.cards if card.model in own)
    spoken = tuple(card for card in state.spoken if card.model in own)
    return state.but(cards=cards, spoken=spoken) if cards or spoken else state


def cards_meant(state: State, reference: Reference, count: int = 0) -> list[Card]:
    """Return the cards a reference may mean; several: it is not clear which, or they tie."""
    cards, spoken = list(state.cards), list(state.spoken)
    focus = [card for card in cards if card.number in state.focus]
    among = _of_these(state, count) if count else focus if len(focus) > 1 else cards
    several = cards if len(cards) > max(count, 1) else spoken
    match reference.way:
        case "they":
            return among[:OFFERED] if len(among) > 1 else []
        case "first":
            return several[:count] if len(several) >= count else []
        case "last":
            return several[-count:] if len(several) >= count else []
        case "other":
            return [card for card in cards if card.number not in state.focus]
        case "place":
            listed = cards if len(cards) > 1 or not spoken else spoken
            lists = dict.fromkeys(card.model for card in listed) if listed is cards else ("",)
            each = [[c for c in listed if c.model == one or len(lists) < 2] for one in lists]
            return [card for own in each for card in own[reference.place : reference.place + 1]]
        case "priced":
            told = {card.number: card for card in (*cards, *spoken)}
            return [card for card in told.values() if card.costs(reference.amount)]
        case "fitting" | "misfit":
            fit = Verdict.LISTED if reference.way == "fitting" else Verdict.NOT_LISTED
            told = {card.number: card for card in (*spoken, *cards)}
            return [card for card in told.values() if card.fit == fit][-TIED:]
        case "cheapest" | "dearest" | "easiest" | "quickest":
            return _ranked(among if len(among) > 1 else spoken, reference)
    return []


def told_of(state: State) -> list[Card]:
    """Return the parts that the last answer was about one by one, where they are few."""
    if state.goal not in OF_PARTS or not state.done:
        return []
    focus = [card for card in state.cards if card.number in state.focus]
    return focus if len(focus) == len(state.focus) <= OFFERED else []


def _of_these(state: State, count: int) -> list[Card]:
    """Return the parts that "those two" are: those of the last answer, else the last spoken of."""
    focus = [card for card in state.cards if card.number in state.focus]
    for group in (focus, list(state.cards)):
        if len(group) == count:
            return group
    return list(state.spoken[-count:]) if len(state.spoken) >= count else []


def _ranked(among: list[Card], reference: Reference) -> list[Card]:
    measured: list[tuple[Decimal, Card]] = []
    for card in among:
        value = {
            "easiest": difficulty(card.difficulty),
            "quickest": minutes(card.time),
        }.get(reference.way, card.price)
        if value is not None:
            measured.append((Decimal(value), card))
    best = max if reference.way == "dearest" else min
    top = best((value for value, _ in measured), default=None)
    return [card for value, card in measured if value == top]


def picked(cards: Sequence[Card], said: Evidence) -> Subject:
    """Take the one card that is meant, or make the several a question."""
    if len(cards) == 1:
        return Subject(part=part_of(cards[0], said), how="shown")
    options = tuple(map(option_of, cards[:OFFERED]))
    slot = UnconfirmedId(value=said.text, evidence=said, options=options, pointed=True)
    return Subject(part=slot, how="shown")


def part_of(card: Card, said: Evidence) -> VerifiedPart:
    """Return a shown part as a slot, with the words that mean it."""
    return VerifiedPart(
        value=card.number, row=card.row, evidence=said, name=card.name, asked=card.number
    )


def option_of(card: Card) -> Option:
    """Return a shown part as one to choose."""
    return Option(kind="part", number=card.number, row=card.row, via="number", name=card.name)
