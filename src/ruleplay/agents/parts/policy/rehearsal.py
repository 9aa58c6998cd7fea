"""Generates customers' messages for fuzzing and benchmarks, sensible and nonsensical ones."""

from __future__ import annotations

from functools import cache
from random import Random

from pydantic import BaseModel

from ruleplay.agents.parts.domain.tables import read_table
from ruleplay.agents.parts.state import State


class _Said(BaseModel):
    """The schema of `rehearsal.toml`."""

    models: tuple[str, ...]
    parts: tuple[str, ...]
    symptoms: tuple[str, ...]
    lines: tuple[str, ...]
    openings: tuple[str, ...]
    answers: dict[str, str]


@cache
def _said() -> _Said:
    return read_table("rehearsal.toml", _Said)


def message(state: State, rng: Random) -> str:
    """Generate a message; half of them answer the open question, some are random characters."""
    draw = rng.random()
    if draw < 0.05:
        return "".join(rng.choice("abc 123-PSW.,!?é“”\n") for _ in range(rng.randint(1, 60))) + "x"
    line = _answer(state, rng) if draw < 0.55 else rng.choice(_said().lines)
    kinds = {"model": _said().models, "part": _said().parts, "symptom": _said().symptoms}
    return line.format(**{kind: rng.choice(said) for kind, said in kinds.items()})


def _answer(state: State, rng: Random) -> str:
    """Answer as a cooperative customer would."""
    if state.goal is None or state.done:
        return rng.choice(_said().openings)
    wanted = [_said().answers[name] for name in state.missing]
    return ", ".join(wanted) or "{symptom}"
