"""What a message says, put together: intents, numbers, symptoms, described part, appliance."""

from __future__ import annotations

from collections.abc import Mapping

from ruleplay.agents.parts.domain.answers import Asked
from ruleplay.agents.parts.domain.appliances import ApplianceFound, find_appliance
from ruleplay.agents.parts.domain.descriptions import Description, part_terms
from ruleplay.agents.parts.domain.id_judgement import judge
from ruleplay.agents.parts.domain.ids import Candidate, Found, Lookup
from ruleplay.agents.parts.domain.intents import Intent, IntentKind, read_intents
from ruleplay.agents.parts.domain.slots import Frozen, Goal
from ruleplay.agents.parts.domain.symptoms import SymptomFound, find_symptoms


class Understood(Frozen):
    """One message as understood; every part of it quotes its span.

    `suspected` symptoms were not said: they follow from a broken part, or a model heard them. They
    are good for a question, never for a slot.
    """

    message: str
    intents: tuple[Intent, ...] = ()
    found: tuple[Found, ...] = ()
    symptoms: tuple[SymptomFound, ...] = ()
    suspected: tuple[SymptomFound, ...] = ()
    description: Description | None = None
    appliance: ApplianceFound | None = None

    @property
    def goals(self) -> tuple[Goal, ...]:
        """The goals it names, in order, each once."""
        return tuple(dict.fromkeys(Goal(i.value) for i in self.intents if i.kind == "goal"))

    def first(self, *kinds: IntentKind) -> Intent | None:
        """Return the first intent of some kinds."""
        return next((intent for intent in self.intents if intent.kind in kinds), None)

    def has(self, *kinds: IntentKind) -> bool:
        """Whether it has an intent of one of these kinds."""
        return self.first(*kinds) is not None


def understand(
    message: str,
    candidates: tuple[Candidate, ...],
    looked_up: Mapping[str, Lookup],
    *,
    literal: tuple[str, ...],
    asked: Asked | None,
    appliance: str,
) -> Understood:
    """Read a message; `looked_up` is what the catalog knows of the candidates.

    `literal` are symptoms of the catalog's that the message may say word for word, `appliance` is
    the one the conversation is about so far.
    """
    named = find_appliance(message)
    kind = named.appliance if named else appliance
    told = find_symptoms(message, None, kind, implied=True)
    symptoms = tuple(found for found in told if not found.implied)
    known = {found.symptom.casefold() for found in symptoms}
    spelled = find_symptoms(message, literal, kind) if literal else ()
    return Understood(
        message=message,
        intents=read_intents(message, asked),
        found=judge(message, candidates, looked_up),
        symptoms=(*symptoms, *(f for f in spelled if f.symptom.casefold() not in known)),
        suspected=tuple(found for found in told if found.implied),
        description=part_terms(message),
        appliance=named,
    )
