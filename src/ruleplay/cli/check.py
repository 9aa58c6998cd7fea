"""`ruleplay agents`, `doctor`, `replay`, `fuzz` and `bench`: what is there, and does it hold."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from ruleplay.cli import output
from ruleplay.cli.options import AgentName, AsJson, Db, Model, SessionId
from ruleplay.foundation.errors import NotFound, Unavailable, UserError

if TYPE_CHECKING:
    from ruleplay.foundation.agent import AnyAgent
    from ruleplay.foundation.events import Json

    class Report(Protocol):
        """What a check or a benchmark returns: a pydantic model."""

        def model_dump(self, *, mode: str) -> Json:
            """Return it as JSON."""

    Progress = Callable[[int, int], None]
    Benchmark = Callable[..., Awaitable[Report]]

BROKEN = 1
BENCHMARKS = {
    "turn": (
        "ruleplay.cli.benchmarks.turn:bench_turn",
        "what a turn costs, early and late",
        "turns",
    ),
    "server": (
        "ruleplay.cli.benchmarks.server:bench_server",
        "what readers of a session cost, and how soon they read the model's words",
        "turns",
    ),
    "parts": (
        "ruleplay.agents.parts.bench.report:bench_parts",
        "ids, customers' words, catalog lookups and turns of parts",
        "data",
    ),
    "parts-subject": (
        "ruleplay.agents.parts.bench.subjects:bench_subjects",
        "whether answers of parts are about what was asked, over generated dialogues",
        "turns",
    ),
    "battle": (
        "ruleplay.agents.battle.bench.guesses:bench_guesses",
        "damage ranges and guessed sets, held against real battles",
        "turns",
    ),
    "raid": (
        "ruleplay.agents.raid.bench.import_speed:bench_raid",
        "how fast a combat log is imported, and in how much memory",
        "data",
    ),
    "raid-truth": (
        "ruleplay.agents.raid.bench.truth:bench_truth",
        "the tools' numbers about a log against a second count of its lines",
        "data",
    ),
    "raid-mutations": (
        "ruleplay.agents.raid.bench.mutations:bench_mutations",
        "what becomes of a log's lines when they are damaged at random",
        "data turns",
    ),
    "raid-questions": (
        "ruleplay.agents.raid.bench.asking:bench_questions",
        "what raids ask, answered on nights whose truth is known",
        "turns",
    ),
    "saga": (
        "ruleplay.agents.saga.bench.report:bench_saga",
        "turns, engine and prompts of one long saga, and how hard its fights are",
        "turns",
    ),
    "party": (
        "ruleplay.agents.party.bench.report:bench_party",
        "turns, prompts and state of one long game at a table",
        "turns",
    ),
}
"""Benchmarks by name: where they are, what they measure, and the options each takes."""


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
    """Return the Mermaid drawing of the graph that an agent's demo session runs."""
    drawing: str = agent.build_graph(agent.demo()).get_graph().draw_mermaid()
    return drawing


def doctor(db: Db = "", model: Model = "", as_json: AsJson = False) -> None:
    """Say what works here, and what to do about the rest.

    Exits with 5 when something that is configured is broken.
    """
    from ruleplay.cli.diagnosis import examine
    from ruleplay.cli.hosting import configured

    rows = asyncio.run(examine(configured(db, model)))
    broken = any(row.state == "broken" for row in rows)
    if as_json:
        output.print_json({"ok": not broken, "rows": [row.model_dump() for row in rows]})
    else:
        shown = [(row.name, row.state, row.detail, row.advice) for row in rows]
        output.print_table(("what", "state", "found", "what to do"), shown)
    if broken:
        raise typer.Exit(5)


def replay(id: SessionId, db: Db = "", as_json: AsJson = False) -> None:  # noqa: A002
    """Run a session again from its record; exit 1 when anything differs."""
    asyncio.run(_replay(id, db, as_json))


async def _replay(id: str, db: str, as_json: bool) -> None:  # noqa: A002
    from ruleplay.cli.hosting import hosting
    from ruleplay.foundation.replay import replay as replay_session

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
    """Attack an agent with a hostile model; exit 1 when a guarantee was broken."""
    from ruleplay.catalog import find_agent
    from ruleplay.foundation.fuzz import fuzz as fuzz_agent

    chosen = find_agent(agent)
    with output.Bar(f"fuzzing {agent}") as bar:
        report = asyncio.run(
            fuzz_agent(
                chosen, turns=turns, seed=seed, on_progress=lambda done: bar.advance(done, turns)
            )
        )
    _report(report.model_dump(mode="json"), as_json)
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
    """Run a benchmark, or list those there are."""
    if not name:
        _list_benchmarks(as_json)
        return
    if name not in BENCHMARKS:
        raise NotFound(f"no benchmark {name!r}; there are {', '.join(BENCHMARKS)}")
    where, _, takes = BENCHMARKS[name]
    wanted = {"turns": turns, "data": data or file}
    given = {option: value for option, value in wanted.items() if value is not None}
    for option in given.keys() - {*takes.split()}:
        raise UserError(f"benchmark {name!r} takes no --{option}")
    run = load(where)
    with output.Bar(f"measuring {name}") as bar:
        report = asyncio.run(_awaited(run(**given, on_progress=bar.advance)))
    _report(report.model_dump(mode="json"), as_json)


def _list_benchmarks(as_json: bool) -> None:
    if as_json:
        told: list[Json] = [{"name": n, "measures": entry[1]} for n, entry in BENCHMARKS.items()]
        output.print_json({"benchmarks": [*told]})
    else:
        output.print_table(("benchmark", "measures"), [(n, e[1]) for n, e in BENCHMARKS.items()])


def load(where: str) -> Benchmark:
    """Return the async function at `module:name`; Unavailable names a package it needs."""
    from ruleplay.catalog import find_agent

    package, _, inside = where.partition(".agents.")
    if package == "ruleplay" and inside:
        find_agent(inside.partition(".")[0])  # names the agent's extra
    try:
        found: Benchmark = resolve_name(where)
    except ModuleNotFoundError as error:
        raise Unavailable(
            f"{where.partition(':')[0]} needs {error.name!r}, not installed"
        ) from error
    return found


async def _awaited(report: Awaitable[Report]) -> Report:
    return await report


def _report(body: Json, as_json: bool) -> None:
    output.print_json(body) if as_json else output.print_fields(body)
