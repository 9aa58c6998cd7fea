"""Options and arguments that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from ruleplay.errors import UserError

Db = Annotated[
    str, typer.Option("--db", metavar="URL", help="Database URL; RULEPLAY_DB otherwise.")
]
Model = Annotated[
    str,
    typer.Option(
        "--model",
        metavar="M",
        help="Model of all roles, or by role: parts.extract=embedded,… RULEPLAY_MODEL otherwise.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]
Seat = Annotated[str, typer.Option("--seat", help="Seat to act or look from; the first otherwise.")]
SessionId = Annotated[
    str, typer.Argument(metavar="ID", help="Session id, as `session list` shows.")
]
AgentName = Annotated[
    str, typer.Argument(metavar="AGENT", help="Agent, as `ruleplay agents` shows.")
]


def numbers(option: str, text: str) -> dict[str, int]:
    """Parse numbers written as `NAME=N,…` (UserError)."""
    found: dict[str, int] = {}
    for pair in filter(None, text.split(",")):
        name, equals, number = pair.partition("=")
        if not equals or not number.strip().isdigit() or not name.strip():
            raise UserError(f"{option} takes NAME=N,… such as agility=14, not {pair!r}")
        found[name.strip()] = int(number)
    return found
