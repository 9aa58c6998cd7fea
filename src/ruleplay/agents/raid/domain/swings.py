"""Pairs SWING_DAMAGE with SWING_DAMAGE_LANDED, which log the same hit twice, to count it once.

A hit and a landing pair up if they have the same source, target and amount and lie within 500 ms,
whichever comes first. Of a swing that a shield absorbed whole, the hit is a SWING_MISSED of the
kind ABSORB and the landing one of 0: both have the absorbed amount, and the miss counts.

The remainder is paired by source and target alone: clients of 9.0 and 12.0 sometimes write another
amount on the second line. Then the landing counts and the hit does not: in every such pair the
health on the target's lines fell by the landing's amount, and the shields' own lines add up to its
absorbed amount. A landing without a partner is a hit of its own (seen in logs of 3.4.0 and 2.5.1).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from ruleplay.agents.raid.domain.numerals import Ints, Mask, Words

WINDOW = 500
"""Milliseconds between a hit and its landing, at most."""

Key = tuple[int, int, int]
"""Source, target, amount."""
Swing = tuple[int, int, bool, Key]
"""Milliseconds, line, whether it is a landing, key."""

_FACTORS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(1))


@dataclass(frozen=True)
class Blows:
    """Swings in line order, as columns."""

    ms: Ints
    lines: Ints
    landed: Mask
    source: Ints
    target: Ints
    amount: Ints

    def at(self, rows: Ints) -> Blows:
        """Select some of them."""
        unit = (self.source[rows], self.target[rows], self.amount[rows])
        return Blows(self.ms[rows], self.lines[rows], self.landed[rows], *unit)

    def keys(self) -> Words:
        """Hash each swing's key to one number; different keys may rarely collide."""
        columns = (self.source, self.target, self.amount)
        mixed = [one.view(np.uint64) * by for one, by in zip(columns, _FACTORS, strict=True)]
        keys: Words = mixed[0] + mixed[1] + mixed[2]
        return keys

    def match(self, other: Blows) -> Mask:
        """Mask of the rows where this and the other are a hit and its landing."""
        same: Mask = (self.source == other.source) & (self.target == other.target)
        same &= (self.amount == other.amount) & (self.landed != other.landed)
        same &= np.abs(self.ms - other.ms) <= WINDOW
        return same

    def rows(self) -> list[Swing]:
        """Convert to a list of tuples."""
        keys = zip(self.source.tolist(), self.target.tolist(), self.amount.tolist(), strict=True)
        columns = (self.ms.tolist(), self.lines.tolist(), self.landed.tolist())
        return list(zip(*columns, keys, strict=True))


class Swings:
    """Pairs the swings of a log incrementally."""

    def __init__(self) -> None:
        self._alone: dict[Key, deque[tuple[int, int, bool]]] = {}
        self._odd: list[Swing] = []
        """Swings without a partner of the same amount, awaiting the second pass."""
        self._left: dict[tuple[int, int], deque[tuple[int, int, bool]]] = {}

    def pair(self, swings: Blows) -> list[int]:
        """Return one line of each pair, the one not to count; it may be of an earlier call."""
        if not len(swings.ms):
            return []
        plain, others = self._part(swings)
        paired: list[int] = plain.lines[plain.landed].tolist()
        paired += self._pair_each(swings.at(others).rows())
        self._forget(int(swings.ms[-1]))
        return paired + self._pair_odd()

    def rest(self) -> list[int]:
        """Return the lines not to count of the pairs that form only if nothing more follows."""
        # On a copy: a log that is being followed may continue after this.
        last = deepcopy(self)
        for key, waiting in last._alone.items():
            last._odd += [(*one, key) for one in waiting]
        return last._pair_odd()

    def _part(self, swings: Blows) -> tuple[Blows, Ints]:
        """Separate swings that pair with a neighbour of the same key from those that need a queue.

        If all of a key's swings form consecutive pairs, the oldest waiting one is always the
        neighbour, so no queue is needed.
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
                self._odd.append((*waiting.popleft(), key))
            if waiting and waiting[0][2] is not landed:
                _, other, _ = waiting.popleft()
                paired.append(line if landed else other)
            else:
                waiting.append((ms, line, landed))
        return paired

    def _forget(self, latest: int) -> None:
        for key, waiting in self._alone.items():
            while waiting and abs(latest - waiting[0][0]) > WINDOW:
                self._odd.append((*waiting.popleft(), key))
        self._alone = {key: waiting for key, waiting in self._alone.items() if waiting}

    def _pair_odd(self) -> list[int]:
        """Second pass: pair the remainder by source and target; returns the hits' lines."""
        paired = []
        for ms, line, landed, (source, target, _) in sorted(self._odd, key=itemgetter(1)):
            waiting = self._left.setdefault((source, target), deque())
            while waiting and abs(ms - waiting[0][0]) > WINDOW:
                waiting.popleft()
            if waiting and waiting[0][2] is not landed:
                _, other, _ = waiting.popleft()
                paired.append(other if landed else line)
            else:
                waiting.append((ms, line, landed))
        self._odd = []
        return paired
