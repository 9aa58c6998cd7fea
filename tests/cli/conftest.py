"""A command line with a home of its own, run in this process or as users run it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.commands import Done, Run

OUTSIDE = Path(__file__).parent / "outside"
SOURCE = Path(__file__).parents[2] / "src"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the developer's configuration out, and find the test agent as an installed one."""
    for name in [name for name in os.environ if name.startswith("RULEPLAY_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("RULEPLAY_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("RULEPLAY_TOML", os.devnull)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(SOURCE), str(OUTSIDE))))
    monkeypatch.syspath_prepend(str(OUTSIDE))
    return tmp_path / "home"


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a way to run a command in this process."""
    from ruleplay.cli.main import run

    def call(*arguments: str) -> Done:
        capsys.readouterr()
        code = run(list(arguments))
        printed = capsys.readouterr()
        return Done(code, printed.out, printed.err)

    return call


@pytest.fixture
def process() -> Run:
    """Return a way to run a command as a process of its own; `given` is its standard input."""

    def call(*arguments: str, given: str | bytes = "") -> Done:
        command = [sys.executable, "-m", "ruleplay.cli.main", *arguments]
        fed = given if isinstance(given, bytes) else given.encode()
        done = subprocess.run(command, input=fed, capture_output=True, timeout=300, check=False)
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call
