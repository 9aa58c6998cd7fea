"""Turn-based LLM agents that play by the rules: code holds the rules, the model holds the pen."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ruleplay.catalog import open_session as open_session

__all__ = ["open_session"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Load what takes time to import only when it is asked for."""
    if name == "open_session":
        from ruleplay.catalog import open_session

        return open_session
    raise AttributeError(f"module 'ruleplay' has no attribute {name!r}")
