"""What a model may add to the understanding of a message: quotes it can point at, nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from ruleplay.agents.parts.domain.diagnosis import fold
from ruleplay.agents.parts.domain.intents import Intent
from ruleplay.agents.parts.domain.slots import Frozen, Goal
from ruleplay.agents.parts.domain.symptoms import SymptomFound
from ruleplay.agents.parts.domain.understanding import Understood


class Complaint(Frozen):
    """A symptom of the catalog, and the customer's words that mean it."""

    quote: str = Field(min_length=2, max_length=400)
    symptom: str = Field(max_length=200)


class Hearing(Frozen):
    """What a model heard in a message; empty when the policy listens alone."""

    goal: Goal | None = None
    symptoms: tuple[Complaint, ...] = Field(default=(), max_length=8)


def quote_problems(hearing: Hearing, message: str, known: Sequence[str]) -> list[str]:
    """List what a hearing claims without the message or the catalog behind it."""
    said = message.casefold()
    folded = {fold(symptom) for symptom in known}
    problems = []
    for complaint in hearing.symptoms:
        if complaint.quote.casefold() not in said:
            problems.append(f"the message does not say {complaint.quote!r}")
        if fold(complaint.symptom) not in folded:
            problems.append(f"{complaint.symptom!r} is no known symptom")
    return problems


def merge(heard: Understood, hearing: Hearing) -> Understood:
    """Add a legal hearing to what the rules understood.

    A quote proves that words were said, not what they mean: a model's symptoms are suspected only.
    """
    found = {fold(s.symptom) for s in (*heard.symptoms, *heard.suspected)}
    added = tuple(
        _found(heard.message, complaint)
        for complaint in hearing.symptoms
        if fold(complaint.symptom) not in found
    )
    intents = heard.intents
    if hearing.goal and not heard.goals:
        end = len(heard.message)
        whole = Intent(kind="goal", value=hearing.goal.value, start=0, end=end, text=heard.message)
        intents = (*intents, whole)
    return heard.model_copy(update={"suspected": (*heard.suspected, *added), "intents": intents})


def _found(message: str, complaint: Complaint) -> SymptomFound:
    start = message.casefold().find(complaint.quote.casefold())
    end = start + len(complaint.quote)
    return SymptomFound(symptom=complaint.symptom, start=start, end=end, text=message[start:end])
