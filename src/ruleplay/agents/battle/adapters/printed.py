"""Reads texts about moves, items and abilities from Showdown's package, and names people use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from ruleplay.agents.battle.domain.dex import to_id

KINDS = ("moves", "items", "abilities")
"""The package's files of texts."""
# The files are scripts; they are not run, but read by their regular layout.
_ALIAS = re.compile(r'^  "?(\w+)"?: "([^"]+)"', re.MULTILINE)
_PAGE = re.compile(r'^  "?(\w+)"?: \{\n(.*?)^  \}', re.MULTILINE | re.DOTALL)
_NAME = re.compile(r'^    name: "([^"]+)"', re.MULTILINE)
_SHORT = re.compile(r'^    shortDesc: "((?:[^"\\]|\\.)*)"', re.MULTILINE)


@lru_cache(maxsize=2)
def short_names(package: Path) -> Mapping[str, str]:
    """Map Showdown's aliases to ids: `eq` to `earthquake`."""
    text = _read(package / "dist/data/aliases.js")
    return {short: to_id(name) for short, name in _ALIAS.findall(text)}


@lru_cache(maxsize=1)
def foreign_names() -> Mapping[str, str]:
    """Map the French names of Pokémon and moves to ids.

    Those of the Pokémon come from the npm package `pokemon` (MIT, Sindre Sorhus).
    """
    pairs = _read(Path(__file__).with_name("names.fr.txt")).split()
    return dict(pair.split("=") for pair in pairs)


@lru_cache(maxsize=2)
def descriptions(package: Path) -> Mapping[str, str]:
    """Map each thing, such as `moves/earthquake`, to the sentence that describes it."""
    found: dict[str, str] = {}
    for kind in KINDS:
        for name, body in _PAGE.findall(_read(package / f"dist/data/text/{kind}.js")):
            if told := _SHORT.search(body):
                found[f"{kind}/{name}"] = told[1].replace('\\"', '"')
    return found


@lru_cache(maxsize=2)
def item_names(package: Path) -> Mapping[str, str]:
    """Map all items of every generation to their names: `choiceband` to `Choice Band`."""
    pages = _PAGE.findall(_read(package / "dist/data/text/items.js"))
    named = ((item, _NAME.search(body)) for item, body in pages)
    return {item: found[1] for item, found in named if found}


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.is_file() else ""
