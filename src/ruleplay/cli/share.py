"""`ruleplay share`: read-only links to a session or report."""

from __future__ import annotations

from typing import Annotated

import typer

from ruleplay.cli import output
from ruleplay.cli.coroutines import awaited
from ruleplay.cli.options import AsJson, Db

app = typer.Typer(name="share", help="Read-only links to a session or a report.")
app.info.no_args_is_help = True


@app.command()
@awaited
async def make(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="session, or an agent.")],
    what: Annotated[
        str, typer.Argument(metavar="[WHAT]", help="Session id, or report; the newest otherwise.")
    ] = "",
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """Make a link and print its path on the server, which cannot be retrieved later."""
    from ruleplay.cli.hosting import hosting
    from ruleplay.kernel.sharing import make_share

    async with hosting(db) as host:
        made, token = await make_share(host, kind, what)
    if as_json:
        output.print_json({**made.model_dump(mode="json"), "path": f"/share/{token}"})
        return
    output.write(f"/share/{token}\n")
    output.note(f"link {made.id} shows {made.title}; `ruleplay share revoke {made.id}` revokes it")


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the valid links, newest first."""
    from ruleplay.cli.hosting import configured
    from ruleplay.storage.shares import Shares

    found = Shares(configured().home).all()
    if as_json:
        output.print_json({"shares": [one.model_dump(mode="json") for one in found]})
        return
    rows = [(one.id, one.kind, one.what, one.title, f"{one.made:%Y-%m-%d %H:%M}") for one in found]
    output.print_table(("link", "kind", "what", "title", "made (UTC)"), rows)


@app.command()
def revoke(
    link: Annotated[str, typer.Argument(metavar="LINK", help="As `share list` shows it.")],
    as_json: AsJson = False,
) -> None:
    """Revoke a link."""
    from ruleplay.cli.hosting import configured
    from ruleplay.storage.shares import Shares

    gone = Shares(configured().home).revoke(link)
    if as_json:
        output.print_json({"revoked": gone.id})
    else:
        output.note(f"link {gone.id} to {gone.title} is no longer valid")
