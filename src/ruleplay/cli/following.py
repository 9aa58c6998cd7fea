"""Follow a running turn on the command line."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ruleplay.cli.output import printable

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
    with host.bus.reading(session, seat) as reader:
        task.add_done_callback(lambda _: reader.close())
        try:
            async for item in reader:
                if item.turn == task.get_name():
                    hear(item)
            return await task
        except asyncio.CancelledError:
            task.cancel()
            await asyncio.wait({task})
            raise


class Streamed:
    """A reply written as it streams in, and put right when the committed reply differs."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._shown = self._held = ""

    def hear(self, item: Item) -> None:
        """Write an item's text, if it has any; the space at its end waits for what comes next."""
        if item.name != "text":
            return
        text = self._held + printable(str(item.body["text"]))
        if not self._shown:
            text = text.lstrip()
        ready = text.rstrip()
        self._held = text[len(ready) :]
        self._write(ready)
        self._shown += ready

    def break_off(self) -> None:
        """End the line of a reply that will not be completed."""
        if self._shown:
            self._write("\n")

    def finish(self, reply: str) -> None:
        """Write the rest of the reply, or all of it when it does not begin with what was shown."""
        reply = printable(reply).strip()
        if reply.startswith(self._shown):
            self._write(reply[len(self._shown) :] + "\n")
        else:
            self._write(f"\n\n{reply}\n")
