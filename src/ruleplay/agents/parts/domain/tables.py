"""Reads the word tables that stand beside the rules, as TOML."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import TypeVar

from pydantic import BaseModel

Table = TypeVar("Table", bound=BaseModel)


def read_table(name: str, kind: type[Table]) -> Table:
    """Return the contents of one of this folder's TOML files; ValidationError when malformed."""
    text = files("ruleplay.agents.parts.domain").joinpath(name).read_text("utf-8")
    return kind.model_validate(tomllib.loads(text))
