"""What a model reads in a message: typed quotes, which code checks.

The model reads every free-form message first, and its goals, the parts it picks from the list it
was given, symptoms and denials are accepted as they are. Code looks up each number and checks each
quote. Of what the rules found, only numbers, answers and real dangers are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from pydantic import Field

from ruleplay.agents.parts.domain.appliances import (
    ApplianceFound,
    brand_said,
    canonical_appliances,
    related,
)
from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.diagnosis import fold
from ruleplay.agents.parts.domain.frozen import Frozen
from ruleplay.agents.parts.domain.ids import Choice, Found, ModelFound, PartFound
from ruleplay.agents.parts.domain.intents import Intent, IntentKind
from ruleplay.agents.parts.domain.labels import put_together
from ruleplay.agents.parts.domain.numbers import normal
from ruleplay.agents.parts.domain.references import excluded
from ruleplay.agents.parts.domain.stopwords import COMMON
from ruleplay.agents.parts.domain.symptoms import SymptomFound
from ruleplay.agents.parts.domain.tokens import read_words
from ruleplay.agents.parts.domain.understanding import Understood
from ruleplay.agents.parts.domain.voice import LANGUAGES
from ruleplay.agents.parts.domain.wishes import Wish
from ruleplay.agents.parts.state import State
from ruleplay.telling.number_words import ONE
from ruleplay.telling.numbers import read

Hazard = Literal[
    "gas", "sparks", "smoke", "fire", "shock", "burning_smell", "hot_cord",
    "water_near_electricity", "carbon_monoxide", "bypass_safety",
]  # fmt: skip
Topic = Literal[
    "person", "order_status", "unknown_model_number", "thanks", "greeting", "bye", "repeat",
    "out_of_scope", "shipping", "returns", "warranty", "discount", "payment", "change_order",
    "worth", "checks", "tools", "chat", "currency",
]  # fmt: skip
_TEXTS: tuple[Topic, ...] = (
    "shipping", "returns", "warranty", "discount", "payment", "change_order", "worth", "checks",
    "tools", "chat", "currency",
)  # fmt: skip
"""Topics that one of the shop's texts answers."""
_KEPT: tuple[IntentKind, ...] = (
    "choice", "yes", "no", "none_of_these", "insist", "skip", "correction", "injection",
    "cleared",
)  # fmt: skip
"""Intents by rules that are kept: they answer a question or take a number back, which depends on
what was asked."""
_ANSWERS: tuple[IntentKind, ...] = ("choice", "yes", "no", "none_of_these")
"""Intents by rules in place of which a model's pick from the open question counts."""
_MILD = ("rewire", "bypass_safety")
"""Dangers by rules that do not count if the model sees no danger."""


class Complaint(Frozen):
    """What is wrong in the customer's words, the catalog's symptom if one fits, and whose it is."""

    quote: str = Field(min_length=2, max_length=400)
    symptom: str = Field(default="", max_length=200)
    machine: str = Field(default="", max_length=40)


class Danger(Frozen):
    """Something dangerous, in the customer's words."""

    quote: str = Field(min_length=2, max_length=400)
    kind: Hazard


class Told(Frozen):
    """What is told of a machine, by its number or kind: its brand, and what its label may read."""

    machine: str = Field(default="", max_length=40)
    brand: str = Field(default="", max_length=40)
    readings: tuple[str, ...] = Field(default=(), max_length=5)


class Picked(Frozen):
    """The choice of the open question that a message takes, from 1, and the words that take it."""

    choice: int = Field(ge=1, le=20)
    quote: str = Field(min_length=1, max_length=200)


class Hearing(Frozen):
    """What a model heard in a message; empty when the policy listens alone.

    `about` counts the part in the given list that a message without a wish for it is about.
    """

    picked: Picked | None = None
    wishes: tuple[Wish, ...] = Field(default=(), max_length=8)
    symptoms: tuple[Complaint, ...] = Field(default=(), max_length=8)
    denied: tuple[str, ...] = Field(default=(), max_length=8)
    withdrawn: tuple[str, ...] = Field(default=(), max_length=8)
    hazard: Danger | None = None
    harmless: tuple[str, ...] = Field(default=(), max_length=4)
    over: str = Field(default="", max_length=400)
    machines: tuple[Told, ...] = Field(default=(), max_length=4)
    topics: tuple[Topic, ...] = Field(default=(), max_length=4)
    about: int | None = None
    language: str = Field(default="", max_length=20)

    @property
    def empty(self) -> bool:
        """Whether nothing was heard: a language that nobody speaks ("json") tells of no reading."""
        spoken = {"language": self.language if self.language in LANGUAGES else ""}
        return self.model_copy(update=spoken) == Hearing()


def quote_problems(
    hearing: Hearing,
    message: str,
    known: Iterable[str],
    listed: Sequence[Card] = (),
    machines: Sequence[Machine] = (),
    offered: Sequence[str] = (),
) -> list[str]:
    """List claims that the message, the catalog and the given lists do not support.

    `offered` are the choices of the open question.
    """
    hearing = taken(hearing, message, offered)
    folded = {fold(symptom) for symptom in known}
    quotes = [complaint.quote for complaint in hearing.symptoms]
    quotes += [
        quote
        for wish in hearing.wishes
        for quote in _by_place(message, wish, listed, machines).quotes()
    ]
    quotes += [*hearing.denied, *([hearing.hazard.quote] if hearing.hazard else [])]
    quotes += [*hearing.harmless, *filter(None, [hearing.over])]
    quotes += [one.brand for one in hearing.machines if one.brand]
    quotes += [hearing.picked.quote] if hearing.picked else []
    problems = [f"the message does not say {q!r}" for q in quotes if place(message, q) is None]
    read = (number for one in hearing.machines for number in one.readings)
    problems += [f"the message has no {n!r}" for n in read if not put_together(message, n)]
    for complaint in hearing.symptoms:
        if complaint.symptom and fold(complaint.symptom) not in folded:
            problems.append(f"{complaint.symptom!r} is no known symptom")
    for shown in (*(wish.shown for wish in hearing.wishes), hearing.about):
        if shown is not None and not 1 <= shown <= len(listed):
            problems.append(f"there is no part {shown} in the list")
    if hearing.picked and hearing.picked.choice > len(offered):
        problems.append(f"the open question has no choice {hearing.picked.choice}")
    return problems


def taken(hearing: Hearing, message: str, offered: Sequence[str]) -> Hearing:
    """Read a whole number that is offered, and of which the message has a piece, as the choice.

    "0563010 at the end" takes 10640563010 where that is a choice; a number that the message has in
    full stays as it is.
    """
    numbers = [next(iter(option.split()), "") for option in offered]
    numbers = [
        one if any(map(str.isdigit, one)) and not place(message, one) else "" for one in numbers
    ]

    def choice(quote: str) -> int:
        told = [at for at, one in enumerate(numbers, 1) if one and normal(one) == normal(quote)]
        return next(iter(told), 0)

    picked, wishes = hearing.picked, []
    for wish in hearing.wishes:
        put = [name for name in ("part", "model") if choice(getattr(wish, name))]
        picked = picked or _piece(message, numbers, [choice(getattr(wish, n)) for n in put])
        wishes.append(wish.model_copy(update=dict.fromkeys(put, "")) if picked else wish)
    machines = []
    for told in hearing.machines:
        read = [one for one in told.readings if choice(one)]
        picked = picked or _piece(message, numbers, [choice(one) for one in read])
        left = tuple(one for one in told.readings if not (picked and one in read))
        machines.append(told.model_copy(update={"readings": left}))
    # What a choice corrects is not taken back besides: the question would be gone.
    back = tuple(q for q in hearing.withdrawn if not (picked and any(map(str.isdigit, q))))
    return hearing.model_copy(
        update={
            "picked": picked,
            "wishes": tuple(wishes),
            "machines": tuple(machines),
            "withdrawn": back,
        }
    )


def _piece(message: str, numbers: Sequence[str], choices: Sequence[int]) -> Picked | None:
    """Quote the piece of the only number chosen that the message has."""
    if len({*choices}) != 1:
        return None
    whole = normal(numbers[choices[0] - 1])
    pieces = (word for word in re.findall(r"[^\W_]+", message) if any(map(str.isdigit, word)))
    said = next((one for one in pieces if len(one) > 1 and normal(one) in whole), "")
    return Picked(choice=choices[0], quote=said) if said else None


def _by_place(
    message: str, wish: Wish, listed: Sequence[Card], machines: Sequence[Machine]
) -> Wish:
    """Convert a number that is only in a list to its place: a model may pick a part by number."""
    spoken = not wish.model or place(message, wish.model) is not None
    if not spoken and any(one.number and _same(one.number, wish.model) for one in machines):
        wish = wish.model_copy(update={"model": "", "machine": wish.model[:40]})
    if not wish.part or place(message, wish.part) is not None:
        return wish
    at = next((at for at, one in enumerate(listed, 1) if _same(one.number, wish.part)), None)
    return wish if at is None else wish.model_copy(update={"part": "", "shown": at})


def place(message: str, quote: str) -> tuple[int, int] | None:
    """Find where a message has the letters of a quote, ignoring anything between them.

    The quote's first word may differ, as models normalise contractions: "le premier" for "revenons
    au premier".
    """
    for said in (quote, quote.partition(" ")[2]):
        letters = [re.escape(char) for char in said.casefold() if char.isalnum()]
        pattern = r"[\W_]*".join(letters) if letters else re.escape(quote)
        if found := re.search(pattern, message, re.IGNORECASE):
            return found.span()
    return None


class Machine(NamedTuple):
    """A machine that is mentioned: its number, as in the message or the case, and its kind."""

    number: str = ""
    kind: str = ""

    def is_of(self, other: Machine) -> bool:
        """Whether both may be the same machine: by number if both have one, else by kind."""
        if self.number and other.number:
            return self.number == other.number
        return not (self.kind and other.kind) or related(self.kind, other.kind)


def machines_of(state: State) -> list[Machine]:
    """List the machines of the conversation that have a model number."""
    models = [(one.slots.model, one.appliance) for one in state.cases]
    return [Machine(model.value, kind) for model, kind in models if model]


def heard_by_model(
    heard: Understood,
    hearing: Hearing,
    listed: Sequence[Card],
    kinds: Sequence[str],
    known: Sequence[Machine] = (),
    brands: Sequence[str] = (),
    offered: Sequence[str] = (),
) -> list[Understood]:
    """Split a legal hearing by machine, in order; there is one result if it names one or none.

    The model picked from `listed` and `offered`, the choices of the open question; `kinds` and
    `brands` are those of the catalog, and `known` are the machines of the conversation.
    """
    hearing = taken(hearing, heard.message, offered)
    heard = _read_as_numbers(_picked_out(heard, hearing, offered), hearing)
    hearing = hearing.model_copy(
        update={
            "wishes": tuple(
                _counted(
                    heard, _exact(heard.message, _by_place(heard.message, wish, listed, known))
                )
                for wish in hearing.wishes
            )
        }
    )
    machines = [*_numbered(heard), *known]
    wishes = [(_named(one.machine, one.model, machines), one) for one in hearing.wishes]
    told = [(_whose(heard, one, machines), one) for one in hearing.symptoms]
    groups: list[Machine] = []
    named = [one for one, _ in (*wishes, *told) if one != Machine()]
    # Numbered machines first, so that a bare kind joins the machine with a number.
    for machine in sorted(named, key=lambda one: not one.number):
        if not any(machine.is_of(group) for group in groups):
            groups.append(machine)
    groups.sort(key=lambda group: min(at for at, one in enumerate(named) if one.is_of(group)))
    whole = _led(heard, hearing, listed)
    labels = [(_named(one.machine, "", machines), one) for one in hearing.machines]
    if len(groups) < 2:
        one = _about(whole, groups[0], kinds) if groups else whole
        return [_labelled(one, [label for _, label in labels], brands)]
    each: list[Understood] = []
    for at in range(len(groups)):
        asked = [wish for machine, wish in wishes if _place_of(machine, groups) == at]
        complained = [one for machine, one in told if _place_of(machine, groups) == at]
        own = [label for machine, label in labels if _place_of(machine, groups) == at]
        one = _of_machine(whole, asked, complained, groups, at, kinds)
        each.append(_labelled(one.model_copy(update={"brand": ""}), own, brands))
    return each


def _picked_out(heard: Understood, hearing: Hearing, offered: Sequence[str]) -> Understood:
    """Add the choice that a model heard; a piece of the number taken is no number of its own."""
    if hearing.picked is None:
        return heard
    picked = offered[hearing.picked.choice - 1]
    start, end = place(heard.message, hearing.picked.quote) or (0, len(heard.message))
    chosen = Intent(
        kind="choice",
        value=picked,
        option=hearing.picked.choice - 1,
        start=start,
        end=end,
        text=heard.message[start:end],
    )
    intents = [one for one in heard.intents if one.kind not in _ANSWERS]
    found = [one for one in heard.found if not _is_piece(one.text, picked)]
    return heard.model_copy(update={"intents": (chosen, *intents), "found": tuple(found)})


def _read_as_numbers(heard: Understood, hearing: Hearing) -> Understood:
    """Take letters or few digits that the catalog has once for the number that a model reads."""
    read = {
        "part": [normal(wish.part) for wish in hearing.wishes],
        "model": [normal(wish.model) for wish in hearing.wishes],
    }
    kind = next((one.appliance for one in (heard.appliance, *heard.strange) if one), "")

    def sure(one: Found) -> Found:
        if not (isinstance(one, Choice) and one.reason == "confirm" and len(one.options) == 1):
            return one
        (option,) = one.options
        kinds = canonical_appliances(option.appliance)
        fits = not kind or any(related(kind, its) for its in kinds)
        if not fits or one.text.casefold() in COMMON or normal(one.text) not in read[option.kind]:
            return one
        said = {"text": one.text, "start": one.start, "end": one.end}
        if option.kind == "model":
            return ModelFound.model_validate({**said, "model": option})
        return PartFound.model_validate({**said, "part": option})

    return heard.model_copy(update={"found": tuple(map(sure, heard.found))})


def _is_piece(said: str, picked: str) -> bool:
    whole = normal(next(iter(picked.split()), ""))
    return normal(said) in whole and normal(said) != whole


def _labelled(heard: Understood, labels: Sequence[Told], brands: Sequence[str]) -> Understood:
    """Add a machine's brand, spelled as in the catalog, and the readings of its label."""
    said = next((one.brand for one in labels if one.brand), "")
    brand = brand_said(said, brands) or said or heard.brand
    read = next((one.readings for one in labels if one.readings), ())
    return heard.model_copy(update={"brand": brand, "readings": read})


def _place_of(machine: Machine, groups: Sequence[Machine]) -> int:
    if machine == Machine():
        return 0
    return next((at for at, group in enumerate(groups) if machine.is_of(group)), 0)


def _exact(message: str, wish: Wish) -> Wish:
    told = {"part": wish.part, "model": wish.model, "words": wish.words}
    spans = {name: place(message, quote) for name, quote in told.items() if quote}
    return wish.model_copy(
        update={name: message[span[0] : span[1]] for name, span in spans.items() if span}
    )


def _counted(heard: Understood, wish: Wish) -> Wish:
    """Drop a count that the message does not have, as a number or in the words quoted for it."""
    said = {number.value for number in read(wish.counted or heard.message)}
    said |= {1} if {w.text for w in read_words(heard.message)} & (ONE - {"a", "an"}) else set()
    told = wish.count in said or (wish.counted and not said)  # "a couple" has no figure to compare
    return wish if told else wish.model_copy(update={"count": None})


def _numbered(heard: Understood) -> list[Machine]:
    return [
        Machine(one.model.number, next(iter(canonical_appliances(one.model.appliance)), ""))
        if isinstance(one, ModelFound)
        else Machine(one.text)
        for one in heard.found
        if not isinstance(one, PartFound)
    ]


def _named(machine: str, model: str, machines: Sequence[Machine]) -> Machine:
    """Find the machine that is meant: by a quoted number, else by its kind."""
    kind = next(iter(canonical_appliances(machine)), "")
    for quote in filter(None, (model, machine)):
        for one in machines:
            if one.number and _same(one.number, quote):
                return one._replace(kind=one.kind or kind)
    return Machine("", kind)


def _same(one: str, other: str) -> bool:
    bare = [re.sub(r"[\W_]+", "", text).casefold() for text in (one, other)]
    return all(bare) and (bare[0] in bare[1] or bare[1] in bare[0])


def _led(heard: Understood, hearing: Hearing, listed: Sequence[Card]) -> Understood:
    """Replace what the rules found by the hearing, except numbers, answers and dangers."""
    language = hearing.language if hearing.language in LANGUAGES else heard.language
    return heard.model_copy(
        update={
            **_wrong(heard.message, hearing.symptoms),
            "suspected": (),
            "intents": _intents(heard, hearing),
            "wishes": hearing.wishes,
            "denied": hearing.denied,
            "withdrawn": hearing.withdrawn,
            "listed": tuple(listed),
            "meant": listed[hearing.about - 1].number if hearing.about else "",
            "description": None,
            "strange": (),
            "language": language,
        }
    )


def without_withdrawn(state: State, heard: Understood) -> Understood:
    """Leave out the numbers that a model read as taken back.

    The only numbers of a message, none of them told before, cannot be: they are what it is about.
    """
    back = [quote for quote in heard.withdrawn if quote]
    kept = [one for one in heard.found if not any(_same(one.text, quote) for quote in back)]
    every = (state.slots, *(file.slots for file in state.others))
    told = [slot.value for slots in every for slot in (slots.model, slots.part) if slot]
    if not kept and not any(_same(one, quote) for one in told for quote in back):
        return heard
    return heard.model_copy(update={"found": tuple(kept)})


def in_words(state: State, heard: Understood) -> tuple[str, ...]:
    """Quote complaints that are no symptom, and what else is told of symptoms known before."""
    told = {slot.value: slot.evidence.text for slot in state.slots.symptoms}
    more = (one for one in heard.symptoms if heard.wishes is not None and one.symptom in told)
    again = [one.text for one in more if one.text not in told[one.symptom]]
    return tuple(one for one in (*heard.complaints, *again) if one not in state.slots.complaints)


def _about(heard: Understood, machine: Machine, kinds: Sequence[str]) -> Understood:
    """Set the machine that a message is about, which may be of a kind the catalog lacks."""
    heard = heard.model_copy(update={"machine": machine.number})
    if not machine.kind:
        return heard
    span = {"start": 0, "end": len(heard.message), "text": heard.message}
    found = ApplianceFound.model_validate({"appliance": machine.kind, **span})
    if kinds and not any(related(machine.kind, one) for one in kinds):
        return heard.model_copy(update={"appliance": None, "strange": (found,)})
    return heard.model_copy(update={"appliance": found})


def _of_machine(
    heard: Understood,
    wishes: Sequence[Wish],
    told: Sequence[Complaint],
    groups: Sequence[Machine],
    place: int,
    kinds: Sequence[str],
) -> Understood:
    """Select what a message about several machines says of one."""
    quoted = [quote for wish in wishes for quote in wish.quotes()]
    foreign = [q for w in heard.wishes or () if w not in wishes for q in w.quotes()]
    pointing = any(not (w.part or w.shown) for w in wishes)

    def own(found: Found) -> bool:
        if not isinstance(found, PartFound):
            number = found.model.number if isinstance(found, ModelFound) else found.text
            named = [at for at, one in enumerate(groups) if _same(one.number, number)]
            if named or isinstance(found, ModelFound):
                return place in named
        mine = any(_same(found.text, quote) for quote in quoted)
        return mine or pointing or not any(_same(found.text, quote) for quote in foreign)

    update = {
        "wishes": tuple(wishes),
        **_wrong(heard.message, told),
        "found": tuple(one for one in heard.found if own(one)),
    }
    return _about(heard.model_copy(update=update), groups[place], kinds)


def _whose(heard: Understood, complaint: Complaint, machines: Sequence[Machine]) -> Machine:
    said = _named(complaint.machine, "", machines)
    if complaint.machine and said != Machine():
        return said
    _, end = place(heard.message, complaint.quote) or (0, 0)
    before = [one for one in heard.found if isinstance(one, ModelFound) and one.start < end]
    return _named("", before[-1].text, machines) if before else Machine()


def _wrong(message: str, told: Sequence[Complaint]) -> dict[str, object]:
    """Separate the catalog's symptoms from complaints that are none of them."""
    found = [(one, _found(message, one)) for one in told]
    return {
        "symptoms": tuple(spot for one, spot in found if one.symptom),
        "complaints": tuple(spot.text for one, spot in found if not one.symptom),
    }


def _found(message: str, complaint: Complaint) -> SymptomFound:
    start, end = place(message, complaint.quote) or (0, len(message))
    return SymptomFound(symptom=complaint.symptom, start=start, end=end, text=message[start:end])


def _intents(heard: Understood, hearing: Hearing) -> tuple[Intent, ...]:
    """Combine the rules' answers and real dangers with the topics and danger of a hearing."""
    whole = {"start": 0, "end": len(heard.message), "text": heard.message}
    left, dismissed = _weighed(heard, hearing)
    found = [*(one for one in heard.intents if one.kind in _KEPT), *left, *dismissed]
    if hearing.hazard and not any(one.kind == "hazard" for one in found):
        found.append(_danger(heard, hearing.hazard))
    if hearing.over:
        found.append(Intent.model_validate({"kind": "cleared", **whole}))
    for topic in hearing.topics:
        kind = {"kind": "topic", "value": topic} if topic in _TEXTS else {"kind": topic}
        found.append(Intent.model_validate({**kind, **whole}))
    return tuple(found)


def alarms(heard: Understood) -> list[Intent]:
    """List what rules take for a danger, each span once; a model may say that it is none."""
    real = (one for one in heard.intents if one.kind == "hazard" and one.value not in _MILD)
    return list({one.text: one for one in real}.values())


def _weighed(heard: Understood, hearing: Hearing) -> tuple[list[Intent], list[Intent]]:
    """Separate the dangers by rules that a model leaves standing from those that it dismisses.

    A model may be wrong about a danger, so what it calls harmless is still told of in a line.
    """
    harmless = _overlapping(heard, hearing.harmless)
    over = _overlapping(heard, [hearing.over] if hearing.over else [])
    left = [one for one in alarms(heard) if one not in (*harmless, *over)]
    return left, [one.model_copy(update={"kind": "dismissed"}) for one in harmless]


def _overlapping(heard: Understood, quotes: Sequence[str]) -> list[Intent]:
    """Select the dangers by rules that stand within quotes, or around them."""
    spans = [span for quote in quotes if (span := place(heard.message, quote))]
    return [
        one
        for one in alarms(heard)
        if any(start < one.end and one.start < end for start, end in spans)
    ]


def _danger(heard: Understood, danger: Danger) -> Intent:
    start, end = place(heard.message, danger.quote) or (0, len(heard.message))
    text = heard.message[start:end]
    return Intent(kind="hazard", value=danger.kind, start=start, end=end, text=text)


def taken_back(state: State, heard: Understood) -> set[str]:
    """Find symptoms that are repeated only to be replaced: "not ice, …"."""
    known = {slot.value for slot in state.slots.symptoms}
    others = [found for found in heard.symptoms if found.symptom not in known]
    first = heard.message.strip()
    return {
        found.symptom
        for found in heard.symptoms
        if others and found.symptom in known and first.startswith(found.text)
        if excluded(heard.message, found.start + len(found.text.split()[0]), heard.language)
    }
