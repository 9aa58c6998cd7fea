"""`ruleplay serve`: the HTTP server."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from ruleplay.cli import output
from ruleplay.cli.options import AsJson, Db, Model
from ruleplay.durable.extra import require_dbos
from ruleplay.errors import UserError
from ruleplay.system.loopback import is_loopback


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(serve)


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = 8000,
    db: Db = "",
    model: Model = "",
    durable: Annotated[
        str,
        typer.Option(
            "--durable",
            metavar="NAME",
            help="Run turns durably, as the worker of this name; keep it over restarts.",
        ),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Serve the HTTP API and print its address; Ctrl-C stops it."""
    from ruleplay.cli.hosting import configured
    from ruleplay.server.serving import serve as serve_http
    from ruleplay.settings import SHORT_TOKEN

    settings = configured(db, model)
    if not settings.token and not is_loopback(host):
        raise UserError(
            f"{host!r} can be reached from other machines; set RULEPLAY_TOKEN to a secret first, "
            "or serve on 127.0.0.1"
        )
    if not is_loopback(host) and len(settings.token) < SHORT_TOKEN:
        raise UserError(
            f"RULEPLAY_TOKEN is short, and {host!r} can be reached from other machines; use "
            f"{SHORT_TOKEN} characters or more, for example from `openssl rand -hex 16`"
        )
    if durable:
        require_dbos()
    os.umask(0o077)  # its files hold what people write: only the owner may read them
    serve_http(settings, host, port, lambda url: _announce(url, as_json), durable)


def _announce(url: str, as_json: bool) -> None:
    if as_json:
        output.print_json({"url": url, "pid": os.getpid()})
    else:
        output.write(f"Ruleplay serves at {url}\n")
