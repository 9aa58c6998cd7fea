"""The tools' numbers against a second count of the log: every player, every pull, every tool."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from benchmarks.raid import recount
from pydantic import BaseModel, ConfigDict

from ruleplay.agents.raid.adapters.log_import import import_logs
from ruleplay.agents.raid.adapters.reports import Report, Reports, open_reports
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.tools.cells import number
from ruleplay.agents.raid.tools.registry import run_tool
from ruleplay.errors import RuleplayError, UserError

Progress: TypeAlias = Callable[[int, int], None]
Sums = Mapping[str, Mapping[str, int]]

MEASURES = (
    *("damage", "pet_damage", "overkill", "friendly_fire", "healing", "absorbs", "heal_absorbed"),
    *("pet_healing", "overheal", "damage_taken", "deaths", "killing_blows", "interrupts"),
    "dispels",
)
CLOSE = 0.11
"""Seconds by which an uptime may differ: the tools tell tenths."""
_SHOWN = 50


class Difference(BaseModel):
    """A number on which a tool and the second count disagree."""

    model_config = ConfigDict(frozen=True)

    fight: int
    tool: str
    who: str
    measure: str
    told: float
    counted: float


class TruthReport(BaseModel):
    """How many numbers were compared, by tool, and those that differ; the first ones are listed."""

    model_config = ConfigDict(frozen=True)

    log: str
    pulls: int
    compared: dict[str, int]
    equal: int
    different: int
    differences: tuple[Difference, ...]
    adopted: dict[str, str] = {}
    """Pets by whose owner only conclusions tell; the sums are checked with it."""


async def bench_truth(
    data: Path | None = None, on_progress: Progress = lambda done, total: None
) -> TruthReport:
    """Import a log into a folder of its own and compare; UserError without a log."""
    return await asyncio.to_thread(import_and_compare, data, on_progress)


def import_and_compare(data: Path | None, on_progress: Progress) -> TruthReport:
    """Import a log into a temporary folder and compare its report with it."""
    if data is None or not data.is_file():
        raise UserError("Name a combat log: ruleplay bench raid-truth WoWCombatLog.txt")
    with TemporaryDirectory() as folder:
        code = import_logs([data], Path(folder)).report
        reports = open_reports(Path(folder))
        try:
            return compare(data, reports, code, on_progress)
        finally:
            reports.close()


def compare(
    data: Path,
    reports: Reports,
    code: str,
    on_progress: Progress = lambda done, total: None,
    most: int = 1_000,
) -> TruthReport:
    """Compare every pull of a report with the log that it was made from, `most` spread evenly."""
    report, log = reports.open(code), recount.read_log(data)
    pulls = [
        tuple(map(_whole, row))
        for row in report.query("SELECT fight, start_line, end_line FROM encounters")[1]
    ]
    pulls = pulls[:: -(-len(pulls) // most) or 1]
    adopted = _adopted(report, log)
    log.owners.update(adopted)
    counted = recount.sum_up(log, [(fight, first, last) for fight, first, last in pulls])
    executed = run_tool(reports, "get_raid_execution", {"report_code": code}).rows
    raid = {_whole(row["fight"]): row for row in executed}
    compared: dict[str, int] = defaultdict(int)
    different: list[Difference] = []
    for place, (fight, _, _) in enumerate(pulls):
        for one in (
            *_sums(reports, code, fight, counted[fight], raid[fight]),
            *_ups(reports, report, fight, log),
        ):
            compared[one.tool] += 1
            close = CLOSE if one.measure.endswith("seconds") else 0
            if abs(one.told - one.counted) > close:
                different.append(one)
        on_progress(place + 1, len(pulls))
    return TruthReport(
        log=data.name,
        pulls=len(pulls),
        compared=dict(compared),
        equal=sum(compared.values()) - len(different),
        different=len(different),
        differences=tuple(different[:_SHOWN]),
        adopted={log.names[pet]: log.names[owner] for pet, owner in adopted.items()},
    )


def _adopted(report: Report, log: recount.Log) -> dict[str, str]:
    """Return the owners that the import concluded and no line tells: they are taken as told."""
    sql = "SELECT p.guid, o.guid FROM actors p JOIN actors o ON o.id = p.owner"
    told = {str(pet): str(owner) for pet, owner in report.query(sql)[1]}
    return {pet: who for pet, who in told.items() if pet not in log.owners and pet in log.names}


def _whole(value: object) -> int:
    return int(str(value))


def _rows(reports: Reports, tool: str, code: str, fight: int) -> list[Row]:
    outcome = run_tool(reports, tool, {"report_code": code, "fight_id": str(fight)})
    if outcome.problem:
        raise RuleplayError(outcome.problem)
    return list(outcome.rows)


def _sums(
    reports: Reports, code: str, fight: int, counted: Sums, raid: Row
) -> Iterator[Difference]:
    """Yield each number of the tools about a pull beside the second count's."""
    rows = _rows(reports, "get_fight_details", code, fight)
    players = {str(row["player"]): row for row in rows if row["role"] != "pet"}
    for who in sorted({*players, *(name for name in counted if _matters(counted[name]))}):
        for measure in MEASURES:
            told = number(players.get(who, {}).get(measure))
            mine = counted.get(who, {}).get(measure, 0)
            yield _one(fight, "get_fight_details", who, measure, told, mine)
    for tool, measure, told_by in _tools(reports, code, fight):
        for who in sorted(players):
            parts = measure.split("+")
            mine = sum(counted.get(who, {}).get(part, 0) for part in parts)
            yield _one(fight, tool, who, measure, told_by.get(who, 0), mine)
    strays = {who: one for who, one in counted.items() if one.keys() <= {"pet_damage"}}
    everyone = {**strays, **{who: counted.get(who, {}) for who in players}}
    yield from _raid(reports, code, fight, everyone, raid)


def _matters(one: Mapping[str, int]) -> bool:
    return any(one.get(measure) for measure in ("damage", "healing", "deaths"))


def _one(fight: int, tool: str, who: str, measure: str, told: float, counted: float) -> Difference:
    return Difference(fight=fight, tool=tool, who=who, measure=measure, told=told, counted=counted)


def _tools(reports: Reports, code: str, fight: int) -> Iterator[tuple[str, str, dict[str, float]]]:
    """Yield a tool, what it measures, and its sums by player."""
    abilities = _rows(reports, "get_ability_breakdown", code, fight)
    own = [row for row in abilities if not row["pet"]]
    pets = [row for row in abilities if row["pet"]]
    yield "get_ability_breakdown", "damage", _by_player(own, "damage")
    yield "get_ability_breakdown", "pet_damage", _by_player(pets, "damage")
    yield "get_ability_breakdown", "healing", _by_player(own, "healing")
    yield "get_ability_breakdown", "pet_healing", _by_player(pets, "healing")
    heals = _rows(reports, "get_overheal_analysis", code, fight)
    sums = [row for row in heals if row["ability"] == "(all)"]
    yield "get_overheal_analysis", "healing", _by_player(sums, "healing")
    yield "get_overheal_analysis", "overheal", _by_player(sums, "overheal")
    taken = _rows(reports, "get_damage_taken", code, fight)
    yield "get_damage_taken", "damage_taken", _by_player(taken, "damage_taken")
    died = [{**row, "deaths": 1} for row in _rows(reports, "get_death_analysis", code, fight)]
    yield "get_death_analysis", "deaths", _by_player(died, "deaths")
    cuts = [row for row in _rows(reports, "get_missed_interrupts", code, fight) if "player" in row]
    yield "get_missed_interrupts", "interrupts", _by_player(cuts, "interrupts")
    dispels = _rows(reports, "get_dispel_report", code, fight)
    sums = [row for row in dispels if row.get("player") and row.get("aura") == "(all)"]
    yield "get_dispel_report", "dispels", _by_player(sums, "dispels")


def _by_player(rows: list[Row], column: str) -> dict[str, float]:
    sums: dict[str, float] = defaultdict(float)
    for row in rows:
        sums[str(row["player"])] += number(row[column])
    return sums


def _raid(reports: Reports, code: str, fight: int, counted: Sums, row: Row) -> Iterator[Difference]:
    """Yield what the tools tell of the raid as a whole; `row` tells it of the raid's pulls."""
    for column, parts in {
        "damage": ("damage", "pet_damage"),
        "healing": ("healing", "pet_healing"),
        "deaths": ("deaths",),
        "interrupts": ("interrupts",),
        "dispels": ("dispels",),
    }.items():
        mine = sum(one.get(part, 0) for one in counted.values() for part in parts)
        yield _one(fight, "get_raid_execution", "raid", column, number(row[column]), mine)
    steps = _rows(reports, "get_damage_timeline", code, fight)
    for column, parts in {"damage": ("damage", "pet_damage"), "deaths": ("deaths",)}.items():
        mine = sum(one.get(part, 0) for one in counted.values() for part in parts)
        whole = sum(number(step[column]) for step in steps)
        yield _one(fight, "get_damage_timeline", "raid", column, whole, mine)


def _ups(reports: Reports, report: Report, fight: int, log: recount.Log) -> Iterator[Difference]:
    """Yield each uptime that the tools tell of a pull beside the second count's."""
    sql = "SELECT start_line, end_line, start_ms, end_ms, bosses FROM encounters WHERE fight = $f"
    first, last, begin, end, bosses = report.query(sql, {"f": fight})[1][0]
    clock = report.start_clock_ms
    pull = (_whole(first), _whole(last), _whole(begin) + clock, _whole(end) + clock)
    guids = {str(row[0]): str(row[1]) for row in report.query("SELECT id, guid FROM actors")[1]}
    listed = bosses if isinstance(bosses, list) else []
    wanted = {guids[str(boss)] for boss in listed} or {*log.names}
    players = {guid for guid in log.names if log.is_player(guid)}
    for tool, targets, kind, column, who in (
        ("get_debuff_uptimes", wanted, "DEBUFF", "debuff", "target"),
        ("get_buff_analysis", players, "BUFF", "buff", "player"),
    ):
        mine = {(n, s): up for n, s, up in recount.uptimes(log, pull, targets, kind)}
        told = {
            (str(row[who]), str(row["spell_id"])): number(row["uptime_seconds"])
            for row in _rows(reports, tool, report.code, fight)
            if not row.get("from_pull")
        }
        for key in sorted({*mine, *told}):
            name, measure = key[0], f"{column} {key[1]} seconds"
            yield _one(fight, tool, name, measure, told.get(key, 0), mine.get(key, 0))
