"""Damage, healing, falling unconscious and dying.

Every change of hit points is one happening. The order follows the SRD: a save halves the damage,
reactions reduce it, resistance halves or vulnerability doubles it, and temporary hit points absorb
the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

from ruleplay.agents.party.domain.creature import Creature, Effect
from ruleplay.agents.party.domain.dice import d20
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.play import Play
from ruleplay.agents.party.domain.rules.checks import save
from ruleplay.agents.party.domain.rules.conditions import boons, factor_for
from ruleplay.agents.party.domain.rules.effects import end_concentration, let_go, lift
from ruleplay.agents.party.domain.terms import DamageType

LEAST_CONCENTRATION_DC = 10
STABILISE_DC, DEATH_DC = 10, 10


@dataclass(frozen=True, slots=True)
class Hurt:
    """Damage of one type before the target's defences are applied."""

    raw: int
    damage: DamageType
    magical: bool = False
    halved: bool = False
    reduced: int = 0

    def counts(self, target: Creature) -> int:
        """Return the damage left after all defences, before temporary hit points."""
        factor = factor_for(target, self.damage, magical=self.magical)
        return self.kept * factor // 2

    @property
    def kept(self) -> int:
        """Return the damage after a successful save and a reaction."""
        return max(0, (self.raw // 2 if self.halved else self.raw) - self.reduced)


def deal(
    play: Play,
    who: str,
    hurts: list[Hurt],
    by: str = "",
    why: h.Why = "hit",
    *,
    critical: bool = False,
) -> int:
    """Apply damage from one source and its consequences; return the damage after defences.

    `critical` costs a dying target two failed death saves instead of one.
    """
    target = play.the(who)
    if target.dead or not hurts:
        return 0
    total = sum(hurt.counts(target) for hurt in hurts)
    before = target.hp
    asked_first = play.fighting and who in play.fight.owed and bool(by)
    endures = asked_first or _endures(play, target, hurts, total, critical)
    least = 1 if before and endures else 0
    over = 0
    for hurt in hurts:
        over += _take(play, who, hurt, by, why, least)
    if total:
        _shaken(play, who, hurts)
        _after(play, who, by, before, total, over, critical)
    return total


def _take(play: Play, who: str, hurt: Hurt, by: str, why: h.Why, least: int) -> int:
    """Apply damage of one type; return the damage beyond the last hit point."""
    one = play.the(who)
    dealt = hurt.counts(one)
    absorbed = min(one.temp, dealt)
    through = dealt - absorbed
    lost = max(0, min(through, one.hp - least))
    play.add(
        h.HitPointsChanged(
            who=who,
            amount=-lost,
            hp=one.hp - lost,
            why=why,
            by=by,
            damage=hurt.damage,
            raw=hurt.raw,
            factor=factor_for(one, hurt.damage, magical=hurt.magical),
            halved=hurt.halved,
            reduced=hurt.reduced,
            absorbed=absorbed,
            over=through - lost,
        )
    )
    return through - lost


def _shaken(play: Play, who: str, hurts: list[Hurt]) -> None:
    """End effects that any damage ends; record fire and acid, which suppress regeneration."""
    bearer = play.the(who)
    for effect in bearer.effects:
        if effect.wakes and (bearer.hp or not bearer.mortal):  # nobody wakes to die
            lift(play, who, effect, "damage")
    one = play.the(who)
    seared = any(hurt.damage in ("acid", "fire") and hurt.counts(one) for hurt in hurts)
    if seared and "regeneration" in one.traits and one.alive:
        mark = Effect(key="seared", source=who, left=1, of=who, at="end")
        play.add(h.EffectGained(who=who, effect=mark))


def _after(
    play: Play, who: str, by: str, before: int, total: int, over: int, critical: bool
) -> None:
    one = play.the(who)
    if one.hp:
        _hold_on(play, who, total)
    elif one.mortal and play.spare and before:
        play.add(h.Fell(who=who, by=by))
        let_go(play, who)
        play.add(h.Stabilised(who=who, by=by))
    elif one.mortal:
        die(play, who, by)
    # Instant death: the damage beyond 0 hit points reaches the hit point maximum.
    elif over >= one.max_hp and not play.spare:
        die(play, who, by, "massive")
    elif before == 0:
        _worsen(play, who, by, 2 if critical else 1)
    else:
        play.add(h.Fell(who=who, by=by))
        let_go(play, who)


def _hold_on(play: Play, who: str, total: int) -> None:
    """Roll the concentration save after damage: DC 10 or half the damage, whichever is higher."""
    spell = play.the(who).concentration
    if not spell:
        return
    dc = max(LEAST_CONCENTRATION_DC, total // 2)
    if not save(play, who, "con", dc, "concentration"):
        end_concentration(play, who, "damage")


def _worsen(play: Play, who: str, by: str, count: int) -> None:
    failed = min(3, play.the(who).failed + count)
    play.add(h.DeathSaveFailed(who=who, count=count, failed=failed))
    if failed == 3:
        die(play, who, by, "saves")


def _endures(play: Play, one: Creature, hurts: list[Hurt], total: int, critical: bool) -> bool:
    """Whether a creature stays at 1 hit point: Undead Fortitude or Relentless Endurance."""
    beyond = total - one.temp - one.hp
    if beyond < 0:
        return False
    if "undead-fortitude" in one.traits:
        if critical or any(hurt.damage == "radiant" for hurt in hurts):
            return False
        dc = 5 + total
        roll = play.roll(d20(one.save_bonus("con")))
        success = roll.total >= dc
        play.add(h.Endured(who=one.id, dc=dc, roll=roll, success=success))
        return success
    feature = one.feature("relentless-endurance")
    if feature and feature.left and beyond < one.max_hp:
        play.add(h.FeatureUsed(who=one.id, feature=feature.key, amount=1, left=feature.left - 1))
        return True
    return False


def die(play: Play, who: str, by: str = "", why: str = "damage") -> None:
    """Kill a creature; whatever it sustained ends."""
    let_go(play, who)
    one = play.the(who)
    if one.hp:
        play.add(h.HitPointsChanged(who=who, amount=-one.hp, hp=0, why="effect", by=by))
    play.add(h.Died.model_validate({"who": who, "by": by, "why": why}))


def heal(play: Play, who: str, amount: int, by: str = "", why: h.Why = "spell") -> int:
    """Restore hit points; a creature at 0 regains consciousness. Returns the points gained."""
    one = play.the(who)
    if one.dead or any(boon.no_healing for boon in boons(one)):
        return 0
    gained = max(0, min(amount, one.max_hp - one.hp))
    if not gained:
        return 0
    play.add(h.HitPointsChanged(who=who, amount=gained, hp=one.hp + gained, why=why, by=by))
    if one.hp == 0:
        play.add(h.CameRound(who=who))
    return gained


def bolster(play: Play, who: str, temp: int, why: str = "") -> None:
    """Grant temporary hit points, which don't add up: the higher number counts."""
    one = play.the(who)
    if one.alive and temp > one.temp:
        play.add(h.TempChanged(who=who, temp=temp, why=why))


def death_save(play: Play, who: str) -> None:
    """Roll a death save: 10 or more passes, a 1 fails twice, a 20 restores 1 hit point."""
    one = play.the(who)
    roll = play.roll(d20(0, lucky="lucky" in one.traits))
    if roll.natural == 20:
        play.add(h.DeathSaved(who=who, roll=roll, passed=0, failed=0))
        heal(play, who, 1, why="death-save")
        return
    fails = 2 if roll.natural == 1 else 1
    passed = one.passed + (roll.total >= DEATH_DC)
    failed = one.failed if roll.total >= DEATH_DC else min(3, one.failed + fails)
    play.add(h.DeathSaved(who=who, roll=roll, passed=min(3, passed), failed=failed))
    if failed == 3:
        die(play, who, why="saves")
    elif passed >= 3:
        play.add(h.Stabilised(who=who))
