"""The dex: what is printed about species, moves and types, read from poke-env's game data.

Ids are Showdown's, types lower-case words. The data is loaded when first asked for (0.3 s), never
at import. An id that no page describes has a blank one, for a request may name what is no move
(`recharge`, generation 1's `fight`), and a client anything: `knows_*` tells them apart.
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


@atexit.register
def _close_loop() -> None:
    """Close the event loop that poke-env starts when it is imported, and only stops at the end.

    What was registered first is called last: this, before poke-env is imported.
    """
    imported = sys.modules.get("poke_env.concurrency")
    if imported is not None and not imported.POKE_LOOP.is_running():
        imported.POKE_LOOP.close()


def to_id(text: str) -> str:
    """Return Showdown's id of a name: lower-case letters and digits, nothing else."""
    return _NOT_ID.sub("", text.lower())


@dataclass(frozen=True, slots=True)
class Move:
    """What a move's page says, as far as we use it. `accuracy` is 1.0 for one that cannot miss.

    `drain`, `recoil` and `heal` are fractions; `multihit` is the fewest and most hits.
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

    @property
    def damaging(self) -> bool:
        """Whether it can hurt at all."""
        return self.category != "status"

    @property
    def self_targeted(self) -> bool:
        """Whether it is aimed at its user or its side."""
        return self.target in {"self", "allySide", "allyTeam", "adjacentAllyOrSelf", "allies"}


@dataclass(frozen=True, slots=True)
class Species:
    """What a species' page says."""

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
    """Tell whether any generation up to this one has such a move."""
    return _page_of(name, gen) in _moves(gen)


def _page_of(name: str, gen: int) -> str:
    """Return the id under which a move's page stands; requests add power to some (`return102`)."""
    plain = name.rstrip("0123456789")
    return plain if name not in _moves(gen) and len(name) - len(plain) <= 3 else name


def knows_species(name: str, gen: int = 9) -> bool:
    """Tell whether a species or forme of this id exists."""
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
    """Return a move's page; that of a status move that does nothing where no page describes it."""
    page = _moves(gen).get(_page_of(name, gen), {})
    power = name.removeprefix(_page_of(name, gen))
    own, side = _entry(page.get("self")), _entry(page.get("secondary"))
    extra = page.get("secondaries")
    if not side and isinstance(extra, list) and extra:
        side = _entry(extra[0])
    boosts = _stages(page.get("boosts"))
    accuracy, target = page.get("accuracy", True), _text(page.get("target")) or "self"
    to_self = target in {"self", "allySide", "adjacentAllyOrSelf", "allies", "allyTeam"}
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
        fixed=str(page.get("damage") or ""),
        ignores_immunity=bool(page.get("ignoreImmunity")),
        locks=own.get("volatileStatus") == "lockedmove",
        overrides_offense=_text(page.get("overrideOffensiveStat")),
        overrides_defense=_text(page.get("overrideDefensiveStat")),
    )


def _six(stats: Mapping[str, int]) -> tuple[int, int, int, int, int, int]:
    hp, atk, def_ = stats["hp"], stats["atk"], stats["def"]
    return hp, atk, def_, stats["spa"], stats["spd"], stats["spe"]


_AVERAGE = dict.fromkeys(("hp", "atk", "def", "spa", "spd", "spe"), 100)


@lru_cache(maxsize=4096)
def species(name: str, gen: int = 9) -> Species:
    """Return a species' or forme's page; an average one without types where none describes it."""
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
    """Tell whether a species can still evolve, which Eviolite asks."""
    return species(name).evolves


@lru_cache(maxsize=4096)  # positions that clients send may name anything
def against(attack: str, defender: str, gen: int = 9) -> float:
    """Return the factor of one type of attack on one type of defender; 1.0 for typeless ones."""
    row = _chart(gen).get(defender.upper())
    return float(row.get(attack.upper(), 1.0)) if row else 1.0


def effectiveness(attack: str, defender: Iterable[str], gen: int = 9) -> float:
    """Return the factor of a type of attack on a Pokémon of these types."""
    factor = 1.0
    for each in defender:
        factor *= against(attack, each, gen)
    return factor


def species_name(name: str) -> str:
    """Return how a species is written, its id where no page describes it."""
    return species(name).name


def move_name(name: str) -> str:
    """Return how a move is written, its id with a capital where no page describes it."""
    return move(name).name


@cache
def _abilities(gen: int) -> Mapping[str, str]:
    pages = (cast("dict[str, str]", page["abilities"]) for page in _pages(gen).values())
    return {to_id(name): name for page in pages for name in page.values()}


def ability_name(name: str, gen: int = 9) -> str:
    """Return how an ability is written, its id where no species has it."""
    return _abilities(gen).get(name, name)


def knows_ability(name: str, gen: int = 9) -> bool:
    """Tell whether any species has this ability."""
    return name in _abilities(gen)


@cache
def natures() -> Mapping[str, Mapping[str, float]]:
    """Return all natures by id, with what each multiplies a stat by."""
    from poke_env.data import GenData

    return cast("Mapping[str, Mapping[str, float]]", GenData.from_gen(9).natures)


def raw_stats(
    name: str, level: int, evs: Iterable[int], ivs: Iterable[int]
) -> tuple[int, int, int, int, int, int]:
    """Return the six stats of a neutral nature (games' formula since generation 3)."""
    base = species(name).stats
    core = [(2 * b + iv + ev // 4) * level // 100 for b, ev, iv in zip(base, evs, ivs, strict=True)]
    health = 1 if name == "shedinja" else core[0] + level + 10
    return (health, core[1] + 5, core[2] + 5, core[3] + 5, core[4] + 5, core[5] + 5)
