"""The state of a conversation, and the events that are the only way to change it."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal, NamedTuple, Self

from pydantic import Field, JsonValue

from ruleplay.agents.parts.domain.answers import Asked
from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.frozen import Frozen
from ruleplay.agents.parts.domain.slots import (
    OF_PARTS,
    DescriptionSlot,
    Goal,
    ModelSlot,
    PartSlot,
    Question,
    Slots,
    SuspectedSymptom,
    SymptomSlot,
    UnconfirmedId,
    VerifiedPart,
    missing,
)
from ruleplay.kernel.agent import Draft as FoundationDraft
from ruleplay.kernel.agent import State as FoundationState
from ruleplay.kernel.agent import Update as FoundationUpdate
from ruleplay.records.events import Event, Json

LEDGER_SHOWN = 64
"""Ledger entries kept in the state; the events have all of them."""
CASES_KEPT = 8
"""Suspended cases that a customer can come back to."""
CARDS_KEPT = 10
"""Cards that "the first two" or "it" may refer to."""
REMARKS_KEPT = 8
"""Remarks kept per case: what is denied, or was checked or tried."""

SlotName = Literal["model", "part", "symptoms", "description"]


class Revised(Event):
    """An event that meant more in edition 1, when questions did not have their own subjects.

    `early` marks events of edition 1, which are applied as they were then: filling a slot reopened
    the goal, a new case forgot cards and goal, and a tool's cards replaced all others.
    """

    version: ClassVar[int] = 2

    # Here and below, fields added later are left out while empty, so that the hashes of states and
    # events from earlier releases stay valid.
    early: bool = Field(default=False, exclude_if=operator.not_)


def mark_early(body: Json) -> Json:
    """Upgrade a stored event of edition 1."""
    return {**body, "early": True}


class ModelFilled(Revised):
    """The model slot got a value: verified, to be confirmed, or unknown but insisted on."""

    slot: ModelSlot
    corrects: str = ""


class PartFilled(Revised):
    """The part slot got a value; with `also`, the parts mentioned before it still count."""

    slot: PartSlot
    corrects: str = ""
    also: bool = False


class SymptomHeard(Revised):
    """A symptom was added to the case."""

    slot: SymptomSlot


class SymptomDenied(Event):
    """The customer withdrew a symptom."""

    value: str


class Remarked(Event):
    """The customer said what is not so, or has been checked, tried or replaced already."""

    quotes: tuple[str, ...]


class Complained(Event):
    """The customer said what is wrong in words that are no symptom, or say more of a known one."""

    quotes: tuple[str, ...]


class SymptomsSuspected(Event):
    """Symptoms that were not stated but may be meant; they count once they are confirmed."""

    slots: tuple[SuspectedSymptom, ...]


class SymptomRenamed(Event):
    """A symptom got the name that it has on this kind of appliance."""

    slot: SymptomSlot
    was: str


class PartDescribed(Revised):
    """The customer described the part without a number."""

    slot: DescriptionSlot


class SlotRetracted(Event):
    """The customer withdrew the value of a slot."""

    name: SlotName
    value: str


class CaseOpened(Revised):
    """A new case began, without symptoms and part; the model is kept if `keeps_model`.

    With `forgets`, everything that was shown and asked is forgotten too.
    """

    case: int
    keeps_model: bool
    forgets: bool = False


class CaseClosed(Event):
    """The customer dropped a machine with all that was known and asked about it."""

    case: int


class CaseResumed(Event):
    """The customer came back to a suspended case."""

    case: int


class ApplianceNamed(Event):
    """The customer named the kind of appliance."""

    appliance: str


class BrandNamed(Event):
    """The customer named the brand of the machine."""

    brand: str


class LanguageHeard(Event):
    """The customer switched to another language."""

    language: str


class GoalSet(Revised):
    """The customer's current goal."""

    goal: Goal


class GoalQueued(Event):
    """A goal for later; only written by releases without questions."""

    goal: Goal


class QuestionRaised(Event):
    """The customer asked something; with `first`, questions that were open before are dropped."""

    question: Question
    first: bool = False


class QuestionTaken(Event):
    """A queued question is next: its subjects become the slots."""

    place: int


class SubjectMissing(Event):
    """The catalog has nothing that matches what the question named, so the question is closed."""

    name: str
    model: str = ""


class QuestionAsked(Event):
    """The assistant asked something; `asked` tells how to interpret a short answer."""

    asked: Asked


class QuestionSkipped(Event):
    """The customer cannot or does not want to answer."""

    name: str


class ToolReturned(Revised):
    """A tool finished. `verdict` is a fit verdict, or `found` or `nothing_found`.

    `how` says why its part is the subject, `adds` that it is not the first of its turn, `ranks`
    that its cards form a list of their own in this order, and `lead` which of them stands out.
    """

    tool: str
    goal: Goal
    args: dict[str, JsonValue]
    verdict: str
    cards: tuple[Card, ...] = ()
    explanation: str = ""
    source: str = ""
    appliance: str = ""
    how: str = ""
    adds: bool = False
    ranks: bool = Field(default=False, exclude_if=operator.not_)
    lead: str = Field(default="", exclude_if=operator.not_)


class SafetyStopped(Event):
    """The message mentioned something dangerous; advice comes before any part.

    A danger that `stands` stays with its case until a technician has looked at the machine.
    """

    hazard: str
    quote: str
    stands: bool = Field(default=False, exclude_if=operator.not_)


class SafetyCleared(Event):
    """The customer says that a danger is over, that of another `case` if one is given."""

    hazard: str
    case: int = Field(default=0, exclude_if=operator.not_)


class Declined(Event):
    """The message asked for something outside this assistant's work."""

    reason: str


class Answered(Event):
    """A side question was answered; the conversation continues where it was.

    `about` is the part that the answer put first, so that "the other one" is not it.
    """

    topic: str
    about: str = Field(default="", exclude_if=operator.not_)


class Unclear(Event):
    """The message had no effect; `perhaps` lists what it may ask, the most likely first.

    If it only `tells` something, no answer is needed.
    """

    perhaps: tuple[str, ...]
    tells: bool = False


class Wanted(Event):
    """The customer said how many of a part they want."""

    part: str
    count: int


class OrderNamed(Event):
    """The customer mentioned an order, for whoever at the shop has access to orders."""

    number: str


class HandedOver(Event):
    """The conversation was handed over to a person, with everything that is known."""

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


class CaseFile(Frozen):
    """A suspended case; of its parts `shown` those in `focus` were mentioned last."""

    number: int
    appliance: str = ""
    brand: str = Field(default="", exclude_if=operator.not_)
    slots: Slots = Slots()
    hazard: str = Field(default="", exclude_if=operator.not_)
    shown: tuple[Card, ...] = Field(default=(), exclude_if=operator.not_)
    focus: tuple[str, ...] = Field(default=(), exclude_if=operator.not_)

    @property
    def machine(self) -> str:
        """The machine's brand and kind, as far as known."""
        return f"{self.brand} {self.appliance}".strip()


class State(FoundationState):
    """A conversation: the slots of the open case, its questions, and what was asked and shown.

    `slots` are the subjects of the current question; `how` says why its part is the subject, and
    `count` and `cheapest` are the question's. `wanted` are quantities by part number.
    `cards` are the parts shown last, in order. `focus` has the numbers of the parts mentioned last,
    which "it" may refer to; `spoken` are the parts that answers were about, in order, which "the
    first two" and "all three" refer to. `others` are suspended cases. `hazard` is the danger that
    the open case stands under. `ledger` has the newest of `entries` entries.
    """

    version: ClassVar[int] = 2

    case: int = 1
    goal: Goal | None = None
    done: bool = False
    how: str = Field(default="", exclude_if=operator.not_)
    count: int = Field(default=0, exclude_if=operator.not_)
    cheapest: bool = Field(default=False, exclude_if=operator.not_)
    queue: tuple[Question, ...] = ()
    others: tuple[CaseFile, ...] = Field(default=(), exclude_if=operator.not_)
    focus: tuple[str, ...] = Field(default=(), exclude_if=operator.not_)
    slots: Slots = Slots()
    appliance: str = ""
    brand: str = Field(default="", exclude_if=operator.not_)
    language: str = Field(default="en", exclude_if=lambda language: language == "en")
    asked: Asked | None = None
    suspected: tuple[SuspectedSymptom, ...] = ()
    skipped: tuple[str, ...] = ()
    cards: tuple[Card, ...] = ()
    spoken: tuple[Card, ...] = Field(default=(), exclude_if=operator.not_)
    wanted: dict[str, int] = Field(default_factory=dict, exclude_if=operator.not_)
    order: str = Field(default="", exclude_if=operator.not_)
    handed_over: bool = False
    hazard: str = Field(default="", exclude_if=operator.not_)
    entries: int = 0
    ledger: tuple[Entry, ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """The slots that the goal still requires."""
        return missing(self.goal, self.slots) if self.goal else ()

    @property
    def mentioned(self) -> list[Card]:
        """The parts mentioned last, as far as they are known."""
        known = {card.number: card for card in (*self.spoken, *self.cards)}
        return [known[one] for one in self.focus if one in known]

    @property
    def newest_slot(self) -> SlotName | None:
        """The slot that was filled last, which is what "forget that" means."""
        every: tuple[SlotName, ...] = ("model", "part", "symptoms", "description")
        filled = [one.name for one in reversed(self.ledger) if one.what in ("filled", "added")]
        return next((name for said in filled for name in every if name == said), None)

    def apply(self, event: Event) -> Self:
        """Compute the state after an event."""
        if isinstance(event, Revised) and event.early:
            return self._applied_early(event)
        return self._applied(event)

    def _applied_early(self, event: Revised) -> Self:
        """Apply an event of edition 1 as that edition did."""
        match event:
            case CaseOpened(case=case, keeps_model=keeps):
                return self.but(goal=None, queue=(), cards=())._opened(case, keeps_model=keeps)
            case GoalSet(goal=goal):
                queue = tuple(one for one in self.queue if one.goal != goal)
                return self.but(queue=queue)._applied(event)
            case ToolReturned(cards=cards):
                return self.but(done=True, asked=None, cards=cards)
        return self._applied(event).but(done=False, focus=())

    def _applied(self, event: Event) -> Self:
        if isinstance(event, Wanted):
            every = {**self.wanted, event.part: event.count}
            return self.but(wanted=dict([*every.items()][-CARDS_KEPT:]))
        return self._learned(event) or self._moved(event)

    def _learned(self, event: Event) -> Self | None:  # noqa: C901  # one case per event
        """Apply an event that changes a slot; `None` for other events."""
        match event:
            case ModelFilled(slot=slot, corrects=was):
                appliance = getattr(slot, "appliance", "") or self.appliance
                queue = tuple(
                    # A correction of the model also applies to questions that wait for it.
                    one.model_copy(update={"model": slot})
                    if one.model and one.model.value == was
                    else one
                    for one in self.queue
                )
                filled = self._slots(model=slot).but(appliance=appliance, asked=None, queue=queue)
                return filled._noted("filled", "model", slot)
            case PartFilled(slot=slot, also=also):
                own = (slot.value,) if isinstance(slot, VerifiedPart) else ()
                focus = tuple(dict.fromkeys((*self.focus, *own))) if also else own
                filled = self._slots(part=slot).but(asked=None, focus=focus)
                return filled._noted("filled", "part", slot)
            case SymptomHeard(slot=slot):
                heard = self._slots(symptoms=(*self.slots.symptoms, slot))
                return heard.but(suspected=())._noted("added", "symptoms", slot)
            case SymptomRenamed(slot=slot, was=was):
                renamed = tuple(slot if s.value == was else s for s in self.slots.symptoms)
                return self._slots(symptoms=renamed)._noted("renamed", "symptoms", slot)
            case SymptomDenied(value=value):
                left = tuple(slot for slot in self.slots.symptoms if slot.value != value)
                denied = self._slots(symptoms=left)
                return denied._entry(what="retracted", name="symptoms", value=value)
            case Remarked(quotes=quotes):
                said = dict.fromkeys((*self.slots.denied, *quotes))
                return self._slots(denied=tuple(said)[-REMARKS_KEPT:])
            case Complained(quotes=quotes):
                said = dict.fromkeys((*self.slots.complaints, *quotes))
                return self._slots(complaints=tuple(said)[-REMARKS_KEPT:])
            case SymptomsSuspected(slots=suspected):
                return self.but(suspected=suspected)
            case PartDescribed(slot=slot):
                described = self._slots(description=slot)
                return described._noted("filled", "description", slot)
            case SlotRetracted(name=name, value=value):
                empty = () if name == "symptoms" else None
                cleared = self._slots(**{name: empty}).but(asked=None, cards=(), focus=())
                cleared = cleared.but(done=self.done and not cleared.missing)
                return cleared._entry(what="retracted", name=name, value=value)
        return None

    def _moved(self, event: Event) -> Self:  # noqa: C901  # one case per event
        """Apply an event that changes cases, questions or what is shown."""
        match event:
            case CaseOpened(case=case, keeps_model=keeps, forgets=forgets):
                known = self._put_away()
                if forgets:
                    known = known.but(cards=(), focus=(), spoken=(), goal=None)
                    known = known.but(queue=(), appliance="")
                return known._opened(case, keeps_model=keeps)
            case CaseClosed(case=case):
                others = tuple(one for one in self.others if one.number != case)
                asked = tuple(one for one in self.queue if one.case != case)
                return self.but(others=others, queue=asked)
            case CaseResumed(case=case):
                return self._put_away()._resumed(case)
            case ApplianceNamed(appliance=appliance):
                return self.but(appliance=appliance)
            case BrandNamed(brand=brand):
                return self.but(brand=brand)
            case LanguageHeard(language=language):
                return self.but(language=language)
            case GoalSet(goal=goal):
                chosen = self.but(goal=goal, done=False, asked=None)
                return chosen._entry(what="set", name="goal", value=goal.value)
            case GoalQueued(goal=goal):
                return self.but(queue=(*self.queue, Question(goal=goal)))
            case QuestionRaised(question=question, first=first):
                kept = () if first else self.queue
                case = question.case or self.case
                waiting = (*kept, question.model_copy(update={"case": case}))
                return self.but(queue=waiting, done=self.done or first, asked=None)
            case QuestionTaken(place=place):
                return self._taken(place)
            case SubjectMissing(model=model):  # a word changes nothing of what was spoken of
                return self.but(done=True, asked=None, focus=self.focus if model else ())
            case QuestionAsked(asked=asked):
                return self.but(asked=asked)
            case QuestionSkipped(name=name):
                skipped = tuple(dict.fromkeys((*self.skipped, name)))
                return self.but(skipped=skipped, asked=None)
            case ToolReturned(goal=goal, cards=cards, adds=adds, ranks=ranks, lead=lead):
                one = [card for card in cards if card.number == lead]
                told = self._spoken(cards if goal in OF_PARTS or len(cards) == 1 else tuple(one))
                # A ranking replaces the list in sight, because customers count within it.
                told = told.but(cards=()) if ranks and not adds else told
                told = told._shown(cards, adds=adds).but(done=True, asked=None)
                return told.but(focus=(lead,)) if lead else told
            case OrderNamed(number=number):
                return self.but(order=number)
            case HandedOver():
                return self.but(handed_over=True, asked=None)
            case SafetyStopped(hazard=hazard, stands=True):
                return self.but(hazard=hazard)
            case SafetyCleared(case=case):
                return self._safe(case)
            case Answered(about=about) if about:
                return self.but(focus=(about,))
            case SafetyStopped() | Declined() | Answered() | Unclear():
                return self
        raise TypeError(f"the parts assistant has no event {type(event).__name__!r}")

    @property
    def cases(self) -> tuple[CaseFile, ...]:
        """The open case, then the suspended ones, the newest first."""
        now = CaseFile(
            number=self.case,
            appliance=self.appliance,
            brand=self.brand,
            slots=self.slots,
            hazard=self.hazard,
        )
        return now, *(one for one in reversed(self.others) if one.number != self.case)

    @property
    def machines(self) -> tuple[CaseFile, ...]:
        """The cases, each with the part in words that is asked of it now or next."""
        asked = {one.case: one.description for one in reversed(self.queue) if one.description}
        return tuple(
            file.model_copy(
                update={"slots": file.slots.model_copy(update={"description": asked[file.number]})}
            )
            if file.slots.description is None and file.number in asked
            else file
            for file in self.cases
        )

    def _safe(self, case: int) -> Self:
        if not case:
            return self.but(hazard="")
        files = {file.number: file for file in self.others}
        files[case] = files[case].model_copy(update={"hazard": ""})
        return self.but(others=tuple(files.values()))

    def _put_away(self) -> Self:
        """Suspend the open case with the parts shown for it; the oldest ones are forgotten."""
        file, *others = self.cases
        model = file.slots.model.value if file.slots.model else ""
        own = {c.number: c for c in (*self.spoken, *self.cards) if model and c.model == model}
        focus = tuple(number for number in self.focus if number in own)
        shown = tuple(own.values())[-CARDS_KEPT:]
        file = file.model_copy(update={"shown": shown, "focus": focus})
        others = [*reversed(others), file]
        return self.but(others=tuple(others[-CASES_KEPT:]))

    def _opened(self, case: int, *, keeps_model: bool) -> Self:
        slots = Slots(model=self.slots.model if keeps_model else None)
        goal = self.goal if self.done else None
        fresh = self.but(case=case, slots=slots, goal=goal, done=goal is not None, how="")
        fresh = fresh.but(asked=None, skipped=(), handed_over=False, suspected=())
        kept = {"hazard": self.hazard, "brand": self.brand} if keeps_model else {}
        fresh = fresh.but(**{"hazard": "", "brand": ""} | kept)
        return fresh._entry(what="opened", name="case", value=str(case))

    def _resumed(self, case: int) -> Self:
        file = next(one for one in self.others if one.number == case)
        others = tuple(one for one in self.others if one.number != case)
        # Who turns to another machine where parts are to choose from asks the same of its parts.
        part = self.slots.part
        chooses = isinstance(part, UnconfirmedId) and part.pointed and self.goal in OF_PARTS
        goal = self.goal if self.done or chooses else None
        back = self.but(case=case, slots=file.slots, appliance=file.appliance, others=others)
        back = back.but(goal=goal, done=goal is not None, how="", asked=None, suspected=())
        back = back.but(hazard=file.hazard, brand=file.brand)
        back = back._spoken(file.shown).but(focus=file.focus or back.focus)
        return back._entry(what="opened", name="case", value=str(case))

    def _taken(self, place: int) -> Self:
        question = self.queue[place]
        rest = (*self.queue[:place], *self.queue[place + 1 :])
        taken = self.but(
            slots=self.slots.of(question), goal=question.goal, how=question.how, queue=rest
        )
        taken = taken.but(done=False, asked=None, count=question.count, cheapest=question.cheapest)
        return taken._entry(what="set", name="goal", value=question.goal.value)

    def _shown(self, cards: tuple[Card, ...], *, adds: bool) -> Self:
        """Show cards; if the list has them all, it stays, so that "the third" keeps its meaning."""
        new = {card.number: card for card in cards}
        known = {card.number for card in self.cards}
        kept = self.cards if adds or new.keys() <= known else ()
        shown = {card.number: card for card in kept} | new
        spoken = dict.fromkeys((*(self.focus if adds else ()), *new))
        return self.but(cards=tuple(shown.values())[-CARDS_KEPT:], focus=tuple(spoken))

    def _spoken(self, cards: tuple[Card, ...]) -> Self:
        every = {card.number: card for card in (*self.spoken, *cards)}
        return self.but(spoken=tuple(every.values())[-CARDS_KEPT:])

    def but(self, **changes: object) -> Self:
        """Copy the state with some fields changed."""
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


class Line(Frozen):
    """A line of the reply as the templates word it.

    Lines at the `start` or `end` are always shown; lines `between` only if no model writes the
    reply. `found` marks facts of the catalog, `stuck` dead ends from which only a person can help.
    A line at the end is omitted if the model writes one of `unless`; one with `beside` is only for
    a model's text that has one of these, and `naming` if it has that. A line that is said `once` is
    not repeated while it is still in sight, unless it would be the only one.
    """

    id: str
    says: str
    place: Literal["start", "between", "end"] = "between"
    block: bool = False
    found: bool = False
    stuck: bool = False
    once: bool = False
    unless: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    naming: str = ""


class Own(NamedTuple):
    """The shop's own lines around a model's text.

    `unless` are lines that follow only if the text cites no row they are about, `asks` follow only
    if it asks nothing, and `instead` is what the templates would say in its place.
    """

    before: Sequence[str] = ()
    after: Sequence[str] = ()
    unless: Sequence[str] = ()
    asks: Sequence[str] = ()
    instead: Sequence[str] = ()


EVENTS: tuple[type[Event], ...] = (
    ModelFilled, PartFilled, SymptomHeard, SymptomRenamed, SymptomDenied, Remarked,
    Complained, SymptomsSuspected, PartDescribed, SlotRetracted, CaseOpened, CaseClosed,
    CaseResumed, ApplianceNamed, BrandNamed, LanguageHeard, GoalSet, GoalQueued, QuestionRaised,
    QuestionTaken,
    SubjectMissing, QuestionAsked, QuestionSkipped, ToolReturned, SafetyStopped, SafetyCleared,
    Declined, Answered, Unclear, Wanted, OrderNamed, HandedOver,
)  # fmt: skip

LEDGER_EVENTS = (
    ModelFilled, PartFilled, SymptomHeard, SymptomRenamed, SymptomDenied, PartDescribed,
    SlotRetracted, CaseOpened, CaseResumed, GoalSet, QuestionTaken,
)  # fmt: skip
"""Events that each add one entry to the ledger."""


@dataclass(kw_only=True)
class Draft(FoundationDraft[State]):
    """A turn of the parts assistant; `lines` are the reply as the templates word it.

    `picked` marks a button or a choice from a list, to which code replies without a model, `led`
    that a model read the message, and `unread` quotes what the policy recognised nothing of.
    """

    lines: Annotated[list[Line], operator.add] = field(default_factory=list)
    picked: bool = False
    led: bool = False
    unread: str = ""

    @property
    def goes_on(self) -> bool:
        """Whether a question was raised, or one that waited for a number has it.

        A model may be known or not, a part has to be.
        """
        now = self.now
        filled = any(
            isinstance(event, ModelFilled)
            or (isinstance(event, PartFilled) and isinstance(event.slot, VerifiedPart))
            for event in self.events
        )
        completed = filled and now.goal is not None and not now.done
        return completed or any(isinstance(event, QuestionRaised) for event in self.events)


class Update(FoundationUpdate, total=False):
    """The fields that a node may change."""

    lines: list[Line]
    picked: bool
    led: bool
    unread: str
