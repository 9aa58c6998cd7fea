"""How Pokémon and moves are called in what people read."""

from __future__ import annotations

import re

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.orders import (
    DefaultOrder,
    MoveOrder,
    Order,
    SwitchOrder,
    TeamOrder,
)
from ruleplay.agents.battle.domain.position import Position


def bare(ident: str) -> str:
    """Return an ident's name without its player: `Great Tusk` for `p1: Great Tusk`."""
    return ident.partition(": ")[2] or ident


def display(position: Position, ident: str) -> str:
    """Return a Pokémon's name, with whose it is where both sides have one of that name."""
    name = bare(ident)
    ours = {bare(mon.ident) for mon in position.ours.team}
    theirs = {bare(mon.ident) for mon in position.theirs.team}
    if name not in ours & theirs:
        return name
    mine = any(mon.ident == ident for mon in position.ours.team)
    return f"{'our' if mine else 'their'} {name}"


def move_name(move: str) -> str:
    """Return a move's name as people write it; its id where it is unknown."""
    return dex.move_name(move)


def order_words(order: Order, position: Position) -> str:
    """Return an order in words: `Earthquake, terastallized`, `switch to Corviknight`."""
    match order:
        case MoveOrder():
            name = move_name(order.move)
            return f"{name}, terastallizing" if order.tera else name
        case SwitchOrder():
            verb = "revive" if position.reviving else "switch to"
            return f"{verb} {bare(order.ident)}"
        case TeamOrder():
            lead = position.ours.team[order.order[0] - 1 : order.order[0]]
            return f"lead with {bare(lead[0].ident)}" if lead else "lead as the team stands"
        case DefaultOrder():
            return "the server's default"


def player_name(name: str) -> str:
    """Return a player's name without the digits that make it the only one on a local server."""
    return re.sub(r" [0-9a-f]{8}$", "", name)
