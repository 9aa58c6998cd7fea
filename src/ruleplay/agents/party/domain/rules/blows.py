"""Attack actions: choosing the attack, multiattack, off-hand attacks, grappling and shoving."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from ruleplay.agents.party.domain.creature import Attack, Creature, Effect
from ruleplay.agents.party.domain.fight import REACH
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.intents import Intent
from ruleplay.agents.party.domain.play import Impossible, Play
from ruleplay.agents.party.domain.rules.checks import contest
from ruleplay.agents.party.domain.rules.effects import PRONE, bestow
from ruleplay.agents.party.domain.rules.movement import spring
from ruleplay.agents.party.domain.rules.outfit import UNARMED, is_monk_weapon, offhand_attack
from ruleplay.agents.party.domain.rules.spells import charmed_by
from ruleplay.agents.party.domain.rules.spending import take
from ruleplay.agents.party.domain.rules.strikes import strike
from ruleplay.agents.party.domain.rules.things import nimbler
from ruleplay.agents.party.domain.terms import SIZES

SHOVED = 5
ANY = "*"


def target_of(play: Play, one: Creature, ident: str) -> Creature:
    """Return the foe to attack; it must be in the fight, alive, hostile and not the charmer.

    Raises Impossible otherwise.
    """
    if not ident:
        raise Impossible("no-target", one.id)
    target = play.cast.get(ident)
    if target is None or target.gone or ident not in play.fight.order:
        raise Impossible("no-such-target", ident)
    if target.dead:
        raise Impossible("already-dead", ident)
    if target.side == one.side:
        raise Impossible("own-side", ident)
    if charmed_by(one, ident):
        raise Impossible("charmed", ident)
    return target


def attack_named(one: Creature, key: str, play: Play) -> Attack:
    """Return a usable attack by key; an empty key means the first one (raises Impossible)."""
    usable = [each for each in one.attacks if has_missiles(one, each)]
    if not key:
        if not usable:
            raise Impossible("no-attack", one.id)
        return usable[0]
    found = one.attack(key)
    if found is None:
        raise Impossible("no-such-attack", key)
    if not has_missiles(one, found):
        raise Impossible("no-ammunition", key, found.uses)
    return found


def has_missiles(one: Creature, attack: Attack) -> bool:
    """Whether ammunition is left; only characters with a class track it, monsters don't."""
    return not attack.uses or not one.classes or one.count(attack.uses) > 0


def reaches(attack: Attack, distance: int) -> bool:
    """Whether an attack can be made at a distance in feet (long range included)."""
    return distance <= max(attack.reach, attack.long, attack.range)


def attack(play: Play, one: Creature, intent: Intent) -> None:
    """Make one attack: the first costs the action, later ones use what is left of it."""
    target = target_of(play, one, intent.target)
    distance = abs(target.position - one.position)
    chosen = _choice(play, one, intent.what, distance)
    if not reaches(chosen, distance):
        raise Impossible("out-of-reach", target.id, chosen.key)
    _spend_attack(play, one, chosen, target.id)
    _loose(play, one, chosen, distance)
    strike(play, one.id, target.id, chosen)
    spring(play, one.id)


def _choice(play: Play, one: Creature, key: str, distance: int) -> Attack:
    """Return the named attack, else the first permitted one that reaches, melee first."""
    if key:
        return attack_named(one, key, play)
    left = play.fight.budget.attacks
    allowed = [
        each
        for each in one.attacks
        if has_missiles(one, each) and (not left or ANY in left or each.key in left)
    ]
    fits = [each for each in allowed if reaches(each, distance)]
    in_reach = [each for each in fits if distance <= each.reach]
    far = [each for each in fits if each.range and distance > REACH]
    return next(iter(in_reach or far or fits or allowed), attack_named(one, "", play))


def _spend_attack(play: Play, one: Creature, chosen: Attack, target: str) -> None:
    budget = play.fight.budget
    light = budget.light or ("light" in chosen.properties and chosen.reach > 0)
    used: dict[str, object] = {"attacked": True, "light": light}
    if budget.attacks:
        left = _without(budget.attacks, chosen.key)
        if left is None:
            raise Impossible("not-in-multiattack", chosen.key)
        take(play, one.id, "attack", "attack", chosen.key, (target,), attacks=left, **used)
        return
    pattern = _pattern(one, chosen)
    # "Loading" allows one shot per action, however many attacks there are (SRD 5.1, "Weapon
    # Properties").
    if "loading" in chosen.properties:
        pattern = ()
    take(play, one.id, "attack", "action", chosen.key, (target,), **used, attacks=pattern)


def _pattern(one: Creature, chosen: Attack) -> tuple[str, ...]:
    """Return the attacks that remain of the Attack action after this one."""
    for option in one.multiattack:
        left = _without(option, chosen.key)
        if left is not None:
            return left
    if one.has_feature("extra-attack"):
        return (ANY,)
    return ()


def _without(pattern: Iterable[str], key: str) -> tuple[str, ...] | None:
    """Return the pattern with one attack removed, or None if the pattern doesn't allow it.

    An exact key is used up before the wildcard `ANY`.
    """
    rest = list(pattern)
    for entry in (key, ANY):
        if entry in rest:
            rest.remove(entry)
            return tuple(rest)
    return None


def _loose(play: Play, one: Creature, chosen: Attack, distance: int) -> None:
    """Remove one missile or thrown weapon; it may be recovered when the fight ends."""
    if not one.classes or not chosen.uses:
        return
    thrown = "thrown" in chosen.properties
    if thrown and distance <= chosen.reach:
        return
    why = "thrown" if thrown else "shot"
    play.add(h.ItemLost.model_validate({"who": one.id, "item": chosen.uses, "why": why}))


def offhand(play: Play, one: Creature, intent: Intent) -> None:
    """Attack with the off hand as a bonus action; a monk strikes unarmed instead."""
    target = target_of(play, one, intent.target)
    distance = abs(target.position - one.position)
    budget = play.fight.budget
    if not budget.attacked:
        raise Impossible("attack-first", "offhand")
    if one.has_feature("martial-arts") and not one.offhand:
        held = play.book.items.get(one.weapon)
        if held is not None and not is_monk_weapon(one.weapon, held):
            raise Impossible("no-offhand", one.id)
        chosen = attack_named(one, UNARMED, play)
    else:
        item = play.book.items.get(one.offhand)
        known = one.attack(one.offhand)
        if item is None or known is None or "light" not in item.properties or not budget.light:
            raise Impossible("no-offhand", one.id)
        chosen = offhand_attack(one, known, item)
    if not reaches(chosen, distance) or not has_missiles(one, chosen):
        raise Impossible("out-of-reach", target.id, chosen.key)
    take(play, one.id, "offhand", "bonus", chosen.key, (target.id,))
    _loose(play, one, chosen, distance)
    strike(play, one.id, target.id, chosen)


def grapple(play: Play, one: Creature, intent: Intent) -> None:
    """Grapple in place of an attack: Athletics against the target's Athletics or Acrobatics."""
    target = _wrestled(play, one, intent)
    if target.under("grappled", one.id):
        raise Impossible("already-so", "grappled", target.id)
    _spend_wrestling(play, one, "grapple", target.id)
    seized = contest(play, one.id, "athletics", target.id, nimbler(target), "grapple")
    if seized and "grappled" not in target.condition_immune:
        held = Effect(key="grappled", source=one.id, conditions=("grappled",))
        bestow(play, target.id, held)


def shove(play: Play, one: Creature, intent: Intent) -> None:
    """Shove in place of an attack: knock the target prone or push it 5 feet away."""
    target = _wrestled(play, one, intent)
    if intent.what not in ("", "prone", "away"):
        raise Impossible("no-such-shove", intent.what)
    _spend_wrestling(play, one, "shove", target.id)
    if not contest(play, one.id, "athletics", target.id, nimbler(target), "shove"):
        return
    if intent.what == "away":
        away = 1 if target.position >= one.position else -1
        place = target.position + away * SHOVED
        play.add(h.Moved(who=target.id, origin=target.position, position=place, why="pushed"))
    elif "prone" not in target.condition_immune and not target.has("prone"):
        bestow(play, target.id, PRONE)


def _wrestled(play: Play, one: Creature, intent: Intent) -> Creature:
    target = target_of(play, one, intent.target)
    if abs(target.position - one.position) > REACH:
        raise Impossible("out-of-reach", target.id)
    # A target may be at most one size larger (SRD 5.1, "Grappling" and "Shoving a Creature").
    if SIZES.index(target.size) > SIZES.index(one.size) + 1:
        raise Impossible("too-large", target.id)
    return target


def _spend_wrestling(
    play: Play, one: Creature, name: Literal["grapple", "shove"], target: str
) -> None:
    budget = play.fight.budget
    if ANY in budget.attacks:
        left = _without(budget.attacks, ANY)
        take(play, one.id, name, "attack", "", (target,), attacks=left or (), attacked=True)
        return
    pattern = (ANY,) if one.has_feature("extra-attack") else ()
    take(play, one.id, name, "action", "", (target,), attacks=pattern, attacked=True)
