"""`ruleplay setup raid`: the compiled log reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from ruleplay.cli import output
from ruleplay.cli.options import AsJson

if TYPE_CHECKING:
    from pydantic import JsonValue


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(setup)


def setup(as_json: AsJson = False) -> None:
    """Build the compiled log reader, a few seconds; needs a Rust toolchain."""
    from ruleplay.agents.raid.adapters.compiled_reader import build_library

    made: dict[str, JsonValue] = {"reader": str(build_library())}
    output.print_json(made) if as_json else output.print_fields(made)
