"""Computes damage by playing the very use in Showdown's own simulator, in a Node process."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from ruleplay.agents.battle.adapters.formats import BattleFormat, find_format
from ruleplay.agents.battle.adapters.printed import item_names
from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.pool import SetPool
from ruleplay.agents.battle.policy.nearest import offer
from ruleplay.agents.battle.policy.specimen import Specimen, read_specimen
from ruleplay.errors import NotFound, Unavailable, UserError

SCRIPT = Path(__file__).with_name("play_hits.cjs")
SECONDS = 60
"""Time limit of the simulator."""
MOST_USES = 4
"""Uses of a move up to which knock-out chances are computed."""
MOST_TARGETS = 3
"""Targets a spread move can have in double battles: both foes and the ally."""
WEATHERS = ("sunnyday", "raindance", "sandstorm", "snowscape", "hail")
TERRAINS = ("electricterrain", "grassyterrain", "mistyterrain", "psychicterrain")
SCREENS = ("reflect", "lightscreen", "auroraveil")
ROOMS = ("trickroom", "gravity", "wonderroom", "magicroom")
FIELD = (*WEATHERS, *TERRAINS, *SCREENS, *ROOMS)
"""Everything that can be said to lie over the field."""
Chances = dict[int, float]
"""Probabilities of damages, or of what is left of the health, in points."""


class Scene(BaseModel):
    """Conditions of the field; screens are on the defender's side."""

    model_config = ConfigDict(frozen=True)

    weather: str = ""
    terrain: str = ""
    rooms: tuple[str, ...] = ()
    screens: tuple[str, ...] = ()


class Question(BaseModel):
    """A use of a move, as it is asked about; Pokémon are written on one line.

    In double battles, `targets` are those that stand where a spread move reaches.
    """

    model_config = ConfigDict(frozen=True)

    attacker: str
    move: str
    defender: str
    field: tuple[str, ...] = ()
    format: str
    targets: int = MOST_TARGETS


class Throw(BaseModel):
    """One throw of the roll: the points it takes by roll; a single one if all are the same.

    It counts for `hits` hits (in generation 1, one throw serves all of a use). `held` tells that
    the defender kept its last point of health, by Sturdy or a Focus Sash.
    """

    model_config = ConfigDict(frozen=True)

    hits: int
    rolls: tuple[int, ...]
    held: bool


class Leaf(BaseModel):
    """One way that a use can go, rolls apart, with its probability; uses in a row."""

    model_config = ConfigDict(frozen=True)

    weight: float
    uses: tuple[tuple[Throw, ...], ...]


class Played(BaseModel):
    """The simulator's answer, in points; `after` is how health changes between two uses."""

    model_config = ConfigDict(frozen=True)

    hp: int
    maxhp: int
    accuracy: float
    first: bool
    spread: bool
    outcome: Literal["hits", "immune", "fails"]
    because: str
    critical_chance: float
    always_critical: bool
    leaves: tuple[Leaf, ...]
    criticals: tuple[Leaf, ...]
    after: tuple[int, ...]
    steady: tuple[str, ...]
    left_out: tuple[str, ...]


class Calculation(BaseModel):
    """A move's damage in points and shares of full health, with the chances to knock out.

    `knock_out[n - 1]` is the probability that n uses that all hit knock the defender out, without
    critical hits unless the move always is one. `counted` is what ends of turns between the uses
    do, which is in these chances; `left_out` is what is not, such as a berry. `by_hit` has the
    lowest and highest roll of each hit, of as many as the use can have (in generation 1, of all
    together), and `rolls` those of the first. `first` tells whether the attacker is the faster one,
    `spread` that the move hit several at once, and `because` what made the defender immune.
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
    critical_chance: float
    always_critical: bool
    hp: int
    max_hp: int
    hits: tuple[int, int]
    by_hit: tuple[tuple[int, int], ...]
    rolls: tuple[int, ...]
    accuracy: float
    first: bool
    spread: bool
    outcome: Literal["hits", "immune", "fails"]
    because: str
    knock_out: tuple[float, ...]
    counted: tuple[str, ...]
    left_out: tuple[str, ...]
    text: str


def read_scene(words: tuple[str, ...]) -> Scene:
    """Parse field conditions by names or their beginnings: `rain`, `grassy terrain`."""
    found = [_condition(word) for word in words]
    return Scene(
        weather=next((one for one in reversed(found) if one in WEATHERS), ""),
        terrain=next((one for one in reversed(found) if one in TERRAINS), ""),
        rooms=tuple(one for one in found if one in ROOMS),
        screens=tuple(one for one in found if one in SCREENS),
    )


def _condition(word: str) -> str:
    name = dex.to_id(word)
    begun = [one for one in FIELD if name and one.startswith(name)]
    if name in FIELD or len(begun) == 1:
        return name if name in FIELD else begun[0]
    near = offer(word, begun or FIELD)
    raise UserError(f"{word!r} is nothing that lies over the field{near}: {', '.join(FIELD)}")


async def answer(package: Path, pool: SetPool, asked: Question) -> Calculation:
    """Answer a question (NotFound for unknown names, UserError, Unavailable without Node)."""
    battle_format = await asyncio.to_thread(find_format, package, asked.format)
    items, scene = item_names(package), read_scene(asked.field)
    one, other = (
        read_specimen(text, pool, level=battle_format.level, items=items)
        for text in (asked.attacker, asked.defender)
    )
    return await calculate(package, one, asked.move, other, scene, battle_format, asked.targets)


async def calculate(
    package: Path,
    attacker: Specimen,
    move: str,
    defender: Specimen,
    scene: Scene,
    battle_format: BattleFormat,
    targets: int = MOST_TARGETS,
) -> Calculation:
    """Play a move's uses (NotFound for an unknown move; Unavailable without Node)."""
    name = dex.to_id(move)
    if not dex.knows_move(name):
        raise NotFound(f"no move {move!r}{offer(move, dex.move_names())}")
    if not dex.move(name).damaging:
        raise UserError(f"{dex.move_name(name)} does no damage")
    asked = {
        "format": battle_format.id,
        "uses": MOST_USES,
        "targets": targets,
        "attacker": _told(attacker, name),
        # The simulator wants every Pokémon to have a move; this one does nothing.
        "defender": _told(defender, "splash"),
        "move": name,
        **scene.model_dump(mode="json"),
    }
    played = await _played(package, json.dumps(asked).encode())
    items = item_names(package)
    return _calculation(attacker.words(items), dex.move_name(name), defender.words(items), played)


def _told(each: Specimen, move: str) -> dict[str, object]:
    members = each.model_dump(mode="json")
    kept = ("species", "level", "item", "ability", "nature", "evs", "ivs")
    return {
        "set": {**{name: members[name] for name in kept}, "name": each.species, "moves": [move]},
        **{name: members[name] for name in ("boosts", "status", "hp", "tera")},
    }


async def _played(package: Path, asked: bytes) -> Played:
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
        raise Unavailable("Node is needed to compute damage: install Node 20 or newer") from error
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
    return _parsed(out)


def _parsed(out: bytes) -> Played:
    try:
        told = TypeAdapter(dict[str, object]).validate_json(out)
        if problem := told.get("problem"):
            raise UserError(f"the simulator cannot play this: {problem}")
        return Played.model_validate(told)
    except ValidationError as error:
        raise Unavailable("the simulator gave no answer; is the package whole?") from error


def _calculation(attacker: str, move: str, defender: str, played: Played) -> Calculation:
    low, high = _range(played.leaves)
    chances = knock_outs(played)
    longest = max((leaf.uses[0] for leaf in played.leaves), key=_hits_of)
    counts = [_hits_of(leaf.uses[0]) for leaf in played.leaves]
    counted = played.steady if any(played.after) else ()
    told = Calculation(
        attacker=attacker,
        move=move,
        defender=defender,
        low=low,
        high=high,
        low_share=round(low / played.maxhp, 4),
        high_share=round(high / played.maxhp, 4),
        critical=_range(played.criticals),
        critical_chance=round(played.critical_chance, 4),
        always_critical=played.always_critical,
        hp=played.hp,
        max_hp=played.maxhp,
        hits=(min(counts), max(counts)),
        by_hit=tuple((min(throw.rolls), max(throw.rolls)) for throw in longest),
        rolls=longest[0].rolls if longest else (),
        accuracy=round(played.accuracy, 4),
        first=played.first,
        spread=played.spread,
        outcome=played.outcome,
        because=played.because,
        knock_out=tuple(round(each, 4) for each in chances),
        counted=counted,
        left_out=played.left_out,
        text="",
    )
    return told.model_copy(update={"text": _text(told)})


def _range(leaves: Sequence[Leaf]) -> tuple[int, int]:
    """Find the lowest and highest damage of one use, over all ways it can go."""
    firsts = [leaf.uses[0] for leaf in leaves]
    lows = [sum(min(throw.rolls) for throw in throws) for throws in firsts]
    highs = [sum(max(throw.rolls) for throw in throws) for throws in firsts]
    return min(lows), max(highs)


def _hits_of(throws: Sequence[Throw]) -> int:
    return sum(throw.hits for throw in throws)


def knock_outs(played: Played) -> tuple[float, ...]:
    """Compute the probabilities that one, two, … uses in a row knock the defender out.

    Ends of turns count between the uses, not after the last one.
    """
    found: list[float] = []
    left: Chances = {played.hp: 1.0}
    for number in range(MOST_USES):
        after: Chances = {}
        for leaf in played.leaves:
            for hp, chance in _struck(left, leaf.uses[number]).items():
                after[hp] = after.get(hp, 0.0) + leaf.weight * chance
        found.append(min(1.0, after.get(0, 0.0)))
        change = played.after[number] if number < len(played.after) else 0
        left = _rested(after, change, played.maxhp)
    return tuple(found)


def _struck(left: Chances, throws: Sequence[Throw]) -> Chances:
    """Take a use's throws, each for itself, from the health."""
    for throw in throws:
        before, left = left, {}
        share = 1 / len(throw.rolls)
        for points, times in Counter(throw.rolls).items():
            for hp, chance in before.items():
                kept = max(min(hp, 1) if throw.held else 0, hp - points)
                left[kept] = left.get(kept, 0.0) + chance * share * times
    return left


def _rested(left: Chances, change: int, most: int) -> Chances:
    """Apply an end of turn to those that still stand."""
    found: Chances = {}
    for hp, chance in left.items():
        rested = max(0, min(most, hp + change)) if hp else 0
        found[rested] = found.get(rested, 0.0) + chance
    return found


def _text(told: Calculation) -> str:
    """Word a calculation on one line, with what its chances count and leave out."""
    what = f"{told.attacker}: {told.move} against {told.defender}: "
    if told.outcome != "hits":
        word = "immune" if told.outcome == "immune" else "it does nothing here"
        return what + word + (f" ({told.because})" if told.because else "")
    shares = f"{told.low_share:.1%}-{told.high_share:.1%}"
    parts = [f"{told.low}-{told.high} ({shares})"]
    if told.hits != (1, 1):
        low, high = told.hits
        parts.append(f"{low if low == high else f'{low} to {high}'} hits")
    if told.spread:
        parts.append("several targets at once")
    later = told.counted and told.knock_out[0] == 0
    counted = f" (counting {', '.join(told.counted)})" if later else ""
    parts.append(_verdict(told.knock_out) + counted)
    if told.accuracy < 1:
        parts.append(f"if it hits ({told.accuracy:.3g})")
    if told.always_critical:
        parts.append("always a critical hit")
    elif told.critical_chance:
        low, high = told.critical
        parts.append(f"critical hit ({told.critical_chance:.1%}, left out) {low}-{high}")
    if told.left_out:
        parts.append(f"left out: {', '.join(told.left_out)}")
    return what + "; ".join(parts)


def _verdict(chances: tuple[float, ...]) -> str:
    for uses, chance in enumerate(chances, start=1):
        word = "KO" if uses == 1 else f"{uses}HKO"
        if chance > 0.9999:
            return f"guaranteed {word}"
        if chance >= 0.0005:
            return f"{chance:.1%} chance to {word}"
        if chance > 0:
            return f"less than 0.1% chance to {word}"
    return f"no KO in {MOST_USES} uses"
