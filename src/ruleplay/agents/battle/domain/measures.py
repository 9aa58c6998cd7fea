"""How good the mind's guesses are, measured against what was true: damage ranges and set guesses.

Both need what no player sees: the true team, as the owner's request lists it. A `Truth` is one
Pokémon of it. The functions are pure, so that arenas, benchmarks and tests feed them alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import cast

from ruleplay.agents.battle.domain import dex, protocol
from ruleplay.agents.battle.domain.damage import UNPREDICTABLE, rolls
from ruleplay.agents.battle.domain.position import Hit, Mon, MoveSlot, Stats
from ruleplay.agents.battle.domain.results import Guess
from ruleplay.agents.battle.domain.sets import SetPool, guess
from ruleplay.agents.battle.domain.strikes import Scene
from ruleplay.agents.battle.domain.worlds import Fighter, Known

TOP = 3


@dataclass(frozen=True, slots=True)
class Truth:
    """One Pokémon as its owner knows it."""

    ident: str
    species: str
    level: int
    stats: Stats
    item: str
    ability: str
    moves: tuple[str, ...]
    tera: str


def truths(request: Mapping[str, object]) -> dict[str, Truth]:
    """Return the team of a battle's first request, by ident."""
    side = cast("Mapping[str, object]", request["side"])
    members = cast("list[Mapping[str, object]]", side["pokemon"])
    return {str(each["ident"]): _truth(each) for each in members}


def _truth(entry: Mapping[str, object]) -> Truth:
    found = protocol.details(str(entry["details"]))
    whole = protocol.condition(str(entry["condition"])).whole
    stats = {"hp": whole, **cast("dict[str, int]", entry["stats"])}
    return Truth(
        ident=str(entry["ident"]),
        species=found.species,
        level=found.level,
        stats=Stats.model_validate(stats),
        item=dex.to_id(str(entry.get("item") or "")),
        ability=dex.to_id(str(entry.get("baseAbility") or "")),
        moves=tuple(sorted(dex.to_id(each) for each in cast("list[str]", entry["moves"]))),
        tera=dex.to_id(str(entry.get("teraType") or "")),
    )


def inside(hit: Hit, by: Truth, on: Truth) -> bool | None:
    """Tell whether a hit lies in the range computed for it; None where it cannot tell.

    A blow that felled its target only says that the highest roll sufficed; health that the server
    shows in percent is known to one percent either way.
    """
    if hit.move in UNPREDICTABLE or not dex.knows_move(hit.move):
        return None
    attacker, defender = _fighter(hit, by, attacking=True), _fighter(hit, on, attacking=False)
    found = rolls(dex.move(hit.move), attacker, defender, _scene(hit), crit=hit.crit)
    low, high = found.low / on.stats["hp"], found.high / on.stats["hp"]
    several = dex.move(hit.move).multihit != (1, 1)
    slack = 1.01 * hit.precision if hit.precision >= 0.01 else 0.001
    if several and hit.crit:
        low, high = low / 2, high * 1.0
    if hit.capped:
        return hit.damage <= high + slack
    return low - slack <= hit.damage <= high + slack


def _fighter(hit: Hit, true: Truth, *, attacking: bool) -> Fighter:
    tera = hit.by_tera if attacking else hit.on_tera
    species = (hit.by_species if attacking else hit.on_species) or true.species
    shown = hit.by_item if attacking else hit.on_item
    types = hit.by_types if attacking else hit.on_types
    own = types or (dex.species(species).types if dex.knows_species(species) else ())
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
            ident=true.ident, name=true.species, species=species, base=true.species,
            level=true.level, types=own or ("normal",),
            times_hit=hit.by_times_hit if attacking else 0,
        ),
    )  # fmt: skip


def _stats(true: Truth, species: str) -> Stats:
    """Another forme has other base stats; random sets spread their effort evenly."""
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


def found_in(guessed: Guess, true: Truth, top: int = TOP) -> bool:
    """Tell whether the true set, tera aside, is among the likeliest."""
    return any(
        (each.set.item, each.set.ability, each.set.moves) == (true.item, true.ability, true.moves)
        for each in guessed.sets[:top]
    )


def set_accuracy(
    pool: SetPool, teams: Iterable[Sequence[Truth]], rng: Random, *, revealed: int = 2
) -> tuple[int, int]:
    """Reveal moves of each team member in a random order; return how many were found, of how many.

    Only the moves are revealed: what items and abilities show in a real battle makes it easier.
    """
    found = asked = 0
    for team in teams:
        for true in team:
            shown = rng.sample(true.moves, min(revealed, len(true.moves)))
            mon = Mon(
                ident=true.ident, name=true.species, species=true.species, base=true.species,
                level=true.level, types=("normal",),
                moves=tuple(MoveSlot(id=each, pp=1, max_pp=1) for each in shown),
            )  # fmt: skip
            found += found_in(guess(mon, pool), true)
            asked += 1
    return found, asked
