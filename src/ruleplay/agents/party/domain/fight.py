"""The state of a fight: initiative, whose turn it is, and the budget left in it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ruleplay.story.texts import Frozen

REACH = 5
DISTRACTED, LURED = "distracted", "improvised-lured"
"""The condition of whoever looks elsewhere, and the effect on a foe whom it has drawn off."""
FLED_AT = 60
"""The distance in feet from every able foe at which a fleeing creature has escaped."""
ROUNDS_AT_MOST = 100
"""The round limit of a fight."""

Outcome = Literal["won", "lost", "fled", "parted", "forced"]
Cost = Literal["action", "bonus", "reaction", "movement", "attack", "free", "none"]


class Budget(Frozen):
    """What the one to move may still spend; `attacks` are those left of the Attack action.

    An entry of `attacks` is the key of the attack it must be, or "*". `light` says that an attack
    with a light weapon was made; `cast` what kinds of spell were: "action" (levelled), "cantrip",
    "bonus"; `item` that the free
    hand is; `moved` counts feet.
    """

    action: bool = True
    bonus: bool = True
    movement: Annotated[int, Field(ge=0)] = 0
    attacks: tuple[str, ...] = ()
    attacked: bool = False
    light: bool = False
    cast: tuple[str, ...] = ()
    item: bool = True
    moved: Annotated[int, Field(ge=0)] = 0
    surged: bool = False
    disengaged: bool = False


class Readied(Frozen):
    """An attack that waits for a foe to come near."""

    who: str
    attack: str


class Fight(Frozen):
    """The combat state; `order` holds everyone's id by initiative, the fallen too.

    `loosed` are the missiles that lie about, with who threw or shot them.
    """

    key: str
    round: Annotated[int, Field(ge=1)] = 1
    turn: Annotated[int, Field(ge=0)] = 0
    order: tuple[str, ...] = Field(min_length=1)
    initiative: tuple[int, ...]
    surprised: tuple[str, ...] = ()
    reacted: tuple[str, ...] = ()
    readied: tuple[Readied, ...] = ()
    loosed: tuple[tuple[str, str], ...] = ()
    begun: bool = False
    budget: Budget = Budget()
    owed: tuple[str, ...] = Field(default=(), exclude_if=lambda owed: not owed)
    """Characters whose players have not been asked yet; they keep a last hit point until then."""

    @property
    def actor(self) -> str:
        """Return the id of the creature whose turn it is."""
        return self.order[self.turn]

    def initiative_of(self, ident: str) -> int:
        """Return a creature's initiative (ValueError if it is not in the fight)."""
        return self.initiative[self.order.index(ident)]
