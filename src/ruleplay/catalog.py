"""Which agents there are, and the way in for Python users."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from ruleplay.foundation.errors import NotFound, Unavailable, UserError
from ruleplay.foundation.events import Json
from ruleplay.foundation.host import Host
from ruleplay.foundation.session import Session
from ruleplay.foundation.settings import Settings

if TYPE_CHECKING:
    from ruleplay.foundation.agent import AnyAgent

SHIPPED = ("battle", "raid", "parts", "saga", "party")
"""The agents that ship here, in the order in which they are listed."""
ENTRY_POINTS = "ruleplay.agents"
"""The entry-point group under which other distributions register an `Agent` instance."""


def agent_names() -> tuple[str, ...]:
    """Return the names of the agents that ship here and of those that others registered."""
    others = {point.name for point in entry_points(group=ENTRY_POINTS)} - set(SHIPPED)
    return (*SHIPPED, *sorted(others))


@cache
def find_agent(name: str) -> AnyAgent:
    """Return an agent by name; NotFound lists the agents, Unavailable names a missing extra."""
    try:
        match name:
            case "battle":
                from ruleplay.agents.battle.agent import AGENT as BATTLE

                return BATTLE
            case "parts":
                from ruleplay.agents.parts.agent import AGENT as PARTS

                return PARTS
            case "party":
                from ruleplay.agents.party.agent import AGENT as PARTY

                return PARTY
            case "raid":
                from ruleplay.agents.raid.agent import AGENT as RAID

                return RAID
            case "saga":
                from ruleplay.agents.saga.agent import AGENT as SAGA

                return SAGA
            case _:
                return _registered(name)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("ruleplay"):
            raise
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


def describe_agents() -> list[Json]:
    """Return every agent's name, title, seats and whether it can be used here, as JSON."""
    return [_describe(name) for name in agent_names()]


def _describe(name: str) -> Json:
    try:
        agent = find_agent(name)
    except (Unavailable, UserError) as error:
        return {"name": name, "title": name, "seats": [], "config": {}, "problem": str(error)}
    schema: Json = agent.config_type.model_json_schema()
    seats = list(agent.seats)
    return {"name": name, "title": agent.title, "seats": [*seats], "config": schema, "problem": ""}


async def open_session(
    agent: str,
    *,
    session: str = "",
    model: str = "",
    config: Json | None = None,
    settings: Settings | None = None,
) -> Session:
    """Open a session of an agent for Python code: a new one, or the one whose id is given.

    `model` is a model string such as `rules` or `openai:gpt-5-mini`. Use it as an async context
    manager, or call `close()`.
    """
    chosen = settings or Settings()
    if model:
        chosen = chosen.model_copy(update={"model": model})
    host = await Host.open(chosen, find_agent)
    try:
        if not session:
            session = (await host.create(agent, config)).id
        head, _ = await host.store.read(session)
        if head.agent != agent:
            raise UserError(f"session {session!r} belongs to agent {head.agent!r}, not {agent!r}")
    except BaseException:
        await host.close()
        raise
    return Session(host, session, owns_host=True)
