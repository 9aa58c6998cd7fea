"""What the parts assistant remembers between messages, and the events that alone change it."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from typing import Annotated, Literal, Self

from pydantic import JsonValue

from ruleplay.agents.parts.domain.answers import Asked
from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.slots import (
    DescriptionSlot,
    Frozen,
    Goal,
    ModelSlot,
    PartSlot,
    Slots,
    SuspectedSymptom,
    SymptomSlot,
    missing,
)
from ruleplay.foundation.agent import Draft as FoundationDraft
from ruleplay.foundation.agent import State as FoundationState
from ruleplay.foundation.agent import Update as FoundationUpdate
from ruleplay.foundation.claims import Fact
from ruleplay.foundation.events import Event

LEDGER_SHOWN = 64
"""Ledger entries kept in the state; all of them stand in the events."""

SlotName = Literal["model", "part", "symptoms", "description"]


class ModelFilled(Event):
    """The model slot got a value: verified, to be confirmed, or unknown and insisted on."""

    slot: ModelSlot
    corrects: str = ""


class PartFilled(Event):
    """The part slot got a value."""

    slot: PartSlot
    corrects: str = ""


class SymptomHeard(Event):
    """A symptom joined those of the case."""

    slot: SymptomSlot


class SymptomsSuspected(Event):
    """Symptoms that were not said but may be meant; the customer is asked before any counts."""

    slots: tuple[SuspectedSymptom, ...]


class SymptomRenamed(Event):
    """A symptom got the name it has on this kind of appliance."""

    slot: SymptomSlot
    was: str


class PartDescribed(Event):
    """The customer described the part without a number."""

    slot: DescriptionSlot


class SlotRetracted(Event):
    """The customer took a slot back."""

    name: SlotName
    value: str


class CaseOpened(Event):
    """Another problem: symptoms, part and goal start afresh; the model stays when `keeps_model`."""

    case: int
    keeps_model: bool


class ApplianceNamed(Event):
    """The customer said which kind of appliance it is."""

    appliance: str


class GoalSet(Event):
    """What the customer wants now."""

    goal: Goal


class GoalQueued(Event):
    """What the customer wants after that."""

    goal: Goal


class QuestionAsked(Event):
    """We asked; `asked` tells how to read a short answer."""

    asked: Asked


class QuestionSkipped(Event):
    """The customer cannot or will not answer."""

    name: str


class ToolReturned(Event):
    """A tool finished. `verdict` is one of the four fit verdicts, or `found` or `nothing_found`."""

    tool: str
    goal: Goal
    args: dict[str, JsonValue]
    verdict: str
    cards: tuple[Card, ...] = ()
    explanation: str = ""
    source: str = ""


class SafetyStopped(Event):
    """Something dangerous was said; advice comes before any part."""

    hazard: str
    quote: str


class Declined(Event):
    """The message asked for something that is not this assistant's work."""

    reason: str


class Answered(Event):
    """A side question was answered and the conversation goes on where it was."""

    topic: str


class HandedOver(Event):
    """A person takes over, with everything that is known."""

    slots: Slots
    goal: Goal | None = None


class Entry(Frozen):
    """One line of the ledger."""

    number: int
    case: int
    what: str
    name: str
    value: str
    state: str = ""
    turn: int = 0
    quote: str = ""


class State(FoundationState):
    """A conversation: the slots of the open case, the goals, what was asked, the last results.

    `ledger` holds the newest entries of `entries` in all.
    """

    case: int = 1
    goal: Goal | None = None
    done: bool = False
    queue: tuple[Goal, ...] = ()
    slots: Slots = Slots()
    appliance: str = ""
    asked: Asked | None = None
    suspected: tuple[SuspectedSymptom, ...] = ()
    skipped: tuple[str, ...] = ()
    cards: tuple[Card, ...] = ()
    handed_over: bool = False
    entries: int = 0
    ledger: tuple[Entry, ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """The slots the goal still needs."""
        return missing(self.goal, self.slots) if self.goal else ()

    def apply(self, event: Event) -> Self:  # noqa: C901  # one case an event
        """Return the state after one event."""
        match event:
            case ModelFilled(slot=slot):
                appliance = getattr(slot, "appliance", "") or self.appliance
                filled = self._slots(model=slot).but(appliance=appliance, asked=None, done=False)
                return filled._noted("filled", "model", slot)
            case PartFilled(slot=slot):
                filled = self._slots(part=slot).but(asked=None, done=False)
                return filled._noted("filled", "part", slot)
            case SymptomHeard(slot=slot):
                heard = self._slots(symptoms=(*self.slots.symptoms, slot))
                return heard.but(done=False, suspected=())._noted("added", "symptoms", slot)
            case SymptomRenamed(slot=slot, was=was):
                kept = tuple(slot if s.value == was else s for s in self.slots.symptoms)
                return self._slots(symptoms=kept)._noted("renamed", "symptoms", slot)
            case SymptomsSuspected(slots=suspected):
                return self.but(suspected=suspected)
            case PartDescribed(slot=slot):
                described = self._slots(description=slot).but(done=False)
                return described._noted("filled", "description", slot)
            case SlotRetracted(name=name, value=value):
                empty = () if name == "symptoms" else None
                cleared = self._slots(**{name: empty}).but(asked=None, cards=())
                cleared = cleared.but(done=self.done and not cleared.missing)
                return cleared._entry(what="retracted", name=name, value=value)
            case CaseOpened(case=case, keeps_model=keeps):
                slots = Slots(model=self.slots.model if keeps else None)
                fresh = self.but(case=case, slots=slots, goal=None, queue=(), done=False)
                fresh = fresh.but(asked=None, skipped=(), cards=(), handed_over=False, suspected=())
                return fresh._entry(what="opened", name="case", value=str(case))
            case ApplianceNamed(appliance=appliance):
                return self.but(appliance=appliance)
            case GoalSet(goal=goal):
                queue = tuple(g for g in self.queue if g != goal)
                chosen = self.but(goal=goal, done=False, queue=queue, asked=None)
                return chosen._entry(what="set", name="goal", value=goal.value)
            case GoalQueued(goal=goal):
                return self.but(queue=(*self.queue, goal))
            case QuestionAsked(asked=asked):
                return self.but(asked=asked)
            case QuestionSkipped(name=name):
                skipped = tuple(dict.fromkeys((*self.skipped, name)))
                return self.but(skipped=skipped, asked=None)
            case ToolReturned(cards=cards):
                return self.but(done=True, asked=None, cards=cards)
            case HandedOver():
                return self.but(handed_over=True, asked=None)
            case SafetyStopped() | Declined() | Answered():
                return self
        raise TypeError(f"the parts assistant has no event {type(event).__name__!r}")

    def but(self, **changes: object) -> Self:
        """Return this state with some fields changed."""
        return self.model_copy(update=changes)

    def _slots(self, **changes: object) -> Self:
        return self.but(slots=self.slots.model_copy(update=changes))

    def _noted(
        self, what: str, name: str, slot: ModelSlot | PartSlot | SymptomSlot | DescriptionSlot
    ) -> Self:
        said = slot.evidence
        return self._entry(
            what=what,
            name=name,
            value=slot.value,
            state=slot.state,
            turn=said.turn,
            quote=said.text,
        )

    def _entry(self, **fields: object) -> Self:
        number = self.entries + 1
        entry = Entry.model_validate({"number": number, "case": self.case, **fields})
        return self.but(entries=number, ledger=(*self.ledger, entry)[-LEDGER_SHOWN:])


EVENTS: tuple[type[Event], ...] = (
    ModelFilled,
    PartFilled,
    SymptomHeard,
    SymptomRenamed,
    SymptomsSuspected,
    PartDescribed,
    SlotRetracted,
    CaseOpened,
    ApplianceNamed,
    GoalSet,
    GoalQueued,
    QuestionAsked,
    QuestionSkipped,
    ToolReturned,
    SafetyStopped,
    Declined,
    Answered,
    HandedOver,
)

LEDGER_EVENTS = (
    ModelFilled,
    PartFilled,
    SymptomHeard,
    SymptomRenamed,
    PartDescribed,
    SlotRetracted,
    CaseOpened,
    GoalSet,
)
"""Events that each leave one line in the ledger."""


@dataclass(kw_only=True)
class Draft(FoundationDraft[State]):
    """A turn of the parts assistant: `facts` are what the reply has to say."""

    facts: Annotated[list[Fact], operator.add] = field(default_factory=list)


class Update(FoundationUpdate, total=False):
    """What a node may change."""

    facts: list[Fact]
