"""Lists every use of a cooldown in pulls: raid-wide, defensive, for damage; potions as well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from ruleplay.agents.raid.domain.arguments import Tallied
from ruleplay.agents.raid.domain.overview import fold, side_given
from ruleplay.agents.raid.domain.reference import tables
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.tools.book import IN_PULLS, Book, names_in, people_in, span
from ruleplay.agents.raid.tools.deeds import casts
from ruleplay.agents.raid.tools.moments import part_of
from ruleplay.agents.raid.tools.names import heard
from ruleplay.agents.raid.tools.pulls import PullRow
from ruleplay.agents.raid.tools.sides import Sides

COOLDOWNS_RULE = (
    "Looked for: known cooldowns by name (raid-wide and healing ones, defensives, external where"
    " cast on another, damage, mana, Bloodlust), potions and healthstones. Casts by ability tell of"
    " all others. affected: on how many it put its aura."
)
_USED = f"""
SELECT c.fight, s.name, c.spell, c.ms, t.name, o.name, (
    SELECT count(DISTINCT a.target) FROM events a WHERE a.fight = c.fight AND a.source = c.source
        AND a.spell = c.spell AND a.ms BETWEEN c.ms - 500 AND c.ms + 3000
        AND a.event IN ('SPELL_AURA_APPLIED', 'SPELL_AURA_REFRESH'))
FROM ({casts(IN_PULLS)}) c JOIN actors s ON s.id = c.source LEFT JOIN actors t ON t.id = c.target
    LEFT JOIN actors o ON o.id = s.owner AND o.id <> s.id
WHERE (s.kind = 'player' OR s.owner IS NOT NULL) AND (list_contains($names, lower(c.spell))
    OR c.spell ILIKE '%potion%' OR c.spell ILIKE '%healthstone%')
ORDER BY c.line
"""
_CALLED = {"defence": "defensive", "rescue": "healing"}
"""How kinds of the table of cooldowns are called."""
MORE_KINDS = ("external", "healthstone")
"""Kinds that are no entry of a table: who bears it, or what a spell is called, makes them."""
AGAIN = 5_000
"""Milliseconds within which further lines of a spell by the same caster are the same use."""


@cache
def _kinds() -> Mapping[str, str]:
    """Map folded names of cooldowns to their kind."""
    named = tables.spell_names()
    found: dict[str, str] = {fold(one.name): one.kind for one in tables.cooldowns().values()}
    found |= {
        fold(one.name): one.kind
        for one in tables.consumables().values()
        if one.kind in ("potion", "drums")
    }
    for kind in ("damage", "defensive", "raid", "lust"):
        found |= dict.fromkeys(map(fold, named[kind]), kind)
    return {name: _CALLED.get(kind, kind) for name, kind in found.items()}


def cooldowns(book: Book, pulls: Sequence[PullRow], args: Tallied) -> list[Row]:
    """List the uses in the order in which they came; `ability` selects kinds or names."""
    spans = part_of(book, pulls, args.part) if args.part else {}
    known, sides = _kinds(), Sides.read(book, pulls)
    wanted = heard(names_in(args.ability), {*known.values(), *MORE_KINDS})
    side = side_given(args.player_name)
    who = people_in(args.player_name, book) if args.player_name and not side else set()
    by_fight = {pull.fight: pull for pull in pulls}
    rows, last = list[Row](), dict[tuple[str, str], int]()
    for fight, name, spell, ms, target, owner, affected in book.ask(
        _USED, span(pulls) | {"names": sorted(known)}
    ):
        kind = known.get(fold(spell), "potion" if "potion" in fold(spell) else "healthstone")
        target = None if target in (name, *sides.hostile) else target
        kind = "external" if kind == "defensive" and target else kind
        again = ms - last.get((name, spell), -AGAIN) < AGAIN
        last[name, spell] = ms
        since, until = spans.get(fight, (ms, ms)) if not spans or fight in spans else (ms + 1, ms)
        asked = (not wanted or {kind, fold(spell)} & wanted) and (
            not who or {fold(name), fold(owner or "")} & who
        )
        if again or not asked or not since <= ms <= until:
            continue
        if side and sides.of(fight, owner or name) != side:
            continue
        pull = by_fight[fight]
        rows.append(
            {"name": name, "kind": kind, "ability": spell}
            | {"at": None if pull.is_stretch else pull.at(ms), "clock": book.clock(ms)}
            | {"fight": fight, "target": target}
            | {"owner": owner, "affected": affected if affected > 1 else None}
        )
    return rows
