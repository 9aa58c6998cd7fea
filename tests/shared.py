"""Real inputs beside the project, where there are any."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def shared_data(part: str) -> Path:
    """Return the folder of a part's real data: the test skips, or fails where it is required."""
    found = Path(__file__).parents[2] / "shared" / "data" / part
    if not found.is_dir():
        if "shared" in os.environ.get("RULEPLAY_REQUIRE", ""):
            pytest.fail(f"the real data of {part} is required and absent")
        pytest.skip(f"needs the real data in ../shared/data/{part}")
    return found
