"""Kills while slow models are asked: no turn lost or doubled, nothing kept asked for again."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.foundation.conftest import skip_or_fail
from tests.samples import sample, some

CHILD = Path(__file__).parent / "children" / "stalled.py"
KILLS = sample(2, 5)
WHERE = [(on, kind) for on in ("sqlite", "postgres") for kind in ("durable", "plain")]
"""Both kinds of turns on both databases; test_crash kills single turns of all four every day."""
SECONDS = 120


@pytest.mark.parametrize(("database", "kind"), some(WHERE, 2), indirect=["database"])
def test_kills_between_models_lose_and_repeat_nothing(
    database: str, kind: str, tmp_path: Path
) -> None:
    if kind == "durable" and find_spec("dbos") is None:
        skip_or_fail("durable", "install the package dbos")
    ran = subprocess.run(
        [sys.executable, CHILD, database, str(tmp_path), str(KILLS), kind, str(SECONDS)],
        capture_output=True,
        text=True,
        timeout=540,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert told["wrong"] == []
    assert told["kills"] > 1
