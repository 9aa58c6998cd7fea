"""`ruleplay turn` and `ruleplay chat`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ruleplay.cli import output
from ruleplay.cli.coroutines import awaited
from ruleplay.cli.inputs import open_head, read_object, read_text
from ruleplay.cli.options import AgentName, AsJson, Db, Model, Seat
from ruleplay.errors import UserError

if TYPE_CHECKING:
    from ruleplay.records.given import Given

Session = Annotated[
    str, typer.Option("--session", metavar="ID", help="Session to go on with; a new one otherwise.")
]
Config = Annotated[
    str, typer.Option("--config", metavar="JSON", help="Configuration of the new session.")
]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(turn)
    app.command()(chat)


@awaited
async def turn(
    agent: AgentName,
    message: Annotated[
        str | None, typer.Option("--message", "-m", help="What you say; - reads standard input.")
    ] = None,
    action: Annotated[
        str | None, typer.Option("--action", metavar="JSON", help="An action instead of a message.")
    ] = None,
    session: Session = "",
    seat: Seat = "",
    key: Annotated[
        str | None, typer.Option("--key", help="Idempotency key: the same key, the same turn.")
    ] = None,
    config: Config = "",
    db: Db = "",
    model: Model = "",
    as_json: AsJson = False,
) -> None:
    """Play one turn and print its reply.

    Without --session it starts a new session, whose id is printed on standard error.
    """
    from ruleplay.cli.following import follow_and_show
    from ruleplay.cli.hosting import hosting
    from ruleplay.kernel.session import acting_seat
    from ruleplay.records.given import check_given

    given = _given(message, action)
    check_given(given)
    async with hosting(db, model) as host:
        head = await open_head(host, agent, session, config)
        chosen = seat or await acting_seat(host, head)
        task = host.start(head.id, given, seat=chosen, key=key)
        await follow_and_show(host, head.id, task, chosen, as_json=as_json)
        if not as_json:
            output.note(f"session {head.id}")


def _given(message: str | None, action: str | None) -> Given:
    from ruleplay.records.given import Given

    if (message is None) == (action is None):
        raise UserError("give either --message TEXT or --action JSON")
    if action is not None:
        return Given(action=read_object("--action", action))
    return Given(message=read_text(message or ""))


def chat(
    agent: AgentName,
    session: Session = "",
    seat: Seat = "",
    config: Config = "",
    db: Db = "",
    model: Model = "",
    as_json: AsJson = False,
) -> None:
    """Chat with an agent.

    /help lists the chat's commands. Ctrl-C cancels the running turn, Ctrl-D leaves.
    With --json every item of a turn is one line of JSON.
    """
    from ruleplay.cli.chat import talk

    talk(agent, session, seat, config, db, model, as_json=as_json)
