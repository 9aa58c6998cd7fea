"""Why a person's wish cannot be fulfilled, as far as that is known now."""

from __future__ import annotations

from ruleplay.agents.battle.domain.naming import display, move_name
from ruleplay.agents.battle.domain.orders import MoveOrder, SwitchOrder
from ruleplay.agents.battle.domain.phrases import say, type_name
from ruleplay.agents.battle.domain.position import Mon, Position
from ruleplay.agents.battle.domain.wishes import Wish, names
from ruleplay.agents.battle.state import State


class Problem:
    """Why a wish cannot be fulfilled: the key of a phrase and its values."""

    def __init__(self, key: str, **values: str) -> None:
        self.key, self.values = key, values

    def said(self, language: str) -> str:
        """Phrase the problem."""
        told = {
            key: type_name(language, value) if key == "type" else value
            for key, value in self.values.items()
        }
        return say(language, self.key, **told)


def problem_of(wish: Wish, state: State) -> Problem | None:
    """Say why a wish cannot be fulfilled when it applies, as far as that is known now."""
    position = state.position
    if position is None:
        return None
    if wish.waits and wish.do == "move" and not any(_has(m, wish.move) for m in position.ours.team):
        return Problem("no_move", mon=position.ours.name, move=move_name(wish.move))
    # Later turns may allow what this one does not, so only what never changes is checked.
    if wish.waits or not wish.orders:
        return _keep_problem(wish, position) if wish.ident and wish.do != "avoid" else None
    comes = comes_in(state, position)
    # The next move belongs to the Pokémon that is about to come in, not to the active one.
    if wish.do == "move" and comes is not None and (wish.later or not wish.tera):
        if _has(comes, wish.move):
            return None
        if wish.later:
            return _not_theirs(wish.move, display(position, comes.ident), position)
    if any(names(wish, order) for order in position.legal):
        return None
    return why_not(wish, position)


def comes_in(state: State, position: Position) -> Mon | None:
    """Find the Pokémon of ours that is about to enter and will act next."""
    order = state.order
    if ordered := next((wish.ident for wish in state.wishes if wish.do == "switch"), ""):
        return position.ours.member(ordered)
    if order is not None and not order.held and isinstance(order.order, SwitchOrder):
        return position.ours.member(order.order.ident)
    return None


def _keep_problem(wish: Wish, position: Position) -> Problem | None:
    mon = position.ours.member(wish.ident)
    return Problem("is_fainted", mon=display(position, mon.ident)) if mon.fainted else None


def why_not(wish: Wish, position: Position) -> Problem:
    """Say why no legal order fulfils a wish."""
    active = position.ours.active
    name = display(position, active.ident) if active else "-"
    if wish.do in ("switch", "leave"):
        return _why_no_switch(wish, position, name)
    if not any(isinstance(order, MoveOrder) for order in position.legal):
        return Problem("must_switch")
    if wish.do == "tera" or (wish.tera and _has(active, wish.move)):
        return Problem("tera_gone" if position.ours.tera_used else "tera_not_now")
    slot = next((s for s in active.moves if s.id == wish.move), None) if active else None
    if slot is not None:
        return Problem("disabled" if slot.pp else "no_pp", move=move_name(wish.move))
    if not wish.move:
        return Problem("unmet_plain")
    return _not_theirs(wish.move, name, position)


def _not_theirs(move: str, name: str, position: Position) -> Problem:
    """Say that a Pokémon does not have a move, and who does."""
    other = next((mon for mon in position.ours.team if _has(mon, move)), None)
    if other is None:
        return Problem("no_move", mon=name, move=move_name(move))
    return Problem(
        "other_has", mon=name, move=move_name(move), other=display(position, other.ident)
    )


def _has(mon: Mon | None, move: str) -> bool:
    return mon is not None and move in mon.known_moves


def _why_no_switch(wish: Wish, position: Position, name: str) -> Problem:
    """Say why a switch is illegal."""
    mon = next((mon for mon in position.ours.team if mon.ident == wish.ident), None)
    if mon is not None and mon.fainted:
        return Problem("is_fainted", mon=display(position, mon.ident))
    if mon is not None and mon.active:
        return Problem("is_out", mon=display(position, mon.ident))
    if position.trapped or position.maybe_trapped or mon is not None:
        return Problem("trapped", mon=name)
    return Problem("no_switch")
