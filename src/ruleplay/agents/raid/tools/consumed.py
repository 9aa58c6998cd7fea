"""Lists consumables that players used or had in pulls, from casts and auras."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ruleplay.agents.raid.domain.arguments import Tallied
from ruleplay.agents.raid.domain.reference import tables
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.tools.book import Book, names_in
from ruleplay.agents.raid.tools.names import heard
from ruleplay.agents.raid.tools.pulls import PullRow

EARLIER = 600_000
"""Milliseconds before a pull within which consumables count for it."""
CONSUMED_RULE = (
    "Looked for: potions and healthstones, or what was named, from ten minutes before the pulls on;"
    " of what an aura alone shows, and began before the log, only the end is seen."
)
SAME_USE = 60_000
"""Milliseconds within which a cast and its auras are one use; no potion has a shorter cooldown."""
# A cast without any effect in the whole log creates an item, such as a healthstone.
_USED = """
WITH named AS (
    SELECT e.fight, t.name, e.spell, e.spell_id, e.ms, e.event FROM events e JOIN actors t
        ON t.id = CASE WHEN e.event = 'SPELL_CAST_SUCCESS' THEN e.source ELSE e.target END
    WHERE e.event IN ('SPELL_CAST_SUCCESS', 'SPELL_AURA_APPLIED', 'SPELL_AURA_REFRESH',
            'SPELL_AURA_REMOVED', 'SPELL_HEAL', 'SPELL_ENERGIZE')
        AND t.kind = 'player' AND t.friendly AND e.ms <= $until
        AND (len(list_filter($wanted, lambda one: lower(e.spell) LIKE one)) > 0
            OR list_contains($spells, e.spell_id))
)
SELECT DISTINCT fight, name, spell, ms, event FROM named
WHERE event IN ('SPELL_CAST_SUCCESS', 'SPELL_AURA_APPLIED', 'SPELL_AURA_REFRESH',
        'SPELL_AURA_REMOVED')
    AND (list_contains($spells, spell_id)
        OR spell_id IN (SELECT spell_id FROM named WHERE event <> 'SPELL_CAST_SUCCESS'))
ORDER BY ms, event DESC
"""

# Auras listed by COMBATANT_INFO may have no line of their own in the whole log.
_LISTED = """
SELECT DISTINCT a.name, p.spell_id FROM pull_auras p JOIN actors a ON a.id = p.actor
WHERE list_contains($fights, p.fight) AND list_contains($spells, p.spell_id) ORDER BY ALL
"""


@dataclass
class Use:
    """A consumable taken by a player: when, and until when it lasted; None is unknown."""

    name: str
    spell: str
    fight: int | None
    ms: int | None
    until: int | None = None
    aura: bool = False

    @property
    def began(self) -> int:
        """When it began at the earliest; one only seen to end may be older than the log."""
        if self.ms is not None:
            return self.ms
        return (self.until or 0) - SAME_USE if _is_brief(self.spell) else 0

    def is_since(self, first: int) -> bool:
        """Whether it was taken during a pull, or shortly enough before to count for it."""
        before = SAME_USE if _is_brief(self.spell) else EARLIER
        return self.ms is not None and self.ms >= first - before

    def works_in(self, pull: PullRow) -> bool:
        """Whether its aura was active at some time during a pull."""
        late = self.until is None or self.until >= pull.start_ms
        return self.aura and late and self.began <= pull.end_ms


def _is_brief(spell: str) -> bool:
    """Whether something is a potion, which works for less than a minute."""
    brief = {one.name for one in tables.consumables().values() if one.kind == "potion"}
    return spell in brief or "potion" in spell.casefold()


def consumed(book: Book, pulls: Sequence[PullRow], args: Tallied) -> list[Row]:
    """List who used or had something with one of the words in its name, also between pulls.

    What was taken earlier counts if it was still active in one of the pulls.
    """
    known = tables.consumables()
    words = heard(names_in(args.ability), {*(one.kind for one in known.values()), "healthstone"})
    # The aura of a Potion of Speed is called just "Speed".
    spells = [
        one.spell_id for one in known.values() if not words or {one.kind, *one.kind.split()} & words
    ]
    wanted = [f"%{one}%" for one in sorted(words)] or ["%potion%", "%healthstone%"]
    first = min(pull.start_ms for pull in pulls)
    fights = {pull.fight for pull in pulls}
    given: dict[str, object] = {"wanted": wanted, "spells": spells}
    found = book.ask(_USED, given | {"until": max(pull.end_ms for pull in pulls)})
    uses = [
        use
        for use in uses_of(found)
        if (use.is_since(first) and use.fight in (None, *fights)) or any(map(use.works_in, pulls))
    ]
    seen = {(use.name, use.spell) for use in uses}
    listed = book.ask(_LISTED, {"fights": sorted(fights), "spells": spells})
    worn = [(str(name), known[_number(spell)].name) for name, spell in listed]
    uses += [Use(*one, None, None, aura=True) for one in worn if one not in seen]
    return [_use_row(book, pulls, use) for use in uses]


def uses_of(found: Iterable[tuple[object, ...]]) -> list[Use]:
    """Merge lines in chronological order into uses: a cast and its auras are one."""
    uses: list[Use] = []
    last: dict[tuple[str, str], Use] = {}
    seen: dict[tuple[str, str], int] = {}
    for fight, who, what, at, event in found:
        name, spell, ms = str(who), str(what), _number(at)
        key, pull = (name, spell), fight if isinstance(fight, int) else None
        use = last.get(key)
        if event == "SPELL_AURA_REMOVED":
            if use is None:
                uses.append(Use(name, spell, None, None, ms, aura=True))
                last[key] = uses[-1]
            use = last[key]
            use.until = ms
            continue
        if use is None or key not in seen or ms - seen[key] >= SAME_USE:
            use = last[key] = Use(name, spell, pull, ms)
            uses.append(use)
        use.aura = use.aura or event != "SPELL_CAST_SUCCESS"
        seen[key] = ms
    return uses


def _use_row(book: Book, pulls: Sequence[PullRow], use: Use) -> Row:
    pull = next((one for one in pulls if one.fight == use.fight), None)
    row: Row = {
        "name": use.name,
        "ability": use.spell,
        "at": pull.at(use.ms) if pull and use.ms is not None else None,
        "clock": None if use.ms is None else book.clock(use.ms),
        "only_end_seen": book.clock(use.until) if use.ms is None and use.until else None,
        "fight": pull.fight if pull else None,
        "seconds_before_pull": None,
    }
    after = [one for one in pulls if use.ms is not None and 0 < one.start_ms - use.ms < SAME_USE]
    if pull is None and after and use.ms is not None:
        early = round((after[0].start_ms - use.ms) / 1000, 1)
        row |= {"fight": after[0].fight, "seconds_before_pull": early}
    return row


def _number(value: object) -> int:
    return value if isinstance(value, int) else -1
