"""Logs, as text or JSON lines with session and turn ids, without what people or models wrote.

Exceptions often quote values in their messages, so an unexpected error is logged with its type and
traceback only, unless the owner enables content. Messages are cut to their first line.
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
"""Attributes that every log record has; any other was passed as `extra`."""
A_FEW, A_WHILE = 5, 10.0
"""How often the same message of another package is logged within how many seconds."""
MESSAGES = 1_000
"""Different messages that are counted for that limit."""
FRAMES = 12
"""Innermost frames of a traceback that are logged."""


@contextmanager
def about(**ids: str) -> Iterator[None]:
    """Add ids such as `session` and `turn` to every line logged during the block."""
    token = _ABOUT.set({**(_ABOUT.get() or {}), **ids})
    try:
        yield
    finally:
        _ABOUT.reset(token)


def configure(settings: Settings) -> None:
    """Set up logging to standard error; to be called once, at the start of a process."""
    as_json = settings.logs == "json"
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(RateLimit())
    handler.setFormatter((Lines if as_json else Text)(content=settings.log_content))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    level = settings.log_level or ("info" if as_json else "warning")
    logging.getLogger("ruleplay").setLevel(level.upper())


class RateLimit(logging.Filter):
    """Limits how often other packages log the same message, since clients can provoke many.

    One example: without free file descriptors, asyncio logs every connection it cannot accept.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._clock, self._began = clock, clock()
        self._seen: Counter[tuple[str, str]] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to log a record."""
        if record.name.partition(".")[0] == "ruleplay":
            return True
        now = self._clock()
        if now - self._began >= A_WHILE or len(self._seen) >= MESSAGES:
            self._seen.clear()
            self._began = now
        self._seen[record.name, str(record.msg)[:200]] += 1
        return self._seen[record.name, str(record.msg)[:200]] <= A_FEW


class Text(logging.Formatter):
    """Formats a record as one line of text, and an error's traceback below it."""

    def __init__(self, *, content: bool = False) -> None:
        super().__init__()
        self._content = content

    def format(self, record: logging.LogRecord) -> str:
        """Format a record."""
        fields = self.fields(record)
        error = fields.pop("error", None)
        head = f"{fields.pop('level')} {fields.pop('logger')}: {fields.pop('message')}"
        fields.pop("time")
        rest = " ".join(f"{name}={value}" for name, value in fields.items())
        lines = [f"{head} {rest}".rstrip()]
        if isinstance(error, dict):
            lines += [f"  {error['type']} {error.get('text', '')}".rstrip()]
            lines += [f"    {place}" for place in error["where"]]
        return "\n".join(lines)

    def fields(self, record: logging.LogRecord) -> dict[str, object]:
        """Collect the fields to log: time, level, logger, message, ids, `extra`, error."""
        extra = {name: value for name, value in vars(record).items() if name not in _USUAL}
        fields: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage().partition("\n")[0],
            **(_ABOUT.get() or {}),
            **extra,
        }
        if record.exc_info and record.exc_info[1]:
            fields["error"] = self._error(record.exc_info[1])
        return fields

    def _error(self, error: BaseException) -> dict[str, object]:
        fields: dict[str, object] = {
            "type": type(error).__name__,
            "where": frames_of(error.__traceback__),
        }
        return {**fields, "text": str(error)} if self._content else fields


class Lines(Text):
    """Formats a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record."""
        return json.dumps(self.fields(record), default=str)


def frames_of(found: TracebackType | None) -> list[str]:
    """List the innermost frames of a traceback as `file:line function`."""
    frames = traceback.extract_tb(found)[-FRAMES:]
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
