"""COMBATANT_INFO: a player's stats, talents, gear and auras at the start of a pull.

Fields as observed in 1.15.1, documented for 2.5.x: GUID, faction, five attributes, 16 ratings,
armor, spec (0 in Classic), (points per tree), (), [gear], [caster, spell, …], and more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ruleplay.agents.raid.domain.columns import SLOTS
from ruleplay.agents.raid.domain.lines import BadLine, split_list, text_of

_FEWEST = 28
_ARMOR, _TALENTS, _GEAR, _AURAS = 22, 24, 26, 27


@dataclass(frozen=True)
class Item:
    """An item that is worn; enchantments are None where there is none."""

    slot: str
    item_id: int
    item_level: int
    enchants: tuple[int | None, int | None, int | None]
    """Permanent, temporary (oil, stone, poison), on use."""
    gems: tuple[int, ...]


@dataclass(frozen=True)
class Combatant:
    """A player at the start of a pull; `attributes` are strength to spirit."""

    guid: str
    faction: int
    attributes: tuple[int, ...]
    armor: int
    talents: tuple[int, ...]
    gear: tuple[Item, ...]
    auras: tuple[tuple[str, int], ...]
    """GUID of the caster, spell."""


def read_combatant(fields: Sequence[bytes]) -> Combatant:
    """Read the fields after the event's name; raises BadLine."""
    if len(fields) < _FEWEST:
        raise BadLine(f"COMBATANT_INFO has {len(fields)} fields, not {_FEWEST} or more")
    return Combatant(
        guid=text_of(fields[0]),
        faction=_number(fields[1]),
        attributes=tuple(_number(field) for field in fields[2:7]),
        armor=_number(fields[_ARMOR]),
        talents=tuple(_number(points) for points in split_list(fields[_TALENTS])),
        gear=_gear(fields[_GEAR]),
        auras=_auras(fields[_AURAS]),
    )


@lru_cache(maxsize=1 << 10)
def _auras(text: bytes) -> tuple[tuple[str, int], ...]:
    fields = split_list(text)
    if len(fields) % 2:
        raise BadLine("the auras are not pairs of caster and spell")
    pairs = zip(fields[::2], fields[1::2], strict=True)
    return tuple((text_of(caster), _number(spell)) for caster, spell in pairs)


@lru_cache(maxsize=1 << 10)
def _gear(text: bytes) -> tuple[Item, ...]:
    """Read a player's gear; most wear the same from pull to pull."""
    items = split_list(text)
    if len(items) > len(SLOTS):
        raise BadLine(f"the gear has {len(items)} items for {len(SLOTS)} slots")
    return tuple(_item(slot, item) for slot, item in zip(SLOTS, items, strict=False))


@lru_cache(maxsize=1 << 14)
def _item(slot: str, text: bytes) -> Item:
    fields = split_list(text)
    if len(fields) < 3:
        raise BadLine(f"the item in the {slot} slot has {len(fields)} fields, not 3 or more")
    enchants = [_number(one) or None for one in split_list(fields[2])]
    gems = split_list(fields[4]) if len(fields) > 4 else []
    first, second, third = (*enchants, None, None, None)[:3]
    return Item(
        slot=slot,
        item_id=_number(fields[0]),
        item_level=_number(fields[1]),
        enchants=(first, second, third),
        gems=tuple(_number(gem) for gem in gems[::2]),
    )


def _number(field: bytes) -> int:
    text = field.decode(errors="replace")
    if not text.removeprefix("-").isdecimal() or len(text) > 10:
        raise BadLine(f"{text[:20]!r} stands where a number is expected")
    return int(text)
