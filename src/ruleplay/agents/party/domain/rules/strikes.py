"""Resolving one attack: the roll against armour class, the damage and what a hit triggers."""

from __future__ import annotations

from dataclasses import replace

from ruleplay.agents.party.domain.creature import Attack, Boon, Creature, Damage, Effect, Rider
from ruleplay.agents.party.domain.dice import d20, doubled, edge_of, terms
from ruleplay.agents.party.domain.fight import REACH
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.play import Play
from ruleplay.agents.party.domain.rules.checks import attack_extra, save, spend
from ruleplay.agents.party.domain.rules.conditions import (
    armour_class,
    attack_edges,
    can_react,
    flanked,
    unseen,
)
from ruleplay.agents.party.domain.rules.effects import bestow, come_into_sight, inflict, lift
from ruleplay.agents.party.domain.rules.harm import Hurt, bolster, deal, die
from ruleplay.agents.party.domain.terms import LONG_REST_ROUNDS, SIZES, DamageType

SHIELD = "shield"
DRAINED = "drained"
SAVAGE = "savage-attacks"
"""Savage Attacks: a half-orc adds one weapon die on a critical hit, which is not doubled."""
SHIELD_AC, PARRY_AC = 5, 2


def strike(play: Play, attacker: str, target: str, attack: Attack) -> bool:
    """Roll an attack and apply its effects; return whether it hit.

    The caller has already checked that it is allowed (turn, reach, budget).
    """
    one, other = play.the(attacker), play.the(target)
    distance = abs(one.position - other.position) if play.fighting else 0
    gains, losses = attack_edges(play.cast, one, other, attack, distance)
    # A pulled blow is rolled with disadvantage.
    edge = edge_of(len(gains), len(losses) + play.pulled)
    formula = d20(attack.bonus, edge, attack_extra(one), lucky="lucky" in one.traits)
    roll = play.roll(formula)
    lowest = 19 if one.has_feature("improved-critical") and not _spell(attack) else 20
    natural = roll.natural
    ac = armour_class(other)
    hit = natural != 1 and (natural >= lowest or roll.total >= ac)
    if hit and natural < lowest:
        ac += _parried(play, one, other, attack, roll.total - ac, distance)
        hit = roll.total >= ac
    close = distance <= REACH
    # Hits on paralysed or unconscious creatures are critical only from within 5 feet (SRD 5.1).
    critical = hit and (natural >= lowest or (close and other.has("paralyzed", "unconscious")))
    play.add(
        h.AttackRolled(
            attacker=attacker,
            target=target,
            what=attack.key,
            roll=roll,
            ac=ac,
            hit=hit,
            critical=critical,
            ranged=distance > attack.reach,
            distance=distance,
        )
    )
    spend(play, attacker, "attack")
    spend(play, target, "against")
    come_into_sight(play, attacker)
    # Only melee attacks can knock a creature out instead of killing it (SRD 5.1).
    play.spare = play.spare and distance <= attack.reach
    if hit:
        wound(play, attacker, target, attack, critical=critical, edge=edge, distance=distance)
    return hit


def _spell(attack: Attack) -> bool:
    return "spell" in attack.properties


def _parried(
    play: Play, one: Creature, other: Creature, attack: Attack, margin: int, distance: int
) -> int:
    """Return the armour class that a reaction adds if it turns the hit into a miss, else 0.

    Reactions are automatic, so they are only spent where they make the difference.
    """
    if not can_react(play.cast, other) or unseen(one) or one.side == other.side:
        return 0
    slot = next((n for n, left in enumerate(other.slots, 1) if left), 0)
    if SHIELD in other.spells and slot and margin < SHIELD_AC and not other.under("rage"):
        react(play, other.id, SHIELD, one.id)
        play.add(h.SpellCast(who=other.id, spell=SHIELD, slot=slot, targets=(other.id,)))
        play.add(h.SlotSpent(who=other.id, level=slot, left=other.slots[slot - 1] - 1))
        given = play.book.spells[SHIELD].inflicts
        if given:
            inflict(play, other.id, given, SHIELD, other.id, rounds=1)
        return SHIELD_AC
    armed = "parry" in other.traits and distance <= attack.reach
    if armed and not _spell(attack) and margin < PARRY_AC:
        react(play, other.id, "parry", one.id)
        return PARRY_AC
    return 0


def react(play: Play, who: str, what: str, target: str) -> None:
    """Spend a creature's reaction."""
    play.add(h.ActionTaken(who=who, act="reaction", cost="reaction", what=what, targets=(target,)))


def wound(
    play: Play,
    attacker: str,
    target: str,
    attack: Attack,
    *,
    critical: bool,
    edge: int,
    distance: int,
) -> None:
    """Roll a hit's damage, deal it and apply the attack's rider."""
    one, other = play.the(attacker), play.the(target)
    hurts: list[Hurt] = []
    charge = attack.charge_damage if _charged(play, attack) else ()
    for damage in (*_damages(one, attack), *charge):
        formula = doubled(damage.dice) if critical else damage.dice
        hurts.append(_rolled(play, attacker, attack, damage.type, formula, critical, ""))
    weapon = hurts[0].damage if hurts else "bludgeoning"
    extras = _extras(play, one, other, attack, edge, distance, weapon)
    if critical and distance <= attack.reach and SAVAGE in one.traits:
        extras.append((SAVAGE, _one_die(attack), weapon))
    for why, dice, damage_type in extras:
        formula = doubled(dice) if critical and why != SAVAGE else dice
        hurts.append(_rolled(play, attacker, attack, damage_type, formula, critical, why))
    if play.pulled:
        hurts = [replace(hurt, halved=True) for hurt in hurts]
    hurts = _softened(play, one, other, attack, hurts)
    cause: h.Why = "spell" if _spell(attack) else "hit"
    deal(play, target, hurts, attacker, cause, critical=critical)
    _reward(play, attacker, target)
    if attack.rider and play.the(target).present and _charged(play, attack):
        follow(play, attacker, target, attack.rider, attack.key)
    _stun(play, attacker, target, attack)


def _damages(one: Creature, attack: Attack) -> tuple[Damage, ...]:
    """Return an attack's damage; a versatile weapon uses two hands if the other one is free."""
    both = attack.two_handed and not one.shield and not one.offhand
    return attack.two_handed if both else attack.damage


def _charged(play: Play, attack: Attack) -> bool:
    """Whether the attacker moved far enough for an attack that needs a charge."""
    return not attack.charge or (play.fighting and play.fight.budget.moved >= attack.charge)


def _rolled(
    play: Play, by: str, attack: Attack, damage: DamageType, formula: str, critical: bool, why: str
) -> Hurt:
    roll = play.roll(formula)
    play.add(
        h.DamageRolled(by=by, what=attack.key, damage=damage, roll=roll, critical=critical, why=why)
    )
    return Hurt(raw=max(0, roll.total), damage=damage, magical=attack.magical)


def _extras(
    play: Play,
    one: Creature,
    other: Creature,
    attack: Attack,
    edge: int,
    distance: int,
    weapon: DamageType,
) -> list[tuple[str, str, DamageType]]:
    """Return extra damage of a hit as (reason, dice, type)."""
    found: list[tuple[str, str, DamageType]] = []
    melee = distance <= attack.reach
    if _spell(attack):
        mark = one.under("hex")
        if mark and mark.boon and mark.boon.mark == other.id and mark.boon.bonus_damage:
            found.append(("hex", mark.boon.bonus_damage.dice, mark.boon.bonus_damage.type))
        return found
    for effect in one.effects:
        boon = effect.boon
        if boon is None or boon.mark not in ("", other.id):
            continue
        if boon.bonus_damage:
            found.append((effect.key, boon.bonus_damage.dice, boon.bonus_damage.type))
        if boon.melee_bonus and melee and attack.ability == "str":
            found.append((effect.key, str(boon.melee_bonus), weapon))
    found += [(why, dice, weapon) for why, dice in _once_a_turn(play, one, other, attack, edge)]
    return found + _smite(play, one, other, melee)


def _once_a_turn(
    play: Play, one: Creature, other: Creature, attack: Attack, edge: int
) -> list[tuple[str, str]]:
    """Return Sneak Attack and similar damage, limited to once a turn by the effect `struck`."""
    mark = one.under("struck")
    if mark is not None or not play.fighting:
        return []
    beside = flanked(play.cast, one, other)
    found: list[tuple[str, str]] = []
    sneak = one.bonuses.get("sneak", 0) or (one.classes.get("rogue", 0) + 1) // 2
    if sneak and attack.finesse and edge >= 0 and (edge > 0 or beside):
        found.append(("sneak-attack", f"{sneak}d6"))
    if "martial-advantage" in one.traits and beside:
        found.append(("martial-advantage", "2d6"))
    if one.has_feature("colossus-slayer") and other.hp < other.max_hp:
        found.append(("colossus-slayer", "1d8"))
    if (
        "surprise-attack" in one.traits
        and play.fight.round == 1
        and other.id in play.fight.surprised
    ):
        found.append(("surprise-attack", "2d6"))
    if found:
        struck = Effect(key="struck", source=one.id, left=1, of=play.fight.actor, at="end")
        if play.fight.begun:
            play.add(h.EffectGained(who=one.id, effect=struck))
    return found


def _one_die(attack: Attack) -> str:
    """Return one die of a weapon: `1d12` for `1d12+3`."""
    dice = next((term for term in terms(attack.damage[0].dice) if term.count), None)
    return f"1d{dice.sides}" if dice else "1"


def _smite(
    play: Play, one: Creature, other: Creature, melee: bool
) -> list[tuple[str, str, DamageType]]:
    """Return the damage of a declared Divine Smite and spend its slot."""
    armed = one.under("divine-smite")
    if armed is None or not melee:
        return []
    lift(play, one.id, armed, "spent")
    level = armed.slot
    left = one.slots[level - 1] if level <= len(one.slots) else 0
    if not left:
        return []
    play.add(h.SlotSpent(who=one.id, level=level, left=left - 1))
    dice = min(5, 1 + level) + (other.type in ("undead", "fiend"))
    return [("divine-smite", f"{dice}d8", "radiant")]


def _softened(
    play: Play, one: Creature, other: Creature, attack: Attack, hurts: list[Hurt]
) -> list[Hurt]:
    """Return the damage after the target's reaction (Uncanny Dodge, Deflect Missiles)."""
    if not can_react(play.cast, other) or unseen(one) or one.side == other.side:
        return hurts
    total = sum(hurt.counts(other) for hurt in hurts)
    if other.has_feature("uncanny-dodge") and total > 1:
        react(play, other.id, "uncanny-dodge", one.id)
        return [
            Hurt(h_.raw, h_.damage, h_.magical, h_.halved, h_.kept - h_.kept // 2) for h_ in hurts
        ]
    if other.has_feature("deflect-missiles") and not attack.reach and not _spell(attack):
        react(play, other.id, "deflect-missiles", one.id)
        level = other.classes.get("monk", 0)
        roll = play.roll(f"1d10{other.mod('dex') + level:+d}")
        play.add(h.HealingRolled(by=other.id, what="deflect-missiles", roll=roll))
        first = hurts[0]
        cut = Hurt(first.raw, first.damage, first.magical, first.halved, max(0, roll.total))
        return [cut, *hurts[1:]]
    return hurts


def _reward(play: Play, attacker: str, target: str) -> None:
    """Grant temporary hit points for felling a foe (Dark One's Blessing)."""
    one, other = play.the(attacker), play.the(target)
    if other.hp == 0 and other.side != one.side and one.has_feature("dark-ones-blessing"):
        level = one.classes.get("warlock", 0)
        bolster(play, attacker, max(1, one.mod("cha") + level), "dark-ones-blessing")


def _stun(play: Play, attacker: str, target: str, attack: Attack) -> None:
    """Resolve a declared Stunning Strike."""
    one = play.the(attacker)
    armed, ki = one.under("stunning-strike"), one.feature("ki")
    if armed is None or ki is None or not ki.left or not attack.reach:
        return
    if not play.the(target).alive:
        return
    lift(play, attacker, armed, "spent")
    play.add(h.FeatureUsed(who=attacker, feature="ki", amount=1, left=ki.left - 1))
    dc = 8 + one.proficiency + one.mod("wis")
    if not save(play, target, "con", dc, "stunning-strike", against=("stunned",)):
        until = Effect(
            key="stunning-strike",
            source=attacker,
            conditions=("stunned", "incapacitated"),
            # A turn that is still running ends once before the monk's next turn does, hence 2.
            left=2 if play.fighting and play.fight.actor == attacker else 1,
            of=attacker,
            at="end",
        )
        if "stunned" not in play.the(target).condition_immune:
            bestow(play, target, until)


def _drain(play: Play, attacker: str, target: str) -> None:
    """Lower the hit point maximum by the damage of the hit until a long rest."""
    rolled = [one for one in play.happened if isinstance(one, h.HitPointsChanged)]
    lost = -rolled[-1].amount if rolled and rolled[-1].who == target else 0
    one = play.the(target)
    if not lost or not one.alive:
        return
    if one.max_hp <= lost:
        die(play, target, attacker)
        return
    before = one.under(DRAINED, attacker)
    already = before.boon.max_hp if before and before.boon else 0
    if before:
        play.add(h.EffectEnded(who=target, key=DRAINED, source=attacker, why="over"))
        play.add(h.MaxHpChanged(who=target, amount=-already, max_hp=one.max_hp - already))
    boon = Boon(max_hp=already - lost)
    effect = Effect(key=DRAINED, source=attacker, boon=boon, left=LONG_REST_ROUNDS)
    bestow(play, target, effect)


def follow(play: Play, attacker: str, target: str, rider: Rider, key: str) -> None:
    """Apply the rider of a hit: a save against further damage or a condition."""
    other = play.the(target)
    too_large = SIZES.index(other.size) > SIZES.index(rider.largest)
    if other.type in rider.not_types or too_large or not other.alive:
        return
    against: tuple[str, ...] = tuple(one.type for one in rider.damage)
    if rider.inflicts:
        against = (*against, *rider.inflicts.conditions)
    saved = bool(rider.save) and save(
        play, target, rider.save or "con", rider.dc, key, against=against
    )
    hurts: list[Hurt] = []
    if not saved or rider.half:
        for damage in rider.damage:
            roll = play.roll(damage.dice)
            play.add(
                h.DamageRolled(by=attacker, what=key, damage=damage.type, roll=roll, why="rider")
            )
            hurts.append(Hurt(roll.total, damage.type, magical=True, halved=saved))
    deal(play, target, hurts, attacker, "effect")
    if rider.drains and not saved:
        _drain(play, attacker, target)
    if rider.inflicts and not saved and play.the(target).hp:
        inflict(play, target, rider.inflicts, key, attacker, save=rider.save, dc=rider.dc)
