"""Follow a running turn on the command line."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from ruleplay.kernel.host import Host
    from ruleplay.records.stream import Item
    from ruleplay.records.turns import Turn


async def follow(
    host: Host, session: str, task: asyncio.Task[Turn], seat: str, hear: Callable[[Item], None]
) -> Turn:
    """Hand on what a seat gets of a turn that was just started, and return the turn.

    Cancelling this stops the turn as well. A turn that was played before under the same key is
    returned without items.
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
