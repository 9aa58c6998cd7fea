"""The way in to durable work: nothing else here may be imported without its extra."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from ruleplay.errors import Unavailable

if TYPE_CHECKING:
    from ruleplay.kernel.host import Host


def require_dbos() -> None:
    """Raise Unavailable, which names the extra, unless DBOS is installed."""
    if find_spec("dbos") is None or find_spec("aiosqlite") is None:
        raise Unavailable(
            "durable work needs DBOS; install it with: pip install 'ruleplay[durable]'"
        )


async def run_durably(host: Host, name: str) -> None:
    """From now on hand a host's turns in to a queue, and take from it under a stable name.

    Unavailable without the extra `durable`.
    """
    require_dbos()
    from ruleplay.durable.runner import Runner

    host.runner = await Runner.open(host, name)
