"""Properties of a move in use: its type, category and priority, and what it cannot affect.

The rules are those of generation 9, as Showdown's simulator states them (`sim/battle-actions`,
`data/abilities`, `data/moves`).
"""

from __future__ import annotations

from dataclasses import dataclass

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.dex import Category, Move
from ruleplay.agents.battle.domain.mechanics import of_types, words
from ruleplay.agents.battle.domain.worlds import Fighter

ATE = {"aerilate": "flying", "pixilate": "fairy", "refrigerate": "ice", "galvanize": "electric"}
"""Abilities that turn Normal moves into another type."""
MOLD_BREAKERS = {"moldbreaker", "teravolt", "turboblaze"}
"""Abilities that ignore the target's ability."""
PIERCING = {"sunsteelstrike", "moongeistbeam", "photongeyser"}
"""Moves that ignore abilities, as if their user had Mold Breaker."""
UNBREAKABLE = frozenset(words("never_ignored"))
"""Abilities relevant to damage that nothing ignores."""

ABSORB = of_types("absorb")
"""Abilities that make their bearer immune to a type."""
FLAG_IMMUNE = {"soundproof": "sound", "bulletproof": "bullet", "windrider": "wind"}
"""Abilities that make their bearer immune to moves with a flag."""
PLATES = of_types("plates")
"""Types of Judgment by the plate held, without the suffix."""
FORME_TYPES = of_types("forme_types")
"""Types of Ivy Cudgel and Raging Bull by their users' formes."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The circumstances of a hit: weather, terrain, rooms, and screens of the target's side.

    `gas` is Neutralizing Gas, `fainted` the number of the attacker's fainted teammates. `incoming`
    means that the target is just switching in, `last` that the attacker moves after it, `struck`
    that the target damaged the attacker this turn, `every` that a move's last hit lands, too.
    """

    weather: str = ""
    terrain: str = ""
    rooms: frozenset[str] = frozenset()
    screens: frozenset[str] = frozenset()
    gas: bool = False
    fainted: int = 0
    incoming: bool = False
    last: bool = False
    struck: bool = False
    every: bool = False


def ability_of(each: Fighter, scene: Scene) -> str:
    """Find the ability in effect; Neutralizing Gas suppresses most."""
    if scene.gas and each.ability not in UNBREAKABLE and each.item != "abilityshield":
        return ""
    return each.ability


def shielding(attacker: Fighter, defender: Fighter, move: Move, scene: Scene) -> str:
    """Find the target's ability as far as this attack does not ignore it."""
    ability = ability_of(defender, scene)
    pierces = move.id in PIERCING or ability_of(attacker, scene) in MOLD_BREAKERS
    return "" if pierces and ability not in UNBREAKABLE else ability


def grounded(each: Fighter, scene: Scene) -> bool:
    """Check whether terrain, spikes and Ground moves affect a Pokémon."""
    if "gravity" in scene.rooms or each.item == "ironball":
        return True
    if {"smackdown", "ingrain"} & each.volatiles:
        return True
    if "flying" in resting_types(each) or each.item == "airballoon":
        return False
    if {"magnetrise", "telekinesis"} & each.volatiles:
        return False
    return ability_of(each, scene) != "levitate"


def resting_types(each: Fighter) -> tuple[str, ...]:
    """List the types that count for attacks; Roost suspends Flying for the turn."""
    if "roost" not in each.volatiles or each.terastallized:
        return each.types
    return tuple(kind for kind in each.types if kind != "flying") or ("normal",)


def type_of(move: Move, by: Fighter, scene: Scene) -> str:
    """Determine a move's type when this Pokémon uses it."""
    own = _own_type(move, by, scene)
    if own:
        return own
    ability = ability_of(by, scene)
    if ability in ATE and move.type == "normal":
        return ATE[ability]
    if ability == "liquidvoice" and "sound" in move.flags:
        return "water"
    if ability == "normalize":
        return "normal"
    return "electric" if "electrify" in by.volatiles else move.type


def _own_type(move: Move, by: Fighter, scene: Scene) -> str:
    """Determine the type of a move that sets its own; "" for all others."""
    match move.id:
        case "terablast":
            return by.tera_type if by.terastallized else ""
        case "terastarstorm":
            return "stellar" if by.species.startswith("terapagosstellar") else ""
        case "weatherball":
            return _WEATHER_BALL.get(scene.weather, "normal")
        case "revelationdance":
            return by.types[0] if by.types else "normal"
        case "judgment":
            return next((t for p, t in PLATES.items() if by.item == f"{p}plate"), "normal")
        case "ivycudgel" | "ragingbull":
            return next((t for s, t in FORME_TYPES.items() if by.species.startswith(s)), "")
        case "aurawheel" if by.species == "morpekohangry":
            return "dark"
        case "terrainpulse":
            return _TERRAIN_TYPE.get(scene.terrain, "normal") if grounded(by, scene) else ""
        case "struggle":
            return "typeless"
        case _:
            return ""


_WEATHER_BALL = of_types("weather_ball")
_TERRAIN_TYPE = of_types("terrain_pulse")


def category_of(move: Move, by: Fighter, on: Fighter | None = None) -> Category:
    """Determine physical or special; a few moves use whichever stat is higher with stages."""
    if move.id == "shellsidearm" and on is not None:
        physical = staged(by, "atk") * staged(on, "spd") > staged(by, "spa") * staged(on, "def")
        return "physical" if physical else "special"
    higher = move.id == "photongeyser" or (
        move.id in {"terablast", "terastarstorm"} and by.terastallized
    )
    if higher and staged(by, "atk") > staged(by, "spa"):
        return "physical"
    return move.category


def staged(each: Fighter, stat: str) -> int:
    """Compute a stat with its stage."""
    return at_stage(each.stats[stat], each.boosts[stat])


def at_stage(value: int, stage: int) -> int:
    """Apply a stage: each adds half of the stat; below zero it is divided correspondingly."""
    return value * (2 + stage) // 2 if stage >= 0 else value * 2 // (2 - stage)


def answer(move: Move, kind: str, by: Fighter, on: Fighter, scene: Scene) -> float:
    """Compute the type effectiveness; 0 for immune."""
    if kind == "typeless":
        return 1.0
    if kind == "stellar":
        # Stellar moves are super effective against terastallized targets only.
        return 2.0 if on.terastallized else 1.0
    factor = 1.0
    for each in resting_types(on):
        factor *= _one_answer(move, kind, each, by, on, scene)
    if "tarshot" in on.volatiles and kind == "fire":
        factor *= 2
    shield = shielding(by, on, move, scene)
    # Tera Shell makes everything not very effective while at full health.
    if shield == "terashell" and on.hp >= on.hp_max and factor >= 1:
        return 0.5
    return factor


def _one_answer(move: Move, kind: str, each: str, by: Fighter, on: Fighter, scene: Scene) -> float:
    factor = dex.against(kind, each)
    if move.id == "freezedry" and each == "water":
        return 2.0
    if move.id == "flyingpress":
        factor *= dex.against("flying", each)
    # Strong winds cancel Flying's weaknesses.
    if factor > 1 and scene.weather == "deltastream" and each == "flying":
        return 1.0
    if factor > 0:
        return factor
    if on.item == "ringtarget":
        return 1.0
    if each == "ghost" and (ability_of(by, scene) in {"scrappy", "mindseye"}):
        return 1.0
    if each == "flying" and kind == "ground" and grounded(on, scene):
        return 1.0
    return 1.0 if move.id == "thousandarrows" else 0.0


def untouched(move: Move, kind: str, by: Fighter, on: Fighter, scene: Scene) -> bool:
    """Check whether something other than types prevents the move from affecting the target."""
    shield = shielding(by, on, move, scene)
    if ABSORB.get(shield) == kind and not (
        shield == "levitate" and (grounded(on, scene) or move.id == "thousandarrows")
    ):
        return True
    if kind == "ground" and on.item == "airballoon" and not grounded(on, scene):
        return move.id != "thousandarrows"
    if shield in FLAG_IMMUNE and FLAG_IMMUNE[shield] in move.flags:
        return True
    if "powder" in move.flags and (
        "grass" in on.types or shield == "overcoat" or on.item == "safetygoggles"
    ):
        return True
    if move.category == "status":
        return not move.self_targeted and _status_untouched(move, by, on, shield, scene)
    return _priority_untouched(move, by, on, shield, scene) or _fails(move, by, on, scene)


def _status_untouched(move: Move, by: Fighter, on: Fighter, shield: str, scene: Scene) -> bool:
    """Check whether a status move cannot affect its target."""
    if move.target not in {"normal", "any", "allAdjacentFoes", "adjacentFoe", "randomNormal"}:
        return False
    if shield == "goodasgold" or (shield == "magicbounce" and "reflectable" in move.flags):
        return True
    if ability_of(by, scene) == "prankster" and "dark" in on.types:
        return True
    return (
        "substitute" in on.volatiles
        and "bypasssub" not in move.flags
        and ("sound" not in move.flags and ability_of(by, scene) != "infiltrator")
    )


def priority_of(move: Move, by: Fighter, scene: Scene) -> int:
    """Determine a move's priority when this Pokémon uses it."""
    ability = ability_of(by, scene)
    raised = 0
    if (ability == "prankster" and move.category == "status") or (
        ability == "galewings" and move.type == "flying" and by.hp >= by.hp_max
    ):
        raised = 1
    elif ability == "triage" and "heal" in move.flags:
        raised = 3
    if move.id == "grassyglide" and scene.terrain == "grassyterrain" and grounded(by, scene):
        raised += 1
    return move.priority + raised


def _priority_untouched(move: Move, by: Fighter, on: Fighter, shield: str, scene: Scene) -> bool:
    if priority_of(move, by, scene) <= 0:
        return False
    if shield in {"queenlymajesty", "dazzling", "armortail"}:
        return True
    return scene.terrain == "psychicterrain" and grounded(on, scene)


def _fails(move: Move, by: Fighter, on: Fighter, scene: Scene) -> bool:
    """Check whether a damaging move fails because of its own condition."""
    match move.id:
        case "dreameater":
            return on.status != "slp"
        case "poltergeist":
            return not on.item
        case "steelroller":
            return not scene.terrain
        case "fakeout" | "firstimpression":
            # These two only work on the first turn after entering.
            return by.seen is not None and by.seen.turns_active > 0 and by.active
        case "burnup":
            return "fire" not in by.types
        case "doubleshock":
            return "electric" not in by.types
        case "synchronoise":
            return not set(by.types) & set(on.types)
        case _:
            return False
