"""Computes damage with Showdown's own simulator, in a Node process."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.policy.specimen import Specimen
from ruleplay.errors import NotFound, Unavailable, UserError

SCRIPT = Path(__file__).with_name("roll_damage.cjs")
SECONDS = 30
"""Time limit of the simulator."""
MOST_HITS = 4
"""Uses of a move up to which knock-out chances are computed."""
SPREAD = {2: 0.35, 3: 0.35, 4: 0.15, 5: 0.15}
"""Probabilities of the number of hits of a move with two to five (since generation 5)."""
WEATHERS = ("sunnyday", "raindance", "sandstorm", "snowscape", "hail")
SCREENS = ("reflect", "lightscreen", "auroraveil")
ROOMS = ("trickroom", "gravity", "wonderroom", "magicroom")


class Scene(BaseModel):
    """Conditions of the field; screens are on the defender's side."""

    model_config = ConfigDict(frozen=True)

    weather: str = ""
    terrain: str = ""
    rooms: tuple[str, ...] = ()
    screens: tuple[str, ...] = ()


class Rolls(BaseModel):
    """The simulator's answer, in points."""

    model_config = ConfigDict(frozen=True)

    hp: int
    maxhp: int
    rolls: tuple[int, ...]
    crits: tuple[int, ...]
    hits: tuple[int, int]
    accuracy: float
    first: bool


class Calculation(BaseModel):
    """A move's damage in points and shares of full health, with the chances to knock out.

    `knock_out[n - 1]` is the probability that n uses that all hit knock the defender out, without
    critical hits and without recovery in between. `first` tells whether the attacker is the faster
    one.
    """

    model_config = ConfigDict(frozen=True)

    attacker: str
    move: str
    defender: str
    low: int
    high: int
    low_share: float
    high_share: float
    critical: tuple[int, int]
    hp: int
    max_hp: int
    hits: tuple[int, int]
    rolls: tuple[int, ...]
    accuracy: float
    first: bool
    knock_out: tuple[float, ...]
    text: str


def read_scene(words: tuple[str, ...]) -> Scene:
    """Parse field conditions given by names such as `rain dance` and `grassy terrain`."""
    found: dict[str, object] = {}
    rooms: list[str] = []
    screens: list[str] = []
    for word in words:
        name = dex.to_id(word)
        if name in WEATHERS:
            found["weather"] = name
        elif name.endswith("terrain"):
            found["terrain"] = name
        elif name in SCREENS:
            screens.append(name)
        elif name in ROOMS:
            rooms.append(name)
        else:
            known = ", ".join((*WEATHERS, *SCREENS, *ROOMS, "grassyterrain and the like"))
            raise UserError(f"{word!r} is nothing that lies over the field: {known}")
    return Scene.model_validate({**found, "rooms": rooms, "screens": screens})


async def calculate(
    package: Path, attacker: Specimen, move: str, defender: Specimen, scene: Scene, gen: int = 9
) -> Calculation:
    """Roll a move's damage (NotFound for an unknown move; Unavailable without Node)."""
    name = dex.to_id(move)
    if not dex.knows_move(name):
        raise NotFound(f"no move {move!r}")
    if not dex.move(name).damaging:
        raise UserError(f"{dex.move_name(name)} does no damage")
    asked = {
        "gen": gen,
        "attacker": _told(attacker, name),
        # The simulator wants every Pokémon to have a move; this one does nothing.
        "defender": _told(defender, "splash"),
        "move": name,
        **scene.model_dump(mode="json"),
    }
    rolls = await _rolled(package, json.dumps(asked).encode())
    return _calculation(attacker, name, defender, rolls)


def generation(battle_format: str) -> int:
    """Extract the generation from a format's name; 9 if it has none."""
    found = re.match(r"gen([1-9])", battle_format)
    return int(found[1]) if found else 9


def _told(each: Specimen, move: str) -> dict[str, object]:
    members = each.model_dump(mode="json")
    kept = ("species", "level", "item", "ability", "nature", "evs", "ivs")
    return {
        "set": {**{name: members[name] for name in kept}, "name": each.species, "moves": [move]},
        **{name: members[name] for name in ("boosts", "status", "hp", "tera")},
    }


async def _rolled(package: Path, asked: bytes) -> Rolls:
    """Run the simulator on a question, and parse its answer."""
    try:
        made = await asyncio.create_subprocess_exec(
            "node",
            str(SCRIPT),
            str(package),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
    except FileNotFoundError as error:
        raise Unavailable("Node is needed to roll damage: install Node 20 or newer") from error
    try:
        async with asyncio.timeout(SECONDS):
            out, _ = await made.communicate(asked)
    except TimeoutError as error:
        raise Unavailable(f"the simulator took more than {SECONDS} s") from error
    finally:
        # A cancelled request must not leave its process behind.
        if made.returncode is None:
            made.kill()
            await made.wait()
    return _answer(out)


def _answer(out: bytes) -> Rolls:
    try:
        told = TypeAdapter(dict[str, object]).validate_json(out)
        if problem := told.get("problem"):
            raise UserError(f"the simulator cannot roll this: {problem}")
        return Rolls.model_validate(told)
    except ValidationError as error:
        raise Unavailable("the simulator gave no answer; is the package whole?") from error


def _calculation(attacker: Specimen, move: str, defender: Specimen, rolls: Rolls) -> Calculation:
    once = _use(rolls)
    low, high = min(once), max(once)
    chances = knock_outs(once, rolls.hp)
    shares = (round(low / rolls.maxhp, 4), round(high / rolls.maxhp, 4))
    crit = (rolls.crits[0] * rolls.hits[0], rolls.crits[-1] * rolls.hits[1])
    name = dex.move_name(move)
    told = f"{attacker.words} {name} against {defender.words}: "
    told += f"{low}-{high} ({shares[0]:.1%}-{shares[1]:.1%}), {_verdict(chances)}"
    return Calculation(
        attacker=attacker.words,
        move=name,
        defender=defender.words,
        low=low,
        high=high,
        low_share=shares[0],
        high_share=shares[1],
        critical=crit,
        hp=rolls.hp,
        max_hp=rolls.maxhp,
        hits=rolls.hits,
        rolls=rolls.rolls,
        accuracy=rolls.accuracy,
        first=rolls.first,
        knock_out=tuple(round(each, 4) for each in chances),
        text=told,
    )


def _use(rolls: Rolls) -> dict[int, float]:
    """Compute the distribution of one use's damage; each of its hits is rolled separately."""
    one = _added({0: 1.0}, rolls.rolls)
    spread = SPREAD if rolls.hits == (2, 5) else {rolls.hits[1]: 1.0}
    found: dict[int, float] = {}
    for hits, chance in spread.items():
        summed = one
        for _ in range(hits - 1):
            summed = _added(summed, rolls.rolls)
        for damage, share in summed.items():
            found[damage] = found.get(damage, 0.0) + chance * share
    return found


def _added(before: dict[int, float], rolls: tuple[int, ...]) -> dict[int, float]:
    found: dict[int, float] = {}
    for damage, chance in before.items():
        for roll in rolls:
            found[damage + roll] = found.get(damage + roll, 0.0) + chance / len(rolls)
    return found


def knock_outs(once: dict[int, float], hp: int) -> tuple[float, ...]:
    """Compute the probabilities that one, two, … uses together take this much health."""
    found, summed = [], {0: 1.0}
    for _ in range(MOST_HITS):
        summed = _capped(summed, once, hp)
        found.append(min(1.0, summed.get(hp, 0.0)))
    return tuple(found)


def _capped(before: dict[int, float], once: dict[int, float], hp: int) -> dict[int, float]:
    found: dict[int, float] = {}
    for damage, chance in before.items():
        for more, share in once.items():
            # Damage beyond the health is the same outcome, which keeps the distribution small.
            total = min(hp, damage + more)
            found[total] = found.get(total, 0.0) + chance * share
    return found


def _verdict(chances: tuple[float, ...]) -> str:
    for uses, chance in enumerate(chances, start=1):
        if chance > 0:
            word = "KO" if uses == 1 else f"{uses}HKO"
            return f"guaranteed {word}" if chance > 0.9999 else f"{chance:.1%} chance to {word}"
    return f"no KO in {MOST_HITS} uses"
