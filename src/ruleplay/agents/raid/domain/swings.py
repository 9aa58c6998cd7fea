"""SWING_DAMAGE and SWING_DAMAGE_LANDED tell of the same hit twice: pairs count once.

Paired are a hit and a landing of the same source, target and amount within 500 ms, whichever comes
first. A shield that takes more by the time of the landing makes the amounts differ (retail): what
is left of a source and a target at the same moment is paired, too. A landing without partner is a
hit of its own (seen in logs of 3.4.0 and 2.5.1).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ruleplay.agents.raid.domain.numerals import Ints, Mask, Words

WINDOW, MOMENT = 500, 20
"""Milliseconds between a hit and its landing, of the same amount and of another."""

Key = tuple[int, int, int]
"""Source, target, amount."""
Swing = tuple[int, int, bool, Key]
"""Milliseconds, line, whether it is a landing, and the key."""

_FACTORS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(1))


@dataclass(frozen=True)
class Blows:
    """Swings in the order of their lines, as columns."""

    ms: Ints
    lines: Ints
    landed: Mask
    source: Ints
    target: Ints
    amount: Ints

    def at(self, rows: Ints) -> Blows:
        """Return some of them."""
        unit = (self.source[rows], self.target[rows], self.amount[rows])
        return Blows(self.ms[rows], self.lines[rows], self.landed[rows], *unit)

    def keys(self) -> Words:
        """Return a number for each one's key; different keys may rarely share it."""
        columns = (self.source, self.target, self.amount)
        mixed = [one.view(np.uint64) * by for one, by in zip(columns, _FACTORS, strict=True)]
        keys: Words = mixed[0] + mixed[1] + mixed[2]
        return keys

    def match(self, other: Blows) -> Mask:
        """Tell where this and the other are a hit and its landing."""
        same: Mask = (self.source == other.source) & (self.target == other.target)
        same &= (self.amount == other.amount) & (self.landed != other.landed)
        same &= np.abs(self.ms - other.ms) <= WINDOW
        return same

    def rows(self) -> list[Swing]:
        """Return them one by one."""
        keys = zip(self.source.tolist(), self.target.tolist(), self.amount.tolist(), strict=True)
        columns = (self.ms.tolist(), self.lines.tolist(), self.landed.tolist())
        return list(zip(*columns, keys, strict=True))


class Swings:
    """Pairs the swings of a log, line by line."""

    def __init__(self) -> None:
        self._alone: dict[Key, deque[tuple[int, int, bool]]] = {}
        self._left: list[Swing] = []
        self._odd: dict[tuple[int, int], tuple[int, int, bool]] = {}

    def pair(self, swings: Blows) -> list[int]:
        """Return the lines of landings that have a partner, also of earlier calls' lines."""
        if not len(swings.ms):
            return []
        plain, others = self._part(swings)
        paired: list[int] = plain.lines[plain.landed].tolist()
        paired += self._pair_each(swings.at(others).rows())
        self._forget(int(swings.ms[-1]))
        return paired + self._pair_left(int(swings.ms[-1]))

    def _part(self, swings: Blows) -> tuple[Blows, Ints]:
        """Part those that pair off with their neighbour of the same key, all of a key, from others.

        Where a key's swings are pairs one after the other, the oldest that waits is always the
        neighbour, so these need no queue.
        """
        keys = swings.keys()
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        begins = np.flatnonzero(np.diff(keys, prepend=~keys[:1]))
        sizes = np.diff(begins, append=len(keys))
        place = np.arange(len(keys)) - np.repeat(begins, sizes)
        sorted_ = swings.at(order)
        first = np.flatnonzero((place[:-1] % 2 == 0) & (place[1:] > place[:-1]))
        good = np.zeros(len(keys), bool)
        good[first] = good[first + 1] = sorted_.at(first).match(sorted_.at(first + 1))
        simple = np.logical_and.reduceat(good, begins) & ~np.isin(keys[begins], self._waiting())
        chosen = np.repeat(simple, sizes)
        return sorted_.at(np.flatnonzero(chosen)), np.sort(order[~chosen])

    def _waiting(self) -> Words:
        columns = np.array([*self._alone], np.int64).reshape(-1, 3).T
        nothing = np.zeros(columns.shape[1], np.int64)
        return Blows(nothing, nothing, nothing > 0, *np.ascontiguousarray(columns)).keys()

    def _pair_each(self, swings: Iterable[Swing]) -> list[int]:
        paired = []
        for ms, line, landed, key in swings:
            waiting = self._alone.setdefault(key, deque())
            while waiting and abs(ms - waiting[0][0]) > WINDOW:
                self._left.append((*waiting.popleft(), key))
            if waiting and waiting[0][2] is not landed:
                _, other, _ = waiting.popleft()
                paired.append(line if landed else other)
            else:
                waiting.append((ms, line, landed))
        return paired

    def _forget(self, latest: int) -> None:
        for key, waiting in self._alone.items():
            while waiting and abs(latest - waiting[0][0]) > WINDOW:
                self._left.append((*waiting.popleft(), key))
        self._alone = {key: waiting for key, waiting in self._alone.items() if waiting}

    def _pair_left(self, latest: int) -> list[int]:
        """Pair what waited in vain with what of the same source and target did at that moment.

        In order of time, and only up to where nothing can be added any more, so that it does not
        matter in how many calls the lines come.
        """
        paired, later = [], list[Swing]()
        for swing in sorted(self._left):
            ms, line, landed, (source, target, _) = swing
            if latest - ms <= 2 * WINDOW:
                later.append(swing)
                continue
            at, other, other_landed = self._odd.pop((source, target), (ms, 0, landed))
            if other_landed is not landed and ms - at <= MOMENT:
                paired.append(line if landed else other)
            else:
                self._odd[source, target] = (ms, line, landed)
        self._left = later
        return paired
