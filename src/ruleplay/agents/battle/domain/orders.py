"""Answers to the server's requests, as typed values that are only rendered at the end.

The format on the wire is that of Pokémon Showdown's simulator protocol (`SIM-PROTOCOL.md`): moves
by their place in the request, Pokémon by their place in the request's team, both counted from one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from ruleplay.agents.battle.domain.frozen import Frozen


class MoveOrder(Frozen):
    """Use a move of the active Pokémon, terastallizing before it or not."""

    kind: Literal["move"] = "move"
    move: str
    tera: bool = False


class SwitchOrder(Frozen):
    """Send in the team member with this ident (also: whom Revival Blessing revives)."""

    kind: Literal["switch"] = "switch"
    ident: str


class TeamOrder(Frozen):
    """Team preview: the order in which the team stands, as places counted from one."""

    kind: Literal["team"] = "team"
    order: tuple[int, ...] = Field(max_length=24)


class DefaultOrder(Frozen):
    """Whatever the server would do for us; legal only where nothing else can be chosen."""

    kind: Literal["default"] = "default"


Order = Annotated[MoveOrder | SwitchOrder | TeamOrder | DefaultOrder, Field(discriminator="kind")]


def wire(order: Order, moves: Sequence[str], team: Sequence[str]) -> str:
    """Render an order as a message to the server.

    `moves` are the request's move ids and `team` its idents, each in the request's order. Raises
    ValueError if the request does not have what the order names.
    """
    match order:
        case MoveOrder():
            place = moves.index(order.move) + 1
            return f"/choose move {place}{' terastallize' if order.tera else ''}"
        case SwitchOrder():
            return f"/choose switch {team.index(order.ident) + 1}"
        case TeamOrder():
            # Showdown reads unseparated digits one by one, which fails from the tenth place on.
            separator = "" if max(order.order, default=0) < 10 else ","
            return f"/choose team {separator.join(str(place) for place in order.order)}"
        case DefaultOrder():
            return "/choose default"


def target(order: Order) -> str:
    """Give the move id or ident that an order is about; "" for other orders."""
    match order:
        case MoveOrder(move=move):
            return move
        case SwitchOrder(ident=ident):
            return ident
    return ""


def key(order: Order) -> str:
    """Give an order a short name that is unique within a request: `earthquake-tera`."""
    match order:
        case MoveOrder():
            return f"{order.move}-tera" if order.tera else order.move
        case SwitchOrder():
            return f"switch {order.ident}"
        case TeamOrder():
            return "team " + "".join(str(place) for place in order.order)
        case DefaultOrder():
            return "default"
