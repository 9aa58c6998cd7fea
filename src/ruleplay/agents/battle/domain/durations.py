"""How long what lies on the field, or holds a Pokémon, has stood, and how long it can still last.

Turns are ends of turns, the one at hand included. A rock, an extender or a Light Clay lengthens
some effects; who holds one is seldom seen, so that these are ranges. The counts are Showdown's
(`data/conditions.ts`, `data/moves.ts`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ruleplay.agents.battle.domain.mechanics import kinds
from ruleplay.agents.battle.domain.position import Mon, Position, Timed

KINDS = kinds("effects")
"""What an effect is one of, where people have a word for several."""
Whose = Literal["ours", "theirs", "both"]
PROLONGED = {"sky": 8, "ground": 8, "reflect": 8, "lightscreen": 8, "auroraveil": 8}
USUAL = {**dict.fromkeys(PROLONGED, 5), "safeguard": 5, "mist": 5, "tailwind": 4, "room": 5}
SLEEP = (1, 3)
"""Turns that sleep takes from its victim, least and most; Rest takes two."""
REST = 2
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
"""Turns that an effect holds a Pokémon, least and most."""
COUNTS = {"perish3": 3, "perish2": 2, "perish1": 1}


@dataclass(frozen=True, slots=True)
class Duration:
    """An effect: its id, whose side or Pokémon it is on, turns it has stood, and can still last.

    `most` is None where it lasts until something ends it.
    """

    id: str
    whose: Whose
    stood: int
    least: int
    most: int | None
    ident: str = ""
    kind: str = "other"


def durations(position: Position) -> Iterator[Duration]:
    """Yield what passes by itself, over the field, on either side, and on who stands there."""
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
    if kind == "sky" and one.left is None:
        return Duration(one.id, "both", one.turns, 1, None, kind=KINDS[kind])
    return _lasting(one, kind, "both")


def _lasting(one: Timed, kind: str, whose: Whose) -> Duration:
    """Return how long one may last that an item may have lengthened; past its time it has been."""
    usual, long = USUAL[kind], PROLONGED.get(kind, USUAL[kind])
    least = usual - one.turns if one.turns < usual else long - one.turns
    most = max(1, least, long - one.turns)
    kind = KINDS.get(kind, "other")
    return Duration(one.id, whose, one.turns, max(1, least), most, kind=kind)


def _on(mon: Mon, whose: Whose) -> Iterator[Duration]:
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
