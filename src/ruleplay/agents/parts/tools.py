"""The four tools: each takes a request that only verified slots can build, and asks the catalog."""

from __future__ import annotations

from ruleplay.agents.parts.adapters.catalog import Catalog
from ruleplay.agents.parts.domain.cards import Card, card
from ruleplay.agents.parts.domain.slots import Check, Diagnose, Find, Frozen, Install, Request
from ruleplay.foundation.events import Json

SHOWN = 5
"""Parts a ranking shows."""


class Result(Frozen):
    """What a tool found; `verdict` is a fit verdict, or `found` or `nothing_found`."""

    verdict: str
    cards: tuple[Card, ...] = ()
    explanation: str = ""
    source: str = ""


def run(request: Request, catalog: Catalog) -> Result:
    """Run the tool that a request is for."""
    match request:
        case Diagnose():
            return diagnose_repair(request, catalog)
        case Install() | Check():
            return check_compatibility(request, catalog)
        case Find():
            return find_part(request, catalog)


def diagnose_repair(request: Diagnose, catalog: Catalog) -> Result:
    """Rank the parts listed for the model by how well they fix the stated symptoms."""
    stated = [slot.value for slot in request.symptoms]
    causes = catalog.diagnose(request.model.value, stated)[:SHOWN]
    cards = tuple(
        card(cause.part, model=request.model.value, fit="listed", fixes=cause.fixes)
        for cause in causes
    )
    return _ranking(cards, catalog)


def find_part(request: Find, catalog: Catalog) -> Result:
    """Find parts listed for the model by the words of a description."""
    description = request.description
    hits = catalog.find(
        description.value, request.model.value, limit=SHOWN, terms=description.terms
    )
    cards = tuple(card(hit.part, model=request.model.value, fit="listed") for hit in hits)
    return _ranking(cards, catalog)


def check_compatibility(request: Check | Install, catalog: Catalog) -> Result:
    """Say whether the catalog lists the part for the model, with the part's card if it has one."""
    fit = catalog.fit(request.part.value, request.model.value)
    known = catalog.part(request.part.value)[:1]
    cards = tuple(card(match.part, model=fit.model, fit=fit.verdict.value) for match in known)
    return Result(
        verdict=fit.verdict.value, cards=cards, explanation=fit.explanation, source=fit.source
    )


def _ranking(cards: tuple[Card, ...], catalog: Catalog) -> Result:
    stamp = catalog.stamp
    source = f"{stamp.name}, imported {stamp.imported_on.isoformat()}"
    return Result(verdict="found" if cards else "nothing_found", cards=cards, source=source)


def arguments(request: Request) -> Json:
    """Return a request's arguments as the record shows them."""
    match request:
        case Diagnose(model=model, symptoms=symptoms):
            return {"model": model.value, "symptoms": [*(slot.value for slot in symptoms)]}
        case Find(description=description, model=model):
            return {"description": description.value, "model": model.value}
        case Install(part=part, model=model) | Check(part=part, model=model):
            return {"part": part.value, "model": model.value}
