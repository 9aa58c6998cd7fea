"""The games' facts that the rules rest on, from `mechanics.toml`: no rule is in them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from pydantic import BaseModel

Table = Mapping[str, str]


class Facts(BaseModel):
    """The file: lists of ids, tables of ids by what they are of, and what belongs to each type."""

    words: Table
    kinds: Mapping[str, Table]
    types: Mapping[str, Table]


@cache
def facts() -> Facts:
    """Return all of them."""
    file = files("ruleplay.agents.battle.domain").joinpath("mechanics.toml")
    return Facts.model_validate(tomllib.loads(file.read_text("utf-8")))


def words(name: str) -> tuple[str, ...]:
    """Return the ids of a list, in its order; KeyError for one that there is not."""
    return tuple(facts().words[name].split())


def groups(name: str) -> dict[str, tuple[str, ...]]:
    """Return the ids of a table by what they are of; KeyError for one that there is not."""
    return {kind: tuple(ids.split()) for kind, ids in facts().kinds[name].items()}


def kinds(name: str) -> dict[str, str]:
    """Return what each id of a table is of; KeyError for one that there is not."""
    return {one: kind for kind, ids in groups(name).items() for one in ids}


def of_types(name: str) -> dict[str, str]:
    """Return the type of each id that the types have under a name, "plates" or "absorb"."""
    rows = facts().types.items()
    return {one: kind for kind, row in rows for one in row.get(name, "").split()}
