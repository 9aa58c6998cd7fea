"""How adversaries and allies decide when no model does: by archetype and state."""

from __future__ import annotations

from ruleplay.agents.saga.domain.fight import Combatant, Fight
from ruleplay.agents.saga.domain.intents import Plan

COWARD_FLEES, ALONE_FLEES = 0.3, 0.5
"""Below which share of hit points a coward flees, and the cautious when they are alone."""
FEARLESS = ("aggressive", "brute", "guardian")


def decide(fight: Fight, who: str, ranged: bool) -> Plan:
    """Return what somebody does in their turn; `ranged` tells of the weapon in their hand."""
    me = fight.the(who)
    foes = fight.foes_of(who)
    if not foes:
        return Plan(who=who, act="defend")
    if wants_to_flee(fight, me):
        return Plan(who=who, act="flee")
    target = chosen(me, foes)
    if me.archetype == "guardian" and me.hp < me.max_hp * ALONE_FLEES and fight.round % 3 == 0:
        return Plan(who=who, act="defend")
    if ranged and not me.far and me.archetype == "archer" and fight.friends_of(who):
        return Plan(who=who, act="withdraw", target=target.id)
    return Plan(who=who, act="attack", target=target.id)


def wants_to_flee(fight: Fight, me: Combatant) -> bool:
    """Whether somebody gives up: cowards early, the cautious when nobody is left beside them."""
    share = me.hp / me.max_hp
    if me.side == "party" or me.archetype in FEARLESS:
        return False
    if me.archetype == "coward" and share < COWARD_FLEES:
        return True
    return share < ALONE_FLEES and not fight.friends_of(me.id)


def chosen(me: Combatant, foes: tuple[Combatant, ...]) -> Combatant:
    """Return whom somebody goes for: the weakest, leaders the strongest; ids break ties."""
    if me.archetype == "leader":
        return min(foes, key=lambda one: (-one.hp, one.id))
    return min(foes, key=lambda one: (one.hp, one.id))
