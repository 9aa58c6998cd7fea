"""What the dex reads its pages from leaves nothing behind."""

from __future__ import annotations

import subprocess
import sys

READ = """
import atexit, sys

atexit.register(lambda: print(sys.modules["poke_env.concurrency"].POKE_LOOP.is_closed()))
from ruleplay.agents.battle.domain.dex import knows_move

assert knows_move("tackle")
"""


def test_no_event_loop_is_left_open() -> None:
    ran = subprocess.run(
        [sys.executable, "-X", "dev", "-c", READ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "True\n", "")
