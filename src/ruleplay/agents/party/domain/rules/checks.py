"""Ability checks, contests and saving throws."""

from __future__ import annotations

from ruleplay.agents.party.domain.cast import Cast
from ruleplay.agents.party.domain.creature import Creature, Effect
from ruleplay.agents.party.domain.dice import Roll, d20, edge_of
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.play import Play
from ruleplay.agents.party.domain.rules.conditions import (
    can_act,
    check_edges,
    fails_outright,
    save_edges,
)
from ruleplay.agents.party.domain.terms import ABILITIES, SKILLS, Ability, Skill


def check_formula(cast: Cast, creature: Creature, what: str) -> str:
    """Return the dice formula of an ability check, with advantage and effects applied."""
    gains, losses = check_edges(cast, creature, what)
    edge = edge_of(len(gains), len(losses))
    bonus = creature.check_bonus(_known(what))
    return d20(bonus, edge, extra=_extra(creature, "check"), lucky="lucky" in creature.traits)


def check(play: Play, who: str, what: str, dc: int, why: str = "") -> bool:
    """Roll an ability check against a DC; one-use bonuses are spent by the roll."""
    creature = play.the(who)
    roll = play.roll(check_formula(play.cast, creature, what))
    success = roll.total >= dc
    play.add(h.Checked(who=who, what=what, dc=dc, roll=roll, success=success, why=why))
    spend(play, who, "check")
    return success


def contest(play: Play, who: str, what: str, other: str, other_what: str, why: str) -> bool:
    """Roll a contest; the initiator must beat the other, so a tie changes nothing (SRD 5.1)."""
    rolls: list[Roll] = []
    for ahead, (ident, skill) in enumerate(((who, what), (other, other_what))):
        formula = check_formula(play.cast, play.the(ident), skill)
        # `ahead` keeps the two rolls apart: the first is not in the happenings yet when the second
        # is made.
        rolls.append(play.roll(formula, ahead))
    success = rolls[0].total > rolls[1].total or not can_act(play.the(other))
    play.add(
        h.Contested(
            who=who,
            what=what,
            other=other,
            other_what=other_what,
            rolls=(rolls[0], rolls[1]),
            success=success,
            why=why,
        )
    )
    spend(play, who, "check")
    spend(play, other, "check")
    return success


def save(
    play: Play,
    who: str,
    ability: Ability,
    dc: int,
    why: str = "",
    *,
    magical: bool = False,
    against: tuple[str, ...] = (),
) -> bool:
    """Roll a saving throw; `against` names the conditions and damage types it would prevent."""
    creature = play.the(who)
    gains, losses = save_edges(creature, ability, magical=magical, against=against)
    formula = d20(
        creature.save_bonus(ability),
        edge_of(len(gains), len(losses)),
        extra=_extra(creature, "save"),
        lucky="lucky" in creature.traits,
    )
    roll = play.roll(formula)
    outright = fails_outright(creature, ability)
    success = roll.total >= dc and not outright
    play.add(
        h.SaveRolled(
            who=who, ability=ability, dc=dc, roll=roll, success=success, automatic=outright, why=why
        )
    )
    spend(play, who, "save")
    return success


def _extra(creature: Creature, kind: str) -> str:
    dice = (getattr(one.boon, kind) for one in creature.effects if one.boon)
    return "".join(dice)


def attack_extra(creature: Creature) -> str:
    """Return the bonus dice that effects add to attack rolls, such as `+1d4`."""
    return _extra(creature, "attack")


def spend(play: Play, who: str, kind: str) -> None:
    """End one-use effects that this kind of roll has used up."""
    for effect in play.the(who).effects:
        if effect.boon and effect.boon.once and _serves(effect, kind):
            play.add(h.EffectEnded(who=who, key=effect.key, source=effect.source, why="spent"))


def _serves(effect: Effect, kind: str) -> bool:
    boon = effect.boon
    if boon is None:
        return False
    edges = {
        "attack": boon.adv_attack or boon.dis_attack,
        "check": bool(boon.adv_checks or boon.dis_checks),
        "save": bool(boon.adv_saves or boon.dis_saves),
        "against": boon.adv_against or boon.dis_against,
    }
    return bool(edges[kind] or getattr(boon, kind, ""))


def _known(what: str) -> Skill | Ability:
    """Return the skill or ability of this name (raises KeyError)."""
    for one in (*SKILLS, *ABILITIES):
        if one == what:
            return one
    raise KeyError(what)
