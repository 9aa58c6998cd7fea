"""MCP on standard input and output, for programs that start `ruleplay mcp` themselves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from mcp.server.stdio import stdio_server

from ruleplay.server.mcp.protocol import Door

if TYPE_CHECKING:
    from ruleplay.kernel.host import Host
    from ruleplay.settings import Settings


async def serve(groups: Sequence[str], configured: Callable[[], Settings]) -> None:
    """Answer until the program closes standard input; the first call that needs the host opens it.

    Standard output is for the protocol only.
    """
    opened: list[Host] = []
    opening = asyncio.Lock()

    async def host() -> Host:
        async with opening:
            if not opened:
                opened.append(await _open(await asyncio.to_thread(configured)))
        return opened[0]

    server = Door(groups, host).server
    try:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())
    finally:
        for one in opened:
            await one.close()


async def _open(settings: Settings) -> Host:
    from ruleplay.catalog import find_agent
    from ruleplay.kernel.host import Host

    return await Host.open(settings, find_agent)
