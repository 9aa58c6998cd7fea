"""Who gives up, who runs, and when: natures, reasons, and how hard it is to bring them to it."""

from __future__ import annotations

from typing import Literal

from ruleplay.story.acts import Band, Frozen
from ruleplay.story.bounds import BANDS, easier

Nature = Literal["steady", "coward", "beast", "fanatic", "undead", "construct", "hireling"]
Demand = Literal["yield", "leave", "truce"]
MINDLESS: tuple[Nature, ...] = ("beast", "undead", "construct")
"""Natures that no words reach: they never yield, never bargain."""
UNSHAKEN: tuple[Nature, ...] = ("undead", "construct", "fanatic")
"""Natures that neither yield nor run, whatever happens."""


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
    """Whether words mean anything to them."""
    return nature not in MINDLESS


def can_be_moved(nature: Nature) -> bool:
    """Whether they feel anything that a voice or a gesture reaches: beasts do."""
    return nature == "beast" or has_mind(nature)


def may(nature: Nature, demand: Demand) -> bool:
    """Whether this nature ever does what is demanded: beasts may run, and never surrender."""
    if nature in UNSHAKEN:
        return False
    return demand == "leave" or has_mind(nature)


def reasons(plight: Plight) -> int:
    """Return how many reasons somebody has to give up."""
    hurt = plight.hp * 2 <= plight.max_hp
    alone = plight.friends == 0 or plight.enemies >= 2 * (plight.friends + 1)
    return sum((hurt, alone, plight.shaken, plight.leaderless, plight.calmed))


def demanded(
    plight: Plight, demand: Demand, *, threat: bool, coin: int, gentle: bool = False
) -> Band | None:
    """Return how hard a demand is: extreme, a band less for each reason, threat and coin.

    A gentle voice is a reason to a beast, coin to whoever has a mind. None: it is refused without a
    roll, by nature or for want of any reason.
    """
    # Peace costs nobody anything: the offer is a reason by itself.
    because = reasons(plight) + (gentle and plight.nature == "beast") + (demand == "truce")
    bought = coin > 0 and has_mind(plight.nature)
    if not may(plight.nature, demand) or not (because or bought):
        return None
    # Cowards need less, and those who fight for pay can be paid to stop.
    readier = plight.nature == "coward" or (plight.nature == "hireling" and bought)
    return easier(BANDS[-1], because + threat + bought + readier + (demand == "truce"))


Mercy = Literal["lets_go", "robs", "fights_on"]


def mercy(nature: Nature, *, coin: int) -> Mercy:
    """Return what somebody does to a hero who gives up."""
    if nature in MINDLESS or nature == "fanatic":
        return "fights_on"
    return "robs" if coin > 0 and nature != "coward" else "lets_go"
