"""Determines players' class, spec and role per pull, from what they did in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ruleplay.agents.raid.domain.classes import (
    Calling,
    Signs,
    find_calling,
    is_healing,
    signs_by_name,
)

Ask = Callable[[str, Mapping[str, object]], list[tuple[Any, ...]]]

_WITHIN = (
    "line BETWEEN $first AND $last AND fight BETWEEN $low AND $high"
    " AND list_contains($fights, fight)"
)
SKILLS = f"""
SELECT fight, source, spell, any_value(spell_id), min(line), count(*) FROM events
WHERE {_WITHIN} AND source IN (SELECT id FROM actors WHERE kind = 'player')
    AND (starts_with(event, 'SPELL_') OR starts_with(event, 'RANGE_'))
    AND (ends_with(event, '_CAST_SUCCESS') OR ends_with(event, '_CAST_START')
        OR ends_with(event, '_DAMAGE') OR ends_with(event, '_HEAL') OR ends_with(event, '_SUMMON')
        OR ends_with(event, '_AURA_APPLIED'))
GROUP BY fight, source, spell
"""
BALANCE = f"""
SELECT fight, source, sum(amount) FILTER (ends_with(event, '_HEAL') AND target <> source),
    sum(amount) FILTER (ends_with(event, '_HEAL')),
    sum(amount) FILTER (ends_with(event, '_DAMAGE') AND NOT apart) FROM events
WHERE {_WITHIN} AND counts AND source IN (SELECT id FROM actors WHERE kind = 'player')
    AND event IN ('SPELL_HEAL', 'SPELL_PERIODIC_HEAL', 'SWING_DAMAGE', 'RANGE_DAMAGE',
        'SPELL_DAMAGE', 'SPELL_PERIODIC_DAMAGE') GROUP BY fight, source
"""
SWINGS = f"""
SELECT fight, target, count(*) FROM events
WHERE {_WITHIN} AND event IN ('SWING_DAMAGE', 'SWING_MISSED')
    AND source IN (SELECT id FROM actors WHERE kind = 'npc')
    AND target IN (SELECT id FROM actors WHERE kind = 'player' AND friendly) GROUP BY fight, target
"""
TALENTS = """
SELECT fight, actor, line, talents, spec_id FROM combatants WHERE list_contains($fights, fight)
"""
TANKED_SHARE = 0.2
"""Minimum share of enemy swings at players that makes a non-healer a tank."""
TANKED_LEAST = 8
"""Minimum number of swings, so that a pull of a few seconds has no tanks by accident."""


def read_callings(ask: Ask, scope: Mapping[str, object]) -> dict[tuple[int, int], Calling]:
    """Determine what players were on the pulls of a scope, by (pull, actor).

    Retail's COMBATANT_INFO states the spec, and thereby the role. Elsewhere talents or spells
    determine the spec; who heals others for more than it damages is a healer, and whom enemies
    swing at is a tank.
    """
    signs, known = _signs(ask, scope), {}
    for fight, actor, line, talents, spec in ask(TALENTS, scope):
        known[fight, actor] = (line, talents, spec)
    balance = {(row[0], row[1]): [one or 0 for one in row[2:]] for row in ask(BALANCE, scope)}
    swings = {(row[0], row[1]): row[2] for row in ask(SWINGS, scope)}
    whole: dict[int, int] = {}
    for (fight, _), count in swings.items():
        whole[fight] = whole.get(fight, 0) + count
    found: dict[tuple[int, int], Calling] = {}
    for key in {*signs, *known, *balance}:
        healed, mended, harmed = balance.get(key, (0, 0, 0))
        told = known.get(key)
        calling = find_calling(signs.get(key), told, heals=healed > harmed)
        heals = is_healing(calling.class_, calling.spec, healed, mended, harmed)
        share = swings.get(key, 0) >= max(TANKED_LEAST, TANKED_SHARE * whole.get(key[0], 0))
        idle = not mended and not harmed
        if not idle and not (told and told[2]):
            calling = _as_played(calling, heals=heals, tanked=share)
        found[key] = calling
    return found


def _signs(ask: Ask, scope: Mapping[str, object]) -> dict[tuple[int, int], Signs]:
    table = signs_by_name()
    found: dict[tuple[int, int], Signs] = {}
    for fight, actor, spell, spell_id, line, count in ask(SKILLS, scope):
        if spell in table:
            mine = found.setdefault((fight, actor), Signs())
            mine.add(table[spell], spell_id or 0, line, count)
    return found


def _as_played(calling: Calling, *, heals: bool, tanked: bool) -> Calling:
    """Adjust a calling to the role actually played; an off-tank is recognised by its spells."""
    tank = tanked or calling.role == "tank"
    role = "healer" if heals else "tank" if tank else "damage"
    return Calling(calling.class_, calling.spec, role, calling.class_line, calling.spec_line)
