"""kill -9 at any moment of a turn: nothing committed is lost, and nothing happens twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TypedDict

import pytest

CHILD = Path(__file__).parent / "children" / "crash.py"
MOST = int(os.environ.get("RULEPLAY_CRASH_POINTS", "45"))
"""Steps of a turn at which a process dies; a larger number than a turn has steps takes them all."""


class Found(TypedDict):
    """One session after its process died: keys of its turns before and after sending again."""

    before: list[str]
    number: int
    after: list[str]
    answer: int
    stored: int
    replays: bool


class Crashes(TypedDict):
    """What the child printed: steps of a whole turn, exit statuses, and every session."""

    steps: int
    died: dict[str, int]
    found: dict[str, Found]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork: processes cannot be forked here")
def test_a_killed_turn_happens_once_or_not_at_all(database: str, tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, CHILD, database, str(tmp_path), str(MOST)],
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    crashes: Crashes = json.loads(ran.stdout)
    assert crashes["steps"] > 40
    assert set(crashes["died"].values()) == {signal.SIGKILL}
    for point, found in crashes["found"].items():
        assert found["before"] in (["first"], ["first", "second"]), point
        assert found["number"] == len(found["before"]), point
        assert found["after"] == ["first", "second"], point
        assert (found["answer"], found["stored"], found["replays"]) == (2, 2, True), point
    committed = {len(found["before"]) for found in crashes["found"].values()}
    assert committed == {1, 2}, "the points lie on one side of the commit only"
    if "commit before" in crashes["found"]:
        assert crashes["found"]["commit before"]["number"] == 1
        assert crashes["found"]["commit after"]["number"] == 2
