"""An LRU cache of turns' messages, from which prompts get their history.

Turns are immutable, so no entry goes stale, even when another process continues the session.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from ruleplay.records.given import Message

MOST_BYTES = 16_000_000
"""Approximate memory of the cache."""
TURN_BYTES, LINE_BYTES = 600, 800
"""Approximate overhead of a turn and of a message, apart from the text."""


class Lines(NamedTuple):
    """A turn's messages, and its parent."""

    turn: str
    parent: str | None
    messages: tuple[Message, ...]

    @property
    def size(self) -> int:
        """Approximate bytes of memory."""
        return TURN_BYTES + sum(LINE_BYTES + len(line.text) for line in self.messages)


class LineCache:
    """Lines by turn; the least recently used are evicted first."""

    def __init__(self) -> None:
        self._turns: OrderedDict[str, Lines] = OrderedDict()
        self._size = 0

    def of(self, turn: str) -> Lines | None:
        """Look up a turn's lines and mark them as recently used."""
        if turn in self._turns:
            self._turns.move_to_end(turn)
        return self._turns.get(turn)

    def keep(self, *turns: Lines) -> None:
        """Add lines, evicting others if the cache grows too large."""
        for lines in turns:
            if lines.turn not in self._turns:
                self._turns[lines.turn] = lines
                self._size += lines.size
        while self._size > MOST_BYTES:
            _, gone = self._turns.popitem(last=False)
            self._size -= gone.size
