"""Names and units of the numeric columns in tool results."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files

from ruleplay.agents.raid.domain.tool_result import Metric


@cache
def _columns() -> Mapping[str, Mapping[str, str]]:
    text = files("ruleplay.agents.raid.domain").joinpath("metrics.toml").read_text("utf-8")
    found: Mapping[str, Mapping[str, str]] = tomllib.loads(text)
    return found


def metrics(columns: str, *, subject: str = "player", aspect: str = "") -> tuple[Metric, ...]:
    """Describe the named columns, with whose value they are; KeyError for an unknown column."""
    told = ((column, _columns()[column]) for column in columns.split())
    return tuple(
        Metric(
            column=column,
            subject=subject,
            aspect=aspect,
            **{name: text for name, text in one.items() if name not in LANGUAGES},
        )
        for column, one in told
    )


LANGUAGES = ("fr", "de")


@cache
def names_in(language: str) -> Mapping[str, str]:
    """Map columns to their names in one of LANGUAGES."""
    return {column: one[language] for column, one in _columns().items() if language in one}


@cache
def french_names() -> Mapping[str, str]:
    """Map English column names to French ones."""
    return {_columns()[column]["name"]: name for column, name in names_in("fr").items()}


def sided(columns: str, sides: str = "a b") -> tuple[Metric, ...]:
    """Describe the columns once per compared report, such as `kills_a` and `kills_b`."""
    return tuple(
        replace(metric, column=f"{metric.column}_{side}", name=f"{metric.name} ({side})")
        for metric in metrics(columns, subject="encounter")
        for side in sides.split()
    )


@cache
def stems() -> Mapping[str, tuple[str, ...]]:
    """Map columns to the word stems, English and French, by which people refer to them."""
    text = files("ruleplay.agents.raid.domain").joinpath("measures.toml").read_text("utf-8")
    found: dict[str, tuple[str, ...]] = {}
    for entry in tomllib.loads(text).values():
        for column in entry["columns"]:
            found[column] = (*found.get(column, ()), *entry["stems"])
    return found
