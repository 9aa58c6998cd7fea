"""How turns end, for logs and metrics."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from ruleplay.errors import RuleplayError, UserError
from ruleplay.records.tape import Call

LOG = logging.getLogger(__name__)
Outcome = Literal["committed", "cancelled", "refused", "failed"]


@dataclass(frozen=True)
class Ending:
    """A turn that has just ended, without its content; `seconds` since its start.

    `error` is what it raised, None if it was committed.
    """

    session: str
    turn: str
    agent: str
    number: int
    seconds: float
    calls: tuple[Call, ...]
    error: BaseException | None = None

    @property
    def outcome(self) -> Outcome:
        """How the turn ended; `refused` means that its input was."""
        if self.error is None:
            return "committed"
        if isinstance(self.error, asyncio.CancelledError):
            return "cancelled"
        return "refused" if isinstance(self.error, UserError) else "failed"


Witness = Callable[[Ending], None]


def log_ending(ending: Ending) -> None:
    """Log how a turn ended; the log's context adds session and turn."""
    expected = ending.error is None or isinstance(
        ending.error, (RuleplayError, asyncio.CancelledError)
    )
    told = {
        "agent": ending.agent,
        "number": ending.number,
        "outcome": ending.outcome,
        "ms": round(ending.seconds * 1000, 1),
        "model_calls": sum(len(call.replies) for call in ending.calls),
        "tokens": sum(call.input_tokens + call.output_tokens for call in ending.calls),
        "dollars": str(sum((call.cost for call in ending.calls), Decimal(0))),
    }
    if expected:
        LOG.info("turn ended", extra=told)
    else:
        LOG.error("turn ended", extra=told, exc_info=ending.error)
