"""Finds the machines of a message, the parts that are named beside them, and what is said of each.

A message about two machines is split, since each is its own case.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from ruleplay.agents.parts.domain.appliances import (
    ApplianceFound,
    canonical_appliances,
    find_appliance,
    find_appliances,
    related,
)
from ruleplay.agents.parts.domain.descriptions import (
    Description,
    in_compound,
    part_terms,
    parts_named,
    qualifiers,
)
from ruleplay.agents.parts.domain.ids import Found, ModelFound
from ruleplay.agents.parts.domain.negation import negated
from ruleplay.agents.parts.domain.reader import SURE, Reading
from ruleplay.agents.parts.domain.references import (
    excluded,
    joins_at,
    stands_beside,
)
from ruleplay.agents.parts.domain.tokens import Mention, Word, read_words

_ENDS = ".,;:!?\n"


class _Mention(NamedTuple):
    """Where a machine is mentioned; `group` numbers the machines of the message from 0."""

    start: int
    end: int
    group: int


def machines_said(
    message: str, language: str, kinds: tuple[str, ...]
) -> tuple[list[ApplianceFound], tuple[ApplianceFound, ...], ApplianceFound | None]:
    """Find all machines named, those that nothing is sold for, and the one the message is about.

    `kinds` are the appliances that the catalog has parts for.
    """
    words = read_words(message)
    machines = [
        one
        for one in find_appliances(message, language)
        if not (_denied(words, one) or excluded(message, one.start, language))
    ]
    ours = [one for one in machines if any(related(one.appliance, kind) for kind in kinds)]
    strange = tuple(
        one
        for one in machines
        if kinds and one not in ours and not stands_beside(message, one.start, language)
    )
    said = find_appliance(message, language)
    # The appliance found first may be denied or not sold; then the next one counts.
    if said not in ours and (kinds or said not in machines):
        said = next(iter(ours if kinds else machines), None)
    return machines, strange, said


def _denied(words: Sequence[Word], machine: ApplianceFound) -> bool:
    """Whether a machine is named only to be ruled out: "not the fridge"."""
    own = [at for at, one in enumerate(words) if machine.start <= one.start < machine.end]
    return bool(own) and negated(words, Mention(own[0], own[-1]))


def machine_of(said: ApplianceFound | None, numbers: Sequence[Found], before: str) -> str:
    """Determine which machine a message is about.

    A model's own kind is more precise than a word like "freezer", which may be part of a fridge.
    """
    models = (found.model.appliance for found in numbers if isinstance(found, ModelFound))
    known = next(filter(None, models), before)
    same = said and any(related(said.appliance, kind) for kind in canonical_appliances(known))
    return known if same or not said else said.appliance


def parts_said(
    message: str, machines: Sequence[ApplianceFound], numbers: Sequence[Found], language: str
) -> tuple[tuple[Description, ...], Description | None]:
    """Find the parts named and the one described; the "door" of "french door fridge" is none."""
    named = tuple(one for one in parts_named(message, language) if not _is_within(one, machines))
    named = tuple(one for one in named if not in_compound(message, one, language))
    described = part_terms(message, language)
    if described and _is_within(described, machines):
        described = next(iter(named), None)
    about = _without_machine(filter(None, [described]), machines, numbers, language)
    return _without_machine(named, machines, numbers, language), next(iter(about), None)


def _without_machine(
    parts: Iterable[Description],
    machines: Sequence[ApplianceFound],
    numbers: Sequence[Found],
    language: str,
) -> tuple[Description, ...]:
    """Ignore a machine's name as the place of a part: "a gasket for a fridge M1"."""
    if not any(isinstance(one, ModelFound) for one in numbers):
        return tuple(parts)
    named = tuple(parts)
    apart = [one for one in machines if not any(_meets(one, part) for part in named)]
    kinds = {term for one in apart for term in qualifiers(one.text, language)}
    return tuple(
        one.model_copy(update={"weak": tuple(term for term in one.weak if term not in kinds)})
        for one in named
    )


def _meets(machine: ApplianceFound, part: Description) -> bool:
    return machine.start < part.end and part.start < machine.end


def _is_within(part: Description, machines: Sequence[ApplianceFound]) -> bool:
    """Whether a part is only a word in the name of an appliance."""
    return any(
        one.start <= part.start and part.end <= one.end and part.end - part.start < len(one.text)
        for one in machines
    )


def said_of_each(message: str, language: str, models: Sequence[ModelFound] = ()) -> tuple[str, ...]:
    """Return a copy of the message for each of two machines, with everything else blanked.

    Blanks keep all positions valid. A model's number counts as a mention of its machine. The result
    is empty if the message is about one machine, or excludes one of two ("not the dryer").
    """
    mentions = _mentions(message, language, models)
    # With three machines or more it is unclear what belongs to which.
    if {one.group for one in mentions} != {0, 1}:
        return ()
    if any(excluded(message, one.start, language) for one in mentions):
        return ()
    cuts = [0]
    for before, one in pairwise(mentions):
        cuts.append(_clause_start(message, before.end, one.start, language))
    ends = [*cuts[1:], len(message)]
    spans = [(start, end, one.group) for start, end, one in zip(cuts, ends, mentions, strict=True)]
    return tuple(
        _blanked(message, [(start, end) for start, end, owner in spans if owner == group])
        for group in (0, 1)
    )


def _mentions(message: str, language: str, models: Sequence[ModelFound]) -> list[_Mention]:
    """Find all mentions of machines."""
    kinds: list[str] = []
    found: list[_Mention] = []
    # Two dishwashers cannot be told apart by kind, only by number.
    if alike := _of_one_kind(models):
        return alike
    named = [(one.start, one.end, one.appliance) for one in find_appliances(message, language)]
    for model in models:
        for kind in canonical_appliances(model.model.appliance):
            named.append((model.start, model.end, kind))
    for start, end, appliance in sorted(named):
        group = next((i for i, kind in enumerate(kinds) if related(kind, appliance)), None)
        if group is None:
            group = len(kinds)
            kinds.append(appliance)
        found.append(_Mention(start, end, group))
    return sorted(found)


def standing(
    message: str, numbers: Sequence[Found], read: Sequence[Reading], language: str
) -> tuple[Found, ...]:
    """Leave out the model that is taken back before the next: "M1, no that's mum's. M2"."""
    models = [one for one in numbers if isinstance(one, ModelFound)]
    denied = [one for one in models if _is_denied(message, one, language)]
    if 0 < len(denied) < len(models):  # "it isn't M1 but M2"
        return tuple(one for one in numbers if one not in denied)
    back = [one for one in read if one.goal == "correction" and one.sure >= SURE]
    taken = [
        one
        for one, after in pairwise(models)
        if one.model.number != after.model.number
        and any(it is read[0] or one.end < it.end <= after.start for it in back)
    ]
    return tuple(one for one in numbers if one not in taken)


def _is_denied(message: str, one: ModelFound, language: str) -> bool:
    """Whether a model is said not to be the one: "not a M1", "il ne s'agit pas de M1"."""
    starts = [one.start, *(word.start for word in read_words(message[: one.start])[-1:])]
    return any(excluded(message, start, language) for start in starts)


def _of_one_kind(models: Sequence[ModelFound]) -> list[_Mention]:
    """Locate two or more models of one kind of appliance by their numbers; else empty."""
    numbers = list(dict.fromkeys(one.model.number for one in models))
    kinds = {canonical_appliances(one.model.appliance) for one in models}
    if len(numbers) < 2 or len(kinds) > 1:
        return []
    return sorted(_Mention(one.start, one.end, numbers.index(one.model.number)) for one in models)


def _clause_start(message: str, after: int, start: int, language: str) -> int:
    """Find where the clause of a mention begins: after punctuation or an "and", else at itself."""
    between = message[after:start]
    stops = [after + place + 1 for place, char in enumerate(between) if char in _ENDS]
    stops += [after + end for end in joins_at(between, language)]
    return max(stops, default=start)


def _blanked(message: str, kept: Sequence[tuple[int, int]]) -> str:
    inside = (any(start <= place < end for start, end in kept) for place in range(len(message)))
    return "".join(char if keep else " " for char, keep in zip(message, inside, strict=True))
