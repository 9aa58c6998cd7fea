"""The entry point of the rules: `resolve` turns an intent into happenings or a refusal.

Each act validates everything before it emits its first happening, so a refused intent changes
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from ruleplay.agents.party.domain.cast import Cast
from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.fight import REACH, Cost
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.intents import Act, Intent, Refusal
from ruleplay.agents.party.domain.play import Impossible, Play
from ruleplay.agents.party.domain.rulebook import Rulebook
from ruleplay.agents.party.domain.rules import blows, casting, stances, things
from ruleplay.agents.party.domain.rules.checks import check, contest
from ruleplay.agents.party.domain.rules.conditions import can_act, pace
from ruleplay.agents.party.domain.rules.effects import PRONE, bestow, lift
from ruleplay.agents.party.domain.rules.features import COSTS, check_feature, use_feature
from ruleplay.agents.party.domain.rules.harm import STABILISE_DC
from ruleplay.agents.party.domain.rules.movement import destination, run_away, walk
from ruleplay.agents.party.domain.rules.spells import aimed
from ruleplay.agents.party.domain.rules.spending import pay, take
from ruleplay.agents.party.domain.rules.turns import next_turn, settle

QUIET: Final[tuple[Act, ...]] = ("cast", "use", "equip", "feature", "stabilise")
"""Acts that are also allowed outside a fight."""
Do = Callable[[Play, Creature, Intent], None]


def resolve(
    cast: Cast, actor: str, intent: Intent, book: Rulebook, *, mercy: Collection[str] = ()
) -> tuple[h.Happening, ...] | Refusal:
    """Resolve an intent into happenings, or into the reason why it is refused; no side effects.

    `mercy` lists who wants nobody killed in this fight.

    In a fight only the creature whose turn it is may act. If the act drops that creature, ends its
    turn or ends the fight, the happenings continue up to the next creature that can act.
    """
    play = Play(cast, book, mercy=mercy)
    play.spare, play.pulled = intent.spare, intent.pulled
    try:
        _allow(play, actor, intent)
        _ACTS[intent.act](play, play.the(actor), intent)
    except Impossible as refused:
        return refused.refusal
    settle(play)
    return tuple(play.happened)


def _allow(play: Play, actor: str, intent: Intent) -> None:
    one = play.cast.get(actor)
    if one is None:
        raise Impossible("nobody", actor)
    if not one.present:
        raise Impossible("out-of-play", actor)
    if play.fighting:
        if play.fight.actor != actor:
            raise Impossible("not-your-turn", actor, play.fight.actor)
    elif intent.act not in QUIET:
        raise Impossible("no-fight", intent.act)
    if not can_act(one):
        raise Impossible("cannot-act", actor)


def targeted(play: Play, one: Creature, ident: str, reach: int = REACH) -> Creature:
    """Return the target of an act, alive and within reach in feet (raises Impossible)."""
    target = play.cast.get(ident)
    if not ident:
        raise Impossible("no-target", one.id)
    if target is None or target.gone or (play.fighting and ident not in play.fight.order):
        raise Impossible("no-such-target", ident)
    if target.dead:
        raise Impossible("already-dead", ident)
    if play.fighting and abs(target.position - one.position) > reach:
        raise Impossible("out-of-reach", ident)
    return target


def _dodge(play: Play, one: Creature, intent: Intent) -> None:
    pay(play, one.id, intent)
    stances.dodge(play, one.id)


def _help(play: Play, one: Creature, intent: Intent) -> None:
    ally = play.cast.get(intent.target)
    if ally is None or ally.side != one.side or not ally.present:
        raise Impossible("no-such-target", intent.target)
    if ally.id == one.id:
        raise Impossible("not-oneself", one.id)
    # The SRD's Help action in combat needs the foe within 5 feet of the helper. Being next to the
    # ally is accepted as well, as the help may be with a check.
    near = [ally.id, *(foe.id for foe in play.cast.foes_of(one.id))]
    if all(play.cast.distance(one.id, other) > REACH for other in near):
        raise Impossible("out-of-reach", ally.id)
    pay(play, one.id, intent)
    stances.aid(play, one.id, ally.id)


def _hide(play: Play, one: Creature, intent: Intent) -> None:
    _check_cover(play, one)
    pay(play, one.id, intent)
    stances.hide(play, one.id)


def _check_cover(play: Play, one: Creature) -> None:
    """Refuse to hide next to a foe: positions lie on a line, so distance stands in for cover."""
    if one.under("hidden"):
        raise Impossible("already-so", "hidden")
    for foe in play.cast.foes_of(one.id):
        if foe.conscious and abs(foe.position - one.position) <= REACH:
            raise Impossible("foe-at-hand", foe.id)


def _ready(play: Play, one: Creature, intent: Intent) -> None:
    attack = aimed(play, one, intent.what) or blows.attack_named(one, intent.what, play)
    pay(play, one.id, intent)
    play.add(h.Readying(who=one.id, attack=attack.key))


def _stand(play: Play, one: Creature, intent: Intent) -> None:
    lying = one.under("prone")
    if not one.has("prone"):
        raise Impossible("already-so", "standing")
    # Standing up costs half the speed (SRD 5.1, "Being Prone"), not half of what is left.
    cost = pace(one) // 2
    budget = play.fight.budget
    if not pace(one) or budget.movement < cost:
        raise Impossible("no-movement", one.id)
    left = budget.model_copy(update={"movement": budget.movement - cost})
    play.add(h.ActionTaken(who=one.id, act="stand", cost="movement", left=left))
    fallen = [lying] if lying else [e for e in one.effects if "prone" in e.conditions]
    for effect in fallen:
        lift(play, one.id, effect, "over")


def _drop(play: Play, one: Creature, intent: Intent) -> None:
    if one.has("prone"):
        raise Impossible("already-so", "prone")
    if "prone" in one.condition_immune:
        raise Impossible("immune", "prone")
    take(play, one.id, "drop", "free")
    bestow(play, one.id, PRONE)


def _stabilise(play: Play, one: Creature, intent: Intent) -> None:
    target = targeted(play, one, intent.target)
    if not target.dying:
        raise Impossible("not-dying", target.id)
    pay(play, one.id, intent, (target.id,))
    # A healer's kit stabilises without a Medicine check (SRD 5.1, "Adventuring Gear").
    if one.count(things.HEALERS_KIT):
        play.add(h.ItemLost(who=one.id, item=things.HEALERS_KIT))
        play.add(h.Stabilised(who=target.id, by=one.id))
    elif check(play, one.id, "medicine", STABILISE_DC, "stabilise"):
        play.add(h.Stabilised(who=target.id, by=one.id))


def _wake(play: Play, one: Creature, intent: Intent) -> None:
    target = targeted(play, one, intent.target)
    asleep = [effect for effect in target.effects if effect.wakes]
    if not asleep:
        raise Impossible("not-asleep", target.id)
    pay(play, one.id, intent, (target.id,))
    for effect in asleep:
        lift(play, target.id, effect, "cured")


def _escape(play: Play, one: Creature, intent: Intent) -> None:
    """Try to break free: a contest with the grappler, or a check against a fixed DC."""
    held = next(
        (e for e in one.effects if e.escape or e.key == "grappled" or "grappled" in e.conditions),
        None,
    )
    if held is None:
        raise Impossible("not-held", one.id)
    pay(play, one.id, intent)
    skill = things.nimbler(one)
    holder = play.cast.get(held.source)
    if held.escape:
        free = check(play, one.id, skill, held.escape, "escape")
    elif holder is not None:
        free = contest(play, one.id, skill, holder.id, "athletics", "escape")
    else:
        free = True
    if free:
        lift(play, one.id, held, "escaped")


def _feature(play: Play, one: Creature, intent: Intent) -> None:
    check_feature(play, one, intent.what, intent.aimed, intent.slot)
    if intent.what == "cunning-hide":
        _check_cover(play, one)
    cost: Cost = COSTS[intent.what]
    needs_fight = intent.what not in ("lay-on-hands", "second-wind", "preserve-life")
    if needs_fight and not play.fighting:
        raise Impossible("no-fight", intent.what)
    take(play, one.id, "feature", cost, intent.what, intent.aimed)
    use_feature(play, one.id, intent.what, intent.aimed, intent.slot)


def _flee(play: Play, one: Creature, intent: Intent) -> None:
    """Run from all foes: a dash, or only what movement is left to who has acted already."""
    if not pace(one):
        raise Impossible("cannot-move", one.id)
    if play.fight.budget.action:
        stances.dash(play, one.id, "action", "flee")
    elif play.fight.budget.movement:
        take(play, one.id, "flee", "movement")
    else:
        raise Impossible("no-movement", one.id)
    run_away(play, one.id)


_ACTS: Final[dict[Act, Do]] = {
    "attack": blows.attack,
    "offhand": blows.offhand,
    "grapple": blows.grapple,
    "shove": blows.shove,
    "cast": casting.cast_spell,
    "power": casting.power,
    "move": lambda play, one, does: walk(
        play, one.id, destination(play, one.id, does.target, does.to, does.distance)
    ),
    "dash": lambda play, one, does: stances.dash(play, one.id, "action"),
    "dodge": _dodge,
    "disengage": lambda play, one, does: stances.disengage(play, one.id, "action"),
    "help": _help,
    "hide": _hide,
    "ready": _ready,
    "escape": _escape,
    "stand": _stand,
    "drop": _drop,
    "stabilise": _stabilise,
    "wake": _wake,
    "use": things.use,
    "equip": things.equip,
    "feature": _feature,
    "flee": _flee,
    "end": lambda play, one, does: next_turn(play),
}
