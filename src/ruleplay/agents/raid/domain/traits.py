"""Classifies events by bits, so that whole columns can be tested at once."""

from __future__ import annotations

from ruleplay.agents.raid.domain.columns import DAMAGE_EVENTS, HEAL_EVENTS

SKILL, HARM, HEAL, BLOW, DEATH, SUMMON, SWING, LANDED = (1 << n for n in range(8))
"""SKILL: reveals what its source can do. BLOW: can open a pull. LANDED: repeats a swing, also one
that a shield absorbed whole, which is logged as missed."""
DIED, HURT, ACT, REVIVE, STRIKE = (1 << n for n in range(8, 13))
"""DIED: of a unit that lived. HURT: any damage. ACT: only the living do it. STRIKE: damage dealt by
a unit, including damage that was absorbed."""

_ACTS = frozenset({"SPELL_CAST_SUCCESS", "SPELL_CAST_START", "SWING_DAMAGE", "SWING_MISSED"})
_STRIKES = frozenset(
    {*DAMAGE_EVENTS, *(event.replace("_DAMAGE", "_MISSED") for event in DAMAGE_EVENTS)}
    | {"DAMAGE_SHIELD_MISSED"}
)

_SKILLS = ("_CAST_SUCCESS", "_CAST_START", "_DAMAGE", "_HEAL", "_SUMMON", "_AURA_APPLIED")


def traits_of(event: str) -> int:
    """Compute the bits of an event."""
    bits = SKILL if event.startswith(("SPELL_", "RANGE_")) and event.endswith(_SKILLS) else 0
    bits |= HARM if event in DAMAGE_EVENTS and event != "SWING_DAMAGE_LANDED" else 0
    bits |= HEAL if event in HEAL_EVENTS else 0
    bits |= BLOW if event.endswith(("_DAMAGE", "_MISSED")) and "ENVIRON" not in event else 0
    bits |= DEATH if event in {"UNIT_DIED", "UNIT_DESTROYED"} else 0
    bits |= SUMMON if event in {"SPELL_SUMMON", "SPELL_CREATE"} else 0
    bits |= DIED if event == "UNIT_DIED" else 0
    bits |= HURT if event in DAMAGE_EVENTS or event == "ENVIRONMENTAL_DAMAGE" else 0
    bits |= ACT if event in _ACTS else 0
    bits |= REVIVE if event == "SPELL_RESURRECT" else 0
    bits |= STRIKE if event in _STRIKES else 0
    bits |= SWING if event in {"SWING_DAMAGE", "SWING_DAMAGE_LANDED", "SWING_MISSED"} else 0
    return bits | (LANDED if event == "SWING_DAMAGE_LANDED" else 0)
