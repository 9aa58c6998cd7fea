"""Guesses the sets of opposing Pokémon: the generator's sets, filtered by all observations.

A set fits if it has all moves shown, the item and ability shown, and none that was ruled out;
observed speed and damage change its weight. If nothing fits, the weakest evidence is dropped first,
and the guess says so. A species outside the pool gets a set made up from its dex entry, which is
also noted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.evidence import weigh_hits
from ruleplay.agents.battle.domain.mechanics import of_types, words
from ruleplay.agents.battle.domain.pool import EVS, IVS, PoolSet, stats_of
from ruleplay.agents.battle.domain.pool import SetPool as SetPool
from ruleplay.agents.battle.domain.position import Mon, Position
from ruleplay.agents.battle.domain.results import Guess, Inference, JointSet, WeightedSet

SHOWN = 12
"""Sets kept per guess; their probabilities are normalised without the unlikely rest."""

Weigh = Callable[[Mon, PoolSet], float]


def opponent_sets(position: Position, pool: SetPool) -> Inference:
    """Guess the sets of each opposing Pokémon seen, given all observations of it."""
    speeds, hits = _speeds(position), weigh_hits(position)

    def weigh(mon: Mon, each: PoolSet) -> float:
        return speeds(mon, each) * hits(mon, each)

    guesses = {mon.ident: guess(mon, pool, weigh=weigh) for mon in position.theirs.team}
    return Inference(guesses=guesses, summary=_summary(position, guesses))


def guess(mon: Mon, pool: SetPool, *, weigh: Weigh | None = None) -> Guess:
    """List the pool's sets that fit a Pokémon, the likeliest first; at least one is found."""
    known = pool.sets(mon.base)
    if not known:
        return _from_dex(mon)
    for given_up, rules in _LADDER:
        fitting = [each for each in known if all(rule(mon, each) for rule in rules)]
        if fitting:
            asked = weigh if len(fitting) > 1 else None
            weighted = [(each, each.count * (asked(mon, each) if asked else 1)) for each in fitting]
            return _guess(mon, weighted, given_up)
    return _nearest(mon, known)


def _has_moves(mon: Mon, each: PoolSet) -> bool:
    return mon.transformed is not None or set(mon.known_moves) <= set(each.moves)


def _has_item(mon: Mon, each: PoolSet) -> bool:
    if mon.first_item is not None:
        return each.item == mon.first_item
    if mon.item:
        return each.item == mon.item
    return True


def _item_not_ruled_out(mon: Mon, each: PoolSet) -> bool:
    return mon.first_item is not None or each.item not in mon.ruled_out_items


def _has_ability(mon: Mon, each: PoolSet) -> bool:
    if mon.own_ability is not None:
        return each.ability == mon.own_ability
    return each.ability not in mon.ruled_out_abilities


def _has_level(mon: Mon, each: PoolSet) -> bool:
    return each.level == mon.level


def _has_tera(mon: Mon, each: PoolSet) -> bool:
    return not mon.terastallized or any(tera == mon.tera_type for tera, _ in each.teras)


Rule = Callable[[Mon, PoolSet], bool]
# Each step drops more of the evidence, named on the left. Observations can mislead: under Illusion
# a Pokémon shows another one's moves.
_LADDER: tuple[tuple[str, tuple[Rule, ...]], ...] = (
    ("", (_has_moves, _has_item, _item_not_ruled_out, _has_ability, _has_level, _has_tera)),
    ("level or tera type", (_has_moves, _has_item, _item_not_ruled_out, _has_ability)),
    ("a ruled-out item", (_has_moves, _has_item, _has_ability)),
    ("the ability", (_has_moves, _has_item)),
    ("item and ability", (_has_moves,)),
)


def _guess(mon: Mon, weighted: list[tuple[PoolSet, float]], given_up: str) -> Guess:
    """Build a guess from weighted sets; `given_up` names the evidence that was dropped."""
    weighted.sort(key=lambda each: -each[1])
    kept = weighted[:SHOWN]
    total = sum(weight for _, weight in kept) or 1.0
    sets = tuple(
        WeightedSet(set=_as_seen(mon, each), chance=weight / total, teras=_teras(mon, each))
        for each, weight in kept
    )
    count = len(weighted)
    note = f"{count} known set{'s' if count != 1 else ''} fit{'s' if count == 1 else ''}"
    if given_up:
        note = f"no known set fits everything; {given_up} was given up"
    items = tuple(sorted({each.item for each, _ in weighted}))
    return Guess(ident=mon.ident, sets=sets, exact=not given_up, note=note, items=items)


def _as_seen(mon: Mon, each: PoolSet) -> JointSet:
    """Adjust a set to the level or forme that was seen."""
    if mon.level == each.level and each.species == mon.base:
        return each.joint
    stats = stats_of(mon.base, mon.level, each.evs, each.ivs)
    return each.joint.model_copy(update={"species": mon.base, "level": mon.level, "stats": stats})


def _teras(mon: Mon, each: PoolSet) -> tuple[tuple[str, float], ...]:
    if mon.terastallized and mon.tera_type:
        return ((mon.tera_type, 1.0),)
    return tuple((tera, count / each.count) for tera, count in each.teras)


def _nearest(mon: Mon, known: Sequence[PoolSet]) -> Guess:
    """Take the sets that share most of the moves shown, and put those moves in."""
    shown = set(mon.known_moves)
    shared = max(len(shown & set(each.moves)) for each in known)
    near = [each for each in known if len(shown & set(each.moves)) == shared]
    made = _guess(mon, [(each, float(each.count)) for each in near], "some moves")
    sets = tuple(
        each.model_copy(update={"set": each.set.model_copy(update={"moves": _with(mon, each.set)})})
        for each in made.sets
    )
    return made.model_copy(update={"sets": sets})


def _with(mon: Mon, each: JointSet) -> tuple[str, ...]:
    shown = mon.known_moves[:4]
    return (*shown, *(move for move in each.moves if move not in shown))[:4]


def _from_dex(mon: Mon) -> Guess:
    """Make up a set for a species outside the pool: moves shown, moves of its types, an item."""
    species = mon.base if dex.knows_species(mon.base) else "mew"
    page = dex.species(species)
    level, types = mon.level, page.types
    moves = tuple(dict.fromkeys((*mon.known_moves, *(_STANDARD[each] for each in types))))[:4]
    joint = JointSet(
        species=species,
        level=level,
        item=mon.item or "leftovers",
        ability=mon.own_ability or (page.abilities[0] if page.abilities else ""),
        moves=moves,
        tera=mon.tera_type or types[0],
        stats=stats_of(species, level, EVS, IVS),
    )
    return Guess(
        ident=mon.ident,
        sets=(WeightedSet(set=joint, chance=1.0, teras=((joint.tera, 1.0),)),),
        exact=False,
        from_pool=False,
        note=f"{mon.name} is not in the set data; this set is built from its dex entry",
    )


_STANDARD = {kind: move for move, kind in of_types("usual_moves").items()}
"""A common move of each type, for species without known sets."""

UNLIKELY = 0.02
"""Factor on a set's weight when it contradicts an observation that may be misleading."""


def _speeds(position: Position) -> Weigh:
    """Build a function that weighs sets by who moved first against ours, whose speed is known."""
    ours = {mon.ident: mon for mon in position.ours.team}

    def weigh(mon: Mon, each: PoolSet) -> float:
        weight = 1.0
        for seen in mon.speeds:
            mate = ours.get(seen.mate)
            if mate is None or mate.stats is None or mate.transformed or mon.transformed:
                continue
            if _disturbed(mate, each) or seen.move in _QUICK or seen.mate_move in _QUICK:
                continue
            theirs = each.stats.spe * _stage(seen.boost)
            theirs *= (0.5 if seen.paralysed else 1) * (2 if seen.tailwind else 1)
            mine = mate.stats.spe * _stage(seen.mate_boost)
            mine *= (0.5 if seen.mate_paralysed else 1) * (2 if seen.mate_tailwind else 1)
            theirs *= 1.5 if each.item == "choicescarf" else 1
            mine *= 1.5 if mate.item == "choicescarf" else 1
            faster = theirs > mine if not seen.trick_room else theirs < mine
            # Close speeds prove nothing: the simulator rounds differently, and ties are random.
            if abs(theirs - mine) > 2 and faster != seen.first:
                weight *= UNLIKELY
        return weight

    return weigh


_QUICK = {"grassyglide", "pursuit", "me first"}
"""Moves whose priority depends on circumstances."""
_SPEED_ABILITIES = frozenset(words("speed_abilities"))
"""Abilities that may decide who moves first."""


def _disturbed(mate: Mon, each: PoolSet) -> bool:
    """Check whether something other than speed may have decided the order."""
    return (
        mate.ability in _SPEED_ABILITIES
        or each.ability in _SPEED_ABILITIES
        or mate.item in {"ironball", "laggingtail", "quickclaw", "custapberry", "boosterenergy"}
    )


def _stage(stage: int) -> float:
    return (2 + stage) / 2 if stage >= 0 else 2 / (2 - stage)


def _summary(position: Position, guesses: Mapping[str, Guess]) -> str:
    active = position.theirs.active
    if active is None or active.ident not in guesses:
        return "Nothing of theirs was revealed yet."
    found = guesses[active.ident]
    best = found.best
    moves = ", ".join(dex.move_name(each) for each in best.moves)
    chance = round(found.sets[0].chance * 100)
    told = f"{best.item}, {best.ability}, {moves}"
    return f"{active.name}: most likely ({chance}%) {told}; {found.note}."
