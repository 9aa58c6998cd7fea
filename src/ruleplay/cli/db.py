"""`ruleplay db`: check a database, back it up, restore it, and delete old sessions."""

from __future__ import annotations

import re
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ruleplay.cli import output
from ruleplay.cli.coroutines import awaited
from ruleplay.cli.options import AsJson, Db
from ruleplay.errors import UserError

if TYPE_CHECKING:
    from pydantic import BaseModel

app = typer.Typer(name="db", help="Look after the database.", no_args_is_help=True)
BROKEN = 1
_AGE = re.compile(r"(\d{1,5})\s*([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 7 * 24}


def age(given: str) -> timedelta:
    """Parse an age such as `12h`, `90d` or `8w`; UserError for anything else."""
    found = _AGE.fullmatch(given.strip().lower())
    if not found:
        raise UserError(f"{given!r} is not an age; write hours, days or weeks: 12h, 90d, 8w")
    return timedelta(hours=int(found[1]) * _HOURS[found[2]])


@app.command()
@awaited
async def check(
    sample: Annotated[int, typer.Option(min=0, help="Sessions to replay.")] = 20,
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """Check the database's integrity and replay some sessions; exit 1 if there are problems."""
    from ruleplay.cli.hosting import hosting
    from ruleplay.kernel.maintenance import check as examine

    with output.Bar("replaying") as bar:
        async with hosting(db) as host:
            found = await examine(host, sample, bar.advance)
    _report(found, as_json)
    if found.problems:
        raise typer.Exit(BROKEN)


@app.command()
@awaited
async def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File to write; must not exist.")],
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """Write everything in the database to a file, while turns go on."""
    from ruleplay.cli.hosting import hosting
    from ruleplay.storage.backup import backup as write

    async with hosting(db) as host:
        _report(await write(host.store.database, file), as_json)


@app.command()
@awaited
async def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `backup` wrote.")],
    force: Annotated[
        bool, typer.Option("--force", help="Discard the sessions that are there now.")
    ] = False,
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """Restore a backup into SQLite or PostgreSQL, completely or not at all."""
    from ruleplay.cli.hosting import configured
    from ruleplay.storage.backup import restore as bring_back

    settings = configured(db)
    settings.home.mkdir(parents=True, exist_ok=True)
    _report(await bring_back(settings.database_url, file, force=force), as_json)


@app.command()
@awaited
async def prune(
    older_than: Annotated[
        str, typer.Option("--older-than", metavar="AGE", help="Since the last change: 12h, 90d.")
    ],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be deleted.")
    ] = False,
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """Delete sessions that have not changed for long, unless they have younger forks.

    The records of durable turns and jobs that ended as long ago are deleted too.
    """
    from ruleplay.cli.hosting import hosting
    from ruleplay.kernel.maintenance import prune as let_go

    since = age(older_than)
    async with hosting(db) as host:
        database = host.store.database
        found = await let_go(database, since, dry=dry_run)
        if find_spec("dbos"):
            from ruleplay.durable.pruning import forget_work

            url = host.settings.database_url
            works = await forget_work(database, url, found.before, dry=dry_run)
            found = found.model_copy(update={"works": works})
        _report(found, as_json)


def _report(found: BaseModel, as_json: bool) -> None:
    body = found.model_dump(mode="json")
    output.print_json(body) if as_json else output.print_fields(body)
