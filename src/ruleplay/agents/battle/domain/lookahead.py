"""A search in plain Python, for where the engine is not installed or cannot play the format.

It is a tree search over simultaneous choices: both sides choose at once, each by the upper
confidence bound of its own choices (decoupled UCT); leaves are evaluated by `worth`. Several
sampled worlds are searched one after another, each for its share of the time, and their visits are
added up.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from random import Random

from ruleplay.agents.battle.domain.boards.board import PASS, Board, Choice, Half, Kept
from ruleplay.agents.battle.domain.orders import MoveOrder, Order, SwitchOrder, key
from ruleplay.agents.battle.domain.pool import SetPool
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.results import Inference, Line, SearchVerdict
from ruleplay.agents.battle.domain.simulation import Simulation
from ruleplay.agents.battle.domain.worlds import sample_worlds

WORLDS = 4
"""Sampled worlds per search."""
DEPTH = 12
"""Turns that one visit looks ahead at most."""
EXPLORE = 0.7
"""The exploration constant of UCT."""
SCALE = 0.0125
"""Converts points of worth to a winning chance: 100 points are about 78%."""

ALIVE, HEALTH = 35.0, 100.0
"""Points for a Pokémon that can still fight, and for its full health."""
STATUS_COST = {"brn": 20.0, "par": 22.0, "slp": 30.0, "frz": 40.0, "psn": 10.0, "tox": 25.0}
"""Points that a status condition costs."""
STAGE_WORTH = (20.0, 10.0, 20.0, 10.0, 20.0, 5.0, 8.0)
"""Points for the first stage of each stat, in the order of `boards.board.STATS`."""
STAGE_GROWTH = (0.0, 1.0, 1.9, 2.5, 3.0, 3.2, 3.3)
"""Multiples of that for several stages: each further one adds less."""
HAZARD_COST = {"stealthrock": 9.0, "spikes": 6.0, "toxicspikes": 5.0, "stickyweb": 7.0}
"""Points a layer costs for each benched Pokémon."""
TERA_WORTH = 35.0
"""Points for not having terastallized yet."""
STANDING_WORTH = 18.0
"""Points for winning the current pair one on one."""


class _Node:
    """A board, with visits and results of each side's choices."""

    __slots__ = ("board", "children", "options", "scores", "total", "visits")

    def __init__(self, board: Board, options: tuple[list[Choice], list[Choice]]) -> None:
        self.board = board
        self.options = options
        self.visits = ([0] * len(options[0]), [0] * len(options[1]))
        self.scores = ([0.0] * len(options[0]), [0.0] * len(options[1]))
        self.total = 0
        self.children: dict[tuple[int, int], _Node] = {}


def look_ahead(
    position: Position,
    inference: Inference,
    pool: SetPool,
    seconds: float,
    rng: Random,
    clock: Callable[[], float] = time.perf_counter,
) -> SearchVerdict:
    """Search for about this many seconds, and evaluate each legal order.

    It blocks, so call it outside the event loop. There are no lines if there is nothing to choose.
    """
    began = clock()
    if len(position.legal) < 2 or position.theirs.active is None:
        return SearchVerdict(engine="lookahead", lines=())
    worlds = sample_worlds(position, inference, pool, rng, WORLDS)
    shares: dict[Order, float] = {}
    values: dict[Order, list[float]] = {}
    visits = searched = 0
    kept = Kept()
    for place, world in enumerate(worlds):
        left = seconds - (clock() - began)
        if left <= 0 and searched:
            break
        until = clock() + left / (len(worlds) - place)
        model = Simulation(position, world, kept)
        visits += _search_world(position, model, until, rng, clock, shares, values)
        searched += 1
    return _verdict(shares, values, searched, visits, (clock() - began) * 1000)


def _search_world(
    position: Position,
    model: Simulation,
    until: float,
    rng: Random,
    clock: Callable[[], float],
    shares: dict[Order, float],
    values: dict[Order, list[float]],
) -> int:
    orders = _orders(position, model)
    root = _Node(model.start, _root_options(position, model, orders))
    # Values are relative to the start: 0.5 means "as now".
    zero = worth(model, model.start)
    # A minimum, so that even the shortest search compares something.
    while root.total < 16 or clock() < until:
        _visit(model, root, rng, zero)
        # Every node keeps its board, so the tree's size is bounded, too.
        if root.total >= 50_000:
            break
    for choice, count, score in zip(root.options[0], root.visits[0], root.scores[0], strict=True):
        order = orders.get(choice)
        if order is not None and count:
            shares[order] = shares.get(order, 0.0) + count / root.total
            values.setdefault(order, []).append(score / count)
    return root.total


def _orders(position: Position, model: Simulation) -> Mapping[Choice, Order]:
    """Map the model's choices to legal orders."""
    places = {each.ident: str(place) for place, each in enumerate(model.teams[0])}
    found: dict[Choice, Order] = {}
    for order in position.legal:
        match order:
            case MoveOrder():
                found["move", order.move, order.tera] = order
            case SwitchOrder() if not position.reviving:
                found["switch", places[order.ident], False] = order
            case _:
                pass
    return found


def _root_options(
    position: Position, model: Simulation, orders: Mapping[Choice, Order]
) -> tuple[list[Choice], list[Choice]]:
    """List both sides' choices at the root: ours are the legal ones.

    While we have to replace a Pokémon or leave, theirs waits, unless it has to be replaced, too.
    """
    ours = [choice for choice in orders if choice[0] == "switch" or _playable(choice)]
    theirs = [PASS]
    if not position.force_switch:
        theirs = model.choices(model.start, 1)
    elif model.start.halves[1].active.hp <= 0:
        theirs = model.entries(model.start.halves[1]) or [PASS]
    return ours or [PASS], theirs


def _playable(choice: Choice) -> bool:
    from ruleplay.agents.battle.domain import dex

    return dex.knows_move(choice[1])


def _visit(model: Simulation, root: _Node, rng: Random, zero: float) -> None:
    """Descend by upper bounds, add a node, evaluate it, and update all nodes on the path."""
    path: list[tuple[_Node, int, int]] = []
    node = root
    for _ in range(DEPTH):
        mine, yours = _pick(node, 0), _pick(node, 1)
        path.append((node, mine, yours))
        child = node.children.get((mine, yours))
        # A turn has random outcomes, but a child stands for one of them only.
        if child is None or rng.random() < 0.15:
            board = model.step(node.board, node.options[0][mine], node.options[1][yours], rng)
            fresh = _Node(board, (model.choices(board, 0), model.choices(board, 1)))
            if child is None:
                node.children[mine, yours] = fresh
                node = fresh
                break
            # Another outcome of the same choices is evaluated but not kept, so luck averages out.
            node = fresh
            break
        node = child
        if node.board.over:
            break
    value = _value(model, node.board, zero)
    for passed, mine, yours in path:
        passed.total += 1
        passed.visits[0][mine] += 1
        passed.scores[0][mine] += value
        passed.visits[1][yours] += 1
        passed.scores[1][yours] += 1 - value


def _pick(node: _Node, side: int) -> int:
    """Pick the choice with the highest upper confidence bound; untried ones come first."""
    visits, scores = node.visits[side], node.scores[side]
    if len(visits) == 1:
        return 0
    log = math.log(node.total + 1)
    best, chosen = -1.0, 0
    for place, count in enumerate(visits):
        if count == 0:
            return place
        bound = scores[place] / count + EXPLORE * math.sqrt(log / count)
        if bound > best:
            best, chosen = bound, place
    return chosen


def _value(model: Simulation, board: Board, zero: float) -> float:
    """Convert a board to a value from 0 to 1 in our view."""
    if board.over:
        return 1.0 if board.halves[0].alive else 0.0
    return 1 / (1 + math.exp(-SCALE * (worth(model, board) - zero)))


def worth(model: Simulation, board: Board) -> float:
    """Evaluate a board in points from our view: one healthy Pokémon is about 135."""
    mine, yours = board.halves
    score = _half_worth(model, board, 0, mine) - _half_worth(model, board, 1, yours)
    if mine.active.hp > 0 and yours.active.hp > 0:
        score += STANDING_WORTH * model.standing(0, mine.at, yours.at)
    return score


def _half_worth(model: Simulation, board: Board, side: int, half: Half) -> float:
    """Evaluate one side of a board in points."""
    score, team = 0.0, model.teams[side]
    hazards = sum(HAZARD_COST[name] * layers for name, layers in half.hazards.items())
    for place, body in enumerate(half.bodies):
        if body.hp <= 0:
            continue
        score += ALIVE + HEALTH * body.hp / max(1, team[place].hp_max)
        if body.status:
            score -= _ailing(body.status, team[place].ability)
        if hazards and place != half.at and body.item != "heavydutyboots":
            score -= hazards
    active = half.active
    if active.hp > 0:
        for stage, weight in zip(active.stages, STAGE_WORTH, strict=True):
            if stage:
                score += math.copysign(STAGE_GROWTH[abs(stage)], stage) * weight
        score += 25.0 if active.substitute else 0.0
        score -= 15.0 if "leechseed" in active.volatiles else 0.0
    score += 6.0 * sum(half.screens.values())
    return score + (TERA_WORTH if half.tera_left else 0.0)


def _ailing(status: str, ability: str) -> float:
    if ability in {"guts", "marvelscale", "quickfeet"} or (
        ability in {"poisonheal", "toxicboost", "magicguard"} and status in {"psn", "tox"}
    ):
        return -10.0
    return STATUS_COST.get(status, 0.0)


def _verdict(
    shares: Mapping[Order, float],
    values: Mapping[Order, list[float]],
    worlds: int,
    visits: int,
    milliseconds: float,
) -> SearchVerdict:
    """Combine the results of all worlds, each with the same weight."""
    whole = sum(shares.values()) or 1.0
    lines = tuple(
        Line(order=order, share=share / whole, value=sum(values[order]) / len(values[order]))
        for order, share in sorted(shares.items(), key=lambda each: -each[1])
    )
    told = "The lookahead found nothing to choose."
    if lines:
        told = (
            f"Lookahead over {worlds} worlds ({visits} visits) prefers {key(lines[0].order)} "
            f"with {lines[0].share:.0%} of the visits."
        )
    return SearchVerdict(
        engine="lookahead",
        lines=lines,
        worlds=worlds,
        visits=visits,
        milliseconds=round(milliseconds, 1),
        summary=told,
    )
