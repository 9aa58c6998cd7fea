"""What the numeric columns of the tools' rows say: one name and unit per column."""

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
    """Return what the named columns say of a subject; KeyError for a column that has no meaning."""
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
    """Return what the columns are called in one of LANGUAGES, by column."""
    return {column: one[language] for column, one in _columns().items() if language in one}


@cache
def french_names() -> Mapping[str, str]:
    """Return the French names by the English ones."""
    return {_columns()[column]["name"]: name for column, name in names_in("fr").items()}


def sided(columns: str, sides: str = "a b") -> tuple[Metric, ...]:
    """Return the columns once per report compared, such as `kills_a` and `kills_b`."""
    return tuple(
        replace(metric, column=f"{metric.column}_{side}", name=f"{metric.name} ({side})")
        for metric in metrics(columns, subject="encounter")
        for side in sides.split()
    )


@cache
def stems() -> Mapping[str, tuple[str, ...]]:
    """Return how people speak of each column: the beginnings of words, English and French."""
    text = files("ruleplay.agents.raid.domain").joinpath("measures.toml").read_text("utf-8")
    found: dict[str, tuple[str, ...]] = {}
    for entry in tomllib.loads(text).values():
        for column in entry["columns"]:
            found[column] = (*found.get(column, ()), *entry["stems"])
    return found
