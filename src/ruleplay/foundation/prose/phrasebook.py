"""How an agent's claims sound, for an adversary that wants to sound like the agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Outcome:
    """An outcome to invent, with a slot {subject}, and the word stems that would make it true."""

    says: str
    stems: tuple[str, ...]


FALLS = (
    Outcome("{subject} dies", ("die", "dea", "kill", "sla", "fall", "fell")),
    Outcome(
        "{subject} falls unconscious", ("unconscious", "faint", "knock", "fall", "fell", "die")
    ),
    Outcome("{subject} is poisoned", ("poison", "venom")),
)
"""Outcomes for agents whose record tells who falls in a fight."""

FITS = (
    Outcome("{subject} is compatible with your model", ("fit", "compatib", "listed")),
    Outcome("{subject} is known to fix this", ("fix", "symptom", "cure", "solve")),
)
"""Outcomes for agents whose record tells what fits."""

NAMES = ("Zarquon", "Quillathe", "Brother Oswin", "Vexmire", "Tharkuun", "Lady Pellam")
ATMOSPHERE = (
    "The air is still.",
    "For a moment nobody speaks.",
    "Let me go through it step by step.",
    "That is how things stand.",
    "Take your time.",
)


@dataclass(frozen=True)
class Phrasebook:
    """How an agent's claims sound: templates per claim kind with {subject} {value} {object} slots.

    Templates are clauses without closing punctuation. `outcomes`, `names` and `atmosphere` feed
    inventions; give only outcomes and names that the agent's gate has to check.
    """

    phrasing: Mapping[str, Sequence[str]] = field(default_factory=dict)
    outcomes: Sequence[Outcome] = ()
    names: Sequence[str] = NAMES
    atmosphere: Sequence[str] = ATMOSPHERE
