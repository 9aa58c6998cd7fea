"""The dex: data of species, moves and types, read from poke-env.

Ids are Showdown's, types are lower-case words. The data is loaded at first use (0.3 s), never at
import. An unknown id gets a blank entry, because requests may name pseudo-moves (`recharge`, or
`fight` in generation 1) and clients may name anything; `knows_*` tell whether an entry exists.
"""

from __future__ import annotations

import atexit
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, cast

from ruleplay.agents.battle.domain.mechanics import facts

Category = Literal["physical", "special", "status"]
Entry = Mapping[str, object]

_NOT_ID = re.compile(r"[^a-z0-9]+")
TYPES = tuple(facts().types)
"""All types except Stellar, in lower case."""


@atexit.register
def _close_loop() -> None:
    """Close the event loop that poke-env starts at import and stops, but never closes, at exit.

    `atexit` calls in reverse order of registration: this function was registered before poke-env is
    imported, so it runs after poke-env has stopped the loop.
    """
    imported = sys.modules.get("poke_env.concurrency")
    if imported is not None and not imported.POKE_LOOP.is_running():
        imported.POKE_LOOP.close()


def to_id(text: str) -> str:
    """Convert a name to Showdown's id: lower-case letters and digits only."""
    return _NOT_ID.sub("", text.lower())


@dataclass(frozen=True, slots=True)
class Move:
    """A move's data, as far as it is used here; `accuracy` is 1.0 for a move that cannot miss.

    `drain`, `recoil` and `heal` are fractions; `multihit` is the lowest and highest number of hits.
    """

    id: str
    name: str
    type: str
    category: Category
    power: int
    accuracy: float
    priority: int
    pp: int
    target: str
    flags: frozenset[str]
    drain: float = 0.0
    recoil: float = 0.0
    heal: float = 0.0
    multihit: tuple[int, int] = (1, 1)
    self_switch: bool = False
    force_switch: bool = False
    status: str = ""
    volatile: str = ""
    side_condition: str = ""
    weather: str = ""
    terrain: str = ""
    boosts: tuple[tuple[str, int], ...] = ()
    target_boosts: tuple[tuple[str, int], ...] = ()
    self_boosts: tuple[tuple[str, int], ...] = ()
    side_chance: float = 0.0
    side_status: str = ""
    side_volatile: str = ""
    self_destruct: bool = False
    fixed: str = ""
    ignores_immunity: bool = False
    locks: bool = False
    overrides_offense: str = ""
    overrides_defense: str = ""
    always_critical: bool = False

    @property
    def rises(self) -> bool:
        """Whether it only raises its user's stats."""
        return not self.damaging and any(by > 0 for _, by in self.self_boosts)

    @property
    def damaging(self) -> bool:
        """Whether it does damage."""
        return self.category != "status"

    @property
    def self_targeted(self) -> bool:
        """Whether it targets its user or its own side."""
        return self.target in {"self", "allySide", "allyTeam", "adjacentAllyOrSelf", "allies"}


@dataclass(frozen=True, slots=True)
class Species:
    """The data of a species or forme."""

    id: str
    name: str
    base: str
    types: tuple[str, ...]
    stats: tuple[int, int, int, int, int, int]
    abilities: tuple[str, ...]
    weight: float
    evolves: bool = False


@cache
def _moves(gen: int) -> Mapping[str, Entry]:
    from poke_env.data import GenData

    return cast("Mapping[str, Entry]", GenData.from_gen(gen).moves)


@cache
def _pages(gen: int) -> Mapping[str, Entry]:
    from poke_env.data import GenData

    return cast("Mapping[str, Entry]", GenData.from_gen(gen).pokedex)


@cache
def _chart(gen: int) -> Mapping[str, Mapping[str, float]]:
    from poke_env.data import GenData

    return cast("Mapping[str, Mapping[str, float]]", GenData.from_gen(gen).type_chart)


def knows_move(name: str, gen: int = 9) -> bool:
    """Check whether the move exists in any generation up to this one."""
    return _page_of(name, gen) in _moves(gen)


def _page_of(name: str, gen: int) -> str:
    """Find the id of a move's entry; requests append the power to some moves (`return102`)."""
    plain = name.rstrip("0123456789")
    return plain if name not in _moves(gen) and len(name) - len(plain) <= 3 else name


def knows_species(name: str, gen: int = 9) -> bool:
    """Check whether a species or forme of this id exists."""
    return name in _pages(gen)


def _fraction(value: object) -> float:
    if isinstance(value, list) and len(value) == 2:
        return float(value[0]) / float(value[1])
    return 0.0


def _hits(value: object) -> tuple[int, int]:
    if isinstance(value, int):
        return value, value
    if isinstance(value, list):
        return int(value[0]), int(value[1])
    return 1, 1


def _stages(value: object) -> tuple[tuple[str, int], ...]:
    return tuple((str(k), int(v)) for k, v in value.items()) if isinstance(value, dict) else ()


def _entry(value: object) -> Entry:
    return cast("Entry", value) if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


@lru_cache(maxsize=4096)
def move(name: str, gen: int = 9) -> Move:
    """Load a move's data; an unknown one is a status move without effect."""
    page = _moves(gen).get(_page_of(name, gen), {})
    power = name.removeprefix(_page_of(name, gen))
    own, side = _entry(page.get("self")), _entry(page.get("secondary"))
    extra = page.get("secondaries")
    if not side and isinstance(extra, list) and extra:
        side = _entry(extra[0])
    boosts = _stages(page.get("boosts"))
    accuracy, target = page.get("accuracy", True), _text(page.get("target")) or "self"
    to_self = target in {"self", "allySide", "adjacentAllyOrSelf", "allies", "allyTeam"}
    # Secondary effects that are certain count as boosts, others only as side effects.
    self_boosts = (
        _stages(own.get("boosts"))
        + _stages(_entry(page.get("selfBoost")).get("boosts"))
        + (boosts if to_self else ())
        + (_stages(_entry(side.get("self")).get("boosts")) if side.get("chance") == 100 else ())
    )
    target_boosts = (boosts if not to_self else ()) + (
        _stages(side.get("boosts")) if side.get("chance") == 100 else ()
    )
    return Move(
        id=name,
        name=_text(page.get("name")) or name.capitalize(),
        type=_text(page.get("type")).lower(),
        category=cast("Category", _text(page.get("category")).lower() or "status"),
        power=int(power or cast("int", page.get("basePower", 0))),
        # In the data, True stands for a move that cannot miss.
        accuracy=1.0 if accuracy is True else float(cast("int", accuracy)) / 100,
        priority=int(cast("int", page.get("priority", 0))),
        pp=int(cast("int", page.get("pp", 0))),
        target=target,
        flags=frozenset(_entry(page.get("flags"))),
        drain=_fraction(page.get("drain")),
        recoil=_fraction(page.get("recoil")),
        heal=_fraction(page.get("heal")),
        multihit=_hits(page.get("multihit")),
        self_switch=bool(page.get("selfSwitch")),
        force_switch=bool(page.get("forceSwitch")),
        status=_text(page.get("status")),
        volatile=_text(page.get("volatileStatus")),
        side_condition=to_id(_text(page.get("sideCondition"))),
        weather=to_id(_text(page.get("weather"))),
        terrain=to_id(_text(page.get("terrain"))),
        boosts=boosts,
        target_boosts=target_boosts,
        self_boosts=self_boosts,
        side_chance=float(cast("int", side.get("chance") or 0)) / 100,
        side_status=_text(side.get("status")),
        side_volatile=_text(side.get("volatileStatus")),
        self_destruct=bool(page.get("selfdestruct")),
        # A number of points, or "level" for the user's level.
        fixed=str(page.get("damage") or ""),
        ignores_immunity=bool(page.get("ignoreImmunity")),
        locks=own.get("volatileStatus") == "lockedmove",
        overrides_offense=_text(page.get("overrideOffensiveStat")),
        overrides_defense=_text(page.get("overrideDefensiveStat")),
        always_critical=bool(page.get("willCrit")),
    )


def _six(stats: Mapping[str, int]) -> tuple[int, int, int, int, int, int]:
    hp, atk, def_ = stats["hp"], stats["atk"], stats["def"]
    return hp, atk, def_, stats["spa"], stats["spd"], stats["spe"]


_AVERAGE = dict.fromkeys(("hp", "atk", "def", "spa", "spd", "spe"), 100)


@lru_cache(maxsize=4096)
def species(name: str, gen: int = 9) -> Species:
    """Load a species' or forme's data; an unknown one has average stats and no types."""
    page = _pages(gen).get(name, {})
    stats = cast("Mapping[str, int]", page.get("baseStats", _AVERAGE))
    return Species(
        id=name,
        name=_text(page.get("name")) or name,
        base=to_id(_text(page.get("baseSpecies")) or name),
        types=tuple(str(each).lower() for each in cast("list[str]", page.get("types", []))),
        stats=_six(stats),
        abilities=tuple(
            to_id(str(each)) for each in cast("dict[str, str]", page.get("abilities", {})).values()
        ),
        weight=float(cast("float", page.get("weightkg", 50.0) or 0.1)),
        evolves=bool(page.get("evos")),
    )


def evolves(name: str) -> bool:
    """Check whether a species can still evolve, as Eviolite requires."""
    return species(name).evolves


@lru_cache(maxsize=4096)  # bounded, since clients may send any names
def against(attack: str, defender: str, gen: int = 9) -> float:
    """Look up how effective an attacking type is against a type; 1.0 for unknown types."""
    row = _chart(gen).get(defender.upper())
    return float(row.get(attack.upper(), 1.0)) if row else 1.0


def effectiveness(attack: str, defender: Iterable[str], gen: int = 9) -> float:
    """Multiply an attacking type's effectiveness over a Pokémon's types."""
    factor = 1.0
    for each in defender:
        factor *= against(attack, each, gen)
    return factor


def species_name(name: str) -> str:
    """Look up a species' display name; its id if unknown."""
    return species(name).name


def move_name(name: str) -> str:
    """Look up a move's display name; its id, capitalised, if unknown."""
    return move(name).name


@cache
def _abilities(gen: int) -> Mapping[str, str]:
    pages = (cast("dict[str, str]", page["abilities"]) for page in _pages(gen).values())
    return {to_id(name): name for page in pages for name in page.values()}


def ability_name(name: str, gen: int = 9) -> str:
    """Look up an ability's display name; its id if no species has it."""
    return _abilities(gen).get(name, name)


def knows_ability(name: str, gen: int = 9) -> bool:
    """Check whether any species has this ability."""
    return name in _abilities(gen)


@cache
def species_names() -> tuple[str, ...]:
    """List the names of all species and formes."""
    return tuple(_text(page.get("name")) for page in _pages(9).values())


@cache
def move_names() -> tuple[str, ...]:
    """List the names of all moves."""
    return tuple(_text(page.get("name")) for page in _moves(9).values())


@cache
def ability_names() -> tuple[str, ...]:
    """List the names of all abilities that a species has."""
    return tuple(_abilities(9).values())


@cache
def natures() -> Mapping[str, Mapping[str, float]]:
    """Map each nature's id to the factors on its stats."""
    from poke_env.data import GenData

    return cast("Mapping[str, Mapping[str, float]]", GenData.from_gen(9).natures)


def raw_stats(
    name: str, level: int, evs: Iterable[int], ivs: Iterable[int]
) -> tuple[int, int, int, int, int, int]:
    """Compute the six stats with a neutral nature (the games' formula since generation 3)."""
    base = species(name).stats
    core = [(2 * b + iv + ev // 4) * level // 100 for b, ev, iv in zip(base, evs, ivs, strict=True)]
    # Shedinja always has one point of health.
    health = 1 if name == "shedinja" else core[0] + level + 10
    return (health, core[1] + 5, core[2] + 5, core[3] + 5, core[4] + 5, core[5] + 5)
