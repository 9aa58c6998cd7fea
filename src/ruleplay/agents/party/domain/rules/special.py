"""Spells that need code of their own because the general spell fields cannot express them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ruleplay.agents.party.domain.creature import Boon
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.play import Play
from ruleplay.agents.party.domain.rulebook import Spell
from ruleplay.agents.party.domain.rules.effects import end_concentration, inflict, lift
from ruleplay.agents.party.domain.terms import modifier

Targets = tuple[str, ...]
Work = Callable[[Play, str, str, Spell, int, Targets], None]


def handles(name: str) -> bool:
    """Whether this module resolves spells with this `special`."""
    return name in _WORKS


def work(play: Play, who: str, key: str, spell: Spell, slot: int, targets: Targets) -> None:
    """Apply a special spell's effect."""
    _WORKS[spell.special](play, who, key, spell, slot, targets)


def _mark(play: Play, who: str, key: str, spell: Spell, slot: int, targets: Targets) -> None:
    """Mark a foe so that the caster's hits deal extra damage to it (Hex, Hunter's Mark)."""
    if spell.inflicts is None:
        return
    boon = (spell.inflicts.boon or Boon()).model_copy(update={"mark": targets[0]})
    given = spell.inflicts.model_copy(update={"boon": boon})
    inflict(play, who, given, key, who, rounds=spell.rounds, concentration=True, slot=slot)


def _pool(play: Play, who: str, key: str, spell: Spell, slot: int, targets: Targets) -> None:
    """Spend a rolled pool of hit points on creatures, those with the fewest first (Sleep)."""
    dice = spell.pool
    if spell.upcast and slot > spell.level:
        count, _, sides = spell.upcast.partition("d")
        dice = f"{dice}+{int(count) * (slot - spell.level)}d{sides}"
    roll = play.roll(dice)
    # `HealingRolled` serves as the happening for any roll of hit points, here the pool's.
    play.add(h.HealingRolled(by=who, what=key, roll=roll))
    left = roll.total
    awake = [play.the(one) for one in targets if play.the(one).conscious]
    for one in sorted(awake, key=lambda creature: (creature.hp, creature.id)):
        if one.hp > left:
            break
        left -= one.hp
        sleepless = key == "sleep" and (
            "fey-ancestry" in one.traits or "charmed" in one.condition_immune
        )
        if spell.inflicts and not sleepless and one.type not in spell.not_types:
            inflict(play, one.id, spell.inflicts, key, who, rounds=spell.rounds or None)


def _step(play: Play, who: str, key: str, spell: Spell, slot: int, targets: Targets) -> None:
    """Teleport 30 feet away from the nearest foe."""
    if not play.fighting:
        return
    one = play.the(who)
    foes = [foe.position for foe in play.cast.foes_of(who) if foe.hp]
    near = min(foes, key=lambda place: abs(place - one.position)) if foes else one.position
    away = 1 if one.position >= near else -1
    place = one.position + away * 30
    play.add(h.Moved(who=who, origin=one.position, position=place, why="spell"))


def _cure(play: Play, who: str, key: str, spell: Spell, slot: int, targets: Targets) -> None:
    """End effects with one of the conditions that the spell cures."""
    for target in targets:
        for effect in play.the(target).effects:
            if {*effect.conditions, effect.key} & {*spell.ends} and effect.key != "dying":
                lift(play, target, effect, "cured")


def _dispel(play: Play, who: str, key: str, spell: Spell, slot: int, targets: Targets) -> None:
    """End spells on a target: up to the slot's level automatically, higher ones by a check."""
    for target in targets:
        for effect in play.the(target).effects:
            cause = play.book.spells.get(effect.key.removesuffix("-lasting"))
            if cause is None or not cause.level:
                continue
            level = max(effect.slot, cause.level)
            if level > slot and not _overcome(play, who, 10 + level):
                continue
            source = play.cast.get(effect.source)
            if effect.concentration and source and source.concentration:
                end_concentration(play, source.id, "ended")
            elif play.the(target).under(effect.key, effect.source):
                lift(play, target, effect, "cured")


def _overcome(play: Play, who: str, dc: int) -> bool:
    """Roll a spellcasting ability check."""
    one = play.the(who)
    ability = one.casting or "int"
    bonus = modifier(one.abilities[ability])
    roll = play.roll(f"1d20{bonus:+d}" if bonus else "1d20")
    success = roll.total >= dc
    play.add(h.Checked(who=who, what=ability, dc=dc, roll=roll, success=success, why="dispel"))
    return success


def _stabilise(play: Play, who: str, key: str, spell: Spell, slot: int, targets: Targets) -> None:
    """Stabilise dying targets."""
    for target in targets:
        if play.the(target).dying:
            play.add(h.Stabilised(who=target, by=who))


def _revive(play: Play, who: str, key: str, spell: Spell, slot: int, targets: Targets) -> None:
    """Revive targets that died recently, with 1 hit point."""
    for target in targets:
        one = play.the(target)
        if one.dead and one.type not in ("undead", "construct"):
            play.add(h.Revived(who=target, by=who, hp=1))


_WORKS: Final[dict[str, Work]] = {
    "mark": _mark,
    "pool": _pool,
    "step": _step,
    "cure": _cure,
    "dispel": _dispel,
    "stabilise": _stabilise,
    "revive": _revive,
}
