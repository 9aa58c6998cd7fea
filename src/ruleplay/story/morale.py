"""Morale of foes: who surrenders or flees, by nature and situation, and how hard a demand is."""

from __future__ import annotations

from typing import Literal

from ruleplay.story.acts import Band, Frozen
from ruleplay.story.bounds import BANDS, easier

Nature = Literal["steady", "coward", "beast", "fanatic", "undead", "construct", "hireling"]
Demand = Literal["yield", "leave", "truce"]
MINDLESS: tuple[Nature, ...] = ("beast", "undead", "construct")
"""Natures that do not understand speech: they never surrender or bargain."""
UNSHAKEN: tuple[Nature, ...] = ("undead", "construct", "fanatic")
"""Natures that never surrender or flee."""


class Plight(Frozen):
    """How things stand for one foe."""

    nature: Nature = "steady"
    hp: int
    max_hp: int
    friends: int = 0
    enemies: int = 1
    shaken: bool = False
    leaderless: bool = False
    calmed: bool = False


def has_mind(nature: Nature) -> bool:
    """Whether a nature understands speech."""
    return nature not in MINDLESS


def can_be_moved(nature: Nature) -> bool:
    """Whether a voice or gesture can affect a nature; beasts feel it without understanding."""
    return nature == "beast" or has_mind(nature)


def may(nature: Nature, demand: Demand) -> bool:
    """Whether a nature ever gives in to a demand; beasts may flee, but never surrender."""
    if nature in UNSHAKEN:
        return False
    return demand == "leave" or has_mind(nature)


def reasons(plight: Plight) -> int:
    """Count the reasons to give up: half the hit points lost, alone or outnumbered, and so on."""
    hurt = plight.hp * 2 <= plight.max_hp
    alone = plight.friends == 0 or plight.enemies >= 2 * (plight.friends + 1)
    return sum((hurt, alone, plight.shaken, plight.leaderless, plight.calmed))


def demanded(
    plight: Plight,
    demand: Demand,
    *,
    threat: bool,
    coin: int,
    gentle: bool = False,
    holds: int = 0,
) -> Band | None:
    """Return the difficulty of a demand: extreme, and one band easier for each reason.

    A threat and coin count like reasons; a gentle voice does for beasts. `holds` are further ones:
    what the words know or name of a foe. None means that the demand is refused without a roll, by
    nature or for lack of any reason.
    """
    # Peace costs nobody anything, so the offer is a reason by itself.
    because = reasons(plight) + (gentle and plight.nature == "beast") + (demand == "truce") + holds
    bought = coin > 0 and has_mind(plight.nature)
    if not may(plight.nature, demand) or not (because or bought):
        return None
    # Cowards give in more easily, and mercenaries can be paid to stop.
    readier = plight.nature == "coward" or (plight.nature == "hireling" and bought)
    return easier(BANDS[-1], because + threat + bought + readier + (demand == "truce"))


Mercy = Literal["lets_go", "robs", "fights_on"]


def mercy(nature: Nature, *, coin: int) -> Mercy:
    """Return how somebody treats a hero who surrenders, who has `coin` coins."""
    if nature in MINDLESS or nature == "fanatic":
        return "fights_on"
    return "robs" if coin > 0 and nature != "coward" else "lets_go"
