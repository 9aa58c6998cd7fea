"""Determines the phases of a pull from the log events that start them."""

from __future__ import annotations

from dataclasses import dataclass

from ruleplay.agents.raid.adapters.reports import Reports
from ruleplay.agents.raid.domain.arguments import OfFightPlayer
from ruleplay.agents.raid.domain.reference import tables
from ruleplay.agents.raid.domain.reference.tables import Phase
from ruleplay.agents.raid.domain.tool_result import Row, ToolOutcome
from ruleplay.agents.raid.tools.book import DIED, HARM, IN_PULL, Book
from ruleplay.agents.raid.tools.cells import number
from ruleplay.agents.raid.tools.deeds import deeds
from ruleplay.agents.raid.tools.library import open_pull
from ruleplay.agents.raid.tools.pulls import PullRow

_SEEN = f"""
SELECT min(line), min(ms) FROM events
WHERE {IN_PULL} AND (source IN (SELECT id FROM actors WHERE npc_id = $npc)
    OR target IN (SELECT id FROM actors WHERE npc_id = $npc))
"""
_ACTS = f"""
SELECT min(line), min(ms) FROM events
WHERE {IN_PULL} AND source IN (SELECT id FROM actors WHERE npc_id = $npc)
    AND event NOT LIKE 'SPELL_AURA%'
"""
_HP = f"""
SELECT min(line), min(ms) FROM events
WHERE {IN_PULL} AND info IN (SELECT id FROM actors WHERE npc_id = $npc)
    AND hp_max > 0 AND hp < $value * hp_max
"""
_CAST = f"""
SELECT min(line), min(ms) FROM events
WHERE {IN_PULL} AND event IN ('SPELL_CAST_START', 'SPELL_CAST_SUCCESS') AND spell_id = $spell
    AND ($npc = 0 OR source IN (SELECT id FROM actors WHERE npc_id = $npc))
"""
_AURA = f"""
SELECT min(line), min(ms) FROM events
WHERE {IN_PULL} AND event = 'SPELL_AURA_APPLIED' AND spell_id = $spell
    AND ($npc = 0 OR target IN (SELECT id FROM actors WHERE npc_id = $npc))
"""
_DEATHS = f"""
SELECT line, ms FROM events
WHERE {IN_PULL} AND {DIED}
    AND target IN (SELECT id FROM actors WHERE npc_id = $npc)
ORDER BY line LIMIT 1 OFFSET CAST($value AS BIGINT) - 1
"""
_QUERIES = {
    "seen": _SEEN,
    "acts": _ACTS,
    "hp": _HP,
    "cast": _CAST,
    "aura": _AURA,
    "deaths": _DEATHS,
}


@dataclass(frozen=True)
class Stage:
    """A phase of a pull, lasting until the next one."""

    phase: Phase
    line: int
    start_ms: int
    end_ms: int


def read_stages(book: Book, pull: PullRow) -> list[Stage]:
    """List the phases of a pull in chronological order; empty for an unknown boss."""
    begun: list[tuple[int, int, Phase]] = []
    for phase in tables.phases():
        if phase.encounter_id != pull.encounter_id:
            continue
        found = _began(book, pull, phase)
        if found:
            begun.append((found[1], found[0], phase))
    if not begun:
        return []
    begun.sort(key=lambda one: one[0])
    ends = [one[0] for one in begun[1:]] + [pull.end_ms]
    return [Stage(phase, line, ms, end) for (ms, line, phase), end in zip(begun, ends, strict=True)]


def _began(book: Book, pull: PullRow, phase: Phase) -> tuple[int, int] | None:
    if phase.trigger == "pull":
        return (pull.first, pull.start_ms)
    scope = pull.scope | {
        "npc": phase.npc_id or 0,
        "spell": phase.spell_id or 0,
        "value": phase.value or 0.0,
    }
    found = book.ask(_QUERIES[phase.trigger], scope)
    return (found[0][0], found[0][1]) if found and found[0][0] is not None else None


SUMS = f"""
WITH made AS (
    SELECT coalesce(sum(d.amount) FILTER (d.what = 'damage'), 0) AS damage,
        coalesce(sum(d.amount) FILTER (d.what IN ('heal', 'absorb')), 0) AS healing
    FROM ({deeds(IN_PULL)}) d JOIN actors a ON a.id = d.who
    WHERE a.kind = 'player' AND ($player = 0 OR d.who = $player) AND d.ms >= $from AND d.ms < $to
), suffered AS (
    SELECT coalesce(sum(amount) FILTER (counts AND event IN {HARM}), 0) AS damage_taken,
        count(*) FILTER ({DIED}) AS deaths
    FROM events e JOIN actors t ON t.id = e.target
    WHERE {IN_PULL} AND t.kind = 'player' AND ($player = 0 OR e.target = $player)
        AND e.ms >= $from AND e.ms < $to
)
SELECT CAST(damage AS BIGINT) AS damage, CAST(healing AS BIGINT) AS healing,
    CAST(damage_taken AS BIGINT) AS damage_taken, deaths FROM made, suffered
"""


def get_phase_analysis(reports: Reports, args: OfFightPlayer) -> ToolOutcome:
    """List the phases of a pull with what the raid, or one player, did in each."""
    book, pull, player = open_pull(reports, args)
    rows = [_row(book, pull, stage, player) for stage in read_stages(book, pull)]
    if rows:
        note = "Phases by their triggers in the log; damage and healing include pets and shields."
    else:
        note = f"No phases of {pull.name} are in the reference tables."
    return book.tell(rows, pull=pull, notes=(note,), unknown=True)


def _row(book: Book, pull: PullRow, stage: Stage, player: int) -> Row:
    # Ends are exclusive, so the last phase has to be extended to the pull's last millisecond.
    until = stage.end_ms + (stage.end_ms == pull.end_ms)
    scope = pull.scope | {"from": stage.start_ms, "to": until, "player": player}
    sums = book.rows(SUMS, scope)[0]
    seconds = max((stage.end_ms - stage.start_ms) / 1000, 0.0)
    row: Row = {"player": book.players[player].name} if player else {"player": "raid"}
    rate = max(seconds, 0.1)
    return row | {
        "phase": stage.phase.name,
        "number": stage.phase.phase,
        "trigger": _trigger(stage.phase),
        "start": pull.at(stage.start_ms),
        "seconds": round(seconds, 1),
        **sums,
        "dps": round(number(sums["damage"]) / rate, 1),
        "hps": round(number(sums["healing"]) / rate, 1),
        "line": stage.line,
    }


def _trigger(phase: Phase) -> str:
    names = tables.creatures()
    who = names[phase.npc_id].name if phase.npc_id in names else "the boss"
    told = {
        "pull": "the pull",
        "seen": f"first line of {who}",
        "acts": f"first act of {who}",
        "hp": f"{who} under {100 * (phase.value or 0):g}% health",
        "cast": f"cast of spell {phase.spell_id}",
        "aura": f"aura of spell {phase.spell_id}",
        "deaths": f"{phase.value or 0:g} deaths of {who}",
    }
    return told[phase.trigger]
