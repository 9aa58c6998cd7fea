"""SQL for damage, healing, absorbs and casts, by the player they are credited to.

Counting follows what players know from Warcraft Logs: damage is what the target lost plus what its
shields absorbed, without overkill; healing is effective healing plus what heal-absorb debuffs
consumed, plus absorbs, credited to the caster of the shield. Pets' deeds count for their owner,
separately from the owner's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ruleplay.agents.raid.domain.columns import (
    DAMAGE_EVENTS,
    HEAL_EVENTS,
    MISS_EVENTS,
    NO_HEALING,
)
from ruleplay.agents.raid.tools.book import DIED, HARM, IN_PULLS, Book, span

if TYPE_CHECKING:
    from ruleplay.agents.raid.tools.pulls import PullRow

BUSY_MS = 3000
"""Milliseconds for which a cast counts as activity at most, unless another cast follows."""

DAMAGE_RULE = (
    "Damage: with what shields absorbed, as Warcraft Logs counts, without overkill and what hit"
    " oneself or the own side; a pet's is its owner's, a helping creature's in no player's sum."
)
HEALING_RULE = (
    "Healing: with what shields absorbed, for who cast them, and what debuffs ate, without"
    " overheal; logs of 3.3.5a do not tell what shields absorbed."
)
ACTIVE_RULE = (
    "Active time: from each cast or tick of a channel to the next, 3 s at most (1.5 s for the"
    " first), without time held (stunned, webbed); automatic swings and shots are no casts. Where"
    " the log shows only that a spell was begun, that is its cast."
)
NOBODYS = " (nobody's pet)"
"""Suffix of the name of a pet whose owner is unknown."""
UNOWNED = "(a.kind IN ('pet', 'guardian') AND a.owner IS NULL AND a.friendly)"
HELPER = " (helper)"
"""Suffix of the name of a friendly creature that is nobody's."""
HELPS = "(a.kind = 'npc' AND a.friendly)"
HELPER_RULE = (
    "A helper is a creature on the players' side that belongs to nobody: a row of its own, in no"
    " player's sum."
)
UNOWNED_RULE = (
    "Whose a pet is, the log does not always tell: what those marked as nobody's pet did is a row"
    " of its own and in nobody's sum."
)


def _names(events: Sequence[str]) -> str:
    return "('" + "', '".join(events) + "')"


_HEAL, _DAMAGE, _MISS = (_names(one) for one in (HEAL_EVENTS, DAMAGE_EVENTS, MISS_EVENTS))
_NO_HEALING = ", ".join(map(str, NO_HEALING))


def deeds(within: str) -> str:
    """Build the query of deeds, restricted by IN_PULL or IN_PULLS.

    `who` is the credited actor, `by_pet` whether a pet did it; `what` is damage, friendly (to
    oneself or one's own side), heal or absorb; `eaten` is the part of a heal consumed by heal
    absorbs.
    """
    return f"""
SELECT e.line, e.ms, e.fight, e.event, e.source, e.target, e.critical,
    CASE WHEN e.event = 'SPELL_ABSORBED' THEN coalesce(shielding.owner, e.absorber)
        ELSE coalesce(e.owner, e.source) END AS who,
    CASE WHEN e.event = 'SPELL_ABSORBED' THEN shielding.owner IS NOT NULL
        ELSE e.owner IS NOT NULL AND e.owner <> e.source END AS by_pet,
    CASE WHEN e.event IN {_HEAL} THEN 'heal' WHEN e.event = 'SPELL_ABSORBED' THEN 'absorb'
        WHEN e.apart THEN 'friendly' ELSE 'damage' END AS what,
    CASE WHEN e.event = 'SPELL_ABSORBED' THEN e.extra_spell_id ELSE e.spell_id END AS spell_id,
    CASE WHEN e.event = 'SPELL_ABSORBED' THEN e.extra_spell
        ELSE coalesce(e.spell, 'Melee') END AS spell,
    CASE WHEN e.event IN {_DAMAGE} OR e.event IN {_HEAL}
        THEN e.amount - coalesce(e.over, 0) + coalesce(e.absorbed, 0)
        ELSE coalesce(e.amount, 0) END AS amount,
    CASE WHEN e.event IN {_DAMAGE} OR e.event IN {_HEAL} THEN coalesce(e.over, 0) ELSE 0 END
        AS over,
    CASE WHEN e.event IN {_HEAL} THEN coalesce(e.absorbed, 0) ELSE 0 END AS eaten,
    CASE WHEN e.event IN {_DAMAGE} THEN coalesce(e.absorbed, 0)
        WHEN e.event NOT IN {_HEAL} THEN coalesce(e.amount, 0) ELSE 0 END AS shielded
FROM events e LEFT JOIN actors shielding
    ON e.event = 'SPELL_ABSORBED' AND shielding.id = e.absorber
WHERE {within} AND e.counts AND (e.event IN {_DAMAGE} OR e.event IN {_HEAL}
    OR (e.event = 'SPELL_ABSORBED' AND coalesce(e.extra_spell_id, 0) NOT IN ({_NO_HEALING}))
    OR (e.event IN {_MISS} AND e.miss_type = 'ABSORB'))
"""


def casts(within: str) -> str:
    """Build the query of casts: finished ones, or begun ones where the log has no ends of casts."""
    return f"""
SELECT fight, source, line, ms, spell_id, spell, target FROM (
    SELECT fight, source, line, ms, spell_id, spell, target, event,
        lead(event) OVER told AS next, lead(note) OVER told AS why
    FROM events WHERE {within} AND event IN ('SPELL_CAST_SUCCESS', 'SPELL_CAST_START',
        'SPELL_CAST_FAILED', 'SPELL_EMPOWER_END')
    WINDOW told AS (PARTITION BY source, spell_id ORDER BY line)
)
WHERE event = 'SPELL_EMPOWER_END'
    OR (event = 'SPELL_CAST_SUCCESS' AND NOT list_contains($empowered, spell_id))
    OR (event = 'SPELL_CAST_START' AND list_contains($begun, spell_id)
        AND NOT coalesce(next = 'SPELL_CAST_FAILED' AND lower(why) = 'interrupted', false))
"""


def acts(within: str) -> str:
    """Build the query of what occupies players: casts, and the effects of channels.

    `kind` is cast or channel, or held and freed for effects that take a player out of the fight.
    """
    return f"""
SELECT fight, source, line, ms, 'cast' AS kind FROM ({casts(within)})
UNION ALL SELECT fight, source, line, ms, 'channel' FROM events
WHERE {within} AND list_contains($channels, spell) AND (event IN {_DAMAGE} OR event IN {_HEAL}
    OR event IN {_MISS} OR (event = 'SPELL_AURA_REMOVED' AND aura_type = 'DEBUFF'))
UNION ALL SELECT fight, target, line, ms,
    CASE event WHEN 'SPELL_AURA_REMOVED' THEN 'freed' ELSE 'held' END FROM events
WHERE {within} AND list_contains($holds, spell) AND aura_type = 'DEBUFF'
    AND event IN ('SPELL_AURA_APPLIED', 'SPELL_AURA_REMOVED')
"""


def busy(missing: str) -> str:
    """Build the expression for the milliseconds that an act occupies since the one `before` it."""
    return (
        f"CASE kind WHEN 'freed' THEN 0 ELSE"
        f" least(greatest(coalesce(ms - before, {missing}), 0), {BUSY_MS}) END"
    )


TOTALS = f"""
WITH deeds AS ({deeds(IN_PULLS)}), made AS (
    SELECT fight, who AS id, by_pet, what, sum(amount) AS amount, sum(over) AS over,
        sum(eaten) AS eaten
    FROM deeds WHERE who IS NOT NULL GROUP BY ALL
), told AS (
    SELECT fight, coalesce(owner, source) AS by_id, target, sum(amount) FILTER (counts
            AND event IN {HARM}) AS taken, count(*) FILTER ({DIED}) AS deaths,
        count(*) FILTER (event = 'SPELL_INTERRUPT') AS interrupts,
        count(*) FILTER (event IN ('SPELL_DISPEL', 'SPELL_STOLEN')) AS dispels,
        count(*) FILTER (CASE WHEN $logs_kills THEN event = 'PARTY_KILL'
            ELSE counts AND NOT apart AND event IN {_DAMAGE} AND over > 0 END) AS kills
    FROM events WHERE {IN_PULLS} AND (event IN {HARM} OR event IN ('UNIT_DIED', 'SPELL_INTERRUPT',
        'SPELL_DISPEL', 'SPELL_STOLEN', 'PARTY_KILL')) GROUP BY ALL
), busy AS (
    SELECT fight, id, {busy("1500")} AS busy, CAST(kind = 'cast' AS INTEGER) AS casts FROM (
        SELECT fight, source AS id, kind, ms,
            lag(ms) OVER (PARTITION BY fight, source ORDER BY line) AS before
        FROM ({acts(IN_PULLS)}))
), parts AS (
    SELECT fight, id,
        sum(amount) FILTER (what = 'damage' AND NOT by_pet) AS damage,
        sum(amount) FILTER (what = 'damage' AND by_pet) AS pet_damage,
        sum(over) FILTER (what = 'damage' AND NOT by_pet) AS overkill,
        sum(amount) FILTER (what = 'friendly') AS friendly_fire,
        sum(amount) FILTER (what IN ('heal', 'absorb') AND NOT by_pet) AS healing,
        sum(amount) FILTER (what = 'absorb' AND NOT by_pet) AS absorbs,
        sum(eaten) FILTER (NOT by_pet) AS heal_absorbed,
        sum(amount) FILTER (what IN ('heal', 'absorb') AND by_pet) AS pet_healing,
        sum(over) FILTER (what = 'heal' AND NOT by_pet) AS overheal,
        0 AS damage_taken, 0 AS deaths, 0 AS kills, 0 AS interrupts, 0 AS dispels, 0 AS busy,
        0 AS casts
    FROM made GROUP BY fight, id
    UNION ALL SELECT fight, target, 0, 0, 0, 0, 0, 0, 0, 0, 0, sum(taken), sum(deaths), 0, 0, 0, 0,
        0 FROM told GROUP BY fight, target
    UNION ALL SELECT fight, by_id, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, sum(kills), sum(interrupts),
        sum(dispels), 0, 0 FROM told GROUP BY fight, by_id
    UNION ALL SELECT fight, id, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, busy, casts FROM busy
)
SELECT fight, id, {
    ", ".join(
        f"CAST(coalesce(sum({name}), 0) AS BIGINT) AS {name}"
        for name in (
            *("damage", "pet_damage", "overkill", "friendly_fire", "healing", "absorbs"),
            *("heal_absorbed", "pet_healing", "overheal", "damage_taken", "deaths", "kills"),
            *("interrupts", "dispels"),
        )
    )
}, CAST(round(sum(busy) / 1000.0, 1) AS DOUBLE) AS active_seconds,
    CAST(sum(casts) AS BIGINT) AS casts
FROM parts JOIN actors a USING (id) WHERE a.kind = 'player' GROUP BY fight, id
"""
TOTAL_COLUMNS = (
    *("damage", "pet_damage", "overkill", "friendly_fire", "healing", "absorbs", "heal_absorbed"),
    *("pet_healing", "overheal", "damage_taken", "deaths", "killing_blows", "interrupts"),
    *("dispels", "active_seconds", "casts"),
)
NOTHING: dict[str, float] = dict.fromkeys(TOTAL_COLUMNS, 0) | {"active_seconds": 0.0}


def totals(book: Book, pulls: Sequence[PullRow]) -> dict[tuple[int, int], dict[str, float]]:
    """Compute the totals of every player who did anything, by (pull, actor).

    `total_damage` and `total_healing` include pets.
    """
    found = book.ask(TOTALS, span(book.together(pulls)))
    sums: dict[tuple[int, int], dict[str, float]] = {}
    for fight, actor, *values in found:
        one = dict(zip(TOTAL_COLUMNS, values, strict=True))
        sums[fight, actor] = one | with_pets(one)
    return sums


_NOBODYS_PETS = f"""
SELECT d.fight, a.name, CAST(sum(d.amount) AS BIGINT) FROM ({deeds(IN_PULLS)}) d
    JOIN actors a ON a.id = d.who
WHERE d.what = 'damage' AND {UNOWNED} GROUP BY d.fight, a.name HAVING sum(d.amount) > 0
"""


def nobodys_pets(book: Book, pulls: Sequence[PullRow]) -> dict[int, dict[str, int]]:
    """Sum the damage of pets without a known owner, by pull and marked name."""
    found: dict[int, dict[str, int]] = {}
    for fight, name, damage in book.ask(_NOBODYS_PETS, span(book.together(pulls))):
        found.setdefault(fight, {})[f"{name}{NOBODYS}"] = damage
    return found


def with_pets(one: dict[str, float]) -> dict[str, float]:
    """Add pets' damage and healing to a player's own."""
    return {
        "total_damage": one.get("damage", 0) + one.get("pet_damage", 0),
        "total_healing": one.get("healing", 0) + one.get("pet_healing", 0),
    }
