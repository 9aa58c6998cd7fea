"""Damage as evidence for sets: a hit that a set cannot explain makes it unlikely.

A `Truth` is a Pokémon whose stats, item and ability are known or assumed. `inside` checks whether
an observed hit lies within the damage range between two of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.damage import UNPREDICTABLE, rolls
from ruleplay.agents.battle.domain.pool import PoolSet
from ruleplay.agents.battle.domain.position import Hit, Mon, Position, Stats
from ruleplay.agents.battle.domain.strikes import Scene
from ruleplay.agents.battle.domain.worlds import Fighter, Known

UNLIKELY = 0.05
"""Factor on a set's weight for each hit that it does not explain."""

HITS_WEIGHED = 5
"""Most recent hits of a Pokémon that are compared."""


@dataclass(frozen=True, slots=True)
class Truth:
    """A Pokémon with everything that only its owner knows."""

    ident: str
    species: str
    level: int
    stats: Stats
    item: str
    ability: str
    moves: tuple[str, ...]
    tera: str


def inside(hit: Hit, by: Truth, on: Truth) -> bool | None:
    """Check whether a hit lies within the computed range; None if that cannot be computed.

    A hit that knocked its target out only shows that the maximum sufficed. Health shown in percent
    is known to one percent either way.
    """
    if hit.move in UNPREDICTABLE or not dex.knows_move(hit.move):
        return None
    attacker, defender = _fighter(hit, by, attacking=True), _fighter(hit, on, attacking=False)
    found = rolls(dex.move(hit.move), attacker, defender, _scene(hit), crit=hit.crit)
    low, high = found.low / on.stats["hp"], found.high / on.stats["hp"]
    several = dex.move(hit.move).multihit != (1, 1)
    slack = 1.01 * hit.precision if hit.precision >= 0.01 else 0.001
    # Maybe only some of the hits were critical, so the lower end is that of hits without.
    if several and hit.crit:
        low, high = low / 2, high * 1.0
    survived = defender.ability == "sturdy" or "focussash" in {on.item, hit.on_item}
    if hit.capped or (survived and hit.on_hp >= 1 and hit.damage > 0.98):
        return hit.damage <= high + slack
    return low - slack <= hit.damage <= high + slack


def _fighter(hit: Hit, true: Truth, *, attacking: bool) -> Fighter:
    """Combine what its owner knows of a Pokémon with what was visible at the time of the hit."""
    tera = hit.by_tera if attacking else hit.on_tera
    species = (hit.by_species if attacking else hit.on_species) or true.species
    shown = hit.by_item if attacking else hit.on_item
    types = hit.by_types if attacking else hit.on_types
    own = types or dex.species(species).types
    health = hit.by_hp if attacking else hit.on_hp
    stats = _stats(true, species)
    ability = (hit.by_ability if attacking else hit.on_ability) or true.ability
    return Fighter(
        ident=true.ident,
        species=species,
        level=true.level,
        types=(tera,) if tera and tera != "stellar" else own,
        own_types=own,
        hp=round(health * stats["hp"]),
        hp_max=stats["hp"],
        stats=stats,
        item=true.item if shown is None else shown,
        ability=ability,
        moves=tuple(Known(each, 8) for each in true.moves),
        tera_type=tera or true.tera,
        terastallized=bool(tera),
        active=True,
        status=hit.by_status if attacking else hit.on_status,
        boosts=hit.by_boosts if attacking else hit.on_boosts,
        volatiles=frozenset(hit.by_volatiles if attacking else hit.on_volatiles),
        seen=Mon(
            ident=true.ident,
            name=true.species,
            species=species,
            base=true.species,
            level=true.level,
            types=own or ("normal",),
            times_hit=hit.by_times_hit if attacking else 0,
        ),
    )


def _stats(true: Truth, species: str) -> Stats:
    """Compute the stats of another forme; random sets spread their effort points evenly."""
    if species == true.species or not dex.knows_species(species):
        return true.stats
    raw = dex.raw_stats(species, true.level, (85,) * 6, (31,) * 6)
    made = dict(zip(("hp", "atk", "def", "spa", "spd", "spe"), raw, strict=True))
    return Stats.model_validate({**made, "hp": true.stats["hp"]})


def _scene(hit: Hit) -> Scene:
    return Scene(
        weather=hit.weather,
        terrain=hit.terrain,
        rooms=frozenset(hit.rooms),
        screens=frozenset(hit.screens),
        gas="neutralizinggas" in {hit.by_ability, hit.on_ability},
        fainted=hit.by_fallen,
        incoming=hit.incoming,
        last=hit.last,
        struck=hit.struck,
    )


def weigh_hits(position: Position) -> Callable[[Mon, PoolSet], float]:
    """Build a function that weighs a set by how well it explains the last hits dealt and taken."""
    ours = {mon.ident: _known(mon) for mon in position.ours.team if mon.stats}
    weighed: dict[tuple[object, ...], float] = {}

    def weigh(mon: Mon, each: PoolSet) -> float:
        # A transformed Pokémon fights with another's stats, which say nothing of its own set.
        if mon.transformed:
            return 1.0
        # Sets that differ in other moves deal and take the same damage.
        key = (mon.ident, each.stats, each.item, each.ability)
        if key not in weighed:
            weighed[key] = explained_by(mon, each)
        return weighed[key]

    def explained_by(mon: Mon, each: PoolSet) -> float:
        supposed = _supposed(mon, each)
        weight = 1.0
        for hit in _hits_of(position, mon, ours):
            if hit.by == mon.ident:
                explained = inside(hit, supposed, ours[hit.on])
            else:
                explained = inside(hit, ours[hit.by], supposed)
            if explained is False:
                weight *= UNLIKELY
        return weight

    return weigh


def _hits_of(position: Position, mon: Mon, ours: dict[str, Truth]) -> list[Hit]:
    """List a Pokémon's last hits whose damage depends on its set."""
    found = [
        hit
        for hit in position.hits
        if (hit.by == mon.ident and hit.on in ours and not hit.capped)
        or (hit.on == mon.ident and hit.by in ours)
    ]
    return found[-HITS_WEIGHED:]


def _known(mon: Mon) -> Truth:
    assert mon.stats is not None
    return Truth(
        mon.ident,
        mon.base,
        mon.level,
        mon.stats,
        mon.first_item or mon.item or "",
        mon.own_ability or "",
        mon.known_moves,
        mon.tera_type or "",
    )


def _supposed(mon: Mon, each: PoolSet) -> Truth:
    return Truth(
        mon.ident,
        mon.base,
        mon.level,
        each.stats,
        each.item,
        each.ability,
        each.moves,
        mon.tera_type or "",
    )
