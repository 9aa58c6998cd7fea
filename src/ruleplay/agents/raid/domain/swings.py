"""SWING_DAMAGE and SWING_DAMAGE_LANDED tell of the same hit twice: pairs count once.

Paired are a hit and a landing of the same source, target and amount within 500 ms, whichever comes
first; a landing without partner is a hit of its own (seen in logs of 3.4.0 and 2.5.1).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

WINDOW = 500
"""Milliseconds."""

Key = tuple[int, int, int]
"""Source, target, amount."""
Swing = tuple[int, int, bool, Key]
"""Milliseconds, line, whether it is a landing, and the key."""


class Swings:
    """Pairs the swings of a log, line by line."""

    def __init__(self) -> None:
        self._alone: dict[Key, deque[tuple[int, int, bool]]] = {}

    def pair(self, swings: Iterable[Swing]) -> list[int]:
        """Return the lines of landings that have a partner, also of earlier calls' lines."""
        paired, latest = [], 0
        for ms, line, landed, key in swings:
            waiting = self._alone.setdefault(key, deque())
            while waiting and abs(ms - waiting[0][0]) > WINDOW:
                waiting.popleft()
            if waiting and waiting[0][2] is not landed:
                _, other, _ = waiting.popleft()
                paired.append(line if landed else other)
            else:
                waiting.append((ms, line, landed))
            latest = ms
        self._forget(latest)
        return paired

    def _forget(self, latest: int) -> None:
        self._alone = {
            key: waiting
            for key, waiting in self._alone.items()
            if waiting and abs(latest - waiting[-1][0]) <= WINDOW
        }
