"""A person's wishes: orders for a turn, standing wishes, and how much they may cost.

A wish narrows the legal orders; policy or model choose among the rest as always. It never makes an
order legal, and a wish that would leave nothing is not followed. See
docs/decisions/0035-a-wish-narrows-the-legal-orders.md.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from pydantic import Field

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.damage import damage, scene_of
from ruleplay.agents.battle.domain.exchange import faster
from ruleplay.agents.battle.domain.frozen import Frozen
from ruleplay.agents.battle.domain.options import hazard_share
from ruleplay.agents.battle.domain.orders import MoveOrder, Order, SwitchOrder, target
from ruleplay.agents.battle.domain.position import Mon, Position
from ruleplay.agents.battle.domain.results import (
    Expected,
    Inference,
    SearchVerdict,
    SwitchOptions,
)
from ruleplay.agents.battle.domain.worlds import Fighter, our_fighter, their_fighter

Orders = Literal["move", "switch", "leave", "stay", "tera", "attack", "hardest"]
Does = Literal[Orders, "no_tera", "avoid", "safer", "keep", "spend", "comment", "forfeit"]
Span = Literal["", "this", "next", "on", "after"]
"""When a wish applies: this turn, the next, until taken back, or so from the next turn on."""
ORDERS = frozenset(get_args(Orders))
"""Wishes that name orders and usually apply once; all others apply until they are taken back."""
SETTINGS = frozenset({"comment", "forfeit", "spend"})
"""Wishes that do not narrow the choice by themselves."""
OPPOSED = (
    frozenset({"tera", "no_tera"}),
    frozenset({"keep", "spend"}),
    frozenset({"safer", "attack"}),
)
"""Wishes that replace each other, if they are about the same Pokémon."""
ANYBODY = "*"
"""In `when` or `once`: a Pokémon that was not named."""
SAFE_COST = 0.05
"""Winning chance that safer play, or leaving for the best replacement, may cost."""
BOLD_COST = 0.1
"""The same for attacking from now on."""
KEEP_COST = 0.15
"""The same for keeping a Pokémon alive."""
KEEP_RISK = 0.25
"""Risk of fainting this turn up to which a Pokémon to be kept may stay on the field."""
SAVING = 20
"""Winning chance, in percent, meant by "unless it saves the game" without a number."""
MOST_COST = 50
"""Highest cost, in percent, that a person can set."""
OF_ACTIVE = frozenset({"no_tera", "stay"})
"""Wishes that, if they name one of ours, apply only while that one is on the field."""
MILD = frozenset({"no_tera", "keep", "safer"})
"""Wishes that cost little and can be taken back at any time."""
OF_ONE = frozenset({"out", "fell", "health"})
"""Signs about a certain Pokémon, which must be named."""


class Limit(Frozen):
    """Something that code can tell, which begins a wish, ends it, or lifts it for a turn.

    By its `sign`: turn `number` has come; at most `number` of one side can still fight; the one in
    `name` (an ident or a species) stands on the field, has fainted, or has at most `number` percent
    of its health; or heeding the wish costs more than `number` percent of our chance of winning.
    """

    sign: Literal["turn", "ours_left", "theirs_left", "out", "fell", "health", "costs"]
    name: str = Field(default="", max_length=80)
    number: int = Field(default=0, ge=0, le=1_000)

    def holds(self, position: Position) -> bool:
        """Whether it is true in a position; costs cannot be read from one, so they never are."""
        team = (*position.ours.team, *position.theirs.team)
        mons = [mon for mon in team if _is(mon, self.name)]
        match self.sign:
            case "turn":
                return position.turn >= self.number
            case "ours_left":
                return position.ours.alive <= self.number
            case "theirs_left":
                return position.theirs.alive <= self.number
            case "out":
                return any(mon.active and not mon.fainted for mon in mons)
            case "fell":
                return any(mon.fainted for mon in mons)
            case "health":
                return any(100 * mon.hp <= self.number for mon in mons)
        return False

    @property
    def cost(self) -> float | None:
        """The winning chance that may be given up, within bounds; None for other signs."""
        share = min(self.number or SAVING, MOST_COST) / 100
        return share if self.sign == "costs" else None


class Wish(Frozen):
    """What a person wants; `move` is a move's id, `ident` whom to send in, keep, give up or avoid.

    In wishes of OF_ACTIVE `ident` is who must be on the field for them to apply. `tera` goes with
    `move`. The wish waits until the opposing Pokémon in `when` is on the field, the one of either
    side in `once` has fainted (both are idents or species), turn `since` has come, and `begin`
    holds. It ends with `until`, and is suspended in turns in which `unless`
    holds. Explaining each choice and giving the battle up are wishes, too.
    """

    do: Does
    move: str = ""
    ident: str = ""
    tera: bool = False
    # Left out of the JSON if empty, so that older wishes keep their fingerprints.
    span: Span = Field(default="", exclude_if=operator.not_)
    when: str = Field(default="", exclude_if=operator.not_)
    once: str = Field(default="", exclude_if=operator.not_)
    since: int = Field(default=0, exclude_if=operator.not_)
    begin: Limit | None = Field(default=None, exclude_if=operator.not_)
    until: Limit | None = Field(default=None, exclude_if=operator.not_)
    unless: Limit | None = Field(default=None, exclude_if=operator.not_)

    @property
    def orders(self) -> bool:
        """Whether it determines the order itself and is not just a restriction."""
        return self.do in ORDERS

    @property
    def stands(self) -> bool:
        """Whether it applies for more than one turn."""
        lasting = self.waits or bool(self.until) or not self.orders
        return self.span == "on" if self.span else lasting

    @property
    def waits(self) -> bool:
        """Whether something has to happen before it applies."""
        return bool(self.when or self.once or self.since or self.begin)

    @property
    def cost(self) -> float | None:
        """The winning chance that following it may cost in a turn; None for no limit."""
        own = {"safer": SAFE_COST, "keep": KEEP_COST}
        if self.stands:
            own["attack"] = BOLD_COST
        said = self.unless.cost if self.unless else None
        return own.get(self.do) if said is None else said

    def is_due(self, position: Position) -> bool:
        """Whether what it waits for has happened, and the request is one it can apply to."""
        foe, out = position.theirs.active, position.ours.active
        team = (*position.ours.team, *position.theirs.team)
        moves = self.orders and self.do not in ("switch", "leave")
        elsewhere = self.do in OF_ACTIVE and self.ident and not (out and out.ident == self.ident)
        return (
            (not self.when or (foe is not None and _is(foe, self.when)))
            and (not self.once or any(mon.fainted for mon in team if _is(mon, self.once)))
            and position.turn >= self.since
            and (not self.begin or self.begin.holds(position))
            and not (self.unless and self.unless.holds(position))
            and not (self.stands and moves and position.force_switch)
            and not elsewhere
        )

    def replaces(self, other: Wish) -> bool:
        """Whether it replaces another wish: there is one order per turn, and one wish of a kind."""
        start, others = ((w.when, w.once, w.since, w.begin) for w in (self, other))
        if start != others:
            return False
        if {self.do, other.do} in OPPOSED and self.ident == other.ident:
            return self.stands or self.do == "tera"
        if not (self.orders and other.orders):
            return (self.do, self.ident, self.move) == (other.do, other.ident, other.move)
        return self.stands or (not other.stands and self.later == other.later)

    @property
    def later(self) -> bool:
        """Whether it applies to the turn after the one being decided."""
        return self.span == "next"


def _is(mon: Mon, name: str) -> bool:
    return name in (mon.ident, mon.species, mon.base)


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is known of an order: its winning chance by the search, and its risk this turn.

    `stands` is the ident of ours that will be on the field, `risk` the probability that it faints
    this turn, and `left` the share of health that a Pokémon coming in is expected to keep.
    """

    order: Order
    stands: str
    chance: float | None
    risk: float
    left: float = 0.0
    hurts: float = 0.0
    """The share of health that their active Pokémon is expected to lose."""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The orders that wishes leave, the wishes followed, and those that could not be."""

    orders: tuple[Order, ...]
    followed: tuple[Wish, ...] = ()
    unmet: tuple[Wish, ...] = ()


def with_wish(wishes: Sequence[Wish], wish: Wish) -> tuple[Wish, ...]:
    """Add a wish, dropping those it replaces."""
    return (*(each for each in wishes if not wish.replaces(each)), wish)


def narrow(wishes: Sequence[Wish], outlooks: Sequence[Outlook]) -> Narrowed:
    """Apply wishes to the legal orders, those for this turn first."""
    spent = {wish.ident for wish in wishes if wish.do == "spend"}
    # A Pokémon that may be given up poses no risk to avoid.
    left = tuple(replace(one, risk=0.0) if one.stands in spent else one for one in outlooks)
    followed, unmet = list[Wish](), list[Wish]()
    # Orders for this turn come first, then those that had to wait, then standing restrictions.
    for wish in sorted(wishes, key=lambda each: (each.stands and not each.waits, not each.orders)):
        if wish.do in SETTINGS:
            continue
        fitting = _fitting(wish, left)
        (followed if fitting else unmet).append(wish)
        # A wish that would leave nothing is skipped; the following ones still apply.
        left = fitting or left
    return Narrowed(tuple(each.order for each in left), tuple(followed), tuple(unmet))


def _fitting(wish: Wish, left: Sequence[Outlook]) -> tuple[Outlook, ...]:
    near = left if wish.cost is None else _within(left, wish.cost)
    match wish.do:
        case "safer":
            return _safest(near)
        case "keep":
            safe = [one for one in near if one.stands != wish.ident or one.risk <= KEEP_RISK]
            # To keep a Pokémon also means not to send it in without need.
            back = [one for one in _within(left, SAFE_COST) if not _sends(one.order, wish.ident)]
            return tuple([one for one in safe if one in back] or safe)
        case "leave":
            able = _within([one for one in left if names(wish, one.order)], SAFE_COST)
            return tuple(one for one in able if one.left == max(each.left for each in able))
        case "hardest":
            hits = [one for one in near if names(wish, one.order)]
            return tuple(one for one in hits if one.hurts == max(each.hurts for each in hits))
    fitting = tuple(one for one in left if names(wish, one.order))
    if wish.do == "attack":
        return tuple(one for one in fitting if one in near)
    return fitting if any(one in near for one in fitting) else ()


def _sends(order: Order, ident: str) -> bool:
    return isinstance(order, SwitchOrder) and order.ident == ident


def names(wish: Wish, order: Order) -> bool:
    """Check whether an order is one of those that a wish is about."""
    match wish.do, order:
        case "move", MoveOrder():
            return order.move == wish.move and order.tera == wish.tera
        case "tera", MoveOrder():
            return order.tera and wish.move in ("", order.move)
        case "no_tera", _:
            return not (isinstance(order, MoveOrder) and order.tera)
        case "avoid", MoveOrder() | SwitchOrder():
            return target(order) != (wish.move if isinstance(order, MoveOrder) else wish.ident)
        case "switch", SwitchOrder():
            return order.ident == wish.ident
        case "attack" | "hardest", MoveOrder():
            return dex.move(order.move).damaging and (wish.stands or not order.tera)
        case ("leave", SwitchOrder()) | ("stay", MoveOrder()):
            return True
    return False


def _within(left: Sequence[Outlook], cost: float) -> tuple[Outlook, ...]:
    best = max((each.chance for each in left if each.chance is not None), default=None)
    if best is None:
        return tuple(left)
    return tuple(o for o in left if o.chance is not None and o.chance >= best - cost)


def _safest(near: Sequence[Outlook]) -> tuple[Outlook, ...]:
    least = min((each.risk for each in near), default=0.0)
    # Orders of nearly the same risk are left for policy or model to choose from.
    return tuple(each for each in near if each.risk <= least + 0.02)


def outlooks(
    position: Position,
    inference: Inference,
    expected: Expected,
    switches: SwitchOptions,
    verdict: SearchVerdict | None,
) -> tuple[Outlook, ...]:
    """Collect what is known of each legal order."""
    chances = {line.order: line.value for line in (verdict.lines if verdict else ())}
    kept = {one.order: one.hp_after for one in switches.switches}
    risk, hurts = _risks(position, inference, expected), _hurts(position, inference)
    active = position.ours.active
    out = active.ident if active else ""
    return tuple(
        Outlook(
            order,
            order.ident if isinstance(order, SwitchOrder) else out,
            chances.get(order),
            risk(order),
            kept.get(order, 0.0),
            hurts(order),
        )
        for order in position.legal
    )


def _risks(
    position: Position, inference: Inference, expected: Expected
) -> Callable[[Order], float]:
    """Build a function that computes the risk of an order: that ours faints this turn."""
    them, scene = _foe(position, inference), scene_of(position, defending="ours")
    if them is None:
        return lambda order: 0.0
    moves = [(one.action, one.probability) for one in expected.predictions if one.kind == "move"]

    def risk(order: Order) -> float:
        us, left = _standing(position, order)
        if us is None:
            return 0.0
        falls = sum(p * damage(move, them, us, scene).ko_chance(left) for move, p in moves)
        return round(falls * _lives_first(position, order, us, them), 4)

    return risk


def _hurts(position: Position, inference: Inference) -> Callable[[Order], float]:
    """Build a function that computes the average damage an order does to theirs."""
    them, mon, scene = _foe(position, inference), position.ours.active, scene_of(position)
    us = our_fighter(mon) if mon and not mon.fainted else None

    def hurts(order: Order) -> float:
        if them is None or us is None or not isinstance(order, MoveOrder):
            return 0.0
        hit = damage(order.move, us.as_tera() if order.tera else us, them, scene)
        return round(hit.mean * hit.accuracy, 4)

    return hurts


def _foe(position: Position, inference: Inference) -> Fighter | None:
    """Fill in their active Pokémon with its likeliest set."""
    foe = position.theirs.active
    guess = inference.guesses.get(foe.ident) if foe else None
    return their_fighter(foe, guess.best) if foe and guess and not foe.fainted else None


def _standing(position: Position, order: Order) -> tuple[Fighter | None, float]:
    """Find who of ours takes their next hit, and its health by then."""
    if isinstance(order, SwitchOrder):
        us = our_fighter(position.ours.member(order.ident))
        floor = hazard_share(position.ours, us, scene_of(position, defending="ours"))
        return us, max(0.001, us.share - floor)
    mon = position.ours.active
    if mon is None or mon.fainted:
        return None, 0.0
    us = our_fighter(mon)
    return us.as_tera() if isinstance(order, MoveOrder) and order.tera else us, us.share


def _lives_first(position: Position, order: Order, us: Fighter, them: Fighter) -> float:
    """Compute the probability that theirs still stands when it gets to move."""
    if not isinstance(order, MoveOrder):
        return 1.0
    scene = scene_of(position)
    first = dex.move(order.move).priority > 0 or faster(us, them, scene)
    return 1.0 - damage(order.move, us, them, scene).ko_chance(them.share) if first else 1.0
