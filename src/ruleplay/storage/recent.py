"""What the turns that a process has seen lately add to their channels' histories.

Turns never change, so nothing here goes stale, whichever process goes on with a session.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from ruleplay.records.given import Message

MOST_CHARACTERS = 4_000_000
"""Characters of lines that are kept in memory; with all around them about 10 megabytes."""


class Lines(NamedTuple):
    """A turn's lines, and the turn before it."""

    turn: str
    parent: str | None
    messages: tuple[Message, ...]

    @property
    def characters(self) -> int:
        """How long the lines are; empty ones take room too."""
        return 100 + sum(len(line.text) for line in self.messages)


class RecentLines:
    """Lines by turn; those that were not asked for the longest go first."""

    def __init__(self) -> None:
        self._turns: OrderedDict[str, Lines] = OrderedDict()
        self._characters = 0

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
                self._characters += lines.characters
        while self._characters > MOST_CHARACTERS:
            _, gone = self._turns.popitem(last=False)
            self._characters -= gone.characters
