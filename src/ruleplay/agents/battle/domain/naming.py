"""Display names of Pokémon, moves, orders and players."""

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

move_name = dex.move_name


def bare(ident: str) -> str:
    """Strip the player from an ident: `Great Tusk` for `p1: Great Tusk`."""
    return ident.partition(": ")[2] or ident


def display(position: Position, ident: str) -> str:
    """Name a Pokémon; with its side if both sides have one of that name."""
    name = bare(ident)
    ours = {bare(mon.ident) for mon in position.ours.team}
    theirs = {bare(mon.ident) for mon in position.theirs.team}
    if name not in ours & theirs:
        return name
    mine = any(mon.ident == ident for mon in position.ours.team)
    return f"{'our' if mine else 'their'} {name}"


def order_words(order: Order, position: Position) -> str:
    """Phrase an order in English: `Earthquake, terastallizing`, `switch to Corviknight`."""
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
    """Strip the random suffix that makes a player's name unique on a local server."""
    return re.sub(r" [0-9a-f]{8}$", "", name)


def step_words(choice: str) -> str:
    """Phrase a search's choice: `Earthquake, terastallizing` for `earthquake-tera`."""
    if choice.startswith("switch "):
        species = choice.removeprefix("switch ")
        return f"{dex.species_name(species)} comes in"
    if choice in {"none", "no move", "nomove"}:
        return "nothing"
    move, tera = choice.removesuffix("-tera"), choice.endswith("-tera")
    name = dex.move_name(move)
    return f"{name}, terastallizing" if tera else name
