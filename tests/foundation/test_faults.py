"""Disks that fail, fill up or lose power in the midst of turns: what was acknowledged stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.foundation.conftest import skip_or_fail
from tests.system_calls import FAULT_NAMES, NEEDED, can_watch, hit

RUNS = 12
SECONDS = 240


@pytest.mark.parametrize("fault", FAULT_NAMES)
def test_no_acknowledged_turn_is_lost_to_a_fault(fault: str, tmp_path: Path) -> None:
    """Errors are clear, and where the fault is over the same process plays on."""
    if not can_watch():
        skip_or_fail("compiler", NEEDED)
    told = hit(tmp_path, fault, RUNS, 2, SECONDS)
    assert told["wrong"] == {}
    assert told["runs"] == RUNS
    assert told["turns_acknowledged"] > 0
    if fault == "power":
        assert told["power_failures"] > RUNS // 2
    else:
        assert told["errors"]
