"""Players' performance in a pull: totals, abilities, overheal, damage taken, activity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ruleplay.agents.raid.adapters.reports import Reports
from ruleplay.agents.raid.domain.arguments import OfFight, OfFightPlayer, Timeline
from ruleplay.agents.raid.domain.tool_result import Row, ToolOutcome
from ruleplay.agents.raid.tools.book import (
    DIED,
    HARM,
    IN_PULL,
    IN_PULLS,
    Book,
    span,
)
from ruleplay.agents.raid.tools.cells import number
from ruleplay.agents.raid.tools.deeds import (
    ACTIVE_RULE,
    DAMAGE_RULE,
    HEALING_RULE,
    NOTHING,
    TOTAL_COLUMNS,
    UNOWNED,
    UNOWNED_RULE,
    acts,
    busy,
    casts,
    deeds,
    nobodys_pets,
    totals,
    with_pets,
)
from ruleplay.agents.raid.tools.library import open_pull
from ruleplay.agents.raid.tools.pulls import PullRow
from ruleplay.agents.raid.tools.suffered import STRUCK, TAKEN_RULE


def get_fight_details(reports: Reports, args: OfFight) -> ToolOutcome:
    """List everyone in a pull, sorted by damage."""
    book, pull, _ = open_pull(reports, args)
    sums = totals(book, [pull])
    rows: list[Row] = []
    for player in book.taking_part(pull):
        did = sums.get((pull.fight, player.id), NOTHING | with_pets(NOTHING))
        rates: Row = {
            "dps": round(did["total_damage"] / max(pull.seconds, 0.1), 1),
            "hps": round(did["total_healing"] / max(pull.seconds, 0.1), 1),
        }
        sums_of: Row = {column: did[column] for column in (*TOTAL_COLUMNS, *_WITH_PETS)}
        rows.append(player.told | sums_of | rates)
    nobodys = unowned(book, pull)
    rows += nobodys
    rows.sort(key=lambda row: (-number(row["total_damage"]), str(row["player"])))
    notes = (DAMAGE_RULE, HEALING_RULE, TAKEN_RULE, ACTIVE_RULE)
    return book.tell(rows, pull=pull, notes=(*([UNOWNED_RULE] if nobodys else []), *notes))


_WITH_PETS = ("total_damage", "total_healing")


def unowned(book: Book, pull: PullRow) -> list[Row]:
    """List the damage of friendly pets without a known owner."""
    nothing: Row = dict.fromkeys((*TOTAL_COLUMNS, *_WITH_PETS, "dps", "hps"), 0)
    return [
        {"player": name, "class": "", "spec": "", "role": "pet"}
        | nothing
        | {"pet_damage": damage, "total_damage": damage}
        | {"dps": round(damage / max(pull.seconds, 0.1), 1)}
        for name, damage in sorted(nobodys_pets(book, [pull]).get(pull.fight, {}).items())
    ]


ABILITIES = f"""
WITH deeds AS ({deeds(IN_PULL)}), e AS (
    SELECT who, by_pet, spell, spell_id, what, amount, over, critical, event, 'deed' AS row_kind
    FROM deeds WHERE what <> 'friendly'
    UNION ALL SELECT source, false, spell, spell_id, 'cast', 0, 0, false, 'cast', 'cast'
        FROM ({casts(IN_PULL)})
    UNION ALL SELECT coalesce(owner, source), owner IS NOT NULL AND owner <> source,
            coalesce(spell, 'Melee'), spell_id, 'miss', 0, 0, false, event, 'miss'
        FROM events WHERE {IN_PULL} AND source IS NOT NULL AND miss_type IS DISTINCT FROM 'ABSORB'
            AND event IN ('SWING_MISSED', 'RANGE_MISSED', 'SPELL_MISSED', 'SPELL_PERIODIC_MISSED')
), sums AS (
    SELECT who, CASE WHEN by_pet THEN 'pet: ' || spell ELSE spell END AS ability,
        max(spell_id) AS spell_id, bool_or(by_pet) AS by_pet,
        CAST(coalesce(sum(amount) FILTER (what = 'damage'), 0) AS BIGINT) AS damage,
        CAST(coalesce(sum(amount) FILTER (what IN ('heal', 'absorb')), 0) AS BIGINT) AS healing,
        CAST(coalesce(sum(over) FILTER (what = 'damage'), 0) AS BIGINT) AS overkill,
        count(*) FILTER (row_kind = 'deed') AS hits,
        count(*) FILTER (row_kind = 'deed' AND critical) AS crits,
        count(*) FILTER (row_kind = 'cast') AS casts, count(*) FILTER (row_kind = 'miss') AS misses
    FROM e JOIN actors a ON a.id = e.who
    WHERE a.kind = 'player' AND ($player = 0 OR e.who = $player) GROUP BY 1, 2
)
SELECT a.name AS player, s.ability, s.spell_id, s.by_pet AS pet, s.damage, s.healing, s.hits,
    s.casts, s.misses, round(100.0 * s.crits / nullif(s.hits, 0), 1) AS crit_percent,
    round(100.0 * s.damage / nullif(sum(s.damage) OVER (PARTITION BY s.who), 0), 1)
        AS damage_percent,
    round(100.0 * s.healing / nullif(sum(s.healing) OVER (PARTITION BY s.who), 0), 1)
        AS healing_percent, s.overkill
FROM sums s JOIN actors a ON a.id = s.who
WHERE s.damage + s.healing + s.casts + s.misses > 0
ORDER BY sum(s.damage + s.healing) OVER (PARTITION BY s.who) DESC, player,
    s.damage + s.healing DESC, s.ability
"""


def get_ability_breakdown(reports: Reports, args: OfFightPlayer) -> ToolOutcome:
    """Break damage and healing down by ability."""
    book, pull, player = open_pull(reports, args)
    rows = book.rows(ABILITIES, pull.scope | {"player": player})
    notes = (
        DAMAGE_RULE,
        HEALING_RULE,
        "Shares are of the player's own sum, pets included; pets' abilities begin with 'pet: '.",
    )
    return book.tell(rows, pull=pull, notes=notes)


OVERHEAL = f"""
WITH e AS (
    SELECT who, spell, spell_id, amount, over FROM ({deeds(IN_PULL)})
    WHERE what IN ('heal', 'absorb') AND NOT by_pet AND ($player = 0 OR who = $player)
)
SELECT a.name AS player, coalesce(e.spell, '(all)') AS ability, max(e.spell_id) AS spell_id,
    CAST(sum(e.amount) AS BIGINT) AS healing, CAST(sum(e.over) AS BIGINT) AS overheal,
    round(100.0 * sum(e.over) / nullif(sum(e.amount + e.over), 0), 1) AS overheal_percent,
    count(*) AS hits
FROM e JOIN actors a ON a.id = e.who WHERE a.kind = 'player'
GROUP BY GROUPING SETS ((a.name, e.spell), (a.name))
ORDER BY max(sum(e.amount + e.over)) OVER (PARTITION BY a.name) DESC, player,
    grouping(e.spell) DESC, sum(e.amount + e.over) DESC, e.spell
"""


OWN_HEALING = "What pets healed is not in these sums and percents; in a tally of overheal it is."


def get_overheal_analysis(reports: Reports, args: OfFightPlayer) -> ToolOutcome:
    """List healing and overheal by healer and spell; '(all)' is the healer's total."""
    book, pull, player = open_pull(reports, args)
    rows = book.rows(OVERHEAL, pull.scope | {"player": player})
    for row in rows:
        if row["ability"] == "(all)":
            row["spell_id"] = None
    notes = (
        HEALING_RULE,
        "Overheal in percent is of everything healed, overheal included.",
        OWN_HEALING,
    )
    return book.tell(rows, pull=pull, notes=notes)


TAKEN = f"""
{STRUCK.replace(IN_PULLS, IN_PULL)}
SELECT t.name AS player, e.ability, max(e.spell_id) AS spell_id,
    coalesce(s.name, 'Environment') AS source, CAST(sum(e.amount) AS BIGINT) AS damage_taken,
    count(*) AS hits, CAST(sum(e.shielded) AS BIGINT) AS absorbed,
    count(*) FILTER (e.swallowed) AS absorbed_hits, max(e.amount) AS biggest_hit
FROM struck e JOIN actors t ON t.id = e.target LEFT JOIN actors s ON s.id = e.source
WHERE (e.hurt OR e.swallowed) AND t.kind = 'player' AND ($player = 0 OR e.target = $player)
GROUP BY t.name, e.ability, s.name
ORDER BY sum(sum(e.amount)) OVER (PARTITION BY t.name) DESC, player, damage_taken DESC, ability,
    source
"""


def get_damage_taken(reports: Reports, args: OfFightPlayer) -> ToolOutcome:
    """List damage taken by player, ability and source."""
    book, pull, player = open_pull(reports, args)
    rows = book.rows(TAKEN, pull.scope | {"player": player})
    return book.tell(rows, pull=pull, notes=(TAKEN_RULE,))


TIMELINE = f"""
WITH made AS (
    SELECT (d.ms - $start) // (1000 * $step) * $step AS step_at,
        sum(d.amount) FILTER (d.what = 'damage') AS damage,
        sum(d.amount) FILTER (d.what IN ('heal', 'absorb')) AS healing
    FROM ({deeds(IN_PULL)}) d JOIN actors a ON a.id = d.who
    WHERE (a.kind = 'player' AND ($player = 0 OR d.who = $player))
        OR ($player = 0 AND d.what = 'damage' AND {UNOWNED}) GROUP BY 1
), steps AS (
    SELECT unnest(range(0, greatest(CAST(ceil($seconds) AS BIGINT), 1), $step)) AS step_at
), suffered AS (
    SELECT (e.ms - $start) // (1000 * $step) * $step AS step_at,
        sum(amount) FILTER (counts AND event IN {HARM}) AS damage_taken,
        count(*) FILTER ({DIED}) AS deaths
    FROM events e JOIN actors t ON t.id = e.target
    WHERE {IN_PULL} AND t.kind = 'player' AND ($player = 0 OR e.target = $player) GROUP BY 1
)
SELECT CAST(step_at AS DOUBLE) AS "at", CAST(coalesce(damage, 0) AS BIGINT) AS damage,
    round(coalesce(damage, 0) / $step, 1) AS dps,
    CAST(coalesce(healing, 0) AS BIGINT) AS healing,
    CAST(coalesce(damage_taken, 0) AS BIGINT) AS damage_taken, coalesce(deaths, 0) AS deaths
FROM steps LEFT JOIN made USING (step_at) LEFT JOIN suffered USING (step_at) ORDER BY step_at
"""


def get_damage_timeline(reports: Reports, args: Timeline) -> ToolOutcome:
    """Describe each time step of a pull."""
    book, pull, player = open_pull(reports, args)
    rows = book.rows(TIMELINE, pull.scope | {"player": player, "step": args.step_seconds})
    name = book.players[player].name if player else "raid"
    rows = [{"player": name, **row} for row in rows]
    step = f"Steps of {args.step_seconds} s; damage here includes pets; dps is per step."
    return book.tell(rows, pull=pull, notes=(step, HEALING_RULE, TAKEN_RULE))


LONGEST, CAST_TIME = 3, 10_000
"""Number of pauses that are told of a player; milliseconds that casting a spell takes at most."""
# Who begins a spell does not pause, whether or not it is finished, nor until its end; only what is
# done counts as activity.
CASTS = f"""
WITH acts AS (
    SELECT fight, source, line, ms, kind FROM ({acts(IN_PULLS)})
    UNION ALL SELECT fight, source, line, ms, 'begun' FROM events
    WHERE {IN_PULLS} AND event = 'SPELL_CAST_START'
), steps AS (
    SELECT fight, source, ms, kind, lag(ms) OVER done AS before,
        ms - lag(ms) OVER told AS gap, lag(kind) OVER told AS after
    FROM acts WHERE source IN (SELECT id FROM actors WHERE kind = 'player')
    WINDOW told AS (PARTITION BY fight, source ORDER BY line, kind = 'begun', kind),
        done AS (PARTITION BY fight, source, kind = 'begun' ORDER BY line, kind)
)
SELECT fight, source, count(*) FILTER (kind = 'cast'),
    coalesce(sum({busy("0")}) FILTER (kind <> 'begun'), 0) + 1500,
    coalesce(sum(ms - before) FILTER (kind = 'freed'), 0), min(ms), max(ms),
    coalesce(list_slice(list_reverse_sort(list((gap, gap - ms)) FILTER (gap IS NOT NULL
        AND kind <> 'freed' AND NOT (after = 'begun' AND kind = 'cast' AND gap < {CAST_TIME}))),
    1, {LONGEST}), [])
FROM steps GROUP BY fight, source HAVING bool_or(kind <> 'begun')
"""
FIRST_DEATHS = f"""
SELECT fight, target, min(ms) FROM events WHERE {IN_PULLS} AND {DIED}
    AND target IN (SELECT id FROM actors WHERE kind = 'player') GROUP BY fight, target
"""


@dataclass(frozen=True)
class Casts:
    """A player's casts in a pull: number, busy and held time, first and last sign, in ms.

    `pauses` are the longest gaps between these, each with its negated start.
    """

    count: int
    busy: int
    held: int
    first: int
    last: int
    pauses: Sequence[tuple[int, int]]


def get_activity_report(reports: Reports, args: OfFightPlayer) -> ToolOutcome:
    """Measure how active each player was while alive, least active first."""
    book, pull, player = open_pull(reports, args)
    rows = [row for row in activity(book, pull) if not player or row["player_id"] == player]
    rows.sort(key=lambda row: number(row["active_percent"]))
    for row in rows:
        del row["player_id"]
    notes = (
        ACTIVE_RULE,
        "The percentage is of the time alive: from the pull to the first death, or to its end. A"
        " pause is without any cast, also one that was begun and not finished.",
    )
    return book.tell(rows, pull=pull, notes=notes)


def activity(book: Book, pull: PullRow) -> list[Row]:
    """Measure everyone's activity in a pull."""
    return activities(book, [pull])[pull.fight]


def activities(book: Book, pulls: Sequence[PullRow]) -> dict[int, list[Row]]:
    """Measure everyone's activity in each of these pulls, by pull."""
    scope = span(book.together(pulls))
    casts = {(row[0], row[1]): Casts(*row[2:]) for row in book.ask(CASTS, scope)}
    died = {(row[0], row[1]): row[2] for row in book.ask(FIRST_DEATHS, scope)}
    return {
        pull.fight: [
            player.told
            | {"player_id": player.id}
            | _active(
                pull,
                casts.get((pull.fight, player.id)),
                died.get((pull.fight, player.id), pull.end_ms),
            )
            for player in book.taking_part(pull)
        ]
        for pull in pulls
    }


def _active(pull: PullRow, casts: Casts | None, until: int) -> Row:
    alive = max((until - pull.start_ms) / 1000, 0.1)
    busy = min(casts.busy, until - pull.start_ms) if casts else 0
    able = max(alive - casts.held / 1000, 0.1) if casts else alive
    pauses = sorted(_pauses(pull, casts, until), reverse=True)[:LONGEST]
    gap, since = pauses[0]
    return {
        "active_seconds": round(busy / 1000, 1),
        "alive_seconds": round(alive, 1),
        "active_percent": round(min(100.0, busy / 10 / able), 1),
        "casts": casts.count if casts else 0,
        "longest_gap_seconds": round(gap / 1000, 1),
        "longest_gap_at": pull.at(since),
        "pauses": [
            f"{round(gap / 1000, 1):g} s from {pull.at(since):g} s" for gap, since in pauses
        ],
    }


def _pauses(pull: PullRow, casts: Casts | None, until: int) -> Iterator[tuple[int, int]]:
    """Yield pauses with their starts: before the first cast, the longest between, after them."""
    if casts is None:
        yield until - pull.start_ms, pull.start_ms
        return
    yield casts.first - pull.start_ms, pull.start_ms
    yield from ((gap, -since) for gap, since in casts.pauses)
    yield max(until, casts.last) - casts.last, casts.last
