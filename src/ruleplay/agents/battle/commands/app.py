"""The `ruleplay battle` commands: play on Showdown servers, measure strength, review battles."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ruleplay.agents.battle.commands import reviews as battle_review
from ruleplay.agents.battle.commands import setup
from ruleplay.agents.battle.commands.hosting import (
    DEFAULT_FORMAT,
    Battles,
    Engine,
    Format,
    Hold,
    Name,
    SaveReplays,
    SearchMs,
    Server,
    Sets,
    Team,
    Workers,
    installed_package,
    playing_host,
    served,
)
from ruleplay.cli import output
from ruleplay.cli.options import AsJson, Db, Model
from ruleplay.errors import Unavailable, UserError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from ruleplay.agents.battle.adapters.arena import Arena, ArenaReport, Plan
    from ruleplay.agents.battle.adapters.client import Client
    from ruleplay.agents.battle.adapters.contest import BattleResult
    from ruleplay.agents.battle.domain.standing import Standing

app = typer.Typer(name="battle", help="Pokémon Showdown battles.")
app.info.no_args_is_help = True
battle_review.add_to(app)
setup.add_to(app)


@app.command()
def server(
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port; 0 takes a free one.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Run a Showdown server on this machine alone, until Ctrl-C."""
    asyncio.run(_serve(port, as_json))


async def _serve(port: int, as_json: bool) -> None:
    from ruleplay.agents.battle.adapters.server import LocalServer
    from ruleplay.cli.hosting import configured

    package = await installed_package(configured())
    async with LocalServer(package, port) as running:
        if as_json:
            output.print_json({"url": running.url, "port": running.port})
        else:
            output.write(f"{running.url}\n")
        code = await running.wait()
    raise Unavailable(f"the Showdown server ended by itself with code {code}")


@app.command()
def arena(
    opponent: Annotated[
        str,
        typer.Option(
            "--opponent",
            help="random, maxdamage, heuristics, self, or a command that starts a bot: "
            "{server}, {name}, {user}, {format} and {battles} in it are filled in.",
        ),
    ] = "heuristics",
    battles: Battles = 20,
    concurrency: Annotated[int, typer.Option(min=1, max=32, help="Battles at once.")] = 2,
    format_: Format = DEFAULT_FORMAT,
    team: Team = None,
    sets: Sets = None,
    server_url: Annotated[
        str, typer.Option("--server", metavar="URL", help="A server that runs; else our own.")
    ] = "",
    search_ms: SearchMs = 100,
    engine: Engine = "auto",
    workers: Workers = 0,
    stop_early: Annotated[
        bool, typer.Option("--stop-early", help="Stop once it is clear who is stronger.")
    ] = False,
    save_replays: SaveReplays = None,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the battles as sessions.")] = False,
    db: Db = "",
    model: Model = "",
    as_json: AsJson = False,
) -> None:
    """Play battles against a baseline or another bot and say how strong we are."""
    from ruleplay.agents.battle.adapters.arena import OPPONENTS, Plan
    from ruleplay.agents.battle.adapters.player import PlaySettings

    known = next((each for each in OPPONENTS if each == opponent), None)
    plan = Plan(
        opponent=known or "self",
        command="" if known else _command(opponent),
        stop_early=stop_early,
        battles=battles,
        concurrency=concurrency,
        format=format_,
        packed=_packed(team),
        play=PlaySettings(search_ms=search_ms, engine=engine, workers=workers),
        replays=save_replays,
    )
    report = asyncio.run(_arena(plan, server_url, db, model, keep, sets))
    body = report.model_dump(mode="json")
    output.print_json(body) if as_json else output.print_fields(body)


def _command(text: str) -> str:
    """Check a bot's command; a single word that is no program is taken for a misspelt baseline."""
    from shutil import which

    words = text.split()
    if not words or (len(words) == 1 and which(words[0]) is None):
        raise UserError(
            f"--opponent {text!r} is neither random, maxdamage, heuristics or self nor a command"
        )
    return text


async def _arena(
    plan: Plan, url: str, db: str, model: str, keep: bool, sets: Path | None
) -> ArenaReport:
    from ruleplay.agents.battle.adapters.arena import Arena
    from ruleplay.agents.battle.adapters.arena_records import keep_arena
    from ruleplay.agents.battle.adapters.connection import server_url
    from ruleplay.agents.battle.adapters.world import format_problem

    hosting = playing_host(
        db, model, keep=keep, battle_format=plan.format, packed=plan.packed, sets=sets
    )
    async with hosting as (host, world):
        playing = world.engine(plan.play.engine, plan.format)
        if plan.play.engine == "auto" and (problem := format_problem(plan.format)):
            output.note(problem)
        if plan.play.search_ms:
            await world.warm(plan.format, playing)
        async with served(host.settings, url) as at:
            running = Arena(host, plan, server_url(at), playing)
            report = await _shown(running)
            won = [outcome.won for outcome in running.outcomes]
            await asyncio.to_thread(keep_arena, host.settings.home, report, won)
    _warn(running, report)
    return report


async def _shown(running: Arena) -> ArenaReport:
    """Play an arena with a progress bar that shows the standing."""
    total = running.plan.battles
    with output.Bar(f"battles against {running.plan.against}", total) as bar:

        async def on_battle(outcome: BattleResult, standing: Standing) -> None:
            bar.label(f"against {running.plan.against}: {standing.words}")
            bar.advance(standing.battles, total)

        return await running.play(on_battle)


def _warn(running: Arena, report: ArenaReport) -> None:
    output.note(f"{running.standing.words}; {report.decisions} decisions by {report.engine}")
    if running.timer_losses:
        output.note(f"{running.timer_losses} battles were lost on time")
    if running.plan.replays:
        output.note(f"replays are in {running.plan.replays}")


@app.command()
def ladder(
    battles: Battles = 1,
    format_: Format = DEFAULT_FORMAT,
    team: Team = None,
    sets: Sets = None,
    server_url: Server = "showdown",
    name: Name = "",
    search_ms: SearchMs = 1_000,
    engine: Engine = "auto",
    workers: Workers = 0,
    hold: Hold = 0,
    save_replays: SaveReplays = None,
    db: Db = "",
    model: Model = "",
    as_json: AsJson = False,
) -> None:
    """Play rated battles against whomever the server finds."""
    asyncio.run(_play(lambda client: client.ladder(), **locals()))


@app.command()
def challenge(
    user: Annotated[str, typer.Argument(metavar="USER", help="Whom to challenge.")],
    battles: Battles = 1,
    format_: Format = DEFAULT_FORMAT,
    team: Team = None,
    sets: Sets = None,
    server_url: Server = "showdown",
    name: Name = "",
    search_ms: SearchMs = 1_000,
    engine: Engine = "auto",
    workers: Workers = 0,
    hold: Hold = 0,
    save_replays: SaveReplays = None,
    db: Db = "",
    model: Model = "",
    as_json: AsJson = False,
) -> None:
    """Challenge a user to battles."""
    asyncio.run(_play(lambda client: client.challenge(user), **locals()))


@app.command()
def accept(
    user: Annotated[str, typer.Option("--user", help="Only challenges of this user.")] = "",
    battles: Battles = 1,
    format_: Format = DEFAULT_FORMAT,
    team: Team = None,
    sets: Sets = None,
    server_url: Server = "showdown",
    name: Name = "",
    search_ms: SearchMs = 1_000,
    engine: Engine = "auto",
    workers: Workers = 0,
    hold: Hold = 0,
    save_replays: SaveReplays = None,
    db: Db = "",
    model: Model = "",
    as_json: AsJson = False,
) -> None:
    """Wait for challenges and play them."""
    asyncio.run(_play(lambda client: client.accept(user), **locals()))


async def _play(
    begin: Callable[[Client], Awaitable[BattleResult]],
    *,
    battles: int,
    format_: str,
    team: Path | None,
    sets: Path | None,
    server_url: str,
    name: str,
    search_ms: int,
    engine: str,
    workers: int,
    hold: float,
    save_replays: Path | None,
    db: str,
    model: str,
    as_json: bool,
    user: str = "",
) -> None:
    """Play battles one after another, and print each result as it ends."""
    from ruleplay.agents.battle.adapters.account import chosen_account
    from ruleplay.agents.battle.adapters.connection import Connection
    from ruleplay.agents.battle.adapters.connection import server_url as address
    from ruleplay.agents.battle.adapters.player import PlaySettings
    from ruleplay.agents.battle.adapters.seat import Seat
    from ruleplay.system.loopback import is_loopback_url

    url, packed = address(server_url), _packed(team)
    play = PlaySettings(search_ms=search_ms, engine=engine, workers=workers, hold=hold)
    hosting = playing_host(db, model, keep=True, battle_format=format_, packed=packed, sets=sets)
    async with hosting as (host, _):
        account = chosen_account(host.settings, name, local=is_loopback_url(url))
        seat = Seat.at(Connection(url, account), host, play, format=format_, packed=packed)
        async with seat.client as client:
            output.note(f"logged in as {client.name} at {client.connection.url}")
            for outcome in [await seat.resumed(room) for room in seat.running()]:
                _print_outcome(outcome, seat.sessions.get(outcome.room, ""), as_json)
            for _ in range(battles):
                outcome = await begin(client)
                await seat.save(outcome, save_replays)
                _print_outcome(outcome, seat.sessions.get(outcome.room, ""), as_json)


def _print_outcome(outcome: BattleResult, session: str, as_json: bool) -> None:
    result = {True: "win", False: "loss", None: "tie"}[outcome.won]
    if as_json:
        output.print_json(
            {
                "battle": outcome.room,
                "session": session,
                "result": result,
                "opponent": outcome.opponent,
                "turns": outcome.turns,
                "decisions": outcome.tally.decisions,
                "invalid_choices": outcome.tally.invalid,
                "unavailable_choices": outcome.tally.unavailable,
                "fallbacks": outcome.tally.fallbacks,
            }
        )
    else:
        output.write(
            output.printable(f"{result} against {outcome.opponent} after {outcome.turns} turns\n")
        )
        output.note(f"session {session}; `ruleplay session show {session}`")


def _packed(team: Path | None) -> str:
    if team is None:
        return ""
    from ruleplay.agents.battle.adapters.teams import read_team

    return read_team(team)
