"""The rules of the dialogue: turn what a message says into events that change the conversation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from ruleplay.agents.parts import state as did
from ruleplay.agents.parts.domain.appliances import canonical_appliances, is_inside, related
from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.descriptions import parts_denied
from ruleplay.agents.parts.domain.diagnosis import fold
from ruleplay.agents.parts.domain.ids import (
    ModelFound,
    Option,
    PartFound,
    order_number,
    spelled_out,
)
from ruleplay.agents.parts.domain.intents import Intent, IntentKind
from ruleplay.agents.parts.domain.labels import digits_said, ending_said, letters_said
from ruleplay.agents.parts.domain.negation import denies, says_it_works
from ruleplay.agents.parts.domain.numbers import normal
from ruleplay.agents.parts.domain.reader import VERY_SURE, readings
from ruleplay.agents.parts.domain.references import (
    says_machine,
    sums_said,
)
from ruleplay.agents.parts.domain.slots import (
    Evidence,
    Goal,
    ModelSlot,
    PartSlot,
    Slots,
    SuspectedSymptom,
    SymptomSlot,
    UnconfirmedId,
    UnknownId,
    VerifiedModel,
    VerifiedPart,
)
from ruleplay.agents.parts.domain.symptoms import LACKS, symptom_for
from ruleplay.agents.parts.domain.tokens import read_words
from ruleplay.agents.parts.domain.understanding import FORGET, Understood
from ruleplay.agents.parts.domain.voice import voice
from ruleplay.agents.parts.policy.clauses import Clause, grieves, lacks_model
from ruleplay.agents.parts.policy.dangers import hazards, in_the_air, only_fears
from ruleplay.agents.parts.policy.filling import (
    slots_of,
    strange_numbers,
    verified_model,
    verified_part,
)
from ruleplay.agents.parts.policy.focus import put_first
from ruleplay.agents.parts.policy.listening import in_words, taken_back, without_withdrawn
from ruleplay.agents.parts.policy.meanings import likeliest, menu, not_carried
from ruleplay.agents.parts.policy.nouns import of_part_in_sight, without_resumed
from ruleplay.agents.parts.policy.pointing import (
    evidence,
    is_called,
    name_words,
    named_kind,
    only_points,
    option_meant,
    says_another,
    with_prices,
    without_new,
)
from ruleplay.agents.parts.policy.subjects import (
    described,
    questions,
)
from ruleplay.agents.parts.policy.turning import other_machine_meant, spoken_of_another
from ruleplay.agents.parts.policy.unasked import (
    Numbers,
    asks_cheaper,
    cheaper_too,
    completes,
    contrasted,
    one_left,
    ranked,
)
from ruleplay.agents.parts.state import SlotName, State
from ruleplay.records.events import Event

_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}")

Rule = Callable[[State, Understood, int], Iterator[Event]]

ASIDES: dict[IntentKind, str] = {
    "unknown_model_number": "where_is_the_number", "order_status": "order_status",
    "repeat": "repeat", "thanks": "thanks", "greeting": "greeting", "bye": "bye",
    "complaint": "complaint", "later": "later",
}  # fmt: skip
"""Intents that a text answers, and the name of that text."""
_ASKED = tuple(ASIDES)[:2]
_TOLD = 5
"""Most words of a complaint that rules found, as opposed to a whole clause that was classified."""
OTHER_MACHINE = "appliance:"
"""Prefix of the reason for declining a message about an appliance the catalog does not cover."""


def resolve_each(state: State, each: Sequence[Understood], turn: int) -> list[Event]:
    """Resolve a message about several machines; each is a case with its own questions."""
    each = [without_withdrawn(state, heard) for heard in each]
    if len(each) == 1:
        return resolve(state, each[0], turn)
    events: list[Event] = []
    for place, heard in enumerate(each):
        own: list[Event] = []
        apart = heard.wishes is None and not _other_kind(state, heard)
        if place and apart:  # two machines of one kind are two cases
            own = [did.CaseOpened(case=_next_case(state), keeps_model=False)]
        after = state.apply(own[0]) if own else state
        own += resolve(after, heard, turn)
        for event in own:
            waiting = place > 0 and isinstance(event, did.QuestionRaised)
            kept = event.model_copy(update={"first": False}) if waiting else event
            events.append(kept)
            state = state.apply(kept)
    return events


def _other_kind(state: State, heard: Understood) -> bool:
    kind = _kind_said(heard) or _kind_of_new_model(heard)
    return bool(kind and state.appliance and not related(kind, _kind(state.appliance)))


def resolve(state: State, heard: Understood, turn: int) -> list[Event]:
    """Resolve a message; each rule sees the state as changed by the rules before it."""
    events: list[Event] = []
    heard = without_resumed(state, without_new(with_prices(state, contrasted(state, heard))))
    heard = of_part_in_sight(state, heard)
    if _other_machine(state, heard) and not heard.has("hazard"):
        reason = f"{OTHER_MACHINE}{heard.strange[0].appliance}"
        return [*languages(state, heard, turn), did.Declined(reason=reason)]
    for rule in RULES:
        for event in rule(state, heard, turn):
            events.append(event)
            state = state.apply(event)
    if all(isinstance(event, did.LanguageHeard) for event in events) and not heard.intents:
        perhaps = heard.perhaps if heard.wishes is None else ()
        likely = [*likeliest(state, heard, perhaps, turn)] or [*not_carried(state, heard)]
        events += likely or [did.Unclear(perhaps=perhaps, tells=heard.tells)]
    return events


def languages(state: State, heard: Understood, turn: int) -> Iterator[Event]:
    """Switch to the language of the message."""
    if heard.language != state.language:
        yield did.LanguageHeard(language=heard.language)


def retractions(state: State, heard: Understood, turn: int) -> Iterator[Event]:
    """Empty slots that are taken back; "start over" opens a new case and keeps nothing."""
    yield from _dropped(state, heard)
    fewer = one_left(state, heard)  # only a quantity is taken back
    for intent in () if fewer else heard.intents:
        if intent.kind != "retract" or _drops_a_part(heard, intent):
            continue
        if intent.value == "all":
            yield did.CaseOpened(case=_next_case(state), keeps_model=False, forgets=True)
            return
        names: dict[str, SlotName] = {"model": "model", "part": "part", "symptoms": "symptoms"}
        name = names.get(intent.value) or state.newest_slot
        if name == "model" != intent.value and heard.named:
            continue  # "scratch that, it's the lever": it is another part of the same machine
        if name and (value := _slot_words(state, name)):
            event = did.SlotRetracted(name=name, value=value)
            yield event
            state = state.apply(event)


def _dropped(state: State, heard: Understood) -> Iterator[Event]:
    """Take back what a model read as withdrawn: symptoms, numbers, or another case's machine."""
    for quote in heard.withdrawn:
        for slot in state.slots.symptoms:
            if fold(slot.value) == fold(quote):
                yield did.SymptomDenied(value=slot.value)
        for name in _NUMBERED:
            if _has_number(state.slots, name, quote):
                yield did.SlotRetracted(name=name, value=_slot_words(state, name))
        kinds = canonical_appliances(quote)
        if any(related(kind, _kind(state.appliance)) for kind in kinds if state.appliance):
            yield did.CaseOpened(case=_next_case(state), keeps_model=False, forgets=True)
            if state.slots.model is None:  # one whose model is known may be come back to
                yield did.CaseClosed(case=state.case)
        for file in state.others:
            meant = any(related(kind, _kind(file.appliance)) for kind in kinds if file.appliance)
            if meant or _has_number(file.slots, "model", quote):
                yield did.CaseClosed(case=file.number)


_NUMBERED: tuple[SlotName, ...] = ("model", "part")


def _has_number(slots: Slots, name: SlotName, number: str) -> bool:
    slot = getattr(slots, name)
    return slot is not None and normal(slot.value) == normal(number)


def _drops_a_part(heard: Understood, intent: Intent) -> bool:
    """Whether one of the parts shown is dropped rather than a slot: "forget the hose"."""
    after = (heard.message[intent.end : noun.start] for noun in heard.named)
    return intent.value == "last" and any(0 < len(words.split()) < 2 for words in after)


def new_cases(state: State, heard: Understood, turn: int) -> Iterator[Event]:
    """Open or resume a case for another problem or another appliance, and name its machine."""
    for event in _case_meant(state, heard):
        yield event
        state = state.apply(event)
    kind = _kind_said(heard) or state.appliance
    inside = is_inside(kind, state.appliance) and not heard.has("correction")
    if kind != state.appliance and not inside:
        yield did.ApplianceNamed(appliance=kind)
    if heard.brand and heard.brand != state.brand:
        yield did.BrandNamed(brand=heard.brand)


def _kind_said(heard: Understood) -> str:
    """Return the kind of machine named; one that the catalog lacks counts if it is dangerous."""
    dangerous = [*heard.strange[:1]] if heard.has("hazard") else []
    return next((one.appliance for one in (heard.appliance, *dangerous) if one), "")


def _case_meant(state: State, heard: Understood) -> Iterator[Event]:
    kind = _kind_said(heard) or _kind_of_new_model(heard)
    other = _other_kind(state, heard) or (bool(kind) and in_the_air(state))
    # "Forget the fridge, mum's dishwasher leaks" takes nothing back of the fridge.
    complains = heard.symptoms and isinstance(state.slots.model, VerifiedModel)
    correcting = heard.has("correction") and not complains
    told = state.slots.symptoms or state.slots.part or state.slots.description
    started = bool(told or state.hazard)
    started = started or any(one.case == state.case and not one.model for one in state.queue)
    if heard.machine:
        other = other and (state.slots.model is None or state.slots.model.value != heard.machine)
    other = other and not (_asked(state, "model") and not state.slots.model and not heard.appliance)
    known = _case_with(state, heard)
    if known is None and says_machine(heard.message, heard.references, heard.language):
        if spoken_of_another(state):
            return  # the other one is the machine of this case
        known = other_machine_meant(state, heard)
    if known is not None:
        yield did.CaseResumed(case=known)
    elif (
        heard.has("new_problem")
        or _second_machine(state, heard)
        or (other and not correcting and (started or state.slots.model))
    ):
        earlier = _earlier(state, kind) if other and not heard.has("new_problem") else None
        if earlier is None:
            alone = other or _second_machine(state, heard)
            yield did.CaseOpened(case=_next_case(state), keeps_model=not alone)
        else:
            yield did.CaseResumed(case=earlier)
    elif (away := other_machine_meant(state, heard)) is not None:
        yield did.CaseResumed(case=away)


def _case_with(state: State, heard: Understood) -> int | None:
    """Find the suspended case with the number mentioned, or with the symptoms stated."""
    told = {one.symptom for one in heard.symptoms}
    again = told and not heard.appliance and not told & {one.value for one in state.slots.symptoms}
    for file in state.others:
        if heard.machine and _has_number(file.slots, "model", heard.machine):
            return file.number
        if again and told <= {one.value for one in file.slots.symptoms}:
            return file.number
    return None


def _second_machine(state: State, heard: Understood) -> bool:
    """Whether a model read another machine, not a correction of this one's number."""
    model = state.slots.model
    if heard.wishes is None:
        return _unnumbered_machine(state, heard)
    if not heard.machine or model is None or model.value == heard.machine:
        return False
    answers = state.asked is not None and state.asked.kind in ("choice", "confirm", "model")
    # "The WDT is my sister's, mine is the FGHD" takes nothing back.
    words = (word.text for word in read_words(heard.message))
    both = any(len(one) > 2 and fold(model.value).startswith(one) for one in words)
    return not (answers or (heard.has("correction") and not both))


def _unnumbered_machine(state: State, heard: Understood) -> bool:
    """Whether one more machine is told of, whose number is not known: "a second one, no label"."""
    model = state.slots.model
    unnumbered = not heard.found and lacks_model(heard)
    if not (unnumbered and isinstance(model, VerifiedModel)):
        return False
    brand = heard.brand and heard.brand not in (state.brand, model.brand)
    return bool(brand) or says_another(heard.message, heard.language)


def _next_case(state: State) -> int:
    return max((state.case, *(file.number for file in state.others))) + 1


def _earlier(state: State, kind: str) -> int | None:
    """Find the newest suspended case about such an appliance."""
    for file in reversed(state.others):
        if file.appliance and related(kind, _kind(file.appliance)):
            return file.number
    return None


def answers(state: State, heard: Understood, turn: int) -> Iterator[Event]:
    """Settle an open question by a short answer: an option, yes, none of these, or insisting."""
    pending, picked = _pending(state), heard.wishes is not None and heard.has("choice")
    if pending is None or (not picked and _numbered_anew(state, heard, *pending)):
        return
    name, slot = pending
    told = spelled_out(heard.message, slot.value, slot.options)
    chosen = heard.first("choice")
    if read := ending_said(heard.message, slot.readings):
        yield _read_now(name, slot, read, heard, turn)
    elif taken := _option_taken(state, heard, slot, turn):
        yield _settled(taken[0], slot, taken[1])
    elif not slot.readings and (
        (heard.has("insist") and not heard.found)
        or heard.message.strip() == voice(state.language).say("use_it")
        or (heard.has("yes") and not slot.options)
        or _asked_before(state, heard, slot)
    ):
        yield _filled(name, UnknownId(value=slot.value, evidence=slot.evidence))
    elif slot.pointed and (heard.has("none_of_these", "no") or chosen):
        if not heard.named:
            yield did.SlotRetracted(name=name, value=slot.value)
    elif heard.has("none_of_these", "no") or chosen:
        yield _filled(name, slot.model_copy(update={"options": (), "pointed": False}))
    elif (option := option_meant(state, heard, slot) or told) is not None:
        whole = Evidence(turn=turn, start=0, end=len(heard.message), text=heard.message)
        yield _settled(option, slot, whole)


def _numbered_anew(state: State, heard: Understood, name: SlotName, slot: UnconfirmedId) -> bool:
    """Whether a message names a number of its own, rather than confirming a part for a model."""
    numbers = [one for one in heard.found if isinstance(one, ModelFound | PartFound)]
    part = any(isinstance(one, PartFound) for one in numbers)
    confirms = heard.has("yes") and len(slot.options) == 1 and name == "part" and not part
    confirms = confirms or (not part and _goes_on(state, heard, slot))
    return bool(numbers) and not (confirms or _digits_meant(heard, slot))


def _digits_meant(heard: Understood, slot: UnconfirmedId) -> Option | None:
    """Find the option whose number has the digits that a message says instead: "78, sorry"."""
    rest = heard.message
    for one in heard.found:
        if isinstance(one, ModelFound | PartFound):
            rest = rest[: one.start] + " " * (one.end - one.start) + rest[one.end :]
    numbers = {one.known_as or one.number: one for one in slot.options}
    every, language = [*numbers], heard.language
    said = digits_said(rest, slot.value, every) or letters_said(rest, every, language)
    return numbers.get(said)


def _option_taken(
    state: State, heard: Understood, slot: UnconfirmedId, turn: int
) -> tuple[Option, Evidence] | None:
    """Find the option that is picked, confirmed or implied, and the words that do so."""
    chosen, yes = heard.first("choice"), heard.first("yes")
    if option := _digits_meant(heard, slot):
        whole = Evidence(turn=turn, start=0, end=len(heard.message), text=heard.message)
        return option, whole
    if chosen and chosen.option is not None and chosen.option < len(slot.options):
        return slot.options[chosen.option], evidence(chosen, turn)
    if yes and len(slot.options) == 1:
        return slot.options[0], evidence(yes, turn)
    if heard.appliance:  # "sorry, I meant the dishwasher"
        kind = heard.appliance.appliance
        own = [one for one in slot.options if related(_kind(one.appliance), kind)]
        if len(own) == len(slot.options) == 1 and own[0].likeness == 1.0:
            whole = Evidence(turn=turn, start=0, end=len(heard.message), text=heard.message)
            return own[0], whole
    return (slot.options[0], slot.evidence) if _goes_on(state, heard, slot) else None


def _read_now(
    name: SlotName, slot: UnconfirmedId, read: str, heard: Understood, turn: int
) -> did.ModelFilled | did.PartFilled:
    """Take the reading of a label that the customer decides on."""
    said = Evidence(turn=turn, start=0, end=len(heard.message), text=heard.message)
    known = [one for one in slot.options if normal(one.number) == normal(read)]
    bare = UnconfirmedId(value=read, evidence=said)
    return _settled(known[0], slot, said) if known else _filled(name, bare)


def _goes_on(state: State, heard: Understood, slot: UnconfirmedId) -> bool:
    """Whether the customer confirms a number just by going on: "a gasket for it, pls"."""
    exact = len(slot.options) == 1 and slot.options[0].likeness == 1.0 and not slot.pointed
    goes = bool(heard.named) or any(isinstance(one, ModelFound) for one in heard.found)
    return exact and _asked(state, "choice") and goes and not heard.has("no", "choice")


def _asked_before(state: State, heard: Understood, slot: UnconfirmedId) -> bool:
    """Whether a doubted number was already questioned, and the customer adds nothing to it."""
    silent = not (heard.intents or heard.named or heard.symptoms or heard.appliance)
    return not slot.options and _asked(state, "confirm") and state.goal is Goal.CHECK and silent


def subjects(state: State, heard: Understood, turn: int) -> Iterator[Event]:
    """Fill the slot of every number, then raise every question."""
    spoken = slots_of(state, heard, turn)
    if strange := _strange_model(state, heard, spoken):
        spoken = spoken._replace(models=(strange,))
    if _asks_what_it_replaces(state, heard, spoken):
        spoken = spoken._replace(parts=())
    meant = _asked(state, "meant") and heard.has("choice")
    idle = meant or _not_for_us(heard) or only_fears(state, heard)
    raised = () if idle else questions(state, heard, spoken, turn)
    waits = completes(state) and bool(spoken.models) and not {*heard.goals} - {Goal.DIAGNOSE}
    for place, model in enumerate(spoken.models):
        current = state.slots.model
        if place and isinstance(current, VerifiedModel) and isinstance(model, VerifiedModel):
            opened = did.CaseOpened(case=_next_case(state), keeps_model=False)
            yield opened
            state = state.apply(opened)
            current = None
        if current is None or (current.value, current.state) != (model.value, model.state):
            filled = did.ModelFilled(slot=model, corrects=current.value if current else "")
            yield filled
            state = state.apply(filled)
            part = state.slots.part
            if current and isinstance(part, UnconfirmedId) and part.pointed:
                # What might have been meant on another model is looked for on this one.
                yield did.SlotRetracted(name="part", value=part.value)
    for place, part in enumerate(spoken.parts):
        now = state.slots.part
        if now is None or _told(now) != _told(part) or place:
            yield did.PartFilled(slot=part, corrects=now.value if now else "", also=place > 0)
    for place, question in enumerate(raised):
        yield did.QuestionRaised(question=question, first=place == 0 and not waits)


def _asks_what_it_replaces(state: State, heard: Understood, spoken: Numbers) -> bool:
    """Whether an unknown number is only asked about as one that "that" may replace."""
    it = any(one.way == "it" for one in heard.references) and len(state.focus) == 1
    sure = any(isinstance(part, VerifiedPart) for part in spoken.parts)
    return heard.goals == (Goal.REPLACED,) and it and not sure


def _strange_model(state: State, heard: Understood, spoken: Numbers) -> UnconfirmedId | None:
    """Doubt a model of another kind of appliance than the message says, or than was asked for."""
    model = spoken.models[0] if len(spoken.models) == 1 else None
    asked = _asked(state, "model") and not state.slots.model and not heard.appliance
    if not isinstance(model, VerifiedModel):
        return None
    said, kind = heard.appliance, _kind(model.appliance)
    part = said and any(one.start < said.end and said.start < one.end for one in heard.named)
    contradicts = said and kind and not (part or related(said.appliance, kind))
    if not contradicts and not (asked and _other_kind(state, heard)):
        return None
    option = next(one.model for one in heard.found if isinstance(one, ModelFound))
    return UnconfirmedId(value=model.value, evidence=model.evidence, options=(option,))


def _told(slot: PartSlot) -> tuple[str, ...]:
    """Identify a part together with the number by which it was named."""
    return slot.value, slot.state, getattr(slot, "asked", "")


def _other_machine(state: State, heard: Understood) -> bool:
    """Whether a message is only about an appliance that the catalog does not cover."""
    ours = heard.appliance or heard.found or heard.has("person", "correction", "retract")
    return bool(heard.strange and not ours)


def _not_for_us(heard: Understood) -> bool:
    if heard.wishes is not None and heard.has("out_of_scope"):
        return True
    return heard.has("person") or (
        heard.has("injection", "out_of_scope") and not _about_parts(heard)
    )


def denials(state: State, heard: Understood, turn: int) -> Iterator[Event]:
    """Withdraw symptoms that the message denies: "not water, I mean frost", "it does make ice"."""
    last = _spoken_last(state)
    if heard.wishes is not None:
        its = any(only_points(quote, heard.language) for quote in heard.denied)
        quotes = (*heard.denied, *(last if its else ()))
        yield from (did.Remarked(quotes=quotes) for _ in quotes[:1])
        return
    tried = tuple(one.text for one in heard.tried)
    tried += last if heard.spared and heard.symptoms else ()
    if (
        heard.symptoms
        and (heard.has("complaint") or "tried" in heard.perhaps)
        and any(isinstance(f, PartFound) for f in heard.found)
    ):
        # "Put in your gasket PS1, STILL leaks".
        fitted = [one.part.name for one in heard.found if isinstance(one, PartFound)]
        known = tuple(" ".join(name_words(name)) for name in fitted if name)
        tried += known or tuple(one.text for one in heard.named)
    # "No drain pump?" is no statement; nor is a lack a part ruled out where nothing is wrong.
    states = "?" not in heard.message and bool(heard.symptoms or state.slots.symptoms)
    denied = parts_denied(heard.message, heard.language) if states else ()
    # "I hear no fan" rules no fan out.
    told = [
        one.text for one in (*heard.symptoms, *heard.suspected) if len(one.text.split()) > _TOLD
    ]
    told.append(heard.unread)
    # Nor does "the light doesn't light": it is what is complained of.
    named = [one.symptom for one in heard.symptoms]
    denied = tuple(
        one
        for one in denied
        if not any(one in text for text in told) and not any(is_called(it, (one,)) for it in named)
    )
    if ruled_out := tried + denied:
        yield did.Remarked(quotes=tuple(dict.fromkeys(ruled_out)))
    back = taken_back(state, heard)
    said = {found.symptom for found in heard.symptoms}
    for slot in state.slots.symptoms:
        if slot.value in back or (slot.value not in said and _is_denied(slot, heard.message)):
            yield did.SymptomDenied(value=slot.value)


def _spoken_last(state: State) -> tuple[str, ...]:
    """Name the part that "it" means: the one searched for, or the only one mentioned last."""
    if state.slots.description:
        return (state.slots.description.value,)
    cards = [one for one in _in_sight(state) if [*state.focus] == [one.number]]
    return tuple(named_kind(one) for one in cards[:1])


def _in_sight(state: State) -> tuple[Card, ...]:
    return (*state.spoken, *state.cards)


def _is_denied(slot: SymptomSlot, message: str) -> bool:
    works = LACKS.search(slot.value) and says_it_works(message, slot.evidence.text)
    return bool(works) or denies(message, slot.evidence.text)


def symptoms(state: State, heard: Understood, turn: int) -> Iterator[Event]:
    """Add each new symptom to the case; suspected ones count once they are confirmed."""
    known = {slot.value for slot in state.slots.symptoms}
    if words := in_words(state, heard):
        yield did.Complained(quotes=words)
    for found in heard.symptoms:
        if found.symptom not in known:
            yield did.SymptomHeard(
                slot=SymptomSlot(value=found.symptom, evidence=evidence(found, turn))
            )
    meant = _suspected_meant(state, heard) if _asked(state, "symptoms") else ()
    for slot in meant:
        yield did.SymptomHeard(slot=SymptomSlot(value=slot.value, evidence=slot.evidence))
    if state.suspected and not meant and heard.has("choice", "none_of_these", "no"):
        yield did.SymptomsSuspected(slots=())
    sought = completes(state) or state.slots.description  # a model for it was given in passing
    if heard.suspected and not (heard.symptoms or known or meant or sought):
        yield did.SymptomsSuspected(
            slots=tuple(
                SuspectedSymptom(value=found.symptom, evidence=evidence(found, turn))
                for found in heard.suspected[:5]
            )
        )


def _suspected_meant(state: State, heard: Understood) -> Sequence[SuspectedSymptom]:
    """Find which of the symptoms asked about are picked, confirmed or mentioned again."""
    told, chosen = {one.symptom for one in heard.suspected}, heard.first("choice")
    again = [slot for slot in state.suspected if slot.value in told]
    if len(again) == 1:
        return again
    if chosen and chosen.option is not None:
        return state.suspected[chosen.option : chosen.option + 1]
    return state.suspected if heard.has("yes") and len(state.suspected) == 1 else ()


def renamings(state: State, heard: Understood, turn: int) -> Iterator[Event]:
    """Once the appliance is known, give symptoms the names that they have on it.

    What a model has just chosen from those names stays.
    """
    for slot in state.slots.symptoms:
        if heard.wishes is not None and slot.evidence.turn == turn:
            continue
        name = symptom_for(slot.value, state.appliance)
        if name and name != slot.value and name not in {s.value for s in state.slots.symptoms}:
            yield did.SymptomRenamed(slot=slot.model_copy(update={"value": name}), was=slot.value)


def descriptions(state: State, heard: Understood, turn: int) -> Iterator[Event]:
    """Take a part described without a number, if it was asked for or is reported broken first."""
    found = heard.description
    if found is None or any(isinstance(f, PartFound) for f in heard.found):
        return
    if heard.has("order_status") and not heard.goals:
        return
    sought = state.goal is Goal.FIND or (state.goal is Goal.PRICE and completes(state))
    wanted = _asked(state, "description") or (sought and not state.done)
    if wanted and state.slots.description and completes(state) and not heard.named:
        return  # this answers the question for the model; other words describe no new part
    first = state.goal is None and found.broken and not heard.symptoms
    if (wanted and not heard.goals) or first:
        whole = Clause(Goal.FIND, 0, len(heard.message) + 1)
        slot = described(heard, whole, turn)
        if slot and state.slots.description != slot:
            yield did.PartDescribed(slot=slot)


def asides(state: State, heard: Understood, turn: int) -> Iterator[Event]:
    """Answer side questions; the open question stays open."""
    orders = heard.has("order_status") or "order_status" in _topics(state, heard)
    if orders and (number := _ordered(heard)):
        yield did.OrderNamed(number=number)
    if heard.has("person"):
        yield did.HandedOver(slots=state.slots, goal=state.goal)
        if heard.wishes is None and (heard.has("complaint") or grieves(heard)):
            yield did.Answered(topic="complaint")
        for topic in _topics(state, heard):
            if heard.wishes is not None or topic in ("returns", "change_order"):
                yield did.Answered(topic=topic)
    elif (refused := _refused(heard)) is not None:
        yield refused
    else:
        yield from _side_questions(state, heard)


def _refused(heard: Understood) -> Event | None:
    """Decline a message that is not about parts; chat is answered and led back to them."""
    if heard.wishes is not None and heard.has("out_of_scope"):
        return did.Declined(reason="out_of_scope")
    strange = heard.first("injection", "out_of_scope")
    if strange is None or _about_parts(heard):
        return None
    if [one.value for one in heard.intents if one.kind in ("injection", "out_of_scope")] == [
        "chat"
    ]:
        return did.Answered(topic="chat")
    return did.Declined(reason=strange.kind)


def _side_questions(state: State, heard: Understood) -> Iterator[Event]:
    """Answer the topics of a message, and note which questions the customer skips."""
    topics = _topics(state, heard)
    away = "away" in topics and state.slots.model is None
    if away or (heard.has("skip") and state.asked and not heard.found):
        kind = "model" if away or not state.asked else state.asked.kind
        yield did.QuestionSkipped(name=kind)
    if heard.has("complaint") or ("returns" in topics and grieves(heard)):
        yield did.Answered(topic="complaint")
    meant = heard.meant if any(one.number == heard.meant for one in _in_sight(state)) else ""
    for topic in topics or (["anything_else"] if meant and not heard.wishes else []):
        yield did.Answered(topic=topic, about=meant or put_first(state, heard, topic))
    cheaper = any(one.way == "cheapest" for one in heard.references)
    if cheaper and state.focus and not (ranked(state, heard) or heard.intents):
        yield did.Answered(topic="dear")  # about the only part
    elif asks_cheaper(state, heard) or (
        heard.wishes is None
        and cheaper_too(heard)
        and not any(one.how == "compared" for one in state.queue)
    ):
        yield did.Answered(topic="by_price")
    if "@" in heard.message and _ADDRESS.search(heard.message):
        yield did.Answered(topic="no_address")
    yield from _small_questions(state, heard)


def _small_questions(state: State, heard: Understood) -> Iterator[Event]:
    """Answer questions about orders and labels; small talk only if there is nothing else."""
    # Who has told the number does not ask where it is: "I don't know where from".
    numbered = heard.found or any(strange_numbers(state, heard))
    where = heard.first("unknown_model_number")
    known = isinstance(state.slots.model, VerifiedModel)
    numbered = numbered or (known and where is not None and where.text != heard.message)
    kinds = [one for one in ASIDES if one != "unknown_model_number" or not numbered]
    asked = [one.kind for one in heard.intents if one.kind in kinds and one.kind in _ASKED]
    aside = heard.first(*(asked or kinds))
    vague = aside is None and not (heard.goals or heard.has("topic", "skip"))
    if state.hazard and not _about_parts(heard) and (vague or (aside and aside.kind == "later")):
        yield did.Answered(topic="danger_stands")
        return
    polite = aside is not None and aside.kind in ("thanks", "greeting", "bye", "repeat", "later")
    if aside is None or (polite and (_about_parts(heard) or heard.named)):
        return
    if aside.kind == "later" and heard.has("topic"):
        return  # "ok random, but do you have phones?"
    if "unknown_model_number" in asked:
        yield did.QuestionSkipped(name="model")
    for kind in dict.fromkeys(asked or [aside.kind]):
        if kind != "complaint":
            yield did.Answered(topic=ASIDES[kind])


def _topics(state: State, heard: Understood) -> Iterable[str]:
    """List the side questions that a text answers, each once."""
    # "How can I tell which part it is" is answered by looking for the part.
    searched = any(one.goal is Goal.FIND and one.description for one in state.queue)
    priced = [one.start for one in heard.references if one.way == "priced"]
    asked = [
        # "50 bucks for that, really?"
        "dear"
        if one.value == "untold"
        and any(one.start <= p < one.end for p in priced)
        and readings(one.text, ())[0].sure < VERY_SURE
        else one.value
        for one in heard.intents
        if one.kind == "topic" and not (one.value == "how_tell" and searched)
    ]
    if any(one.goal is Goal.CHECK for one in state.queue):
        asked = [one for one in asked if one != "sure"]  # the fit is told
    if state.slots.model:
        asked = [one for one in asked if one != "away"]  # "can't read it without my glasses"
    if _about_parts(heard) or heard.named:  # "sorry my English"; nothing is dear without a price
        known = state.cards or state.spoken or sums_said(heard.message)
        beside = ("language", "help") if known else ("language", "help", "dear")
        asked = [one for one in asked if one not in beside]
    if heard.symptoms and not (state.focus or heard.named):
        asked = [one for one in asked if one != "tools"]  # "it leaks, what do I need?"
    if heard.spared and heard.symptoms:  # what is left of the list answers it
        asked = [one for one in asked if one not in ("sure", "tried")]
    if _ordered(heard):
        asked = ["order_status" if one == "payment" else one for one in asked]
    if "change_order" in asked:
        asked = [one for one in asked if one not in ("returns", "payment", "order_status")]
    if "returns" in asked:
        asked = [one for one in asked if one != "payment"]  # "say I buy it: can I return it?"
    return dict.fromkeys(["forgotten", *asked] if _forgets(heard) else asked)


def _ordered(heard: Understood) -> str:
    """Find the number of an order; a number of the catalog is none: "I'll put in the PS1"."""
    number = order_number(heard.message)
    known = [one.text for one in heard.found if isinstance(one, PartFound | ModelFound)]
    return "" if any(number in text for text in known) else number


def _forgets(heard: Understood) -> bool:
    """Whether a message drops everything and asks nothing else."""
    everything = any((one.kind, one.value) == FORGET for one in heard.intents)
    return everything and not (_about_parts(heard) or heard.named or heard.appliance)


# The order matters: cases open before slots fill and dangers are heard of their machine, and
# symptoms are renamed once their appliance is known.
RULES: tuple[Rule, ...] = (
    languages, retractions, new_cases, hazards, answers, subjects, denials, symptoms, renamings,
    descriptions, menu, asides,
)  # fmt: skip


def _asked(state: State, kind: str) -> bool:
    return state.asked is not None and state.asked.kind == kind


def _about_parts(heard: Understood) -> bool:
    return bool(heard.goals or heard.found or heard.symptoms)


def _pending(state: State) -> tuple[SlotName, UnconfirmedId] | None:
    """Find the number that awaits the customer's answer, the model first."""
    if isinstance(state.slots.model, UnconfirmedId):
        return "model", state.slots.model
    if isinstance(state.slots.part, UnconfirmedId):
        return "part", state.slots.part
    return None


def _settled(
    option: Option, slot: UnconfirmedId, said: Evidence
) -> did.ModelFilled | did.PartFilled:
    """Fill the slot with the option on which the customer settled."""
    if option.kind == "model":
        return did.ModelFilled(slot=verified_model(option, said), corrects=slot.value)
    # A typo is nobody's number, so the part is confirmed by the number that it really has.
    near = option.likeness < 1 or slot.pointed
    asked = option.known_as or (option.number if near else slot.value)
    return did.PartFilled(slot=verified_part(option, asked, said), corrects=slot.value)


def _filled(
    name: SlotName, slot: ModelSlot | PartSlot, corrects: str = ""
) -> did.ModelFilled | did.PartFilled:
    if name == "model" and not isinstance(slot, VerifiedPart):
        return did.ModelFilled(slot=slot, corrects=corrects)
    if name == "part" and not isinstance(slot, VerifiedModel):
        return did.PartFilled(slot=slot, corrects=corrects)
    raise TypeError(f"a {type(slot).__name__} does not fit the slot {name!r}")


def _kind_of_new_model(heard: Understood) -> str:
    appliances = (f.model.appliance for f in heard.found if isinstance(f, ModelFound))
    return _kind(next(appliances, ""))


def _kind(appliance: str) -> str:
    return next(iter(canonical_appliances(appliance)), appliance)


def _slot_words(state: State, name: SlotName) -> str:
    if name == "symptoms":
        return ", ".join(slot.value for slot in state.slots.symptoms)
    slot = getattr(state.slots, name)
    return slot.value if slot else ""
