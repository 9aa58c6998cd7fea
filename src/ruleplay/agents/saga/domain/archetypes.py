"""Decide for foes and allies without a model, by archetype and condition."""

from __future__ import annotations

from ruleplay.agents.saga.domain.fight import Combatant, Fight
from ruleplay.agents.saga.domain.intents import Plan

COWARD_FLEES, ALONE_FLEES = 0.3, 0.5
"""Share of hit points below which a coward flees, and below which others flee if alone."""
FEARLESS = ("aggressive", "brute", "guardian")
"""Archetypes that never flee."""


def decide(fight: Fight, who: str, ranged: bool) -> Plan:
    """Plan somebody's turn; `ranged` says whether the weapon in their hand is."""
    me = fight.the(who)
    foes = fight.foes_of(who)
    if not foes:
        return Plan(who=who, act="defend")
    if wants_to_flee(fight, me):
        return Plan(who=who, act="flee")
    target = chosen(me, foes)
    # Every third round only: a wounded guardian that always defended would never end the fight.
    if me.archetype == "guardian" and me.hp < me.max_hp * ALONE_FLEES and fight.round % 3 == 0:
        return Plan(who=who, act="defend")
    if ranged and not me.far and me.archetype == "archer" and fight.friends_of(who):
        return Plan(who=who, act="withdraw", target=target.id)
    return Plan(who=who, act="attack", target=target.id)


def wants_to_flee(fight: Fight, me: Combatant) -> bool:
    """Whether somebody runs: cowards if badly hurt, others if hurt and alone; allies never do."""
    share = me.hp / me.max_hp
    if me.side == "party" or me.archetype in FEARLESS:
        return False
    if me.archetype == "coward" and share < COWARD_FLEES:
        return True
    return share < ALONE_FLEES and not fight.friends_of(me.id)


def chosen(me: Combatant, foes: tuple[Combatant, ...]) -> Combatant:
    """Choose a target: the weakest, for leaders the strongest. Ties go by id, for replays.

    Who lies on the ground badly hurt, as after they were saved, is taken for done with as long as
    somebody else stands.
    """
    up = tuple(one for one in foes if not (one.has("prone") and one.hp * 3 <= one.max_hp))
    foes = up or foes
    if me.archetype == "leader":
        return min(foes, key=lambda one: (-one.hp, one.id))
    return min(foes, key=lambda one: (one.hp, one.id))
