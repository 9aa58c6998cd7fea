"""One of ours against one of theirs, over all the sets it may have: speed, hits, outcome."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.damage import damage, scene_of
from ruleplay.agents.battle.domain.exchange import faster, odds, usable
from ruleplay.agents.battle.domain.position import Mon, Position
from ruleplay.agents.battle.domain.power import speed_of
from ruleplay.agents.battle.domain.results import Damage, Guess, WeightedSet
from ruleplay.agents.battle.domain.worlds import Fighter, our_fighter, their_fighter


@dataclass(frozen=True, slots=True)
class HitRange:
    """A move's effect over all sets, as shares of the target's full health.

    `ko` is the chance to knock it out now, accuracy included, if the user has the move; `chance` is
    how likely the user has it.
    """

    move: str
    low: float
    high: float
    ko: float
    chance: float = 1.0
    accuracy: float = 1.0
    usable: bool = True
    """Whether it can be used now; a Choice item or missing PP may prevent that."""


@dataclass(frozen=True, slots=True)
class Faceoff:
    """The comparison of a pair; `faster` is the probability that ours is faster.

    `wins` and `loses` are probabilities over the possible sets, damage rolls and misses. `tera` is
    the type that theirs is assumed to have terastallized into, "" for none.
    """

    ours: Mon
    theirs: Mon
    tera: str
    faster: float
    wins: float
    loses: float
    our_hits: tuple[HitRange, ...]
    their_hits: tuple[HitRange, ...]
    from_pool: bool


def face_off(
    position: Position,
    ours: Mon,
    theirs: Mon,
    guess: Guess,
    tera: str = "",
    move: str = "",
    *,
    own_tera: bool = False,
) -> Faceoff:
    """Play a pair out against each set that theirs may have.

    `tera` is a type that theirs is assumed to have terastallized into, `move` a move it is assumed
    to have as well; with `own_tera`, ours has terastallized.
    """
    on_them, on_us = scene_of(position), scene_of(position, defending="ours")
    us = our_fighter(ours).as_tera() if own_tera else our_fighter(ours)
    whole = sum(each.chance for each in guess.sets)
    foes = [(_as_met(theirs, each, tera), each.chance / whole) for each in guess.sets]
    ends = [(odds(us, them, on_them, on_us), share) for them, share in foes]
    mine = [
        (damage(move.id, us, them, on_them), move.id, them.share, share)
        for them, share in foes
        for move in us.moves
    ]
    yours = [
        (damage(move.id, them, us, on_us), move.id, us.share, share)
        for them, share in foes
        for move in them.moves
    ]
    if move and all(hit[1] != move for hit in yours):
        yours += [(damage(move, them, us, on_us), move, us.share, 0.0) for them, _ in foes]
    return Faceoff(
        ours=ours,
        theirs=theirs,
        tera=tera,
        faster=sum(share for them, share in foes if faster(us, them, on_them)),
        wins=sum(share * win for (win, _), share in ends),
        loses=sum(share * lose for (_, lose), share in ends),
        our_hits=_barred(_ranges(mine), us),
        their_hits=_ranges(yours),
        from_pool=guess.from_pool,
    )


def after_move(mon: Mon, move: str) -> Mon:
    """Return a Pokémon with the stages that a move of its own gives it."""
    stages = {
        "def_" if stat == "def" else stat: max(-6, min(6, mon.boosts[stat] + by))
        for stat, by in dex.move(move).self_boosts
    }
    return mon.model_copy(update={"boosts": mon.boosts.model_copy(update=stages)})


def holding(theirs: Mon, guess: Guess, item: str) -> tuple[Mon, Guess]:
    """Return one of theirs, and the sets it may have, as if it held an item."""
    held = [
        one.model_copy(update={"set": one.set.model_copy(update={"item": item})})
        for one in guess.sets
    ]
    # A known item of the Pokémon would take precedence over the one in the sets.
    worn = guess.model_copy(update={"sets": tuple(held)})
    return theirs.model_copy(update={"item": None}), worn


def struck(
    position: Position, pair: Faceoff, guess: Guess, *, crit: bool = False
) -> dict[tuple[str, str], HitRange]:
    """Compute what the moves of both do where every hit of a move lands, or if critical.

    The keys are the user's ident and the move's id.
    """
    on_them, on_us = (
        replace(scene_of(position, defending=side), every=not crit) for side in ("theirs", "ours")
    )
    us, foes = our_fighter(pair.ours), [_as_met(pair.theirs, s, pair.tera) for s in guess.sets]
    met = [(pair.ours, us, them, on_them) for them in foes]
    met += [(pair.theirs, them, us, on_us) for them in foes]
    return {
        (mon.ident, hit.move): hit
        for mon in (pair.ours, pair.theirs)
        for hit in _ranges(
            (damage(move.id, by, on, scene, crit=crit), move.id, on.share, 1.0)
            for user, by, on, scene in met
            if user is mon
            for move in by.moves
        )
    }


def speeds(position: Position, mon: Mon, guess: Guess | None = None) -> tuple[int, int]:
    """Compute the lowest and highest current speed; for theirs over the sets in `guess`."""
    scene = scene_of(position)
    fighters = [their_fighter(mon, one.set) for one in guess.sets] if guess else [our_fighter(mon)]
    found = [speed_of(fighter, scene) for fighter in fighters]
    return min(found), max(found)


def _barred(hits: Sequence[HitRange], us: Fighter) -> tuple[HitRange, ...]:
    """Mark the moves that cannot be used now."""
    free = usable(us)
    return tuple(replace(hit, usable=hit.move in free) for hit in hits)


def _as_met(mon: Mon, each: WeightedSet, tera: str) -> Fighter:
    them = their_fighter(mon, each.set)
    return replace(them, tera_type=tera).as_tera() if tera else them


def _ranges(hits: Iterable[tuple[Damage, str, float, float]]) -> tuple[HitRange, ...]:
    """Merge hits of one move; each comes with its target's health and its set's probability."""
    found: dict[str, HitRange] = {}
    for hit, move, health, share in hits:
        known, ko = found.get(move), hit.ko_chance(health)
        if known is None:
            found[move] = HitRange(move, hit.low, hit.high, ko, share, hit.accuracy)
            continue
        both = known.chance + share
        weight = share / both if both else 1.0
        found[move] = HitRange(
            move,
            min(known.low, hit.low),
            max(known.high, hit.high),
            known.ko * (1 - weight) + ko * weight,
            both,
            hit.accuracy,
        )
    return tuple(sorted(found.values(), key=lambda hit: (-hit.high, -hit.chance, hit.move)))


def tera_chances(mon: Mon, guess: Guess) -> tuple[tuple[str, float], ...]:
    """List the types theirs may terastallize into, the likeliest first."""
    chances: dict[str, float] = {}
    for each in guess.sets:
        for kind, chance in each.teras or ((each.set.tera, 1.0),):
            chances[kind] = chances.get(kind, 0.0) + each.chance * chance
    return _ranked(chances)


def move_chances(guess: Guess) -> tuple[tuple[str, float], ...]:
    """List the moves theirs may have, the likeliest first."""
    return _summed((move, each.chance) for each in guess.sets for move in each.set.moves)


def item_chances(mon: Mon, guess: Guess) -> tuple[tuple[str, float], ...]:
    """List the items theirs may hold, the likeliest first; a known item alone."""
    if mon.item is not None:
        return ((mon.item, 1.0),)
    return _summed((each.set.item, each.chance) for each in guess.sets)


def ability_chances(mon: Mon, guess: Guess) -> tuple[tuple[str, float], ...]:
    """List the abilities theirs may have, the likeliest first; a known one alone."""
    if mon.ability is not None:
        return ((mon.ability, 1.0),)
    return _summed((each.set.ability, each.chance) for each in guess.sets)


def _summed(shares: Iterable[tuple[str, float]]) -> tuple[tuple[str, float], ...]:
    chances: dict[str, float] = {}
    for name, chance in shares:
        chances[name] = chances.get(name, 0.0) + chance
    return _ranked(chances)


def _ranked(chances: dict[str, float]) -> tuple[tuple[str, float], ...]:
    return tuple(sorted(chances.items(), key=lambda each: (-each[1], each[0])))


def type_answers(kind: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """List the types that an attacking type hits hard, weakly, and not at all."""
    return _sorted({each: dex.against(kind, each) for each in dex.TYPES})


def defences(types: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """List the attacking types that hit these types hard, weakly, and not at all."""
    held = tuple(types)
    return _sorted({each: dex.effectiveness(each, held) for each in dex.TYPES})


def _sorted(
    factors: Mapping[str, float],
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    return (
        tuple(each for each, factor in factors.items() if factor > 1),
        tuple(each for each, factor in factors.items() if 0 < factor < 1),
        tuple(each for each, factor in factors.items() if factor == 0),
    )
