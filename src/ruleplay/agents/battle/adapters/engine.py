"""The search by poke-engine: a tree search with simultaneous moves over sampled worlds.

The engine (MIT, Rust) holds Python's lock while it searches, and its published build cannot be
seeded. So searches run in processes of their own, and their results are recorded as outside
answers. Only orders that the request allows are mapped back. Items and formes that the engine does
not know count as none.
"""

from __future__ import annotations

import inspect
import json
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.mechanics import kinds, words
from ruleplay.agents.battle.domain.orders import MoveOrder, Order, SwitchOrder
from ruleplay.agents.battle.domain.position import Mon, Position, Side
from ruleplay.agents.battle.domain.results import Expected, Inference, Line, SearchVerdict
from ruleplay.agents.battle.domain.sets import SetPool
from ruleplay.agents.battle.domain.worlds import Fighter, World, sample_worlds
from ruleplay.errors import Unavailable

if TYPE_CHECKING:
    import poke_engine as engine  # type: ignore[import-untyped,import-not-found,unused-ignore]

FEWEST_WORLDS, MOST_WORLDS = 2, 8
"""Limits on the worlds of one search."""
MS_A_WORLD, VISITS_A_WORLD = 100, 25_000
"""Effort per world: another world is only added if each is still searched this deeply.

Eight worlds of these visits agree more often with a long search of many worlds, but of battles
between searches of equal time those with two worlds won more.
"""
WEIGHTS = Path(__file__).with_name("weights.json")
"""Learnt position values, see docs/decisions/0031-what-a-position-is-worth-is-learnt.md."""
EXPLORATION = 0.1
"""The exploration constant, if the build takes one; the engine's own 2 spreads visits thin."""

FORESEEN = 0.5
"""How often the search lets them act as predicted now, instead of as is worst for us.

See docs/decisions/0037-they-act-as-predicted.md.
"""

STATUS = kinds("engine_status")
WEATHER = kinds("engine_weather")
COUNTED = kinds("engine_hazards")
LASTING = kinds("engine_conditions")

Choice = tuple[str, int, float]
"""A choice in the engine's notation, its visits, and the sum of its scores."""
Reply = tuple[str, float]
"""A choice of theirs in the engine's notation, and how often the search draws it."""


def probe() -> str:
    """Return the engine's name and version; Unavailable if it is missing or lacks tera."""
    try:
        import poke_engine as engine
    except ImportError as err:
        raise Unavailable(
            "poke-engine is not installed: run `ruleplay setup battle` (needs a Rust toolchain), "
            "or play with the built-in lookahead"
        ) from err
    state = engine.State(
        side_one=engine.Side(pokemon=[engine.Pokemon(moves=[engine.Move(id="tackle")])]),
        side_two=engine.Side(pokemon=[engine.Pokemon(moves=[engine.Move(id="tackle")])]),
    )
    found = engine.monte_carlo_tree_search(state, iterations=100)
    if not any(each.move_choice.endswith("-tera") for each in found.side_one):
        raise Unavailable(
            "poke-engine is built without terastallization: run `ruleplay setup battle` again"
        )
    from importlib.metadata import version

    build = "" if is_current() else ", not our last build; `ruleplay setup battle` makes it"
    return f"poke-engine {version('poke-engine')}{build}"


@cache
def is_tuned() -> bool:
    """Check whether this is our build, with parameters for exploration and seed."""
    return takes("exploration") and takes("seed")


def is_current() -> bool:
    """Check whether this is our last build, with all parameters that searches use."""
    return is_tuned() and takes("weights") and takes("replies")


@cache
def takes(parameter: str) -> bool:
    """Check whether the installed build's search has this parameter."""
    import poke_engine as engine

    return parameter in inspect.signature(engine.monte_carlo_tree_search).parameters


@cache
def weights() -> tuple[float, ...]:
    """Load the learnt position values; empty for builds that do not take them.

    They are in the order of the features in `valuation.rs`; 80 points are odds of e to 1.
    """
    if not takes("weights"):
        return ()
    return tuple(json.loads(WEIGHTS.read_text(encoding="utf-8"))["weights"].values())


def tuned(effort: Effort) -> dict[str, object]:
    """Collect the parameters that our build takes in addition to those of the published one."""
    if not is_tuned():
        return {}
    learnt = {"weights": list(weights())} if weights() else {}
    return {"exploration": effort.exploration, **learnt}


@dataclass(frozen=True, slots=True)
class Effort:
    """The effort of one process: a time for all its states, or `visits` of each (repeatable)."""

    milliseconds: int
    visits: int = 0
    exploration: float = EXPLORATION
    seed: int = 0


def run(
    states: Sequence[str], effort: Effort, replies: Sequence[Sequence[Reply]] = ()
) -> list[tuple[list[Choice], list[Choice], int]]:
    """Search each state for its share of the effort; runs in a worker process.

    `replies` are theirs to draw in each state, for builds that take them.
    """
    import poke_engine as engine

    share = max(5, effort.milliseconds // max(1, len(states)))
    extra = tuned(effort)
    found = []
    for place, (text, drawn) in enumerate(zip_longest(states, replies, fillvalue=())):
        seeded = {"seed": effort.seed + place} if effort.visits and extra else {}
        foreseen = {"replies": list(drawn)} if drawn and takes("replies") else {}
        result = engine.monte_carlo_tree_search(
            engine.State.from_string(text),
            duration_ms=share,
            iterations=effort.visits,
            **extra,
            **seeded,
            **foreseen,
        )
        found.append(
            (
                [(each.move_choice, each.visits, each.total_score) for each in result.side_one],
                [(each.move_choice, each.visits, each.total_score) for each in result.side_two],
                result.total_visits,
            )
        )
    return found


def search(
    position: Position,
    inference: Inference,
    pool: SetPool,
    milliseconds: int,
    rng: Random,
    executor: Executor | None = None,
    workers: int = 1,
    visits: int = 0,
    exploration: float = EXPLORATION,
    expected: Expected | None = None,
) -> SearchVerdict:
    """Search a position for about this long, and evaluate each legal order.

    With what is `expected` of them, they act accordingly in half of the visits, otherwise in none.

    With an `executor` of processes, `workers` of them share the worlds. With `visits`, that many
    are made in total instead, and a build that takes a seed gives the same result each time. It
    blocks, so call it in a thread. There are no lines if there is nothing to choose or to map.
    """
    began = time.perf_counter()
    orders = _by_choice(position)
    if len(position.legal) < 2 or position.theirs.active is None or not orders:
        return SearchVerdict(engine="poke-engine", lines=())
    wanted = worlds_wanted(milliseconds, workers, visits)
    worlds = sample_worlds(position, inference, pool, rng, wanted)
    states = [state(position, world).to_string() for world in worlds]
    replies = [_replies(position, world, expected) for world in worlds] if expected else []
    parts = [
        (
            states[place::workers],
            Effort(milliseconds, visits // wanted, exploration, rng.getrandbits(32)),
            replies[place::workers],
        )
        for place in range(workers)
    ]
    if executor is None:
        found = [each for part in parts for each in run(*part)]
    else:
        jobs = [executor.submit(run, *part) for part in parts if part[0]]
        found = [each for job in jobs for each in job.result()]
    return _verdict(found, orders, (time.perf_counter() - began) * 1000)


def _replies(position: Position, world: World, expected: Expected) -> tuple[Reply, ...]:
    """Translate what is expected of them into choices of a world, whose unseen ones are alike."""
    seen = {mon.ident for mon in position.theirs.team}
    unseen = [each for each in world.theirs if each.ident not in seen]
    found = list[Reply]()
    for one in expected.predictions:
        if one.kind == "move":
            found.append((one.action, FORESEEN * one.probability))
            continue
        named = [each for each in world.theirs if each.ident == one.action]
        those = named if one.action else unseen
        share = FORESEEN * one.probability / max(1, len(those))
        found += [(_name(each.species).lower(), share) for each in those]
    return tuple(found)


Step = tuple[str, str]
"""Each side's choice in a turn, in the engine's notation."""


def follow(text: str, first: str, plies: int, effort: Effort) -> list[Step]:
    """Continue a state with both sides' most visited choices and the likeliest outcomes.

    `first` is our first choice, "" for the best. Runs in a worker process.
    """
    import poke_engine as engine

    state, steps = engine.State.from_string(text), list[Step]()
    extra = tuned(effort)
    for ply in range(plies):
        seeded = {"seed": effort.seed + ply} if extra else {}
        found = engine.monte_carlo_tree_search(state, iterations=effort.visits, **extra, **seeded)
        best = [max(side, key=_visits, default=None) for side in (found.side_one, found.side_two)]
        ours, theirs = (each.move_choice if each else "none" for each in best)
        if ply == 0 and first:
            ours = next(
                (c.move_choice for c in found.side_one if c.move_choice.lower() == first), ours
            )
        steps.append((ours.lower(), theirs.lower()))
        outcomes = _outcomes(state, ours, theirs)
        if not outcomes:
            break
        # The likeliest outcome stands for all: a continuation illustrates, it does not evaluate.
        state = state.apply_instructions(max(outcomes, key=lambda each: each.percentage))
        if any(
            all(mon.hp <= 0 for mon in side.pokemon) for side in (state.side_one, state.side_two)
        ):
            break
    return steps


def _outcomes(state: engine.State, ours: str, theirs: str) -> Sequence[engine.StateInstructions]:
    """List the possible outcomes of two choices; empty if the engine cannot play them."""
    import poke_engine as engine

    words = (choice.removeprefix("switch ") for choice in (ours, theirs))
    try:
        found: list[engine.StateInstructions] = engine.generate_instructions(state, *words)
    except ValueError:
        return ()
    return found


def _visits(choice: engine.MctsSideResult) -> int:
    count: int = choice.visits
    return count


def choice_of(position: Position, order: Order) -> str:
    """Translate an order into the engine's notation; "" if there is none."""
    return next((word for word, each in _by_choice(position).items() if each == order), "")


def worlds_wanted(milliseconds: int, workers: int = 1, visits: int = 0) -> int:
    """Compute how many worlds share a search: depth in each is worth more than their number."""
    worth = visits // VISITS_A_WORLD if visits else milliseconds * workers // MS_A_WORLD
    wanted = max(FEWEST_WORLDS, min(MOST_WORLDS, worth))
    # Rounded up to a multiple, so that every worker has the same number of worlds.
    return -(-wanted // workers) * workers


def _by_choice(position: Position) -> dict[str, Order]:
    """Map the engine's notation to our legal orders."""
    found: dict[str, Order] = {}
    for order in position.legal:
        match order:
            case MoveOrder():
                found[f"{order.move}-tera" if order.tera else order.move] = order
            case SwitchOrder():
                species = position.ours.member(order.ident).species
                found[f"switch {_name(species).lower()}"] = order
            case _:
                pass
    return found


def _verdict(
    found: Sequence[tuple[list[Choice], list[Choice], int]], orders: dict[str, Order], ms: float
) -> SearchVerdict:
    shares: dict[str, float] = {}
    values: dict[str, list[tuple[float, int]]] = {}
    replies: dict[str, float] = {}
    for ours, theirs, _ in found:
        legal = [each for each in ours if each[0].lower() in orders]
        total = sum(visits for _, visits, _ in legal) or 1
        for choice, visits, score in legal:
            name = choice.lower()
            # Every world counts the same, however many visits its search made.
            shares[name] = shares.get(name, 0.0) + visits / total
            values.setdefault(name, []).append((score, visits))
        for choice, visits, _ in theirs:
            share = visits / max(1, sum(each[1] for each in theirs))
            replies[choice.lower()] = replies.get(choice.lower(), 0.0) + share / len(found)
    whole = sum(shares.values()) or 1.0
    lines = [
        Line(order=orders[name], share=share / whole, value=_mean(values[name]))
        for name, share in sorted(shares.items(), key=lambda each: -each[1])
    ]
    visits = sum(total for _, _, total in found)
    reply = tuple(sorted(replies.items(), key=lambda each: -each[1])[:6])
    return SearchVerdict(
        engine="poke-engine",
        lines=tuple(lines),
        worlds=len(found),
        visits=visits,
        milliseconds=round(ms, 1),
        reply=reply,
        summary=_summary(lines, len(found), visits),
    )


def _mean(scores: Sequence[tuple[float, int]]) -> float:
    visits = sum(count for _, count in scores)
    return min(1.0, max(0.0, sum(score for score, _ in scores) / visits)) if visits else 0.0


def _summary(lines: Sequence[Line], worlds: int, visits: int) -> str:
    if not lines:
        return "The search found nothing to choose."
    from ruleplay.agents.battle.domain.orders import key

    best = lines[0]
    return (
        f"Search over {worlds} worlds ({visits} visits) prefers {key(best.order)} "
        f"with {best.share:.0%} of the visits."
    )


@lru_cache(maxsize=4096)
def _name(species: str) -> str:
    """Find the engine's name of a species; the base species if it does not know the forme."""
    import poke_engine as engine

    for each in (species, dex.species(species).base):
        side = engine.Side(pokemon=[engine.Pokemon(id=each)])
        if not engine.State(side_one=side, side_two=side).to_string().upper().startswith("NONE"):
            return each
    return species


def state(position: Position, world: World) -> engine.State:
    """Convert a world to the engine's state; we are its side one."""
    import poke_engine as engine

    field = position.field
    weather, terrain = field.weather, field.terrain
    rooms = {each.id: each.left or 1 for each in field.rooms}
    return engine.State(
        side_one=_side(
            position.ours, world.ours, force=position.force_switch, trapped=position.trapped
        ),
        side_two=_side(position.theirs, world.theirs, to_move=position.foe_to_move),
        weather=engine.Weather(WEATHER.get(field.sky, "none")),
        weather_turns_remaining=_left(weather.left if weather else None, weather is not None),
        terrain=engine.Terrain(field.ground or "none"),
        terrain_turns_remaining=_left(terrain.left if terrain else None, terrain is not None),
        trick_room="trickroom" in rooms,
        trick_room_turns_remaining=rooms.get("trickroom", 0),
    )


def _left(turns: int | None, stands: bool) -> int:
    return (turns if turns is not None else -1) if stands else 0


def _side(
    side: Side,
    team: Sequence[Fighter],
    *,
    force: bool = False,
    trapped: bool = False,
    to_move: bool = False,
) -> engine.Side:
    import poke_engine as engine

    # The engine's sides have six places.
    team = _marked(side, team[:6])
    at = next((place for place, each in enumerate(team) if each.active), 0)
    active = team[at]
    boosts, mon = active.boosts, active.seen
    return engine.Side(
        pokemon=[pokemon_of(each) for each in team]
        + [engine.Pokemon.create_fainted() for _ in range(6 - len(team))],
        active_index=engine.PokemonIndex(str(at)),
        volatile_statuses=_volatiles(active),
        volatile_status_durations=_durations(mon),
        substitute_health=max(1, active.hp_max // 4) if "substitute" in active.volatiles else 0,
        attack_boost=boosts.atk,
        defense_boost=boosts.def_,
        special_attack_boost=boosts.spa,
        special_defense_boost=boosts.spd,
        speed_boost=boosts.spe,
        accuracy_boost=boosts.accuracy,
        evasion_boost=boosts.evasion,
        side_conditions=_conditions(side, active),
        wish=side.wish,
        future_sight=_future(side, team),
        force_switch=force and active.hp > 0,
        force_trapped=trapped,
        # Set for the opponent if our pivoting move interrupts a turn in which it has yet to act.
        slow_uturn_move=to_move,
        last_used_move=_last_used(active),
    )


def _marked(side: Side, team: Sequence[Fighter]) -> Sequence[Fighter]:
    """Flag a fainted member if terastallization is used up and nobody is flagged.

    The server no longer tells who had terastallized once it has fainted, but the engine only goes
    by the flag.
    """
    if not side.tera_used or any(each.terastallized for each in team):
        return team
    fallen = next((place for place, each in enumerate(team) if not each.hp), None)
    return [
        replace(each, terastallized=True) if place == fallen else each
        for place, each in enumerate(team)
    ]


def _future(side: Side, team: Sequence[Fighter]) -> tuple[int, str]:
    turns, ident = side.future_sight
    place = next((at for at, each in enumerate(team) if each.ident == ident), None)
    return (max(1, turns), str(place)) if place is not None and turns > 0 else (0, "0")


def _last_used(active: Fighter) -> str:
    """Convert its last move, which matters to Encore, Fake Out and moves that must not repeat."""
    if active.seen is None or active.seen.last_move is None:
        return "switch:0"
    for place, move in enumerate(active.moves[:4]):
        if move.id == active.seen.last_move:
            return f"move:{place}"
    return "move:none"


def _volatiles(active: Fighter) -> set[str]:
    found = {each for each in active.volatiles if each in _ENGINE_VOLATILES}
    mon = active.seen
    if mon is not None:
        if mon.must_recharge:
            found.add("mustrecharge")
        if mon.charging:
            found.add(mon.charging)
    # The record marks every lost item; only this ability gains speed from it.
    if active.ability != "unburden" or active.item:
        found.discard("unburden")
    # Encore refers to the last move, which the engine does not know here.
    if mon is not None and _last_used(active) in {"move:none", "switch:0"}:
        found.discard("encore")
    return found


def _durations(mon: Mon | None) -> engine.VolatileStatusDurations:
    """Convert the turns that temporary effects have lasted."""
    import poke_engine as engine

    def stood(name: str, most: int) -> int:
        effect = mon.effect(name) if mon else None
        return min(most, effect.turns) if effect else 0

    # Slow Start counts down from five; all others count up.
    slow = mon.effect("slowstart") if mon else None
    return engine.VolatileStatusDurations(
        confusion=stood("confusion", 3),
        encore=stood("encore", 2),
        lockedmove=stood("lockedmove", 2),
        slowstart=max(1, 5 - slow.turns) if slow else 0,
        taunt=stood("taunt", 2),
        yawn=stood("yawn", 1),
    )


def _conditions(side: Side, active: Fighter) -> engine.SideConditions:
    """Convert side conditions: hazards by their layers, others by the turns left."""
    import poke_engine as engine

    values = {word: side.layers(name) for name, word in COUNTED.items()}
    for each in side.conditions:
        if each.id in LASTING:
            values[LASTING[each.id]] = each.left or 1
        elif each.id in {"healingwish", "lunardance"}:
            values["healing_wish" if each.id == "healingwish" else "lunar_dance"] = 1
    if active.status == "tox":
        values["toxic_count"] = active.status_turns
    last = active.seen.last_move if active.seen else None
    if last and dex.move(last).volatile in {"protect", "banefulbunker"}:
        values["protect"] = 1
    return engine.SideConditions(**values)


def pokemon_of(each: Fighter) -> engine.Pokemon:
    """Convert a fighter to the engine's Pokémon."""
    import poke_engine as engine

    page = dex.species(each.species)
    # In the engine, Rest's sleep counts down and other sleep counts up.
    rest = max(1, 3 - each.status_turns) if each.status == "slp" and each.rested else 0
    return engine.Pokemon(
        id=_name(each.species),
        level=each.level,
        types=_two(each.own_types),
        base_types=_two(page.types or each.own_types),
        hp=each.hp,
        maxhp=max(1, each.hp_max),
        ability=each.ability or "none",
        item=each.item or "none",
        attack=each.stats["atk"],
        defense=each.stats["def"],
        special_attack=each.stats["spa"],
        special_defense=each.stats["spd"],
        speed=each.stats["spe"],
        status=STATUS.get(each.status, "none"),
        rest_turns=rest,
        sleep_turns=each.status_turns if each.status == "slp" and not rest else 0,
        weight_kg=page.weight,
        moves=[
            engine.Move(id=move.id, pp=max(0, min(64, move.pp)), disabled=move.disabled)
            for move in each.moves[:4]
        ],
        terastallized=each.terastallized,
        tera_type=each.tera_type if each.tera_type in (*dex.TYPES, "stellar") else "typeless",
    )


def _two(types: Sequence[str]) -> tuple[str, str]:
    known = [each for each in types if each in dex.TYPES]
    first, second, *_ = (*known, "typeless", "typeless")
    return first, second


_ENGINE_VOLATILES = frozenset(words("engine_volatiles"))
