"""Parses COMBATANT_INFO: a player's stats, spec, gear and auras at the start of a pull.

The number of fields differs between clients, so fields are located relative to the brackets. The
first bracket opens the talents; the last two square-bracketed lists after it are gear and auras;
the plain numbers before it are indexed from both ends. Observed in 1.15.1, 7.3, 9.0.2 and 12.0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ruleplay.agents.raid.domain.columns import SLOTS
from ruleplay.agents.raid.domain.guids import is_guid
from ruleplay.agents.raid.domain.lines import BadLine, split_list, text_of

_FEWEST_NUMBERS = 20
_MOST_FACTION = 3
_FIRST_SPEC_ID = 62
"""Retail spec ids start here; Classic writes 0 or the number of the talent tab instead."""
_CONSTANT_OF_9_2 = 1234
# Retail removed the ranged slot, so its gear list is one item shorter.
_RETAIL_SLOTS = tuple(slot for slot in SLOTS if slot != "ranged")
_U16, _U32, _I64 = 1 << 16, 1 << 32, 1 << 60


@dataclass(frozen=True)
class Item:
    """A worn item; each enchantment is None if absent."""

    slot: str
    item_id: int
    item_level: int
    enchants: tuple[int | None, int | None, int | None]
    """Permanent; temporary (oil, stone, poison); on-use."""
    gems: tuple[int, ...]


@dataclass(frozen=True)
class Combatant:
    """A player at the start of a pull. `attributes`: strength to intellect, then spirit.

    `faction` is the arena team. `talents` are points per tree if `trees` (Classic), otherwise the
    ids that the client writes.
    """

    guid: str
    faction: int | None
    attributes: tuple[int | None, ...]
    armor: int
    spec_id: int
    talents: tuple[int, ...]
    trees: bool
    gear: tuple[Item, ...]
    auras: tuple[tuple[str, int], ...]
    """(caster GUID, spell id) pairs."""


def read_combatant(fields: Sequence[bytes]) -> Combatant:
    """Parse the fields after the event name; raises BadLine."""
    brackets = [at for at, one in enumerate(fields) if one[:1] in {b"(", b"["}]
    if not brackets:
        raise BadLine("COMBATANT_INFO has no talents in brackets")
    first = brackets[0]
    squares = [at for at in brackets[1:] if fields[at][:1] == b"["]
    if first <= _FEWEST_NUMBERS or len(squares) < 2:
        raise BadLine(f"COMBATANT_INFO has {len(fields)} fields, of which {first} stand before")
    numbers = [_number(field, _I64) for field in fields[1:first]]
    spec = numbers[-1] if 0 <= numbers[-1] < _U16 else 0
    retail = spec >= _FIRST_SPEC_ID
    faction = numbers[0] if 0 <= numbers[0] <= _MOST_FACTION else None
    # Retail has no spirit, which `attributes` pads with None.
    known = numbers[faction is not None :][: 4 if retail else 5]
    return Combatant(
        guid=text_of(fields[0]),
        faction=faction,
        attributes=(*known, None)[:5],
        armor=numbers[-3 if _has_constant(numbers) else -2],
        spec_id=spec,
        talents=_talents(fields[first]),
        trees=not retail and fields[first].count(b",") == 2,
        gear=_gear(fields[squares[-2]]),
        auras=_auras(fields[squares[-1]]),
    )


def _has_constant(numbers: Sequence[int]) -> bool:
    """Detect 9.2 lines: a constant follows the armor, and versatility is written three times."""
    return numbers[-2] == _CONSTANT_OF_9_2 and numbers[-4] == numbers[-5] == numbers[-6]


@lru_cache(maxsize=1 << 10)
def _talents(text: bytes) -> tuple[int, ...]:
    """Parse a number per talent: points, a spell id, or the entry of (node, entry, rank)."""
    found = []
    for one in split_list(text):
        number = split_list(one)[1] if one[:1] == b"(" and one.count(b",") > 1 else one
        if number and not number.startswith(b"-"):
            found.append(_number(number, _U32))
    return tuple(found)


@lru_cache(maxsize=1 << 10)
def _auras(text: bytes) -> tuple[tuple[str, int], ...]:
    """Parse (caster, spell) pairs; newer clients add a stack count to each."""
    fields = split_list(text)
    stacks = len(fields) % 3 == 0 and all(is_guid(text_of(one)) for one in fields[::3])
    step = 3 if stacks else 2
    if len(fields) % step:
        raise BadLine("the auras are not pairs of caster and spell")
    pairs = zip(fields[::step], fields[1::step], strict=True)
    return tuple((text_of(caster), _number(spell, _U32)) for caster, spell in pairs)


@lru_cache(maxsize=1 << 10)
def _gear(text: bytes) -> tuple[Item, ...]:
    """Parse a player's gear; cached, since most wear the same from pull to pull."""
    items = split_list(text)
    if len(items) > len(SLOTS):
        raise BadLine(f"the gear has {len(items)} items for {len(SLOTS)} slots")
    slots = _RETAIL_SLOTS if len(items) == len(_RETAIL_SLOTS) else SLOTS
    return tuple(_item(slot, item) for slot, item in zip(slots, items, strict=False))


@lru_cache(maxsize=1 << 14)
def _item(slot: str, text: bytes) -> Item:
    fields = split_list(text)
    if len(fields) < 3:
        raise BadLine(f"the item in the {slot} slot has {len(fields)} fields, not 3 or more")
    enchants = [_number(one, _U32) or None for one in split_list(fields[2])]
    gems = split_list(fields[4]) if len(fields) > 4 else []
    first, second, third = (*enchants, None, None, None)[:3]
    return Item(
        slot=slot,
        item_id=_number(fields[0], _U32),
        item_level=_number(fields[1], _U16),
        enchants=(first, second, third),
        gems=tuple(_number(gem, _U32) for gem in gems[::2]),
    )


def _number(field: bytes, limit: int) -> int:
    """Parse an integer below `limit`; only attributes (limit `_I64`) may be negative."""
    text = field.decode(errors="replace")
    digits = text.removeprefix("-") if limit == _I64 else text
    if not (digits.isascii() and digits.isdecimal()) or len(digits) > 18 or int(digits) >= limit:
        raise BadLine(f"{text[:20]!r} stands where a number is expected")
    return int(text)
