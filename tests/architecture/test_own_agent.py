"""The agent in `docs/your-own-agent.md` works as it stands there: cut out, installed and played."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.architecture.guide import commands
from tests.samples import sample

PAGE = Path(__file__).parents[2] / "docs" / "your-own-agent.md"
FILE = re.compile(r"^## [^\n]*`(nim/[a-z/]+\.py)`\n(.*?)^```python\n(.*?)^```", re.M | re.S)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the page's files as a distribution; returns the folder they are in."""
    folder = tmp_path_factory.mktemp("site")
    page = PAGE.read_text(encoding="utf-8")
    files = FILE.findall(page)
    assert [name for name, _, _ in files] == [
        "nim/domain/heap.py", "nim/state.py", "nim/nodes.py", "nim/agent.py",
    ]  # fmt: skip
    for name, _, code in files:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        (file.parent / "__init__.py").touch()
        file.write_text(code, encoding="utf-8")
    point = re.search(r'^nim = "(nim\.agent:NIM)"$', page, re.M)
    assert point
    info = folder / "nim-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: nim\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[ruleplay.agents]\nnim = {point[1]}\n")
    return folder


def ruleplay(installed: Path, *arguments: str) -> str:
    """Run a command of Ruleplay beside the installed agent and return what it printed."""
    paths = [str(installed), *sys.path]
    done = subprocess.run(
        [sys.executable, "-m", "ruleplay.cli.main", *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "RULEPLAY_HOME": str(installed)},
        capture_output=True, text=True, timeout=500, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_is_played(installed: Path) -> None:
    first = json.loads(ruleplay(installed, "turn", "nim", "--message", "I draw 2", "--json"))
    assert first["reply"] == (
        "You draw 2 matches, and the heap has 19 left. "
        "The house draws 3 matches, and the heap has 16 left."
    )
    command = ("turn", "nim", "--session", first["session"], "--json", "--message")
    refused = json.loads(ruleplay(installed, *command, "I draw 9"))
    assert refused["reply"] == "9 cannot be drawn: it must be 1 to 3."
    assert refused["view"] == first["view"] == {"heap": 16, "yours": 0, "houses": 0}


def test_the_hostile_model_cannot_break_it(installed: Path) -> None:
    report = json.loads(
        ruleplay(installed, "fuzz", "nim", "--turns", str(sample(150, 600)), "--json")
    )
    assert report["violations"] == []
    assert report["unsupported_sentences_shown"] == 0
    assert report["lies_planted"] > sample(12, 50)
    assert report["true_sentences_shown"] >= 0.95 * report["true_sentences_offered"] > 0
    assert report["replay_identical"]


def test_its_test_with_a_model_passes(installed: Path, tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    code = re.search(r"^## Tests with a model\n.*?^```python\n(.*?)^```", page, re.M | re.S)
    assert code
    file = tmp_path / "test_nim.py"
    file.write_text(code[1], encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "asyncio_mode=auto",
         f"--rootdir={tmp_path}", str(file)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(installed), *sys.path])},
        capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert "1 passed" in done.stdout, done.stdout + done.stderr


def test_its_commands_run(installed: Path) -> None:
    played, fuzzed, drawn = commands(PAGE.read_text(encoding="utf-8"))
    assert "You draw 2 matches" in ruleplay(installed, *played)
    assert fuzzed[:2] == ["fuzz", "nim"]
    assert "answer --> tell_turn" in ruleplay(installed, *drawn)
