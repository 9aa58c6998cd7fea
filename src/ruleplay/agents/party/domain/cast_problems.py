"""Invariants of the rules, checked after the fact by fuzzing and the tests.

Written from the rules and independently of the code that resolves acts: it replays every roll, adds
up all hit points and checks who acted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleplay.agents.party.domain.cast import Cast
from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.dice import roll
from ruleplay.agents.party.domain.happenings import creatures as h

EXHAUSTED = 6


def broken_rules(before: Cast, happened: Sequence[h.Happening], after: Cast) -> list[str]:
    """Return a description of every invariant broken between two casts."""
    problems: list[str] = []
    cast = before
    for happening in happened:
        problems.extend(_replays(cast, happening))
        problems.extend(_one(cast, happening))
        nxt = cast.apply(happening)
        problems.extend(_only_told(cast, happening, nxt))
        cast = nxt
        problems.extend(_bounds(cast))
    if cast != after:
        problems.append("the cast is not what its happenings make of it")
    problems.extend(_deaths(before, happened, after))
    problems.extend(_settled(after))
    problems.extend(_goods(before, happened, after))
    return problems


def _replays(cast: Cast, happening: h.Happening) -> Iterator[str]:
    for place, thrown in enumerate(happening.dice):
        if thrown.index != cast.draws + place:
            yield f"roll {thrown.index} is out of order"
        if thrown != roll(cast.dice_seed, thrown.index, thrown.formula):
            yield f"roll {thrown.index} of {thrown.formula} does not replay"


def _one(cast: Cast, happening: h.Happening) -> Iterator[str]:  # noqa: C901 - one row each
    match happening:
        case h.AttackRolled():
            yield from _attack(cast, happening)
        case h.HitPointsChanged():
            yield from _hit_points(cast, happening)
        case h.ActionTaken():
            yield from _action(cast, happening)
        case h.Moved():
            yield from _move(cast, happening)
        case h.SlotSpent():
            left = cast.the(happening.who).slots[happening.level - 1]
            if left < 1 or happening.left != left - 1:
                yield f"{happening.who}: a slot of level {happening.level} out of nowhere"
        case h.Checked() | h.SaveRolled():
            due = happening.roll.total >= happening.dc
            outright = isinstance(happening, h.SaveRolled) and happening.automatic
            if happening.success != (due and not outright):
                yield f"{happening.who}: {happening.roll.total} against {happening.dc}"
        case h.EffectGained():
            immune = {*cast.the(happening.who).condition_immune}
            if immune & {*happening.effect.conditions}:
                yield f"{happening.who} is immune to {sorted(happening.effect.conditions)}"
        case h.TurnBegan() if not happening.lost and not cast.the(happening.actor).hp:
            yield f"{happening.actor} has a turn at 0 hit points"
        case h.FightBegan():
            yield from _start(cast, happening)
        case _:
            pass


def _attack(cast: Cast, blow: h.AttackRolled) -> Iterator[str]:
    one, other = cast.the(blow.attacker), cast.the(blow.target)
    yield from _acting(one, "attacked")
    if other.dead or other.gone:
        yield f"{other.id} was attacked while out of the fight"
    if one.side == other.side:
        yield f"{one.id} attacked its own side"
    natural = blow.roll.natural
    if natural == 1 and blow.hit:
        yield "a natural 1 hit"
    if natural == 20 and not (blow.hit and blow.critical):
        yield "a natural 20 was no critical hit"
    if 1 < natural < 19 and blow.hit != (blow.roll.total >= blow.ac):
        yield f"{blow.roll.total} against armour class {blow.ac}"
    if blow.distance and blow.distance != abs(one.position - other.position):
        yield f"{one.id} attacked from where it is not"


def _hit_points(cast: Cast, change: h.HitPointsChanged) -> Iterator[str]:
    one = cast.the(change.who)
    if one.hp + change.amount != change.hp:
        yield f"{one.id}: {one.hp} {change.amount:+d} is not {change.hp}"
    if one.dead:
        yield f"{one.id} is dead, and had hit points changed"
    if not change.damage:
        return
    kept = max(0, (change.raw // 2 if change.halved else change.raw) - change.reduced)
    through = kept * change.factor // 2
    if change.absorbed != min(one.temp, through):
        yield f"{one.id}: {change.absorbed} absorbed by {one.temp} temporary hit points"
    if -change.amount + change.over != through - change.absorbed:
        yield f"{one.id}: damage {through} became {-change.amount} and {change.over} beyond"


def _action(cast: Cast, action: h.ActionTaken) -> Iterator[str]:
    one = cast.the(action.who)
    yield from _acting(one, action.act)
    fight = cast.fight
    if fight is None:
        return
    if action.cost == "reaction":
        if action.who in fight.reacted:
            yield f"{one.id} reacted twice in a round"
        return
    if action.who != fight.actor:
        yield f"{one.id} acted out of turn"
    budget = fight.budget
    if action.cost == "action" and not budget.action:
        yield f"{one.id} took two actions"
    if action.cost == "bonus" and not budget.bonus:
        yield f"{one.id} took two bonus actions"
    if action.cost == "attack" and not budget.attacks:
        yield f"{one.id} attacked more often than the action allows"


def _acting(one: Creature, what: str) -> Iterator[str]:
    if one.dead or one.gone or not one.hp:
        yield f"{one.id} ({what}) while dead, gone or at 0 hit points"
    elif one.has("incapacitated", "paralyzed", "petrified", "stunned", "unconscious"):
        yield f"{one.id} ({what}) while incapacitated"


def _move(cast: Cast, move: h.Moved) -> Iterator[str]:
    one = cast.the(move.who)
    if one.position != move.origin:
        yield f"{one.id} moved from where it was not"
    if move.why not in ("walk", "fled") or cast.fight is None:
        return
    if move.spent > cast.fight.budget.movement:
        yield f"{one.id} moved {move.spent} feet of {cast.fight.budget.movement}"
    if one.has("grappled", "restrained", "paralyzed", "stunned", "unconscious", "petrified"):
        yield f"{one.id} walked while held"


def _start(cast: Cast, began: h.FightBegan) -> Iterator[str]:
    if cast.fight is not None:
        yield "a fight within a fight"
    totals = list(began.fight.initiative)
    if totals != sorted(totals, reverse=True):
        yield "the initiative is not in order"
    if any(cast.the(ident).dead for ident in began.fight.order):
        yield "the dead are in the initiative"


def _only_told(before: Cast, happening: h.Happening, after: Cast) -> Iterator[str]:
    """Check that only the happenings meant for it change hit points and spell slots."""
    may = (
        h.HitPointsChanged,
        h.Died,
        h.Revived,
        h.CreatureEntered,
        h.CreatureRemoved,
        h.Equipped,
        h.LevelReached,
    )
    told = isinstance(happening, may)
    for one in before.creatures:
        now = after.get(one.id)
        if now is None or now is one:
            continue
        if now.hp != one.hp and not told:
            yield f"{type(happening).__name__} changed the hit points of {one.id}"
        if isinstance(happening, h.Equipped) and now.hp != one.hp:
            yield f"{one.id} changed hit points by changing clothes"
        if isinstance(happening, h.Died) and one.hp:
            yield f"{one.id} died with {one.hp} hit points"
        fewer = sum(now.slots) < sum(one.slots)
        if fewer and not isinstance(happening, h.SlotSpent | h.LevelReached):
            yield f"{type(happening).__name__} took slots from {one.id}"


def _bounds(cast: Cast) -> Iterator[str]:
    for one in cast.creatures:
        if not 0 <= one.hp <= one.max_hp:
            yield f"{one.id}: {one.hp} of {one.max_hp} hit points"
        if one.dead and (one.hp or one.effects or one.concentration):
            yield f"{one.id} is dead and not at rest"
        if len(one.slots) != len(one.max_slots) or any(
            left > most for left, most in zip(one.slots, one.max_slots, strict=False)
        ):
            yield f"{one.id}: slots {one.slots} of {one.max_slots}"
        if any(one_.most and one_.left > one_.most for one_ in one.features):
            yield f"{one.id} has a feature more often than it may"
        if one.exhaustion >= EXHAUSTED and not one.dead:
            yield f"{one.id} lives with six levels of exhaustion"


def _deaths(before: Cast, happened: Sequence[h.Happening], after: Cast) -> Iterator[str]:
    died = {one.who for one in happened if isinstance(one, h.Died)}
    back = {one.who for one in happened if isinstance(one, h.Revived)}
    for one in before.creatures:
        now = after.get(one.id)
        if now is None:
            continue
        if now.dead and not one.dead and one.id not in died:
            yield f"{one.id} is dead, and nobody said so"
        if one.id in died - back and not now.dead:
            yield f"{one.id} died and lives"
        if now.mortal and not now.hp and not now.dead and not now.stable:
            yield f"{one.id} has no hit points and no death"
        if now.dying and now.failed == 3:
            yield f"{one.id} failed three death saves and lives"


def _settled(after: Cast) -> Iterator[str]:
    """Check what must hold after a complete act, though not between two of its happenings."""
    for one in after.creatures:
        if one.concentration and (one.hp == 0 or one.has("incapacitated")):
            yield f"{one.id} concentrates while incapacitated"
        if one.hp and one.under("dying"):
            yield f"{one.id} is dying with {one.hp} hit points"
        if one.alive and not one.hp and not one.has("unconscious"):
            yield f"{one.id} is awake at 0 hit points"
        for effect in one.effects:
            source = after.get(effect.source)
            if effect.concentration and source and not source.concentration:
                yield f"{one.id} is under {effect.key}, which nobody holds"
    fight = after.fight
    if fight is not None and not after.the(fight.actor).conscious:
        yield f"it is the turn of {fight.actor}, who is not conscious"


def _goods(before: Cast, happened: Sequence[h.Happening], after: Cast) -> Iterator[str]:
    """Check that items are only gained and lost by happenings."""
    for one in before.creatures:
        now = after.get(one.id)
        if now is None or any(isinstance(x, h.LevelReached | h.CreatureEntered) for x in happened):
            continue
        items = {held.item for held in (*one.inventory, *now.inventory)}
        for item in items:
            moved = sum(_moved(x, one.id, item) for x in happened)
            if one.count(item) + moved != now.count(item):
                yield f"{one.id}: {now.count(item)} × {item} instead of {one.count(item) + moved}"


def _moved(happening: h.Happening, who: str, item: str) -> int:
    if not isinstance(happening, h.ItemGained | h.ItemLost):
        return 0
    if (happening.who, happening.item) != (who, item):
        return 0
    return happening.count if isinstance(happening, h.ItemGained) else -happening.count
