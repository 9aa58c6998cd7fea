"""The documentation is true: commands parse, paths exist, code and drawings are the real ones."""

from __future__ import annotations

import ast
import asyncio
import importlib
import inspect
import re
import subprocess
import sys
import textwrap
from collections.abc import Awaitable
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.architecture.guide import Block, blocks, commands, edges, links, paths, transcripts
from tests.architecture.tree import AGENTS, GUIDES, PACKAGE, ROOT, short

from ruleplay.kernel.graph import END, START, Graph
from ruleplay.settings import Settings

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = {
    tuple(words): short(page)
    for page in reversed(GUIDES)
    if page.name != "your-own-agent.md"  # its commands run beside the agent that it describes
    for words in commands(page.read_text("utf-8"))
}
SOURCE = re.compile(r"`(src/[\w/]+\.py)`")
PYTHON = [block for block in blocks(README) if block.kind == "python"]
QUOTATIONS = [block for block in PYTHON if SOURCE.search(block.before)]
EXAMPLES = [block for block in PYTHON if not SOURCE.search(block.before)]
SAFE = ("agents", "--version")
"""Commands that only look, and so are really run."""


def _named(value: list[str]) -> str:
    return " ".join(value)[:60]


has_cli = pytest.mark.skipif(
    not (PACKAGE / "cli" / "main.py").exists(), reason="the command line is not there"
)
has_parts = pytest.mark.skipif(
    not (PACKAGE / "agents" / "parts" / "agent.py").exists(), reason="agent parts is not there"
)


def test_the_first_screen_says_how_to_start() -> None:
    first_screen = "\n".join(README.splitlines()[:40])
    for needed in ("Python", "3.11", "make run", "make test", "http://127.0.0.1:8000"):
        assert needed in first_screen


def test_each_word_of_the_glossary_stands_where_it_is_defined() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rows = re.findall(r"^\| ([a-z, ]+) \| .+? \| `([^`]+)` \|$", page, re.MULTILINE)
    words = [word for entry, _ in rows for word in entry.split(", ")]
    assert len(words) == len(set(words)) >= 15
    for entry, name in rows:
        source = (ROOT / name).read_text("utf-8").lower()
        assert all(part in source for part in entry.replace(",", "").split()), (entry, name)


def test_there_are_commands_to_check() -> None:
    assert [*COMMANDS.values()].count("README.md") >= 5


@has_cli
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_command_is_understood(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [*words] if words[:1] and words[0] in SAFE else [*words, "--help"]
    code = run_command(asked, monkeypatch)
    assert code == 0, f"{COMMANDS[words]}: ruleplay {' '.join(words)}: {capsys.readouterr().err}"


@has_cli
def test_a_wrong_command_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_command(["turn", "parts", "--no-such-option", "--help"], monkeypatch) != 0
    assert run_command(["no-such-command", "--help"], monkeypatch) != 0


def run_command(words: list[str], monkeypatch: pytest.MonkeyPatch) -> object:
    """Run the command line in this process, as its script does, and return the exit code."""
    main = importlib.import_module("ruleplay.cli.main").main
    monkeypatch.setattr("sys.argv", ["ruleplay", *words])
    try:
        return main() or 0
    except SystemExit as end:
        return end.code or 0


@has_cli
@has_parts
@pytest.mark.parametrize(("words", "shown"), transcripts(README), ids=_named)
def test_what_the_readme_shows_is_what_is_printed(
    words: list[str], shown: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEPLAY_HOME", str(tmp_path))
    monkeypatch.delenv("RULEPLAY_MODEL", raising=False)
    command = [str(Path(sys.executable).with_name("ruleplay")), *words]
    result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert matches(shown, result.stdout.strip().splitlines()), result.stdout


def matches(shown: list[str], printed: list[str]) -> bool:
    """Tell whether output is as shown: any date will do, and `…` at the end stands for the rest."""
    wanted, got = ([_undated(line) for line in lines] for lines in (shown, printed))
    return got[: len(wanted) - 1] == wanted[:-1] if wanted[-1] == "…" else got == wanted


def _undated(line: str) -> str:
    return re.sub(r"\d{4}-\d\d-\d\d", "DATE", line.rstrip())


def test_changed_output_would_be_found() -> None:
    assert matches(["on 2026-01-02", "…"], ["on 2027-03-04", "b", "c"])
    assert not matches(["a", "…"], ["b", "b"])
    assert not matches(["a"], ["a", "b"])


@pytest.mark.parametrize("page", GUIDES, ids=short)
def test_the_files_a_page_names_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    missing = [path for path in sorted(paths(text)) if not (ROOT / path).exists()]
    missing += [link for link in sorted(links(text)) if not (page.parent / link).exists()]
    assert not missing


@pytest.mark.parametrize("page", GUIDES, ids=short)
def test_the_make_targets_a_page_names_exist(page: Path) -> None:
    written = ROOT / "src/ruleplay/cli/scaffold/templates/shared/Makefile.txt"
    makefiles = [ROOT / "Makefile", *([written] if page.name == "tutorial.md" else [])]
    text = "\n".join(one.read_text("utf-8") for one in makefiles)
    targets = set(re.findall(r"^([a-z]+):", text, re.M))
    named = set(re.findall(r"(?:`|^|\$ )make ([a-z]+)", page.read_text("utf-8"), re.M))
    assert named <= targets


def test_quoted_source_is_the_source() -> None:
    quoted = {SOURCE.findall(block.before)[-1]: block.body for block in QUOTATIONS}
    assert "src/ruleplay/kernel/turn.py" in quoted
    for path, body in quoted.items():
        assert excerpt(body, (ROOT / path).read_text(encoding="utf-8")), f"{path} reads otherwise"


def excerpt(quoted: str, source: str) -> bool:
    """Tell whether lines stand in a source one after another, whatever the outer indentation."""
    wanted = textwrap.dedent(quoted).rstrip().splitlines()
    lines = source.splitlines()
    return any(
        textwrap.dedent("\n".join(lines[start : start + len(wanted)])).splitlines() == wanted
        for start in range(len(lines))
    )


def test_a_changed_quotation_would_be_found() -> None:
    source = "def f():\n    a = 1\n    if a:\n        return b\n"
    assert excerpt("a = 1\nif a:\n    return b\n", source)
    assert not excerpt("a = 1\nif a:\n    return c\n", source)
    assert not excerpt("a = 1\nreturn b\n", source)


@has_parts
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda block: f"after {block.before[:40]!r}")
def test_a_python_example_runs(
    example: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEPLAY_HOME", str(tmp_path))
    monkeypatch.delenv("RULEPLAY_MODEL", raising=False)
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    code = compile(example.body, "README.md", "exec", flags=flags)
    running = eval(code, {"__name__": "__main__"})
    if inspect.isawaitable(running):
        asyncio.run(finish(running))


async def finish(running: Awaitable[object]) -> None:
    """Await what an example awaits."""
    await running


def test_every_setting_is_in_the_readme() -> None:
    settings = {f"RULEPLAY_{name.upper()}" for name in Settings.model_fields}
    # A key is no setting: it comes from the environment alone and is never written anywhere.
    others = {"RULEPLAY_TOML", "RULEPLAY_DEBUG", "RULEPLAY_COMPATIBLE_KEY"}
    assert set(re.findall(r"RULEPLAY_[A-Z_]+", README)) - others == settings


@pytest.mark.parametrize("agent", AGENTS, ids=lambda path: path.name)
def test_an_agents_page_draws_its_graph(agent: Path) -> None:
    if not (agent / "agent.py").exists():
        pytest.skip(f"agent {agent.name} has no agent.py")
    page = (agent / "README.md").read_text(encoding="utf-8")
    drawn = [block.body for block in blocks(page) if block.kind == "mermaid"]
    made = importlib.import_module(f"ruleplay.agents.{agent.name}.agent").AGENT
    compiled = made.build_graph(made.demo()).mermaid()
    assert edges(compiled)
    assert [edges(one) for one in drawn[:1]] == [edges(compiled)], compiled


@dataclass
class _Trip:
    place: str = ""


async def _stay(state: _Trip) -> None:
    return None


def test_a_changed_drawing_would_be_found() -> None:
    builder = Graph(_Trip)
    for place in ("a", "b", "c"):
        builder.add_node(place, _stay)
    builder.add_edge(START, "a")
    builder.add_conditional_edges("a", lambda _: "b", {"far": "b", "c": "c"})
    builder.add_edge("b", END)
    builder.add_edge("c", END)
    drawn = edges(builder.compile().mermaid())
    assert drawn == [
        ("__start__", "solid", "", "a"),
        ("a", "dotted", "", "c"),
        ("a", "dotted", "far", "b"),
        ("b", "solid", "", "__end__"),
        ("c", "solid", "", "__end__"),
    ]
