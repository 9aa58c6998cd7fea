"""`ruleplay turn` and `ruleplay chat`: play."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from ruleplay.cli import output
from ruleplay.cli.options import AgentName, AsJson, Db, Model, Seat
from ruleplay.foundation.errors import UserError

if TYPE_CHECKING:
    from ruleplay.foundation.agent import Given
    from ruleplay.foundation.events import Json
    from ruleplay.foundation.host import Host
    from ruleplay.foundation.turns import Head

Session = Annotated[
    str, typer.Option("--session", metavar="ID", help="Session to go on with; a new one otherwise.")
]
Config = Annotated[
    str, typer.Option("--config", metavar="JSON", help="Configuration of the new session.")
]
SHOWN = ("session", "turn", "number", "reply", "events", "view", "calls")
"""What `turn --json` prints, in this order."""


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(turn)
    app.command()(chat)


def turn(
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
    """Play one turn and print the reply, or everything about it as JSON."""
    given = _given(message, action)
    asyncio.run(_turn(agent, given, session, seat, key, config, db, model, as_json))


async def _turn(
    agent: str,
    given: Given,
    session: str,
    seat: str,
    key: str | None,
    config: str,
    db: str,
    model: str,
    as_json: bool,
) -> None:
    from ruleplay.cli.following import Streamed, follow
    from ruleplay.cli.hosting import hosting
    from ruleplay.foundation.agent import check_message
    from ruleplay.foundation.session import played_json

    check_message(given.message)
    async with hosting(db, model) as host:
        head = await open_head(host, agent, session, config)
        chosen = seat or host.find_agent(head.agent).seats[0]
        streamed = Streamed(output.write)
        hear = (lambda _: None) if as_json else streamed.hear
        task = host.start(head.id, given, seat=seat, key=key)
        played = await follow(host, head.id, task, chosen, hear)
        if as_json:
            told = await played_json(host, played, chosen)
            output.print_json({name: told[name] for name in SHOWN})
        else:
            streamed.finish(played.reply)
            output.note(f"session {head.id}")


async def open_head(host: Host, agent: str, session: str, config: str) -> Head:
    """Return the session of an id, or a new one; UserError when it belongs to another agent."""
    if not session:
        return await host.create(agent, read_object("--config", config) if config else None)
    if config:
        raise UserError("--config is for new sessions; leave it out with --session")
    head, _ = await host.store.read(session)
    if head.agent != agent:
        raise UserError(f"session {session!r} belongs to agent {head.agent!r}, not {agent!r}")
    return head


def read_object(option: str, text: str) -> Json:
    """Return the JSON object that an option was given; UserError says what is wrong with it."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{option} is not valid JSON: {error}") from error
    if not isinstance(value, dict):
        raise UserError(f"{option} takes a JSON object such as {{}}, not {text[:80]!r}")
    return value


def _given(message: str | None, action: str | None) -> Given:
    from ruleplay.foundation.agent import Given

    if (message is None) == (action is None):
        raise UserError("give either --message TEXT or --action JSON")
    if action is not None:
        return Given(action=read_object("--action", action))
    return Given(message=read_text(message or ""))


def read_text(message: str) -> str:
    """Return a message; `-` reads it from standard input, without its last line end."""
    if message != "-":
        return message
    try:
        return sys.stdin.read().removesuffix("\n")
    except UnicodeDecodeError as error:
        raise UserError(f"standard input is no UTF-8 text: {error.reason}") from error


def chat(
    agent: AgentName,
    session: Session = "",
    seat: Seat = "",
    config: Config = "",
    db: Db = "",
    model: Model = "",
    as_json: AsJson = False,
) -> None:
    """Talk with an agent; /help in the chat lists what it understands.

    Ctrl-C stops the running turn, Ctrl-D leaves. With --json every item of a turn is one JSON line.
    """
    from ruleplay.cli.chat import talk

    talk(agent, session, seat, config, db, model, as_json=as_json)
