"""What somebody in play wants to do, as it was understood; the rules decide whether it works.

One intent is one step of a turn: a move, one attack or one spell. A turn consists of several of
them and ends with `end`. The meaning of `what` depends on the act: it is the key of an attack,
spell, item, feature, power or skill. Positions and distances are in feet along the fight's line.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ruleplay.story.texts import Frozen

Act = Literal[
    "attack",  # target, what: attack key ("" the best at hand); again for each attack of the action
    "offhand",  # target: the bonus attack of two-weapon fighting, or a monk's unarmed strike
    "cast",  # what: spell, targets, slot (0: its own level)
    "power",  # what: a monster's special action, targets
    "move",  # to a position, or towards a target until in reach (or `distance` feet from it)
    "dash",
    "dodge",
    "disengage",
    "help",  # target: an ally, whose next check or attack has advantage
    "hide",
    "ready",  # what: an attack; made as a reaction when a foe comes within its reach or range
    "grapple",  # target
    "shove",  # target; what: "prone" (default) or "away"
    "escape",  # from a grapple or a restraint
    "stand",
    "drop",  # prone
    "stabilise",  # target: a dying creature at hand
    "wake",  # target: shake a sleeper awake
    "use",  # what: item, target: who drinks or gets it
    "equip",  # what: a weapon, shield or (out of a fight) armour
    "feature",  # what: a feature of a class, target(s), slot: how much of a pool, which slot
    "flee",  # leave the fight from its edge: a move of 30 feet from every foe, then gone
    "end",  # end the turn
]
Short = Annotated[str, Field(max_length=80)]


class Intent(Frozen):
    """An act with the ids of whom and what it is about."""

    act: Act
    target: Short = ""
    targets: Annotated[tuple[Short, ...], Field(max_length=12)] = ()
    what: Short = ""
    slot: Annotated[int, Field(ge=0, le=99)] = 0
    to: Annotated[int, Field(ge=-1_000, le=1_000)] | None = None
    distance: Annotated[int, Field(ge=0, le=1_000)] = 0
    spare: bool = False
    pulled: bool = False

    @property
    def aimed(self) -> tuple[str, ...]:
        """Return the targets; one that is aimed at several times (as with darts) is repeated."""
        one = (self.target,) if self.target and self.target not in self.targets else ()
        return (*one, *self.targets)


class Refusal(Frozen):
    """Why the rules say no: a key with what it is about; nothing has changed."""

    reason: str
    about: str = ""
    other: str = ""
