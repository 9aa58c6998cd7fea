"""Inspects an agent's package for `ruleplay check`: what it has, lacks, and what is broken."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from pkgutil import resolve_name
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from ruleplay.catalog import ENTRY_POINTS
from ruleplay.system.finding import Finding

if TYPE_CHECKING:
    from ruleplay.kernel.agent import AnyAgent
    from ruleplay.records.turns import Turn

SEED = 7
OPTIONAL = {"dbos": "durable", "mcp": "mcp"}
"""Packages that parts of an agent may need → the extra that installs each."""


def inspect(agent: AnyAgent) -> Iterator[Finding]:
    """Check the agent itself, then each optional part."""
    for name, look in (
        ("name", _name),
        ("state and view", _state),
        ("graph", _graph),
        ("rehearsal", _rehearsal),
        ("rules", _rules),
        ("commands", _commands),
        ("routes", _routes),
        ("jobs", _jobs),
        ("benchmarks", _benchmarks),
        ("tools", _tools),
        ("page", _page),
    ):
        yield _looked(name, look, agent)


def _looked(name: str, look: Callable[[AnyAgent], Finding], agent: AnyAgent) -> Finding:
    try:
        return look(agent).model_copy(update={"name": name})
    except ModuleNotFoundError as error:
        if error.name in OPTIONAL:
            return _needs(name, error.name)
        return _broken(name, error)
    except Exception as error:  # noqa: BLE001 - any error in the agent's code is a finding
        return _broken(name, error)


def _broken(name: str, error: Exception) -> Finding:
    told = f"{type(error).__name__}: {error}"
    return Finding(name=name, state="broken", detail=told, advice="fix it, then check again")


def _needs(name: str, package: str) -> Finding:
    detail = f"needs the package {package!r}, which is not installed here"
    advice = f'pip install "ruleplay[{OPTIONAL[package]}]", then check again'
    return Finding(name=name, state="missing", detail=detail, advice=advice)


def _found(detail: str) -> Finding:
    return Finding(name="", state="ok", detail=detail)


def _lacks(advice: str) -> Finding:
    return Finding(name="", state="missing", advice=advice)


def _name(agent: AnyAgent) -> Finding:
    module = type(agent).__module__
    known = [one.name for one in entry_points(group=ENTRY_POINTS) if one.module == module]
    if known and agent.name not in known:
        raise ValueError(f"entry point {known[0]!r} holds agent {agent.name!r}; call both the same")
    return _found(agent.name)


def _state(agent: AnyAgent) -> Finding:
    state = agent.new(agent.demo(), Random(SEED))
    for seat in agent.seats_of(state):
        json.dumps(agent.view(state, seat), allow_nan=False)
    again = agent.state_type.model_validate_json(state.model_dump_json())
    if again != state:
        raise ValueError("the state changes when it is stored and loaded again")
    return _found(f"seats: {', '.join(agent.seats_of(state))}")


def _graph(agent: AnyAgent) -> Finding:
    agent.build_graph(agent.demo())
    return _found(f"{len(agent.events)} kinds of event")


def _rehearsal(agent: AnyAgent) -> Finding:
    try:
        turn = asyncio.run(_rehearsed(agent))
    except NotImplementedError:
        return _lacks("write rehearse(): without it nothing can be fuzzed")
    if not any(text.strip() for text in (turn.reply, *(aside.text for aside in turn.asides))):
        raise ValueError(f"{turn.given.message!r} is answered with nothing: return a reply")
    return _found("a turn without a model")


async def _rehearsed(agent: AnyAgent) -> Turn:
    """Play a turn of the demo, without a model."""
    from ruleplay.kernel.host import Host
    from ruleplay.kernel.turn import run_turn
    from ruleplay.settings import Settings

    with TemporaryDirectory(prefix="ruleplay-check-") as folder:
        settings = Settings(home=Path(folder), db="", model="rules")
        host = await Host.open(settings, lambda name: agent)
        try:
            config = agent.demo().model_dump(mode="json")
            head = await host.create(agent.name, config, seed=str(SEED))
            state, _number = await host.state(head, head.head)
            seat, given = agent.rehearse_seat(state, Random(SEED))
            return await run_turn(host, head.id, given, seat=seat)
        finally:
            await host.close()


def _rules(agent: AnyAgent) -> Finding:
    from ruleplay.kernel.agent import Agent

    if type(agent).problems is Agent.problems and (
        type(agent).problems_told is Agent.problems_told
    ):
        return _lacks("write problems(): fuzz then knows which rules a turn broke")
    return _found("")


def _commands(agent: AnyAgent) -> Finding:
    from typer.core import TyperGroup
    from typer.main import get_command

    if not (app := agent.commands()):
        return _lacks("a Typer app in commands/app.py, if it does what no other agent does")
    group = get_command(app)
    named = group.commands if isinstance(group, TyperGroup) else [group.name or ""]
    return _found(", ".join(named))


def _routes(agent: AnyAgent) -> Finding:
    routes = agent.routes()
    if routes is None:
        return _lacks("an APIRouter in routes/router.py, if its page asks for more than views")
    paths = [path for route in routes.routes if (path := str(getattr(route, "path", "")))]
    if strange := [path for path in paths if not path.startswith("/api/")]:
        raise ValueError(f"{strange[0]} is not below /api/")
    return _found(", ".join(paths))


def _jobs(agent: AnyAgent) -> Finding:
    for offer in (offers := agent.jobs()):
        if (kind := resolve_name(offer.where)).name != offer.name:
            raise ValueError(f"{offer.where} is called {kind.name!r}, not {offer.name!r}")
    return _found(", ".join(o.name for o in offers)) if offers else _lacks("jobs(), for long work")


def _benchmarks(agent: AnyAgent) -> Finding:
    for one in (there := agent.benchmarks()):
        resolve_name(one.where)
    return _found(", ".join(o.name for o in there)) if there else _lacks("benchmarks(), to measure")


def _tools(agent: AnyAgent) -> Finding:
    there = agent.tools().tools
    for tool in there:
        tool.arguments.model_json_schema()
    named = ", ".join(tool.name for tool in there)
    return _found(named) if there else _lacks("tools(), for other programs' models")


def _page(agent: AnyAgent) -> Finding:
    if agent.page is None:
        return _lacks(f"page/{agent.name}.js; without it the page shows a readable tree")
    return _found(", ".join(sorted(file.name for file in agent.page.rglob("*.js"))))
