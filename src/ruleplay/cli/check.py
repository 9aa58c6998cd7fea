"""`ruleplay agents`, `doctor`, `replay`, `fuzz` and `bench`: inspection and verification."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from ruleplay.catalog import agent_names, find_agent, usable_agents
from ruleplay.cli import output
from ruleplay.cli.coroutines import awaited
from ruleplay.cli.options import AgentName, AsJson, Db, Model, SessionId
from ruleplay.errors import NotFound, Unavailable, UserError
from ruleplay.kernel.offers import Benchmark

if TYPE_CHECKING:
    from ruleplay.kernel.agent import AnyAgent
    from ruleplay.records.events import Json

    class Report(Protocol):
        """The result of a check or benchmark, a pydantic model."""

        def model_dump(self, *, mode: str) -> Json:
            """Convert it to JSON."""

    Progress = Callable[[int, int], None]
    Measure = Callable[..., Awaitable[Report]]

BROKEN = 1
CHECKOUT = Path(__file__).parents[3]
"""The root of the source checkout, which has the benchmarks; wheels do not contain them."""
OWN = (
    Benchmark(
        "turn",
        "benchmarks.turn:bench_turn",
        "what a turn costs, early and late",
    ),
    Benchmark(
        "server",
        "benchmarks.server:bench_server",
        "what readers of a session cost, and how soon the model's words reach them",
    ),
)
"""Benchmarks that do not belong to an agent."""


def benchmarks() -> dict[str, Benchmark]:
    """Collect the benchmarks by name: the general ones, and those of the agents."""
    brought = (found for agent in usable_agents() for found in agent.benchmarks())
    return {found.name: found for found in (*OWN, *brought)}


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (agents, doctor, replay, fuzz, bench):
        app.command()(command)


def agents(
    graph: Annotated[
        str, typer.Option("--graph", metavar="AGENT", help="Print an agent's graph as Mermaid.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """List the agents, or draw one's graph."""
    from ruleplay.catalog import describe_agents, find_agent

    if graph:
        drawing = draw(find_agent(graph))
        output.print_json({"agent": graph, "mermaid": drawing}) if as_json else output.write(
            drawing
        )
        return
    found = describe_agents()
    if as_json:
        output.print_json({"agents": [*found]})
        return
    rows = [(str(a["name"]), str(a["title"]), str(a["problem"] or "ready")) for a in found]
    output.print_table(("agent", "title", "state"), rows)


def draw(agent: AnyAgent) -> str:
    """Draw the graph of an agent's demo session as Mermaid."""
    return agent.build_graph(agent.demo()).mermaid()


def doctor(db: Db = "", model: Model = "", as_json: AsJson = False) -> None:
    """Check this installation: what works, and what to do about the rest.

    Exits with 5 if something that is configured is broken.
    """
    from ruleplay.cli.diagnosis import examine
    from ruleplay.cli.hosting import configured

    rows = asyncio.run(examine(configured(db, model)))
    if output.print_findings(rows, as_json):
        raise typer.Exit(5)


@awaited
async def replay(id: SessionId, db: Db = "", as_json: AsJson = False) -> None:  # noqa: A002
    """Replay a session from its record; exit 1 if anything differs."""
    from ruleplay.cli.hosting import hosting
    from ruleplay.kernel.replay import replay as replay_session

    async with hosting(db) as host:
        replayed = await replay_session(host, id)
    _report(replayed.model_dump(mode="json"), as_json)
    if not replayed.identical:
        raise typer.Exit(BROKEN)


def fuzz(
    agent: AgentName,
    turns: Annotated[int, typer.Option(min=1, help="Turns to play.")] = 1_000,
    seed: Annotated[int, typer.Option(help="Seed of everything random.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Attack an agent with a hostile model; exit 1 if it breaks a guarantee."""
    from ruleplay.adversary.fuzz import fuzz as fuzz_agent
    from ruleplay.catalog import find_agent

    chosen = find_agent(agent)
    with output.Bar(f"fuzzing {agent}") as bar:
        report = asyncio.run(
            fuzz_agent(
                chosen, turns=turns, seed=seed, on_progress=lambda done: bar.advance(done, turns)
            )
        )
    _report(report.model_dump(mode="json"), as_json)
    if not report.lies_planted:
        output.note(
            "no lie was planted: fuzzing lies about tables with an `owner`, the `facts` of tell()"
        )
    if report.broken:
        raise typer.Exit(BROKEN)


def bench(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="Benchmark; none lists them.")] = "",
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="Short for --data FILE.")
    ] = None,
    turns: Annotated[int | None, typer.Option(min=1, help="Turns to measure.")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder with real inputs.")] = None,
    as_json: AsJson = False,
) -> None:
    """Run a benchmark, or list them all."""
    if not name:
        _list_benchmarks(as_json)
        return
    there = {found.name: found for found in OWN}
    if name not in there:
        there = benchmarks()
    if name not in there:
        if (agent := name.partition("-")[0]) in agent_names():
            find_agent(agent)  # says which extra its benchmarks need, where one is missing
        raise NotFound(f"no benchmark {name!r}; there are {', '.join(there)}")
    where, takes = there[name].where, there[name].takes
    wanted = {"turns": turns, "data": data or file}
    given = {option: value for option, value in wanted.items() if value is not None}
    for option in given.keys() - {*takes.split()}:
        raise UserError(f"benchmark {name!r} takes no --{option}")
    run = load(where)
    with output.Bar(f"measuring {name}") as bar:
        report = asyncio.run(_awaited(run(**given, on_progress=bar.advance)))
    _report(report.model_dump(mode="json"), as_json)


def _list_benchmarks(as_json: bool) -> None:
    there = benchmarks().values()
    if as_json:
        told: list[Json] = [{"name": found.name, "measures": found.measures} for found in there]
        output.print_json({"benchmarks": [*told]})
    else:
        output.print_table(("benchmark", "measures"), [(f.name, f.measures) for f in there])


def load(where: str) -> Measure:
    """Import the async function at `module:name`; Unavailable names a missing package."""
    if (CHECKOUT / "benchmarks").is_dir() and str(CHECKOUT) not in sys.path:
        sys.path.append(str(CHECKOUT))
    try:
        found: Measure = resolve_name(where)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "benchmarks":
            raise Unavailable(
                "the benchmarks come with the source code of Ruleplay; run this in a checkout of it"
            ) from error
        raise Unavailable(
            f"{where.partition(':')[0]} needs {error.name!r}, not installed"
        ) from error
    return found


async def _awaited(report: Awaitable[Report]) -> Report:
    return await report


def _report(body: Json, as_json: bool) -> None:
    output.print_json(body) if as_json else output.print_fields(body)
