"""The documentation site: every page it names is there, and every command in it exists."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMAND = re.compile(r"^(?:\$ )?ruleplay ((?:[a-z]+)(?: [a-z]+)?)", re.M)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "pages"
    subprocess.run(
        [sys.executable, ROOT / "docs" / "reference.py", folder], check=True, timeout=240
    )
    return folder


def named(entries: list[object]) -> list[str]:
    found = []
    for entry in entries:
        assert isinstance(entry, dict)
        for value in entry.values():
            found += [value] if isinstance(value, str) else named(value)
    return found


def test_every_page_that_is_named_is_there(pages: Path) -> None:
    site = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]
    assert [name for name in named(site["nav"]) if not (pages / name).is_file()] == []


def test_the_reference_comes_from_the_code(pages: Path) -> None:
    reference = {path.stem: path.read_text() for path in (pages / "reference").iterdir()}
    assert "## `ruleplay battle arena`" in reference["commands"]
    assert "`POST /api/sessions`" in reference["http"]
    assert "`GET /api/saga" in reference["http"]
    assert "`RULEPLAY_TOKEN`" in reference["settings"]
    assert "## party" in reference["events"]


def test_every_command_of_the_guides_exists(pages: Path) -> None:
    there = (pages / "reference" / "commands.md").read_text()
    guides = [pages / "tutorial.md", *(pages / "howto").iterdir(), *(pages / "fr").iterdir()]
    asked = {found for guide in guides for found in COMMAND.findall(guide.read_text())}
    assert len(asked) > 5
    for command in asked:
        first = command.partition(" ")[0]
        assert f"`ruleplay {command}" in there or f"`ruleplay {first}`" in there, command
