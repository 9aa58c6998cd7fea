"""What a person wants of a battle: orders for one turn, wishes that stand, and how far they go.

A wish narrows the legal orders; among those left the policy or a model chooses as ever. It never
makes anything legal, and one that would leave nothing is not followed.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import Field

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.damage import damage, scene_of
from ruleplay.agents.battle.domain.exchange import faster
from ruleplay.agents.battle.domain.frozen import Frozen
from ruleplay.agents.battle.domain.options import hazard_share
from ruleplay.agents.battle.domain.orders import MoveOrder, Order, SwitchOrder, target
from ruleplay.agents.battle.domain.position import Mon, Position
from ruleplay.agents.battle.domain.results import Expected, Inference, SearchVerdict, SwitchOptions
from ruleplay.agents.battle.domain.worlds import Fighter, our_fighter, their_fighter

Does = Literal["move", "switch", "leave", "stay", "tera", "no_tera", "avoid", "safer", "keep",
               "attack", "spend", "comment", "forfeit"]  # fmt: skip
Span = Literal["", "this", "next", "on", "after"]
"""How long a wish holds: this turn, the next one, until it is taken back, or so after this turn."""
ORDERS = frozenset({"move", "switch", "leave", "stay", "tera", "attack"})
"""What names orders, and holds once as is usual; the rest holds until it is taken back."""
SETTINGS = frozenset({"comment", "forfeit", "spend"})
"""What narrows no choice by itself."""
OPPOSED = (
    frozenset({"tera", "no_tera"}),
    frozenset({"keep", "spend"}),
    frozenset({"safer", "attack"}),
)
"""What takes the place of one another, of the same Pokémon."""
ANYBODY = "*"
"""As `when` or `once`: somebody who was not named."""
SAFE_COST = 0.05
"""How much of the chance of winning safer play, or a switch to whom it suits, may give away."""
BOLD_COST = 0.1
"""The same for attacking from now on."""
KEEP_COST = 0.15
"""The same for a Pokémon that is to be kept alive."""
KEEP_RISK = 0.25
"""The risk of fainting this turn up to which one that is to be kept may stand on the field."""


class Wish(Frozen):
    """What a person wants. `move` is a move's id, `ident` whom to send in, to keep or to lose.

    Either may be what to avoid; `tera` goes with `move`. It waits until the one of theirs in `when`
    stands there, the one of either side in `once` has fainted (both idents or species), and the
    turn `since` has come. To have each choice explained, or the battle given up, is a wish, too.
    """

    do: Does
    move: str = ""
    ident: str = ""
    tera: bool = False
    # Wishes that were stored before there were spans hold none, nor do their fingerprints.
    span: Span = Field(default="", exclude_if=operator.not_)
    when: str = Field(default="", exclude_if=operator.not_)
    once: str = Field(default="", exclude_if=operator.not_)
    since: int = Field(default=0, exclude_if=operator.not_)

    @property
    def orders(self) -> bool:
        """Whether it says which order is given, not only what orders have to heed."""
        return self.do in ORDERS

    @property
    def stands(self) -> bool:
        """Whether it holds for more than one turn."""
        return self.span == "on" if self.span else self.waits or not self.orders

    @property
    def waits(self) -> bool:
        """Whether something has to happen before it holds."""
        return bool(self.when or self.once or self.since)

    def is_due(self, position: Position) -> bool:
        """Whether what it waits for has come, and the server asks for an order of its kind."""
        foe = position.theirs.active
        team = (*position.ours.team, *position.theirs.team)
        moves = self.orders and self.do not in ("switch", "leave")
        return (
            (not self.when or (foe is not None and _is(foe, self.when)))
            and (not self.once or any(mon.fainted for mon in team if _is(mon, self.once)))
            and position.turn >= self.since
            and not (self.waits and moves and position.force_switch)
        )

    def replaces(self, other: Wish) -> bool:
        """Whether it takes another wish's place: there is one order a turn, one wish of a kind."""
        if (self.when, self.once, self.since) != (other.when, other.once, other.since):
            return False
        if {self.do, other.do} in OPPOSED and self.ident == other.ident:
            return self.stands or self.do == "tera"
        if not (self.orders and other.orders):
            return (self.do, self.ident, self.move) == (other.do, other.ident, other.move)
        return self.stands or (not other.stands and self.later == other.later)

    @property
    def later(self) -> bool:
        """Whether it is about the turn after the one that is being chosen for."""
        return self.span == "next"


def _is(mon: Mon, name: str) -> bool:
    return name in (mon.ident, mon.species, mon.base)


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is known of an order: the chance of winning a search gives it, the risk of this turn.

    `risk` is the chance that whoever of ours then stands on the field faints in this turn, `left`
    the share of its health that one who comes in is expected to keep.
    """

    order: Order
    stands: str
    chance: float | None
    risk: float
    left: float = 0.0


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The orders that wishes leave, the wishes that were followed, and those that could not be."""

    orders: tuple[Order, ...]
    followed: tuple[Wish, ...] = ()
    unmet: tuple[Wish, ...] = ()


def with_wish(wishes: Sequence[Wish], wish: Wish) -> tuple[Wish, ...]:
    """Return the wishes with a new one, which takes the place of what it contradicts."""
    return (*(each for each in wishes if not wish.replaces(each)), wish)


def narrow(wishes: Sequence[Wish], outlooks: Sequence[Outlook]) -> Narrowed:
    """Return what the wishes leave of the legal orders: those for this turn come first."""
    spent = {wish.ident for wish in wishes if wish.do == "spend"}
    left = tuple(replace(one, risk=0.0) if one.stands in spent else one for one in outlooks)
    followed, unmet = list[Wish](), list[Wish]()
    for wish in sorted(wishes, key=lambda each: (each.stands and not each.waits, not each.orders)):
        if wish.do in SETTINGS:
            continue
        fitting = _fitting(wish, left)
        (followed if fitting else unmet).append(wish)
        left = fitting or left
    return Narrowed(tuple(each.order for each in left), tuple(followed), tuple(unmet))


def _fitting(wish: Wish, left: Sequence[Outlook]) -> tuple[Outlook, ...]:
    if wish.do == "safer":
        return _safest(_within(left, SAFE_COST))
    if wish.do == "keep":
        safe = (o for o in left if o.stands != wish.ident or o.risk <= KEEP_RISK)
        near = _within(left, KEEP_COST)
        return tuple(each for each in safe if each in near)
    if wish.do == "attack" and wish.stands:
        left = _within(left, BOLD_COST)
    fitting = tuple(each for each in left if names(wish, each.order))
    if wish.do == "leave":
        near = _within(fitting, SAFE_COST)
        return tuple(one for one in near if one.left == max(each.left for each in near))
    return fitting


def names(wish: Wish, order: Order) -> bool:
    """Tell whether an order is one of those that a wish about orders speaks of."""
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
        case "attack", MoveOrder():
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
    return tuple(each for each in near if each.risk <= least + 0.02)


def outlooks(
    position: Position,
    inference: Inference,
    expected: Expected,
    switches: SwitchOptions,
    verdict: SearchVerdict | None,
) -> tuple[Outlook, ...]:
    """Return what is known of each legal order."""
    chances = {line.order: line.value for line in (verdict.lines if verdict else ())}
    kept = {one.order: one.hp_after for one in switches.switches}
    risk = _risks(position, inference, expected)
    active = position.ours.active
    out = active.ident if active else ""
    return tuple(
        Outlook(
            order,
            order.ident if isinstance(order, SwitchOrder) else out,
            chances.get(order),
            risk(order),
            kept.get(order, 0.0),
        )
        for order in position.legal
    )


def _risks(
    position: Position, inference: Inference, expected: Expected
) -> Callable[[Order], float]:
    foe = position.theirs.active
    guess = inference.guesses.get(foe.ident) if foe else None
    if foe is None or foe.fainted or guess is None:
        return lambda order: 0.0
    them, scene = their_fighter(foe, guess.best), scene_of(position, defending="ours")
    moves = [(one.action, one.probability) for one in expected.predictions if one.kind == "move"]

    def risk(order: Order) -> float:
        us, left = _standing(position, order)
        if us is None:
            return 0.0
        falls = sum(p * damage(move, them, us, scene).ko_chance(left) for move, p in moves)
        return round(falls * _lives_first(position, order, us, them), 4)

    return risk


def _standing(position: Position, order: Order) -> tuple[Fighter | None, float]:
    """Return who of ours takes the next hit, and the health it then has."""
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
    """Return the chance that they still stand when it is their turn to hit."""
    if not isinstance(order, MoveOrder):
        return 1.0
    scene = scene_of(position)
    first = dex.move(order.move).priority > 0 or faster(us, them, scene)
    return 1.0 - damage(order.move, us, them, scene).ko_chance(them.share) if first else 1.0
