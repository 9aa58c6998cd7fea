"""`ruleplay session`: list, show and export sessions, and move in their trees."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from ruleplay.cli import output
from ruleplay.cli.coroutines import awaited
from ruleplay.cli.inputs import read_text
from ruleplay.cli.options import AsJson, Db, Model, Seat, SessionId

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from ruleplay.kernel.comparison import ComparedBranch
    from ruleplay.kernel.host import Host
    from ruleplay.records.turns import Head, Turn

    Move = Callable[[Host], Awaitable[Head]]
    Start = Callable[[Host], Awaitable[asyncio.Task[Turn]]]

app = typer.Typer(name="session", help="Show sessions and move in their trees.")
app.info.no_args_is_help = True

TurnNumber = Annotated[int, typer.Option("--turn", min=1, help="Turn number on this branch.")]
Key = Annotated[str | None, typer.Option("--key", help="Idempotency key.")]


class Format(StrEnum):
    """The formats of an export."""

    MD = "md"
    JSON = "json"
    LOG = "log"


@app.command("list")
@awaited
async def list_(
    limit: Annotated[int, typer.Option(min=1, help="How many, newest first.")] = 100,
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """List sessions, most recently changed first."""
    from ruleplay.cli.hosting import hosting
    from ruleplay.kernel.session import head_json

    async with hosting(db) as host:
        heads = await host.store.recent(limit)
    if as_json:
        output.print_json({"sessions": [head_json(head) for head in heads]})
        return
    rows = [(h.id, h.agent, h.title, str(h.number), f"{h.updated:%Y-%m-%d %H:%M}") for h in heads]
    output.print_table(("session", "agent", "title", "turns", "changed (UTC)"), rows)


@app.command()
@awaited
async def show(
    id: SessionId,  # noqa: A002  # the name on the command line
    seat: Seat = "",
    tree: Annotated[bool, typer.Option("--tree", help="Draw the branches.")] = False,
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """Show a session: its turns on the current branch and the view, or the tree of its branches."""
    from ruleplay.cli.hosting import hosting
    from ruleplay.cli.trees import print_tree
    from ruleplay.kernel.export import export_markdown
    from ruleplay.kernel.session import Session, session_json

    async with hosting(db) as host:
        session = Session(host, id)
        if as_json:
            output.print_json(await session_json(session, seat))
        elif tree:
            await print_tree(session)
        else:
            output.print_markdown(await export_markdown(session, seat))
            output.print_fields({"view": await session.view(seat)})


@app.command()
@awaited
async def undo(id: SessionId, db: Db = "", as_json: AsJson = False) -> None:  # noqa: A002
    """Undo the last turn; it stays in the tree."""
    await _move(lambda host: host.undo(id), db, as_json)


@app.command()
@awaited
async def goto(
    id: SessionId,  # noqa: A002
    turn: Annotated[str, typer.Argument(metavar="TURN", help="Turn id, as `show --tree` prints.")],
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """Continue from any turn of the session's tree."""
    await _move(lambda host: host.go_to(id, turn), db, as_json)


@app.command()
@awaited
async def compare(
    id: SessionId,  # noqa: A002
    turn: Annotated[str, typer.Argument(metavar="TURN", help="Turn id, as `show --tree` prints.")],
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """Compare another branch with the current one; `goto` continues from there."""
    from ruleplay.cli.hosting import hosting
    from ruleplay.kernel.comparison import compared
    from ruleplay.kernel.session import Session

    async with hosting(db) as host:
        session = Session(host, id)
        found = await compared(session, (await session.head()).head or turn, turn)
    if as_json:
        output.print_json(found.model_dump(mode="json"))
        return
    rows = [(f"{d.name} {d.what}".strip(), d.one, d.other) for d in found.differences]
    here, there = found.branches
    for at in sorted({turn.number for turn in (*here.turns, *there.turns)}):
        rows.append((f"turn {at}", _said(here, at), _said(there, at)))
    output.note(f"both share {found.shared} turns")
    output.print_table(("what", "current", "other"), rows)


def _said(branch: ComparedBranch, number: int) -> str:
    """Return the reply of a branch's turn, as far as it is shown, or ""."""
    return next((turn.reply for turn in branch.turns if turn.number == number), "")


@app.command()
@awaited
async def fork(
    id: SessionId,  # noqa: A002
    turn: Annotated[
        int | None, typer.Option(min=0, help="Last turn to share; all otherwise.")
    ] = None,
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """Start a session that shares this one's turns."""
    await _move(lambda host: host.fork(id, turn), db, as_json)


async def _move(move: Move, db: str, as_json: bool) -> None:
    from ruleplay.cli.hosting import hosting
    from ruleplay.kernel.session import head_json

    async with hosting(db) as host:
        head = await move(host)
    if as_json:
        output.print_json(head_json(head))
    else:
        output.print_fields({"session": head.id, "turn": head.head or "", "number": head.number})


@app.command()
@awaited
async def regenerate(
    id: SessionId,  # noqa: A002
    seat: Seat = "",
    key: Key = None,
    db: Db = "",
    model: Model = "",
    as_json: AsJson = False,
) -> None:
    """Play the last turn again with the same input and dice, as a sibling in the tree."""
    await _replay(id, lambda host: host.regenerate(id, key), seat, db, model, as_json)


@app.command()
@awaited
async def edit(
    id: SessionId,  # noqa: A002
    turn: TurnNumber,
    message: Annotated[str, typer.Option("--message", "-m", help="The message instead.")],
    seat: Seat = "",
    key: Key = None,
    db: Db = "",
    model: Model = "",
    as_json: AsJson = False,
) -> None:
    """Play a turn of this branch again with another message; the old branch stays in the tree."""
    text = read_text(message)
    await _replay(id, lambda host: host.edit(id, turn, text, key), seat, db, model, as_json)


async def _replay(id: str, start: Start, seat: str, db: str, model: str, as_json: bool) -> None:  # noqa: A002
    from ruleplay.cli.following import follow_and_show
    from ruleplay.cli.hosting import hosting
    from ruleplay.kernel.session import reading_seat

    async with hosting(db, model) as host:
        head, _ = await host.store.read(id)
        seat = seat or await reading_seat(host, head)
        await follow_and_show(host, id, await start(host), seat, as_json=as_json)


@app.command()
@awaited
async def export(
    id: SessionId,  # noqa: A002
    seat: Seat = "",
    format: Annotated[  # noqa: A002
        Format, typer.Option(help="md, json, or log, a plain-text record of who did what.")
    ] = Format.MD,
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """Export a session as one seat may read it."""
    from ruleplay.cli.hosting import hosting
    from ruleplay.kernel.export import export_log, export_markdown
    from ruleplay.kernel.session import Session, session_json

    async with hosting(db) as host:
        session = Session(host, id)
        if as_json or format == Format.JSON:
            output.print_json(await session_json(session, seat))
        elif format == Format.LOG:
            output.write(await export_log(session, seat))
        else:
            output.write(await export_markdown(session, seat))
