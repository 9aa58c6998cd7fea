"""How far a reader of a session has come: what `Last-Event-ID` says."""

from __future__ import annotations

import re
from typing import NamedTuple, Self

END = 2_147_483_647
"""The seq under which readers get a turn's last item, so that stored turns have an id as well."""
START = "start"
"""Stands for the turn before the first."""
_ID = re.compile(r"([A-Za-z0-9_-]{1,64}):([0-9]{1,10})")


class Cursor(NamedTuple):
    """The last item that a reader got: of `turn`, None before the first turn, the item `seq`."""

    turn: str | None
    seq: int = END

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an event id, `TURN:SEQ`; ValueError when it is none."""
        found = _ID.fullmatch(text)
        if not found:
            raise ValueError(f"the event id {text!r} is not of the form TURN:SEQ")
        return cls(None if found[1] == START else found[1], int(found[2]))

    def __str__(self) -> str:
        return f"{self.turn or START}:{self.seq}"
