"""The documentation site: every page it names is there, and every command in it exists."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tests.architecture.guide import Block, blocks

from ruleplay.catalog import find_agent, usable_agents
from ruleplay.kernel.host import Host
from ruleplay.records.events import Json
from ruleplay.records.given import Given
from ruleplay.settings import Settings

ROOT = Path(__file__).parents[2]
GUIDES = ("howto", "agents", "fr")
COMMAND = re.compile(r"^(?:\$ )?ruleplay ((?:[a-z]+)(?: [a-z]+)?)", re.M)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "pages"
    subprocess.run(
        [sys.executable, ROOT / "docs" / "reference.py", folder], check=True, timeout=500
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
    guides = [
        pages / "tutorial.md",
        *(page for folder in GUIDES for page in (pages / folder).iterdir()),
    ]
    asked = {found for guide in guides for found in COMMAND.findall(guide.read_text())}
    assert len(asked) > 5
    for command in asked:
        first = command.partition(" ")[0]
        assert f"`ruleplay {command}" in there or f"`ruleplay {first}`" in there, command


def dialogues() -> list[Path]:
    """Return the guides that show what is said."""
    docs = ROOT / "docs"
    found = [*(docs / "agents").glob("*.md"), *(docs / "fr").glob("*.md")]
    return sorted(page for page in found if "\n```text\n> " in page.read_text(encoding="utf-8"))


def page_blocks(page: Path) -> list[Block]:
    return blocks(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", dialogues(), ids=lambda page: "/".join(page.parts[-2:]))
async def test_what_a_guide_shows_is_what_is_answered(page: Path, tmp_path: Path) -> None:
    agent = find_agent(page.stem)
    spoken = page.parent.name if page.parent.name == "fr" else "en"
    config: Json = {"lang": spoken} if "lang" in agent.config_type.model_fields else {}
    (shown,) = [block.body for block in page_blocks(page) if block.kind == "text"]
    host = await Host.open(Settings(home=tmp_path, model="rules"), find_agent)
    try:
        session = (await host.create(agent.name, config)).id
        reply = ""
        for line in shown.splitlines():
            if line.startswith("> "):
                reply = (await host.start(session, Given(message=line[2:]))).reply
            else:
                assert line in reply
    finally:
        await host.close()


def test_the_agents_have_guides_in_both_languages() -> None:
    names = {agent.name for agent in usable_agents()} & {"saga", "party", "parts", "raid", "battle"}
    for folder in ("agents", "fr"):
        assert names <= {page.stem for page in (ROOT / "docs" / folder).iterdir()}
