"""The entry point to durable work, and its only module that can be imported without the extra."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from ruleplay.errors import Unavailable

if TYPE_CHECKING:
    from ruleplay.kernel.host import Host


def require_dbos() -> None:
    """Raise Unavailable, which names the extra `durable`, unless it is installed."""
    if find_spec("dbos") is None or find_spec("aiosqlite") is None:
        raise Unavailable(
            "durable work needs DBOS; install it with: pip install 'ruleplay[durable]'"
        )


async def run_durably(host: Host, name: str) -> None:
    """Make a host queue its turns, and take turns from the queue under a stable worker name.

    Raises Unavailable without the extra `durable`.
    """
    require_dbos()
    from ruleplay.durable.runner import Runner

    host.runner = await Runner.open(host, name)
