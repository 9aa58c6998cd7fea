"""How long temporary effects have lasted, and how long they can still last.

Turns are counted by their ends, the current one included. Items such as weather rocks, Terrain
Extender and Light Clay prolong some effects; since the holder's item is often unknown, the results
are ranges. The numbers are those of Showdown (`data/conditions.ts`, `data/moves.ts`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ruleplay.agents.battle.domain.mechanics import kinds
from ruleplay.agents.battle.domain.position import Mon, Position, Timed

KINDS = kinds("effects")
"""The kind of each effect, where people have one word for several, such as "weather"."""
Whose = Literal["ours", "theirs", "both"]
PROLONGED = {"sky": 8, "ground": 8, "reflect": 8, "lightscreen": 8, "auroraveil": 8}
"""Turns of effects whose setter holds the item that prolongs them."""
USUAL = {**dict.fromkeys(PROLONGED, 5), "safeguard": 5, "mist": 5, "tailwind": 4, "room": 5}
"""Turns of effects by default."""
SLEEP = (1, 3)
"""Turns that sleep costs its victim, at least and at most."""
REST = 2
"""Turns that the sleep of Rest costs."""
HELD = {
    "taunt": (3, 3),
    "encore": (3, 3),
    "disable": (4, 4),
    "healblock": (5, 5),
    "throatchop": (2, 2),
    "confusion": (1, 4),
    "magnetrise": (5, 5),
    "yawn": (1, 1),
}
"""Turns that effects stay on a Pokémon, at least and at most."""
COUNTS = {"perish3": 3, "perish2": 2, "perish1": 1}
"""Perish Song's counter is part of the effect's id."""


@dataclass(frozen=True, slots=True)
class Duration:
    """An effect with its bearer, the turns it has lasted and those it can still last.

    `most` is None if it lasts until something ends it.
    """

    id: str
    whose: Whose
    stood: int
    least: int
    most: int | None
    ident: str = ""
    kind: str = "other"


def durations(position: Position) -> Iterator[Duration]:
    """Yield all temporary effects on the field, on either side and on the Pokémon."""
    field = position.field
    for one, kind in ((field.weather, "sky"), (field.terrain, "ground")):
        if one is not None:
            yield _over(one, kind)
    yield from (_over(one, "room") for one in field.rooms)
    for whose, side in position.sides:
        for one in side.conditions:
            if one.id in USUAL:
                yield _lasting(one, one.id, whose)
        for mon in side.team:
            yield from _on(mon, whose)


def _over(one: Timed, kind: str) -> Duration:
    # Primal weather (Desolate Land and the like) lasts as long as its setter stays.
    if kind == "sky" and one.left is None:
        return Duration(one.id, "both", one.turns, 1, None, kind=KINDS[kind])
    return _lasting(one, kind, "both")


def _lasting(one: Timed, kind: str, whose: Whose) -> Duration:
    """Give the range of what an item may have prolonged.

    Once the usual time is over, the item must have been there, so the range becomes exact.
    """
    usual, long = USUAL[kind], PROLONGED.get(kind, USUAL[kind])
    least = usual - one.turns if one.turns < usual else long - one.turns
    most = max(1, least, long - one.turns)
    kind = KINDS.get(kind, "other")
    return Duration(one.id, whose, one.turns, max(1, least), most, kind=kind)


def _on(mon: Mon, whose: Whose) -> Iterator[Duration]:
    """Yield the temporary effects on one Pokémon."""
    if mon.fainted:
        return
    if mon.status == "slp":
        least, most = (REST, REST) if mon.rested else SLEEP
        slept = mon.status_turns
        left = max(0, least - slept), max(0, most - slept)
        yield Duration("slp", whose, slept, *left, mon.ident, KINDS["slp"])
    for one in mon.volatiles if mon.active else ():
        if one.id in HELD:
            least, most = (max(1, turns - one.turns) for turns in HELD[one.id])
            yield Duration(one.id, whose, one.turns, least, most, mon.ident)
        elif one.id in COUNTS:
            yield Duration(one.id, whose, one.turns, COUNTS[one.id], COUNTS[one.id], mon.ident)
