"""Turns the numbers of a message into slots: of a model or a part, certain or not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ruleplay.agents.parts.domain.appliances import canonical_appliances
from ruleplay.agents.parts.domain.id_context import surroundings
from ruleplay.agents.parts.domain.id_judgement import is_model_like
from ruleplay.agents.parts.domain.ids import (
    Choice,
    Found,
    ModelFound,
    Option,
    PartFound,
    Span,
    Unknown,
)
from ruleplay.agents.parts.domain.numbers import normal
from ruleplay.agents.parts.domain.references import excluded, follows_model_word
from ruleplay.agents.parts.domain.slots import (
    CARD_GOALS,
    OF_PARTS,
    Evidence,
    Goal,
    ModelSlot,
    PartSlot,
    UnconfirmedId,
    VerifiedModel,
    VerifiedPart,
)
from ruleplay.agents.parts.domain.understanding import WITHDRAWN, Understood
from ruleplay.agents.parts.policy.subjects import quotes_number
from ruleplay.agents.parts.policy.unasked import Numbers, said_before
from ruleplay.agents.parts.state import SlotName, State

_DIGITS = 4
"""Fewest digits of an unknown word that is treated as a number."""


def slots_of(state: State, heard: Understood, turn: int) -> Numbers:
    """Convert the numbers of a message to slots."""
    models: list[ModelSlot] = []
    parts: list[PartSlot] = []
    withdrawn = any((one.kind, one.value) == ("correction", WITHDRAWN) for one in heard.intents)
    for found in (said_before(state, one, heard) for one in heard.found):
        name, slot = _slot_of(state, heard, found), _slot(found, turn)
        if isinstance(slot, UnconfirmedId) and withdrawn:
            slot = _without(
                slot, {one.value for one in (state.slots.model, state.slots.part) if one}
            )
        if name == "part" and isinstance(slot, UnconfirmedId):
            slot = _for_machine(slot, state.appliance)
        if name == "model" and not isinstance(slot, VerifiedPart):
            models.append(slot)
        elif not isinstance(slot, VerifiedModel):
            parts.append(slot)
    for span in strange_numbers(state, heard):
        said = Evidence(turn=turn, start=span.start, end=span.end, text=span.text)
        model = not models and (
            is_model_like(normal(span.text))
            or follows_model_word(heard.message, span.start, heard.language)
        )
        (models if model else parts).append(UnconfirmedId(value=span.text, evidence=said))
    for wish in heard.wishes or ():
        # What a model read as a number counts as one, even if it does not look like one.
        for quote, slots in ((wish.part, parts), (wish.model, models)):
            at = heard.message.casefold().find(quote.casefold()) if quote else -1
            known = [*parts, *models]
            if at >= 0 and not any(quotes_number(quote, slot.evidence) for slot in known):
                said = Evidence(turn=turn, start=at, end=at + len(quote), text=quote)
                slots.append(UnconfirmedId(value=quote, evidence=said))
    meant = [one for one in parts if not _is_excluded(heard, one)]
    return Numbers(tuple(meant or parts), tuple(models))


def _is_excluded(heard: Understood, slot: PartSlot) -> bool:
    """Whether a message says that a number is not meant: "661566, not 661662"."""
    return excluded(heard.message, slot.evidence.start, heard.language)


def _without(slot: UnconfirmedId, withdrawn: set[str]) -> UnconfirmedId:
    """Remove numbers that the customer just took back from a choice."""
    options = tuple(option for option in slot.options if option.number not in withdrawn)
    return slot.model_copy(update={"options": options})


def _for_machine(slot: UnconfirmedId, appliance: str) -> UnconfirmedId:
    """Leave out near numbers of parts for another kind of machine, if there are others."""
    kinds = {one.number: canonical_appliances(one.appliance) for one in slot.options}
    own = tuple(one for one in slot.options if appliance in kinds[one.number])
    return slot.model_copy(update={"options": own}) if own else slot


def strange_numbers(state: State, heard: Understood) -> Iterator[Span]:
    """Find digits that the catalog lacks where a part's or model's number is expected."""
    if heard.wishes is not None:
        return
    asking: set[Goal | None] = {*heard.goals} or {state.goal}
    if not asking & set(OF_PARTS) and not (state.asked and state.asked.kind in ("model", "part")):
        return
    for strange in heard.foreign:
        span = _numbered(strange)
        around = surroundings(heard.message, span.start, span.end)
        if sum(map(str.isdigit, span.text)) >= _DIGITS and not around.noise and not around.link:
            yield span


def _numbered(strange: Span) -> Span:
    """Leave out the words around a number: of "2179574 cross", "2179574"."""
    words = re.finditer(r"\S+", strange.text)
    digits = [one.span() for one in words if any(map(str.isdecimal, one[0]))]
    if not digits:
        return strange
    start, end = digits[0][0], digits[-1][1]
    at = strange.start
    return Span(text=strange.text[start:end], start=at + start, end=at + end)


def _slot(found: Found, turn: int) -> ModelSlot | PartSlot:
    """Convert a finding to a slot of the same certainty."""
    said = Evidence(turn=turn, start=found.start, end=found.end, text=found.text)
    match found:
        case ModelFound(model=option):
            return verified_model(option, said)
        case PartFound(part=option):
            # A number that was read out in words is written as the catalog has it.
            typed = normal(found.text) in option.known_as
            return verified_part(option, found.text if typed else option.known_as, said)
        case Choice(asked=asked, options=options, readings=read):
            return UnconfirmedId(value=asked, evidence=said, options=options, readings=read)
        case Unknown(readings=read):
            signs = found.text.split()
            spelled = max(map(len, signs)) == 1 or normal(found.text) != found.normal
            value = read[0] if read else found.normal if spelled else found.text
            return UnconfirmedId(value=value, evidence=said, readings=read)


def verified_model(option: Option, said: Evidence) -> VerifiedModel:
    """Make a slot of a model in the catalog, with the words that mean it."""
    return VerifiedModel(
        value=option.number,
        row=option.row,
        evidence=said,
        brand=option.brand,
        appliance=option.appliance,
    )


def verified_part(option: Option, asked: str, said: Evidence) -> VerifiedPart:
    """Make a slot of a part in the catalog; `asked` is the number that the customer gave."""
    return VerifiedPart(
        value=option.number,
        row=option.row,
        evidence=said,
        name=option.name,
        asked=asked,
        via=option.via or "number",
    )


def _slot_of(state: State, heard: Understood, found: Found) -> SlotName:
    """Decide whether a number is a model's or a part's: by itself, then by question and context."""
    match found:
        case ModelFound():
            return "model"
        case PartFound():
            return "part"
    if quoted := _quoted_as(heard, found):
        return quoted
    match found:
        case Choice(kind="model" | "part" as kind) | Unknown(kind="model" | "part" as kind):
            return kind
    newest = state.newest_slot if heard.has("correction") else None
    return newest if newest in ("model", "part") else _likely(state, heard, found)


def _likely(state: State, heard: Understood, found: Found) -> SlotName:
    """Decide what a number is that neither itself nor the message labels."""
    if state.asked and state.asked.kind in ("model", "part"):
        return "model" if state.asked.kind == "model" else "part"
    machine = heard.appliance
    if machine and heard.message[machine.end : found.start].isspace():
        return "model"  # "the washer WF45"
    if machine and machine.end <= found.start and heard.symptoms and not heard.named:
        return "model"  # "my washer, the number is WF45, has begun to squeal"
    about_parts = set(heard.goals) & set(OF_PARTS)
    if not about_parts & set(CARD_GOALS) and follows_model_word(
        heard.message, found.start, heard.language
    ):
        return "model"
    if about_parts or isinstance(state.slots.model, VerifiedModel):
        return "part"
    return "model"


def _quoted_as(heard: Understood, found: Found) -> SlotName | None:
    """Look up what a model took a number for."""
    said = Evidence(turn=0, start=found.start, end=found.end, text=found.text)
    for wish in heard.wishes or ():
        if quotes_number(wish.model, said):
            return "model"
        if quotes_number(wish.part, said):
            return "part"
    return None
