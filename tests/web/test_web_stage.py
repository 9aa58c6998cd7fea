"""What the browser's tests stand on: servers in a thread, of which nothing stays open."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLAYED = """
import gc, sys
from pathlib import Path
from tests.web.stage import Stage

with Stage.open(Path(sys.argv[1])) as stage:
    site = stage.start()
    site.say(site.new("parts"), "hello")
    del site
del stage
gc.collect()
print("played")
"""


def test_no_loop_and_no_socket_is_left_open(tmp_path: Path) -> None:
    """Python's development mode names whatever is collected without having been closed."""
    ran = subprocess.run(
        [sys.executable, "-X", "dev", "-c", PLAYED, str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "RULEPLAY_TOML": os.devnull, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert (ran.returncode, ran.stdout.strip()) == (0, "played"), ran.stderr
    assert "unclosed" not in ran.stderr, ran.stderr
    assert "ResourceWarning" not in ran.stderr, ran.stderr
