"""The five changes of `docs/changing.md`, made in a copy: each works and touches few files."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "changing.md").read_text(encoding="utf-8")
Change = Mapping[str, tuple[str, str] | tuple[tuple[str, str], ...] | str]
"""By file of `src/ruleplay`: texts and what stands there instead, or the whole of a new file."""

PROVIDER: Change = {
    "models/names.py": (
        "PROVIDERS = (\n",
        'PROVIDERS = (\n    Provider(name="mistralai", module="langchain_mistralai_x",'
        ' install="langchain-mistralai", keys=("MISTRAL_API_KEY",)),\n',
    ),
}
COLUMN: Change = {
    "storage/tables.py": (
        (
            '    Column("edition", Integer, nullable=False, server_default="1"),\n',
            '    Column("edition", Integer, nullable=False, server_default="1"),\n'
            '    Column("mood", String(20), nullable=False, server_default="calm"),\n',
        ),
        ('"edition": turn.edition,', '"edition": turn.edition,\n        "mood": turn.mood,'),
        (
            '"edition": row["edition"],',
            '"edition": row["edition"],\n            "mood": row["mood"],',
        ),
    ),
    "records/turns.py": (
        "    edition: int = 1\n",
        '    edition: int = 1\n    mood: str = "calm"\n',
    ),
    "storage/database.py": ('SCHEMA = "{newest}"', 'SCHEMA = "9999"'),
    "storage/migrations/versions/r9999_moods.py": """
import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{newest}"


def upgrade() -> None:
    op.add_column("turns", sa.Column("mood", sa.String(20), nullable=False, server_default="calm"))
""",
}
ACT: Change = {
    "story/acts.py": ('    "flourish",\n', '    "flourish",\n    "hum",\n'),
    "story/prompts.toml": ("- yield: gives up.", "- hum: sings to oneself.\n- yield: gives up."),
    "agents/saga/domain/improvising.py": (
        '    "flourish": _flourish,\n',
        '    "flourish": _flourish,\n    "hum": _flourish,\n',
    ),
    "agents/party/domain/improvising.py": (
        '    "flourish": _flourish,\n',
        '    "flourish": _flourish,\n    "hum": _flourish,\n',
    ),
}
TOOL: Change = {
    "agents/raid/tools/shelf.py": """
from ruleplay.agents.raid.domain.tool_result import ToolOutcome
from ruleplay.agents.raid.tools import finding


def count_reports(reports, asked):
    return ToolOutcome(rows=({"reports": len(finding.list_reports(reports, asked).rows)},))
""",
    "agents/raid/domain/toolbox.toml": (
        "[list_reports]\n",
        '[count_reports]\ntells = "How many there are."\ntakes = "NoArguments"\n\n[list_reports]\n',
    ),
    "agents/raid/tools/registry.py": (
        ("    score,\n    tally,", "    score,\n    shelf,\n    tally,"),
        ("resources, score, tally,", "resources, score, shelf, tally,"),
    ),
}
LANGUAGE: Change = {
    "agents/parts/domain/texts/nl.toml": 'danger_over = "Het gevaar is geweken."\n',
    "agents/parts/domain/voice.py": ('("en", "fr", "es")', '("en", "fr", "es", "nl")'),
}
CHANGES = {
    "A model provider": PROVIDER,
    "A column of the store": COLUMN,
    "An act of the saga": ACT,
    "A tool of raid": TOOL,
    "A language": LANGUAGE,
}


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """Return a copy of the sources, compiled as far as they are; without the built page."""
    shutil.copytree(
        ROOT / "src" / "ruleplay", tmp_path / "src" / "ruleplay",
        ignore=shutil.ignore_patterns("static"),
    )  # fmt: skip
    return tmp_path / "src"


def change(source: Path, made: Change) -> None:
    """Make a change; every text that it replaces has to stand there once."""
    for name, edits in made.items():
        file = source / "ruleplay" / name
        if isinstance(edits, str):
            assert not file.exists()
            file.write_text(edits.replace("{newest}", newest()), encoding="utf-8")
            continue
        text = file.read_text(encoding="utf-8")
        for old, new in [edits] if isinstance(edits[0], str) else edits:
            there = old.replace("{newest}", newest())
            assert text.count(there) == 1, (name, there)
            text = text.replace(there, new)
        file.write_text(text, encoding="utf-8")


def newest() -> str:
    """Return the newest revision of the store."""
    folder = ROOT / "src" / "ruleplay" / "storage" / "migrations" / "versions"
    return max(path.name[1:5] for path in folder.glob("r*_*.py"))


def run(source: Path, *arguments: str) -> str:
    """Run Python on some sources and return what it printed."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(source), "RULEPLAY_MODEL": "rules"},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("task", CHANGES)
def test_each_change_touches_four_files_and_the_page_names_them(task: str) -> None:
    assert len(CHANGES[task]) <= 4
    section = re.split(r"^## ", PAGE.partition(f"## {task}\n")[2], maxsplit=1, flags=re.M)[0]
    named = re.findall(r"`src/ruleplay/([^`]+)`", section)
    for file in CHANGES[task]:
        assert any(
            file == name or (name.endswith("/") and file.startswith(name)) for name in named
        ), file
    assert [name for name in named if not (ROOT / "src" / "ruleplay" / name).exists()] == []


def test_a_provider_is_known_by_its_entry(copied: Path) -> None:
    change(copied, PROVIDER)
    code = """
from ruleplay.errors import Unavailable
from ruleplay.models.names import open_model
try:
    open_model("mistralai:small")
except Unavailable as missing:
    print(missing)
"""
    assert "langchain-mistralai" in run(copied, "-c", code)


def test_a_column_is_stored_and_read_and_older_turns_have_its_default(
    copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEPLAY_HOME", str(tmp_path / "home"))
    command = ("-m", "ruleplay.cli.main", "turn", "parts", "--json", "--message", "Hello")
    session = json.loads(run(ROOT / "src", *command))["session"]
    change(copied, COLUMN)
    run(copied, *command, "--session", session)
    code = """
import asyncio, sys
from ruleplay.catalog import find_agent
from ruleplay.kernel.host import Host
from ruleplay.settings import Settings
from ruleplay.storage.tables import read_turn, turn_row

async def look():
    host = await Host.open(Settings(), find_agent)
    head, _ = await host.store.read(sys.argv[1])
    turns = await host.store.lineage(head.head)
    await host.close()
    glad = read_turn(turn_row(turns[0].model_copy(update={"mood": "glad"})))
    print([turn.mood for turn in turns], glad.mood)

asyncio.run(look())
"""
    assert run(copied, "-c", code, session) == "['calm', 'calm'] glad\n"


def test_an_act_is_offered_to_models_and_done_by_both_games(copied: Path) -> None:
    change(copied, ACT)
    code = """
from types import SimpleNamespace
from typing import get_args
from ruleplay.agents.party.domain import improvising as party
from ruleplay.agents.saga.domain import improvising as saga
from ruleplay.story import reading
from ruleplay.story.acts import Act, Do
assert set(get_args(Do)) == set(saga._PERFORMED)
done = []
saga._PERFORMED["hum"](SimpleNamespace(add=done.append), Act(do="hum", text="an old song"))
texts = [text for text in vars(reading).values() if isinstance(text, str)]
print(done[0].text, any("- hum: " in text for text in texts))
"""
    assert run(copied, "-c", code) == "an old song True\n"


def test_a_tool_is_run_by_name(
    copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEPLAY_HOME", str(tmp_path / "home"))
    change(copied, TOOL)
    told = run(copied, "-m", "ruleplay.cli.main", "raid", "tool", "count_reports", "--json")
    assert json.loads(told)["rows"][0]["reports"] == 2
    assert "count_reports" in run(copied, "-m", "ruleplay.cli.main", "raid", "tools")


def test_a_language_is_spoken_and_lacks_in_english(copied: Path) -> None:
    change(copied, LANGUAGE)
    code = """
from ruleplay.agents.parts.domain.voice import voice
print(voice("nl").say("danger_over"), voice("nl").texts.keys() == voice("en").texts.keys())
"""
    assert run(copied, "-c", code) == "Het gevaar is geweken. True\n"
