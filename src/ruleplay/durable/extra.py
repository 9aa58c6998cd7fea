"""What durable work needs installed; nothing else here may be imported without it."""

from __future__ import annotations

from importlib.util import find_spec

from ruleplay.errors import Unavailable


def require_dbos() -> None:
    """Raise Unavailable, which names the extra, unless DBOS is installed."""
    if find_spec("dbos") is None or find_spec("aiosqlite") is None:
        raise Unavailable(
            "durable work needs DBOS; install it with: pip install 'ruleplay[durable]'"
        )
