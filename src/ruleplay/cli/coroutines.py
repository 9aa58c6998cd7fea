"""Lets Typer, which only calls plain functions, run coroutines as commands."""

from __future__ import annotations

import asyncio
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

Given = ParamSpec("Given")


def awaited(command: Callable[Given, Coroutine[object, object, None]]) -> Callable[Given, None]:
    """Wrap a coroutine function as a command with the same options, run by `asyncio.run`."""

    @wraps(command)
    def run(*args: Given.args, **options: Given.kwargs) -> None:
        asyncio.run(command(*args, **options))

    return run
