"""The commands that need no server: `ruleplay battle review`, `sets`, `calc` and `rate`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ruleplay.agents.battle.commands.hosting import (
    DEFAULT_FORMAT,
    Engine,
    Format,
    SearchMs,
    Sets,
    known_sets,
)
from ruleplay.cli import output
from ruleplay.cli.options import AsJson
from ruleplay.errors import UserError

if TYPE_CHECKING:
    from ruleplay.agents.battle.adapters.calculator import Calculation, Question
    from ruleplay.agents.battle.adapters.replays import Replay
    from ruleplay.agents.battle.adapters.review import Review
    from ruleplay.agents.battle.domain.results import Guess


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (review, sets, calc, rate):
        app.command()(command)


def review(
    replay: Annotated[
        Path, typer.Argument(metavar="REPLAY", help="Log, saved page or our record.")
    ],
    player: Annotated[
        str, typer.Option("--player", help="Whose turns: a name, p1 or p2; ours or p1 otherwise.")
    ] = "",
    as_format: Annotated[
        Literal["md", "html"], typer.Option("--as", help="Markdown, or a page of its own.")
    ] = "md",
    out: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="Write the report there.")
    ] = None,
    search_ms: SearchMs = 200,
    turns: Annotated[
        str, typer.Option("--turns", metavar="A-B", help="Only these turns, such as 1-40.")
    ] = "",
    engine: Engine = "auto",
    as_json: AsJson = False,
) -> None:
    """Say for each of our turns what else there was, and what would have been better.

    A millisecond of search stands for a fixed number of visits, so one log has one review.
    """
    from ruleplay.agents.battle.adapters import review_page
    from ruleplay.agents.battle.adapters.replays import read_replay

    found = read_replay(replay)
    reviewed = asyncio.run(_review(found, player, search_ms, engine, _span(turns)))
    if as_json:
        output.print_json(reviewed.model_dump(mode="json"))
        return
    text = (review_page.page if as_format == "html" else review_page.markdown)(reviewed)
    if out is not None:
        _write_text(out, text)
        output.note(f"the review is in {out}")
    elif as_format == "html":
        output.write(text)
    else:
        output.print_markdown(text)


def _span(text: str) -> tuple[int, int]:
    """Parse `3-20`, `3-` or `7`; a missing end means no limit."""
    first, dash, last = text.partition("-")
    try:
        start, end = int(first or 0), int(last or 0)
    except ValueError as error:
        raise UserError(f"--turns {text!r} is no span of turns such as 1-40") from error
    return (start, end) if dash or not text else (start, start)


async def _review(
    found: Replay, player: str, search_ms: int, engine: str, turns: tuple[int, int]
) -> Review:
    from ruleplay.agents.battle.adapters.review import review_replay
    from ruleplay.agents.battle.adapters.world import World
    from ruleplay.cli.hosting import configured

    world = World(configured().home)
    with output.Bar("reviewing") as bar:
        return await review_replay(
            found,
            player,
            world,
            search_ms=search_ms,
            engine=engine,
            turns=turns,
            on_turn=bar.advance,
        )


def sets(
    species: Annotated[str, typer.Argument(metavar="SPECIES", help="Whose sets.")],
    seen: Annotated[
        list[str] | None,
        typer.Option("--seen", metavar="WHAT", help="A move, item, ability or tera type seen."),
    ] = None,
    level: Annotated[int, typer.Option(min=0, max=100, help="Its level, where it was seen.")] = 0,
    format_: Format = DEFAULT_FORMAT,
    usage: Sets = None,
    as_json: AsJson = False,
) -> None:
    """Say what a Pokémon may carry, with probabilities."""
    found = asyncio.run(_sets(species, tuple(seen or ()), level, format_, usage))
    if as_json:
        output.print_json(found.model_dump(mode="json"))
        return
    rows = [
        (f"{one.chance:.1%}", one.set.item, one.set.ability, one.set.tera, ", ".join(one.set.moves))
        for one in found.sets
    ]
    output.print_table(("chance", "item", "ability", "tera", "moves"), rows)
    if found.note:
        output.note(found.note)


async def _sets(
    species: str, seen: tuple[str, ...], level: int, battle_format: str, usage: Path | None
) -> Guess:
    from ruleplay.agents.battle.policy.seen import guess_of

    _, world, known, problem = await known_sets(battle_format, usage)
    if problem and known.own_team:
        raise UserError(problem)
    if problem:
        output.note(problem)
    return guess_of(species, seen, level, world.pool(battle_format))


def calc(
    attacker: Annotated[
        str, typer.Argument(metavar="ATTACKER", help="'Great Tusk, Choice Band, +1 atk, tera ice'.")
    ],
    move: Annotated[str, typer.Argument(metavar="MOVE", help="Its move.")],
    defender: Annotated[
        str, typer.Argument(metavar="DEFENDER", help="'Toxapex, 75%, 252 hp', in the same way.")
    ],
    on_field: Annotated[
        list[str] | None,
        typer.Option("--field", metavar="WHAT", help="Weather, terrain, room, screen."),
    ] = None,
    targets: Annotated[
        int,
        typer.Option(min=1, max=3, help="In doubles: targets in reach of a move that spreads."),
    ] = 3,
    format_: Format = DEFAULT_FORMAT,
    usage: Sets = None,
    as_json: AsJson = False,
) -> None:
    """Say what a move does, played by Showdown's own simulator.

    What is left out of a Pokémon comes from its likeliest set of the format. Knock-out chances
    count ends of turns, and leave out misses and critical hits unless a move always is one.
    """
    from ruleplay.agents.battle.adapters.calculator import Question

    asked = Question(
        attacker=attacker,
        move=move,
        defender=defender,
        field=tuple(on_field or ()),
        format=format_,
        targets=targets,
    )
    found, problem = asyncio.run(_calc(asked, usage))
    if as_json:
        output.print_json({**found.model_dump(mode="json"), "format_note": problem})
        return
    output.write(output.printable(f"{found.text}\n"))
    if problem:
        output.write(f"What was left out of a Pokémon is plain: {problem}\n")


async def _calc(asked: Question, usage: Path | None) -> tuple[Calculation, str]:
    from ruleplay.agents.battle.adapters.calculator import answer

    package, world, _, problem = await known_sets(asked.format, usage)
    return await answer(package, world.pool(asked.format), asked), problem


def rate(as_json: AsJson = False) -> None:
    """Rate everybody who played in arenas of this home, by a Bradley-Terry fit with intervals."""
    from ruleplay.agents.battle.adapters.arena_records import matches
    from ruleplay.agents.battle.domain.rating import rated
    from ruleplay.cli.hosting import configured

    found = rated(matches(configured().home))
    if as_json:
        output.print_json({"ratings": [each.model_dump(mode="json") for each in found]})
        return
    rows = [
        (
            each.name,
            f"{each.rating:+.0f}",
            f"{each.low:+.0f} to {each.high:+.0f}",
            f"{each.wins:g} of {each.battles}",
        )
        for each in found
    ]
    output.print_table(("player", "rating", "95%", "won"), rows)
    if not found:
        output.note("no arena was played here yet: `ruleplay battle arena` plays one")


def _write_text(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"--output {str(file)!r} cannot be written: {error}") from error
