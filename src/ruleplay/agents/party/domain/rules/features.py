"""Class features that are activated in play: their cost, conditions and effects.

Wild Shape and sorcery points are not part of this subset.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ruleplay.agents.party.domain.creature import Boon, Creature, Effect, Feature, Inflicts
from ruleplay.agents.party.domain.fight import Cost
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.play import Impossible, Play
from ruleplay.agents.party.domain.rules.checks import save
from ruleplay.agents.party.domain.rules.effects import bestow, end_concentration, inflict, lift
from ruleplay.agents.party.domain.rules.harm import die, heal
from ruleplay.agents.party.domain.rules.outfit import UNARMED
from ruleplay.agents.party.domain.rules.stances import dash, disengage, dodge, hide, stance
from ruleplay.agents.party.domain.rules.strikes import strike

RAGE_RESISTS: Final = ("bludgeoning", "piercing", "slashing")
INSPIRATION_RANGE, TURNING_RANGE, PRESERVE_RANGE = 60, 30, 30
POISON_COST = 5
"""Lay on Hands points needed to neutralise one poison."""
Use = Callable[[Play, Creature, tuple[str, ...], int], None]

_BY_COST: Final[dict[Cost, str]] = {
    "action": "lay-on-hands turn-undead preserve-life sacred-weapon",
    "bonus": "rage second-wind bardic-inspiration flurry-of-blows patient-defense "
    "step-of-the-wind cunning-dash cunning-disengage cunning-hide",
    "free": "reckless-attack action-surge divine-smite stunning-strike",
    "none": "arcane-recovery",
}
COSTS: Final[dict[str, Cost]] = {
    key: cost for cost, keys in _BY_COST.items() for key in keys.split()
}
"""The action cost of each activated feature; passive features are not listed."""
POOLS: Final = {
    **dict.fromkeys(("flurry-of-blows", "patient-defense", "step-of-the-wind"), "ki"),
    "stunning-strike": "ki",
    **dict.fromkeys(("turn-undead", "preserve-life", "sacred-weapon"), "channel-divinity"),
}
"""Features that draw on another feature's pool of uses."""
CUNNING: Final = ("cunning-dash", "cunning-disengage", "cunning-hide")


def owner_of(key: str) -> str:
    """Return the feature that a creature must have in order to use this one."""
    return "cunning-action" if key in CUNNING else key


def tally_of(one: Creature, key: str) -> Feature | None:
    """Return the feature on which the uses are counted."""
    return one.feature(POOLS.get(key, owner_of(key)))


def check_feature(play: Play, one: Creature, key: str, aimed: tuple[str, ...], slot: int) -> None:
    """Refuse a feature that is missing, used up or not usable this way (raises Impossible)."""
    if key not in COSTS or not (one.has_feature(owner_of(key)) or _nimble(one, key)):
        raise Impossible("no-such-feature", key)
    tally = tally_of(one, key)
    if tally and tally.most and not tally.left:
        raise Impossible("feature-spent", key)
    for ident in aimed:
        target = play.cast.get(ident)
        if target is None or not target.present:
            raise Impossible("no-such-target", ident)
    needs = _NEEDS.get(key)
    if needs:
        needs(play, one, aimed, slot)


def _nimble(one: Creature, key: str) -> bool:
    return "nimble-escape" in one.traits and key in ("cunning-disengage", "cunning-hide")


def use_feature(play: Play, who: str, key: str, aimed: tuple[str, ...], slot: int) -> None:
    """Apply a feature whose action cost has already been paid."""
    one = play.the(who)
    _USES[key](play, one, aimed, slot)


def _count(play: Play, who: str, key: str, amount: int = 1, targets: tuple[str, ...] = ()) -> None:
    """Count a use, either on the feature itself or on the pool it draws on."""
    pool = tally_of(play.the(who), key)
    if pool is None or not pool.most:
        return
    left = max(0, pool.left - amount)
    play.add(
        h.FeatureUsed(
            who=who, feature=pool.key, amount=pool.left - left, left=left, targets=targets
        )
    )


def _rage(play: Play, one: Creature, aimed: tuple[str, ...], slot: int) -> None:
    _count(play, one.id, "rage")
    # Nobody can concentrate on a spell while raging (SRD 5.1, "Rage").
    end_concentration(play, one.id, "ended")
    boon = Boon(melee_bonus=2, resist=RAGE_RESISTS, adv_saves=("str",), adv_checks=("str",))
    stance(play, one.id, "rage", boon, rounds=10)


def _second_wind(play: Play, one: Creature, aimed: tuple[str, ...], slot: int) -> None:
    _count(play, one.id, "second-wind")
    roll = play.roll(f"1d10+{one.classes.get('fighter', 1)}")
    play.add(h.HealingRolled(by=one.id, what="second-wind", roll=roll))
    heal(play, one.id, roll.total, one.id, "feature")


def _surge(play: Play, one: Creature, aimed: tuple[str, ...], slot: int) -> None:
    _count(play, one.id, "action-surge")
    left = play.fight.budget.model_copy(update={"action": True, "surged": True})
    play.add(h.ActionTaken(who=one.id, act="feature", cost="free", what="action-surge", left=left))


def _lay_on_hands(play: Play, one: Creature, aimed: tuple[str, ...], slot: int) -> None:
    target = play.the(aimed[0] if aimed else one.id)
    tally = one.feature("lay-on-hands")
    pool = tally.left if tally else 0
    poisons = [effect for effect in target.effects if "poisoned" in effect.conditions]
    if poisons and target.hp == target.max_hp and pool >= POISON_COST:
        _count(play, one.id, "lay-on-hands", POISON_COST, (target.id,))
        for effect in poisons:
            lift(play, target.id, effect, "cured")
        return
    # `slot` carries the number of hit points to give here; 0 means as many as possible.
    amount = min(pool, slot or pool, target.max_hp - target.hp)
    _count(play, one.id, "lay-on-hands", amount, (target.id,))
    heal(play, target.id, amount, one.id, "feature")


def _turn_undead(play: Play, one: Creature, aimed: tuple[str, ...], slot: int) -> None:
    _count(play, one.id, "turn-undead", targets=aimed)
    given = Inflicts(
        key="turned",
        conditions=("frightened",),
        boon=Boon(no_reactions=True),
        rounds=10,
        wakes=True,
    )
    for ident in aimed:
        target = play.the(ident)
        if target.type != "undead":
            continue
        if save(play, ident, "wis", one.spell_dc, "turn-undead", against=("frightened",)):
            continue
        # Destroy Undead: from level 5 a cleric destroys undead up to challenge rating 1/2.
        if target.cr <= 0.5 and one.classes.get("cleric", 0) >= 5:
            die(play, ident, one.id)
        else:
            inflict(play, ident, given, "turned", one.id)


def _preserve(play: Play, one: Creature, aimed: tuple[str, ...], slot: int) -> None:
    _count(play, one.id, "preserve-life", targets=aimed)
    pool = 5 * one.classes.get("cleric", 0)
    for ident in aimed:
        target = play.the(ident)
        # Preserve Life heals to half of the maximum at most.
        amount = min(pool, max(0, target.max_hp // 2 - target.hp))
        if target.type not in ("undead", "construct"):
            pool -= heal(play, ident, amount, one.id, "feature")


def _inspire(play: Play, one: Creature, aimed: tuple[str, ...], slot: int) -> None:
    _count(play, one.id, "bardic-inspiration", targets=aimed)
    die = "+1d8" if one.classes.get("bard", 0) >= 5 else "+1d6"
    boon = Boon(attack=die, save=die, check=die, once=True)
    given = Inflicts(key="bardic-inspiration", boon=boon, rounds=100)
    inflict(play, aimed[0], given, "bardic-inspiration", one.id)


def _flurry(play: Play, one: Creature, aimed: tuple[str, ...], slot: int) -> None:
    _count(play, one.id, "flurry-of-blows")
    attack = one.attack(UNARMED)
    for blow in range(2):
        target = play.the(aimed[blow % len(aimed)])
        if attack and target.alive and play.the(one.id).conscious:
            strike(play, one.id, target.id, attack)


def _need_target(play: Play, one: Creature, aimed: tuple[str, ...], slot: int) -> None:
    if not aimed:
        raise Impossible("no-target", one.id)


def _need_ally(play: Play, one: Creature, aimed: tuple[str, ...], slot: int) -> None:
    _need_target(play, one, aimed, slot)
    _need_near(play, one, aimed, INSPIRATION_RANGE)
    if aimed[0] == one.id:
        raise Impossible("not-oneself", one.id)


def _need_near(play: Play, one: Creature, aimed: tuple[str, ...], feet: int) -> None:
    for ident in aimed:
        if play.fighting and play.cast.distance(one.id, ident) > feet:
            raise Impossible("out-of-range", ident)


def _need_wounded(play: Play, one: Creature, aimed: tuple[str, ...], slot: int) -> None:
    target = play.the(aimed[0] if aimed else one.id)
    _need_near(play, one, (target.id,), 5)
    if target.type in ("undead", "construct"):
        raise Impossible("wrong-kind-of-target", target.id)
    poisoned = any("poisoned" in effect.conditions for effect in target.effects)
    if target.hp == target.max_hp and not poisoned:
        raise Impossible("not-hurt", target.id)


def _need_undead(play: Play, one: Creature, aimed: tuple[str, ...], slot: int) -> None:
    _need_target(play, one, aimed, slot)
    _need_near(play, one, aimed, TURNING_RANGE)
    if not any(play.the(ident).type == "undead" for ident in aimed):
        raise Impossible("no-undead", aimed[0])


def _need_bloodied(play: Play, one: Creature, aimed: tuple[str, ...], slot: int) -> None:
    _need_target(play, one, aimed, slot)
    _need_near(play, one, aimed, PRESERVE_RANGE)
    if not any(play.the(ident).hp < play.the(ident).max_hp // 2 for ident in aimed):
        raise Impossible("not-hurt", aimed[0])


def _usable(one: Creature, slot: int) -> int:
    return slot or next((n for n, left in enumerate(one.slots, 1) if left), 0)


def _need_slot(play: Play, one: Creature, aimed: tuple[str, ...], slot: int) -> None:
    usable = _usable(one, slot)
    if not usable or usable > len(one.slots) or not one.slots[usable - 1]:
        raise Impossible("no-slot", "divine-smite", str(usable or 1))


def _need_blows(play: Play, one: Creature, aimed: tuple[str, ...], slot: int) -> None:
    _need_target(play, one, aimed, slot)
    _need_near(play, one, aimed, 5)
    if play.fighting and not play.fight.budget.attacked:
        raise Impossible("attack-first", "flurry-of-blows")
    if any(play.the(ident).side == one.side for ident in aimed):
        raise Impossible("own-side", aimed[0])


def _unless(reason: str, key: str, so: Callable[[Play, Creature], object]) -> Use:
    """Build a requirement that refuses the feature while `so` holds."""

    def need(play: Play, one: Creature, aimed: tuple[str, ...], slot: int) -> None:
        if so(play, one):
            raise Impossible(reason, key)

    return need


_NEEDS: Final[dict[str, Use]] = {
    "rage": _unless("already-so", "rage", lambda play, one: one.under("rage")),
    "reckless-attack": _unless(
        "too-late",
        "reckless-attack",
        lambda play, one: play.fighting and play.fight.budget.attacked,
    ),
    "action-surge": _unless(
        "already-so", "action-surge", lambda play, one: play.fighting and play.fight.budget.surged
    ),
    "arcane-recovery": _unless("only-at-rest", "arcane-recovery", lambda play, one: True),
    "lay-on-hands": _need_wounded,
    "second-wind": _need_wounded,
    "divine-smite": _need_slot,
    "turn-undead": _need_undead,
    "preserve-life": _need_bloodied,
    "bardic-inspiration": _need_ally,
    "flurry-of-blows": _need_blows,
}


def _arm(play: Play, one: Creature, key: str, slot: int = 0) -> None:
    """Prepare an effect for the next hit of this turn."""
    bestow(play, one.id, Effect(key=key, source=one.id, left=1, of=one.id, at="end", slot=slot))


def _counted(key: str, *does: Callable[[Play, str], None]) -> Use:
    """Build a use that counts itself and then does each of `does` to its owner."""

    def use(play: Play, one: Creature, aimed: tuple[str, ...], slot: int) -> None:
        _count(play, one.id, key)
        for each in does:
            each(play, one.id)

    return use


def _sacred(play: Play, who: str) -> None:
    boon = Boon(attack=f"+{max(1, play.the(who).mod('cha'))}")
    stance(play, who, "sacred-weapon", boon, rounds=10)


RECKLESS = Boon(adv_attack=True, adv_against=True)
_USES: Final[dict[str, Use]] = {
    "rage": _rage,
    "reckless-attack": lambda play, one, aimed, slot: stance(play, one.id, "reckless", RECKLESS),
    "second-wind": _second_wind,
    "action-surge": _surge,
    "lay-on-hands": _lay_on_hands,
    "divine-smite": lambda play, one, aimed, slot: _arm(
        play, one, "divine-smite", _usable(one, slot)
    ),
    "turn-undead": _turn_undead,
    "preserve-life": _preserve,
    "sacred-weapon": _counted("sacred-weapon", _sacred),
    "bardic-inspiration": _inspire,
    "flurry-of-blows": _flurry,
    "patient-defense": _counted("patient-defense", dodge),
    "step-of-the-wind": _counted("step-of-the-wind", disengage, dash),
    "stunning-strike": lambda play, one, aimed, slot: _arm(play, one, "stunning-strike"),
    "cunning-dash": lambda play, one, aimed, slot: dash(play, one.id),
    "cunning-disengage": lambda play, one, aimed, slot: disengage(play, one.id),
    "cunning-hide": lambda play, one, aimed, slot: hide(play, one.id),
}
