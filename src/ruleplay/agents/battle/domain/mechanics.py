"""Facts of the game that the rules build on, read from `mechanics.toml`.

The file holds lists of moves, abilities and items, but no logic.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from pydantic import BaseModel

Table = Mapping[str, str]


class Facts(BaseModel):
    """The file's content: lists of ids, ids by group, and what belongs to each type."""

    words: Table
    kinds: Mapping[str, Table]
    types: Mapping[str, Table]


@cache
def facts() -> Facts:
    """Load the file."""
    file = files("ruleplay.agents.battle.domain").joinpath("mechanics.toml")
    return Facts.model_validate(tomllib.loads(file.read_text("utf-8")))


def words(name: str) -> tuple[str, ...]:
    """List the ids under a name, in the file's order; KeyError for an unknown name."""
    return tuple(facts().words[name].split())


def groups(name: str) -> dict[str, tuple[str, ...]]:
    """Map each group of a table to its ids; KeyError for an unknown name."""
    return {kind: tuple(ids.split()) for kind, ids in facts().kinds[name].items()}


def kinds(name: str) -> dict[str, str]:
    """Map each id of a table to its group; KeyError for an unknown name."""
    return {one: kind for kind, ids in groups(name).items() for one in ids}


def of_types(name: str) -> dict[str, str]:
    """Map each id that types list under a name, such as "plates" or "absorb", to its type."""
    rows = facts().types.items()
    return {one: kind for kind, row in rows for one in row.get(name, "").split()}
