"""The page's pure modules, tested where they run: in Node, by their own tests."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"


def test_the_modules_pass_their_own_tests() -> None:
    node = shutil.which("node")
    if node is None:
        if "chromium" in os.environ.get("RULEPLAY_REQUIRE", "").split(","):
            pytest.fail("node: install Node 20 or newer")
        pytest.skip("node: install Node 20 or newer")
    told = subprocess.run(
        [node, "--test", "tests/"],
        cwd=WEB,
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert told.returncode == 0, told.stdout[-3_000:]
    assert "# tests 0" not in told.stdout
