"""What a duel's record says, and the check that holds sentences against it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from duel.state import BlowStruck, BoutEnded
from ruleplay.foundation.claims import Claim, Fact, Reading
from ruleplay.foundation.events import Event

_HIT = re.compile(r"(?i)\b(red|blue) hits (red|blue) for (\d+)")
_MISS = re.compile(r"(?i)\b(red|blue) misses (red|blue)")
_FALL = re.compile(r"(?i)\b(red|blue) falls")
_CHECKABLE = re.compile(r"(?i)\d|\b(hits|misses|falls)\b")


def facts_of(events: Sequence[Event]) -> tuple[Fact, ...]:
    """Return what a reply may state, in the order it happened."""
    found = []
    for event in events:
        match event:
            case BlowStruck(seat=seat, target=target, damage=0):
                claim = Claim(kind="misses", subject=seat, object=target)
                says = f"{seat.title()} misses {target.title()}."
                found.append(Fact(id="blow", says=says, claims=(claim,), must=True))
            case BlowStruck(seat=seat, target=target, damage=damage):
                claim = Claim(kind="hits", subject=seat, value=str(damage), object=target)
                says = f"{seat.title()} hits {target.title()} for {damage}."
                found.append(Fact(id="blow", says=says, claims=(claim,), must=True))
            case BoutEnded(loser=loser):
                claim = Claim(kind="falls", subject=loser)
                says = f"{loser.title()} falls."
                found.append(Fact(id="fall", says=says, claims=(claim,), must=True))
    return tuple(found)


def claims_in(sentence: str) -> tuple[Claim, ...]:
    """Return the checkable claims of a sentence."""
    hits = [
        Claim(kind="hits", subject=a.lower(), value=n, object=b.lower())
        for a, b, n in _HIT.findall(sentence)
    ]
    misses = [
        Claim(kind="misses", subject=a.lower(), object=b.lower())
        for a, b in _MISS.findall(sentence)
    ]
    falls = [Claim(kind="falls", subject=who.lower()) for who in _FALL.findall(sentence)]
    return (*hits, *misses, *falls)


def check(sentence: str, facts: Sequence[Fact]) -> Reading:
    """Hold a sentence against the facts; what it claims without support is a problem."""
    claims = claims_in(sentence)
    if not claims and _CHECKABLE.search(sentence):
        return Reading(problems=("a claim nobody can read",), about=tuple(f.id for f in facts))
    tells = tuple(f.id for f in facts if any(c in f.claims for c in claims))
    wrong = tuple(c for c in claims if not any(c in f.claims for f in facts))
    subjects = {_topic(c.kind) for c in wrong}
    return Reading(
        tells=tells,
        problems=tuple(f"not on record: {c.subject} {c.kind} {c.object} {c.value}" for c in wrong),
        about=tuple(f.id for f in facts if f.id in subjects),
    )


def _topic(kind: str) -> str:
    return "fall" if kind == "falls" else "blow"
