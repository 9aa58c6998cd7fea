"""Cursors: the positions of readers in a session's event stream, as in `Last-Event-ID`."""

from __future__ import annotations

import re
from typing import NamedTuple, Self

END = 2_147_483_647
"""The seq of a turn's last item. Fixed, as the store does not keep how many items a turn had."""
START = "start"
"""Stands for the position before the first turn."""
_ID = re.compile(r"([A-Za-z0-9_-]{1,64}):([0-9]{1,10})")


class Cursor(NamedTuple):
    """The last item that a reader received: item `seq` of `turn` (None: before the first turn)."""

    turn: str | None
    seq: int = END

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse an event id, `TURN:SEQ`; ValueError if it has another form."""
        found = _ID.fullmatch(text)
        if not found:
            raise ValueError(f"the event id {text!r} is not of the form TURN:SEQ")
        return cls(None if found[1] == START else found[1], int(found[2]))

    def __str__(self) -> str:
        return f"{self.turn or START}:{self.seq}"
