"""`ruleplay parts`: import a shop's catalog, and ask it directly."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ruleplay.cli import output
from ruleplay.cli.options import AsJson
from ruleplay.foundation.errors import UserError

if TYPE_CHECKING:
    from datetime import date

    from ruleplay.agents.parts.adapters.catalog_import import ImportReport

app = typer.Typer(name="parts", help="The parts assistant's catalog.")
app.info.no_args_is_help = True


@app.command("import")
def import_(
    parts: Annotated[Path, typer.Option(help="Parts, as CSV or JSON Lines.")],
    fits: Annotated[Path, typer.Option(help="Which part fits which model.")],
    models: Annotated[Path | None, typer.Option(help="Models with brand and appliance.")] = None,
    map_: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="FIELD=COLUMN", help="Column of a field; may be repeated."),
    ] = None,
    priced_on: Annotated[
        str, typer.Option(metavar="DATE", help="Date of prices without their own; today otherwise.")
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
        report.model_dump(mode="json", exclude={"rejected_rows", "id_only_numbers"})
    )
    for row in report.rejected_rows:
        output.note(f"{row.file}:{row.line}: {row.reason}{' (row kept)' if row.kept else ''}")


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


def _date(text: str) -> date:
    from datetime import UTC, date, datetime

    try:
        return date.fromisoformat(text) if text else datetime.now(UTC).date()
    except ValueError as error:
        raise UserError(f"--priced-on takes a date such as 2026-01-31, not {text!r}") from error
