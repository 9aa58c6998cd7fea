"""Commands that wait: coroutines which the command line can call."""

from __future__ import annotations

import asyncio
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

Given = ParamSpec("Given")


def awaited(command: Callable[Given, Coroutine[object, object, None]]) -> Callable[Given, None]:
    """Make a coroutine into a command with the same options, run in an event loop of its own."""

    @wraps(command)
    def run(*args: Given.args, **options: Given.kwargs) -> None:
        asyncio.run(command(*args, **options))

    return run
