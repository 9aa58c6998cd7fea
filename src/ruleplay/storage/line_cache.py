"""What the turns that a process has seen lately add to their channels' histories.

Turns never change, so nothing here goes stale, whichever process goes on with a session.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from ruleplay.records.given import Message

MOST_BYTES = 16_000_000
"""Memory that kept lines may take, about."""
TURN_BYTES, LINE_BYTES = 600, 800
"""What a turn and a line take besides the characters: more than most texts."""


class Lines(NamedTuple):
    """A turn's lines, and the turn before it."""

    turn: str
    parent: str | None
    messages: tuple[Message, ...]

    @property
    def size(self) -> int:
        """How many bytes of memory they take, about."""
        return TURN_BYTES + sum(LINE_BYTES + len(line.text) for line in self.messages)


class RecentLines:
    """Lines by turn; those that were not asked for the longest go first."""

    def __init__(self) -> None:
        self._turns: OrderedDict[str, Lines] = OrderedDict()
        self._size = 0

    def of(self, turn: str) -> Lines | None:
        """Return a turn's lines, which stay the longer for it."""
        if turn in self._turns:
            self._turns.move_to_end(turn)
        return self._turns.get(turn)

    def keep(self, *turns: Lines) -> None:
        """Keep the lines of turns."""
        for lines in turns:
            if lines.turn not in self._turns:
                self._turns[lines.turn] = lines
                self._size += lines.size
        while self._size > MOST_BYTES:
            _, gone = self._turns.popitem(last=False)
            self._size -= gone.size
