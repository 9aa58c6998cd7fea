"""What a person playing a battle is shown, as JSON."""

from __future__ import annotations

from ruleplay.agents.battle.adapters.duel import PersonSeat
from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.items import item_name
from ruleplay.agents.battle.domain.position import MoveSlot, Position
from ruleplay.agents.battle.routes.shapes import BattleAnswer, MoveAnswer, SeatAnswer
from ruleplay.agents.battle.state import lean
from ruleplay.records.events import Json

UNSEEN = ("hits", "log")
"""Fields that only our deductions need; the page does not draw them."""


def seen(seat: PersonSeat, battle: BattleAnswer, chance: float | None) -> SeatAnswer:
    """Convert a seat's view of its battle."""
    position = seat.position
    return SeatAnswer(
        version=seat.version,
        asked=seat.asked and battle.status in ("starting", "running"),
        position=_drawn(position) if position else None,
        moves=_moves(position) if position else [],
        names=_names(position) if position else {},
        log=seat.lines,
        chance=chance,
        battle=battle,
    )


def _drawn(position: Position) -> Json:
    told = lean(position)
    kept = {name: value for name, value in told.items() if name not in UNSEEN}
    return kept | {"request_id": position.request_id}


def _moves(position: Position) -> list[MoveAnswer]:
    """List the active Pokémon's moves in the server's order."""
    active = position.ours.active
    known = {slot.id: slot for slot in active.moves} if active else {}
    return [_move(name, known.get(name), position) for name in position.request_moves]


def _move(name: str, slot: MoveSlot | None, position: Position) -> MoveAnswer:
    page, foe = dex.move(name, position.gen), position.theirs.active
    effect = dex.effectiveness(page.type, foe.types, position.gen) if foe else None
    return MoveAnswer(
        id=name,
        name=page.name,
        type=page.type,
        category=page.category,
        power=page.power,
        accuracy=page.accuracy,
        pp=slot.pp if slot else page.pp,
        max_pp=slot.max_pp if slot else page.pp,
        effect=effect if page.damaging else None,
    )


def _names(position: Position) -> dict[str, str]:
    team = (*position.ours.team, *position.theirs.team)
    items = {mon.item: item_name(mon.item) for mon in team if mon.item}
    abilities = {mon.ability: dex.ability_name(mon.ability) for mon in team if mon.ability}
    moves = {slot.id: dex.move_name(slot.id) for mon in team for slot in mon.moves}
    effects = {one.id: dex.move_name(one.id) for mon in team for one in mon.volatiles}
    return items | abilities | effects | moves
