"""Casting spells and using monsters' special actions: legality, action cost and targets."""

from __future__ import annotations

from ruleplay.agents.party.domain.creature import Creature, Power
from ruleplay.agents.party.domain.fight import Cost
from ruleplay.agents.party.domain.intents import Intent
from ruleplay.agents.party.domain.play import Impossible, Play
from ruleplay.agents.party.domain.rulebook import Spell
from ruleplay.agents.party.domain.rules.blows import target_of
from ruleplay.agents.party.domain.rules.magic import perform, use_power
from ruleplay.agents.party.domain.rules.spells import chosen, slot_for, sustained
from ruleplay.agents.party.domain.rules.spending import take


def cast_spell(play: Play, one: Creature, intent: Intent) -> None:
    """Cast a spell, or use again one that is already in effect."""
    key = intent.what
    spell = play.book.spells.get(key)
    if spell is None or key not in one.spells:
        raise Impossible("no-such-spell", key)
    if one.under("rage"):
        raise Impossible("raging", key)
    again = sustained(one, key, spell)
    slot = 0 if again else slot_for(play, one, key, spell, intent.slot)
    targets = chosen(play, one.id, key, spell, again.slot if again else slot, intent.aimed)
    harmful = not spell.friendly
    if harmful and not play.fighting:
        raise Impossible("no-fight", key)
    if harmful:
        _spare_friends(play, one, spell, targets)
    if spell.heal and all(play.the(one).hp == play.the(one).max_hp for one in targets):
        raise Impossible("not-hurt", targets[0])
    cost = _cost(play, key, spell, again=again is not None)
    kind = _kind(spell, cost)
    _check_pairing(play, key, kind)
    cast = (*play.fight.budget.cast, kind) if play.fighting else ()
    changes: dict[str, object] = {"cast": cast} if not again else {}
    take(play, one.id, "cast", cost, key, tuple(dict.fromkeys(targets)), **changes)
    perform(play, one.id, key, spell, slot, targets)


def _cost(play: Play, key: str, spell: Spell, *, again: bool) -> Cost:
    if again:
        return "bonus" if spell.sustain == "bonus" else "action"
    if spell.cost == "reaction":
        raise Impossible("only-as-reaction", key)
    if spell.cost == "long":
        if play.fighting:
            raise Impossible("takes-too-long", key)
        return "none"
    return spell.cost


def _kind(spell: Spell, cost: Cost) -> str:
    if cost == "bonus":
        return "bonus"
    return "action" if spell.level else "cantrip"


def _check_pairing(play: Play, key: str, kind: str) -> None:
    """Refuse a levelled spell on the turn of a bonus-action spell; only a cantrip may be cast.

    SRD 5.1, "Casting Time: Bonus Action"; checked in both orders.
    """
    if not play.fighting:
        return
    before = play.fight.budget.cast
    clash = (kind == "bonus" and "action" in before) or (kind == "action" and "bonus" in before)
    if clash:
        raise Impossible("bonus-spell", key)


def _spare_friends(play: Play, one: Creature, spell: Spell, targets: tuple[str, ...]) -> None:
    for ident in targets:
        if play.the(ident).side == one.side:
            raise Impossible("own-side", ident)


def power(play: Play, one: Creature, intent: Intent) -> None:
    """Use a special action, such as a monster's or a dragonborn's breath weapon."""
    found = one.power(intent.what)
    if found is None:
        raise Impossible("no-such-power", intent.what)
    tally = one.feature(found.key)
    if tally and tally.most and not tally.left:
        raise Impossible("feature-spent", found.key)
    targets = _aimed_at(play, one, found, intent.aimed)
    take(play, one.id, "power", found.cost, found.key, targets)
    use_power(play, one.id, found, targets)


def _aimed_at(play: Play, one: Creature, found: Power, aimed: tuple[str, ...]) -> tuple[str, ...]:
    if not aimed:
        raise Impossible("no-target", found.key)
    if len(aimed) > found.targets:
        raise Impossible("too-many-targets", found.key, str(found.targets))
    for ident in aimed:
        target = target_of(play, one, ident)
        if abs(target.position - one.position) > found.range:
            raise Impossible("out-of-range", ident, found.key)
    return aimed
