"""Seats of the table: who holds each, and the names they go by."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ruleplay.story.texts import Frozen

DM, TABLE = "dm", "table"
"""The game master's seat, and the spectators', which sees what everyone knows and never acts."""
EVERYONE = "*"
"""Stands for all seats in an audience."""
RESERVED = (DM, TABLE, "ask", "human", "tell", "party", "foes")
"""Names that no character can have: seats, stations and sides of the table itself."""
Holder = Literal["human", "model", "policy"]
Key = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$|^$")]
Audience = tuple[str, ...]


class Seat(Frozen):
    """A seat: its name, who holds it, the SHA-256 of its token ("" for none), turns slept through.

    `relief` is who plays it once a human has left.
    """

    name: str
    by: Holder = "model"
    relief: Literal["model", "policy"] = "model"
    key: Key = ""
    missed: int = 0

    @property
    def held(self) -> bool:
        """Whether a human holds the seat; no model speaks for a human."""
        return self.by == "human"


def private(*seats: str) -> Audience:
    """Return the audience of these seats plus the DM, who sees everything."""
    return tuple(dict.fromkeys((DM, *seats)))


def knows(seat: str, audience: Audience) -> bool:
    """Whether a seat belongs to an audience."""
    return EVERYONE in audience or seat in audience


def own_words(seat: str) -> str:
    """Return the channel of what a seat has typed; it is shown to nobody and resolves "again"."""
    return f"typed:{seat}"
