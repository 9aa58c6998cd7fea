"""Which agents there are, and the way in for Python users."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, lru_cache
from importlib.metadata import entry_points
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from ruleplay.errors import NotFound, Unavailable, UserError

if TYPE_CHECKING:
    from ruleplay.kernel.agent import AnyAgent
    from ruleplay.kernel.host import FindAgent
    from ruleplay.kernel.session import Session
    from ruleplay.records.events import Json
    from ruleplay.settings import Settings

SHIPPED = Path(__file__).parent / "agents"
ENTRY_POINTS = "ruleplay.agents"
"""The entry-point group under which other distributions register an `Agent` instance."""


@cache
def shipped_names() -> tuple[str, ...]:
    """Return the names of the agents that ship here: each is a folder with an `agent.py`."""
    return tuple(sorted(file.parent.name for file in SHIPPED.glob("*/agent.py")))


def other_names() -> tuple[str, ...]:
    """Return the names of the agents that other distributions registered."""
    return _names_on(tuple(sys.path))


@lru_cache(maxsize=8)
def _names_on(_path: tuple[str, ...]) -> tuple[str, ...]:
    # Every distribution's files are read for it, which takes 20 ms.
    return tuple(
        sorted({point.name for point in entry_points(group=ENTRY_POINTS)} - {*shipped_names()})
    )


def agent_names() -> tuple[str, ...]:
    """Return the names of the agents that ship here and of those that others registered."""
    return (*shipped_names(), *other_names())


def package_of(name: str) -> str:
    """Return the package that an agent's `agent.py` stands in; empty where it is one module."""
    if name in shipped_names():
        return f"ruleplay.agents.{name}"
    for point in entry_points(group=ENTRY_POINTS, name=name):
        package, _, module = point.module.rpartition(".")
        return package if module == "agent" else ""
    return ""


def usable_agents(find: FindAgent | None = None) -> Iterator[AnyAgent]:
    """Return the agents that can be used here; what the others lack, `describe_agents` tells."""
    for name in agent_names():
        with suppress(NotFound, Unavailable, UserError):
            yield (find or find_agent)(name)


@cache
def find_agent(name: str) -> AnyAgent:
    """Return an agent by name; NotFound lists the agents, Unavailable names a missing extra."""
    try:
        if name in shipped_names():
            shipped: AnyAgent = resolve_name(f"ruleplay.agents.{name}.agent:AGENT")
            return shipped
        return _registered(name)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("ruleplay"):
            raise
        needed = f"agent {name!r} needs the package {error.name!r}"
        extra = (
            f": pip install 'ruleplay[{name}]'" if name in shipped_names() else ", not installed"
        )
        raise Unavailable(f"{needed}{extra}") from error


def _registered(name: str) -> AnyAgent:
    from ruleplay.kernel.agent import Agent

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
        return {
            "name": name,
            "title": name,
            "seats": [],
            "config": {},
            "page": False,
            "problem": str(error),
        }
    return _described(name, agent)


@cache  # every page asks, and a schema takes milliseconds
def _described(name: str, agent: AnyAgent) -> Json:
    schema: Json = agent.config_type.model_json_schema()
    seats = list(agent.seats)
    return {
        "name": name,
        "title": agent.title,
        "seats": [*seats],
        "config": schema,
        "page": agent.page is not None,
        "problem": "",
    }


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
    from ruleplay.kernel.host import Host
    from ruleplay.kernel.session import Session
    from ruleplay.settings import Settings

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
