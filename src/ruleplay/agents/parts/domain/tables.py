"""Reads the vocabularies in this folder's TOML files, merged with those of a language.

`intents.fr.toml` adds to `intents.toml` for messages in French: lists are concatenated, entries
with the same name (`id`, or `kind` and `value`) are merged, and other entries are added. English
always stays, because people mix languages.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import TypeVar

from pydantic import BaseModel, JsonValue

Table = TypeVar("Table", bound=BaseModel)


def read_table(name: str, kind: type[Table], language: str = "en") -> Table:
    """Read a vocabulary; `ValidationError` if a file does not match its schema."""
    return kind.model_validate(_merged(_read(name), _read(name, language)))


def read_words_of(name: str) -> frozenset[str]:
    """Read the words of one of this folder's text files."""
    return frozenset(
        files("ruleplay.agents.parts.domain").joinpath(name).read_text("utf-8").split()
    )


def _read(name: str, language: str = "") -> dict[str, JsonValue]:
    stem = name.removesuffix(".toml")
    file = files("ruleplay.agents.parts.domain").joinpath(
        f"{stem}.{language}.toml" if language else name
    )
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}


def _merged(one: JsonValue, other: JsonValue) -> JsonValue:
    """Merge two values: tables by key and lists by `_joined`; of other values the second counts."""
    if isinstance(one, dict) and isinstance(other, dict):
        return {
            key: _merged(one[key], other[key])
            if key in one and key in other
            else other.get(key, one.get(key))
            for key in (*one, *(key for key in other if key not in one))
        }
    if isinstance(one, list) and isinstance(other, list):
        return _joined(one, other)
    return other


def _joined(one: list[JsonValue], other: list[JsonValue]) -> list[JsonValue]:
    """Merge two lists: lists of lists by position, lists of tables by name, others end to end."""
    if all(isinstance(entry, list) for entry in (*one, *other)) and one and other:
        longer = max(len(one), len(other))
        padded = ([*rows, *[[]] * (longer - len(rows))] for rows in (one, other))
        return [_merged(mine, theirs) for mine, theirs in zip(*padded, strict=True)]
    if not all(isinstance(entry, dict) for entry in (*one, *other)):
        return [*one, *other]
    known = {_name(entry): entry for entry in one}
    for entry in other:
        name = _name(entry)
        known[name] = _merged(known[name], entry) if name in known else entry
    return [*known.values()]


def _name(entry: JsonValue) -> str:
    if not isinstance(entry, dict):
        return ""
    return str(entry.get("id") or (entry.get("kind"), entry.get("value")))
