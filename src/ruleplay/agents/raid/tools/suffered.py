"""SQL for the damage that players took, with the hits that shields swallowed."""

from __future__ import annotations

from ruleplay.agents.raid.domain.columns import MISS_EVENTS
from ruleplay.agents.raid.tools.book import HARM, IN_PULLS

MISSES = "('" + "', '".join(MISS_EVENTS) + "')"
TAKEN_RULE = (
    "Taken: with the environment; what shields absorbed stands apart, as far as the log tells."
    " Hits: all that landed, those absorbed whole too."
)
SHIELD_RULE = (
    "absorbed_by: of such a hit only the shield's line is logged, which tells its size (whole_hit);"
    " what became of the rest is not told."
)
SHIELD_DELAY = 300
"""Milliseconds that the line of a hit may be apart from the line of the shield that took of it."""
STRUCK = f"""
WITH blows AS (
    SELECT line, ms, fight, source, target, spell_id, coalesce(spell, 'Melee') AS ability,
        CASE WHEN info = target AND hp_max > 0 THEN round(100.0 * hp / hp_max, 1) END AS health,
        CASE WHEN event IN {HARM} THEN amount + coalesce(absorbed, 0)
            ELSE greatest(base_amount, amount) END AS whole_hit, lower(miss_type) AS missed,
        event IN {HARM} AS hurt, event NOT IN {HARM} AND miss_type = 'ABSORB' AS swallowed,
        CASE WHEN event IN {HARM} THEN amount ELSE 0 END AS amount,
        CASE WHEN event IN {HARM} THEN coalesce(absorbed, 0)
            WHEN miss_type = 'ABSORB' THEN coalesce(amount, 0) ELSE 0 END AS shielded
    FROM events WHERE {IN_PULLS} AND counts AND (event IN {HARM} OR event IN {MISSES})
), shields AS (
    SELECT min(line) AS line, ms, fight, source, target, spell_id,
        coalesce(spell, 'Melee') AS ability, sum(amount) AS shielded,
        max(base_amount) AS whole_hit, string_agg(DISTINCT extra_spell, ', ') AS shield
    FROM events WHERE {IN_PULLS} AND event = 'SPELL_ABSORBED'
    GROUP BY ms, fight, source, target, spell_id, 7
), struck AS (
    SELECT *, NULL AS shield FROM blows
    UNION ALL SELECT line, ms, fight, source, target, spell_id, ability, NULL, whole_hit, NULL,
        false, true, 0, shielded, shield
    FROM shields s WHERE NOT EXISTS (SELECT 1 FROM blows b WHERE b.target = s.target
        AND b.source IS NOT DISTINCT FROM s.source AND b.spell_id IS NOT DISTINCT FROM s.spell_id
        AND b.ms BETWEEN s.ms - {SHIELD_DELAY} AND s.ms + {SHIELD_DELAY})
)
"""
"""Hits and misses; a hit that a shield took whole may have no line but the shield's own."""
_OF_OURS = """
FROM struck e JOIN actors t ON t.id = e.target LEFT JOIN actors s ON s.id = e.source
WHERE (t.kind = 'player' OR (t.kind = 'pet' AND t.friendly))
"""
SUFFERED = f"""
{STRUCK}
SELECT e.fight, coalesce(s.name, 'Environment'), t.name, e.ability, sum(e.amount), 0,
    count(*) FILTER (e.hurt OR e.swallowed), count(*) FILTER (NOT e.hurt AND NOT e.swallowed),
    max(e.amount) FILTER (e.hurt),
    coalesce(arg_max(e.ms, (e.amount, -e.line::BIGINT)) FILTER (e.hurt OR e.swallowed), min(e.ms)),
    min(e.line), 0, sum(e.shielded), min(e.ms), max(e.ms), string_agg(DISTINCT e.shield, ', '),
    count(*) FILTER (e.swallowed), '', max(e.whole_hit) FILTER (e.swallowed)
{_OF_OURS}
GROUP BY e.fight, s.name, t.name, e.ability
"""
"""What players and their pets took, by pull, source, victim and ability."""
EACH_HIT = f"""
{STRUCK}
SELECT e.fight, coalesce(s.name, 'Environment'), t.name, e.ability, e.amount, 0,
    CAST(e.hurt OR e.swallowed AS INTEGER), CAST(NOT e.hurt AND NOT e.swallowed AS INTEGER),
    e.amount, e.ms, e.line, 0, e.shielded, e.ms, e.ms, e.shield, CAST(e.swallowed AS INTEGER),
    coalesce(e.missed, ''), e.whole_hit, e.health
{_OF_OURS}
"""
"""The same hit by hit, with the size of the whole hit and the health in percent that it left."""
