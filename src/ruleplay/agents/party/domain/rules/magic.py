"""What spells and special actions do to their targets."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ruleplay.agents.party.domain.creature import Creature, Damage, Effect, Inflicts, Power
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.play import Play
from ruleplay.agents.party.domain.rulebook import Spell
from ruleplay.agents.party.domain.rules import special
from ruleplay.agents.party.domain.rules.checks import save
from ruleplay.agents.party.domain.rules.effects import bestow, come_into_sight, concentrate, inflict
from ruleplay.agents.party.domain.rules.harm import Hurt, bolster, deal, heal
from ruleplay.agents.party.domain.rules.special import Targets
from ruleplay.agents.party.domain.rules.spells import (
    damage_of,
    rays_of,
    spell_attack,
    sustained,
    times,
)
from ruleplay.agents.party.domain.rules.strikes import strike
from ruleplay.agents.party.domain.terms import ABILITIES, Ability


@dataclass(frozen=True, slots=True)
class Working:
    """A spell or special action being resolved, with everything its effect on targets needs."""

    key: str
    by: str
    why: h.Why
    damage: tuple[Damage, ...] = ()
    save: Ability | str = ""
    dc: int = 0
    half: bool = False
    inflicts: Inflicts | None = None
    rounds: int | None = None
    concentration: bool = False
    slot: int = 0
    push: int = 0
    against: tuple[str, ...] = field(default=())


def perform(play: Play, who: str, key: str, spell: Spell, slot: int, targets: Targets) -> None:
    """Cast a spell whose action cost has been paid: slot, concentration and effect."""
    caster = play.the(who)
    again = sustained(caster, key, spell)
    whom = tuple(dict.fromkeys(targets))
    # Using a lasting spell again costs no further slot.
    play.add(h.SpellCast(who=who, spell=key, slot=slot if not again else 0, targets=whom))
    if slot and not again:
        left = caster.slots[slot - 1] - 1
        play.add(h.SlotSpent(who=who, level=slot, left=left))
    level = again.slot if again else slot
    if spell.concentration and not again:
        # Concentration starts before the effects, as starting it ends the effects of the previous
        # spell.
        concentrate(play, who, key)
    _work(play, who, key, spell, level, targets)
    come_into_sight(play, who, caster)
    if not again:
        _linger(play, who, key, spell, level)


def _linger(play: Play, who: str, key: str, spell: Spell, slot: int) -> None:
    """Put a marker on the caster for the duration of a spell they concentrate on or can reuse."""
    caster = play.the(who)
    if not spell.rounds or not caster.alive:
        return
    if spell.concentration and caster.concentration != key:
        return
    if spell.sustain or spell.concentration:
        name = f"{key}-lasting"
        lasting = Effect(
            key=name,
            source=who,
            left=spell.rounds,
            of=who,
            at="start",
            concentration=spell.concentration,
            slot=slot,
        )
        bestow(play, who, lasting)


def _work(play: Play, who: str, key: str, spell: Spell, slot: int, targets: Targets) -> None:
    if special.handles(spell.special):
        special.work(play, who, key, spell, slot, targets)
        return
    caster = play.the(who)
    working = Working(
        key=key,
        by=who,
        why="spell",
        damage=damage_of(caster, spell, slot),
        save=spell.save,
        dc=caster.spell_dc,
        half=spell.half,
        inflicts=spell.inflicts,
        rounds=spell.rounds or None,
        concentration=spell.concentration,
        slot=slot,
        push=spell.push,
    )
    if spell.how in ("melee", "ranged"):
        _shoot(play, caster, spell, working, targets)
    elif spell.heal or spell.temp:
        _restore(play, caster, key, spell, slot, targets)
        _inflict_on(play, working, [one for one in targets if play.the(one).alive])
    elif spell.how == "auto" and spell.damage:
        _dart(play, caster, spell, working, targets)
    else:
        afflict(play, working, targets)


def _shoot(play: Play, caster: Creature, spell: Spell, working: Working, targets: Targets) -> None:
    """Make a spell's attack rolls, one for each ray; rays are dealt out to the targets in turn."""
    attack = spell_attack(caster, working.key, spell, working.damage)
    for ray in range(rays_of(caster, spell, working.slot)):
        target = targets[ray % len(targets)]
        if not play.the(target).alive or not play.the(caster.id).conscious:
            continue
        hit = strike(play, caster.id, target, attack)
        if hit:
            _inflict_on(play, working, [target])
            if spell.special == "drain":
                heal(play, caster.id, _last_damage(play, target) // 2, caster.id)
        elif working.half:
            # A few spells deal half damage on a miss.
            hurts = [replace(hurt, halved=True) for hurt in _rolled(play, working)]
            deal(play, target, hurts, working.by, working.why)


def _last_damage(play: Play, target: str) -> int:
    for one in reversed(play.happened):
        if isinstance(one, h.HitPointsChanged) and one.who == target and one.damage:
            return -one.amount
    return 0


def _dart(play: Play, caster: Creature, spell: Spell, working: Working, targets: Targets) -> None:
    """Apply missiles that always hit; they strike at the same time and share one damage roll."""
    hurts = _rolled(play, working)
    counts = dict.fromkeys(targets, 0)
    for ray in range(rays_of(caster, spell, working.slot)):
        counts[targets[ray % len(targets)]] += 1
    for target, count in counts.items():
        if count and play.the(target).alive:
            each = [Hurt(one.raw * count, one.damage, magical=True) for one in hurts]
            deal(play, target, each, working.by, working.why)
    _inflict_on(play, working, [one for one in targets if play.the(one).alive])


def _restore(
    play: Play, caster: Creature, key: str, spell: Spell, slot: int, targets: tuple[str, ...]
) -> None:
    """Heal or grant temporary hit points, with a separate roll for each target."""
    for target in targets:
        dice = spell.heal or spell.temp
        if slot > spell.level and spell.heal_upcast:
            dice = f"{dice}+{times(spell.heal_upcast, slot - spell.level)}"
        bonus = caster.mod(caster.casting) if spell.heal_ability and caster.casting else 0
        # Disciple of Life (Life domain): 2 + the spell's level in extra hit points.
        if spell.heal and slot and caster.has_feature("disciple-of-life"):
            bonus += 2 + slot
        bonus += spell.temp_upcast * max(0, slot - spell.level)
        roll = play.roll(f"{dice}{bonus:+d}" if bonus else dice)
        play.add(h.HealingRolled(by=caster.id, what=key, roll=roll))
        if play.the(target).type in ("undead", "construct") and spell.heal:
            continue
        if spell.heal:
            heal(play, target, max(0, roll.total), caster.id)
        else:
            bolster(play, target, max(0, roll.total), key)


def _rolled(play: Play, working: Working) -> list[Hurt]:
    """Roll the damage once for all targets (SRD 5.1, "Damage Rolls")."""
    hurts: list[Hurt] = []
    for damage in working.damage:
        roll = play.roll(damage.dice)
        play.add(
            h.DamageRolled(
                by=working.by, what=working.key, damage=damage.type, roll=roll, why=working.why
            )
        )
        hurts.append(Hurt(max(0, roll.total), damage.type, magical=True))
    return hurts


def afflict(play: Play, working: Working, targets: tuple[str, ...]) -> None:
    """Make each target save against the effect, or suffer it."""
    rolled = _rolled(play, working)
    kept_off: tuple[str, ...] = tuple(one.type for one in working.damage)
    if working.inflicts:
        kept_off = (*kept_off, *working.inflicts.conditions)
    for target in targets:
        if not play.the(target).alive:
            continue
        saved = bool(working.save) and save(
            play,
            target,
            next(one for one in ABILITIES if one == working.save),
            working.dc,
            working.key,
            magical=True,
            against=kept_off,
        )
        if rolled and (not saved or working.half):
            hurts = [Hurt(one.raw, one.damage, magical=True, halved=saved) for one in rolled]
            deal(play, target, hurts, working.by, working.why)
        if not saved:
            _inflict_on(play, working, [target])
            _push(play, working, target)


def _inflict_on(play: Play, working: Working, targets: list[str]) -> None:
    if working.inflicts is None:
        return
    for target in targets:
        if play.the(target).hp or not working.inflicts.conditions:
            inflict(
                play,
                target,
                working.inflicts,
                working.key,
                working.by,
                rounds=working.inflicts.rounds or working.rounds,
                save=working.save,
                dc=working.dc,
                concentration=working.concentration,
                slot=working.slot,
            )


def _push(play: Play, working: Working, target: str) -> None:
    one, by = play.the(target), play.the(working.by)
    if not working.push or not play.fighting or not one.present:
        return
    away = 1 if one.position >= by.position else -1
    place = one.position + away * working.push
    play.add(h.Moved(who=target, origin=one.position, position=place, why="pushed"))


def use_power(play: Play, who: str, power: Power, targets: tuple[str, ...]) -> None:
    """Use a special action whose cost has been paid."""
    one = play.the(who)
    tally = one.feature(power.key)
    play.add(h.PowerUsed(who=who, power=power.key, targets=targets))
    if tally and tally.most:
        play.add(h.FeatureUsed(who=who, feature=power.key, amount=1, left=tally.left - 1))
    working = Working(
        key=power.key,
        by=who,
        why="power",
        damage=power.damage,
        save=power.save,
        dc=power.dc,
        half=power.half,
        inflicts=power.inflicts,
    )
    afflict(play, working, targets)
    come_into_sight(play, who)
