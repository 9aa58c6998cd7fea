"""Worlds: positions in which everything unknown is filled in, so that they can be played on.

A `Fighter` is a Pokémon without unknowns. A world draws a set for each revealed Pokémon of theirs
by its probability, and takes those not yet seen from the pool.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.pool import PoolSet, SetPool, stats_of
from ruleplay.agents.battle.domain.position import Boosts, Mon, Position, Stats, Status
from ruleplay.agents.battle.domain.results import Inference, JointSet, WeightedSet

CHOICE_ITEMS = frozenset({"choiceband", "choicespecs", "choicescarf"})
"""Items that only allow one move until the holder leaves the field."""


@dataclass(frozen=True, slots=True)
class Known:
    """A move of a fighter."""

    id: str
    pp: int
    disabled: bool = False


@dataclass(frozen=True, slots=True)
class Fighter:
    """A Pokémon without unknowns; `hp` and `hp_max` are points, an `item` of "" is none.

    `types` are the current ones (the tera type once terastallized), `own_types` the original ones.
    """

    ident: str
    species: str
    level: int
    types: tuple[str, ...]
    own_types: tuple[str, ...]
    hp: int
    hp_max: int
    stats: Stats
    item: str
    ability: str
    moves: tuple[Known, ...]
    tera_type: str
    terastallized: bool = False
    active: bool = False
    status: Status = ""
    status_turns: int = 0
    rested: bool = False
    boosts: Boosts = field(default_factory=Boosts)
    volatiles: frozenset[str] = frozenset()
    gender: str = ""
    seen: Mon | None = None

    @property
    def share(self) -> float:
        """Health as a fraction."""
        return self.hp / self.hp_max if self.hp_max else 0.0

    def as_tera(self) -> Fighter:
        """Make a copy that has terastallized."""
        types = self.own_types if self.tera_type == "stellar" else (self.tera_type,)
        return replace(self, types=types, terastallized=True)


@dataclass(frozen=True, slots=True)
class World:
    """Both teams filled in; `chance` is the joint probability of the revealed sets drawn."""

    ours: tuple[Fighter, ...]
    theirs: tuple[Fighter, ...]
    chance: float = 1.0


def our_fighter(mon: Mon, *, movable: frozenset[str] | None = None) -> Fighter:
    """Fill in one of ours; `movable` are the moves that can be used now, None for all."""
    stats = mon.stats or stats_of(mon.base, mon.level, (85,) * 6, (31,) * 6)
    whole = mon.hp_max or stats["hp"]
    moves = tuple(
        Known(slot.id, slot.pp, slot.disabled if movable is None else slot.id not in movable)
        for slot in mon.moves
    )
    return _fighter(
        mon,
        hp=mon.hp_now if mon.hp_now is not None else round(mon.hp * whole),
        hp_max=whole,
        stats=stats,
        item=mon.item or "",
        ability=mon.ability or "",
        moves=moves,
        tera_type=mon.tera_type or mon.types[0],
    )


def their_fighter(mon: Mon, guess: JointSet, *, tera: str | None = None) -> Fighter:
    """Fill in one of theirs with a possible set; what was seen takes precedence."""
    item = guess.item if mon.item is None else mon.item
    ability = mon.ability if mon.ability is not None else guess.ability
    stats = guess.stats
    if mon.species != mon.base and dex.knows_species(mon.species) and not mon.transformed:
        stats = _forme_stats(mon, guess)
        ability = mon.ability or _forme_ability(mon, ability)
    whole = guess.stats["hp"]
    filled = _fighter(
        mon,
        hp=0 if mon.fainted else max(1, round(mon.hp * whole)),
        hp_max=whole,
        stats=stats,
        item=item,
        ability=ability,
        moves=_their_moves(mon, guess, item),
        tera_type=mon.tera_type or tera or guess.tera,
    )
    return _rested(filled) if mon.own_ability is None else filled


def _rested(mate: Fighter) -> Fighter:
    """Apply the ability of the assumed set to a benched Pokémon, if it heals on leaving."""
    if mate.active or not mate.hp:
        return mate
    if mate.ability == "regenerator":
        return replace(mate, hp=min(mate.hp_max, mate.hp + mate.hp_max // 3))
    if mate.ability == "naturalcure":
        return replace(mate, status="", status_turns=0)
    return mate


def _fighter(
    mon: Mon,
    *,
    hp: int,
    hp_max: int,
    stats: Stats,
    item: str,
    ability: str,
    moves: tuple[Known, ...],
    tera_type: str,
) -> Fighter:
    """Combine what was filled in with what everyone can see."""
    return Fighter(
        ident=mon.ident,
        species=mon.species,
        level=mon.level,
        types=mon.types,
        own_types=mon.own_types or mon.types,
        hp=hp,
        hp_max=hp_max,
        stats=stats,
        item=item,
        ability=ability,
        moves=moves,
        tera_type=tera_type,
        terastallized=mon.terastallized,
        active=mon.active,
        status=mon.status,
        status_turns=mon.status_turns,
        rested=mon.rested,
        boosts=mon.boosts,
        volatiles=mon.effects,
        gender=mon.gender,
        seen=mon,
    )


def _forme_stats(mon: Mon, guess: JointSet) -> Stats:
    """Compute the stats of a changed forme; maximum health does not change."""
    formed = stats_of(mon.species, mon.level, (85,) * 6, (31,) * 6)
    return formed.model_copy(update={"hp": guess.stats["hp"]})


def _forme_ability(mon: Mon, ability: str) -> str:
    page = dex.species(mon.species)
    return page.abilities[0] if len(page.abilities) == 1 else ability


def _their_moves(mon: Mon, guess: JointSet, item: str) -> tuple[Known, ...]:
    """List a set's moves with the PP left, and mark those that cannot be used now."""
    slots = {slot.id: slot for slot in mon.moves}
    last = mon.last_move if mon.active else None
    locked = last if item in CHOICE_ITEMS and last in guess.moves else None
    found = []
    for name in guess.moves:
        slot = slots.get(name)
        pp = slot.pp if slot else dex.move(name).pp * 8 // 5 or 8
        disabled = bool(slot and slot.disabled) or (locked is not None and name != locked)
        found.append(Known(name, pp, disabled or _barred(mon, dex.move(name), item)))
    return tuple(found)


BARRING = {"healblock": "heal", "throatchop": "sound"}
"""Effects that prevent all moves with a flag."""


def _barred(mon: Mon, move: dex.Move, item: str) -> bool:
    """Check whether an effect or item prevents a move."""
    if item == "assaultvest" and move.category == "status":
        return True
    if "torment" in mon.effects and mon.last_move == move.id:
        return True
    return any(effect in mon.effects and flag in move.flags for effect, flag in BARRING.items())


def copied(mon: Fighter, of: Fighter) -> Fighter:
    """Transform a fighter into another, except for health and level."""
    stats = of.stats.model_copy(update={"hp": mon.stats["hp"]})
    # A copied move has five PP at most.
    moves = tuple(Known(move.id, min(5, move.pp)) for move in of.moves)
    return replace(
        mon,
        species=of.species,
        types=mon.types if mon.terastallized else of.own_types,
        own_types=of.own_types,
        stats=stats,
        moves=moves,
        ability=of.ability,
    )


def our_fighters(position: Position) -> tuple[Fighter, ...]:
    """Fill in our team; the active one can use what the request allows."""
    movable = frozenset(order.move for order in position.legal if order.kind == "move")
    return tuple(
        our_fighter(mon, movable=movable if mon.active and movable else None)
        for mon in position.ours.team
    )


def sample_worlds(
    position: Position, inference: Inference, pool: SetPool, rng: Random, count: int
) -> tuple[World, ...]:
    """Draw worlds by the probabilities of the sets."""
    ours = our_fighters(position)
    return tuple(_world(position, inference, pool, rng, ours) for _ in range(count))


def likeliest_world(position: Position, inference: Inference) -> World:
    """Build the world in which each revealed Pokémon of theirs has its likeliest set."""
    ours = our_fighters(position)
    theirs = tuple(
        their_fighter(mon, inference.guesses[mon.ident].best) for mon in position.theirs.team
    )
    return World(ours, _transformed(theirs, ours))


def _world(
    position: Position, inference: Inference, pool: SetPool, rng: Random, ours: tuple[Fighter, ...]
) -> World:
    """Draw one world."""
    drawn: list[Fighter] = []
    chance = 1.0
    for mon in position.theirs.team:
        pick = draw(inference.guesses[mon.ident].sets, rng)
        chance *= pick.chance
        drawn.append(their_fighter(mon, pick.set, tera=_draw_tera(pick, rng)))
    drawn += unseen_ones(position, pool, rng)
    return World(ours, _transformed(tuple(drawn), ours), chance)


def _transformed(theirs: tuple[Fighter, ...], ours: Sequence[Fighter]) -> tuple[Fighter, ...]:
    by_ident: Mapping[str, Fighter] = {each.ident: each for each in (*ours, *theirs)}
    return tuple(
        copied(each, by_ident[each.seen.transformed])
        if each.seen and each.seen.transformed and each.seen.transformed in by_ident
        else each
        for each in theirs
    )


def draw(sets: Sequence[WeightedSet], rng: Random) -> WeightedSet:
    """Draw a set by its probability."""
    at = rng.random() * sum(each.chance for each in sets)
    for each in sets:
        at -= each.chance
        if at <= 0:
            return each
    return sets[-1]


def _draw_tera(pick: WeightedSet, rng: Random) -> str:
    at = rng.random()
    for tera, chance in pick.teras:
        at -= chance
        if at <= 0:
            return tera
    return pick.set.tera


def unseen_ones(position: Position, pool: SetPool, rng: Random) -> list[Fighter]:
    """Draw the unseen ones from a generated team that shares as many of the seen as possible."""
    if not pool.rows or not position.theirs.unseen:
        return []
    seen = [mon.base for mon in position.theirs.team]
    if shown := _shown(position, pool, rng):
        return [unseen_fighter(place, made) for place, made in enumerate(shown, start=1)]
    drawn = _mates(seen, pool, rng, position.theirs.unseen) if pool.teams else []
    drawn += _strangers(
        [*seen, *(each.species for each in drawn)], pool, rng, position.theirs.unseen - len(drawn)
    )
    return [unseen_fighter(place, made) for place, made in enumerate(drawn, start=1)]


def _shown(position: Position, pool: SetPool, rng: Random) -> list[PoolSet]:
    """Draw sets for those that team preview showed and that have not come in yet."""
    seen = {dex_base(mon.base) for mon in position.theirs.team}
    left = [each for each in position.theirs.preview if dex_base(each) not in seen]
    known = [sets for each in left if (sets := pool.sets(each))]
    drawn = [rng.choices(sets, [each.count for each in sets])[0] for sets in known]
    return drawn[: position.theirs.unseen]


TEAMS_ENOUGH = 12
"""Generated teams to choose from; if fewer match, fewer shared species are required."""
TEAM_DRAWS = 12
"""Attempts to find teammates that the generator's rules allow."""


def _mates(seen: Sequence[str], pool: SetPool, rng: Random, count: int) -> list[PoolSet]:
    """Draw teammates from a generated team that the generator could place beside the seen ones."""
    homes = _homes(tuple(sorted(seen)), pool)
    types = [_types_of(species) for species in seen]
    for _ in range(TEAM_DRAWS):
        team = rng.choice(homes) if homes else rng.randrange(len(pool.teams))
        taken = {dex_base(species) for species in seen}
        found: list[PoolSet] = []
        for species, place in rng.sample(mates := pool.mates(team), len(mates)):
            if dex_base(species) not in taken and len(found) < count:
                taken.add(dex_base(species))
                found.append(pool.made_set(species, place))
        if len(found) == count and _allowed([*types, *(_types_of(one.species) for one in found)]):
            return found
    return []


def _homes(seen: tuple[str, ...], pool: SetPool) -> Sequence[int]:
    """Find the generated teams that share most of these species, but enough of them."""
    counts = Counter(team for species in seen for team in pool.teams_with(species))
    for shared in range(len(seen), 0, -1):
        homes = sorted(team for team, count in counts.items() if count >= shared)
        if len(homes) >= TEAMS_ENOUGH:
            return homes
    return ()


MOST_OF_A_TYPE, MOST_WEAK = 2, 3
"""The generator's limits per team: members of one type, and members weak to one type."""


def _allowed(team: Sequence[tuple[str, ...]]) -> bool:
    """Check the generator's limits on types and weaknesses."""
    kinds = Counter(kind for types in team for kind in types)
    weak = Counter(
        kind for kind in dex.TYPES for types in team if dex.effectiveness(kind, types) > 1
    )
    most_weak = max(weak.values(), default=0)
    return max(kinds.values(), default=0) <= MOST_OF_A_TYPE and most_weak <= MOST_WEAK


def _strangers(taken: Sequence[str], pool: SetPool, rng: Random, count: int) -> list[PoolSet]:
    """Draw sets of any other species, by how often they are generated."""
    bases, found = {dex_base(species) for species in taken}, []
    for _ in range(max(0, count)):
        # A limited number of tries, because a small pool may have no other species.
        for _ in range(20):
            species = rng.choice(pool.species)
            if dex_base(species) not in bases:
                break
        bases.add(dex_base(species))
        sets = pool.sets(species)
        found.append(rng.choices(sets, [each.count for each in sets])[0])
    return found


def unseen_fighter(place: int, made: PoolSet) -> Fighter:
    """Fill in a Pokémon that has not been seen, with a set of the pool."""
    mon = Mon(
        ident=f"unseen {place}",
        name="unseen",
        species=made.species,
        base=made.species,
        level=made.level,
        types=_types_of(made.species),
    )
    return their_fighter(mon, made.joint)


def dex_base(species: str) -> str:
    """Find the species of a forme; a team never has two of one species."""
    return dex.species(species).base


def _types_of(species: str) -> tuple[str, ...]:
    return dex.species(species).types or ("normal",)
