"""The command `ruleplay parts`: imports a shop's catalog and queries it directly."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ruleplay.cli import output
from ruleplay.cli.options import AsJson
from ruleplay.errors import UserError

if TYPE_CHECKING:
    from datetime import date

    from ruleplay.agents.parts.adapters.catalog_import import ImportReport
    from ruleplay.agents.parts.adapters.ledger import Report

app = typer.Typer(name="parts", help="The parts assistant's catalog.")
app.info.no_args_is_help = True


@app.command("import")
def import_(
    parts: Annotated[Path, typer.Option(help="Parts, as CSV or JSON Lines.")],
    fits: Annotated[Path | None, typer.Option(help="Which part fits which model.")] = None,
    models: Annotated[Path | None, typer.Option(help="Models with brand and appliance.")] = None,
    map_: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="FIELD=COLUMN", help="Column of a field; may be repeated."),
    ] = None,
    priced_on: Annotated[
        str, typer.Option(metavar="DATE", help="Date of prices without one; else unknown.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Replace the catalog by a shop's files; a file that cannot be used changes nothing."""
    from ruleplay.agents.parts.adapters.catalog_import import import_catalog

    with output.Bar("importing") as bar:
        report = import_catalog(
            parts,
            fits,
            models,
            into=_imported_catalog(),
            mapping=_mapping(map_ or []),
            priced_on=_date(priced_on),
            on_progress=bar.advance,
        )
    if as_json:
        output.print_json(report.model_dump(mode="json"))
    else:
        _print_report(report)


def _print_report(report: ImportReport) -> None:
    output.print_fields(
        report.model_dump(mode="json", exclude={"rejected_rows", "id_only_numbers", "columns"})
    )
    for file in report.columns:
        system = f" ({file.preset} export)" if file.preset else ""
        used = ", ".join(f"{field}={column}" for field, column in file.used.items())
        output.note(f"{file.file}{system}: used {used}")
        for name, columns in (("ignored", file.ignored), ("empty", file.empty)):
            if columns:
                output.note(f"{file.file}: {name} {', '.join(columns)}")
    for row in report.rejected_rows:
        output.note(f"{row.file}:{row.line}: {row.reason}{' (row kept)' if row.kept else ''}")


@app.command()
def sync(
    parts: Annotated[str, typer.Option(help="Parts: a URL or file; else of shop.toml.")] = "",
    fits: Annotated[str, typer.Option(help="Which part fits which model.")] = "",
    models: Annotated[str, typer.Option(help="Models with brand and appliance.")] = "",
    every: Annotated[float, typer.Option(help="Minutes between syncs; 0: once.")] = 0,
    priced_on: Annotated[str, typer.Option(metavar="DATE", help="Date of prices.")] = "",
    as_json: AsJson = False,
) -> None:
    """Bring the catalog up to date with the shop's feed, and say what changed."""
    import time

    from ruleplay.agents.parts.adapters import feeds
    from ruleplay.agents.parts.adapters.shop import read_shop
    from ruleplay.cli.hosting import configured

    own = read_shop(configured().home).feed
    given = {"parts": parts, "fits": fits, "models": models}
    feed = own.model_copy(update={name: where for name, where in given.items() if where})
    while True:
        with output.Bar("syncing") as bar:
            report = feeds.sync(
                feed, _imported_catalog(), priced_on=_date(priced_on), on_progress=bar.advance
            )
        body = report.model_dump(mode="json")
        output.print_json(body) if as_json else output.print_fields(body["changes"])
        if every <= 0:
            return
        time.sleep(every * 60)


@app.command()
def handovers(as_json: AsJson = False) -> None:
    """Deliver hand-overs that are due, and list those still on their way."""
    from ruleplay.agents.parts.adapters.catalog import open_catalog
    from ruleplay.cli.hosting import configured

    with open_catalog(_catalog_in_use(), configured().home) as catalog:
        delivered = catalog.outbox.deliver()
        waiting = catalog.outbox.waiting()
    if as_json:
        listed = [f"{one.key}: {one.tries} tries; {one.error}" for one in waiting]
        output.print_json({"delivered": delivered, "waiting": [*listed]})
    else:
        output.print_fields({"delivered": delivered, "waiting": len(waiting)})


@app.command()
def report(
    days: Annotated[int, typer.Option(min=1, help="How many days back.")] = 30,
    csv: Annotated[Path | None, typer.Option("--csv", help="Write it to this CSV file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Tell the owner, by day, what was asked and not answered, and who was handed over."""
    import asyncio

    from ruleplay.agents.parts.adapters.ledger import as_csv

    told = asyncio.run(_counted(days))
    if csv:
        csv.write_text(as_csv(told), encoding="utf-8", newline="")
    if as_json:
        output.print_json(told.model_dump(mode="json"))
        return
    for day in told.days:
        output.print_fields(day.model_dump(mode="json"))


async def _counted(days: int) -> Report:
    from ruleplay.agents.parts.adapters.ledger import counted
    from ruleplay.cli.hosting import configured
    from ruleplay.storage.store import Store

    store = await Store.open(configured().database_url)
    try:
        return await counted(store, days)
    finally:
        await store.close()


@app.command()
def check(
    part: Annotated[str, typer.Argument(metavar="PART", help="Part number of any kind.")],
    model: Annotated[str, typer.Argument(metavar="MODEL", help="Model number.")],
    as_json: AsJson = False,
) -> None:
    """Say whether the catalog lists a part for a model, and where it says so."""
    from ruleplay.agents.parts.adapters.catalog import open_catalog

    with open_catalog(_catalog_in_use()) as catalog:
        fit = catalog.fit(part, model)
    body = fit.model_dump(
        mode="json", include={"verdict", "part", "model", "source", "explanation"}
    )
    if as_json:
        output.print_json(body)
    else:
        output.write(output.printable(f"{fit.explanation}\n"))
        output.note(f"{fit.verdict}; {fit.source}")


@app.command()
def where(
    appliance: Annotated[str, typer.Argument(metavar="APPLIANCE", help="Such as dishwasher.")],
    brand: Annotated[str, typer.Option(help="Brand, where it matters.")] = "",
    as_json: AsJson = False,
) -> None:
    """Say where an appliance's model number is found."""
    from ruleplay.agents.parts.domain.appliances import where_is_the_number

    place = where_is_the_number(appliance, brand)
    if as_json:
        output.print_json({"appliance": appliance, "where": place})
    else:
        output.write(output.printable(f"{place}\n"))


def _imported_catalog() -> Path:
    from ruleplay.agents.parts.agent import imported_catalog
    from ruleplay.cli.hosting import configured

    return imported_catalog(configured())


def _catalog_in_use() -> Path:
    from ruleplay.agents.parts.agent import catalog_file
    from ruleplay.cli.hosting import configured

    return catalog_file(configured())


def _mapping(pairs: list[str]) -> dict[str, str]:
    found = {}
    for pair in pairs:
        field, equals, column = pair.partition("=")
        if not (equals and field.strip() and column.strip()):
            raise UserError(f"--map takes FIELD=COLUMN such as price=price_usd, not {pair!r}")
        found[field.strip()] = column.strip()
    return found


def _date(text: str) -> date | None:
    from datetime import date

    try:
        return date.fromisoformat(text) if text else None
    except ValueError as error:
        raise UserError(f"--priced-on takes a date such as 2026-01-31, not {text!r}") from error
