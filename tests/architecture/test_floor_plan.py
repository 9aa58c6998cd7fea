"""Every agent has the one floor plan, and the package keeps its own rules of size and naming."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tests.architecture.tree import AGENTS, MODULES, PACKAGE, ROOT, definitions, parsed, short

import ruleplay

PLAN = (
    "agent",
    "graph",
    "nodes",
    "policy",
    "prompts",
    "view",
    "state",
    "adapters",
    "domain",
)
"""What every agent is made of: each a module, or a package once it outgrows a file."""
VAGUE = re.compile(r"^(utils?|helpers?|common|misc|shared|managers?)$")
FILE_LINES, FUNCTION_LINES = 800, 60
ENTRY = {"TYPE_CHECKING", "open_session", "__all__", "__version__", "__getattr__"}
"""What the package itself may define: its version, and the one lazy way in."""
SLOW = ("langgraph", "langchain", "langchain_core", "sqlalchemy", "fastapi")


def test_there_is_an_agent() -> None:
    assert AGENTS


@pytest.mark.parametrize("agent", AGENTS, ids=lambda path: path.name)
def test_an_agent_has_every_part(agent: Path) -> None:
    missing = [name for name in PLAN if not has_part(agent, name)]
    assert not missing, f"{agent.name} lacks {', '.join(missing)}"
    assert (agent / "README.md").is_file(), f"{agent.name} has no page that draws its graph"


def has_part(agent: Path, name: str) -> bool:
    """Tell whether a part is there, as a module or as a package."""
    return (agent / f"{name}.py").is_file() or (agent / name / "__init__.py").is_file()


def test_a_module_says_what_it_is_for() -> None:
    assert [short(path) for path in MODULES if not ast.get_docstring(parsed(path))] == []


def test_a_module_has_a_telling_name() -> None:
    named = ((path, path.relative_to(PACKAGE).with_suffix("").parts) for path in MODULES)
    assert [short(path) for path, parts in named if any(map(VAGUE.match, parts))] == []


def test_a_module_fits_in_the_head() -> None:
    read = ((path, path.read_text(encoding="utf-8").splitlines()) for path in MODULES)
    assert [short(path) for path, lines in read if len(lines) > FILE_LINES] == []


def test_a_function_fits_in_the_head() -> None:
    found = (f"{short(path)}: {name}" for path in MODULES for name in long_functions(path))
    assert list(found) == []


def long_functions(path: Path) -> list[str]:
    return [f"{name} has {size} lines" for name, size in functions(path) if size > FUNCTION_LINES]


def functions(path: Path) -> list[tuple[str, int]]:
    """Return the functions of a module and how many lines each has, decorators left out."""
    return [
        (node.name, (node.end_lineno or node.lineno) - node.lineno + 1)
        for node in definitions(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def test_no_class_is_a_manager() -> None:
    names = {
        f"{short(path)}: {node.name}"
        for path in MODULES
        for node in definitions(path)
        if isinstance(node, ast.ClassDef)
    }
    assert len(names) > 100
    assert [name for name in names if name.endswith(("Manager", "Helper", "Util", "Utils"))] == []


def test_a_package_exports_nothing_again() -> None:
    found = {}
    for path in sorted(PACKAGE.rglob("__init__.py")):
        extra = defined(parsed(path)) - (ENTRY if path.parent == PACKAGE else set())
        found[short(path)] = sorted(extra)
    assert {path: extra for path, extra in found.items() if extra} == {}


def defined(module: ast.Module) -> set[str]:
    """Return the names that a module's top level binds, conditional blocks included."""
    names: set[str] = set()
    waiting: list[ast.stmt] = list(module.body)
    while waiting:
        match waiting.pop():
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                names |= {alias.asname or alias.name for alias in aliases}
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.ClassDef(name=name):
                names.add(name)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case ast.If(body=body, orelse=orelse):
                waiting += [*body, *orelse]
    return names


@pytest.mark.parametrize("module", ["ruleplay", "ruleplay.cli.main"])
def test_importing_loads_nothing_slow(module: str) -> None:
    if not PACKAGE.joinpath(*module.split(".")[1:]).with_suffix(".py").exists() and "." in module:
        pytest.skip(f"{module} is not there")
    code = f"import json, sys, {module}; print(json.dumps(sorted(sys.modules)))"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    loaded = set(json.loads(result.stdout))
    assert module in loaded
    assert not loaded & set(SLOW)


def test_the_version_is_the_same_everywhere() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    version = declared["project"]["version"]
    assert ruleplay.__version__ == version
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
