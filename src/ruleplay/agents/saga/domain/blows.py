"""Rules of a single blow: attack against defence, damage, and what follows from it.

Attack and defence are opposed d100 rolls with the modifier of agility. Rolls and damage are never
supplied from outside the rules, least of all by a model.
"""

from __future__ import annotations

from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import surroundings
from ruleplay.agents.saga.domain.dice import Roll, edge, modifier
from ruleplay.agents.saga.domain.fight import Combatant, Status
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.rulebook import Item, StatusKind

FISTS = 2
"""Damage of an empty hand."""
FOR_ATTACK: tuple[StatusKind, ...] = ("blessed", "aiming", "hidden")
"""Statuses of the attacker that give the attack an advantage."""
AGAINST_ATTACK: tuple[StatusKind, ...] = (
    "frightened",
    "shaken",
    "poisoned",
    "prone",
    "blinded",
    "restrained",
    "distracted",
    "grappled",
)
AGAINST_DEFENCE: tuple[StatusKind, ...] = (
    "stunned",
    "shaken",
    "prone",
    "blinded",
    "restrained",
    "distracted",
    "slowed",
)
"""Statuses that give the roll a disadvantage. Wounds and higher ground give none: wounds already
show in hit points, and places have no finer geography."""


def hits(attack: Roll, defence: Roll) -> bool:
    """Whether a blow hits: the attack is higher. A natural 95 or more hits, 5 or less misses."""
    if attack.fumble:
        return False
    return attack.critical or attack.total > defence.total


def damage_of(weapon: int, attack: Roll, defence: Roll, armour: int) -> int:
    """Return weapon + margin // 10 - armour, at least 0; a critical doubles all but the armour."""
    raw = weapon + (attack.total - defence.total) // 10
    return max(0, (2 * raw if attack.critical else raw) - armour)


def weapon_of(play: Play, who: Combatant) -> Item | None:
    """Return the weapon in somebody's hand, None for bare fists."""
    return play.book.rules.items.get(who.weapon)


def absorption(play: Play, who: Combatant) -> int:
    """Return how much damage somebody's armour absorbs."""
    worn = play.book.rules.items.get(who.armour)
    return worn.absorbs if worn else 0


def strike(
    play: Play, attacker: str, target: str, *, spare: bool = False, stunt: bool = False
) -> h.Attacked:
    """Roll a blow of one combatant at another, and apply its effects.

    With a `stunt` the attack has a disadvantage and does half damage. With `spare` the target
    surrenders instead of dying.
    """
    one, other = play.fight.the(attacker), play.fight.the(target)
    reacts = other.has("guarding") and target not in play.fight.reacted
    if reacts:
        play.add(h.ActionTaken(who=target, action="guard", cost="reaction", target=attacker))
    lent = play.game.story.edges
    for_one = edge(
        [one.has(*FOR_ATTACK), lent.get(attacker, 0) > 0],
        [one.has(*AGAINST_ATTACK), lent.get(attacker, 0) < 0, stunt],
    )
    for_other = edge(
        [other.has("defending"), reacts, other.has("hidden"), lent.get(target, 0) > 0],
        [other.has(*AGAINST_DEFENCE), lent.get(target, 0) < 0],
    )
    attack = play.roll(modifier(one.stats["agility"]), for_one)
    defence = play.roll(modifier(other.stats["agility"]), for_other, ahead=1)
    weapon = weapon_of(play, one)
    harm, absorbed = weapon.damage if weapon else FISTS, absorption(play, other)
    hit = hits(attack, defence)
    due = damage_of(harm, attack, defence, absorbed) if hit else 0
    blow = h.Attacked(
        attacker=attacker,
        target=target,
        weapon=one.weapon,
        attack=attack,
        defence=defence,
        hit=hit,
        critical=hit and attack.critical,
        fumble=attack.fumble,
        weapon_damage=harm,
        absorbed=absorbed,
        damage=due // 2 if stunt else due,
        halved=stunt,
    )
    play.add(blow)
    for who in (attacker, target):
        if who in lent:
            play.add(h.EdgeSpent(who=who))
    _spend(play, one, "aiming", "shaken", "distracted", "hidden")
    _spend(play, other, "shaken")  # who is distracted stays so until they strike themselves
    _effects(play, blow, weapon, spare)
    return blow


def _spend(play: Play, who: Combatant, *kinds: StatusKind) -> None:
    """End statuses that hold for one roll only, such as aim or a fumble's penalty."""
    for kind in kinds:
        if who.has(kind):
            play.add(h.StatusAged(who=who.id, kind=kind, rounds=0, why="spent"))


def _effects(play: Play, blow: h.Attacked, weapon: Item | None, spare: bool) -> None:
    if blow.fumble:
        # Lasts 20 rounds, long enough for the next roll, which ends it (`_spend`).
        play.add(h.StatusGained(who=blow.attacker, status=Status(kind="shaken", rounds=20)))
    if blow.damage:
        apply_damage(play, blow.target, blow.damage, by=blow.attacker, spare=spare)
    bitten = play.fight.the(blow.target).present and blow.damage > 0
    if bitten and weapon and weapon.inflicts:
        brought = weapon.inflicts
        status = Status(kind=brought.kind, rounds=brought.rounds, power=brought.power)
        play.add(h.StatusGained(who=blow.target, status=status))


def apply_damage(
    play: Play, target: str, damage: int, by: str = "", cause: str = "blow", *, spare: bool = False
) -> None:
    """Subtract hit points; at 0 the target dies or, if spared, surrenders with 1 left.

    An ally only falls, and can be saved until the fight is over (`spoils.conclude`).
    """
    left = max(1 if spare else 0, play.fight.the(target).hp - damage)
    lost = play.fight.the(target).hp - left
    falls = play.fight.the(target).hp <= damage
    play.add(
        h.HitPointsChanged.model_validate(
            {"who": target, "amount": -lost, "hp": left, "cause": cause}
        )
    )
    if left == 0:
        ally = play.fight.the(target).fallen
        play.add(h.Fell(who=target, by=by) if ally else h.Died(who=target, by=by))
    elif falls:
        give_up(play, target)


def give_up(play: Play, who: str) -> None:
    """Let somebody surrender: out of the fight, alive, and there to be talked to afterwards."""
    play.add(h.Yielded(who=who))
    play.add(h.FlagSet(flag=surroundings.gave_up(play.fight.encounter, who)))
