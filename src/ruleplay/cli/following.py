"""Follows a running turn on the command line."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from ruleplay.kernel.host import Host
    from ruleplay.records.stream import Item
    from ruleplay.records.turns import Turn


async def follow_and_show(
    host: Host, session: str, task: asyncio.Task[Turn], seat: str, *, as_json: bool
) -> None:
    """Print a turn that was just started as a seat sees it: live, or as one JSON object."""
    from ruleplay.cli import output
    from ruleplay.cli.screens import screen_here
    from ruleplay.kernel.session import played_json
    from ruleplay.records.turns import whole_reply

    if as_json:
        turn = await follow(host, session, task, seat, lambda _: None)
        output.print_turn(await played_json(host, turn, seat))
        return
    screen = screen_here()
    with screen.turn():
        turn = await follow(host, session, task, seat, screen.hear)
    screen.show(turn, whole_reply(turn, seat))


async def follow(
    host: Host, session: str, task: asyncio.Task[Turn], seat: str, hear: Callable[[Item], None]
) -> Turn:
    """Pass the items of a turn that was just started to `hear`, and return the turn.

    Cancelling this cancels the turn. A turn that was committed before under the same key has no
    items.
    """
    from ruleplay.kernel.turn import await_turn

    with host.bus.reading(session, seat) as reader:
        task.add_done_callback(lambda _: reader.close())
        try:
            async for item in reader:
                if item.turn == task.get_name():
                    hear(item)
            return await await_turn(task)
        except asyncio.CancelledError:
            task.cancel()
            await asyncio.wait({task})
            raise
