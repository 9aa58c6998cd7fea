"""Players' totals of a combat log, computed a second time: `python benchmarks/raid_totals.py LOG`.

It shares no code with Ruleplay and uses the standard library alone, so that it can contradict it.
Damage of a player is the sum of `amount` of SWING_, RANGE_, SPELL_, SPELL_PERIODIC_DAMAGE and
DAMAGE_SHIELD by that player; of a SWING_DAMAGE and its SWING_DAMAGE_LANDED (same source and target,
within 500 ms) one counts, the landing if their amounts differ: that is what the target lost.
Healing is `amount` less overheal. Prints JSON:
`{"players": {name: {damage, pet_damage, overkill, healing, overheal, damage_taken, deaths}}}`
of the whole file, and the same per pull (ENCOUNTER_START to ENCOUNTER_END).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

PAIR_MS = 500
DAMAGE = {
    "SWING_DAMAGE": 0,
    "SWING_DAMAGE_LANDED": 0,
    "RANGE_DAMAGE": 3,
    "SPELL_DAMAGE": 3,
    "SPELL_PERIODIC_DAMAGE": 3,
    "DAMAGE_SHIELD": 3,
}
HEALS = {"SPELL_HEAL", "SPELL_PERIODIC_HEAL"}
SUMMONS = {"SPELL_SUMMON"}
TIES = {"SPELL_ENERGIZE", "SPELL_CAST_SUCCESS", "SPELL_AURA_APPLIED", "SPELL_PERIODIC_HEAL"}
"""Events by which a hunter's or warlock's spell on the own pet shows in logs without owners."""
ON_OWN_PET = {'"Go for the Throat"', '"Mend Pet"', '"Health Funnel"', '"Soul Link"'}
Fields = list[str]
Row = tuple[int, int, str, Fields]
"""Line number, milliseconds, event, fields after the event."""


def fields(text: str) -> Fields:
    """Split at commas outside quotes; brackets only stand in lines that are not summed."""
    if '"' not in text:
        return text.split(",")
    found, part, quoted = [], [], False
    for char in text:
        if char == '"':
            quoted = not quoted
        if char == "," and not quoted:
            found.append("".join(part))
            part = []
        else:
            part.append(char)
    found.append("".join(part))
    return found


def milliseconds(clock: str) -> int:
    """Turn `HH:MM:SS.fff`, with or without a zone behind, into milliseconds of the day."""
    hours, minutes, rest = clock.split(":")
    seconds, _, parts = rest.partition(".")
    digits = parts.replace("-", "+").partition("+")[0]
    return (int(hours) * 3600 + int(minutes) * 60 + int(seconds)) * 1000 + int(digits[:3])


def rows(path: Path) -> Iterator[Row]:
    """Read the events that matter here."""
    wanted = {*DAMAGE, *HEALS, *SUMMONS, *TIES, "UNIT_DIED", "ENCOUNTER_START", "ENCOUNTER_END"}
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        for number, line in enumerate(file, 1):
            stamp, gap, rest = line.rstrip("\r\n").partition("  ")
            event = rest.partition(",")[0]
            if gap and event in wanted:
                yield number, milliseconds(stamp.split(" ")[1]), event, fields(rest)[1:]


def is_player(guid: str, flags: str) -> bool:
    """Tell a player: by GUID where it says so, else by the unit flags."""
    return guid.startswith("Player-") or (guid.startswith("0x") and bool(int(flags, 16) & 0x400))


def layout(first: Fields) -> tuple[int, int]:
    """Return how many fields the base has (8, or 6 in old logs), and where the target starts."""
    return (6, 3) if first[0].startswith("0x") and len(first[0]) == 18 else (8, 4)


class Totals:
    """Sums per player, and per pull and player."""

    def __init__(self) -> None:
        self.players: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        self.pulls: list[dict[str, object]] = []
        self.pull: dict[str, dict[str, int]] | None = None

    def add(self, name: str, what: str, amount: int) -> None:
        """Add to a player's sum of the night, and of the pull that runs."""
        name = name.strip('"')
        self.players[name][what] += amount
        if self.pull is not None:
            self.pull[name][what] += amount

    def mark(self, event: str, parts: Fields) -> None:
        """Begin or end a pull."""
        if event == "ENCOUNTER_START":
            self.pull = defaultdict(lambda: defaultdict(int))
            self.pulls.append({"id": int(parts[0]), "players": self.pull})
        else:
            self.pull = None


def tail(parts: Fields, base: int) -> tuple[int, int]:
    """Return amount and overkill, which stand a fixed way from a damage line's end."""
    end = len(parts) - (parts[-1] in {"ST", "AOE"})
    at = end - (9 if base == 6 else 10)
    return int(parts[at]), max(int(parts[at + (1 if base == 6 else 2)]), 0)


def repeated(found: list[Row]) -> set[int]:
    """Return the lines not to count of each SWING_DAMAGE and its SWING_DAMAGE_LANDED."""
    swings: list[tuple[int, int, bool, tuple[str, ...]]] = []
    for number, ms, event, parts in found:
        if event.startswith("SWING_DAMAGE"):
            base, to = layout(parts)
            key = (parts[0], parts[to], str(tail(parts, base)[0]))
            swings.append((number, ms, event.endswith("LANDED"), key))
    left_out: set[int] = set()
    for length in (3, 2):  # with the amount, then without
        hits: dict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
        for number, ms, landed, key in swings:
            if not landed:
                hits[key[:length]].append((ms, number))
        paired: set[int] = set()
        for number, ms, landed, key in swings:
            near = [one for one in hits[key[:length]] if landed and abs(one[0] - ms) <= PAIR_MS]
            if near:
                hit = min(near, key=lambda one: abs(one[0] - ms))
                hits[key[:length]].remove(hit)
                left_out.add(number if length == 3 else hit[1])
                paired |= {number, hit[1]}
        swings = [one for one in swings if one[0] not in paired]
    return left_out


def owners(found: list[Row]) -> dict[str, str]:
    """Return pets' GUIDs with their owners' names: by summon, or by the owner field of a block.

    Old logs have pets that were there before the log began: a spell that only its own master casts
    on a pet tells whose it is, of every summon of that pet (0xF14, then the pet's number).
    """
    names: dict[str, str] = {}
    owned: dict[str, str] = {}
    tied: dict[str, str] = {}
    pets: set[str] = set()
    for _, _, event, parts in found:
        if event.startswith("ENCOUNTER"):
            continue
        base, to = layout(parts)
        for at in (0, to):
            if is_player(parts[at], parts[at + 2]):
                names[parts[at]] = parts[at + 1]
        if event in SUMMONS:
            owned[parts[to]] = parts[0]
        pets.update(guid for guid in (parts[0], parts[to]) if guid.startswith("0xF14"))
        if event in TIES and parts[to].startswith("0xF14") and parts[base + 1] in ON_OWN_PET:
            tied[parts[to][:12]] = parts[0]
        prefix = 0 if event.startswith("SWING") else 3
        if base == 8 and event in DAMAGE and parts[base + prefix + 1].startswith("Player-"):
            owned[parts[base + prefix]] = parts[base + prefix + 1]
    owned |= {pet: tied[pet[:12]] for pet in pets - owned.keys() if pet[:12] in tied}
    return {pet: names[owner] for pet, owner in owned.items() if owner in names}


def sum_up(found: list[Row]) -> Totals:
    """Sum everything."""
    totals, left_out, owned = Totals(), repeated(found), owners(found)
    for number, _, event, parts in found:
        if event.startswith("ENCOUNTER"):
            totals.mark(event, parts)
        elif event == "UNIT_DIED":
            _, to = layout(parts)
            if is_player(parts[to], parts[to + 2]):
                totals.add(parts[to + 1], "deaths", 1)
        elif event in HEALS:
            sum_heal(totals, parts)
        elif event in DAMAGE and number not in left_out:
            sum_damage(totals, parts, owned)
    return totals


def sum_heal(totals: Totals, parts: Fields) -> None:
    """Add a heal."""
    base, _ = layout(parts)
    at = len(parts) - (4 if base == 6 else 5)
    amount, over = int(parts[at]), int(parts[at + (1 if base == 6 else 2)])
    if is_player(parts[0], parts[2]):
        totals.add(parts[1], "healing", amount - over)
        totals.add(parts[1], "overheal", over)


def sum_damage(totals: Totals, parts: Fields, owned: dict[str, str]) -> None:
    """Add a hit to who dealt it, or whose pet did, and to who took it."""
    base, to = layout(parts)
    amount, over = tail(parts, base)
    if is_player(parts[0], parts[2]):
        totals.add(parts[1], "damage", amount)
        totals.add(parts[1], "overkill", over)
    elif parts[0] in owned:
        totals.add(owned[parts[0]], "pet_damage", amount)
    if is_player(parts[to], parts[to + 2]):
        totals.add(parts[to + 1], "damage_taken", amount)


def main() -> None:
    """Print the totals of a log."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("log", type=Path)
    totals = sum_up(list(rows(parser.parse_args().log)))
    json.dump({"players": totals.players, "pulls": totals.pulls}, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
