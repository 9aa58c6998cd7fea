"""Which agents there are, and the way in for Python users."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points

from ruleplay.foundation.errors import NotFound, Unavailable, UserError
from ruleplay.foundation.host import AnyAgent

ENTRY_POINTS = "ruleplay.agents"
"""The entry-point group under which other distributions register an `Agent` instance."""


def agent_names() -> tuple[str, ...]:
    """Return the names of the agents that ship here and of those that others registered."""
    others = {point.name for point in entry_points(group=ENTRY_POINTS)} - {"parts"}
    return ("parts", *sorted(others))


@cache
def find_agent(name: str) -> AnyAgent:
    """Return an agent by name; NotFound lists those there are, Unavailable names a missing extra."""
    try:
        match name:
            case "parts":
                from ruleplay.agents.parts.agent import AGENT as PARTS

                return PARTS
            case _:
                return _registered(name)
    except ModuleNotFoundError as error:
        raise Unavailable(
            f"agent {name!r} needs the package {error.name!r}: pip install 'ruleplay[{name}]'"
        ) from error


def _registered(name: str) -> AnyAgent:
    from ruleplay.foundation.agent import Agent

    for point in entry_points(group=ENTRY_POINTS, name=name):
        agent = point.load()
        if isinstance(agent, Agent):
            return agent
        raise UserError(f"entry point {point.value!r} is no Agent; register an instance of one")
    raise NotFound(f"no agent {name!r}; there are {', '.join(agent_names())}")
