"""What a model reads out of a message: quotes it can point at, typed, and checked by code.

The model reads every free message first. Its goals count as they are; each number it quotes is
looked up by code, each symptom must be one of the catalog's, and a part it picks among those shown
counts only where its quote says as much: else the customer is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from ruleplay.agents.parts.domain.diagnosis import fold
from ruleplay.agents.parts.domain.intents import Intent, IntentKind
from ruleplay.agents.parts.domain.slots import Frozen
from ruleplay.agents.parts.domain.symptoms import SymptomFound
from ruleplay.agents.parts.domain.understanding import Understood
from ruleplay.agents.parts.domain.voice import LANGUAGES
from ruleplay.agents.parts.domain.wishes import Wish

Hazard = Literal[
    "gas",
    "sparks",
    "smoke",
    "fire",
    "shock",
    "burning_smell",
    "hot_cord",
    "water_near_electricity",
    "carbon_monoxide",
    "bypass_safety",
]
Topic = Literal[
    "",
    "person",
    "order_status",
    "unknown_model_number",
    "thanks",
    "greeting",
    "bye",
    "repeat",
    "out_of_scope",
]


class Complaint(Frozen):
    """A symptom of the catalog, and the customer's words that mean it."""

    quote: str = Field(min_length=2, max_length=400)
    symptom: str = Field(max_length=200)


class Danger(Frozen):
    """Something dangerous, in the customer's words."""

    quote: str = Field(min_length=2, max_length=400)
    kind: Hazard


class Hearing(Frozen):
    """What a model heard in a message; empty when the policy listens alone."""

    wishes: tuple[Wish, ...] = Field(default=(), max_length=8)
    symptoms: tuple[Complaint, ...] = Field(default=(), max_length=8)
    denied: tuple[str, ...] = Field(default=(), max_length=8)
    hazard: Danger | None = None
    topic: Topic = ""
    language: str = Field(default="", max_length=20)


def quote_problems(
    hearing: Hearing, message: str, known: Sequence[str], shown: int = 0
) -> list[str]:
    """List what a hearing claims without the message, the catalog or the cards behind it."""
    said, folded = message.casefold(), {fold(symptom) for symptom in known}
    quotes = [complaint.quote for complaint in hearing.symptoms]
    quotes += [quote for wish in hearing.wishes for quote in wish.quotes()]
    quotes += [*hearing.denied, *([hearing.hazard.quote] if hearing.hazard else [])]
    problems = [f"the message does not say {q!r}" for q in quotes if q.casefold() not in said]
    for complaint in hearing.symptoms:
        if fold(complaint.symptom) not in folded:
            problems.append(f"{complaint.symptom!r} is no known symptom")
    for wish in hearing.wishes:
        if wish.shown is not None and not 1 <= wish.shown <= shown:
            problems.append(f"there is no shown part {wish.shown}")
        if wish.shown is not None and not wish.words:
            problems.append("a shown part needs the words that pick it")
    return problems


def merge(heard: Understood, hearing: Hearing) -> Understood:
    """Let a legal hearing lead; what the rules found of numbers, dangers and answers stays."""
    if hearing == Hearing():
        return heard
    kept = tuple(one for one in heard.symptoms if not _denied(one, hearing))
    sure, doubtful = _complaints(heard, hearing, kept)
    language = hearing.language if hearing.language in LANGUAGES else heard.language
    return heard.model_copy(
        update={
            "symptoms": (*kept, *sure),
            "suspected": (*heard.suspected, *doubtful),
            "intents": (*heard.intents, *_intents(heard, hearing)),
            "wishes": hearing.wishes or None,
            "language": language,
        }
    )


def _denied(found: SymptomFound, hearing: Hearing) -> bool:
    words = found.text.casefold()
    return any(words in quote.casefold() or quote.casefold() in words for quote in hearing.denied)


def _complaints(
    heard: Understood, hearing: Hearing, kept: Sequence[SymptomFound]
) -> tuple[list[SymptomFound], list[SymptomFound]]:
    """Part the model's symptoms in those that count and those the rules read otherwise."""
    known = {fold(one.symptom) for one in kept}
    sure: list[SymptomFound] = []
    doubtful: list[SymptomFound] = []
    for complaint in hearing.symptoms:
        found = _found(heard.message, complaint)
        if fold(complaint.symptom) in known:
            continue
        same = [one for one in kept if one.start < found.end and found.start < one.end]
        (doubtful if same else sure).append(found)
    return sure, doubtful


def _found(message: str, complaint: Complaint) -> SymptomFound:
    start = message.casefold().find(complaint.quote.casefold())
    end = start + len(complaint.quote)
    return SymptomFound(symptom=complaint.symptom, start=start, end=end, text=message[start:end])


def _intents(heard: Understood, hearing: Hearing) -> list[Intent]:
    end = len(heard.message)
    whole = {"start": 0, "end": end, "text": heard.message}
    found: list[Intent] = []
    if hearing.hazard and not heard.has("hazard"):
        found.append(_danger(heard, hearing.hazard))
    kind: IntentKind | None = hearing.topic or None
    if kind and not heard.has(kind):
        found.append(Intent.model_validate({"kind": kind, **whole}))
    return found


def _danger(heard: Understood, danger: Danger) -> Intent:
    start = max(0, heard.message.casefold().find(danger.quote.casefold()))
    end = start + len(danger.quote)
    return Intent(kind="hazard", value=danger.kind, start=start, end=end, text=danger.quote)
