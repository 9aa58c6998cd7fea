"""What a spell would take before it is cast: its slot, targets and dice."""

from __future__ import annotations

from ruleplay.agents.party.domain.creature import Attack, Creature, Damage, Effect
from ruleplay.agents.party.domain.dice import terms
from ruleplay.agents.party.domain.play import Impossible, Play
from ruleplay.agents.party.domain.rulebook import Spell
from ruleplay.agents.party.domain.rules.conditions import unseen

SCALING_LEVEL = 5
"""The character level at which cantrips deal more damage."""
AIMED = ("melee", "ranged")
"""Delivery methods that need an attack roll."""


def caster_level(creature: Creature) -> int:
    """Return the level by which cantrips scale."""
    return creature.level or creature.bonuses.get("caster-level", 1)


def lowest_slot(creature: Creature, level: int) -> int:
    """Return the lowest available slot of at least `level`; 0 if there is none."""
    return next((n for n, left in enumerate(creature.slots, 1) if n >= level and left), 0)


def sustained(creature: Creature, key: str, spell: Spell) -> Effect | None:
    """Return the caster's marker of a lasting spell that can be aimed again without a slot."""
    return None if not spell.sustain else creature.under(f"{key}-lasting", creature.id)


def slot_for(play: Play, caster: Creature, key: str, spell: Spell, wanted: int) -> int:
    """Return the slot level a spell uses, 0 for none (raises Impossible if none is left)."""
    if spell.level == 0:
        return 0
    # Cast as a ritual, a spell takes no slot; the ten minutes rule it out in a fight.
    if spell.ritual and not play.fighting and not wanted:
        return 0
    slot = wanted or lowest_slot(caster, spell.level)
    if slot and slot < spell.level:
        raise Impossible("slot-too-low", key, str(spell.level))
    if not slot or slot > len(caster.slots) or not caster.slots[slot - 1]:
        raise Impossible("no-slot", key, str(slot or spell.level))
    return slot


def most_targets(caster: Creature, spell: Spell, slot: int) -> int:
    """Return how many creatures a spell may target."""
    more = max(0, slot - spell.level) if spell.level else 0
    if spell.rays > 1 or spell.special == "beams":
        return rays_of(caster, spell, slot)
    return spell.targets + spell.more_targets * more


def rays_of(caster: Creature, spell: Spell, slot: int) -> int:
    """Return the number of attack rolls or missiles of a spell."""
    more = max(0, slot - spell.level) * spell.more_rays if spell.level else 0
    beams = spell.special == "beams" and caster_level(caster) >= SCALING_LEVEL
    return spell.rays + more + int(beams)


def chosen(
    play: Play, who: str, key: str, spell: Spell, slot: int, aimed: tuple[str, ...]
) -> tuple[str, ...]:
    """Return a spell's targets after checking range and number (raises Impossible)."""
    caster = play.the(who)
    if spell.range == 0 and not spell.from_self:
        return (who,)
    aimed = aimed or ((who,) if spell.friendly else ())
    if not aimed:
        raise Impossible("no-target", key)
    # Only spells with several rays may name the same target more than once.
    if rays_of(caster, spell, slot) < 2:
        aimed = tuple(dict.fromkeys(aimed))
    most = most_targets(caster, spell, slot)
    if len(aimed) > most:
        raise Impossible("too-many-targets", key, str(most))
    for ident in aimed:
        _check_target(play, caster, key, spell, ident)
    if spell.radius and play.fighting and not spell.from_self:
        # An area's targets must fit into one circle: at most twice its radius apart on the line.
        places = [play.the(ident).position for ident in aimed]
        if max(places) - min(places) > 2 * spell.radius:
            raise Impossible("too-far-apart", key, str(spell.radius))
    return aimed


def _check_target(play: Play, caster: Creature, key: str, spell: Spell, ident: str) -> None:
    target = play.cast.get(ident)
    if target is None or target.gone:
        raise Impossible("no-such-target", ident)
    if target.dead and spell.special != "revive":
        raise Impossible("already-dead", ident)
    if spell.only_types and target.type not in spell.only_types:
        raise Impossible("wrong-kind-of-target", ident, key)
    if target.type in spell.not_types and not spell.pool:
        raise Impossible("wrong-kind-of-target", ident, key)
    if play.fighting:
        _check_reach(play, caster, key, spell, target)


def _check_reach(play: Play, caster: Creature, key: str, spell: Spell, target: Creature) -> None:
    """Check that a target in the fight is in range, visible and may be harmed."""
    ident, hostile = target.id, target.side != caster.side
    if ident not in play.fight.order:
        raise Impossible("not-in-the-fight", ident)
    if hostile and unseen(target) and not spell.radius:
        raise Impossible("unseen-target", ident)
    far = abs(target.position - caster.position)
    if far > (spell.radius if spell.from_self else spell.range):
        raise Impossible("out-of-range", ident, key)
    if hostile and not spell.friendly and charmed_by(caster, ident):
        raise Impossible("charmed", ident)


def charmed_by(creature: Creature, ident: str) -> bool:
    """Whether a creature is charmed by another and so cannot harm it."""
    return any("charmed" in one.conditions and one.source == ident for one in creature.effects)


def damage_of(caster: Creature, spell: Spell, slot: int) -> tuple[Damage, ...]:
    """Return a spell's damage with this slot; cantrips double their dice at level 5."""
    if not spell.damage:
        return ()
    first, *others = spell.damage
    dice = first.dice
    if spell.scales and spell.special != "beams" and caster_level(caster) >= SCALING_LEVEL:
        dice = times(dice, 2)
    if spell.upcast and slot > spell.level:
        dice = f"{dice}+{times(spell.upcast, slot - spell.level)}"
    if spell.special == "beams" and caster.has_feature("agonizing-blast"):
        bonus = caster.mod("cha")
        dice = f"{dice}{bonus:+d}" if bonus else dice
    if spell.damage_ability and caster.casting:
        bonus = caster.mod(caster.casting)
        dice = f"{dice}{bonus:+d}" if bonus else dice
    return (Damage(dice=dice, type=first.type), *others)


def times(formula: str, count: int) -> str:
    """Return the formula with its dice and constants multiplied."""
    parts = [
        f"{one.sign * count * one.count:+d}d{one.sides}"
        if one.count
        else f"{one.sign * count * one.sides:+d}"
        for one in terms(formula)
    ]
    return "".join(parts).removeprefix("+")


def aimed(play: Play, caster: Creature, key: str) -> Attack | None:
    """Return the attack of a cantrip that can be readied; None for anything else.

    Readying a levelled spell would need concentration and is not supported.
    """
    spell = play.book.spells.get(key) if key in caster.spells else None
    if spell is None or spell.level or spell.how not in AIMED:
        return None
    return spell_attack(caster, key, spell, damage_of(caster, spell, 0))


def spell_attack(caster: Creature, key: str, spell: Spell, damage: tuple[Damage, ...]) -> Attack:
    """Return a spell's attack in the form of a weapon attack."""
    melee = spell.how == "melee"
    return Attack(
        key=key,
        name=spell.name,
        ability=caster.casting or "int",
        bonus=caster.spell_attack,
        reach=max(5, spell.range) if melee else 0,
        range=0 if melee else spell.range,
        long=0 if melee else spell.range,
        damage=damage,
        properties=("spell",),
        magical=True,
    )
