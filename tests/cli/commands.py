"""What a test gets of a command that was run."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Done:
    """What a command did: its exit code and what it printed where."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one JSON object on standard output."""
        body = json.loads(self.out)
        assert isinstance(body, dict)
        return body

    @property
    def error(self) -> dict[str, str]:
        """The error object on standard error."""
        return json.loads(self.err)["error"]


Run = Callable[..., Done]
