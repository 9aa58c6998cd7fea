"""The state a search is given, held against the simulator's own at the same question.

Battles of random choices are played in Showdown's simulator. At each question of the first player
the position is read from the lines that player saw and from its request, their sets are filled in
with the true ones, and the engine's state is compared field by field with the truth. What no
player can know (an extended weather before it outlasts its time, a disguise) is left out.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from ruleplay.agents.battle.adapters import engine
from ruleplay.agents.battle.domain.chronicle import Chronicle
from ruleplay.agents.battle.domain.pool import EVS, IVS, stats_of
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.results import Guess, Inference, JointSet, WeightedSet
from ruleplay.agents.battle.domain.vantage import see
from ruleplay.agents.battle.domain.worlds import likeliest_world
from ruleplay.errors import Unavailable

SCRIPT = Path(__file__).with_name("play_known.cjs")
SECONDS = 900
USUAL = 5
HEALTH_SLIP = 0.016
"""Their health is shown in percent."""
STAGES = {"atk": "attack_boost", "def": "defense_boost", "spa": "special_attack_boost",
          "spd": "special_defense_boost", "spe": "speed_boost", "accuracy": "accuracy_boost",
          "evasion": "evasion_boost"}  # fmt: skip
HELD = frozenset({"substitute", "leechseed", "confusion", "taunt", "encore", "perish1", "perish2",
                  "perish3", "yawn", "partiallytrapped", "mustrecharge", "lockedmove",
                  "saltcure"})  # fmt: skip
"""Volatile conditions that change what a search finds."""

Json = Mapping[str, object]


class StateReport(BaseModel):
    """How many positions differ, and in what; `examples` name the first of each kind."""

    model_config = ConfigDict(frozen=True)

    format: str
    battles: int
    positions: int
    differing: int
    share: float
    fields: dict[str, int]
    examples: dict[str, str]


def bench_states(package: Path, battle_format: str, battles: int, seed: int = 1) -> StateReport:
    """Play battles and compare each question's state (Unavailable without Node)."""
    fields: Counter[str] = Counter()
    examples: dict[str, str] = {}
    positions = differing = 0
    chronicle, number = Chronicle(), -1
    for asked in _asked(package, battle_format, battles, seed):
        if asked["battle"] != number:
            chronicle, number = Chronicle(), asked["battle"]
        for line in asked["lines"]:
            chronicle.take(line.split("|"))
        if any(mon["illusion"] for side in asked["truth"]["sides"] for mon in side["mons"]):
            continue
        position = see(chronicle, "p1", asked["request"])
        if position.theirs.active is None or position.team_preview:
            continue
        positions += 1
        found = _differences(position, asked["truth"])
        differing += bool(found)
        fields.update(each.partition(":")[0] for each in found)
        for each in found:
            where = f"battle {number}, turn {position.turn}: {each}"
            examples.setdefault(each.partition(":")[0], where)
    return StateReport(
        format=battle_format, battles=battles, positions=positions, differing=differing,
        share=round(differing / max(1, positions), 5), fields=dict(fields.most_common()),
        examples=examples,
    )  # fmt: skip


def _asked(package: Path, battle_format: str, battles: int, seed: int) -> Iterator[dict]:  # type: ignore[type-arg]
    command = ("node", str(SCRIPT), str(package), battle_format, str(battles), str(seed))
    try:
        made = subprocess.run(command, capture_output=True, check=True, timeout=SECONDS)
    except (OSError, subprocess.SubprocessError) as error:
        raise Unavailable(f"the simulator could not play: {error}") from error
    for line in made.stdout.splitlines():
        yield json.loads(line)


def _differences(position: Position, truth: dict) -> list[str]:  # type: ignore[type-arg]
    """Return what differs, as `field: given instead of true`."""
    inference = Inference(guesses={
        mon["ident"]: _true_guess(mon) for mon in truth["sides"][1]["mons"]
    })  # fmt: skip
    made = engine.state(position, likeliest_world(position, inference))
    found = _sky(made, truth)
    for given, true, whose in zip(
        (made.side_one, made.side_two), truth["sides"], ("ours", "theirs"), strict=True
    ):
        found += [f"{whose} {each}" for each in _side(given, true, position, whose)]
    return found


def _true_guess(mon: dict) -> Guess:  # type: ignore[type-arg]
    joint = JointSet(
        species=mon["species"], level=mon["level"], item=mon["item"], ability=mon["base"],
        moves=tuple(mon["moves"]), tera="normal", role="",
        stats=stats_of(mon["species"], mon["level"], EVS, IVS),
    )  # fmt: skip
    return Guess(ident=mon["ident"], sets=(WeightedSet(set=joint, chance=1.0),))


def _sky(made: object, truth: dict) -> list[str]:  # type: ignore[type-arg]
    found: list[str] = []
    state: object = made
    for name, words in (("weather", engine.WEATHER), ("terrain", {})):
        true, left = truth[name]
        given = str(getattr(state, name))
        if given != (words.get(true, true) or "none"):
            found.append(f"{name}: {given} instead of {true or 'none'}")
        elif true and left and left <= USUAL:
            turns = getattr(state, f"{name}_turns_remaining")
            if turns != left and turns + 3 != left:
                found.append(f"{name} turns: {turns} instead of {left}")
    room = truth["rooms"].get("trickroom")
    if bool(getattr(state, "trick_room")) != bool(room):  # noqa: B009
        found.append("trick room")
    return found


def _side(given: object, true: dict, position: Position, whose: str) -> list[str]:  # type: ignore[type-arg]
    found = _conditions(given, true["conditions"])
    active = given.pokemon[int(given.active_index)]  # type: ignore[attr-defined]
    stands = next((mon for mon in true["mons"] if mon["active"]), None)
    if stands is None or stands["status"] == "fnt":
        return found
    for stat, word in STAGES.items():
        if getattr(given, word) != stands["boosts"].get(stat, 0):
            found.append(f"{stat} stage")
    volatiles = {str(each).lower() for each in given.volatile_statuses}  # type: ignore[attr-defined]
    for name in HELD:
        if (name in volatiles) != (name in stands["volatiles"]):
            found.append(f"{name}: {name in volatiles} instead of {name in stands['volatiles']}")
    counter = given.side_conditions.toxic_count  # type: ignore[attr-defined]
    if stands["status"] == "tox" and counter != stands["stage"]:
        found.append(f"poison: {counter} instead of {stands['stage']}")
    kinds = {each.lower() for each in stands["types"]} - {"???"}
    if not stands["tera"] and {each.lower() for each in active.types} - {"typeless"} != kinds:
        found.append(f"types: {active.types} instead of {stands['types']}")
    return found + _members(position, true, whose)


def _conditions(given: object, conditions: dict) -> list[str]:  # type: ignore[type-arg]
    found: list[str] = []
    named = engine.COUNTED | engine.LASTING
    for name, word in named.items():
        layers, left = conditions.get(name, (0, 0))
        value = getattr(given.side_conditions, word)  # type: ignore[attr-defined]
        if name in engine.COUNTED and value != layers:
            found.append(f"{name}: {value} instead of {layers}")
        elif name in engine.LASTING and value != left and value + 3 != left:
            found.append(f"{name}: {value} instead of {left}")
    return found


def _members(position: Position, true: dict, whose: str) -> list[str]:  # type: ignore[type-arg]
    """Compare health and status of those that are known, as the world fills them in."""
    from ruleplay.agents.battle.domain.worlds import their_fighter

    found: list[str] = []
    by_ident = {mon["ident"]: mon for mon in true["mons"]}
    side = position.ours if whose == "ours" else position.theirs
    for mon in side.team:
        is_ = by_ident.get(mon.ident)
        if is_ is None:
            continue
        hp, status = mon.hp, mon.status
        if whose == "theirs":
            filled = their_fighter(mon, _true_guess(is_).best)
            hp, status = filled.share, filled.status
        if abs(hp - is_["hp"]) > HEALTH_SLIP and not mon.fainted:
            found.append(f"health of {mon.ident}: {hp:.2f} instead of {is_['hp']:.2f}")
        if mon.fainted != (is_["status"] == "fnt") or (not mon.fainted and status != is_["status"]):
            found.append(f"status of {mon.ident}: {status} instead of {is_['status']}")
    return found


async def main(battles: int = 40, battle_format: str = "gen9randombattle") -> StateReport:
    """Run the bench with the installed package."""
    from ruleplay.agents.battle.adapters.showdown_package import require_package
    from ruleplay.settings import Settings

    package = await asyncio.to_thread(require_package, Settings().home)
    return await asyncio.to_thread(bench_states, package, battle_format, battles)
