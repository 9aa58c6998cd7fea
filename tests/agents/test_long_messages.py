"""Long messages are read in threads: nobody else waits for them."""

from __future__ import annotations

from importlib import import_module
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Any

import pytest

from ruleplay.catalog import find_agent
from ruleplay.kernel.host import Host
from ruleplay.records.given import Given
from ruleplay.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

READERS = {"parts": "read", "raid": "make_plan", "saga": "parse"}


@pytest.mark.parametrize("name", READERS)
async def test_a_long_message_is_read_in_a_thread(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes = import_module(f"ruleplay.agents.{name}.nodes")
    real, where = getattr(nodes, READERS[name]), []

    def noted(*given: Any) -> Any:
        where.append(current_thread() is main_thread())
        return real(*given)

    host = await Host.open(Settings(home=tmp_path, db="", model="rules", models={}), find_agent)
    try:
        session = (await host.create(name)).id
        await host.start(session, Given(message="Hello"))
        monkeypatch.setattr(nodes, READERS[name], noted)
        await host.start(session, Given(message="I attack the orc and " * 300))
    finally:
        await host.close()
    assert where
    assert not any(where)
