"""The tool specifications: what each tool answers, its arguments and what its numbers mean."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files

from ruleplay.agents.raid.domain import arguments
from ruleplay.agents.raid.domain.metrics import metrics, sided
from ruleplay.agents.raid.domain.tool_result import Metric


@dataclass(frozen=True)
class ToolSpec:
    """A tool as described to models and planners."""

    name: str
    description: str
    arguments: type[arguments.Arguments]
    metrics: tuple[Metric, ...] = ()
    shows: tuple[str, ...] = ()
    leads: tuple[str, ...] = ()
    marks: frozenset[str] = frozenset()
    calls: Mapping[str, str] = field(default_factory=dict)


def _specs() -> Iterator[ToolSpec]:
    text = files("ruleplay.agents.raid.domain").joinpath("toolbox.toml").read_text("utf-8")
    for name, told in tomllib.loads(text).items():
        given: list[Mapping[str, str]] = told.get("numbers", [])
        numbers = tuple(metric for one in given for metric in metrics(**one))
        numbers += sided(told.get("sides", ""))
        yield ToolSpec(
            name,
            told["tells"],
            getattr(arguments, told["takes"]),
            numbers,
            shows=tuple(told.get("shows", "").split()),
            leads=tuple(told.get("leads", "").split()),
            marks=frozenset(told.get("is", "").split()),
            calls=told.get("calls", {}),
        )


SPECS = tuple(_specs())
"""Every tool, in the order used by prompts and help."""
BY_NAME = {spec.name: spec for spec in SPECS}
