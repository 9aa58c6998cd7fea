"""Real inputs beside the project, where there are any."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def shared_data(part: str) -> Path:
    """Return the folder of a part's real data: the test skips, or fails where it is required.

    It is beside the project, or beside a folder that holds several checkouts of it.
    """
    places = (above / "shared" / "data" / part for above in Path(__file__).parents[2:4])
    found = next((place for place in places if place.is_dir()), None)
    if found is None:
        if "shared" in os.environ.get("RULEPLAY_REQUIRE", ""):
            pytest.fail(f"the real data of {part} is required and absent")
        pytest.skip(f"needs the real data in ../shared/data/{part}")
    return found
