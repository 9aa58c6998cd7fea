"""Turns usage statistics into sets: the "chaos" JSON that Smogon publishes every month.

For each Pokémon it counts moves, items, abilities, spreads and tera types separately. Whole sets
are drawn from these counts, always the same ones, and kept as a set pool.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random

from ruleplay.agents.battle.domain import dex
from ruleplay.errors import NotFound, UserError

DRAWN = 150
"""Sets drawn for each Pokémon."""
FILE_LIMIT = 80_000_000
"""Bytes of a statistics file."""
SPREAD_PARTS = 6
Counts = Mapping[str, float]


def read_usage(file: Path, battle_format: str) -> dict[str, object]:
    """Read a statistics file as the content of a pool (NotFound, UserError)."""
    try:
        if file.stat().st_size > FILE_LIMIT:
            raise UserError(f"--sets {str(file)!r} has more than {FILE_LIMIT:,} bytes")
        told = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise NotFound(f"no file {str(file)!r}") from error
    except (OSError, ValueError, RecursionError) as error:
        raise UserError(f"--sets {str(file)!r} cannot be read: {str(error)[:200]}") from error
    data = told.get("data") if isinstance(told, dict) else None
    if not isinstance(data, dict):
        raise UserError(f"--sets {str(file)!r} is no usage statistics: it has no `data` by Pokémon")
    # These formats set every Pokémon's level to 50.
    level = 50 if any(word in battle_format for word in ("vgc", "bss", "battlestadium")) else 100
    sets = {
        dex.to_id(name): rows
        for name, page in sorted(data.items())
        if isinstance(page, dict) and (rows := _rows(dex.to_id(name), page, level))
    }
    if not sets:
        raise UserError(f"--sets {str(file)!r} has no Pokémon that is known here")
    return {"version": "usage", "format": battle_format, "sets": sets}


def _rows(species: str, page: Mapping[str, object], level: int) -> list[list[object]]:
    """Draw a Pokémon's sets; repeated ones are counted."""
    if not dex.knows_species(species):
        return []
    moves, spreads = _counts(page, "Moves"), _counts(page, "Spreads")
    items, abilities = _counts(page, "Items"), _counts(page, "Abilities")
    teras = _counts(page, "Tera Types") or {dex.species(species).types[0]: 1.0}
    if not moves:
        return []
    # A fixed seed, so that the same file always gives the same pool.
    rng, found = Random(f"usage/{species}"), dict[str, list[object]]()
    for _ in range(DRAWN):
        nature, evs = _spread(_one(spreads, rng))
        row: list[object] = [
            level,
            _held(_one(items, rng)),
            dex.to_id(_one(abilities, rng)),
            _four(moves, rng),
            evs,
            [31] * 6,
            "",
            {},
            nature,
        ]
        kept = found.setdefault(json.dumps(row), row)[7]
        tera = dex.to_id(_one(teras, rng))
        if isinstance(kept, dict):
            kept[tera] = kept.get(tera, 0) + 1
    return list(found.values())


def _counts(page: Mapping[str, object], name: str) -> dict[str, float]:
    told = page.get(name)
    if not isinstance(told, dict):
        return {}
    return {
        str(key): float(value)
        for key, value in sorted(told.items())
        if key and isinstance(value, int | float) and value > 0
    }


def _one(counts: Counts, rng: Random) -> str:
    return rng.choices(list(counts), list(counts.values()))[0] if counts else ""


def _four(moves: Counts, rng: Random) -> list[str]:
    """Draw four different moves, weighted by their counts."""
    left = {name: count for name, count in moves.items() if dex.knows_move(dex.to_id(name))}
    found: list[str] = []
    while left and len(found) < 4:
        found.append(name := _one(left, rng))
        del left[name]
    # Sorted, so that the same four moves count as the same set.
    return sorted(dex.to_id(name) for name in found)


def _held(item: str) -> str:
    name = dex.to_id(item)
    return "" if name == "nothing" else name


def _spread(text: str) -> tuple[str, list[int]]:
    """Parse `Jolly:0/252/0/0/4/252`; anything else gives an even spread."""
    nature, _, numbers = text.partition(":")
    parts = [int(part) for part in numbers.split("/") if part.isdigit()]
    if len(parts) != SPREAD_PARTS or dex.to_id(nature) not in dex.natures():
        return "", [85] * SPREAD_PARTS
    return dex.to_id(nature), [min(252, part) for part in parts]
