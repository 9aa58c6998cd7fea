"""Fixtures of the party's tests."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from tests.agents.party.gatherings import Room
from tests.server.conftest import life, lives

__all__ = ["life", "lives"]  # fixtures of the server's tests

Open = Callable[..., Awaitable[Room]]


@pytest.fixture
def room(tmp_path: Path) -> Open:
    """Return a way to lay a table on a database of its own."""

    async def opened(seed: str = "1", model: str = "rules", **config: object) -> Room:
        made = Room(tmp_path, model)
        await made.lay(seed, **config)
        return made

    return opened
