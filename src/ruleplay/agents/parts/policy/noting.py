"""Confirms what a message added to the case, and what it would mean for numbers left open."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.parts import state as did
from ruleplay.agents.parts.domain.catalog import Verdict
from ruleplay.agents.parts.domain.id_context import surroundings
from ruleplay.agents.parts.domain.numbers import normal
from ruleplay.agents.parts.domain.slots import PartSlot, UnconfirmedId, VerifiedPart
from ruleplay.agents.parts.domain.voice import Voice, voice
from ruleplay.agents.parts.policy import asking, replies
from ruleplay.agents.parts.policy.replies import PAIR
from ruleplay.agents.parts.state import Draft, Line

_READ_OUT = (Verdict.LISTED, Verdict.NOT_LISTED)


def noted(state: Draft, *, answering: bool = False) -> list[Line]:
    """Confirm once what this message added; `answering` omits what the answer says anyway."""
    if state.lines:
        return []
    filled = [event.slot for event in state.events if isinstance(event, did.PartFilled)]
    words = voice(state.now.language)
    return [
        *replies.read_back(state.before, state.now, words),
        *(
            one_part(filled, words)
            or _parts_noted(filled, words, answering=answering, message=state.given.message)
        ),
        *_beside_the_part(state, filled),
    ]


def _beside_the_part(state: Draft, filled: Sequence[PartSlot]) -> list[Line]:
    """Say that the catalog lacks a number that a model read beside the part that is meant."""
    part, queue = state.now.slots.part, [one.part for one in state.now.queue]
    if not (state.led and isinstance(part, VerifiedPart)):
        return []
    strange = (one for one in filled if isinstance(one, UnconfirmedId) and one not in queue)
    wrong = [
        one.model_copy(update={"options": ()})
        for one in strange
        if normal(one.value) not in {normal(option.known_as) for option in one.options}
    ]
    return [asking.unknown(wrong, state.now)] if wrong else []


def _parts_noted(
    parts: Sequence[PartSlot], words: Voice, *, answering: bool, message: str
) -> list[Line]:
    """Confirm parts; next to an answer about them, only what the answer does not say."""
    found: list[Line] = []
    for part in parts:
        if not isinstance(part, VerifiedPart):
            continue
        said = part.evidence
        swapped = surroundings(message, said.start, said.end).cue == "model"
        if swapped and message.startswith(said.text, said.start):
            named = f"{part.value} ({part.name})" if part.name else part.value
            gaps = {"asked": part.asked, "named": named}
            found.append(
                replies.told(f"part:{part.value}", "part_not_model", words, found=True, **gaps)
            )
        elif not answering or part.via != "number":
            found.append(_part_fact(part, words))
    return found


def one_part(parts: Sequence[PartSlot], words: Voice) -> list[Line]:
    """Say that the two numbers of a message belong to the same part."""
    known = [part for part in parts if isinstance(part, VerifiedPart)]
    if len(known) != PAIR or known[0].value != known[1].value:
        return []
    numbers = words.listed([part.asked for part in known])
    named = f"{known[0].value} ({known[0].name})" if known[0].name else known[0].value
    return [
        replies.told(f"same:{named}", "one_part", words, found=True, numbers=numbers, part=named)
    ]


def _part_fact(part: VerifiedPart, words: Voice) -> Line:
    """Confirm a part; a replaced or maker's number is explained."""
    named = f"{part.value} ({part.name})" if part.name else part.value
    keys = {"replaces": "replaced_by", "manufacturer": "maker_number_of"}
    line = words.say(keys.get(part.via, "part_is"), asked=part.asked, named=named)
    return Line(id=f"part:{part.value}", says=line, found=True)


def fit_if(part: str, model: str, verdict: str, words: Voice) -> Line:
    """State the verdict for a model that an uncertain number may stand for."""
    opening = words.say("in_catalog", named=part)
    gaps = {"part": part, "named": part, "model": model, "opening": opening}
    fit = words.say(verdict if verdict in _READ_OUT else "not_listed", **gaps)
    says = words.say("fit_if", model=model, verdict=fit.removeprefix("✓ "))  # not yet sure
    return Line(id=f"fit_if:{part}:{model}", says=says, found=True)
