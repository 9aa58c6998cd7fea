"""Base power: a move's own power as modified by abilities, items, terrain and circumstances.

Modifiers are Showdown's, in 4096ths, and are multiplied and rounded as in its simulator.
"""

from __future__ import annotations

from collections.abc import Iterable

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.dex import Move
from ruleplay.agents.battle.domain.mechanics import kinds, of_types, words
from ruleplay.agents.battle.domain.strikes import (
    ATE,
    PLATES,
    Scene,
    ability_of,
    category_of,
    grounded,
    shielding,
)
from ruleplay.agents.battle.domain.worlds import Fighter

ONE = 4096
"""A modifier of 1."""
BOOST_ITEMS = of_types("boost_items") | {f"{plate}plate": kind for plate, kind in PLATES.items()}
"""Items that strengthen moves of a type."""
ORBS = {
    "adamantorb": ("dialga", {"steel", "dragon"}),
    "adamantcrystal": ("dialga", {"steel", "dragon"}),
    "lustrousorb": ("palkia", {"water", "dragon"}),
    "lustrousglobe": ("palkia", {"water", "dragon"}),
    "griseousorb": ("giratina", {"ghost", "dragon"}),
    "griseouscore": ("giratina", {"ghost", "dragon"}),
    "souldew": ("lati", {"psychic", "dragon"}),
}
"""Items that strengthen two types of one species."""
FLAG_ABILITIES = {
    "strongjaw": ("bite", 6144),
    "megalauncher": ("pulse", 6144),
    "sharpness": ("slicing", 6144),
    "ironfist": ("punch", 4915),
    "toughclaws": ("contact", 5325),
    "punkrock": ("sound", 5325),
}
"""Abilities that strengthen moves with a flag."""
OVERLORD = (4096, 4506, 4915, 5325, 5734, 6144)
"""Supreme Overlord's modifier by the number of fainted teammates."""


def chain(factors: Iterable[int]) -> int:
    """Multiply modifiers in 4096ths, rounding after each one as the simulator does."""
    made = ONE
    for factor in factors:
        made = (made * factor + 2048) >> 12
    return made


def modify(value: int, factor: int) -> int:
    """Apply a modifier in 4096ths; halves are rounded down."""
    return (value * factor + 2047) >> 12


def base_power(move: Move, kind: str, by: Fighter, on: Fighter, scene: Scene) -> int:
    """Compute the power of one hit; 0 for a move whose damage does not depend on power."""
    power = own_power(move, by, on, scene)
    if power <= 0:
        return 0
    power = max(1, modify(power, chain(_factors(move, kind, power, by, on, scene))))
    if (
        # Moves of the tera type have at least 60, unless they have priority or several hits.
        power < 60
        and by.terastallized
        and kind == by.tera_type
        and move.priority <= 0
        and move.multihit == (1, 1)
        and not (move.power in {0, 150} and move.id in _OWN)
    ):
        return 60
    return power


def own_power(move: Move, by: Fighter, on: Fighter, scene: Scene) -> int:
    """Compute the power by the move's own rule, before other modifiers."""
    rule = _OWN.get(move.id)
    return rule(move, by, on, scene) if rule else move.power


def speed_of(each: Fighter, scene: Scene) -> int:
    """Compute effective speed: stages, item, ability in this weather, paralysis."""
    speed = each.stats["spe"] * 1.0
    stage = each.boosts.spe
    speed = speed * (2 + stage) / 2 if stage >= 0 else speed * 2 / (2 - stage)
    if each.item == "choicescarf":
        speed *= 1.5
    elif each.item in {"ironball", "machobrace"}:
        speed *= 0.5
    ability = ability_of(each, scene)
    if ability == _WEATHER_SPEED.get(scene.weather) or (
        ability == "surgesurfer" and scene.terrain == "electricterrain"
    ):
        speed *= 2
    elif ability == "quickfeet" and each.status:
        speed *= 1.5
    elif ability == "unburden" and not each.item and "unburden" in each.volatiles:
        speed *= 2
    elif ability == "slowstart" and "slowstart" in each.volatiles:
        speed *= 0.5
    if {"protosynthesisspe", "quarkdrivespe"} & each.volatiles:
        speed *= 1.5
    if each.status == "par" and ability != "quickfeet":
        speed *= 0.5
    return int(speed)


_WEATHER_SPEED = kinds("weather_speed")


def weight_of(each: Fighter, scene: Scene) -> float:
    """Compute the weight in kilograms."""
    factor = {"heavymetal": 2.0, "lightmetal": 0.5}.get(ability_of(each, scene), 1.0)
    return dex.species(each.species).weight * factor * (0.5 if each.item == "floatstone" else 1.0)


def _by_weight(move: Move, by: Fighter, on: Fighter, scene: Scene) -> int:
    weight = weight_of(on, scene)
    steps = ((200, 120), (100, 100), (50, 80), (25, 60), (10, 40))
    return next((power for least, power in steps if weight >= least), 20)


def _by_weights(move: Move, by: Fighter, on: Fighter, scene: Scene) -> int:
    ratio = weight_of(by, scene) / max(0.1, weight_of(on, scene))
    return next(
        (power for least, power in ((5, 120), (4, 100), (3, 80), (2, 60)) if ratio >= least), 40
    )


def _by_health(move: Move, by: Fighter, on: Fighter, scene: Scene) -> int:
    return max(1, move.power * by.hp // max(1, by.hp_max))


def _by_weakness(move: Move, by: Fighter, on: Fighter, scene: Scene) -> int:
    """Flail and Reversal are the stronger, the less health is left."""
    ratio = max(1, by.hp * 48 // max(1, by.hp_max))
    steps = ((2, 200), (5, 150), (10, 100), (17, 80), (33, 40))
    return next((power for most, power in steps if ratio < most), 20)


def _by_their_health(move: Move, by: Fighter, on: Fighter, scene: Scene) -> int:
    whole = 120 if move.id != "hardpress" else 100
    return max(1, whole * on.hp // max(1, on.hp_max))


def _by_stages(move: Move, by: Fighter, on: Fighter, scene: Scene) -> int:
    return 20 + 20 * by.boosts.raised


def _electro_ball(move: Move, by: Fighter, on: Fighter, scene: Scene) -> int:
    ratio = speed_of(by, scene) // max(1, speed_of(on, scene))
    return (40, 60, 80, 120, 150)[min(4, ratio)]


def _gyro_ball(move: Move, by: Fighter, on: Fighter, scene: Scene) -> int:
    return min(150, 25 * speed_of(on, scene) // max(1, speed_of(by, scene)) + 1)


def _doubled_if(move: Move, by: Fighter, on: Fighter, scene: Scene) -> int:
    """Compute the power of moves that double under a condition."""
    doubled = {
        "hex": bool(on.status) or on.ability == "comatose",
        "infernalparade": bool(on.status) or on.ability == "comatose",
        "barbbarrage": on.status in {"psn", "tox"},
        "acrobatics": not by.item,
        "weatherball": scene.weather not in {"", "deltastream"},
        "terrainpulse": bool(scene.terrain) and grounded(by, scene),
        "risingvoltage": scene.terrain == "electricterrain" and grounded(on, scene),
        "payback": scene.last,
        "boltbeak": not scene.last,
        "fishiousrend": not scene.last,
        "wakeupslap": on.status == "slp",
        "smellingsalts": on.status == "par",
        "avalanche": scene.struck,
        "revenge": scene.struck,
    }
    return move.power * (2 if doubled.get(move.id) else 1)


def _last_respects(move: Move, by: Fighter, on: Fighter, scene: Scene) -> int:
    return min(5000, 50 + 50 * scene.fainted)


def _rage_fist(move: Move, by: Fighter, on: Fighter, scene: Scene) -> int:
    return min(350, 50 + 50 * (by.seen.times_hit if by.seen else 0))


def _tera_blast(move: Move, by: Fighter, on: Fighter, scene: Scene) -> int:
    return 100 if by.terastallized and by.tera_type == "stellar" else move.power


def _loyal(move: Move, by: Fighter, on: Fighter, scene: Scene) -> int:
    # Return and Frustration have this power at their best, which is what players aim for.
    return 102


_OWN = {
    **dict.fromkeys(("lowkick", "grassknot"), _by_weight),
    **dict.fromkeys(("heavyslam", "heatcrash"), _by_weights),
    **dict.fromkeys(("eruption", "waterspout", "dragonenergy"), _by_health),
    **dict.fromkeys(("flail", "reversal"), _by_weakness),
    **dict.fromkeys(("crushgrip", "wringout", "hardpress"), _by_their_health),
    **dict.fromkeys(("storedpower", "powertrip"), _by_stages),
    "electroball": _electro_ball,
    "gyroball": _gyro_ball,
    "lastrespects": _last_respects,
    "ragefist": _rage_fist,
    "terablast": _tera_blast,
    **dict.fromkeys(("return", "frustration"), _loyal),
    **dict.fromkeys(words("doubled_power"), _doubled_if),
}
"""Moves whose power depends on circumstances."""


def _factors(
    move: Move, kind: str, power: int, by: Fighter, on: Fighter, scene: Scene
) -> list[int]:
    return [
        *_from_ability(move, kind, power, by, on, scene),
        *_from_text(move, kind, by, on, scene),
        *_from_ground(move, kind, by, on, scene),
        *_from_item(move, kind, by),
    ]


def _from_ability(
    move: Move, kind: str, power: int, by: Fighter, on: Fighter, scene: Scene
) -> list[int]:
    """Collect the modifiers that abilities apply to base power."""
    ability = ability_of(by, scene)
    physical = category_of(move, by, on) == "physical"
    auras = {ability, ability_of(on, scene)}
    flag, factor = FLAG_ABILITIES.get(ability, ("none", ONE))
    gloved = flag == "contact" and by.item == "punchingglove"
    sandy = scene.weather == "sandstorm" and kind in {"rock", "ground", "steel"}
    reckless = bool(move.recoil) or move.id in {"highjumpkick", "jumpkick", "axekick"}
    table = (
        (ability == "technician" and power <= 60, 6144),
        (move.type == "normal" and kind == ATE.get(ability), 4915),
        (ability == "normalize" and kind == "normal", 4915),
        (flag in move.flags and not gloved, factor),
        (ability == "sheerforce" and sheer(move), 5325),
        (ability == "reckless" and reckless, 4915),
        (ability == "sandforce" and sandy, 5325),
        (ability == "analytic" and scene.last, 5325),
        (ability == "toxicboost" and physical and by.status in {"psn", "tox"}, 6144),
        (ability == "flareboost" and not physical and by.status == "brn", 6144),
        (ability == "steelyspirit" and kind == "steel", 6144),
        (ability == "supremeoverlord", OVERLORD[min(5, scene.fainted)]),
        (ability == "rivalry", _rivalry(by, on)),
        ("fairyaura" in auras and kind == "fairy", 5448),
        ("darkaura" in auras and kind == "dark", 5448),
        (shielding(by, on, move, scene) == "dryskin" and kind == "fire", 5120),
    )
    return [factor for holds, factor in table if holds]


def _rivalry(by: Fighter, on: Fighter) -> int:
    if not by.gender or not on.gender:
        return ONE
    return 5120 if by.gender == on.gender else 3072


def sheer(move: Move) -> bool:
    """Check whether a move has a secondary effect that Sheer Force trades for power."""
    return move.side_chance > 0 or move.id in {"orderup", "electroshot"}


def _from_text(move: Move, kind: str, by: Fighter, on: Fighter, scene: Scene) -> list[int]:
    """Collect the modifiers that moves apply to their own power."""
    name, ground = move.id, scene.terrain
    dim = scene.weather not in {"", "sunnyday", "desolateland", "deltastream"}
    table = (
        (name == "facade" and by.status in {"brn", "par", "psn", "tox"}, 8192),
        (name == "brine" and on.hp * 2 <= on.hp_max, 8192),
        (name == "venoshock" and on.status in {"psn", "tox"}, 8192),
        (name == "knockoff" and bool(on.item) and not _kept(on), 6144),
        (name == "expandingforce" and ground == "psychicterrain" and grounded(by, scene), 6144),
        (name == "psyblade" and ground == "electricterrain", 6144),
        (name == "mistyexplosion" and ground == "mistyterrain" and grounded(by, scene), 6144),
        (name == "gravapple" and "gravity" in scene.rooms, 6144),
        (name in {"solarbeam", "solarblade"} and dim, 2048),
        (kind == "electric" and "charge" in by.volatiles, 8192),
    )
    return [factor for holds, factor in table if holds]


def _kept(on: Fighter) -> bool:
    """Check whether nothing can remove the item: plates of Arceus, masks of Ogerpon, and so on."""
    item, species = on.item, on.species
    return (
        (species.startswith("arceus") and item.endswith("plate"))
        or (species.startswith("silvally") and item.endswith("memory"))
        or (species.startswith("genesect") and item.endswith("drive"))
        or (species.startswith("ogerpon") and item.endswith("mask"))
        or (item in ORBS and item != "souldew" and species.startswith(ORBS[item][0]))
        or item in {"rustedsword", "rustedshield", "boosterenergy"}
    )


def _from_ground(move: Move, kind: str, by: Fighter, on: Fighter, scene: Scene) -> list[int]:
    """Collect the modifier that terrain applies to base power."""
    boosted = {"electricterrain": "electric", "grassyterrain": "grass", "psychicterrain": "psychic"}
    if boosted.get(scene.terrain) == kind and grounded(by, scene):
        return [5325]
    if scene.terrain == "mistyterrain" and kind == "dragon" and grounded(on, scene):
        return [2048]
    shaking = move.id in {"earthquake", "bulldoze", "magnitude"}
    if scene.terrain == "grassyterrain" and shaking and grounded(on, scene):
        return [2048]
    return []


def _from_item(move: Move, kind: str, by: Fighter) -> list[int]:
    """Collect the modifier that the user's item applies to base power."""
    item = by.item
    if BOOST_ITEMS.get(item) == kind:
        return [4915]
    if item in ORBS and by.species.startswith(ORBS[item][0]) and kind in ORBS[item][1]:
        return [4915]
    if item.endswith("mask") and by.species.startswith("ogerpon"):
        return [4915]
    if item == "muscleband" and category_of(move, by) == "physical":
        return [4505]
    if item == "wiseglasses" and category_of(move, by) == "special":
        return [4505]
    if item == "punchingglove" and "punch" in move.flags:
        return [4506]
    if item == f"{kind}gem":
        return [5325]
    return []
