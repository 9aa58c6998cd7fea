"""`ruleplay mcp`: agents' turns and tools for clients of the Model Context Protocol."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

import typer

from ruleplay.cli.options import Db, Model
from ruleplay.errors import Unavailable


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(mcp)


def mcp(
    tools: Annotated[
        str,
        typer.Option(
            metavar="GROUPS",
            help="Which tools: core, all, or agents' names, with commas; the usual ones otherwise.",
        ),
    ] = "",
    db: Db = "",
    model: Model = "",
) -> None:
    """Serve MCP on standard input and output, for a program that starts this command."""
    from ruleplay.cli.hosting import configured

    try:
        from ruleplay.server.mcp.stdio import serve
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("ruleplay"):
            raise
        raise Unavailable("MCP needs the package 'mcp': pip install 'ruleplay[mcp]'") from error
    asyncio.run(serve(tools.split(","), partial(configured, db, model)))
