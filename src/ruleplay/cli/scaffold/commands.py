"""`ruleplay new NAME` and `ruleplay check PACKAGE`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ruleplay.cli import output
from ruleplay.cli.options import AsJson

if TYPE_CHECKING:
    from ruleplay.kernel.agent import AnyAgent


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(new)
    app.command("check")(check)


def new(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the agent and its package.")],
    template: Annotated[
        str, typer.Option("--from", metavar="TEMPLATE", help="What to begin from.")
    ] = "duel",
    folder: Annotated[Path | None, typer.Option(help="Where to; ./NAME otherwise.")] = None,
    as_json: AsJson = False,
) -> None:
    """Write the package of a new agent, which plays and passes its own tests."""
    from ruleplay.cli.scaffold.writing import write_package

    place = folder or Path(name)
    commands = getattr(context.find_root().command, "commands", {})
    files = write_package(name, template, place, commands)
    if as_json:
        output.print_json({"folder": str(place), "files": [str(file) for file in files]})
    else:
        output.write(f"{place}: {len(files)} files. Next: cd {place} && make test\n")


def check(
    package: Annotated[str, typer.Argument(metavar="PACKAGE", help="Package of an agent.")],
    as_json: AsJson = False,
) -> None:
    """Check what an agent's package has and lacks; exit 2 if something is broken."""
    from ruleplay.cli.scaffold.inspection import inspect

    rows = [*inspect(_agent(package))]
    if output.print_findings(rows, as_json):
        raise typer.Exit(2)


def _agent(package: str) -> AnyAgent:
    """Load the agent of a package that is installed, or in the current folder."""
    from importlib import import_module

    from ruleplay.catalog import agent_names, find_agent
    from ruleplay.errors import NotFound, UserError
    from ruleplay.kernel.agent import Agent

    if package in agent_names():
        return find_agent(package)
    if not all(part.isidentifier() for part in package.split(".")):
        raise UserError(f"{package!r} is not a package's name; write it as in an import")
    sys.path.insert(0, str(Path.cwd()))
    try:
        module = import_module(f"{package}.agent")
    except ModuleNotFoundError as error:
        if error.name not in (package, f"{package}.agent"):
            raise UserError(f"{package!r} needs {error.name!r}, which is not installed") from error
        raise NotFound(f"no package {package!r} with an agent.py, installed or here") from error
    found = [one for one in vars(module).values() if isinstance(one, Agent)]
    if len(found) != 1:
        raise UserError(f"{package}.agent holds {len(found)} agents; name one, as AGENT")
    return found[0]
