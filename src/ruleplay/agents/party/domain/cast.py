"""All creatures in play, their fight and the position in the dice; changed by happenings only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import Field

from ruleplay.agents.party.domain.creature import Carried, Creature, Effect
from ruleplay.agents.party.domain.dice import Dice
from ruleplay.agents.party.domain.fight import Budget, Fight, Readied
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.happenings.base import change_of
from ruleplay.story.texts import Frozen


class Cast(Frozen):
    """The creatures, the fight, the seed of the dice and how many rolls it has given."""

    creatures: tuple[Creature, ...] = ()
    fight: Fight | None = None
    dice_seed: str = "0"
    draws: Annotated[int, Field(ge=0)] = 0

    # Dice are derived from (seed, index), so a cast replays to the same rolls.
    @property
    def dice(self) -> Dice:
        """Return the dice as they stand."""
        return Dice(self.dice_seed, self.draws)

    def get(self, ident: str) -> Creature | None:
        """Return a creature by id, or None."""
        return next((one for one in self.creatures if one.id == ident), None)

    def the(self, ident: str) -> Creature:
        """Return a creature that must exist (KeyError)."""
        found = self.get(ident)
        if found is None:
            raise KeyError(ident)
        return found

    def side(self, side: str) -> tuple[Creature, ...]:
        """Return the creatures of a side that are alive and present."""
        return tuple(one for one in self.creatures if one.side == side and one.present)

    def foes_of(self, ident: str) -> tuple[Creature, ...]:
        """Return a creature's foes in the fight that are alive and present."""
        mine = self.the(ident).side
        return tuple(one for one in self.fighters if one.side != mine and one.present)

    def friends_of(self, ident: str) -> tuple[Creature, ...]:
        """Return a creature's allies in the fight, without itself, that are alive and present."""
        mine = self.the(ident).side
        return tuple(
            one for one in self.fighters if one.side == mine and one.present and one.id != ident
        )

    @property
    def fighters(self) -> tuple[Creature, ...]:
        """Return those in the fight; everyone when there is none."""
        if self.fight is None:
            return self.creatures
        return tuple(one for one in self.creatures if one.id in self.fight.order)

    def distance(self, one: str, other: str) -> int:
        """Return the distance between two creatures in feet."""
        return abs(self.the(one).position - self.the(other).position)

    def with_(self, ident: str, **changes: Any) -> Cast:
        """Return the cast with one creature changed."""
        made = tuple(
            one.model_copy(update=changes) if one.id == ident else one for one in self.creatures
        )
        return self.model_copy(update={"creatures": made})

    def apply(self, happening: h.Happening) -> Cast:
        """Return the cast after a happening; pure. TypeError if it doesn't concern the cast."""
        after = change_of(_CHANGES, happening)(self, happening)
        # Every roll in a happening advances the dice by one, whatever else it changes.
        thrown = len(happening.dice)
        if not thrown:
            return after
        return after.model_copy(update={"draws": self.draws + thrown})


def _entered(cast: Cast, happened: h.CreatureEntered) -> Cast:
    others = tuple(one for one in cast.creatures if one.id != happened.creature.id)
    return cast.model_copy(update={"creatures": (*others, happened.creature)})


def _removed(cast: Cast, happened: h.CreatureRemoved) -> Cast:
    left = tuple(one for one in cast.creatures if one.id != happened.who)
    return cast.model_copy(update={"creatures": left})


def _began(cast: Cast, happened: h.FightBegan) -> Cast:
    places = dict(happened.places)
    placed = tuple(
        one.model_copy(update={"position": places[one.id], "gone": False})
        if one.id in places
        else one
        for one in cast.creatures
    )
    return cast.model_copy(update={"creatures": placed, "fight": happened.fight})


def _persons_first(cast: Cast, happened: h.PersonsFirst) -> Cast:
    fight = cast.fight
    if fight is None:
        return cast
    turn = happened.order.index(fight.actor) if fight.begun else 0
    return _fight(cast, order=happened.order, owed=happened.owed, turn=turn)


def _over(cast: Cast, _: h.FightOver) -> Cast:
    back = tuple(
        one.model_copy(update={"gone": False, "position": 0})
        if one.side == "party" and not (one.gone and cast.fight and one.id not in cast.fight.order)
        else one
        for one in cast.creatures
    )
    return cast.model_copy(update={"creatures": back, "fight": None})


def _fight(cast: Cast, **changes: object) -> Cast:
    """Return the cast with its fight changed; unchanged outside a fight."""
    if cast.fight is None:
        return cast
    return cast.model_copy(update={"fight": cast.fight.model_copy(update=changes)})


def _turn(cast: Cast, happened: h.TurnBegan) -> Cast:
    """Start a turn: refill the budget, age effects and restore the reaction."""
    fight = cast.fight
    if fight is None:
        return cast
    who = happened.actor
    ready = tuple(one for one in fight.readied if one.who != who)
    reacted = tuple(one for one in fight.reacted if one != who)
    return _fight(
        _aged(cast, who, "start"),
        round=happened.round,
        turn=happened.turn,
        begun=True,
        readied=ready,
        reacted=reacted,
        budget=happened.budget,
        owed=tuple(one for one in fight.owed if one != who),
    )


def _ended(cast: Cast, happened: h.TurnEnded) -> Cast:
    fight = cast.fight
    aged = _aged(cast, happened.actor, "end")
    if fight is None:
        return aged
    late = tuple(one for one in fight.surprised if one != happened.actor)
    return _fight(aged, surprised=late, budget=Budget(action=False, bonus=False, item=False))


def _aged(cast: Cast, who: str, moment: str) -> Cast:
    """Count down effects timed by this moment; ending one takes an event, so 1 is the least."""
    made = []
    for one in cast.creatures:
        if any(effect.of == who and effect.at == moment and effect.left for effect in one.effects):
            effects = tuple(
                effect.model_copy(update={"left": max(1, effect.left - 1)})
                if effect.of == who and effect.at == moment and effect.left
                else effect
                for effect in one.effects
            )
            one = one.model_copy(update={"effects": effects})
        made.append(one)
    return cast.model_copy(update={"creatures": tuple(made)})


def _passed(cast: Cast, happened: h.TimePassed) -> Cast:
    """Let several rounds pass at once; effects that run out were ended by events before."""
    made = tuple(
        one.model_copy(
            update={
                "effects": tuple(
                    effect.model_copy(update={"left": max(1, effect.left - happened.rounds)})
                    if effect.left
                    else effect
                    for effect in one.effects
                )
            }
        )
        if one.effects
        else one
        for one in cast.creatures
    )
    return cast.model_copy(update={"creatures": made})


def _acted(cast: Cast, happened: h.ActionTaken) -> Cast:
    fight = cast.fight
    if fight is None:
        return cast
    changes: dict[str, object] = {}
    if happened.left is not None:
        changes["budget"] = happened.left
    if happened.cost == "reaction":
        changes["reacted"] = (*fight.reacted, happened.who)
        changes["readied"] = tuple(one for one in fight.readied if one.who != happened.who)
    return _fight(cast, **changes)


def _moved(cast: Cast, happened: h.Moved) -> Cast:
    moved = cast.with_(happened.who, position=happened.position)
    fight = cast.fight
    if fight is None or not happened.spent or fight.actor != happened.who:
        return moved
    left = fight.budget.movement - happened.spent
    feet = fight.budget.moved + abs(happened.position - happened.origin)
    budget = fight.budget.model_copy(update={"movement": max(0, left), "moved": feet})
    return _fight(moved, budget=budget)


def _hit_points(cast: Cast, happened: h.HitPointsChanged) -> Cast:
    temp = cast.the(happened.who).temp - happened.absorbed
    return cast.with_(happened.who, hp=happened.hp, temp=max(0, temp))


def _fell(cast: Cast, happened: h.Fell) -> Cast:
    one = cast.the(happened.who)
    down = Effect(key="dying", conditions=("incapacitated", "prone", "unconscious"))
    effects = (*(e for e in one.effects if e.key not in ("dying", "prone")), down)
    return cast.with_(happened.who, effects=effects, passed=0, failed=0, stable=False)


def _came_round(cast: Cast, happened: h.CameRound) -> Cast:
    """Regain consciousness; the creature stays prone."""
    one = cast.the(happened.who)
    effects = tuple(e for e in one.effects if e.key not in ("dying", "prone"))
    lying = Effect(key="prone", conditions=("prone",))
    return cast.with_(happened.who, effects=(*effects, lying), passed=0, failed=0, stable=False)


def _gained(cast: Cast, happened: h.EffectGained) -> Cast:
    """Apply an effect; it replaces one with the same key and source."""
    one, new = cast.the(happened.who), happened.effect
    others = tuple(e for e in one.effects if (e.key, e.source) != (new.key, new.source))
    return cast.with_(happened.who, effects=(*others, new))


def _lifted(cast: Cast, happened: h.EffectEnded) -> Cast:
    one = cast.the(happened.who)
    left = tuple(e for e in one.effects if (e.key, e.source) != (happened.key, happened.source))
    return cast.with_(happened.who, effects=left)


def _slot(cast: Cast, happened: h.SlotSpent) -> Cast:
    slots = list(cast.the(happened.who).slots)
    slots[happened.level - 1] = happened.left
    return cast.with_(happened.who, slots=tuple(slots))


def _with_uses(cast: Cast, who: str, feature: str, left: int | None) -> Cast:
    """Set the remaining uses of a feature; None restores all of them."""
    features = tuple(
        f.model_copy(update={"left": f.most if left is None else left}) if f.key == feature else f
        for f in cast.the(who).features
    )
    return cast.with_(who, features=features)


def _recharged(cast: Cast, happened: h.PowerRecharged) -> Cast:
    if not happened.success:
        return cast
    return _with_uses(cast, happened.who, happened.power, None)


def _readying(cast: Cast, happened: h.Readying) -> Cast:
    fight = cast.fight
    if fight is None:
        return cast
    others = tuple(one for one in fight.readied if one.who != happened.who)
    waiting = Readied(who=happened.who, attack=happened.attack)
    return _fight(cast, readied=(*others, waiting))


def _lost(cast: Cast, happened: h.ItemLost) -> Cast:
    after = _carry(cast, happened.who, happened.item, -happened.count)
    if cast.fight is None or happened.why not in ("shot", "thrown"):
        return after
    return _fight(after, loosed=(*cast.fight.loosed, (happened.who, happened.item)))


def _carry(cast: Cast, who: str, item: str, count: int) -> Cast:
    one = cast.the(who)
    total = one.count(item) + count
    if any(held.item == item for held in one.inventory):
        kept = tuple(
            Carried(item=item, count=total) if held.item == item else held
            for held in one.inventory
            if held.item != item or total > 0
        )
    else:
        kept = (*one.inventory, Carried(item=item, count=total)) if total > 0 else one.inventory
    return cast.with_(who, inventory=kept)


def _rested(cast: Cast, happened: h.Rested) -> Cast:
    """Restore what a rest restores; hit points and exhaustion have happenings of their own."""
    one = cast.the(happened.who)
    kinds = ("short", "recharge") if happened.kind == "short" else ("short", "long", "recharge")
    more = ("bardic-inspiration",) if one.has_feature("font-of-inspiration") else ()
    features = tuple(
        f.model_copy(update={"left": f.most}) if f.per in kinds or f.key in more else f
        for f in one.features
    )
    return cast.with_(
        happened.who, slots=happened.slots, hit_dice=happened.hit_dice, features=features
    )


def _replaced(cast: Cast, happened: h.Equipped | h.LevelReached) -> Cast:
    made = tuple(happened.creature if one.id == happened.who else one for one in cast.creatures)
    return cast.model_copy(update={"creatures": made})


TOLD: tuple[type[h.Happening], ...] = (
    h.Checked, h.Contested, h.SaveRolled, h.AttackRolled, h.DamageRolled, h.HealingRolled,
    h.Endured, h.SpellCast, h.PowerUsed, h.Hidden,
)  # fmt: skip
"""Happenings that change nothing in the cast except the position in the dice."""
_CHANGES: dict[type[h.Happening], Callable[[Cast, Any], Cast]] = {
    **dict.fromkeys(TOLD, lambda cast, _: cast),
    h.CreatureEntered: _entered,
    h.CreatureRemoved: _removed,
    h.FightBegan: _began,
    h.PersonsFirst: _persons_first,
    h.FightOver: _over,
    h.TurnBegan: _turn,
    h.TurnEnded: _ended,
    h.ActionTaken: _acted,
    h.Moved: _moved,
    h.HitPointsChanged: _hit_points,
    h.TempChanged: lambda cast, it: cast.with_(it.who, temp=it.temp),
    h.MaxHpChanged: lambda cast, it: cast.with_(it.who, max_hp=it.max_hp),
    h.Fell: _fell,
    h.CameRound: _came_round,
    h.DeathSaved: lambda cast, it: cast.with_(it.who, passed=it.passed, failed=it.failed),
    h.DeathSaveFailed: lambda cast, it: cast.with_(it.who, failed=it.failed, stable=False),
    h.Stabilised: lambda cast, it: cast.with_(it.who, stable=True, passed=0, failed=0),
    h.Died: lambda cast, it: cast.with_(
        it.who, dead=True, hp=0, temp=0, effects=(), concentration="", stable=False
    ),
    h.Revived: lambda cast, it: cast.with_(
        it.who, dead=False, hp=it.hp, passed=0, failed=0, stable=False
    ),
    h.EffectGained: _gained,
    h.EffectEnded: _lifted,
    h.ConcentrationBegan: lambda cast, it: cast.with_(it.who, concentration=it.spell),
    h.ConcentrationEnded: lambda cast, it: cast.with_(it.who, concentration=""),
    h.SlotSpent: _slot,
    h.FeatureUsed: lambda cast, it: _with_uses(cast, it.who, it.feature, it.left),
    h.PowerRecharged: _recharged,
    h.Readying: _readying,
    h.ItemGained: lambda cast, it: _carry(cast, it.who, it.item, it.count),
    h.ItemLost: _lost,
    h.Equipped: _replaced,
    h.GotAway: lambda cast, it: cast.with_(it.who, gone=True),
    h.HitDieSpent: lambda cast, it: cast.with_(it.who, hit_dice=it.left),
    h.Rested: _rested,
    h.TimePassed: _passed,
    h.XpGained: lambda cast, it: cast.with_(it.who, xp=it.xp),
    h.LevelReached: _replaced,
}
