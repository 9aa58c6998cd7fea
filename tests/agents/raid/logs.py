"""Combat logs for tests: the real ones, and lines of every dialect made from parts."""

from __future__ import annotations

import csv
from collections import Counter, deque
from datetime import datetime
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from tests.shared import shared_data

from ruleplay.agents.raid.adapters.log_import import ImportReport, import_logs

REAL = (
    "era_1.15.1_raid.txt",
    "naxxramas_3.3.5a_part.txt",
    "tbc_2.5.1_arena.txt",
    "tbc_2.5.1_arenas.txt",
    "wrath_3.4.0_battleground.txt",
    "wrath_3.4.3_arena_feign_death.txt",
    "retail_7.3_legion_encounters_only.txt",
    "retail_9.0.2_torghast.txt",
    "retail_12.0_arena_round.txt",
    "retail_12.0_raid_dimensius_two_short_wipes.txt",
    "retail_12.0_raid_fractillus_kill.txt",
)
DAMAGE = {
    "SWING_DAMAGE",
    "RANGE_DAMAGE",
    "SPELL_DAMAGE",
    "SPELL_PERIODIC_DAMAGE",
    "DAMAGE_SHIELD",
}

HERO = 'Player-1-00000001,"Hero-Realm",0x511,0x0'
PRIEST = 'Player-1-00000002,"Priest-Realm",0x512,0x0'
BOSS = 'Creature-0-1-544-1-17257-0000000001,"Magtheridon",0xa48,0x0'
NULL = "0000000000000000,nil,0x80000000,0x80000000"


@cache
def imported(name: str) -> tuple[Path, ImportReport]:
    """Import a real log once for all tests that only read it: its home's folder, the report."""
    folder = Path(mkdtemp(prefix="ruleplay-raid-"))
    return folder, import_logs([shared_data("raid") / name], folder / "home")


def advanced(width: int, guid: str, hp: int = 100, hp_max: int = 100) -> str:
    """Return an advanced block of so many fields."""
    extra = ",7" * (width - 16)
    return f"{guid},0000000000000000,{hp},{hp_max},10,20,30{extra},0,5,6,0,-1.50,2.25,99,0.5,70"


def strike(width: int = 16, amount: int = 100, overkill: int = -1, tail: str = "") -> str:
    """Return the hero's spell hitting the boss, without timestamp."""
    block = advanced(width, "Creature-0-1-544-1-17257-0000000001", 5000, 10000)
    head = f'SPELL_DAMAGE,{HERO},{BOSS},30451,"Arcane Blast",0x40'
    return f"{head},{block},{amount},{amount + 9},{overkill},64,1,2,3,1,nil,nil{tail}"


def stamped(bodies: list[str], *, style: str = "3/24", start: int = 0, step: int = 100) -> str:
    """Put timestamps before lines, `step` milliseconds apart, from 20:00 on."""
    lines = []
    for number, body in enumerate(bodies):
        ms = start + number * step
        clock = f"{20 + ms // 3_600_000:02}:{ms // 60_000 % 60:02}:{ms // 1000 % 60:02}"
        zone = "1-5" if style.count("/") == 2 else ""
        lines.append(f"{style} {clock}.{ms % 1000:03}{zone}  {body}\n")
    return "".join(lines)


def _moment(stamp: str) -> float:
    date, _, clock = stamp.partition(" ")
    stamp = f"{'/'.join(date.split('/')[:2])} {clock[:12]}"
    when = datetime.strptime(f"2024/{stamp}+0000", "%Y/%m/%d %H:%M:%S.%f%z")
    return when.timestamp() * 1000


Blow = tuple[float, bool, int, list[str]]


def naive_damage(path: Path) -> Counter[str]:
    """Add up damage by name of the source, line by line with the csv module."""
    totals: Counter[str] = Counter()
    swings: list[Blow] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        stamp, _, body = line.partition("  ")
        fields = next(csv.reader([body]))
        event = fields[0]
        if event == "SWING_MISSED" and "ABSORB" in fields:
            swings.append((_moment(stamp), False, 0, fields))  # its landing is one of 0
        if event not in DAMAGE | {"SWING_DAMAGE_LANDED"}:
            continue
        old = len(fields[4]) == 18
        tail = fields[-1] in {"ST", "AOE"}
        amount = int(fields[-9 if old else -10 - tail])
        totals[fields[2]] += amount
        if event in {"SWING_DAMAGE", "SWING_DAMAGE_LANDED"}:
            swings.append((_moment(stamp), event != "SWING_DAMAGE", amount, fields))
    for by_amount in (True, False):
        swings = _paired(swings, totals, by_amount=by_amount)
    return totals


def _paired(swings: list[Blow], totals: Counter[str], *, by_amount: bool) -> list[Blow]:
    """Take one of each pair out of the sums, the swing if unequal; return what is alone."""
    alone: dict[tuple[str, str, int], deque[Blow]] = {}
    matched = set[int]()
    for blow in swings:
        when, landed, amount, fields = blow
        waiting = alone.setdefault((fields[1], fields[5], amount if by_amount else 0), deque())
        while waiting and abs(when - waiting[0][0]) > 500.5:
            waiting.popleft()
        if waiting and waiting[0][1] is not landed:
            other = waiting.popleft()
            totals[fields[2]] -= amount if landed is by_amount else other[2]
            matched |= {id(blow), id(other)}
        else:
            waiting.append(blow)
    return [blow for blow in swings if id(blow) not in matched]
