"""Real logs beside the project, where there are any."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def shared_raid() -> Path:
    """Return the folder of real combat logs; the test skips, or fails when they are required."""
    found = Path(__file__).parents[3].parent / "shared" / "data" / "raid"
    if not found.is_dir():
        if "shared" in os.environ.get("RULEPLAY_REQUIRE", ""):
            pytest.fail("the real combat logs are required and absent")
        pytest.skip("needs the real combat logs in ../shared/data/raid")
    return found
