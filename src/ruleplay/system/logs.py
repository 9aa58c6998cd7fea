"""Logs: lines of text or of JSON with session and turn ids, without what people or models wrote.

Errors of other packages quote values, so of an unexpected error only its type and place are logged,
unless the owner asks for content. Of other packages' messages the first line is kept.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ruleplay.settings import Settings

_ABOUT: ContextVar[dict[str, str] | None] = ContextVar("about", default=None)
_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}
"""What every record has; anything else was given as `extra`."""
A_FEW, A_WHILE = 5, 10.0
"""How often the same message of another package is logged in so many seconds."""
MESSAGES = 1_000
"""Messages that are remembered for that."""
FRAMES = 12
"""Innermost places of an error that are logged."""


@contextmanager
def about(**ids: str) -> Iterator[None]:
    """Put ids such as `session` and `turn` on every line that is logged during the block."""
    token = _ABOUT.set({**(_ABOUT.get() or {}), **ids})
    try:
        yield
    finally:
        _ABOUT.reset(token)


def configure(settings: Settings) -> None:
    """Log to standard error as the settings say; called once, where a process begins."""
    as_json = settings.logs == "json"
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(Sparing())
    handler.setFormatter((Lines if as_json else Text)(content=settings.log_content))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    level = settings.log_level or ("info" if as_json else "warning")
    logging.getLogger("ruleplay").setLevel(level.upper())


class Sparing(logging.Filter):
    """Passes a warning of another package on a few times in a while: clients can cause many."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._clock, self._began = clock, clock()
        self._seen: Counter[tuple[str, str]] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether to log a record."""
        if record.name.partition(".")[0] == "ruleplay":
            return True
        now = self._clock()
        if now - self._began >= A_WHILE or len(self._seen) >= MESSAGES:
            self._seen.clear()
            self._began = now
        self._seen[record.name, str(record.msg)[:200]] += 1
        return self._seen[record.name, str(record.msg)[:200]] <= A_FEW


class Text(logging.Formatter):
    """One line a record, and the places of an error below it."""

    def __init__(self, *, content: bool = False) -> None:
        super().__init__()
        self._content = content

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        told = self.fields(record)
        error = told.pop("error", None)
        head = f"{told.pop('level')} {told.pop('logger')}: {told.pop('message')}"
        told.pop("time")
        rest = " ".join(f"{name}={value}" for name, value in told.items())
        lines = [f"{head} {rest}".rstrip()]
        if isinstance(error, dict):
            lines += [f"  {error['type']} {error.get('text', '')}".rstrip()]
            lines += [f"    {place}" for place in error["where"]]
        return "\n".join(lines)

    def fields(self, record: logging.LogRecord) -> dict[str, object]:
        """Return what is told of a record."""
        extra = {name: value for name, value in vars(record).items() if name not in _USUAL}
        told: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage().partition("\n")[0],
            **(_ABOUT.get() or {}),
            **extra,
        }
        if record.exc_info and record.exc_info[1]:
            told["error"] = self._error(record.exc_info[1])
        return told

    def _error(self, error: BaseException) -> dict[str, object]:
        told: dict[str, object] = {
            "type": type(error).__name__,
            "where": places(error.__traceback__),
        }
        return {**told, "text": str(error)} if self._content else told


class Lines(Text):
    """One JSON object a record."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the object on one line."""
        return json.dumps(self.fields(record), default=str)


def places(found: TracebackType | None) -> list[str]:
    """Return the innermost places of an error, as `file:line function`."""
    frames = traceback.extract_tb(found)[-FRAMES:]
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
