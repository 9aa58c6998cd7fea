"""What tests of raid share: the demo's reports, as they stay open in a process of a server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.agents.raid.demo_home import demo_nights

from ruleplay.agents.raid.adapters import nights
from ruleplay.agents.raid.adapters.reports import Reports


@pytest.fixture(scope="session", autouse=True)
def opened_once() -> Iterator[None]:
    """Keep the demo's reports open from host to host: most of what is asked of them is the same."""
    home, demo = demo_nights()
    opened = nights.open_reports

    def open_reports(folder: Path) -> Reports:
        return demo.reports if folder == home else opened(folder)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nights, "open_reports", open_reports)
        yield
