"""A second count of a combat log, line by line, that shares no code with the import or the tools.

It reads the raw text with nothing but string operations, so that it can contradict them. What it
takes from the report are the pulls' lines and the units that are bosses; all else it finds itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

DAMAGE = {"RANGE_DAMAGE", "SPELL_DAMAGE", "SPELL_PERIODIC_DAMAGE", "DAMAGE_SHIELD"}
SWINGS = {"SWING_DAMAGE", "SWING_DAMAGE_LANDED"}
HEALS = {"SPELL_HEAL", "SPELL_PERIODIC_HEAL"}
MISSES = {"RANGE_MISSED", "SPELL_MISSED", "SPELL_PERIODIC_MISSED", "DAMAGE_SHIELD_MISSED"}
ACTS = {"SPELL_CAST_SUCCESS", "SPELL_CAST_START", "SWING_DAMAGE", "SWING_MISSED"}
ON_OWN_PET = {
    *("Mend Pet", "Go for the Throat", "Bestial Wrath", "Kill Command", "Feed Pet Effect"),
    *("Health Funnel", "Soul Link", "Fel Synergy", "Demonic Empowerment", "Master Demonologist"),
    *("Demonic Sacrifice", "Ghoul Frenzy", "Death Pact"),
}
SELF_REVIVAL = {"20608", "21169", "3026", "20758", "20759", "20760", "20761", "27240", "47882"}
FEIGN, SPIRIT = "5384", "27827"
NO_SHIELDS = {"115069", "31230", "31850", "86949", "114556", "209258"}
"""Stagger, and what stops a deadly blow: written like shields, and no healing."""
NULL = {"0000000000000000", "0x0000000000000000", "nil", ""}
HALF = 43_200_000
WITH_BLOCK = ("_DAMAGE", "_HEAL", "_ENERGIZE", "_DRAIN", "_LEECH", "_CAST_SUCCESS", "_LANDED")


@dataclass(frozen=True)
class Line:
    """A line of a unit's event: its number, milliseconds, event, units and further fields."""

    number: int
    ms: int
    event: str
    source: str
    source_flags: int
    target: str
    target_flags: int
    rest: list[str]
    old: bool

    @property
    def spell(self) -> str:
        """The spell's id."""
        return self.rest[0] if self.event.startswith(("SPELL", "RANGE", "DAMAGE")) else ""


@dataclass
class Log:
    """The lines, and the units' names, flags and owners."""

    lines: list[Line] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    flags: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    owners: dict[str, str] = field(default_factory=dict)

    def is_player(self, guid: str) -> bool:
        """Tell a player by its GUID."""
        return guid.startswith("Player-") or (guid.startswith("0x0") and guid not in NULL)

    def owner(self, guid: str, flags: int | None = None) -> str:
        """Return the player that owns a unit and is credited with what it does so; "" if none."""
        if not self.flags[guid] & 0x100 or (flags is not None and flags & 0x140 == 0x40):
            return ""
        for _ in range(5):
            guid = self.owners.get(guid, "")
            if self.is_player(guid):
                return guid
        return ""

    def is_stray(self, guid: str) -> bool:
        """Tell a friendly pet or guardian of a player's that no line and nobody else owns."""
        flags = self.flags[guid]
        return bool(flags & 0x3000 and flags & 0x100 and flags & 0x10) and guid not in self.owners

    def who(self, line: Line) -> tuple[str, bool]:
        """Return the player that is credited with a line, and whether a pet did it."""
        if self.is_player(line.source):
            return line.source, False
        return self.owner(line.source, line.source_flags), True


def fields_of(text: str) -> list[str]:
    """Split at commas outside quotes and brackets."""
    parts = text.split(",")
    if all(part.count('"') in (0, 2) for part in parts if '"' in part):
        return parts
    found, part, quoted = [], "", False
    for char in text:
        quoted ^= char == '"'
        if char == "," and not quoted:
            found.append(part)
            part = ""
        else:
            part += char
    return [*found, part]


def read_log(path: Path) -> Log:
    """Read a log's lines that have units."""
    log, day, before = Log(), 0, -1
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        for number, text in enumerate(file, 1):
            stamp, gap, body = text.rstrip("\r\n").partition("  ")
            event = body.partition(",")[0]
            if not gap or event in {"COMBATANT_INFO", "EMOTE"} or not event.isupper():
                continue
            parts = fields_of(body)
            clock = _clock(stamp)
            if before >= 0:
                day += 86_400_000 * ((clock < before - HALF) - (clock > before + HALF))
            before = clock
            old = len(parts) > 6 and len(parts[4]) == 18 and parts[4].startswith("0x")
            if len(parts) < (7 if old else 9) or not parts[3].startswith("0x"):
                continue
            _take(log, number, clock + day, parts, old)
    _tie_pets(log)
    return log


def _clock(stamp: str) -> int:
    hours, minutes, rest = stamp.split(" ")[1].split(":")
    return (int(hours) * 60 + int(minutes)) * 60_000 + int(rest[:2]) * 1000 + int(rest[3:6])


def _take(log: Log, number: int, ms: int, parts: list[str], old: bool) -> None:
    size = 3 if old else 4
    event, source, target = parts[0], parts[1], parts[1 + size]
    flags = int(parts[3], 16), int(parts[3 + size], 16)
    for guid, name, flag in ((source, parts[2], flags[0]), (target, parts[2 + size], flags[1])):
        if guid not in NULL:
            log.flags[guid] |= flag
            if log.names.get(guid, "Unknown") == "Unknown":
                log.names[guid] = name.strip('"')
    rest = parts[1 + 2 * size :]
    line = Line(number, ms, event, source, flags[0], target, flags[1], rest, old)
    log.lines.append(line)
    if event in {"SPELL_SUMMON", "SPELL_CREATE"} and {source, target}.isdisjoint(NULL):
        _own(log, target, source)
    elif not old and event.endswith(WITH_BLOCK) and "SUPPORT" not in event:
        at = 0 if event.startswith(("SWING", "ENVIRON")) else 3
        if len(rest) > at + 15 and rest[at] not in NULL and rest[at + 1] not in NULL:
            _own(log, rest[at], rest[at + 1])
    tied = event.startswith("SPELL_") and rest[1].strip('"') in ON_OWN_PET
    if tied and log.is_player(source) and target.startswith(("Pet-", "0xF14")):
        _own(log, target, source)


def _own(log: Log, pet: str, owner: str) -> None:
    if pet != owner:
        log.owners[pet] = owner


def _tie_pets(log: Log) -> None:
    """Give old pets the owner of the same pet at another summon: 0xF14 and the pet's number."""
    tied: dict[str, str] = {}
    for pet, owner in log.owners.items():
        tied.setdefault(pet[:12], owner)
    for guid in log.flags:
        if guid.startswith("0xF14") and guid not in log.owners and guid[:12] in tied:
            log.owners[guid] = tied[guid[:12]]


def blow(line: Line) -> tuple[int, int, int]:
    """Return amount, overkill and absorbed of a damage line, from its end."""
    rest = line.rest[:-1] if line.rest[-1] in {"ST", "AOE"} else line.rest
    amount, over = (-9, -8) if line.old else (-10, -8)
    return _int(rest[amount]), max(_int(rest[over]), 0), _int(rest[-4])


def heal(line: Line) -> tuple[int, int, int]:
    """Return amount, overheal and what was absorbed of a heal."""
    return _int(line.rest[-4 if line.old else -5]), max(_int(line.rest[-3]), 0), _int(line.rest[-2])


def _int(text: str) -> int:
    return int(text) if text.lstrip("-").isdigit() else 0


def absorbed_by(line: Line) -> tuple[str, str, int]:
    """Return who cast the shield, the shield's id and what it absorbed."""
    at = 0 if "-" in line.rest[0] or line.rest[0].startswith("0x") else 3
    return line.rest[at], line.rest[at + 4], _int(line.rest[at + 7])


def missed(line: Line) -> int:
    """Return what a shield absorbed of a whole blow."""
    at = 0 if line.event.startswith("SWING") else 3
    rest = line.rest[at:]
    if rest[0] != "ABSORB":
        return 0
    where = 1 if line.old else 2
    return _int(rest[where]) if len(rest) > where else 0


def own_side(line: Line, log: Log) -> bool:
    """Tell damage to oneself, or to the own side."""
    ours, theirs = line.source_flags, line.target_flags
    if line.source == line.target:
        return True
    if log.is_player(line.source) and ours & 0x200:
        return bool(theirs & 0x50)
    return bool(theirs & 0x40) if ours & 0x40 else bool(ours & 0x10 and theirs & 0x10)


def swallowed(line: Line) -> bool:
    """Tell a swing that a shield took whole."""
    return line.event == "SWING_MISSED" and missed(line) > 0


def _has_landed(line: Line) -> bool:
    return line.event.endswith("LANDED")


def repeated(lines: Iterable[Line]) -> set[int]:
    """Return the landed swings that repeat a swing of the same hit within half a second.

    If their amounts differ, the swing is returned: the target's health fell by the landing's. What
    a shield took whole is a miss, whose landing is of 0.
    """
    found: set[int] = set()
    left = [line for line in lines if line.event in SWINGS or swallowed(line)]
    # A second look leaves the amount out: some clients write another one on the landing's line.
    for same_amount in (True, False):
        alone: dict[tuple[str, str, int], list[Line]] = defaultdict(list)
        matched: set[int] = set()
        for line in left:
            amount = blow(line)[0] if same_amount and line.event in SWINGS else 0
            waiting, landed = alone[line.source, line.target, amount], _has_landed(line)
            while waiting and abs(line.ms - waiting[0].ms) > 500:
                waiting.pop(0)
            if waiting and _has_landed(waiting[0]) is not landed:
                other = waiting.pop(0)
                found.add(line.number if landed == same_amount else other.number)
                matched |= {line.number, other.number}
            else:
                waiting.append(line)
        left = [line for line in left if line.number not in matched]
    return found


def true_deaths(log: Log) -> list[Line]:
    """Return the deaths of players that are deaths."""
    by_unit: dict[str, list[Line]] = defaultdict(list)
    for line in log.lines:
        for guid in {line.source, line.target}:
            if log.is_player(guid):
                by_unit[guid].append(line)
    found: list[Line] = []
    for guid, lines in by_unit.items():
        told = [one for one in lines if one.event == "UNIT_DIED" and one.target == guid]
        spirits = [
            one.ms for one in lines if one.event.startswith("SPELL_AURA") and one.spell == SPIRIT
        ]
        kept: list[Line] = []
        for death in told:
            if death.rest[-1:] == ["1"]:
                continue
            near = [ms for ms in spirits if abs(death.ms - ms) <= 20_000]
            if near and kept and death.ms - kept[-1].ms <= 20_000:
                continue
            if near or not _is_false(guid, death, lines):
                kept.append(death)
        found += kept
    return found


def _is_false(guid: str, death: Line, lines: Sequence[Line]) -> bool:
    acts = revived = None
    for line in lines:
        apart = line.ms - death.ms
        harm = line.event in DAMAGE | SWINGS | {"ENVIRONMENTAL_DAMAGE"} and line.target == guid
        if harm and line.number < death.number and -2000 <= apart <= 300 and blow(line)[1]:
            return False
        feigned = line.spell == FEIGN and line.source == guid and abs(apart) <= 2000
        if feigned and line.number < death.number:
            return True
        if line.number < death.number or not 300 <= apart <= 10_000:
            continue
        if acts is None and line.event in ACTS and line.source == guid:
            acts = line.number
        own = line.spell in SELF_REVIVAL and line.source == guid
        if revived is None and ((line.event == "SPELL_RESURRECT" and line.target == guid) or own):
            revived = line.number
    return acts is not None and (revived is None or revived > acts)


Sums = dict[str, dict[str, int]]


def sum_up(log: Log, pulls: Sequence[tuple[int, int, int]]) -> dict[int, Sums]:
    """Return the sums per pull and player's name; `pulls` are number, first and last line."""
    skipped, died = repeated(log.lines), {one.number for one in true_deaths(log)}
    kills = any(line.event == "PARTY_KILL" for line in log.lines)
    found: dict[int, Sums] = {}
    for fight, first, last in pulls:
        sums: Sums = defaultdict(lambda: defaultdict(int))
        for line in log.lines:
            if first <= line.number <= last and line.number not in skipped:
                _add(log, line, sums, logs_kills=kills, died=line.number in died)
        found[fight] = {log.names[guid]: dict(one) for guid, one in sums.items()}
    return found


def _add(log: Log, line: Line, sums: Sums, *, logs_kills: bool, died: bool) -> None:
    event = line.event
    who, by_pet = log.who(line)
    if event in DAMAGE | SWINGS | {"ENVIRONMENTAL_DAMAGE"}:
        _add_blow(log, line, sums, logs_kills=logs_kills)
    elif event in MISSES | {"SWING_MISSED"} and who:
        _add_damage(sums[who], missed(line), 0, by_pet, own_side(line, log))
    elif event in HEALS and who:
        _add_heal(sums[who], *heal(line), by_pet=by_pet)
    elif event == "SPELL_ABSORBED":
        _add_absorb(log, line, sums)
    elif event == "UNIT_DIED" and died:
        sums[line.target]["deaths"] += 1
    elif who and event in _COUNTED:
        sums[who][_COUNTED[event]] += 1


def _add_blow(log: Log, line: Line, sums: Sums, *, logs_kills: bool) -> None:
    who, by_pet = log.who(line)
    amount, over, absorbed = blow(line)
    if log.is_player(line.target):
        sums[line.target]["damage_taken"] += amount
    if line.event == "ENVIRONMENTAL_DAMAGE":
        return
    own = own_side(line, log)
    if not who and not own and log.is_stray(line.source):
        sums[line.source]["pet_damage"] += amount - over + absorbed
    if who:
        _add_damage(sums[who], amount - over + absorbed, over, by_pet, own)
        sums[who]["killing_blows"] += not logs_kills and over > 0 and not own


def _add_heal(one: dict[str, int], amount: int, over: int, eaten: int, *, by_pet: bool) -> None:
    one["pet_healing" if by_pet else "healing"] += amount - over + eaten
    one["overheal"] += 0 if by_pet else over
    one["heal_absorbed"] += 0 if by_pet else eaten


_COUNTED: Mapping[str, str] = {
    "SPELL_INTERRUPT": "interrupts",
    "SPELL_DISPEL": "dispels",
    "SPELL_STOLEN": "dispels",
    "PARTY_KILL": "killing_blows",
}


def _add_damage(one: dict[str, int], amount: int, over: int, by_pet: bool, own: bool) -> None:
    if own:
        one["friendly_fire"] += amount
    elif by_pet:
        one["pet_damage"] += amount
    else:
        one["damage"] += amount
        one["overkill"] += over


def _add_absorb(log: Log, line: Line, sums: Sums) -> None:
    caster, shield, amount = absorbed_by(line)
    if shield in NO_SHIELDS:
        return
    if log.is_player(caster):
        sums[caster]["absorbs"] += amount
        sums[caster]["healing"] += amount
    elif owner := log.owner(caster):
        sums[owner]["pet_healing"] += amount


def uptimes(
    log: Log, pull: tuple[int, int, int, int], targets: set[str], kind: str
) -> Iterator[tuple[str, str, float]]:
    """Yield target's name, spell id and seconds for which an aura was up, from any caster.

    Units of one name count as one, as casters too: a Mirror Image's aura may end under another's.
    `pull` is the first and the last line, and the milliseconds at
    which it begins and ends.
    """
    first, last, begin, end = pull
    up: dict[tuple[str, str, str], int] = {}
    ended: dict[tuple[str, str, str], int] = {}
    spans: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for line in log.lines:
        if not first <= line.number <= last or line.target not in targets:
            continue
        if not line.event.startswith("SPELL_AURA_") or "BROKEN" in line.event:
            continue
        if line.rest[3] != kind:
            continue
        source = "" if line.source in NULL else log.names.get(line.source, line.source)
        key = (source, line.target, line.spell)
        earlier = ended.get(key, begin)
        up.setdefault(key, line.ms if line.event == "SPELL_AURA_APPLIED" else earlier)
        if line.event == "SPELL_AURA_REMOVED":
            ended[key] = line.ms
            spans[log.names[line.target], line.spell].append((up.pop(key), line.ms))
    for (_, target, spell), since in up.items():
        spans[log.names[target], spell].append((since, end))
    for (target, spell), stretches in spans.items():
        yield target, spell, _union(stretches)


def _union(stretches: list[tuple[int, int]]) -> float:
    covered, until = 0, -(10**12)
    for start, stop in sorted(stretches):
        covered += max(stop - max(start, until), 0)
        until = max(until, stop)
    return covered / 1000
