"""kill -9 at any moment of a turn: nothing committed is lost, and nothing happens twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TypedDict

import pytest
from tests.foundation.conftest import skip_or_fail
from tests.samples import sample

CHILD = Path(__file__).parent / "children" / "crash.py"
MOST = sample(15, 1_000)
"""Steps of a turn at which a process dies; a larger number than a turn has steps takes them all."""
DURABLE_MOST = sample(2, 20)
"""The same for durable turns, where a process takes longer to start."""


class Found(TypedDict):
    """One session after its process died; lists are the keys of its turns.

    `held` is what the crash left, `before` what stands when a durable runner has gone on by itself,
    `after` when the turn was sent again, `next` the number of the turn that was played then.
    """

    held: list[str]
    before: list[str]
    number: int
    after: list[str]
    answer: int
    stored: int
    next: int
    replays: bool


class Crashes(TypedDict):
    """What the child printed: steps and writes of a whole turn, exit statuses, every session."""

    steps: int
    writes: int
    died: dict[str, int]
    found: dict[str, Found]


def crash(database: str, folder: Path, most: int, kind: str) -> Crashes:
    """Kill processes at points of a turn, and check what holds for every one of them."""
    ran = subprocess.run(
        [sys.executable, CHILD, database, str(folder), str(most), kind],
        capture_output=True,
        text=True,
        timeout=540,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    crashes: Crashes = json.loads(ran.stdout)
    assert crashes["steps"] > 25
    for point, found in crashes["found"].items():
        assert found["held"] in (["first"], ["first", "second"]), point
        assert found["before"] in (found["held"], ["first", "second"]), point
        assert found["number"] == len(found["before"]), point
        assert found["after"] == ["first", "second"], point
        assert (found["answer"], found["stored"], found["replays"]) == (2, 2, True), point
        assert found["next"] == 3, point
    committed = {len(found["held"]) for found in crashes["found"].values()}
    assert committed == {1, 2}, "the points lie on one side of the commit only"
    return crashes


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork: processes cannot be forked here")
def test_a_killed_turn_happens_once_or_not_at_all(database: str, tmp_path: Path) -> None:
    crashes = crash(database, tmp_path, MOST, "plain")
    # Steps are counted in a turn of its own. How many an answer from elsewhere takes depends on how
    # it comes in, so another turn may have fewer: whoever was not killed has lived past its last.
    outlived = [name for name, status in crashes["died"].items() if status != signal.SIGKILL]
    numbers = [int(name.removeprefix("step ")) for name in outlived]
    assert all(number > crashes["steps"] * 2 / 3 for number in numbers), numbers
    assert all(len(crashes["found"][name]["held"]) == 2 for name in outlived)
    last = crashes["writes"]
    assert len(crashes["found"][f"write {last} before"]["held"]) == 1
    assert len(crashes["found"][f"write {last} after"]["held"]) == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork: processes cannot be forked here")
def test_a_durable_turn_is_gone_on_with_by_itself(database: str, tmp_path: Path) -> None:
    if find_spec("dbos") is None:
        skip_or_fail("durable", "install the package dbos")
    crashes = crash(database, tmp_path, DURABLE_MOST, "durable")
    # How often it looks whether a turn has ended depends on time: some points come too late.
    killed = [found for name, found in crashes["found"].items() if crashes["died"][name]]
    assert len(killed) > DURABLE_MOST
    assert any(found["before"] != found["held"] for found in killed)
