"""Collects evidence on a log's units while it is read: classes, owners, boss activity."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ruleplay.agents.raid.domain import traits
from ruleplay.agents.raid.domain.adoption import classes_of_pets
from ruleplay.agents.raid.domain.classes import Sign, Signs, signs_by_name
from ruleplay.agents.raid.domain.column_buffer import ColumnBuffer, Values
from ruleplay.agents.raid.domain.guids import HOSTILE, PLAYER, kind_of, npc_id_of
from ruleplay.agents.raid.domain.numerals import Ints, Mask
from ruleplay.agents.raid.domain.pulls import Sighting, bosses_by_npc
from ruleplay.agents.raid.domain.reading import Reader

OWNERS_SPELLS = frozenset(
    {
        "Mend Pet",
        "Go for the Throat",
        "Bestial Wrath",
        "Kill Command",
        "Feed Pet Effect",
        "Health Funnel",
        "Soul Link",
        "Fel Synergy",
        "Demonic Empowerment",
        "Master Demonologist",
        "Demonic Sacrifice",
        "Ghoul Frenzy",
        "Death Pact",
    }
)
"""Spells that players cast on their own pet. In 3.3.5a logs this is the only evidence of the
owner of a pet that was summoned before logging began."""

_SECOND = 1000
_SIDES = ("source", "target")


class Growing:
    """A table indexed by number that is extended as its source list grows."""

    def __init__(self, compute: Callable[[int], int]) -> None:
        self._compute = compute
        self._table = np.zeros(0, np.int64)

    def upto(self, count: int) -> Ints:
        """Return the table, computed for at least the first `count` numbers."""
        known = len(self._table)
        if count > known:
            fresh = [self._compute(number) for number in range(known, count)]
            self._table = np.concatenate([self._table, np.array(fresh, np.int64)])
        return self._table


class Evidence:
    """Accumulates evidence over the sheets of one log."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._signs = list(dict.fromkeys(signs_by_name().values()))
        numbers = {sign: number for number, sign in enumerate(self._signs, 1)}
        known = {name: numbers[sign] for name, sign in signs_by_name().items()}
        roster, texts = reader.roster, reader.texts.values
        self._traits = Growing(lambda n: traits.traits_of(reader.events.values[n]))
        self._sign_of = Growing(lambda n: known.get(texts[n], 0))
        self._owning = Growing(lambda n: texts[n] in OWNERS_SPELLS)
        self._pets_classes = list(dict.fromkeys(classes_of_pets().values()))
        self._tame = Growing(lambda n: self._tame_class(texts[n]))
        self._player = Growing(lambda n: n > 0 and kind_of(roster.guids[n], 0) == "player")
        self._boss = Growing(lambda n: self._boss_npc(roster.guids[n]))
        self.signs: dict[int, Signs] = {}
        self.tamed: dict[int, str] = {}
        """The class whose pets alone have a spell that this unit used."""
        self.sightings: list[Sighting] = []
        self.duels: list[tuple[int, int]] = []
        """(line, ms) of fights between hostile players, a few samples per second."""
        self.deaths: list[tuple[int, int]] = []
        """(line, ms) of deaths of players."""
        self.harm = np.zeros(0)
        self.healing = np.zeros(0)

    @staticmethod
    def _boss_npc(guid: str) -> int:
        npc = (npc_id_of(guid) or 0) if guid else 0
        return npc if npc in bosses_by_npc() else 0

    def _tame_class(self, spell: str) -> int:
        class_ = classes_of_pets().get(spell)
        return 1 + self._pets_classes.index(class_) if class_ else 0

    def traits(self, sheet: ColumnBuffer) -> Ints:
        """Trait bits of every line; 0 for lines that are no events."""
        table = self._traits.upto(len(self._reader.events.values))
        found: Ints = table[sheet.column("event")] if len(table) else np.zeros(sheet.count, "i8")
        return np.where(sheet.bad | ~sheet.known("event"), 0, found)

    def players(self) -> Mask:
        """Mask over all actors: which are players."""
        return self._player.upto(self._reader.roster.count + 1) > 0

    def gather(self, sheet: ColumnBuffer, bits: Ints, *, sighting: bool) -> None:
        """Evaluate a sheet, given its traits; its `line` and `ms` must be set.

        `sighting`: also record boss activity, from which pulls may have to be derived.
        """
        source, target = sheet.column("source"), sheet.column("target")
        self._own(sheet, bits, source, target)
        self._sum(sheet, bits, source)
        self._add_signs(sheet, bits, source)
        self._tame_pets(sheet, bits, source)
        if sighting:
            self._sight(sheet, bits, source, target)
            self._see_duels(sheet, bits)

    def _own(self, sheet: ColumnBuffer, bits: Ints, source: Values, targets: Values) -> None:
        roster = self._reader.roster
        owning = self._owning.upto(len(self._reader.texts.values)) > 0
        rows = np.flatnonzero(bits & traits.SUMMON)
        players = self.players()
        for row in rows:
            roster.own(int(targets[row]), int(source[row]))
        if owning.any():
            casts = np.flatnonzero(owning[sheet.column("spell")] & sheet.known("spell"))
            casts = casts[players[source[casts]] & ~players[targets[casts]] & ~sheet.bad[casts]]
            pairs = np.unique(_pairs(source[casts], targets[casts]))
            for pair in pairs:
                if kind_of(roster.guids[int(pair) & 0xFFFFFFFF], 0) == "pet":
                    roster.own(int(pair) & 0xFFFFFFFF, int(pair) >> 32)

    def _sum(self, sheet: ColumnBuffer, bits: Ints, source: Values) -> None:
        amounts, size = sheet.column("amount"), self._reader.roster.count + 1
        for bit, name in ((traits.HARM, "harm"), (traits.HEAL, "healing")):
            rows = np.flatnonzero(bits & bit)
            fresh = np.bincount(source[rows], amounts[rows], size).astype(np.float64)
            sums = getattr(self, name)
            fresh[: len(sums)] += sums
            setattr(self, name, fresh)

    def _add_signs(self, sheet: ColumnBuffer, bits: Ints, source: Values) -> None:
        table = self._sign_of.upto(len(self._reader.texts.values))
        if not len(table):
            return
        rows = np.flatnonzero((bits & traits.SKILL > 0) & self.players()[source])
        spells = sheet.column("spell")[rows]
        telling = table[spells] > 0
        rows, spells = rows[telling], spells[telling].astype(np.int64)
        keys = _pairs(source[rows], spells)
        found, first, count = np.unique(keys, return_index=True, return_counts=True)
        order = np.argsort(first)
        lines = sheet.column("line")[rows[first[order]]]
        for key, line, times in zip(found[order], lines, count[order], strict=True):
            actor, spell = int(key) >> 32, int(key) & 0xFFFFFFFF
            mine = self.signs.setdefault(actor, Signs())
            mine.add(self._sign(int(table[spell])), spell, int(line), int(times))

    def _tame_pets(self, sheet: ColumnBuffer, bits: Ints, source: Values) -> None:
        table = self._tame.upto(len(self._reader.texts.values))
        if not table.any():
            return
        classes = table[sheet.column("spell")]
        rows = (bits & traits.SKILL > 0) & (classes > 0) & ~self.players()[source]
        for pair in np.unique(_pairs(source[rows], classes[rows])):
            number = int(pair) & 0xFFFFFFFF
            self.tamed[int(pair) >> 32] = self._pets_classes[number - 1]

    def _sign(self, number: int) -> Sign:
        return self._signs[number - 1]

    def _sight(self, sheet: ColumnBuffer, bits: Ints, sources: Values, targets: Values) -> None:
        """Record boss activity: the first and last line of each second, and every death."""
        npcs = self._boss.upto(self._reader.roster.count + 1)
        if not npcs.any():
            return
        rows = np.flatnonzero(((npcs[sources] > 0) | (npcs[targets] > 0)) & ~sheet.bad)
        found = np.where(npcs[targets[rows]] > 0, targets[rows], sources[rows])
        actors: Ints = np.asarray(found, np.int64)
        died, fights = bits[rows] & traits.DEATH > 0, bits[rows] & traits.BLOW > 0
        seconds: Ints = np.asarray(sheet.column("ms")[rows], np.int64) // _SECOND
        # Second, actor (at most 2^32) and two flag bits packed into one sortable key.
        keys = (seconds << 34) + (actors << 2) + fights * 2 + died
        first = np.unique(keys, return_index=True)[1]
        last = len(keys) - 1 - np.unique(keys[::-1], return_index=True)[1]
        at = np.union1d(first, last)
        columns = (sheet.column("line")[rows[at]], sheet.column("ms")[rows[at]], npcs[actors[at]])
        told = (*columns, actors[at], fights[at], died[at])
        found_rows = zip(*(column.tolist() for column in told), strict=True)
        self.sightings += [Sighting(*one) for one in found_rows]

    def _see_duels(self, sheet: ColumnBuffer, bits: Ints) -> None:
        """Record fights between hostile players: the first and last line of each second."""
        flags = (np.asarray(sheet.column(f"{side}_flags"), np.int64) for side in _SIDES)
        source, target = flags
        hostile = (source ^ target) & HOSTILE > 0
        rows = np.flatnonzero((bits & traits.BLOW > 0) & hostile & (source & target & PLAYER > 0))
        seconds: Ints = np.asarray(sheet.column("ms")[rows], np.int64) // _SECOND
        edges = np.flatnonzero(np.diff(seconds, prepend=-1, append=-1))
        at = np.union1d(edges[:-1], edges[1:] - 1)
        died = np.flatnonzero((bits & traits.DIED > 0) & (target & PLAYER > 0))
        for told, where in ((self.duels, rows[at]), (self.deaths, died)):
            lines, ms = sheet.column("line")[where], sheet.column("ms")[where]
            told += zip(lines.tolist(), ms.tolist(), strict=True)


def _pairs(upper: Values, lower: Values) -> Ints:
    """Pack each pair of numbers below 2^32 into one 64-bit number."""
    first, second = np.asarray(upper, np.int64), np.asarray(lower, np.int64)
    return (first << 32) | second
